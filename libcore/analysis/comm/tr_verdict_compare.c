/* SPDX-License-Identifier: MIT */
/* Whether calls of one number agree, and sends find their receives. */
#include "analysis/comm/tr_verdict_int.h"

#include "base/tr_sort.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct tr_str tr__verdict_operation(struct tr_str name)
{
    const char *colon = name.len ? memchr(name.s, ':', name.len) : NULL;
    size_t skip = colon ? (size_t)(colon - name.s) + 1 : 0;
    return (struct tr_str){ name.s + skip, name.len - skip };
}

int64_t tr__verdict_elements(struct tr_str s)
{
    int64_t sum = 0, product = 1;
    bool any = false, in_list = false;
    for (size_t i = 0; i < s.len;) {
        if (s.s[i] >= '0' && s.s[i] <= '9') {
            int64_t n = 0;
            for (; i < s.len && s.s[i] >= '0' && s.s[i] <= '9'; i++)
                n = n > INT64_MAX / 16 ? n : n * 10 + (s.s[i] - '0');
            product = n && product > INT64_MAX / n ? INT64_MAX : product * n;
            in_list = true;
            continue;
        }
        if (s.s[i] == ']' && in_list) {
            sum = sum > INT64_MAX - product ? INT64_MAX : sum + product;
            any = true;
            product = 1;
            in_list = false;
        }
        i++;
    }
    return any ? sum : -1;
}

static int64_t elements(const struct tr_verdicts *v, uint32_t sizes)
{
    return tr__verdict_elements(tr_dict_text_if(v->dict, sizes));
}

/* ---- what is compared ---- */

enum what { OPERATION, SIZES, TYPES };

static bool has(struct tr_str operation, const char *word)
{
    return tr_str_has(operation, tr_str_of(word));
}

/* Append the elements of each tensor: "8 4". */
static bool add_sizes(struct tr_buf *out, const char *title, struct tr_str sizes)
{
    bool ok = tr_buf_print(out, "%s%s", out->len ? ", " : "", title);
    for (size_t from = 0, i = 0; ok && i < sizes.len; i++) {
        if (sizes.s[i] == '[')
            from = i;
        if (sizes.s[i] != ']' || (i > 0 && sizes.s[i - 1] == ']'))
            continue;
        int64_t n = tr__verdict_elements((struct tr_str){ sizes.s + from, i + 1 - from });
        ok = n < 0 || tr_buf_print(out, " %" PRId64, n);
    }
    return ok;
}

/* The words of a list of texts, each once, in order: "BFloat16 Float". */
struct words {
    struct tr_str v[16];
    size_t n;
};

static void add_words(struct words *w, struct tr_str list)
{
    for (size_t i = 0; i < list.len; i++) {
        if (list.s[i] != '"')
            continue;
        const char *end = memchr(list.s + i + 1, '"', list.len - i - 1);
        if (!end)
            return;
        struct tr_str word = { list.s + i + 1, (size_t)(end - list.s) - i - 1 };
        size_t at = 0;
        while (at < w->n && tr_str_cmp(w->v[at], word) < 0)
            at++;
        if (w->n < 16 && (at == w->n || tr_str_cmp(w->v[at], word) != 0)) {
            memmove(&w->v[at + 1], &w->v[at], (w->n - at) * sizeof *w->v);
            w->v[at] = word;
            w->n++;
        }
        i = (size_t)(end - list.s);
    }
}

/*
 * What a rank says of one call, as a text that has to be the same on all ranks.  Only a root has inputs of a scatter
 * and outputs of a gather; parts of an all-to-all may differ, see sums_agree.
 */
static bool describe(const struct tr_verdicts *v, const struct tr_verdict_call *c, enum what what, struct tr_buf *out)
{
    struct tr_str op = tr__verdict_operation(tr_dict_text_if(v->dict, c->name));
    struct tr_str in = tr_dict_text_if(v->dict, c->in_sizes), to = tr_dict_text_if(v->dict, c->out_sizes);
    bool gather = has(op, "gather") && !has(op, "all"), scatter = has(op, "scatter") && !has(op, "reduce");
    bool parts = has(op, "all_to_all") || has(op, "alltoall");
    bool no_in = scatter || parts, no_out = gather || parts;
    if (what == OPERATION)
        return tr_buf_print(out, "%s", out->len ? " + " : "") && tr_buf_add(out, op.s ? op.s : "", op.len);
    if (what == SIZES)
        return (no_in || !in.len || add_sizes(out, "in", in)) && (no_out || !to.len || add_sizes(out, "out", to));
    struct words words = { .n = 0 };
    if (in.len && !scatter && !has(op, "broadcast"))
        add_words(&words, tr_dict_text_if(v->dict, c->in_types));
    if (to.len && !gather)
        add_words(&words, tr_dict_text_if(v->dict, c->out_types));
    bool ok = true;
    for (size_t i = 0; ok && i < words.n; i++)
        ok = tr_buf_print(out, "%s", out->len ? " " : "") && tr_buf_add(out, words.v[i].s, words.v[i].len);
    return ok;
}

/* The texts of all members that have the call, in an array by member; empty: it says nothing. */
static bool describe_all(const struct tr_verdicts *v, const struct tr__verdict_group *g, enum what what,
                         struct tr_buf *texts)
{
    bool ok = true;
    for (size_t m = 0; m < g->ranks.n; m++) {
        const struct tr__verdict_member *x = &g->members[m];
        texts[m].len = 0;
        for (size_t c = x->call; ok && c < x->call + x->n_calls; c++)
            ok = describe(v, &v->calls[c], what, &texts[m]);
    }
    return ok;
}

static bool same(const struct tr_buf *a, const struct tr_buf *b)
{
    return a->len == b->len && (!a->len || memcmp(a->data, b->data, a->len) == 0);
}

/* The member whose text most have; SIZE_MAX: two texts are had by equally many.  *differ: not all are the same. */
static size_t most(const struct tr__verdict_group *g, const struct tr_buf *texts, bool *differ)
{
    size_t best = SIZE_MAX, n_best = 0, first = SIZE_MAX;
    *differ = false;
    for (size_t m = 0; m < g->ranks.n; m++) {
        size_t n = 0;
        bool seen = false;
        if (!g->members[m].n_calls || !texts[m].len)
            continue;
        first = first == SIZE_MAX ? m : first;
        *differ |= !same(&texts[m], &texts[first]);
        for (size_t k = 0; k < g->ranks.n; k++)
            if (g->members[k].n_calls && same(&texts[k], &texts[m])) {
                seen |= k < m;
                n++;
            }
        if (seen)
            continue;
        best = n == n_best ? SIZE_MAX : n > n_best ? m : best;
        n_best = n > n_best ? n : n_best;
    }
    return best;
}

/* The ranks that differ from the most, what these call, and what the first of them calls. */
static bool blame(const struct tr__verdict_group *g, const struct tr_buf *texts, size_t expected, struct tr_verdict *f)
{
    bool ok = tr_buf_add(&f->expected, texts[expected].data, texts[expected].len);
    for (size_t m = 0; ok && m < g->ranks.n; m++) {
        if (!g->members[m].n_calls || !texts[m].len || same(&texts[m], &texts[expected]))
            continue;
        if (!f->culprits.n)
            ok = tr_buf_add(&f->seen, texts[m].data, texts[m].len);
        ok = ok && tr__verdict_rank(&f->culprits, g->members[m].rank);
    }
    return ok;
}

/* What each part says, where no side is the larger one: "4 8". */
static bool list_all(const struct tr__verdict_group *g, const struct tr_buf *texts, struct tr_verdict *f)
{
    bool ok = true;
    for (size_t m = 0, n = 0; ok && m < g->ranks.n && n < 2; m++) {
        if (!g->members[m].n_calls || !texts[m].len ||
            (n && same(&texts[m], &f->expected)))
            continue;
        ok = tr_buf_add(n ? &f->seen : &f->expected, texts[m].data, texts[m].len);
        n++;
    }
    return ok;
}

/* In an all-to-all, all ranks together receive what all send. */
static bool sums_agree(const struct tr_verdicts *v, const struct tr__verdict_group *g, struct tr_verdict *f, bool *ok)
{
    int64_t in = 0, out = 0;
    for (size_t m = 0; m < g->ranks.n; m++) {
        const struct tr__verdict_member *x = &g->members[m];
        struct tr_str op = tr__verdict_operation(tr_dict_text_if(v->dict, f->call));
        if (!x->n_calls || (!has(op, "all_to_all") && !has(op, "alltoall")))
            return true;
        for (size_t c = x->call; c < x->call + x->n_calls; c++) {
            int64_t a = elements(v, v->calls[c].in_sizes), b = elements(v, v->calls[c].out_sizes);
            if (a < 0 || b < 0 || a > INT64_MAX / 4 - in || b > INT64_MAX / 4 - out)
                return true;
            in += a;
            out += b;
        }
    }
    if (in != out)
        *ok = *ok && tr_buf_print(&f->expected, "in %" PRId64 " of all ranks", in) &&
              tr_buf_print(&f->seen, "out %" PRId64 " of all ranks", out);
    return in == out;
}

enum tr_verdict_kind tr__verdict_compare(const struct tr_verdicts *v, const struct tr__verdict_group *g,
                                         struct tr_verdict *f, bool *ok)
{
    static const enum tr_verdict_kind kinds[] = { TR_VERDICT_TYPE, TR_VERDICT_SIZE, TR_VERDICT_DTYPE };
    struct tr_buf *texts = calloc(g->ranks.n + 1, sizeof *texts);
    enum tr_verdict_kind kind = TR_VERDICT_NONE;
    *ok = *ok && texts != NULL;
    for (unsigned what = OPERATION; *ok && kind == TR_VERDICT_NONE && what <= TYPES; what++) {
        bool differ = false;
        *ok = describe_all(v, g, (enum what)what, texts);
        size_t expected = *ok ? most(g, texts, &differ) : SIZE_MAX;
        if (differ) {
            kind = kinds[what];
            *ok = expected == SIZE_MAX ? list_all(g, texts, f) : blame(g, texts, expected, f);
            if (*ok && expected != SIZE_MAX)
                f->call = v->calls[g->members[expected].call].name;
        } else if (what == SIZES && !sums_agree(v, g, f, ok)) {
            kind = TR_VERDICT_SIZE;
        }
    }
    for (size_t m = 0; texts && m < g->ranks.n; m++)
        tr_buf_free(&texts[m]);
    free(texts);
    return kind;
}

/* ---- sends and receives ---- */

/* A send or a receive that is not complete.  Ranks are global ones. */
struct p2p {
    int64_t from, to;
    bool receives;
    uint32_t call;
    size_t at;
};

TR_ORDER(by_pair, struct p2p, TR_UP(from), TR_UP(to), TR_UP(receives), TR_UP(at))

/* "send 0->1" or "recv 1<-0": ranks in the group.  False: it is neither. */
static bool read_p2p(const struct tr_verdicts *v, const struct tr__verdict_group *g, size_t c, struct p2p *p)
{
    struct tr_str s = tr__verdict_operation(tr_dict_text_if(v->dict, v->calls[c].name));
    int64_t n[2] = { -1, -1 };
    for (size_t i = 0, k = 0; i < s.len && k < 2;) {
        size_t from = i;
        int64_t x = 0;
        while (i < s.len && s.s[i] >= '0' && s.s[i] <= '9' && i - from < 9)
            x = x * 10 + (s.s[i++] - '0');
        if (i > from)
            n[k++] = x;
        else
            i++;
    }
    bool receives = tr_str_has(s, tr_str_of("<-"));
    if (n[1] < 0 || (uint64_t)n[0] >= g->ranks.n || (uint64_t)n[1] >= g->ranks.n)
        return false;
    *p = (struct p2p){ .from = g->ranks.v[n[receives]], .to = g->ranks.v[n[!receives]], .receives = receives,
                       .call = (uint32_t)c, .at = c };
    return true;
}

static struct tr__verdict_member *member_by_rank(struct tr__verdict_group *g, int64_t rank)
{
    for (size_t m = 0; m < g->ranks.n; m++)
        if (g->members[m].rank == rank)
            return &g->members[m];
    return NULL;
}

/* A send or receive: without its partner (other NULL), with one of another size, or with its like. */
static bool add_p2p(struct tr_verdicts *v, struct tr__verdict_group *g, const struct p2p *one, const struct p2p *other,
                    enum tr_verdict_kind kind)
{
    const struct tr_verdict_call *c = &v->calls[one->call];
    int64_t own = one->receives ? one->to : one->from, peer = one->receives ? one->from : one->to;
    const struct tr__verdict_member *m = member_by_rank(g, peer);
    struct tr_verdict f = { .group = g->number, .number = c->number, .p2p = true, .call = c->name,
                            .follows = UINT32_MAX, .since = c->ts };
    bool ok = tr__verdict_rank(&f.waiting, own);
    f.own = f.kind = !m || m->dump == UINT32_MAX ? TR_VERDICT_UNDECIDED : kind;
    if (other)
        ok = ok && tr__verdict_rank(&f.waiting, peer);
    if (f.kind == TR_VERDICT_SIZE)
        ok = ok && tr_buf_print(&f.expected, "%" PRId64, elements(v, c->in_sizes)) &&
             tr_buf_print(&f.seen, "%" PRId64, elements(v, v->calls[other->call].out_sizes));
    if (f.kind == TR_VERDICT_MISSING)
        ok = ok && tr__verdict_rank(&f.culprits, peer);
    struct tr_str where = tr_dict_text_if(v->dict, c->where);
    ok = ok && (!where.len || (tr_buf_print(&f.where, "rank %" PRId64 " at ", own) &&
                               tr_buf_add(&f.where, where.s, where.len)));
    ok = ok && tr_grow(&v->found, &v->cap_found, v->n_found + 1, sizeof f);
    if (ok)
        v->found[v->n_found++] = f;
    else
        tr__verdict_free(&f);
    return ok;
}

static bool sizes_agree(const struct tr_verdicts *v, const struct p2p *send, const struct p2p *receive)
{
    int64_t a = elements(v, v->calls[send->call].in_sizes), b = elements(v, v->calls[receive->call].out_sizes);
    return a < 0 || b < 0 || a == b;
}

/* The first fault of each pair of ranks. */
static bool match_pair(struct tr_verdicts *v, struct tr__verdict_group *g, const struct p2p *p, size_t n)
{
    size_t sends = 0;
    while (sends < n && !p[sends].receives)
        sends++;
    size_t receives = n - sends, both = sends < receives ? sends : receives;
    for (size_t i = 0; i < both; i++)
        if (!sizes_agree(v, &p[i], &p[sends + i]))
            return add_p2p(v, g, &p[i], &p[sends + i], TR_VERDICT_SIZE);
    if (sends == receives)
        return add_p2p(v, g, &p[0], &p[sends], TR_VERDICT_STUCK);
    return add_p2p(v, g, sends > both ? &p[both] : &p[sends + both], NULL, TR_VERDICT_MISSING);
}

bool tr__verdict_p2p(struct tr_verdicts *v, struct tr__verdict_group *g)
{
    struct p2p *p = calloc(g->last - g->p2p + 1, sizeof *p);
    size_t n = 0;
    bool ok = p != NULL;
    for (size_t c = g->p2p; ok && c < g->last; c++)
        if (v->calls[c].state != TR_CALL_COMPLETED && read_p2p(v, g, c, &p[n]))
            n++;
    if (ok && n)
        qsort(p, n, sizeof *p, by_pair);
    for (size_t i = 0; ok && i < n;) {
        size_t k = i;
        while (k < n && p[k].from == p[i].from && p[k].to == p[i].to)
            k++;
        ok = match_pair(v, g, p + i, k - i);
        i = k;
    }
    free(p);
    return ok;
}
