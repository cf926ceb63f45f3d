/* SPDX-License-Identifier: MIT */
/* Tables of ranks that are printed as their spread. */
#include "cli/cli_spread.h"

#include "base/tr_mem.h"
#include "base/tr_sort.h"
#include "model/tr_rank.h"

#include <stdlib.h>

/* The host or place of a rank. */
struct cli_rank_value {
    int64_t rank;
    struct tr_cell_value value;
};

static const struct tr_table_column groups[] = {
    [TR_PER_HOST] = { "host", TR_CELL_STRING, TR_ROLE_GROUP, .meaning = "the host of the ranks" },
    [TR_PER_TP] = { "tp", TR_CELL_INT, TR_ROLE_GROUP, .meaning = "their number among tensor parallel ranks" },
    [TR_PER_PP] = { "pp", TR_CELL_INT, TR_ROLE_GROUP, .meaning = "their pipeline stage" },
    [TR_PER_DP] = { "dp", TR_CELL_INT, TR_ROLE_GROUP, .meaning = "their number among data parallel ranks" },
    [TR_PER_EP] = { "ep", TR_CELL_INT, TR_ROLE_GROUP, .meaning = "their number among expert parallel ranks" },
};

static struct tr_cell_value value_of(const struct tr_dict *d, const struct tr_source *s, int per)
{
    if (per == TR_PER_HOST)
        return (struct tr_cell_value){ .text = tr_dict_text_if(d, s->host), .i = TR_I64_NONE };
    int64_t place = tr_mesh_place(tr_dict_str(d, s->mesh), groups[per].name);
    return (struct tr_cell_value){ .i = place < 0 ? TR_I64_NONE : place };
}

TR_ORDER(by_rank, struct cli_rank_value, TR_UP(rank))

enum tr_status cli_spread_start(struct cli_spread *s, const struct tr_dict *dict, struct tr_error *err)
{
    bool known = s->per == TR_PER_SPREAD;
    s->values = calloc(dict->n_sources + 1, sizeof *s->values);
    if (!s->values)
        return tr_fail_memory(err);
    for (uint32_t i = 0; !known && i < dict->n_sources; i++) {
        struct cli_rank_value *v = &s->values[s->n++];
        *v = (struct cli_rank_value){ dict->sources[i].rank, value_of(dict, &dict->sources[i], s->per) };
    }
    for (size_t i = 0; !known && i < s->n; i++)
        known = s->values[i].value.text.s || s->values[i].value.i != TR_I64_NONE;
    qsort(s->values, s->n, sizeof *s->values, by_rank);
    return known ? TR_OK
                 : tr_fail(err, TR_ABSENT, s->per == TR_PER_HOST ? "--per %s: no input names its host"
                                                               : "--per %s: no name of an input has this axis",
                           groups[s->per].name);
}

void cli_spread_free(struct cli_spread *s)
{
    free(s->values);
    s->values = NULL;
    s->n = 0;
}

static struct tr_cell_value of_rank(const void *self, int64_t rank)
{
    const struct cli_spread *s = self;
    size_t at = 0;
    TR_BOUND(at, s->n, mid, s->values[mid].rank < rank);
    return at < s->n && s->values[at].rank == rank ? s->values[at].value : (struct tr_cell_value){ .i = TR_I64_NONE };
}

const char *cli_spread_figure(const struct tr_table *of, const char *sort)
{
    size_t named = sort ? tr_table_find(of, sort) : SIZE_MAX;
    return named != SIZE_MAX && named == tr_table_spread_figure(of, sort) ? sort : NULL;
}

enum tr_status cli_spread_fill(const struct cli_spread *s, const struct tr_table *of, const char *figure, bool rows,
                               struct tr_table *to, struct tr_error *err)
{
    const struct tr_spread_by by = { figure, s->per == TR_PER_SPREAD ? NULL : &groups[s->per], of_rank, s };
    if (tr_table_spread_figure(of, figure) == SIZE_MAX)
        return tr_fail(err, TR_USAGE, "the view has no figures of ranks, so they have no spread");
    tr_table_spread_columns(of, &by, to);
    enum tr_status st = tr_table_ready(to, err);
    return st == TR_OK && rows ? tr_table_spread(of, &by, to, err) : st;
}
