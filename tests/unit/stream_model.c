/* SPDX-License-Identifier: MIT */
/* The event model: names, decimals, dictionaries, batches, summaries, order. */
#include "model/tr_damage_causes.h"
#include "stream/tr_args.h"
#include "stream/tr_captures.h"
#include "stream/tr_number_map.h"
#include "stream_make.h"

static void test_names(struct tap *t)
{
    bool good = true;
    for (unsigned i = 0; i < TR_N_PHASES; i++)
        good &= tr_phase_by_name(tr_phase_name(i)) == (int)i;
    for (unsigned i = 0; i < TR_N_ACTIVITIES; i++)
        good &= tr_activity_by_name(tr_activity_name(i)) == (int)i;
    for (unsigned i = 0; i < TR_N_KINDS; i++)
        good &= tr_kind_by_name(tr_kind_name(i)) == (int)i;
    tap_ok(t, good, "every name gives its number back");
    tap_ok(t,
           strcmp(tr_phase_name(TR_N_PHASES), "?") == 0 && strcmp(tr_suspect_name(99), "?") == 0 &&
               tr_kind_by_name("?") == -1,
           "what is out of range has no name");
    bool causes = true;
    for (unsigned i = 0; i < TR_N_DAMAGE_CAUSES; i++) {
        causes &= strlen(tr_damage_cause_name(i)) < TR_DAMAGE_NAME && strlen(tr_damage_cause_text(i)) < TR_DAMAGE_TEXT;
        for (unsigned k = 0; k < i; k++)
            causes &= strcmp(tr_damage_cause_name(i), tr_damage_cause_name(k)) != 0;
    }
    tap_ok(t, causes && tr_damage_cause_loses(TR_DAMAGE_TRUNCATED) && !tr_damage_cause_loses(TR_DAMAGE_BAD_ESCAPE),
           "causes have names of their own");
}

static void test_decimals(struct tap *t)
{
    static const struct {
        int64_t mantissa;
        unsigned scale;
        double value;
    } cases[] = {
        { 0, 0, 0.0 },
        { 125, 2, 1.25 },
        { -125, 2, -1.25 },
        { 1, 1, 0.1 },
        { -1, 63, -1e-63 },
        { TR_DECIMAL_MAX_MANTISSA, 0, 144115188075855871.0 },
        { -TR_DECIMAL_MAX_MANTISSA, 20, -144115188075855871e-20 },
    };
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t d = tr_decimal_make(cases[i].mantissa, cases[i].scale);
        good &=
            tr_decimal_mantissa(d) == cases[i].mantissa && tr_decimal_scale(d) == cases[i].scale;
        double v = tr_decimal_double(d);
        good &= memcmp(&v, &cases[i].value, sizeof v) == 0 || (v == 0 && cases[i].value == 0);
    }
    tap_ok(t, good, "decimals keep mantissa and scale, and round as their text does");
}

static void test_dict(struct tap *t)
{
    struct tr_dict *d = tr_dict_new();
    NEED(d);
    uint32_t found[4];
    tap_ok(t,
           d->n_columns == TR_N_DERIVED &&
               tr_dict_find_columns(d, TR_PLACE_DERIVED, "class", found, 4) == 1 &&
               found[0] == TR_COL_CLASS,
           "a new dictionary holds the derived columns");
    uint32_t key = tr_strtab_add(d->strings, "stream", 6);
    struct tr_column c = { key, TR_PLACE_ARGS, TR_T_INT, 0 };
    uint32_t first = tr_dict_add_column(d, &c);
    c.type = TR_T_STRING;
    uint32_t second = tr_dict_add_column(d, &c);
    size_t n = tr_dict_find_columns(d, TR_PLACE_ARGS, "stream", found, 4);
    tap_ok(t,
           n == 2 && found[0] == first && found[1] == second &&
               tr_dict_find_columns(d, TR_PLACE_TOP, "stream", found, 4) == 0 &&
               tr_dict_find_columns(d, TR_PLACE_ARGS, "stream", found, 1) == 1,
           "columns are found by place and key");
    struct tr_slot slot = { key, first, TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_INT };
    struct tr_shape shape = { &slot, 1, 'X' };
    NEED(tr_dict_add_shape(d, &shape) == 0);
    slot.key = 0;
    tap_ok(t, d->shapes[0].slots[0].key == key, "a shape is copied");
    tap_ok(t,
           strcmp(tr_dict_str(d, TR_NO_STR), "") == 0 && strcmp(tr_dict_str(d, key), "stream") == 0,
           "strings by number, and none");
    tr_dict_free(d);
}

/* Rows that differ in one thing each are different ones; the same again is the one that is there. */
struct captured {
    int64_t rank, start, end;
    const char *job;
};

/* Captures as digits in a row, of sources with these ranks, spans and jobs ("" is none). */
static bool captures_are(const char *want, const struct captured *v, size_t n)
{
    struct tr_dict *d = tr_dict_new();
    struct tr_summary *s = tr_summary_new(n);
    char have[20] = "";
    NEED(d && s && n < sizeof have);
    for (size_t i = 0; i < n; i++) {
        struct tr_source source = { .rank = v[i].rank, .name = TR_NO_STR, .host = TR_NO_STR, .mesh = TR_NO_STR,
                                    .format = TR_NO_STR, .capture = 9, .pid = TR_I64_NONE };
        source.job = v[i].job[0] ? tr_strtab_add(d->strings, v[i].job, strlen(v[i].job)) : TR_NO_STR;
        NEED(tr_dict_add_source(d, &source) == i);
        s->sources[i].first_ts = v[i].start;
        s->sources[i].last_end = v[i].end;
    }
    bool good = tr_captures_number(d, s), several = false;
    for (size_t i = 0; i < n; i++) {
        have[i] = (char)('0' + d->sources[i].capture);
        several |= d->sources[i].capture > 0;
    }
    good = good && strcmp(have, want) == 0 && tr_captures_several(d) == several;
    tr_dict_free(d);
    tr_summary_free(s);
    return good;
}

static void test_captures(struct tap *t)
{
    const int64_t none = TR_TIME_NONE, far = INT64_MAX;
    const struct captured apart[] = { { 0, 50, 60, "" }, { 0, 10, 20, "" }, { 0, 20, 30, "" }, { 1, 90, 95, "" } };
    const struct captured chain[] = { { 0, 10, 20, "" }, { 0, 19, 40, "" }, { 0, 30, 35, "" }, { 0, 36, 37, "" } };
    const struct captured jobs[] = { { 0, 10, 20, "x" }, { 0, 30, 40, "" }, { 0, 50, 60, "x" }, { 0, 70, 80, "y" } };
    const struct captured odd[] = { { 0, 5, 5, "" }, { 0, 5, 9, "" }, { -1, 50, 60, "" }, { -1, 70, 80, "" },
                                    { 0, none, none, "" }, { 0, far, far, "" } };
    tap_ok(t, captures_are("2010", apart, 4), "captures are numbered by start; those that touch are two");
    tap_ok(t, captures_are("0000", chain, 4), "sources that overlap, by others too, are one capture");
    tap_ok(t, captures_are("0001", jobs, 4), "a job joins its sources, and what lies between them");
    tap_ok(t, captures_are("000001", odd, 6), "moments, sources of unknown rank and such without times");
}

static void test_distinct(struct tap *t)
{
    struct tr_dict *d = tr_dict_new();
    NEED(d);
    uint32_t a = tr_strtab_add(d->strings, "a", 1), b = tr_strtab_add(d->strings, "b", 1);
    const struct tr_column columns[] = { { a, TR_PLACE_ARGS, TR_T_INT, 0 }, { b, TR_PLACE_ARGS, TR_T_INT, 0 },
                                         { a, TR_PLACE_TOP, TR_T_INT, 0 }, { a, TR_PLACE_ARGS, TR_T_DOUBLE, 0 } };
    struct tr_slot slots[] = { { a, 12, TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_INT },
                               { b, 12, TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_INT },
                               { a, 13, TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_INT },
                               { a, 12, TR_PLACE_TOP, TR_ROLE_COLUMN, TR_T_INT },
                               { a, 12, TR_PLACE_ARGS, TR_ROLE_NAME, TR_T_INT },
                               { a, 12, TR_PLACE_ARGS, TR_ROLE_COLUMN, TR_T_TRUE } };
    bool good = tr_dict_add_column(d, &columns[0]) == TR_N_DERIVED; /* one that was not asked for */
    for (unsigned round = 0; round < 2; round++)
        for (uint32_t i = 0; i < 4; i++)
            good &= tr_dict_need_column(d, &columns[i]) == TR_N_DERIVED + i;
    tap_ok(t, good && d->n_columns == TR_N_DERIVED + 4, "a column is one by key, place and type");
    good = tr_dict_add_shape(d, &(struct tr_shape){ slots, 1, 'X' }) == 0;
    for (unsigned round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < 6; i++)
            good &= tr_dict_need_shape(d, &(struct tr_shape){ &slots[i], 1, 'X' }) == i;
        good &= tr_dict_need_shape(d, &(struct tr_shape){ slots, 1, 'B' }) == 6;
        good &= tr_dict_need_shape(d, &(struct tr_shape){ slots, 2, 'X' }) == 7;
        good &= tr_dict_need_shape(d, &(struct tr_shape){ slots, 0, 'X' }) == 8;
    }
    tap_ok(t, good && d->n_shapes == 9, "a shape is one by its letter and all of its slots");
    tr_dict_free(d);
}

/* A copy of a dictionary is brought to any state in between. */
static void test_follow(struct tap *t)
{
    struct tr_dict *d = tr_dict_new(), *copy = tr_dict_new();
    NEED(d && copy);
    struct tr_dict_state states[4];
    bool good = true;
    for (uint32_t i = 0; i < 4; i++) {
        char name[] = { (char)('a' + i), 0 };
        struct tr_column c = { tr_strtab_add(d->strings, name, 1), TR_PLACE_ARGS, TR_T_INT, 0 };
        struct tr_slot slot = { c.key, tr_dict_add_column(d, &c), c.place, TR_ROLE_COLUMN, c.type };
        struct tr_track track = { .tid = i };
        good &= tr_dict_add_shape(d, &(struct tr_shape){ &slot, 1, 'X' }) == i && tr_dict_add_track(d, &track) == i &&
                tr_dict_add_domain(d, 0) == i;
        states[i] = tr_dict_state(d);
    }
    for (uint32_t i = 0; i < 4; i += 2) {
        good &= tr_dict_follow(copy, d, &states[i]);
        const struct tr_dict_state now = tr_dict_state(copy);
        good &= memcmp(&now, &states[i], sizeof now) == 0;
    }
    good &= strcmp(tr_dict_str(copy, copy->columns[TR_N_DERIVED + 2].key), "c") == 0 && copy->tracks[2].tid == 2 &&
            copy->shapes[2].slots[0].column == TR_N_DERIVED + 2 && copy->clocks[2].domain;
    tap_ok(t, good, "a copy follows a dictionary to the state that is asked for, and no further");
    tr_dict_free(copy);
    tr_dict_free(d);
}

static uint32_t ten_more(void *asked, uint32_t string)
{
    ++*(unsigned *)asked;
    return string == TR_NO_STR ? TR_NO_STR : string + 10;
}

static void test_number_map(struct tap *t)
{
    struct tr_number_map m = { .to = NULL };
    bool good = tr_number_of(&m, 0) == TR_NUMBER_UNKNOWN && tr_number_of(&m, TR_NO_STR) == TR_NO_STR;
    good &= tr_number_map_set(&m, 5, 7) && tr_number_of(&m, 5) == 7 && tr_number_of(&m, 4) == TR_NUMBER_UNKNOWN;
    good &= tr_number_map_set(&m, 4, 0) && tr_number_map_grow(&m, 1000) && tr_number_of(&m, 4) == 0;
    good &= tr_number_of(&m, 999) == TR_NUMBER_UNKNOWN && tr_number_of(&m, 5) == 7 && m.n >= 1001;
    good &= tr_number_of(&m, TR_NO_STR) == TR_NO_STR && !tr_number_map_set(&m, 6, TR_NUMBER_UNKNOWN);
    tr_number_map_free(&m);
    tap_ok(t, good && !m.to && !m.n, "a number is unknown until it is given, and no text stays no text");

    unsigned asked = 0;
    struct tr_track track = { .pid_type = TR_T_STRING, .tid_type = TR_T_NULL, .pid = 1, .tid = 2, .process_name = 3,
                              .thread_name = TR_NO_STR, .labels = 4 };
    tr_track_renumber(&track, ten_more, &asked);
    tap_ok(t,
           asked == 5 && track.pid == 11 && track.tid == 12 && track.process_name == 13 &&
               track.thread_name == TR_NO_STR && track.labels == 14,
           "all texts of a track get their numbers");
    asked = 0;
    track = (struct tr_track){ .pid_type = TR_T_INT, .tid_type = TR_T_INT, .pid = 1, .tid = 2 };
    tr_track_renumber(&track, ten_more, &asked);
    tap_ok(t, asked == 3 && track.pid == 1 && track.tid == 2, "a process and a thread with numbers keep them");
    asked = 0;
    uint32_t keys[] = { 6, 7 }, values[] = { 8, 9 };
    struct tr_source s = { .name = 1, .host = 2, .mesh = 3, .format = 4, .job = 5, .header_keys = keys,
                           .header_values = values, .n_header = 2 };
    tr_source_renumber(&s, ten_more, &asked);
    tap_ok(t,
           asked == 9 && s.name == 11 && s.host == 12 && s.mesh == 13 && s.format == 14 && s.job == 15 &&
               keys[0] == 16 && keys[1] == 17 && values[0] == 18 && values[1] == 19,
           "so do those of a source");
}

/* Arrays of a source and of a clock are copied, in their length; what there is no entry of has none. */
static void test_copies(struct tap *t)
{
    struct tr_dict *d = tr_dict_new();
    uint32_t keys[2] = { 0, 0 };
    struct tr_clock_fix fixes[9] = { { 7, 1 } };
    uint64_t steps[9] = { 5 };
    NEED(d);
    struct tr_source source = { .name = TR_NO_STR, .host = TR_NO_STR, .header_keys = keys, .header_values = keys };
    NEED(tr_dict_add_source(d, &source) == 0);
    source.n_header = 2;
    NEED(tr_dict_add_source(d, &source) == 1);
    tap_ok(t, !d->sources[0].header_keys && !d->sources[0].header_values && d->sources[1].header_keys != keys,
           "the header of a source is copied");
    struct tr_clock clock = { .fixes = fixes, .n_fixes = 1, .cap_fixes = 9, .step_fixes = steps, .n_step_fixes = 1,
                              .cap_step_fixes = 9 };
    NEED(tr_dict_add_clock(d, &clock) != UINT32_MAX);
    struct tr_clock *c = &d->clocks[0];
    tap_ok(t, c->fixes != fixes && c->cap_fixes == 1 && c->step_fixes != steps && c->cap_step_fixes == 1,
           "the fixes of a clock are copied, with room for no more");
    NEED(tr_clock_add_fix(c, 9, 2) && tr_clock_add_step_fix(c, 6));
    tap_ok(t, c->n_fixes == 2 && c->fixes[0].record == 7 && c->n_step_fixes == 2 && c->step_fixes[0] == 5,
           "and more are added");
    tr_dict_free(d);
}

static void test_expand(struct tap *t)
{
    struct made m = make_stream(&(struct recipe){ 7, 500, true, 0 });
    const struct tr_batch *b = m.batch;
    int64_t *i64 = calloc(b->n, sizeof *i64);
    uint32_t *str = calloc(b->n, sizeof *str);
    NEED(i64 && str);
    struct tr_entries e;
    bool good = true, each = true;
    size_t entries = 0;
    for (uint32_t c = 0; c < m.dict->n_columns; c++) {
        size_t at = 0;
        bool is_string = tr_type_is_string(m.dict->columns[c].type);
        tr_entries_start(&e, b, c);
        if (is_string)
            tr_batch_expand_str(b, c, str);
        else
            tr_batch_expand_i64(b, c, -77, i64);
        for (size_t i = 0; i < b->n; i++) {
            bool has = tr_batch_has(b, i, c);
            good &= has == entry_in(m.dict, b->shape[i], b->flags[i], c);
            if (is_string)
                good &= str[i] == (has ? b->cols[c].v.str[at] : TR_NO_STR);
            else
                good &= i64[i] == (has ? b->cols[c].v.i64[at] : -77);
            if (has) {
                each &= tr_entries_next(&e) && e.event == i;
                each &= e.value == (is_string ? b->cols[c].v.str[at] : b->cols[c].v.i64[at]);
            }
            at += has;
        }
        each &= !tr_entries_next(&e);
        good &= at == b->cols[c].n;
        entries += at;
    }
    tap_ok(t, good && entries > 500, "packed columns expand to one entry per event");
    tap_ok(t, each, "the entries of a column come with their events");
    tr_batch_expand_i64(b, (uint32_t)m.dict->n_columns + 5, -1, i64);
    tr_entries_start(&e, b, (uint32_t)m.dict->n_columns + 5);
    tap_ok(t, i64[0] == -1 && !tr_entries_next(&e), "a column that the batch does not know is absent");
    tr_batch_clear(m.batch);
    tap_ok(t, b->n == 0 && b->cols[TR_N_DERIVED].n == 0, "clearing leaves no events");
    free(i64);
    free(str);
    made_free(&m);
}

/* What one event has of a key: its slot's type + 1 and its value, by walking the columns from the start. */
static struct tr_arg_value walk_to(const struct tr_batch *b, size_t i, enum tr_place place, const char *key)
{
    struct tr_arg_value v = { 0, 0 };
    const struct tr_shape *s = &b->dict->shapes[b->shape[i]];
    for (uint32_t k = 0; k < s->n_slots; k++) {
        const struct tr_slot *slot = &s->slots[k];
        if (slot->place != place || slot->role != TR_ROLE_COLUMN || !tr_str_is(tr_dict_text(b->dict, slot->key), key))
            continue;
        v.type = (uint8_t)(slot->type + 1u);
        v.v = 0;
        if (!tr_type_has_entry(slot->type))
            continue;
        size_t at = 0;
        for (size_t e = 0; e < i; e++)
            at += tr_batch_has(b, e, slot->column);
        const struct tr_col *c = &b->cols[slot->column];
        v.v = tr_type_is_string(slot->type) ? (int64_t)c->v.str[at] : c->v.i64[at];
    }
    return v;
}

static bool same_value(struct tr_arg_value a, struct tr_arg_value b)
{
    return a.type == b.type && (!a.type || a.v == b.v);
}

static void test_args(struct tap *t)
{
    struct made m = make_stream(&(struct recipe){ 11, 300, true, 0 });
    const struct tr_batch *b = m.batch;
    const char *keys[TR_ARGS_MAX];
    size_t n = 0, found = 0, types = 0;
    for (uint32_t c = TR_N_DERIVED; c < m.dict->n_columns && n < TR_ARGS_MAX; c++) {
        const char *key = tr_dict_str(m.dict, m.dict->columns[c].key);
        size_t k = 0;
        while (k < n && strcmp(keys[k], key) != 0)
            k++;
        if (k == n && m.dict->columns[c].place == TR_PLACE_ARGS)
            keys[n++] = key;
    }
    struct tr_args a = { .place = TR_PLACE_ARGS, .keys = keys, .n_keys = n };
    struct tr_arg one[TR_ARGS_MAX];
    struct tr_arg_value v[TR_ARGS_MAX];
    bool ok = true, same = true, alike = true, strings = true, as = true;
    uint8_t seen[TR_N_TYPES + 1] = { 0 };
    memset(one, 0, sizeof one);
    for (unsigned turn = 0; turn < 2; turn++) { /* as for one batch after another */
        ok &= tr_args_start(&a, b);
        for (size_t k = 0; k < n; k++)
            ok &= tr_arg_read(&one[k], b, TR_PLACE_ARGS, keys[k]) && !one[k].cut;
        NEED(ok);
        for (size_t i = 0; i < b->n; i++) {
            if (i % 3 != 1) {
                ok &= i % 3 ? tr_args_take(&a, b, i, v) : tr_args_get(&a, b, i, v);
                for (size_t k = 0; k < n; k++) {
                    struct tr_arg_value want = walk_to(b, i, TR_PLACE_ARGS, keys[k]);
                    same &= same_value(v[k], want);
                    alike &= same_value(tr_arg_at(&one[k], i), want);
                    strings &= tr_args_has_string(&a, b, i, (unsigned)k) == (want.type == TR_T_STRING + 1);
                    as &= tr_arg_int(&one[k], i) == (want.type == TR_T_INT + 1 ? want.v : TR_I64_NONE);
                    as &= tr_arg_text(&one[k], i) == tr_arg_value_text(want);
                    found += want.type != 0;
                    seen[want.type] = 1;
                }
            }
            if (i % 3 != 2)
                tr_args_pass(&a, b, i);
        }
    }
    for (unsigned k = 1; k <= TR_N_TYPES; k++)
        types += seen[k];
    tap_ok(t, ok && same && found > 300 && types > 2, "members by key, event by event");
    tap_ok(t, alike && as, "a member of a whole batch is what its events have");
    tap_ok(t, strings, "which events have a key with a string");

    struct tr_arg none = { 0 };
    NEED(tr_arg_read(&none, b, TR_PLACE_ARGS, "no such key"));
    tap_ok(t, !none.any && tr_arg_int(&none, 0) == TR_I64_NONE && tr_arg_text(&none, 0) == TR_NO_STR,
           "a key that no event has");
    tr_arg_free(&none);

    size_t cut = 0, kept = 0;
    for (size_t k = 0; k < n; k++) { /* columns that lost their last entry */
        uint32_t columns[TR_N_TYPES];
        size_t n_columns = tr_dict_find_columns(m.dict, TR_PLACE_ARGS, keys[k], columns, TR_N_TYPES);
        for (size_t c = 0; c < n_columns; c++) {
            struct tr_col *col = &m.batch->cols[columns[c]];
            if (col->n < 2)
                continue;
            col->n--;
            NEED(tr_arg_read(&one[k], b, TR_PLACE_ARGS, keys[k]));
            cut += one[k].cut;
            kept++;
            col->n++;
        }
    }
    tap_ok(t, kept && cut == kept, "a column that ends before its events do is told");
    for (size_t k = 0; k < n; k++)
        tr_arg_free(&one[k]);
    tr_args_free(&a);
    made_free(&m);
}

static void test_order(struct tap *t)
{
    struct tr_dict *d = tr_dict_new();
    NEED(d);
    uint32_t a = tr_strtab_add(d->strings, "a", 1), b = tr_strtab_add(d->strings, "b", 1);
    struct tr_source sources[] = {
        { .rank = 1, .host = a, .name = a },         { .rank = 0, .host = b, .name = a },
        { .rank = 0, .host = a, .name = b },         { .rank = 0, .host = a, .name = a },
        { .rank = 0, .host = TR_NO_STR, .name = a },
    };
    for (size_t i = 0; i < 5; i++)
        NEED(tr_dict_add_source(d, &sources[i]) == i);
    bool good = true;
    for (uint32_t i = 0; i < 5; i++)
        for (uint32_t k = 0; k < 5; k++)
            good &= tr_source_cmp(d, i, d, k) == 0 ? i == k
                                                   : (tr_source_cmp(d, i, d, k) < 0) == (i > k);
    tap_ok(t, good, "sources order by rank, host, name; no name before any");
    struct tr_order_key keys[] = {
        { TR_TIME_NONE, 5, 0, 9 }, { -3, TR_TIME_NONE, 0, 0 },
        { -3, 9, 0, 7 },           { -3, 2, 4, 7 },
        { -3, 2, 0, 3 },           { -3, 2, 0, 4 },
        { 0, 100, 0, 0 },
    };
    good = true;
    for (size_t i = 0; i < 7; i++)
        for (size_t k = 0; k < 7; k++) {
            int c = tr_order_key_cmp(d, &keys[i], &keys[k]);
            good &= c == 0 ? i == k : (c < 0) == (i < k);
        }
    tap_ok(t, good, "events order by ts, longer first, source, record");
    tap_ok(t,
           tr_order_dur(50, TR_SUSPECT_LONG_DUR) == 0 &&
               tr_order_dur(TR_TIME_NONE, 0) == TR_TIME_NONE,
           "a suspect duration counts as none, an absent one stays absent");
    tr_dict_free(d);
}

static void test_summary(struct tap *t)
{
    struct made m = make_stream(&(struct recipe){ 3, 10, true, 0 });
    struct tr_summary *copy = tr_summary_copy(m.summary);
    struct tr_buf x = { NULL, 0, 0 }, y = { NULL, 0, 0 };
    NEED(copy);
    text_of_summary(m.summary, &x);
    text_of_summary(copy, &y);
    tap_ok(t, same_bytes(&x, &y) && copy->sources != m.summary->sources,
           "a summary is copied whole");
    NEED(tr_summary_assign(copy, m.summary));
    y.len = 0;
    text_of_summary(copy, &y);
    tap_ok(t, same_bytes(&x, &y), "a summary takes what another one says, in place");
    bool followed = true;
    for (int i = 0; i < 4; i++) {
        m.summary->filtered = i & 1;
        m.summary->sorted = i & 2;
        NEED(tr_summary_assign(copy, m.summary));
        followed = followed && copy->filtered == m.summary->filtered && copy->sorted == m.summary->sorted;
    }
    tap_ok(t, followed, "whether events were left out, and whether they are in order, is taken, too");
    NEED(tr_summary_reset(copy, 1));
    tap_ok(t, copy->n == 1 && copy->sources[0].n_events == 0 && copy->sources[0].n_steps == 0,
           "a summary begins anew in place");
    tr_summary_free(copy);
    tr_buf_free(&x);
    tr_buf_free(&y);
    made_free(&m);
}

int main(void)
{
    struct tap t = { 0, 0 };
    test_names(&t);
    test_decimals(&t);
    test_dict(&t);
    test_captures(&t);
    test_distinct(&t);
    test_follow(&t);
    test_number_map(&t);
    test_copies(&t);
    test_expand(&t);
    test_args(&t);
    test_order(&t);
    test_summary(&t);
    return tap_end(&t);
}
