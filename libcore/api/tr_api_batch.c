/* SPDX-License-Identifier: MIT */
/* The public interface: the columns of batches, and the meaning of their numbers. */
#include "api/tr_api_int.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

size_t tr_batch_count(const struct tr_batch *b)
{
    return b->n;
}

const struct tr_dict *tr_batch_dict(const struct tr_batch *b)
{
    return b->dict;
}

#define COLUMN(type, function, member)               \
    const type *function(const struct tr_batch *b)   \
    {                                                \
        return b->member;                            \
    }
COLUMN(int64_t, tr_batch_ts, ts)
COLUMN(int64_t, tr_batch_dur, dur)
COLUMN(uint64_t, tr_batch_record, record)
COLUMN(uint32_t, tr_batch_track, track)
COLUMN(uint32_t, tr_batch_name, name)
COLUMN(uint32_t, tr_batch_category, cat)
COLUMN(uint8_t, tr_batch_phase, phase)
COLUMN(uint8_t, tr_batch_activity, activity)
COLUMN(uint8_t, tr_batch_kind, kind)
COLUMN(uint8_t, tr_batch_suspect, suspect)

bool tr_activity_is_work(unsigned activity)
{
    return tr_is_device_work(activity);
}

/* ---- fields that not every event has ---- */

/* The columns of a field: *n of them.  False: there is no such field, or it is not a column. */
static bool find_columns(const struct tr_batch *b, const char *field, uint32_t *columns, size_t *n)
{
    struct tr_projection want = { .fixed = 0 };
    const char *key;
    if (!tr__field_columns(field, &want, &key))
        return false;
    if (key) {
        *n = tr_dict_find_columns(b->dict, TR_PLACE_ARGS, key, columns, TR_N_TYPES);
        return true;
    }
    *n = 1;
    for (uint32_t c = 0; c < TR_N_DERIVED; c++)
        if (want.derived == 1u << c) {
            columns[0] = c;
            return true;
        }
    return false;
}

static enum tr_status no_field(const char *field, struct tr_error *err)
{
    return tr_fail(err, TR_USAGE, "'%.80s' is neither a member of args nor a derived field (see tr-stream(5))", field);
}

static bool is_whole(unsigned type)
{
    return type == TR_T_INT || type == TR_T_QUOTED;
}

enum tr_status tr_batch_int(const struct tr_batch *b, const char *field, int64_t *out, struct tr_error *err)
{
    uint32_t columns[TR_N_TYPES];
    size_t n;
    if (!find_columns(b, field, columns, &n))
        return no_field(field, err);
    for (size_t i = 0; i < b->n; i++)
        out[i] = TR_I64_NONE;
    int64_t *one = calloc(b->n + 1, sizeof *one);
    for (size_t k = 0; one && k < n; k++) {
        if (!is_whole(b->dict->columns[columns[k]].type))
            continue;
        tr_batch_expand_i64(b, columns[k], TR_I64_NONE, one);
        for (size_t i = 0; i < b->n; i++)
            out[i] = one[i] != TR_I64_NONE ? one[i] : out[i];
    }
    free(one);
    return one ? TR_OK : tr_fail_memory(err);
}

static double as_real(unsigned type, int64_t value)
{
    double real;
    switch (type) {
    case TR_T_DOUBLE:
        memcpy(&real, &value, sizeof real);
        return real;
    case TR_T_DECIMAL:
        return tr_decimal_double(value);
    case TR_T_UINT:
        return (double)(uint64_t)value;
    default:
        return (double)value;
    }
}

enum tr_status tr_batch_real(const struct tr_batch *b, const char *field, double *out, struct tr_error *err)
{
    uint32_t columns[TR_N_TYPES];
    size_t n;
    if (!find_columns(b, field, columns, &n))
        return no_field(field, err);
    for (size_t i = 0; i < b->n; i++)
        out[i] = NAN;
    int64_t *one = calloc(b->n + 1, sizeof *one);
    for (size_t k = 0; one && k < n; k++) {
        unsigned type = b->dict->columns[columns[k]].type;
        if (tr_type_is_string(type) || columns[k] >= b->n_cols || !b->cols[columns[k]].n)
            continue;
        tr_batch_expand_i64(b, columns[k], 0, one);
        for (size_t i = 0; i < b->n; i++)
            if (tr_batch_has(b, i, columns[k]))
                out[i] = as_real(type, one[i]);
    }
    free(one);
    return one ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_batch_text(const struct tr_batch *b, const char *field, uint32_t *out, struct tr_error *err)
{
    uint32_t columns[TR_N_TYPES];
    size_t n;
    if (!find_columns(b, field, columns, &n))
        return no_field(field, err);
    for (size_t i = 0; i < b->n; i++)
        out[i] = TR_NO_STR;
    uint32_t *one = calloc(b->n + 1, sizeof *one);
    for (size_t k = 0; one && k < n; k++) {
        if (!tr_type_is_string(b->dict->columns[columns[k]].type))
            continue;
        tr_batch_expand_str(b, columns[k], one);
        for (size_t i = 0; i < b->n; i++)
            out[i] = one[i] != TR_NO_STR ? one[i] : out[i];
    }
    free(one);
    return one ? TR_OK : tr_fail_memory(err);
}

/* ---- the meaning of numbers ---- */

const char *tr_dict_string(const struct tr_dict *d, uint32_t string, size_t *len)
{
    struct tr_str text = { NULL, 0 };
    if (string < tr_strtab_count(d->strings))
        text = tr_dict_text(d, string);
    if (len)
        *len = text.len;
    return text.s;
}

size_t tr_dict_string_count(const struct tr_dict *d)
{
    return tr_strtab_count(d->strings);
}

size_t tr_dict_track_count(const struct tr_dict *d)
{
    return d->n_tracks;
}

bool tr_dict_track(const struct tr_dict *d, uint32_t track, struct tr_track_info *info)
{
    if (track >= d->n_tracks)
        return false;
    const struct tr_track *t = &d->tracks[track];
    struct tr_track_info own = { .source = t->source,
                                 .side = (enum tr_side)t->side,
                                 .rank = t->source < d->n_sources ? d->sources[t->source].rank : -1,
                                 .pid = t->pid_type == TR_T_INT ? t->pid : TR_I64_NONE,
                                 .tid = t->tid_type == TR_T_INT ? t->tid : TR_I64_NONE,
                                 .device = t->device,
                                 .context = t->context,
                                 .stream = t->stream,
                                 .process = tr_dict_string(d, t->process_name, NULL),
                                 .thread = tr_dict_string(d, t->thread_name, NULL) };
    tr__api_give(info, &own, sizeof own);
    return true;
}
