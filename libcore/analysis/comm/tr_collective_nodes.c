/* SPDX-License-Identifier: MIT */
/* Ranks of a process group, and the nodes that they are on. */
#include "analysis/comm/tr_collective_table_int.h"

#include "base/tr_num.h"

#include <string.h>

bool tr__comm_list_next(struct tr_str *list, int64_t *number)
{
    uint64_t n = 0;
    size_t at = 0, len;
    while (at < list->len && !tr_num_is_digit(list->s[at]))
        at++;
    if (memchr(list->s, '.', at)) /* abbreviated */
        at = list->len;
    len = tr_num_digits(list->s + at, list->len - at, INT64_MAX, &n, NULL);
    list->s += at + len;
    list->len -= at + len;
    *number = (int64_t)n;
    return len > 0;
}

/* The next rank of a group whose ranks are numbers with equal distances, or a list. */
struct ranks {
    const struct tr_coll_group *group;
    struct tr_str list; /* what is left of it */
    int64_t n;          /* so far */
};

static bool next_rank(struct ranks *r, int64_t *rank)
{
    const struct tr_coll_group *g = r->group;
    bool more = r->list.s ? tr__comm_list_next(&r->list, rank)
                          : g->start >= 0 && g->stride >= 0 && r->n < g->size;
    if (more && !r->list.s)
        *rank = g->start + r->n * g->stride;
    r->n += more;
    return more;
}

static struct ranks ranks_of(const struct tr__comm_view *v, const struct tr_coll *coll)
{
    const struct tr_coll_group *g = &v->c->groups[coll->group];
    return (struct ranks){ .group = g, .list = tr_dict_text_if(v->dict, g->ranks) };
}

bool tr__comm_ranks(const struct tr__comm_view *v, const struct tr_coll *coll, struct tr__comm_list *out)
{
    struct ranks r = ranks_of(v, coll);
    int64_t rank;
    out->n = 0;
    while (out->n < TR__COMM_MAX_RANKS && next_rank(&r, &rank)) {
        if (!tr_grow(&out->v, &out->cap, out->n + 1, sizeof *out->v))
            return false;
        out->v[out->n++] = rank;
    }
    return true;
}

/* ---- nodes ---- */

/* The members of a list in JSON that are objects. */
static int64_t count_objects(const char *s)
{
    int64_t n = 0, depth = 0;
    for (bool quoted = false; *s; s++) {
        if (quoted && *s == '\\' && s[1])
            s++;
        else if (*s == '"')
            quoted = !quoted;
        else if (!quoted && (*s == '[' || *s == '{'))
            n += depth++ == 1 && *s == '{';
        else if (!quoted && (*s == ']' || *s == '}'))
            depth--;
    }
    return n;
}

/*
 * Traces of PyTorch list the devices of the node.  A single device says nothing: a process may see its own alone.
 * Sources that disagree say nothing either.
 */
int64_t tr__comm_gpus_per_node(const struct tr_dict *dict)
{
    int64_t known = 0;
    for (uint32_t i = 0; i < dict->n_sources; i++) {
        const struct tr_source *source = &dict->sources[i];
        for (uint32_t k = 0; k < source->n_header; k++) {
            if (!tr_str_is(tr_dict_text_if(dict, source->header_keys[k]), "deviceProperties"))
                continue;
            int64_t n = count_objects(tr_dict_str(dict, source->header_values[k]));
            if (n < 2 || (known && n != known))
                return 0;
            known = n;
        }
    }
    return known;
}

void tr__comm_node_cell(const struct tr__comm_view *v, uint32_t party)
{
    int64_t rank = v->c->parties[party].rank;
    tr__comm_number_cell(v, v->gpus_per_node && rank >= 0 ? rank / v->gpus_per_node : -1);
}

void tr__comm_span_text(const struct tr__comm_view *v, int64_t a, int64_t b)
{
    bool known = v->gpus_per_node && a >= 0 && b >= 0;
    tr_table_string(v->t, !known ? NULL : a / v->gpus_per_node == b / v->gpus_per_node ? "intra" : "inter");
}

/* Two ranks on different nodes tell enough; that all are on one node, only a whole list tells. */
void tr__comm_span_cell(const struct tr__comm_view *v, const struct tr_coll *coll)
{
    struct ranks r = ranks_of(v, coll);
    int64_t size = v->c->groups[coll->group].size, rank = -1, first = -1, other = -1;
    while (v->gpus_per_node && next_rank(&r, &rank)) {
        first = first < 0 ? rank : first;
        other = rank / v->gpus_per_node != first / v->gpus_per_node ? rank : other;
    }
    for (uint32_t k = 0; v->gpus_per_node && !r.n && k < coll->n; k++) {
        rank = v->c->parties[v->c->members[coll->first + k].party].rank;
        first = first < 0 ? rank : first;
        other = rank >= 0 && rank / v->gpus_per_node != first / v->gpus_per_node ? rank : other;
    }
    bool whole = r.n ? size < 0 || r.n >= size : size >= 0 && coll->n >= size;
    tr__comm_span_text(v, first, other >= 0 ? other : whole ? first : -1);
}
