/* SPDX-License-Identifier: MIT */
/* Rows of groups in partial results. */
#include "engine/tr_row_layout.h"
#include "engine/tr_rows_int.h"

#include <string.h>

/* A row in its saved form. */
union saved {
    struct tr_group_key group;
    char bytes[TR__ROW_MAX_SAVED];
};

/* ---- saving ---- */

static struct tr_str word_of(const struct tr_rows *r, const struct tr_table_column *is, const void *at)
{
    uint32_t n = is->member == TR_MEMBER_U8 ? *(const uint8_t *)at : *(const uint32_t *)at;
    return is->word ? tr_str_of(is->word(n)) : tr_dict_text_if(r->dict, n);
}

/* What times of rows count from; loaded ones have it in them, though an analysis may have loaded sources. */
static int64_t base_of(const struct tr_rows *r)
{
    return r->loaded || !r->dict->n_sources ? 0 : r->dict->sources[0].base_ns;
}

/* False: out of memory. */
static bool save_own(struct tr_rows *r, const struct tr_table_column *is, const void *row, struct tr_buf *room,
                     char *slot)
{
    const struct tr_row_own *own = r->type->own;
    struct tr_str text = tr_str_of(NULL);
    room->len = 0;
    bool ok = (own->save ? own->save : own->text)(r->self, is, row, room, &text);
    memcpy(slot, &text, sizeof text);
    return ok;
}

/* False: out of memory. */
static bool save_member(const struct tr_rows *r, const struct tr_table_column *is, const void *row, char *slot)
{
    const void *at = (const char *)row + is->at;
    struct tr_sample copy;
    struct tr_str text;
    int64_t time;
    switch (is->member) {
    case TR_MEMBER_U32:
    case TR_MEMBER_U8:
        text = word_of(r, is, at);
        memcpy(slot, &text, sizeof text);
        return true;
    case TR_MEMBER_TEXT:
        memcpy(slot, at, sizeof(struct tr_str));
        return true;
    case TR_MEMBER_STATS:
        memcpy(slot, at, sizeof(struct tr_stats));
        return true;
    case TR_MEMBER_SAMPLE: /* all values of the row may be equal, and kept as one number */
        copy = *(const struct tr_sample *)at;
        memcpy(slot, &copy.stats, sizeof copy.stats);
        if (copy.distinct != TR_SAMPLE_SUMS && !tr_sample_values(&copy))
            return false;
        memcpy(slot + sizeof copy.stats, &copy.values, sizeof copy.values);
        return true;
    case TR_MEMBER_SUM:
        memcpy(slot, at, sizeof(struct tr_u128));
        return true;
    case TR_MEMBER_I64:
        time = *(const int64_t *)at;
        time = is->role == TR_ROLE_TIME && time != TR_I64_NONE ? tr_time_sum(time, base_of(r)) : time;
        memcpy(slot, &time, sizeof time);
        return true;
    default:
        memcpy(slot, at, sizeof(int64_t));
        return true;
    }
}

/* Free the values that were made to be saved. */
static void forget_values(const struct tr__row_layout *l, const void *row, const char *bytes)
{
    for (size_t m = 0; m < l->n; m++) {
        const struct tr__row_member *at = &l->members[m];
        struct tr_hist *made;
        if (at->is->member != TR_MEMBER_SAMPLE)
            continue;
        memcpy(&made, bytes + at->slot + sizeof(struct tr_stats), sizeof made);
        if (made != ((const struct tr_sample *)(const void *)((const char *)row + at->is->at))->values)
            tr_hist_free(made);
    }
}

enum tr_status tr_rows_save(struct tr_rows *r, struct tr_partial_out *out, size_t table, struct tr_error *err)
{
    struct tr__row_layout l;
    union saved saved;
    struct tr_buf rooms[TR_SAVED_MAX] = { { 0 } }; /* own texts of a row */
    bool ok = true;
    if (!tr__row_layout(r->type, &l))
        return tr_fail(err, TR_USAGE, "rows of '%s' cannot be saved", r->type->name);
    for (size_t i = 0; ok && i < r->n; i++) {
        const void *row = tr_rows_get(r, i);
        memset(&saved, 0, l.size);
        saved.group = *tr_rows_group(r, row);
        for (size_t m = 0; ok && m < l.n; m++)
            ok = l.members[m].is->member == TR_MEMBER_OWN
                     ? save_own(r, l.members[m].is, row, &rooms[m], saved.bytes + l.members[m].slot)
                     : save_member(r, l.members[m].is, row, saved.bytes + l.members[m].slot);
        if (ok)
            tr_partial_put(out, table, &saved);
        forget_values(&l, row, saved.bytes);
    }
    for (size_t m = 0; m < TR_SAVED_MAX; m++)
        tr_buf_free(&rooms[m]);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- loading ---- */

/* The number of a word; false: there is none. */
static bool number_of(const struct tr_table_column *is, struct tr_str text, uint32_t *number)
{
    for (*number = 0; *number < is->n_words; ++*number) {
        const char *word = is->word(*number);
        if (text.s ? word && tr_str_is(text, word) : !word)
            return true;
    }
    return false;
}

static void load_text(struct tr_partial_in *in, const struct tr_table_column *is, const char *slot, char *at)
{
    struct tr_str text;
    uint32_t number;
    memcpy(&text, slot, sizeof text);
    if (!is->word || is->member == TR_MEMBER_TEXT)
        number = tr_partial_string(in, text);
    else if (!number_of(is, text, &number))
        tr_partial_wrong(in, "an unknown word");
    if (tr_partial_status(in, NULL) != TR_OK)
        return;
    text = tr_dict_text_if(tr_partial_dict(in), number); /* it outlives the partial result */
    if (is->member == TR_MEMBER_TEXT)
        memcpy(at, &text, sizeof text);
    else if (is->member == TR_MEMBER_U8)
        *(uint8_t *)at = (uint8_t)number;
    else
        memcpy(at, &number, sizeof number);
}

static void load_sample(struct tr_partial_in *in, const char *slot, struct tr_sample *to)
{
    memcpy(&to->stats, slot, sizeof to->stats);
    memcpy(&to->values, slot + sizeof to->stats, sizeof to->values);
    if (to->distinct == TR_SAMPLE_SUMS ? to->values != NULL
                                       : !to->values || tr_hist_count(to->values) != to->stats.n)
        tr_partial_wrong(in, "values that are not those of their sums");
}

/* False: out of memory. */
static bool load_member(struct tr_rows *r, struct tr_partial_in *in, const struct tr_table_column *is, const char *slot,
                        char *row)
{
    char *at = row + is->at;
    struct tr_str text;
    if (is->member == TR_MEMBER_OWN) {
        memcpy(&text, slot, sizeof text);
        return r->type->own->load(r->self, is, in, text, at) || tr_partial_status(in, NULL) != TR_OK;
    }
    if (is->member == TR_MEMBER_U32 || is->member == TR_MEMBER_U8 || is->member == TR_MEMBER_TEXT)
        load_text(in, is, slot, at);
    else if (is->member == TR_MEMBER_SAMPLE)
        load_sample(in, slot, (struct tr_sample *)(void *)at);
    else if (is->member == TR_MEMBER_STATS)
        memcpy(at, slot, sizeof(struct tr_stats));
    else if (is->member == TR_MEMBER_SUM)
        memcpy(at, slot, sizeof(struct tr_u128));
    else
        memcpy(at, slot, sizeof(int64_t));
    return true;
}

/* Sums of rows with plausible counts stay far below 2^63. */
static void check_sums(struct tr_partial_in *in, const struct tr__row_layout *l, const char *to, const char *from)
{
    for (size_t m = 0; m < l->n; m++) {
        const struct tr_table_column *is = l->members[m].is;
        const void *a = to + is->at, *b = from + is->at;
        bool adds = is->role == TR_ROLE_SUM || is->role == TR_ROLE_COUNT;
        uint64_t n;
        if (l->members[m].key)
            continue;
        if (is->member == TR_MEMBER_STATS) {
            n = ((const struct tr_stats *)a)->n;
            tr_partial_add_count(in, &n, ((const struct tr_stats *)b)->n);
        } else if (is->member == TR_MEMBER_SAMPLE) {
            n = ((const struct tr_sample *)a)->stats.n;
            tr_partial_add_count(in, &n, ((const struct tr_sample *)b)->stats.n);
        } else if (is->member == TR_MEMBER_U64 && adds) {
            n = *(const uint64_t *)a;
            tr_partial_add_count(in, &n, *(const uint64_t *)b);
        }
    }
}

/* One row in memory, added to those with the same key.  False: a failure, which tr_partial_status has, or no memory. */
static bool add(struct tr_rows *r, struct tr_partial_in *in, const struct tr__row_layout *l, const char *row)
{
    size_t n = r->n;
    char *to = tr_rows_at(r, row);
    if (!to)
        return false;
    check_sums(in, l, to, row);
    return tr_partial_status(in, NULL) != TR_OK || tr__row_merge(r, to, row, r->n > n);
}

enum tr_status tr_rows_load(struct tr_rows *r, struct tr_partial_in *in, size_t table, struct tr_error *err)
{
    struct tr__row_layout l;
    union saved saved;
    union {
        uint32_t group;
        char bytes[TR__ROW_MAX_SAVED];
        int64_t align;
    } row;
    if (!tr__row_layout(r->type, &l) || r->type->size > sizeof row)
        return tr_fail(err, TR_USAGE, "rows of '%s' cannot be saved", r->type->name);
    r->loaded = true;
    while (tr_partial_get(in, table, &saved)) {
        uint32_t group = 0;
        memset(&row, 0, r->type->size);
        tr__row_init(r, &row, &row);
        if (tr_partial_group(in, r->groups, &saved.group, &group))
            row.group = group;
        bool ok = true;
        for (size_t m = 0; ok && m < l.n; m++)
            ok = load_member(r, in, l.members[m].is, saved.bytes + l.members[m].slot, row.bytes);
        if (ok && tr_partial_status(in, err) != TR_OK)
            break;
        if (!ok || !add(r, in, &l, row.bytes))
            return tr_fail_memory(err);
    }
    return tr_partial_status(in, err);
}
