/* SPDX-License-Identifier: MIT */
/* Pickles of Python as plain data.  Opcodes: Lib/pickletools.py of CPython. */
#include "formats/common/tr_pickle_int.h"

#include "base/tr_escape.h"
#include "base/tr_mem.h"
#include "base/tr_num.h"
#include "json/tr_json_write.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STACK  ((size_t)1 << 20) /* values: more have no place in a list of 1000, as Python adds them */
#define CHUNK      ((size_t)64 << 10)
#define TRIM_BYTES ((size_t)8 << 20)

enum { NONE, FALSE_, TRUE_, INTEGER, REAL, DIGITS, TEXT, LIST, DICT, MARK };

/* A value: lists and dictionaries have a chain of items, dictionaries key and value in turn. */
struct value {
    uint8_t is;
    uint32_t first, last; /* numbers of items + 1; 0: it has none */
    const char *s;              /* of a text, or of the digits of a large integer */
    size_t len;
    union {
        int64_t i;
        double d;
    } v;
};

struct item {
    uint32_t value, next; /* number; number of the next item + 1 */
};

struct pickle {
    const unsigned char *p;
    size_t n, at;
    struct tr_paged values, items; /* struct value, struct item */
    struct tr_paged memo;          /* uint32_t: the number of a value + 1, 0: nothing */
    uint32_t *stack;               /* numbers of values */
    size_t n_stack, cap_stack, n_memo;
    char **kept;
    size_t n_kept, cap_kept;
    struct tr_paged *json;
    struct tr_buf out; /* what comes next in it */
    struct tr__pickle_once *once;
    struct tr_paged numbers; /* uint32_t: by value, its number among the lists that are written once + 1; 0: none */
    size_t max, trimmed_at;
    struct tr_error *err;
    size_t op_at;
};

static bool bad(struct pickle *k, const char *what)
{
    tr_error_place(k->err, "byte %zu", k->op_at);
    tr_fail(k->err, TR_DAMAGED, "%s", what);
    return false;
}

static bool no_memory(struct pickle *k)
{
    tr_fail_memory(k->err);
    return false;
}

/* ---- the stack ---- */

static struct value *value_at(const struct pickle *k, uint32_t number)
{
    return tr_paged_at(&k->values, number);
}

static struct item *item_at(const struct pickle *k, uint32_t number)
{
    return tr_paged_at(&k->items, number);
}

/* Put value number on top. */
static bool stack(struct pickle *k, uint32_t number)
{
    if (k->n_stack >= MAX_STACK)
        return bad(k, "it has too many values that are in no list");
    if (!tr_grow(&k->stack, &k->cap_stack, k->n_stack + 1, sizeof *k->stack))
        return no_memory(k);
    k->stack[k->n_stack++] = number;
    return true;
}

/* Keep a value: *number. */
static bool keep(struct pickle *k, struct value v, uint32_t *number)
{
    if (k->values.n >= UINT32_MAX - 1)
        return no_memory(k);
    *number = (uint32_t)k->values.n;
    return tr_paged_add(&k->values, &v, 1, k->err) == TR_OK;
}

static bool push(struct pickle *k, struct value v)
{
    uint32_t number;
    return keep(k, v, &number) && stack(k, number);
}

static struct value *top(struct pickle *k)
{
    return k->n_stack ? value_at(k, k->stack[k->n_stack - 1]) : NULL;
}

/* The place of the last mark in the stack; SIZE_MAX: there is none. */
static size_t mark(const struct pickle *k)
{
    for (size_t i = k->n_stack; i > 0; i--)
        if (value_at(k, k->stack[i - 1])->is == MARK)
            return i - 1;
    return SIZE_MAX;
}

/* Add the values from place from on to a list or dictionary. */
static bool extend(struct pickle *k, uint32_t to, size_t from)
{
    struct value *list = value_at(k, to);
    if (list->is == DICT && (k->n_stack - from) % 2)
        return bad(k, "a dictionary has a key without a value");
    for (size_t i = from; i < k->n_stack; i++) {
        if (value_at(k, k->stack[i])->is == MARK)
            return bad(k, "a mark is inside of a list");
        if (k->items.n >= UINT32_MAX - 1)
            return no_memory(k);
        if (tr_paged_add(&k->items, &(struct item){ k->stack[i], 0 }, 1, k->err) != TR_OK)
            return false;
        if (list->last)
            item_at(k, list->last - 1)->next = (uint32_t)k->items.n;
        else
            list->first = (uint32_t)k->items.n;
        list->last = (uint32_t)k->items.n;
    }
    k->n_stack = from;
    return true;
}

/* A new list or dictionary of the values from a place of the stack on. */
static bool collect(struct pickle *k, unsigned is, size_t from)
{
    if (from == SIZE_MAX || from > k->n_stack)
        return bad(k, "there is no mark, or too few values");
    size_t at = from < k->n_stack && value_at(k, k->stack[from])->is == MARK ? from + 1 : from;
    uint32_t to;
    if (!keep(k, (struct value){ .is = (uint8_t)is }, &to) || !extend(k, to, at))
        return false;
    k->n_stack = from;
    return stack(k, to);
}

/* Add what follows the mark, or n values, to the list or dictionary below. */
static bool append(struct pickle *k, unsigned is, size_t n)
{
    size_t from = n ? k->n_stack - n : mark(k);
    if ((n && k->n_stack < n + 1) || (!n && (from == SIZE_MAX || from == 0)))
        return bad(k, "there is no mark, or too few values");
    uint32_t to = k->stack[from - 1];
    if (value_at(k, to)->is != is)
        return bad(k, is == DICT ? "items are set in what is no dictionary" : "items are added to what is no list");
    if (!extend(k, to, n ? from : from + 1))
        return false;
    k->n_stack = from;
    return true;
}

/* ---- the memo ---- */

static bool put(struct pickle *k, size_t number)
{
    if (!k->n_stack || top(k)->is == MARK || number > k->n)
        return bad(k, "a value is kept that is not there, or under a number that is too large");
    if (number >= k->memo.n && tr_paged_add(&k->memo, NULL, number + 1 - k->memo.n, k->err) != TR_OK)
        return false;
    *(uint32_t *)tr_paged_at(&k->memo, number) = k->stack[k->n_stack - 1] + 1;
    k->n_memo = number >= k->n_memo ? number + 1 : k->n_memo;
    return true;
}

static bool get(struct pickle *k, size_t number)
{
    uint32_t kept = number < k->memo.n ? *(const uint32_t *)tr_paged_at(&k->memo, number) : 0;
    return kept ? stack(k, kept - 1) : bad(k, "a value is used that was not kept");
}

/* ---- what opcodes bring with them ---- */

/* The next bytes; NULL: there are fewer. */
static const unsigned char *take(struct pickle *k, size_t n)
{
    if (n > k->n - k->at) {
        bad(k, "the pickle is cut");
        return NULL;
    }
    k->at += n;
    return k->p + k->at - n;
}

/* A number of up to 8 bytes, the lowest first. */
static bool number(struct pickle *k, size_t bytes, uint64_t *v)
{
    const unsigned char *p = take(k, bytes);
    *v = 0;
    for (size_t i = bytes; p && i > 0; i--)
        *v = *v << 8 | p[i - 1];
    return p != NULL;
}

/* A line, without its end. */
static bool line(struct pickle *k, struct tr_str *s)
{
    const unsigned char *p = k->p + k->at, *end = k->at < k->n ? memchr(p, '\n', k->n - k->at) : NULL;
    if (!end)
        return bad(k, "the pickle is cut");
    *s = (struct tr_str){ (const char *)p, (size_t)(end - p) };
    k->at += s->len + 1;
    return true;
}

static bool push_text(struct pickle *k, struct tr_str s)
{
    return push(k, (struct value){ .is = TEXT, .s = s.s, .len = s.len });
}

/* A text whose length has so many bytes. */
static bool text(struct pickle *k, size_t bytes)
{
    uint64_t len;
    if (!number(k, bytes, &len))
        return false;
    const unsigned char *p = len > k->n ? take(k, SIZE_MAX) : take(k, (size_t)len);
    return p && push_text(k, (struct tr_str){ (const char *)p, (size_t)len });
}

/* A text in a line: 'abc', or without quotes.  Escapes stay as they are. */
static bool text_line(struct pickle *k)
{
    struct tr_str s;
    if (!line(k, &s))
        return false;
    if (s.len >= 2 && (s.s[0] == '\'' || s.s[0] == '"') && s.s[s.len - 1] == s.s[0])
        s = (struct tr_str){ s.s + 1, s.len - 2 };
    return push_text(k, s);
}

static bool push_integer(struct pickle *k, int64_t v)
{
    return push(k, (struct value){ .is = INTEGER, .v.i = v });
}

/* A two's complement of up to 8 bytes; longer ones have no place in plain data of logs, and become a real number. */
static bool long_integer(struct pickle *k, size_t bytes)
{
    uint64_t len, low = 0;
    double real = 0;
    if (!number(k, bytes, &len))
        return false;
    const unsigned char *p = len > k->n ? take(k, SIZE_MAX) : take(k, (size_t)len);
    if (!p)
        return false;
    bool negative = len && p[len - 1] & 0x80;
    for (size_t i = (size_t)len; i > 0; i--)
        real = real * 256 + p[i - 1];
    for (size_t i = 0; i < 8; i++)
        low |= (uint64_t)(i < len ? p[i] : negative ? 0xff : 0) << 8 * i;
    if (len <= 8)
        return push_integer(k, (int64_t)low);
    if (len == 9 && !p[8]) { /* from 2^63 to 2^64 - 1 */
        char *digits = malloc(24);
        if (!digits || !tr_grow(&k->kept, &k->cap_kept, k->n_kept + 1, sizeof *k->kept)) {
            free(digits);
            return no_memory(k);
        }
        k->kept[k->n_kept++] = digits;
        int n = snprintf(digits, 24, "%" PRIu64, low);
        return push(k, (struct value){ .is = DIGITS, .s = digits, .len = (size_t)n });
    }
    if (negative)
        real -= ldexp(1, (int)(8 * (len > 120 ? 120 : len)));
    return push(k, (struct value){ .is = REAL, .v.d = real });
}

/* "I12", "I01" (True), "L12L", "F1.5". */
static bool number_line(struct pickle *k, char op)
{
    struct tr_str s;
    char room[64];
    const char *end;
    if (!line(k, &s))
        return false;
    if (op == 'I' && s.len == 2 && s.s[0] == '0' && (s.s[1] == '0' || s.s[1] == '1'))
        return push(k, (struct value){ .is = s.s[1] == '1' ? TRUE_ : FALSE_ });
    if (op == 'L' && s.len && s.s[s.len - 1] == 'L')
        s.len--;
    if (!s.len || s.len >= sizeof room)
        return bad(k, "a number cannot be read");
    memcpy(room, s.s, s.len);
    room[s.len] = '\0';
    struct value v = { .is = op == 'F' ? REAL : INTEGER };
    if (op == 'F')
        end = tr_num_decimal(room, &v.v.d) ? "" : room;
    else
        end = tr_num_i64(room, INT64_MIN, INT64_MAX, &v.v.i, NULL) == TR_OK ? "" : room;
    return *end ? bad(k, "a number cannot be read") : push(k, v);
}

static bool real(struct pickle *k)
{
    const unsigned char *p = take(k, 8);
    uint64_t bits = 0;
    double d;
    for (size_t i = 0; p && i < 8; i++)
        bits = bits << 8 | p[i];
    memcpy(&d, &bits, 8);
    return p && push(k, (struct value){ .is = REAL, .v.d = d });
}

/* A number of the memo as a line of digits. */
static bool memo_line(struct pickle *k, size_t *v)
{
    struct tr_str s;
    if (!line(k, &s) || !s.len || s.len > 9)
        return k->err->status == TR_OK ? bad(k, "a number of the memo cannot be read") : false;
    *v = 0;
    for (size_t i = 0; i < s.len; i++) {
        if (s.s[i] < '0' || s.s[i] > '9')
            return bad(k, "a number of the memo cannot be read");
        *v = *v * 10 + (size_t)(s.s[i] - '0');
    }
    return true;
}

static bool refuse(struct pickle *k, unsigned char op)
{
    char what[160];
    snprintf(what, sizeof what,
             "the pickle makes an object or calls a function (opcode 0x%02x): only plain data is read", op);
    return bad(k, what);
}

static bool drop(struct pickle *k, size_t n)
{
    if (k->n_stack < n)
        return bad(k, "there are too few values");
    k->n_stack -= n;
    return true;
}

/* Opcodes that use the memo. */
static bool use_memo(struct pickle *k, unsigned char op)
{
    uint64_t v = 0;
    size_t i;
    switch (op) {
    case 0x94: /* MEMOIZE */
        return put(k, k->n_memo);
    case 'q':
        return number(k, 1, &v) && put(k, (size_t)v);
    case 'r':
        return number(k, 4, &v) && put(k, (size_t)v);
    case 'h':
        return number(k, 1, &v) && get(k, (size_t)v);
    case 'j':
        return number(k, 4, &v) && get(k, (size_t)v);
    case 'p':
        return memo_line(k, &i) && put(k, i);
    default: /* 'g' */
        return memo_line(k, &i) && get(k, i);
    }
}

/* Opcodes that make one value. */
static bool make(struct pickle *k, unsigned char op)
{
    uint64_t v = 0;
    switch (op) {
    case 'N':
        return push(k, (struct value){ .is = NONE });
    case 0x88:
        return push(k, (struct value){ .is = TRUE_ });
    case 0x89:
        return push(k, (struct value){ .is = FALSE_ });
    case 'J':
        return number(k, 4, &v) && push_integer(k, (int32_t)(uint32_t)v);
    case 'K':
        return number(k, 1, &v) && push_integer(k, (int64_t)v);
    case 'M':
        return number(k, 2, &v) && push_integer(k, (int64_t)v);
    case 0x8a:
        return long_integer(k, 1);
    case 0x8b:
        return long_integer(k, 4);
    case 'I':
    case 'L':
    case 'F':
        return number_line(k, (char)op);
    case 'G':
        return real(k);
    case 'U':
    case 'C':
    case 0x8c:
        return text(k, 1);
    case 'X':
    case 'T':
    case 'B':
        return text(k, 4);
    case 0x8d:
    case 0x8e:
    case 0x96: /* BYTEARRAY8 */
        return text(k, 8);
    default: /* 'V', 'S' */
        return text_line(k);
    }
}

/* Opcodes of lists and dictionaries. */
static bool gather(struct pickle *k, unsigned char op)
{
    switch (op) {
    case '(':
        return push(k, (struct value){ .is = MARK });
    case ']':
    case ')':
    case 0x8f:
        return push(k, (struct value){ .is = LIST });
    case '}':
        return push(k, (struct value){ .is = DICT });
    case 'l':
    case 't':
    case 0x91:
        return collect(k, LIST, mark(k));
    case 'd':
        return collect(k, DICT, mark(k));
    case 0x85:
    case 0x86:
    case 0x87:
        return collect(k, LIST, k->n_stack < op - 0x84u ? SIZE_MAX : k->n_stack - (op - 0x84u));
    case 'a':
        return append(k, LIST, 1);
    case 'e':
    case 0x90:
        return append(k, LIST, 0);
    case 's':
        return append(k, DICT, 2);
    default: /* 'u' */
        return append(k, DICT, 0);
    }
}

static bool step(struct pickle *k, unsigned char op)
{
    size_t at;
    switch (op) {
    case 0x80:
        return take(k, 1) != NULL;
    case 0x95: /* FRAME */
        return take(k, 8) != NULL;
    case '0':
        return drop(k, 1);
    case '1':
        at = mark(k);
        return at == SIZE_MAX ? bad(k, "there is no mark") : drop(k, k->n_stack - at);
    case '2':
        return top(k) ? stack(k, k->stack[k->n_stack - 1]) : bad(k, "there are too few values");
    default:
        if (memchr("\x94qrhjpg", op, 7))
            return use_memo(k, op);
        if (memchr("N\x88\x89JKM\x8a\x8bILFGUC\x8cXTB\x8d\x8e\x96VS", op, 23))
            return make(k, op);
        return memchr("(])\x8f}lt\x91" "d\x85\x86\x87" "ae\x90su", op, 17) ? gather(k, op) : refuse(k, op);
    }
}

/* ---- as JSON ---- */

static bool write_real(struct tr_json_doc *j, double d)
{
    return isfinite(d) ? tr_json_doc_double(j, d) : tr_json_doc_null(j);
}

static bool write_key(struct pickle *k, struct tr_json_doc *j, const struct value *v)
{
    char room[40];
    struct tr_buf text = { 0 };
    bool ok;
    if (v->is == TEXT) {
        ok = tr_utf8_add(&text, v->s, v->len) && tr_json_doc_key(j, (struct tr_str){ tr_buf_text(&text), text.len });
    } else {
        snprintf(room, sizeof room, "%" PRId64, v->is == INTEGER ? v->v.i : 0);
        ok = tr_json_doc_key(j, tr_str_of(room));
    }
    tr_buf_free(&text);
    return ok || no_memory(k);
}

/* Give away what was written.  Values that were written are not needed soon. */
static bool flush(struct pickle *k, size_t from)
{
    if (k->out.len < from)
        return true;
    bool ok = tr_paged_add(k->json, k->out.data, k->out.len, k->err) == TR_OK;
    k->out.len = 0;
    if (k->json->n - k->trimmed_at > TRIM_BYTES) {
        tr_paged_trim(&k->values);
        tr_paged_trim(&k->items);
        tr_paged_trim(&k->numbers);
        k->trimmed_at = k->json->n;
    }
    return ok;
}

static bool write_value(struct pickle *k, struct tr_json_doc *j, uint32_t number);
static bool write_once(struct pickle *k, struct tr_json_doc *j, uint32_t number);

/* Is this the key of lists that are written once? */
static bool is_once(const struct pickle *k, const struct value *key)
{
    return k->once && key->is == TEXT && tr_str_is((struct tr_str){ key->s, key->len }, k->once->key);
}

static bool write_items(struct pickle *k, struct tr_json_doc *j, const struct value *v)
{
    if (!tr_json_doc_open(j, v->is == DICT ? '{' : '['))
        return bad(k, "its values are nested too deeply");
    bool key = v->is == DICT, once = false;
    for (uint32_t i = v->first; i;) {
        const struct item it = *item_at(k, i - 1);
        if (k->json->n + k->out.len > k->max)
            return bad(k, "it is too large");
        if (!(key    ? write_key(k, j, value_at(k, it.value))
              : once ? write_once(k, j, it.value)
                     : write_value(k, j, it.value)) ||
            !flush(k, CHUNK))
            return false;
        once = key && is_once(k, value_at(k, it.value));
        key = v->is == DICT && !key;
        i = it.next;
    }
    return tr_json_doc_close(j) || no_memory(k);
}

static bool write_text(struct tr_json_doc *j, const struct value *v)
{
    struct tr_buf text = { 0 };
    bool ok = tr_utf8_add(&text, v->s, v->len) && tr_json_doc_str(j, (struct tr_str){ tr_buf_text(&text), text.len });
    tr_buf_free(&text);
    return ok;
}

static bool write_value(struct pickle *k, struct tr_json_doc *j, uint32_t number)
{
    const struct value *v = value_at(k, number);
    bool ok = true;
    switch (v->is) {
    case LIST:
    case DICT:
        return write_items(k, j, v);
    case TEXT:
        ok = write_text(j, v);
        break;
    case INTEGER:
        ok = tr_json_doc_i64(j, v->v.i);
        break;
    case REAL:
        ok = write_real(j, v->v.d);
        break;
    case DIGITS:
        ok = tr_json_doc_next(j) && tr_buf_add(&k->out, v->s, v->len);
        break;
    case NONE:
        ok = tr_json_doc_null(j);
        break;
    default:
        ok = tr_json_doc_bool(j, v->is == TRUE_);
    }
    return ok || no_memory(k);
}

/* A list that is written once: in full, or its number. */
static bool write_once(struct pickle *k, struct tr_json_doc *j, uint32_t number)
{
    if (value_at(k, number)->is != LIST)
        return tr_json_doc_null(j) || no_memory(k);
    if (number >= k->numbers.n && tr_paged_add(&k->numbers, NULL, number + 1 - k->numbers.n, k->err) != TR_OK)
        return false;
    uint32_t *its = tr_paged_at(&k->numbers, number);
    if (*its)
        return tr_json_doc_i64(j, *its - 1) || no_memory(k);
    const size_t at = k->json->n + k->out.len; /* a key and its colon are before it */
    *its = (uint32_t)k->once->at.n + 1;
    return tr_paged_add(&k->once->at, &at, 1, k->err) == TR_OK && write_value(k, j, number);
}

enum tr_status tr__pickle_json(const unsigned char *p, size_t n, size_t max, struct tr_paged *json,
                               struct tr__pickle_once *once, struct tr_error *err)
{
    struct tr_error own = TR_ERROR_INIT;
    struct pickle k = { .p = p, .n = n, .json = json, .max = max, .once = once, .err = &own };
    struct tr_json_doc j = { .out = &k.out };
    bool ok = true, stopped = false;
    tr_paged_init(&k.values, sizeof(struct value), json->max_bytes, json->dir);
    tr_paged_init(&k.items, sizeof(struct item), json->max_bytes, json->dir);
    tr_paged_init(&k.memo, sizeof(uint32_t), json->max_bytes, json->dir);
    tr_paged_init(&k.numbers, sizeof(uint32_t), json->max_bytes, json->dir);
    while (ok && !stopped) {
        k.op_at = k.at;
        const unsigned char *op = take(&k, 1);
        stopped = op && *op == '.';
        ok = op && (stopped || step(&k, *op));
    }
    if (ok && (k.n_stack != 1 || top(&k)->is == MARK))
        ok = bad(&k, "it does not end with one value");
    ok = ok && write_value(&k, &j, k.stack[0]) && flush(&k, 0);
    for (size_t i = 0; i < k.n_kept; i++)
        free(k.kept[i]);
    free(k.kept);
    tr_paged_free(&k.values);
    tr_paged_free(&k.items);
    tr_paged_free(&k.memo);
    tr_paged_free(&k.numbers);
    tr_buf_free(&k.out);
    free(k.stack);
    if (!ok && err)
        *err = own;
    return ok ? TR_OK : own.status;
}
