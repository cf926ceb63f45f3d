/* SPDX-License-Identifier: MIT */
/*
 * Reader of the memory timeline that PyTorch's memory profiler exports in its raw form
 * (export_memory_timeline to a file *.raw.json.gz): one JSON array of entries
 *
 *     [time in ns, action, bytes, category]
 *
 * Each entry becomes an event like those of Kineto for allocations: an instant with the name [memory] and the args
 * Bytes (negative: freed), Category and Action, as words.  Entries with a time below 0 are memory that existed before
 * the profiler was started; they become metadata events, which have no time.  The record of an event is the position of
 * its entry in the array.
 *
 * The stream also has the entries as a table.  The table is held in memory, so it is left out if it is too large; the
 * events have the same data.
 *
 * Category and action numbers are those of torch.profiler's _memory_profiler module.  There, the exported Category
 * counts from 0, Action from 1.  Other numbers have no name and become their own text.
 */
#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_json_defects_int.h"
#include "formats/common/tr_json_probe_int.h"
#include "formats/common/tr_reader_open_int.h"
#include "formats/common/tr_window_int.h"
#include "json/tr_json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ENTRY 4096u /* bytes; a regular entry has less than 100 */
#define N_FIELDS  4u
#define MAX_TABLE (16u << 20) /* bytes of rows */
#define WINDOW    (128u << 10) /* bytes of text that are read at a time */

enum field { AT, ACTION, BYTES, CATEGORY };

static const char *const categories[] = { "Parameter",  "Optimizer state", "Input",    "Temporary",
                                          "Activation", "Gradient",        "Autograd", "Unknown" };
static const char *const actions[] = { NULL, "preexisting", "create", "increment_version",
                                       "destroy" };

/* The four integers of a clean, minified array.  False: it is something else. */
static bool read_fields(const char *p, size_t n, int64_t *v)
{
    size_t at = 1;
    if (n < 2 || p[0] != '[')
        return false;
    for (unsigned k = 0; k < N_FIELDS; k++) {
        struct tr_number number;
        size_t len = 0;
        while (at + len < n && p[at + len] != ',' && p[at + len] != ']')
            len++;
        if (!tr_json_number(p + at, len, &number) || number.cls != TR_NUMBER_INT)
            return false;
        v[k] = number.i;
        at += len;
        if (at >= n || p[at++] != (k + 1 < N_FIELDS ? ',' : ']'))
            return false;
    }
    return at == n && v[CATEGORY] >= 0 && v[ACTION] >= 0;
}

/* The place of the text in the array. */
enum state {
    AT_START, /* before the bracket */
    FIRST,    /* after it */
    COMMA,    /* after a comma */
    VALUE,    /* after an entry */
    LOST,     /* in the middle of something else, looking for the next entry */
    AT_END,   /* after the closing bracket */
    IGNORE,   /* what follows is not a timeline */
};

struct timeline {
    struct tr__window w;
    struct tr_ingest *g; /* while entries are read */
    enum state state;
    uint64_t n_elements; /* counted whether kept or not */
    uint64_t n_events;
    bool seen_array, lost; /* lost: entries that could not be read */
    struct tr_buf clean;
    struct tr_side_table *table; /* NULL: too large */
    struct tr_error *err;
};

enum took { TOOK, MORE, FAILED };

static void count(struct timeline *t, enum tr_damage_cause cause)
{
    tr_ingest_damaged(t->g, cause, tr__window_offset(&t->w));
    t->lost |= tr_damage_cause_loses(cause);
}

/* The name of a number, or the number as text if it has no name. */
static size_t name_of(char *out, size_t size, const char *const *names, size_t n_names, const char *what, int64_t v)
{
    const char *name = v >= 0 && (size_t)v < n_names ? names[v] : NULL;
    int n = name ? snprintf(out, size, "%s", name) : snprintf(out, size, "%s %" PRId64, what, v);
    return (size_t)n;
}

enum { COL_AT, COL_EVENT, COL_ACTION, COL_CATEGORY, COL_BYTES, N_COLUMNS };

static bool add_columns(struct tr_side_table *t)
{
    return tr_side_table_column(t, "at", TR_SIDE_TIME) && tr_side_table_column(t, "event", TR_SIDE_RECORD) &&
           tr_side_table_column(t, "action", TR_T_STRING) && tr_side_table_column(t, "category", TR_T_STRING) &&
           tr_side_table_column(t, "bytes", TR_T_INT);
}

/* Add the row of an entry after its event was passed on.  False: out of memory. */
static bool add_row(struct timeline *t, const int64_t *v, const struct tr_side_value *names)
{
    const struct tr_side_value row[N_COLUMNS] = {
        [COL_AT] = { .present = v[AT] >= 0, .v = v[AT], .of = tr_ingest_last_track(t->g) },
        [COL_EVENT] = { .present = true, .v = (int64_t)t->n_elements - 1 },
        [COL_ACTION] = names[0],
        [COL_CATEGORY] = names[1],
        [COL_BYTES] = { .present = true, .v = v[BYTES] },
    };
    if (!t->table)
        return true;
    if (t->table->rows.len < MAX_TABLE)
        return tr_side_table_add(t->table, row);
    tr_side_table_free(t->table);
    t->table = NULL;
    return true;
}

static enum took add_event(struct timeline *t, const int64_t *v)
{
    char category[40], action[40];
    tr_ingest_begin(t->g, v[AT] < 0 ? TR_META : TR_INSTANT, v[AT] < 0 ? TR_TIME_NONE : v[AT], TR_TIME_NONE);
    tr_ingest_record(t->g, t->n_elements++);
    tr_ingest_name(t->g, "[memory]", 8);
    tr_ingest_activity(t->g, TR_ACT_MEMORY_INSTANT);
    tr_ingest_arg_int(t->g, "Bytes", v[BYTES]);
    size_t n = name_of(category, sizeof category, categories, sizeof categories / sizeof *categories, "category",
                       v[CATEGORY]);
    tr_ingest_arg_text(t->g, "Category", category, n);
    size_t m = name_of(action, sizeof action, actions, sizeof actions / sizeof *actions, "action", v[ACTION]);
    tr_ingest_arg_text(t->g, "Action", action, m);
    t->n_events++;
    if (tr_ingest_end(t->g, t->err) != TR_OK)
        return FAILED;
    const struct tr_side_value names[] = { { .present = true, .text = action, .len = m },
                                           { .present = true, .text = category, .len = n } };
    if (add_row(t, v, names))
        return TOOK;
    tr_fail_memory(t->err);
    return FAILED;
}

/* Damage here: count it, and go on at the next bracket that may start an entry. */
static enum took lose_entry(struct timeline *t, enum tr_damage_cause cause, size_t from)
{
    const char *next = from < t->w.n ? memchr(t->w.p + from, '[', t->w.n - from) : NULL;
    count(t, cause);
    t->n_elements++;
    t->state = next ? COMMA : LOST;
    t->w.at = next ? (size_t)(next - t->w.p) : t->w.n;
    return TOOK;
}

/* The text of an entry, brackets included. */
static enum took take_text(struct timeline *t, size_t len)
{
    int64_t v[N_FIELDS];
    size_t whole;
    unsigned defects;
    const char *p = t->w.p + t->w.at;
    t->clean.len = 0;
    bool ok = tr_json_scan(p, len, true, NULL, &whole, &defects) == TR_JSON_DONE && whole == len;
    if (ok && !tr_json_clean(p, len, true, false, &t->clean)) {
        tr_fail_memory(t->err);
        return FAILED;
    }
    enum took took = TOOK;
    if (!ok || !read_fields((const char *)t->clean.data, t->clean.len, v)) {
        count(t, TR_DAMAGE_BAD_EVENT);
        t->n_elements++;
    } else {
        enum tr_damage_cause causes[TR__N_DEFECTS];
        unsigned n = tr__defect_causes(defects, causes);
        for (unsigned i = 0; i < n; i++)
            count(t, causes[i]);
        took = add_event(t, v);
    }
    t->w.at += len;
    t->state = VALUE;
    return took;
}

/*
 * Take the text where an entry should be.  An entry has no brackets inside, so the next bracket is its end, or damage.
 * So no text is read many times, even if it is malicious.
 */
static enum took take_entry(struct timeline *t)
{
    size_t at = t->w.at, i = at + 1, end = t->w.n - at > MAX_ENTRY ? at + MAX_ENTRY : t->w.n;
    if (t->w.p[at] != '[')
        return lose_entry(t, TR_DAMAGE_BAD_EVENT, i);
    while (i < end && t->w.p[i] != ']' && t->w.p[i] != '[')
        i++;
    if (i < end)
        return t->w.p[i] == ']' ? take_text(t, i + 1 - at) : lose_entry(t, TR_DAMAGE_BAD_EVENT, i);
    if (end < t->w.n)
        return lose_entry(t, TR_DAMAGE_TOO_LONG, end);
    return t->w.last ? lose_entry(t, TR_DAMAGE_TRUNCATED, end) : MORE;
}

static enum took in_array(struct timeline *t)
{
    char c = t->w.p[t->w.at];
    if (c == ']') {
        t->w.at++;
        t->state = AT_END;
        return TOOK;
    }
    if (c == ',') {
        if (t->state != VALUE)
            count(t, TR_DAMAGE_EXTRA_COMMA);
        t->w.at++;
        t->state = COMMA;
        return TOOK;
    }
    if (t->state == VALUE) {
        if (c != '[')
            return lose_entry(t, TR_DAMAGE_BAD_EVENT, t->w.at + 1);
        count(t, TR_DAMAGE_MISSING_COMMA);
        t->state = COMMA; /* only once, although the entry may need more text */
    }
    return take_entry(t);
}

static enum took at_start(struct timeline *t)
{
    size_t n = t->w.n - t->w.at;
    if (tr__window_offset(&t->w) == 0 && n >= 3 && !memcmp(t->w.p, "\xef\xbb\xbf", 3)) {
        count(t, TR_DAMAGE_BYTE_ORDER_MARK);
        t->w.at += 3;
        return TOOK;
    }
    if (tr__window_offset(&t->w) == 0 && n < 3 && !t->w.last && t->w.p[0] == '\xef')
        return MORE;
    if (t->w.p[t->w.at] != '[') {
        t->state = IGNORE;
        return TOOK;
    }
    tr_ingest_bare_array(t->g);
    t->seen_array = true;
    t->state = FIRST;
    t->w.at++;
    return TOOK;
}

static enum took take_next(struct timeline *t)
{
    const char *next;
    switch (t->state) {
    case AT_START:
        return at_start(t);
    case LOST:
        next = memchr(t->w.p + t->w.at, '[', t->w.n - t->w.at);
        t->w.at = next ? (size_t)(next - t->w.p) : t->w.n;
        t->state = next ? COMMA : LOST;
        return TOOK;
    case AT_END:
        count(t, TR_DAMAGE_TRAILING_BYTES);
        t->state = IGNORE;
        return TOOK;
    case IGNORE:
        t->w.at = t->w.n;
        return TOOK;
    default:
        return in_array(t);
    }
}

static enum tr_status read_entries(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct timeline *t = ctx;
    enum took took = TOOK;
    t->g = g;
    t->err = err;
    enum tr_status st = tr__window_fill(&t->w, g, WINDOW, err);
    while (st == TR_OK && took == TOOK && tr__window_skip_blanks(&t->w))
        took = take_next(t);
    if (st != TR_OK || took == FAILED)
        return st != TR_OK ? st : err->status;
    if (!t->w.last)
        return TR_OK;
    if (t->state >= FIRST && t->state <= VALUE)
        count(t, TR_DAMAGE_TRUNCATED);
    if (!t->seen_array || (t->n_events == 0 && t->lost))
        return tr_fail(err, TR_DAMAGED, "no memory timeline: the array holds no entry [time, action, bytes, category]");
    tr_ingest_table(g, t->table);
    t->table = NULL;
    return TR_END;
}

static void release(void *ctx)
{
    struct timeline *t = ctx;
    tr__window_free(&t->w);
    tr_buf_free(&t->clean);
    tr_side_table_free(t->table);
    free(t);
}

static bool init(void *state, const void *of, const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts)
{
    struct timeline *t = state;
    (void)of;
    (void)bytes;
    (void)opts;
    return (t->table = tr_side_table_new("memory_timeline", 0)) && add_columns(t->table);
}

static enum tr_status open_timeline(const struct tr_format *f, struct tr_input **out,
                                    const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                                    struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "memory-timeline", read_entries, release };
    return tr__reader_open(out, &reader, sizeof(struct timeline), init, NULL, bytes, opts, err);
}

static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    size_t at = tr__json_start(p, n);
    if (at == n || p[at] != '[')
        return 0;
    at = tr__json_blanks(p, n, at + 1);
    return at < n && p[at] == '[' ? 90 : 0;
}

const struct tr_format tr_format_memory_timeline = {
    .name = "memory-timeline",
    .brief = "memory timeline of PyTorch's memory profiler, in its raw form",
    .probe = probe,
    .open = open_timeline,
};
