/* SPDX-License-Identifier: MIT */
/* Dumps of shaders. */
#include "vendor/tr_asm.h"

#include "base/tr_num.h"
#include "base/tr_sort.h"
#include "base/tr_strtab.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_ENTRIES 64u /* of the scoreboard; devices have 32 */

static bool starts(struct tr_str s, const char *with)
{
    size_t n = strlen(with);
    return s.len >= n && !memcmp(s.s, with, n);
}

static struct tr_str after(struct tr_str s, size_t n)
{
    return (struct tr_str){ s.s + n, s.len - n };
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static struct tr_str trim(struct tr_str s)
{
    while (s.len && is_blank(s.s[0]))
        s = after(s, 1);
    while (s.len && is_blank(s.s[s.len - 1]))
        s.len--;
    return s;
}

/* Where a text first has another one; SIZE_MAX: nowhere. */
static size_t find(struct tr_str s, const char *what)
{
    size_t n = strlen(what);
    for (size_t i = 0; i + n <= s.len; i++)
        if (s.s[i] == what[0] && !memcmp(s.s + i, what, n))
            return i;
    return SIZE_MAX;
}

/* The next line; false: there is none. */
static bool next_line(struct tr_str *rest, struct tr_str *line)
{
    if (!rest->len)
        return false;
    const char *end = memchr(rest->s, '\n', rest->len);
    line->s = rest->s;
    line->len = end ? (size_t)(end - rest->s) : rest->len;
    *rest = after(*rest, line->len + (end != NULL));
    return true;
}

static int digit(char c, unsigned base)
{
    int v = c >= '0' && c <= '9'   ? c - '0'
            : c >= 'a' && c <= 'f' ? c - 'a' + 10
            : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                   : 99;
    return v < (int)base ? v : -1;
}

/* Digits at the start; *n: how many.  At most 15 count. */
static uint64_t digits(struct tr_str s, unsigned base, size_t *n)
{
    uint64_t v = 0;
    for (*n = 0; *n < s.len && *n < 15 && digit(s.s[*n], base) >= 0; (*n)++)
        v = v * base + (uint64_t)digit(s.s[*n], base);
    return v;
}

/* "/ * [00000010] * /" before an instruction, which is cut off.  False: there is none. */
static bool take_address(struct tr_str *line, uint64_t *address)
{
    size_t n;
    if (!starts(*line, "/* ["))
        return false;
    *address = digits(after(*line, 4), 16, &n);
    struct tr_str rest = after(*line, 4 + n);
    if (!n || !starts(rest, "] */"))
        return false;
    *line = trim(after(rest, 4));
    return true;
}

static bool is_instruction(struct tr_str line)
{
    return find(line, "//") != SIZE_MAX && !starts(line, "//");
}

struct tr_str tr_asm_kernel(const char *text, size_t len)
{
    struct tr_str rest = { text, len }, line;
    while (next_line(&rest, &line)) {
        line = trim(line);
        if (!starts(line, "//.kernel"))
            continue;
        line = trim(after(line, 9));
        size_t n = 0;
        while (n < line.len && !is_blank(line.s[n]))
            n++;
        return (struct tr_str){ line.s, n };
    }
    return (struct tr_str){ NULL, 0 };
}

/* ---- reading ---- */

struct reader {
    struct tr_asm *a;
    struct tr_strtab *names; /* of blocks */
    uint32_t *block_of;      /* by name; UINT32_MAX: none yet */
    size_t n_names, cap_names;
    struct tr_str file, source;
    int64_t line;
    bool addressed; /* all operations so far have an address, and they ascend */
};

/* The number of a name of a block; UINT32_MAX: out of memory. */
static uint32_t name_number(struct reader *r, struct tr_str name)
{
    uint32_t n = tr_strtab_add(r->names, name.s, name.len);
    if (n == TR_NO_STR || !tr_grow(&r->block_of, &r->cap_names, (size_t)n + 1, sizeof *r->block_of))
        return UINT32_MAX;
    for (; r->n_names <= n; r->n_names++)
        r->block_of[r->n_names] = UINT32_MAX;
    return n;
}

static struct tr_asm_block *add_block(struct tr_asm *a)
{
    if (!tr_grow(&a->blocks, &a->cap_blocks, a->n_blocks + 1, sizeof *a->blocks))
        return NULL;
    a->blocks[a->n_blocks] = (struct tr_asm_block){ .first = a->n_ops };
    return &a->blocks[a->n_blocks++];
}

/* "B002: Preds:{B001, B003},  Succs:{...}"; predecessors are names until all blocks are known. */
static bool take_block(struct reader *r, struct tr_str line)
{
    size_t colon = find(line, ":"), open = find(line, "Preds:{");
    struct tr_asm_block *b = add_block(r->a);
    uint32_t name = b ? name_number(r, trim((struct tr_str){ line.s, colon })) : UINT32_MAX;
    if (name == UINT32_MAX)
        return false;
    r->block_of[name] = (uint32_t)r->a->n_blocks - 1;
    struct tr_str preds = after(line, open + 7);
    const char *close = preds.len ? memchr(preds.s, '}', preds.len) : NULL;
    preds.len = close ? (size_t)(close - preds.s) : preds.len;
    while (preds.len) {
        size_t n = find(preds, ",");
        n = n == SIZE_MAX ? preds.len : n;
        struct tr_str pred = trim((struct tr_str){ preds.s, n });
        preds = after(preds, n < preds.len ? n + 1 : n);
        if (!pred.len)
            continue;
        uint32_t of = name_number(r, pred);
        if (of == UINT32_MAX || !tr_grow(&b->preds, &b->cap_preds, b->n_preds + 1, sizeof *b->preds))
            return false;
        b->preds[b->n_preds++] = of;
    }
    return true;
}

static bool take_remark(struct reader *r, struct tr_str line)
{
    line = trim(after(line, 2));
    if (starts(line, "File:")) {
        r->file = trim(after(line, 5));
    } else if (starts(line, "Line ")) {
        size_t n;
        uint64_t number = digits(after(line, 5), 10, &n);
        r->line = n ? (int64_t)number : -1;
        struct tr_str rest = after(line, 5 + n);
        r->source = starts(rest, ":") ? trim(after(rest, 1)) : rest;
    } else if (find(line, ": Preds:{") != SIZE_MAX) {
        return take_block(r, line);
    }
    return true;
}

static bool take_op(struct reader *r, struct tr_str line)
{
    struct tr_asm *a = r->a;
    uint64_t address = 0;
    bool has = take_address(&line, &address);
    if (!a->n_blocks && !add_block(a))
        return false;
    if (!tr_grow(&a->ops, &a->cap_ops, a->n_ops + 1, sizeof *a->ops))
        return false;
    r->addressed &= has && (!a->n_ops || address > a->ops[a->n_ops - 1].address);
    a->ops[a->n_ops++] = (struct tr_asm_op){ address, line, r->file, r->source, r->line, (uint32_t)a->n_blocks - 1 };
    a->blocks[a->n_blocks - 1].n++;
    return true;
}

static uint64_t size_of(struct tr_str text)
{
    return find(text, "Compacted") != SIZE_MAX ? 8 : 16;
}

static void number_ops(struct tr_asm *a)
{
    uint64_t address = 0;
    for (size_t i = 0; i < a->n_ops; i++) {
        a->ops[i].address = address;
        address += size_of(a->ops[i].text);
    }
}

/* Names of predecessors to blocks; those that the dump does not have are left out. */
static void join_blocks(struct reader *r)
{
    for (size_t i = 0; i < r->a->n_blocks; i++) {
        struct tr_asm_block *b = &r->a->blocks[i];
        size_t n = 0;
        for (size_t k = 0; k < b->n_preds; k++)
            if (r->block_of[b->preds[k]] != UINT32_MAX)
                b->preds[n++] = r->block_of[b->preds[k]];
        b->n_preds = n;
    }
}

bool tr_asm_read(struct tr_asm *a, const char *text, size_t len)
{
    struct reader r = { .a = a, .names = tr_strtab_new(), .line = -1, .addressed = true };
    struct tr_str rest = { text, len }, line;
    *a = (struct tr_asm){ .kernel = tr_asm_kernel(text, len) };
    bool ok = r.names != NULL;
    while (ok && next_line(&rest, &line)) {
        line = trim(line);
        uint64_t address;
        struct tr_str bare = line;
        take_address(&bare, &address);
        if (starts(line, "//"))
            ok = take_remark(&r, line);
        else if (is_instruction(bare) && a->n_ops < UINT32_MAX)
            ok = take_op(&r, line);
    }
    if (ok && !r.addressed)
        number_ops(a);
    if (ok)
        join_blocks(&r);
    tr_strtab_free(r.names);
    free(r.block_of);
    return ok;
}

void tr_asm_free(struct tr_asm *a)
{
    for (size_t i = 0; i < a->n_blocks; i++)
        free(a->blocks[i].preds);
    free(a->blocks);
    free(a->ops);
    *a = (struct tr_asm){ .n_ops = 0 };
}

size_t tr_asm_at(const struct tr_asm *a, uint64_t address)
{
    size_t lo = 0;
    TR_BOUND(lo, a->n_ops, mid, a->ops[mid].address < address);
    return lo < a->n_ops && a->ops[lo].address == address ? lo : SIZE_MAX;
}

/* ---- the scoreboard ---- */

/* Entries as bits: "$n", "$n.src", "$n.dst". */
struct tokens {
    uint64_t bare, src, dst;
};

static bool any(struct tokens t)
{
    return (t.bare | t.src | t.dst) != 0;
}

/* Add the tokens of a list with commas between. */
static void tokens_in(struct tr_str list, struct tokens *t)
{
    for (size_t i = 0; i < list.len; i++) {
        size_t n;
        bool first = i == 0 || list.s[i - 1] == ',' || is_blank(list.s[i - 1]);
        if (list.s[i] != '$' || !first)
            continue;
        struct tr_str rest = after(list, i + 1);
        uint64_t entry = digits(rest, 10, &n);
        if (!n || entry >= N_ENTRIES)
            continue;
        rest = after(rest, n);
        uint64_t bit = UINT64_C(1) << entry;
        t->src |= starts(rest, ".src") ? bit : 0;
        t->dst |= starts(rest, ".dst") ? bit : 0;
        t->bare |= starts(rest, ".") ? 0 : bit;
    }
}

/* The part of an instruction before its remark. */
static struct tr_str code_of(struct tr_str text)
{
    size_t n = find(text, "//");
    return (struct tr_str){ text.s, n == SIZE_MAX ? text.len : n };
}

/* What is inside a pair of brackets from *at on, which moves after them.  False: there is none. */
static bool inside(struct tr_str code, size_t *at, char open, char close, struct tr_str *in)
{
    const char *start = *at < code.len ? memchr(code.s + *at, open, code.len - *at) : NULL;
    if (!start)
        return false;
    size_t from = (size_t)(start + 1 - code.s);
    const char *end = from < code.len ? memchr(start + 1, close, code.len - from) : NULL;
    *in = (struct tr_str){ start + 1, end ? (size_t)(end - start - 1) : code.len - from };
    *at = from + in->len;
    return true;
}

static struct tokens in_braces(struct tr_str code)
{
    struct tokens t = { 0, 0, 0 };
    struct tr_str in;
    size_t at = 0;
    if (inside(code, &at, '{', '}', &in))
        tokens_in(in, &t);
    return t;
}

/* What an instruction waits for. */
static struct tokens waits_for(struct tr_str text)
{
    static const char *const setters[] = { "load", "store", "send", "EOT" };
    struct tr_str code = code_of(text), in;
    struct tokens t = in_braces(code);
    for (size_t i = 0; i < sizeof setters / sizeof *setters; i++)
        if (find(code, setters[i]) != SIZE_MAX)
            t.bare = 0;
    for (size_t at = 0; !any(t) && inside(code, &at, '(', ')', &in);)
        tokens_in(in, &t);
    return t;
}

/* Take out of the wanted tokens those that an earlier instruction sets.  True: it sets one. */
static bool resolve(struct tr_str text, struct tokens *wanted)
{
    struct tr_str code = code_of(text);
    struct tokens t = in_braces(code), before = *wanted;
    if (!t.bare)
        return false;
    wanted->src &= ~t.bare;
    wanted->dst &= ~t.bare;
    if (find(code, "sync.") == SIZE_MAX)
        wanted->bare &= ~t.bare;
    return before.src != wanted->src || before.dst != wanted->dst || before.bare != wanted->bare;
}

/* A block whose end is reached with wanted tokens. */
struct visit {
    uint32_t block;
    struct tokens wanted;
};

struct walk {
    const struct tr_asm *a;
    struct tokens *seen; /* by block: tokens that were looked for from its end on; NULL: in no block */
    struct visit *todo;
    size_t n_todo, cap_todo;
    size_t *setters, *n;
};

static void add_setter(struct walk *w, size_t op)
{
    for (size_t k = 0; k < *w->n; k++)
        if (w->setters[k] == op)
            return;
    w->setters[(*w->n)++] = op;
}

/* Look back from an operation, not including it, to the start of its block, and note the blocks before. */
static bool look_back(struct walk *w, uint32_t block, size_t before, struct tokens wanted)
{
    const struct tr_asm_block *b = &w->a->blocks[block];
    for (size_t i = before; i > b->first && any(wanted); i--)
        if (resolve(w->a->ops[i - 1].text, &wanted))
            add_setter(w, i - 1);
    if (any(wanted) && b->n_preds && !w->seen && !(w->seen = calloc(w->a->n_blocks, sizeof *w->seen)))
        return false;
    for (size_t k = 0; k < b->n_preds && any(wanted); k++) {
        struct tokens *seen = &w->seen[b->preds[k]];
        struct visit v = { b->preds[k],
                           { wanted.bare & ~seen->bare, wanted.src & ~seen->src, wanted.dst & ~seen->dst } };
        if (!any(v.wanted))
            continue;
        *seen = (struct tokens){ seen->bare | wanted.bare, seen->src | wanted.src, seen->dst | wanted.dst };
        if (!tr_grow(&w->todo, &w->cap_todo, w->n_todo + 1, sizeof *w->todo))
            return false;
        w->todo[w->n_todo++] = v;
    }
    return true;
}

bool tr_asm_setters(const struct tr_asm *a, size_t op, size_t *setters, size_t *n)
{
    struct walk w = { .a = a, .setters = setters, .n = n };
    struct tokens wanted = waits_for(a->ops[op].text);
    *n = 0;
    if (!any(wanted))
        return true;
    bool ok = look_back(&w, a->ops[op].block, op, wanted);
    while (ok && w.n_todo) {
        struct visit v = w.todo[--w.n_todo];
        const struct tr_asm_block *b = &a->blocks[v.block];
        ok = look_back(&w, v.block, b->first + b->n, v.wanted);
    }
    free(w.seen);
    free(w.todo);
    return ok;
}

/* ---- texts ---- */

bool tr_asm_squeeze(struct tr_buf *out, struct tr_str text)
{
    bool ok = true;
    for (size_t i = 0; i < text.len && ok;) {
        size_t n = 0;
        while (i + n < text.len && !is_blank(text.s[i + n]))
            n++;
        ok = tr_buf_add(out, text.s + i, n);
        i += n;
        for (n = 0; i + n < text.len && is_blank(text.s[i + n]);)
            n++;
        if (n && i + n < text.len)
            ok = ok && tr_buf_add(out, " ", 1);
        i += n;
    }
    return ok;
}

bool tr_asm_annotate(struct tr_buf *out, const char *text, size_t len)
{
    struct tr_asm a;
    struct tr_str rest = { text, len }, line;
    size_t op = 0;
    bool ok = tr_asm_read(&a, text, len);
    while (ok && next_line(&rest, &line)) {
        char prefix[40] = "";
        struct tr_str code = trim(line);
        uint64_t address;
        bool has = take_address(&code, &address);
        if (is_instruction(code) && !starts(trim(line), "//") && op < a.n_ops)
            snprintf(prefix, sizeof prefix, "/* [%08" PRIX64 "] */ ", a.ops[op++].address);
        if (*prefix && has) { /* the new address in place of the old one */
            line = after(line, find(line, "*/") + 2);
            line = starts(line, " ") ? after(line, 1) : line;
        }
        ok = tr_buf_add_str(out, prefix) && tr_buf_add_text(out, line) && tr_buf_add(out, "\n", 1);
    }
    tr_asm_free(&a);
    return ok;
}
