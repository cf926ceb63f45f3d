/* SPDX-License-Identifier: MIT */
/* The public interface: fields of the events of a batch, as a record batch of Arrow. */
#include "api/tr_api_arrow_int.h"
#include "api/tr_api_int.h"

#include "base/tr_mem.h"
#include "formats/common/tr_members.h"
#include "field/tr_event_field.h"
#include "stream/tr_args.h"

#include <stdlib.h>
#include <string.h>

/* The column that is being made: one entry for each event. */
struct making {
    struct tr__arrow to;
    const struct tr_batch *b;
    int64_t *ints; /* also the bits of real numbers */
    uint8_t *valid;
    struct tr_str *texts;
    struct tr_error *err;
};

static enum tr_status add_ints(struct making *m, const char *name, const char *suffix)
{
    const struct tr__arrow_name is = { name, suffix, NULL };
    return tr__arrow_numbers(&m->to, "l", &is, m->ints, m->valid) ? TR_OK : tr_fail_memory(m->err);
}

static enum tr_status add_reals(struct making *m, const char *name)
{
    const struct tr__arrow_name is = { name, NULL, NULL };
    return tr__arrow_numbers(&m->to, "g", &is, m->ints, m->valid) ? TR_OK : tr_fail_memory(m->err);
}

static enum tr_status add_texts(struct making *m, const char *name)
{
    const struct tr__arrow_name is = { name, NULL, NULL };
    return tr__arrow_texts(&m->to, &is, m->texts) ? TR_OK : tr_fail_memory(m->err);
}

static struct tr_str text_of(const char *s)
{
    return (struct tr_str){ s, s ? strlen(s) : 0 };
}

/* ---- fields that every event has ---- */

static const struct tr_track *track_of(const struct tr_batch *b, size_t i)
{
    return &b->dict->tracks[b->track[i]];
}

static int64_t end_of(const struct tr_batch *b, size_t i)
{
    int64_t end;
    return b->ts[i] == TR_TIME_NONE || b->dur[i] == TR_TIME_NONE || __builtin_add_overflow(b->ts[i], b->dur[i], &end)
               ? TR_TIME_NONE
               : end;
}

static int64_t rank_of(const struct tr_batch *b, size_t i)
{
    int64_t rank = b->dict->sources[track_of(b, i)->source].rank;
    return rank < 0 ? TR_I64_NONE : rank;
}

static int64_t pid_of(const struct tr_batch *b, size_t i)
{
    const struct tr_track *t = track_of(b, i);
    return t->pid_type == TR_T_INT ? t->pid : TR_I64_NONE;
}

static int64_t tid_of(const struct tr_batch *b, size_t i)
{
    const struct tr_track *t = track_of(b, i);
    return t->tid_type == TR_T_INT ? t->tid : TR_I64_NONE;
}

#define INT(function, value)                                         \
    static int64_t function(const struct tr_batch *b, size_t i)      \
    {                                                                \
        return value;                                                \
    }
INT(ts_of, b->ts[i])
INT(dur_of, b->dur[i])
INT(record_of, (int64_t)b->record[i])
INT(source_of, track_of(b, i)->source)
INT(device_of, track_of(b, i)->device)
INT(context_of, track_of(b, i)->context)
INT(stream_of, track_of(b, i)->stream)

#define TEXT(function, value)                                          \
    static struct tr_str function(const struct tr_batch *b, size_t i)  \
    {                                                                  \
        return value;                                                  \
    }
TEXT(name_of, tr_dict_text_if(b->dict, b->name[i]))
TEXT(cat_of, tr_dict_text_if(b->dict, b->cat[i]))
TEXT(phase_of, text_of(tr_phase_name(b->phase[i])))
TEXT(activity_of, text_of(tr_activity_name(b->activity[i])))
TEXT(kind_of, text_of(b->kind[i] == TR_KIND_NONE ? NULL : tr_kind_name(b->kind[i])))
TEXT(suspect_of, text_of(b->suspect[i] == TR_SUSPECT_NO ? NULL : tr_suspect_name(b->suspect[i])))
TEXT(host_of, tr_dict_text_if(b->dict, b->dict->sources[track_of(b, i)->source].host))
TEXT(process_of, tr_dict_text_if(b->dict, track_of(b, i)->process_name))
TEXT(thread_of, tr_dict_text_if(b->dict, track_of(b, i)->thread_name))

static const struct offer {
    enum tr_field_id field;
    bool usual; /* given if the caller names no fields, in this order */
    int64_t (*number)(const struct tr_batch *b, size_t i); /* or */
    struct tr_str (*text)(const struct tr_batch *b, size_t i);
} offers[] = {
    { TR_FIELD_RECORD, true, record_of, NULL },   { TR_FIELD_TS, true, ts_of, NULL },
    { TR_FIELD_DUR, true, dur_of, NULL },         { TR_FIELD_PHASE, true, NULL, phase_of },
    { TR_FIELD_NAME, true, NULL, name_of },       { TR_FIELD_CAT, true, NULL, cat_of },
    { TR_FIELD_ACTIVITY, true, NULL, activity_of }, { TR_FIELD_KIND, true, NULL, kind_of },
    { TR_FIELD_RANK, true, rank_of, NULL },       { TR_FIELD_DEVICE, true, device_of, NULL },
    { TR_FIELD_STREAM, true, stream_of, NULL },   { TR_FIELD_PID, true, pid_of, NULL },
    { TR_FIELD_TID, true, tid_of, NULL },         { TR_FIELD_PROCESS, true, NULL, process_of },
    { TR_FIELD_THREAD, true, NULL, thread_of },   { TR_FIELD_END, false, end_of, NULL },
    { TR_FIELD_SUSPECT, false, NULL, suspect_of }, { TR_FIELD_SOURCE, false, source_of, NULL },
    { TR_FIELD_HOST, false, NULL, host_of },      { TR_FIELD_CONTEXT, false, context_of, NULL },
};
#define N_OFFERS (sizeof offers / sizeof *offers)

static enum tr_status add_offer(struct making *m, const struct offer *o, const char *field, const char *suffix)
{
    for (size_t i = 0; i < m->b->n && o->text; i++)
        m->texts[i] = o->text(m->b, i);
    if (o->text)
        return add_texts(m, field);
    for (size_t i = 0; i < m->b->n; i++) {
        m->ints[i] = o->number(m->b, i);
        m->valid[i] = m->ints[i] != TR_I64_NONE;
    }
    return add_ints(m, field, suffix);
}

/* ---- fields that some events have ---- */

static enum tr_status add_derived(struct making *m, const char *field, const char *suffix, uint32_t column)
{
    const struct tr_batch *b = m->b;
    if (!tr_type_is_string(b->dict->columns[column].type)) {
        enum tr_status st = tr_batch_int(b, field, m->ints, m->err);
        for (size_t i = 0; i < b->n; i++)
            m->valid[i] = m->ints[i] != TR_I64_NONE;
        return st == TR_OK ? add_ints(m, field, suffix) : st;
    }
    uint32_t *ids = calloc(b->n + 1, sizeof *ids);
    enum tr_status st = ids ? tr_batch_text(b, field, ids, m->err) : tr_fail_memory(m->err);
    for (size_t i = 0; i < b->n && st == TR_OK; i++)
        m->texts[i] = tr_dict_text_if(b->dict, ids[i]);
    free(ids);
    return st == TR_OK ? add_texts(m, field) : st;
}

static bool is_whole(unsigned type)
{
    return type == TR_T_INT || type == TR_T_QUOTED || type == TR_T_HEX || type == TR_T_IN_CAT;
}

static bool is_number(unsigned type)
{
    return is_whole(type) || type == TR_T_UINT || type == TR_T_DECIMAL || type == TR_T_DOUBLE;
}

enum tr_cell tr__arrow_key_type(const struct tr_dict *d, const char *key)
{
    uint32_t columns[TR_N_TYPES];
    size_t n = tr_dict_find_columns(d, TR_PLACE_ARGS, key, columns, TR_N_TYPES);
    bool whole = n > 0, number = n > 0;
    for (size_t i = 0; i < n; i++) {
        whole &= is_whole(d->columns[columns[i]].type);
        number &= is_number(d->columns[columns[i]].type);
    }
    return whole ? TR_CELL_INT : number ? TR_CELL_DOUBLE : TR_CELL_STRING;
}

/* A value as a text, which is kept in the arena unless it is one of the dictionary. */
static bool as_text(struct tr_members *print, struct tr_arena *keep, struct tr_arg_value v, struct tr_str *text)
{
    const unsigned type = v.type - 1u;
    *text = (struct tr_str){ NULL, 0 };
    if (!v.type || type == TR_T_NULL)
        return true;
    if (type == TR_T_FALSE || type == TR_T_TRUE) {
        *text = text_of(type == TR_T_TRUE ? "true" : "false");
        return true;
    }
    if (tr_type_is_string(type)) {
        *text = tr_dict_text_if(print->dict, (uint32_t)v.v);
        return true;
    }
    print->scratch.len = 0;
    if (!tr_members_value(print, type, v.v, &print->scratch))
        return false;
    const bool quoted = type == TR_T_QUOTED || type == TR_T_HEX;
    text->len = print->scratch.len - (quoted ? 2 : 0);
    text->s = tr_arena_copy(keep, print->scratch.data + quoted, text->len);
    return text->s != NULL;
}

static bool read_texts(struct making *m, const struct tr_arg *arg, struct tr_arena *keep)
{
    struct tr_members print = { .dict = m->b->dict };
    bool ok = true;
    for (size_t i = 0; i < m->b->n && ok; i++)
        ok = as_text(&print, keep, tr_arg_at(arg, i), &m->texts[i]);
    tr_members_free(&print);
    return ok;
}

static enum tr_status add_arg_texts(struct making *m, const struct tr_arg *arg, const char *field)
{
    struct tr_arena *keep = tr_arena_new((size_t)1 << 12);
    bool ok = keep && read_texts(m, arg, keep);
    enum tr_status st = ok ? add_texts(m, field) : tr_fail_memory(m->err);
    tr_arena_free(keep);
    return st;
}

static enum tr_status add_values(struct making *m, const struct tr_arg *arg, const char *field, enum tr_cell type)
{
    if (type == TR_CELL_STRING)
        return add_arg_texts(m, arg, field);
    for (size_t i = 0; i < m->b->n; i++) {
        const struct tr_arg_value v = tr_arg_at(arg, i);
        const bool whole = type == TR_CELL_INT;
        m->valid[i] = v.type && (whole ? is_whole(v.type - 1u) : is_number(v.type - 1u));
        const double real = m->valid[i] && !whole ? tr__as_real(v.type - 1u, v.v) : 0;
        m->ints[i] = v.v;
        if (!whole)
            memcpy(&m->ints[i], &real, sizeof real);
    }
    return type == TR_CELL_INT ? add_ints(m, field, NULL) : add_reals(m, field);
}

static enum tr_status add_arg(struct making *m, const char *field, const char *key, const enum tr_cell *wanted)
{
    struct tr_arg arg = { 0 };
    enum tr_cell type = wanted && *wanted != TR_CELL_ANY ? *wanted : tr__arrow_key_type(m->b->dict, key);
    if (type != TR_CELL_INT && type != TR_CELL_DOUBLE && type != TR_CELL_STRING)
        return tr_fail(m->err, TR_USAGE, "'%.80s' can be an integer, a double or a text", field);
    if (!m->b->shape)
        return tr_fail(m->err, TR_USAGE, "the field '%.80s' was not wanted", field);
    enum tr_status st = tr_arg_read(&arg, m->b, TR_PLACE_ARGS, key) ? TR_OK : tr_fail_memory(m->err);
    if (st == TR_OK)
        st = add_values(m, &arg, field, type);
    tr_arg_free(&arg);
    return st;
}

/* ---- any field ---- */

/* Has the batch all columns that a field is made from? */
static bool has_columns(const struct tr_batch *b, uint32_t fixed)
{
    const struct {
        uint32_t bit;
        const void *column;
    } all[] = { { TR_FIXED_BIT(TS), b->ts },         { TR_FIXED_BIT(DUR), b->dur },
                { TR_FIXED_BIT(RECORD), b->record }, { TR_FIXED_BIT(TRACK), b->track },
                { TR_FIXED_BIT(NAME), b->name },     { TR_FIXED_BIT(CAT), b->cat },
                { TR_FIXED_BIT(PHASE), b->phase },   { TR_FIXED_BIT(ACTIVITY), b->activity },
                { TR_FIXED_BIT(KIND), b->kind },     { TR_FIXED_BIT(SUSPECT), b->suspect },
                { TR_FIXED_BIT(FLAGS), b->flags } };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if ((fixed & all[i].bit) && !all[i].column)
            return false;
    return true;
}

static enum tr_status add_field(struct making *m, const char *field, const enum tr_cell *wanted)
{
    const char *key;
    struct tr_projection want = { .fixed = 0 };
    if (!tr__field_columns(field, &want, &key))
        return tr_fail(m->err, TR_USAGE, "there is no field '%.80s' (see tr-expr(7))", field);
    if (key)
        return add_arg(m, field, key, wanted);
    if (!has_columns(m->b, want.fixed))
        return tr_fail(m->err, TR_USAGE, "the field '%.80s' was not wanted", field);
    enum tr_field_id id = tr_event_field_find(field, strlen(field), TR_FIELD_TO_LIST);
    const char *suffix = tr_event_fields[id].type == TR_FIELD_IS_TIME ? "_ns" : NULL;
    for (uint32_t c = 0; c < TR_N_DERIVED; c++)
        if (want.derived == 1u << c)
            return add_derived(m, field, suffix, c);
    for (size_t i = 0; i < N_OFFERS; i++)
        if (offers[i].field == id)
            return add_offer(m, &offers[i], field, suffix);
    return tr_fail(m->err, TR_USAGE, "the field '%.80s' is not offered as an array", field);
}

static enum tr_status add_all(struct making *m, const char *const *fields, const enum tr_cell *types, size_t n)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; i < n && st == TR_OK; i++)
        st = add_field(m, fields[i], types ? &types[i] : NULL);
    return st;
}

size_t tr__arrow_usual(const char *fields[TR__N_USUAL])
{
    size_t n = 0;
    for (size_t i = 0; i < N_OFFERS; i++)
        if (offers[i].usual)
            fields[n++] = tr_event_fields[offers[i].field].name;
    return n;
}

/* Those of the usual fields that were wanted. */
static size_t find_usual(const struct tr_batch *b, const char **fields)
{
    size_t n = 0;
    for (size_t i = 0; i < N_OFFERS; i++)
        if (offers[i].usual && has_columns(b, tr_event_fields[offers[i].field].fixed))
            fields[n++] = tr_event_fields[offers[i].field].name;
    return n;
}

enum tr_status tr_batch_arrow(const struct tr_batch *b, const char *const *fields, const enum tr_cell *types,
                              size_t n, struct ArrowSchema *schema, struct ArrowArray *array, struct tr_error *err)
{
    const char *own[N_OFFERS];
    struct making m = { { schema, array }, b, calloc(b->n + 1, sizeof *m.ints), calloc(b->n + 1, 1),
                        calloc(b->n + 1, sizeof *m.texts), err };
    if (!fields) {
        n = find_usual(b, own);
        types = NULL;
    }
    bool made = m.ints && m.valid && m.texts && tr__arrow_new(&m.to, n, b->n);
    enum tr_status st = made ? add_all(&m, fields ? fields : own, types, n) : tr_fail_memory(err);
    if (made && st != TR_OK)
        tr__arrow_free(&m.to);
    free(m.ints);
    free(m.valid);
    free(m.texts);
    return st;
}
