/* SPDX-License-Identifier: MIT */
/* Opening: the rank of each source. */
#include "formats/tr_open_int.h"

#include "formats/common/tr_metadata_rank.h"
#include "model/tr_rank.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The rank in a source's header; the last member of the name counts. */
static bool rank_in_header(const struct tr_dict *d, const struct tr_source *s, int64_t *rank)
{
    *rank = -1;
    for (uint32_t i = s->n_header; i > 0 && *rank < 0; i--) {
        uint32_t value = s->header_values[i - 1];
        if (tr_str_is(tr_dict_text(d, s->header_keys[i - 1]), TR__RANK_MEMBER))
            tr__metadata_rank(tr_dict_str(d, value), tr_strtab_len(d->strings, value), rank);
    }
    return *rank >= 0;
}

static enum tr_status fail_no_rank(const struct tr__opened *o, const struct tr_rank_claim *c, const char *what,
                                   struct tr_error *err)
{
    tr_error_input(err, o->in->name);
    if (c->n > 1)
        tr_error_place(err, "source %u", c->number);
    return tr_fail(err, TR_DAMAGED, "has no rank in its %s: choose another --rank-from", what);
}

enum tr_status tr__ranks_by_input(struct tr_rank_claim *c, size_t n, const struct tr__opened *o,
                                  const struct tr_open_opts *opts, struct tr_error *err)
{
    const struct tr_dict *d = o->in->dict;
    for (size_t k = 0; k < n; k++) {
        const struct tr_source *s = &d->sources[c[k].number];
        if (opts->rank_from == TR_RANK_FROM_METADATA) {
            if (!rank_in_header(d, s, &c[k].rank))
                return fail_no_rank(o, &c[k], "metadata (distributedInfo.rank)", err);
            c[k].rule = TR_RANK_METADATA;
        } else if (opts->rank_from == TR_RANK_FROM_NAME) {
            if (!(n == 1 && tr_rank_from_name(o->in->name, &c[k].rank)) &&
                !tr_rank_from_name(tr_dict_str(d, s->name), &c[k].rank))
                return fail_no_rank(o, &c[k], "name", err);
            c[k].rule = TR_RANK_FILE_NAME;
        } else if (opts->rank_from == TR_RANK_FROM_PID) {
            c[k].rank = s->pid != TR_I64_NONE ? s->pid : s->other_pid;
            if (c[k].rank < 0 || c[k].rank > INT32_MAX)
                return fail_no_rank(o, &c[k], "process id", err);
            c[k].rule = TR_RANK_PID;
        }
    }
    return TR_OK;
}

/* Is an input of the process of another one: a file of its result folder, or a recording of it at another time? */
static bool same_process(const struct tr_rank_conflicts *c, size_t i, size_t k)
{
    const struct tr_rank_claim *a = &c->v[i], *b = &c->v[k];
    return a->input != b->input &&
           (tr_result_folder_same(a->of_input, b->of_input) ||
            (tr_same_worker(a->of_input, b->of_input) && a->pid == b->pid && !tr_rank_claims_overlap(a, b)));
}

/* The claim whose rank a claim by place gets, among the n first ones; SIZE_MAX: none. */
static size_t process_of(const struct tr_rank_conflicts *c, size_t i, size_t n, bool known)
{
    const char *own = c->v[i].of_input;
    size_t found = SIZE_MAX;
    if (!tr_same_worker(own, own) && !tr_result_folder_same(own, own))
        return SIZE_MAX; /* its name does not say with which others it belongs together */
    for (size_t k = 0; k < n; k++) {
        if (tr_same_worker(c->v[i].of_input, c->v[k].of_input) && c->v[i].input != c->v[k].input &&
            tr_rank_claims_overlap(&c->v[i], &c->v[k]))
            return SIZE_MAX; /* another process after all */
        if (found == SIZE_MAX && same_process(c, i, k) && !(known && c->v[k].by_place))
            found = k;
    }
    return found;
}

void tr__ranks_of_places(struct tr_rank_conflicts *c)
{
    size_t n_joined = 0, n_more = 0, own = 0; /* sources besides the first: of earlier inputs, and of this one */
    for (size_t i = 0; i < c->n; i++) {
        struct tr_rank_claim *of = &c->v[i];
        if (!of->by_place)
            continue;
        size_t known = process_of(c, i, c->n, true), k = known == SIZE_MAX ? process_of(c, i, i, false) : known;
        if (of->number == 0) {
            n_more += own;
            own = k == SIZE_MAX ? of->n - 1 : 0;
        }
        if (k == SIZE_MAX) {
            of->rank += (int64_t)(of->input - n_joined + n_more);
            continue;
        }
        of->rank = c->v[k].rank;
        of->rule = c->v[k].rule;
        n_joined += of->number == 0;
    }
}

enum tr_status tr__ranks_by_place(struct tr_rank_claim *c, size_t n, bool raw, size_t place,
                                  const struct tr_open_opts *opts, struct tr_error *err)
{
    bool given = opts->rank_from == TR_RANK_FROM_OPTION;
    if (opts->rank_from == TR_RANK_FROM_DEFAULT) {
        const int64_t first = n ? c[0].rank : 0; /* a trace did not know its place when it was opened */
        for (size_t k = 0; k < n && raw; k++)
            if (c[k].rule == TR_RANK_ORDER) {
                c[k].by_place = true;
                c[k].rank -= first;
            }
        return TR_OK;
    }
    if ((!given && opts->rank_from != TR_RANK_FROM_ORDER) || (given && place >= opts->n_ranks))
        return TR_OK;
    for (size_t k = 1; k < n; k++)
        if (c[k].rank != c[0].rank) {
            tr_error_input(err, c[k].of_input);
            return tr_fail(err, TR_USAGE,
                           "holds ranks %" PRId64 " and %" PRId64 ", and would get one", c[0].rank,
                           c[k].rank);
        }
    for (size_t k = 0; k < n; k++) {
        c[k].rank = given ? opts->ranks[place] : (int64_t)place;
        c[k].rule = given ? TR_RANK_OPTION : TR_RANK_ORDER;
    }
    return TR_OK;
}

struct tr_merge_rank *tr__ranks_of(const struct tr_rank_conflicts *c)
{
    struct tr_merge_rank *ranks = calloc(c->n + 1, sizeof *ranks);
    for (size_t i = 0; ranks && i < c->n; i++)
        ranks[i] = (struct tr_merge_rank){ c->v[i].rank, c->v[i].rule };
    return ranks;
}

enum tr_status tr__ranks_check(const struct tr_open_opts *opts, size_t n_inputs,
                               struct tr_error *err)
{
    if (opts->rank_from != TR_RANK_FROM_OPTION || opts->n_ranks == n_inputs)
        return TR_OK;
    return tr_fail(err, TR_USAGE, "%zu ranks for %zu inputs", opts->n_ranks, n_inputs);
}
