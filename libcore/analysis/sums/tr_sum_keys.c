/* SPDX-License-Identifier: MIT */
/* Sums of groups: the keys of events. */
#include "analysis/sums/tr_sum_int.h"

#include "base/tr_num.h"
#include "field/tr_name_part.h"
#include "vendor/tr_short_name.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NO_CODE TR__SUM_NO_VALUE

static int64_t string_code(uint32_t id)
{
    return id == TR_NO_STR ? NO_CODE : (int64_t)((uint64_t)id << 2 | TR__CODE_STRING);
}

bool tr__sum_text_code(struct tr__sum_keys *k, const char *s, size_t len, int64_t *code)
{
    uint32_t id = tr_strtab_add(k->texts, s, len);
    *code = (int64_t)((uint64_t)id << 2 | TR__CODE_TEXT);
    return id != TR_NO_STR;
}

bool tr__sum_number_code(struct tr__sum_keys *k, int64_t v, int64_t *code)
{
    char text[24];
    if (v >= INT64_MIN / 4 && v <= INT64_MAX / 4) {
        *code = (int64_t)((uint64_t)v << 2 | TR__CODE_NUMBER);
        return true;
    }
    int n = snprintf(text, sizeof text, "%" PRId64, v);
    return tr__sum_text_code(k, text, (size_t)n, code);
}

struct tr_str tr__sum_code_text(const struct tr__sum_keys *k, int64_t code)
{
    uint32_t id = (uint32_t)((uint64_t)code >> 2);
    switch (code & 3) {
    case TR__CODE_STRING:
        return tr_dict_text(k->dict, id);
    case TR__CODE_TEXT:
        return (struct tr_str){ tr_strtab_get(k->texts, id), tr_strtab_len(k->texts, id) };
    default:
        return tr_str_of(NULL);
    }
}

/* 0 number, 1 text, 2 nothing. */
static int class_of(int64_t code)
{
    return (code & 3) == TR__CODE_NUMBER ? 0 : (code & 3) == TR__CODE_NONE ? 2 : 1;
}

int tr__sum_compare_codes(const struct tr__sum_keys *k, size_t column, int64_t a, int64_t b)
{
    if (a == b)
        return 0;
    if (k->columns[column].number)
        return a == TR_I64_NONE ? 1 : b == TR_I64_NONE ? -1 : a < b ? -1 : 1;
    int x = class_of(a), y = class_of(b);
    if (x != y || x == 2)
        return x - y;
    return x == 0 ? (a < b ? -1 : 1) : tr_str_cmp(tr__sum_code_text(k, a), tr__sum_code_text(k, b));
}

/* ---- once ---- */

static bool holds_numbers(const struct tr_sum_key *key)
{
    return key->from == TR_SUM_CAPTURE || key->from == TR_SUM_BIN ||
           (key->from == TR_SUM_FIELD && tr_event_field_is_whole(key->field));
}

/* The fields that are read, as bits. */
static uint64_t asks(const struct tr_sum_options *o)
{
    uint64_t bits = o->value == TR_SUM_OF_FIELD ? UINT64_C(1) << o->field : 0;
    for (size_t k = 0; k < o->n_keys; k++)
        bits |= o->keys[k].from == TR_SUM_FIELD ? UINT64_C(1) << o->keys[k].field : 0;
    return bits;
}

enum tr_status tr__sum_keys_init(struct tr__sum_keys *k, const struct tr_sum_options *o,
                                 const struct tr_analysis_in *in, struct tr_error *err)
{
    k->options = o;
    k->dict = in->dict;
    k->n = o->n_keys;
    k->reference = UINT32_MAX;
    for (size_t i = 0; i < k->n; i++) {
        k->columns[i].key = &o->keys[i];
        k->columns[i].number = holds_numbers(&o->keys[i]);
        char why[TR_REGEX_WHY]; /* the parser has tried it */
        if (o->keys[i].replace && tr_regex_compile(&k->columns[i].re, o->keys[i].regex, false, why) != TR_OK)
            return tr_fail_memory(err);
    }
    if (o->value == TR_SUM_OF_FIELD && o->field != TR_FIELD_DUR) {
        k->value_key =
            (struct tr_sum_key){ .from = TR_SUM_FIELD, .field = o->field, .arg = tr_event_fields[o->field].arg };
        k->value = (struct tr__sum_column){ .key = &k->value_key, .number = true };
    }
    bool ok = (k->texts = tr_strtab_new()) != NULL;
    if (ok)
        ok = tr_field_columns_init(&k->fields, in->summary, asks(o));
    if (ok && tr_sum_asks_above(o))
        ok = (k->above = tr_enclosing_spans_new(in->dict, k->texts, in->select, o->value == TR_SUM_OF_SELF)) != NULL;
    if (ok && asks(o) >> TR_FIELD_GROUP & 1)
        tr_enclosing_spans_groups(k->above, tr_event_fields[TR_FIELD_GROUP].arg);
    return ok ? TR_OK : tr_fail_memory(err);
}

void tr__sum_keys_free(struct tr__sum_keys *k)
{
    for (size_t i = 0; i <= k->n; i++) {
        struct tr__sum_column *c = i < k->n ? &k->columns[i] : &k->value;
        free(c->code);
        free(c->of.v);
        free(c->of_name.v);
        tr_arg_free(&c->arg);
        tr_regex_free(c->re);
    }
    tr_strtab_free(k->texts);
    tr_field_columns_free(&k->fields);
    tr_enclosing_spans_free(k->above);
}

/* ---- times ---- */

/* The source whose times users see: the one of the lowest rank. */
static uint32_t reference_of(const struct tr_dict *d)
{
    uint32_t best = 0;
    for (uint32_t s = 1; s < d->n_sources; s++)
        if (d->sources[s].rank >= 0 && (d->sources[best].rank < 0 || d->sources[s].rank < d->sources[best].rank))
            best = s;
    return best;
}

int64_t tr__sum_file_time(struct tr__sum_keys *k, int64_t ts)
{
    if (k->reference == UINT32_MAX && k->dict->n_sources)
        k->reference = reference_of(k->dict);
    return ts == TR_TIME_NONE || k->reference == UINT32_MAX ? ts
                                                             : tr_source_to_file(&k->dict->sources[k->reference], ts);
}

static int64_t bin_of(int64_t ts, int64_t bin)
{
    int64_t rest = ts % bin;
    return tr_time_diff(ts, rest < 0 ? rest + bin : rest);
}

/* ---- codes that depend only on a small number ---- */

int64_t *tr__sum_known(struct tr__sum_codes *of, size_t n)
{
    if (n < of->n)
        return &of->v[n];
    if (!tr_grow(&of->v, &of->cap, n + 1, sizeof *of->v))
        return NULL;
    memset(of->v + of->n, 0, (of->cap - of->n) * sizeof *of->v);
    of->n = of->cap;
    return &of->v[n];
}

/* Does a key change names? */
static bool changes(const struct tr_sum_key *key)
{
    return key->shorten || key->replace;
}

/* Each match of the expression, from left to right, becomes the other text.  A match of nothing is none. */
static bool replace(struct tr__sum_column *c, struct tr_str name, struct tr_buf *out)
{
    size_t done = 0, at = 0, start, end;
    bool ok = true;
    while (ok && at < name.len && tr_regex_find(c->re, name, at, &start, &end)) {
        at = end > start ? end : start + 1;
        if (end == start)
            continue;
        ok = tr_buf_add(out, name.s + done, start - done) && tr_buf_add_str(out, c->key->with);
        done = end;
    }
    return ok && tr_buf_add(out, name.s + done, name.len - done);
}

/* The code of a name as the key changes it. */
static bool changed_code(struct tr__sum_keys *k, struct tr__sum_column *c, struct tr_str name, int64_t *code)
{
    struct tr_buf text = { 0 }, brief = { 0 };
    bool ok = true;
    if (c->key->shorten) {
        ok = tr_short_name(name.s, name.len, &brief);
        name = (struct tr_str){ brief.data ? (const char *)brief.data : "", brief.len };
    }
    if (ok && c->key->replace) {
        ok = replace(c, name, &text);
        name = (struct tr_str){ text.data ? (const char *)text.data : "", text.len };
    }
    ok = ok && tr__sum_text_code(k, name.s, name.len, code);
    tr_buf_free(&text);
    tr_buf_free(&brief);
    return ok;
}

/* Changed names are found once for each string; the code of a text is never 0. */
static bool name_code(struct tr__sum_keys *k, struct tr__sum_column *c, uint32_t id, int64_t *code)
{
    if (!changes(c->key) || id == TR_NO_STR) {
        *code = string_code(id);
        return true;
    }
    int64_t *of = tr__sum_known(&c->of, id);
    bool ok = of && (*of || changed_code(k, c, tr_dict_text(k->dict, id), of));
    *code = ok ? *of : NO_CODE;
    return ok;
}

static bool id_code(struct tr__sum_keys *k, uint8_t type, int64_t v, int64_t *code)
{
    char text[TR_TRACK_DIGITS];
    if (type == TR_T_INT)
        return tr__sum_number_code(k, v, code);
    if (type == TR_T_UINT) {
        tr_track_digits(type, v, text);
        return tr__sum_text_code(k, text, strlen(text), code);
    }
    *code = type == TR_T_STRING ? string_code((uint32_t)v) : NO_CODE;
    return true;
}

static bool track_code(struct tr__sum_keys *k, const struct tr__sum_column *c, uint32_t track, int64_t *code)
{
    int64_t v;
    if (c->key->from == TR_SUM_CAPTURE) {
        *code = k->dict->sources[k->dict->tracks[track].source].capture;
        return true;
    }
    enum tr_type type = tr_field_of_track(k->dict, track, c->key->field, &v);
    if (!c->number)
        return id_code(k, (uint8_t)type, v, code);
    *code = type == TR_T_NULL ? TR_I64_NONE : v;
    return true;
}

/* Codes by track, also for code 0: those of new tracks are all found at once. */
static bool fill_tracks(struct tr__sum_keys *k, struct tr__sum_column *c, const struct tr_batch *b)
{
    size_t n = k->dict->n_tracks;
    struct tr__sum_codes *of = &c->of;
    if (!tr_grow(&of->v, &of->cap, n, sizeof *of->v))
        return false;
    for (; of->n < n; of->n++)
        if (!track_code(k, c, (uint32_t)of->n, &of->v[of->n]))
            return false;
    for (size_t i = 0; i < b->n; i++)
        c->code[i] = of->v[b->track[i]];
    return true;
}

static bool fill_names(struct tr__sum_keys *k, struct tr__sum_column *c, const struct tr_batch *b, const uint32_t *ids)
{
    bool ok = true;
    if (!changes(c->key))
        for (size_t i = 0; i < b->n; i++)
            c->code[i] = string_code(ids[i]);
    for (size_t i = 0; ok && changes(c->key) && i < b->n; i++)
        ok = name_code(k, c, ids[i], &c->code[i]);
    return ok;
}

/* Words of a list that the format defines. */
static bool fill_words(struct tr__sum_keys *k, struct tr__sum_column *c, const struct tr_batch *b)
{
    unsigned first, n;
    tr_field_word *name = tr_field_word_list(c->key->field, &first, &n);
    const uint8_t *word = tr_field_words(&k->fields, c->key->field);
    for (size_t i = 0; i < b->n; i++) {
        int64_t *of = word ? tr__sum_known(&c->of, word[i]) : NULL;
        const char *text = of && !*of && word[i] >= first ? name(word[i]) : NULL;
        if (!of || (text && !tr__sum_text_code(k, text, strlen(text), of)))
            return false;
        c->code[i] = *of ? *of : NO_CODE;
    }
    return true;
}

static bool fill_numbers(struct tr__sum_keys *k, struct tr__sum_column *c, const struct tr_batch *b)
{
    bool moment = tr_event_field_is_moment(c->key->field);
    const int64_t *v = tr_field_numbers(&k->fields, c->key->field);
    for (size_t i = 0; v && i < b->n; i++)
        c->code[i] = moment ? tr__sum_file_time(k, v[i]) : v[i];
    return v != NULL;
}

/* ---- frames above an event ---- */

bool tr__sum_above_code(struct tr__sum_keys *k, size_t column, uint32_t frame, int64_t *code)
{
    struct tr__sum_column *c = &k->columns[column];
    *code = NO_CODE;
    if (frame == TR_ENCLOSING_NONE)
        return true;
    const struct tr_frame *f = tr_enclosing_frame(k->above, frame);
    enum tr_field_id field = c->key->field;
    if (field == TR_FIELD_OPERATOR || field == TR_FIELD_ANNOTATION || field == TR_FIELD_GROUP)
        return name_code(k, c,
                         field == TR_FIELD_OPERATOR     ? f->op
                         : field == TR_FIELD_ANNOTATION ? f->annotation
                                                        : f->group,
                         code);
    if (field == TR_FIELD_MODULE) {
        if (f->module != TR_NO_STR)
            *code = (int64_t)((uint64_t)f->module << 2 | TR__CODE_TEXT);
        return true;
    }
    int64_t *of = tr__sum_known(&c->of, frame);
    struct tr_buf text = { 0 };
    bool ok = of && (*of || (tr_enclosing_stack(k->above, frame, field == TR_FIELD_PARENT ? 1 : c->key->depth, &text) &&
                             (!text.len ? (*of = NO_CODE) : true)));
    if (ok && !*of)
        ok = tr__sum_text_code(k, (const char *)text.data, text.len, of);
    tr_buf_free(&text);
    *code = ok ? *of : NO_CODE;
    return ok;
}

static enum tr_status read_arg(struct tr__sum_column *c, const struct tr_batch *b, struct tr_error *err)
{
    if (!tr_arg_read(&c->arg, b, TR_PLACE_ARGS, c->key->arg))
        return tr_fail_memory(err);
    return c->arg.cut ? tr_fail(err, TR_DAMAGED, "column '%.80s' ends before its events do", c->key->arg) : TR_OK;
}

/* The value of an arg of the event itself has precedence. */
static enum tr_status fill_above(struct tr__sum_keys *k, struct tr__sum_column *c, const struct tr_batch *b,
                                 struct tr_error *err)
{
    bool ok = true;
    size_t column = (size_t)(c - k->columns);
    for (size_t i = 0; ok && i < b->n; i++) {
        uint32_t frame = k->above->of[i].frame;
        c->code[i] = NO_CODE;
        ok = frame == TR_ENCLOSING_NONE || tr__sum_above_code(k, column, frame, &c->code[i]);
    }
    enum tr_status st = ok ? TR_OK : tr_fail_memory(err);
    if (st != TR_OK || !c->key->arg)
        return st;
    st = read_arg(c, b, err);
    for (size_t i = 0; st == TR_OK && i < b->n; i++)
        if (tr_arg_text(&c->arg, i) != TR_NO_STR && !name_code(k, c, tr_arg_text(&c->arg, i), &c->code[i]))
            st = tr_fail_memory(err);
    return st;
}

/* ---- a batch ---- */

static bool fill_bins(struct tr__sum_keys *k, struct tr__sum_column *c, const struct tr_batch *b)
{
    for (size_t i = 0; i < b->n; i++)
        c->code[i] = b->ts[i] == TR_TIME_NONE ? TR_I64_NONE : bin_of(tr__sum_file_time(k, b->ts[i]), c->key->bin);
    return true;
}

static enum tr_status fill(struct tr__sum_keys *k, struct tr__sum_column *c, const struct tr_batch *b,
                           struct tr_error *err)
{
    const uint32_t *strings;
    bool field = c->key->from == TR_SUM_FIELD, ok = tr_grow(&c->code, &c->cap, b->n, sizeof *c->code);
    enum tr_field_from from = field ? tr_event_fields[c->key->field].from : TR_FIELD_FROM_OTHER;
    if (!ok)
        return tr_fail_memory(err);
    if (from == TR_FIELD_FROM_OWNER)
        return fill_above(k, c, b, err);
    if (from == TR_FIELD_FROM_PART)
        return tr__sum_fill_part(k, c, b, err);
    if (c->key->arg)
        return tr__sum_fill_arg(k, c, b, err);
    if (from == TR_FIELD_FROM_STRINGS)
        ok = (strings = tr_field_strings(&k->fields, c->key->field)) != NULL && fill_names(k, c, b, strings);
    else if (from == TR_FIELD_FROM_WORDS)
        ok = fill_words(k, c, b);
    else if (from == TR_FIELD_FROM_NUMBERS)
        ok = fill_numbers(k, c, b);
    else
        ok = c->key->from == TR_SUM_BIN ? fill_bins(k, c, b) : fill_tracks(k, c, b);
    return ok ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr__sum_keys_batch(struct tr__sum_keys *k, const struct tr_batch *b, struct tr_error *err)
{
    enum tr_status st = tr_field_columns_batch(&k->fields, b) ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK && k->above)
        st = tr_enclosing_batch(k->above, b, err);
    for (size_t i = 0; i < k->n && st == TR_OK; i++)
        st = fill(k, &k->columns[i], b, err);
    return st == TR_OK && k->value.key ? fill(k, &k->value, b, err) : st;
}

static bool plain_code(struct tr__sum_keys *k, const char *text, int64_t *code)
{
    return tr__sum_text_code(k, text, strlen(text), code);
}

/* Texts of different types may be equal, so all of them are in one table. */
static bool arg_text_code(struct tr__sum_keys *k, struct tr__sum_column *c, uint32_t id, int64_t *code)
{
    int64_t *of = tr__sum_known(&c->of, id);
    if (!of)
        return false;
    struct tr_str text = tr_dict_text(k->dict, id);
    if (!*of && !(changes(c->key) ? changed_code(k, c, text, of) : tr__sum_text_code(k, text.s, text.len, of)))
        return false;
    *code = *of;
    return true;
}

static bool arg_code(struct tr__sum_keys *k, struct tr__sum_column *c, struct tr_arg_value v, int64_t *code)
{
    char text[TR_NUM_TEXT];
    double d;
    *code = TR__SUM_NO_VALUE;
    switch (v.type - 1) {
    case TR_T_FALSE:
        return plain_code(k, "false", code);
    case TR_T_TRUE:
        return plain_code(k, "true", code);
    case TR_T_INT:
    case TR_T_QUOTED:
        return tr__sum_number_code(k, v.v, code);
    case TR_T_UINT:
        snprintf(text, sizeof text, "%" PRIu64, (uint64_t)v.v);
        return plain_code(k, text, code);
    case TR_T_HEX:
        tr_num_print_hex(v.v, text);
        return plain_code(k, text, code);
    case TR_T_DECIMAL:
        tr_num_print(tr_decimal_double(v.v), text);
        return plain_code(k, text, code);
    case TR_T_DOUBLE:
        memcpy(&d, &v.v, sizeof d);
        if (d != d || d - d != 0)
            return true;
        tr_num_print(d, text);
        return plain_code(k, text, code);
    case TR_T_STRING:
    case TR_T_JSON:
    case TR_T_NUMBER:
        return arg_text_code(k, c, (uint32_t)v.v, code);
    default:
        return true;
    }
}

enum tr_status tr__sum_fill_arg(struct tr__sum_keys *k, struct tr__sum_column *c, const struct tr_batch *b,
                                struct tr_error *err)
{
    enum tr_status st = read_arg(c, b, err);
    for (size_t i = 0; i < b->n && st == TR_OK; i++)
        if (!arg_code(k, c, tr_arg_at(&c->arg, i), &c->code[i]))
            st = tr_fail_memory(err);
    return st;
}

/* ---- parts of names ---- */

static int64_t part_number(enum tr_field_id field, struct tr_str name)
{
    struct tr_name_part part;
    return tr_name_part(NULL, field, name, &part) && part.is_number ? part.number : TR_I64_NONE;
}

/* The code of a part that can be a text is found once for each name. */
static bool part_code(struct tr__sum_keys *k, struct tr__sum_column *c, uint32_t name, int64_t *code)
{
    struct tr_name_part part;
    int64_t *of = tr__sum_known(&c->of_name, name);
    if (!of)
        return false;
    if (!*of && !tr_name_part(k->dict->names, c->key->field, tr_dict_text(k->dict, name), &part))
        *of = TR__SUM_NO_VALUE;
    else if (!*of && !(part.is_number    ? tr__sum_number_code(k, part.number, of)
                       : changes(c->key) ? changed_code(k, c, part.text, of)
                                         : tr__sum_text_code(k, part.text.s, part.text.len, of)))
        return false;
    *code = *of;
    return true;
}

/* A size in an arg, also if it is in quotes. */
static int64_t whole(struct tr_arg_value v)
{
    return v.type == TR_T_INT + 1 || v.type == TR_T_QUOTED + 1 ? v.v : TR_I64_NONE;
}

enum tr_status tr__sum_fill_part(struct tr__sum_keys *k, struct tr__sum_column *c, const struct tr_batch *b,
                                 struct tr_error *err)
{
    enum tr_field_id field = c->key->field;
    enum tr_status st = c->key->arg ? read_arg(c, b, err) : TR_OK;
    bool ok = true;
    for (size_t i = 0; i < b->n && st == TR_OK && ok; i++) {
        struct tr_arg_value v = c->key->arg ? tr_arg_at(&c->arg, i) : (struct tr_arg_value){ 0, 0 };
        if (v.type > TR_T_NULL + 1) {
            c->code[i] = whole(v);
            ok = c->number || arg_code(k, c, v, &c->code[i]);
        } else if (b->name[i] == TR_NO_STR || !tr_name_has_part(field, b->activity[i])) {
            c->code[i] = c->number ? TR_I64_NONE : TR__SUM_NO_VALUE;
        } else if (c->number) {
            c->code[i] = part_number(field, tr_dict_text(k->dict, b->name[i]));
        } else {
            ok = part_code(k, c, b->name[i], &c->code[i]);
        }
    }
    return ok ? st : tr_fail_memory(err);
}
