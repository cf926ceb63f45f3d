/* SPDX-License-Identifier: MIT */
/* The public interface: the events of a trace as a stream of Arrow. */
#include "api/tr_api_arrow_int.h"
#include "api/tr_api_int.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct events {
    struct tr_trace *trace; /* owned */
    char **fields;
    enum tr_cell *types; /* of each field */
    bool *given;         /* did the caller say the type? */
    size_t n;
    const struct tr_batch *next; /* it was read, and not given; NULL: none */
    bool ended;
    struct tr_error err;
    char text[1400];
};

static const char *key_of(const char *field)
{
    return strncmp(field, "args.", 5) == 0 ? field + 5 : NULL;
}

static void free_events(struct events *e)
{
    for (size_t i = 0; e->fields && i < e->n; i++)
        free(e->fields[i]);
    free(e->fields);
    free(e->types);
    free(e->given);
    tr_trace_close(e->trace);
    free(e);
}

/* ---- the functions of a stream ---- */

static int failed(struct events *e)
{
    e->ended = true;
    return e->err.sys_errno ? e->err.sys_errno : e->err.status == TR_USAGE ? EINVAL : EIO;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    struct events *e = stream->private_data;
    uint64_t none[1] = { 0 };
    uint32_t no_number[1] = { 0 };
    uint8_t no_byte[1] = { 0 };
    const struct tr_batch empty = { .dict = e->trace->in->dict, .ts = (int64_t *)none, .dur = (int64_t *)none,
                                    .record = none, .track = no_number, .shape = no_number, .name = no_number,
                                    .cat = no_number, .phase = no_byte, .activity = no_byte, .kind = no_byte,
                                    .suspect = no_byte, .flags = no_byte };
    struct ArrowArray array;
    if (tr_batch_arrow(&empty, (const char *const *)e->fields, e->types, e->n, out, &array, &e->err) != TR_OK)
        return failed(e);
    array.release(&array);
    return 0;
}

/* Types that were not said are those of all values so far; a later batch must not change them. */
static enum tr_status check_types(struct events *e)
{
    for (size_t i = 0; i < e->n; i++) {
        const char *key = key_of(e->fields[i]);
        if (key && !e->given[i] && tr__arrow_key_type(e->trace->in->dict, key) != e->types[i])
            return tr_fail(&e->err, TR_USAGE, "values of '%.80s' come with another type than the first ones: say which "
                                              "type it has", e->fields[i]);
    }
    return TR_OK;
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    struct events *e = stream->private_data;
    struct ArrowSchema schema;
    enum tr_status st = e->next || e->ended ? TR_OK : tr_trace_next(e->trace, &e->next, &e->err);
    memset(out, 0, sizeof *out);
    if (st == TR_END || (st == TR_OK && e->ended)) {
        e->ended = true;
        return 0; /* not released: the end */
    }
    if (st == TR_OK)
        st = check_types(e);
    if (st == TR_OK)
        st = tr_batch_arrow(e->next, (const char *const *)e->fields, e->types, e->n, &schema, out, &e->err);
    e->next = NULL;
    if (st != TR_OK) {
        memset(out, 0, sizeof *out);
        return failed(e);
    }
    schema.release(&schema);
    return 0;
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    struct events *e = stream->private_data;
    return e->err.status == TR_OK ? NULL : tr_error_text(&e->err, e->text, sizeof e->text);
}

static void release(struct ArrowArrayStream *stream)
{
    free_events(stream->private_data);
    stream->release = NULL;
}

/* ---- making one ---- */

static bool take_fields(struct events *e, const char *const *fields, const enum tr_cell *types, size_t n)
{
    e->fields = calloc(n + 1, sizeof *e->fields);
    e->types = calloc(n + 1, sizeof *e->types);
    e->given = calloc(n + 1, sizeof *e->given);
    bool ok = e->fields && e->types && e->given;
    for (size_t i = 0; ok && i < n; i++) {
        e->n = i + 1;
        e->given[i] = types && types[i] != TR_CELL_ANY;
        e->types[i] = e->given[i] ? types[i] : TR_CELL_STRING;
        ok = (e->fields[i] = strdup(fields[i])) != NULL;
    }
    return ok;
}

enum tr_status tr_trace_arrow(struct tr_trace *trace, const char *const *fields, const enum tr_cell *types, size_t n,
                              struct ArrowArrayStream *stream, struct tr_error *err)
{
    static const struct events fresh = { .err = TR_ERROR_INIT };
    const char *usual[TR__N_USUAL];
    struct events *e = malloc(sizeof *e);
    if (!e)
        return tr_fail_memory(err);
    *e = fresh;
    if (!fields) {
        n = tr__arrow_usual(usual);
        types = NULL;
    }
    enum tr_status st = take_fields(e, fields ? fields : usual, types, n) ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_trace_want(trace, (const char *const *)e->fields, n, err);
    if (st == TR_OK)
        st = tr_trace_next(trace, &e->next, err);
    if (st == TR_END) {
        e->ended = true;
        st = TR_OK;
    }
    for (size_t i = 0; st == TR_OK && i < n; i++)
        if (key_of(e->fields[i]) && !e->given[i])
            e->types[i] = tr__arrow_key_type(trace->in->dict, key_of(e->fields[i]));
    if (st != TR_OK) {
        free_events(e);
        return st;
    }
    e->trace = trace;
    *stream = (struct ArrowArrayStream){ get_schema, get_next, get_last_error, release, e };
    return TR_OK;
}
