/* SPDX-License-Identifier: MIT */
/* Shared by the tables of collectives: the matching, as a service, and values of rows. */
#include "analysis/comm/tr_collective_table.h"

#include "analysis/clocks/tr_align.h"
#include "analysis/comm/tr_stages.h"
#include "base/tr_num.h"
#include "model/tr_rank.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the matching ---- */

void tr__comm_matching_free(struct tr__comm_matching *m)
{
    tr_coll_finder_free(m->finder);
    tr_colls_free(m->colls);
    tr_stages_free(m->stages);
    tr_eventmap_free(&m->sources);
    tr_eventmap_free(&m->tracks);
    free(m->shifts);
    tr_buf_free(&m->text);
}

static void matching_free(void *state)
{
    tr__comm_matching_free(state);
    free(state);
}

static enum tr_status matching_start(const struct tr_analysis_in *in, const void *options, void **state,
                                     struct tr_error *err)
{
    struct tr__comm_matching *m = *state = calloc(1, sizeof *m);
    (void)options;
    if (!m)
        return tr_fail_memory(err);
    m->in = *in;
    return tr_coll_finder_new(in->dict, in->select, &m->finder, err);
}

static enum tr_status matching_feed(void *state, const struct tr_batch *b, const uint8_t *keep,
                                    struct tr_error *err)
{
    struct tr__comm_matching *m = state;
    enum tr_status st = tr_coll_feed(m->finder, b, keep, err);
    return st == TR_OK && m->stages ? tr_stages_feed(m->stages, m->finder, b, err) : st;
}

static enum tr_status matching_finish(void *state, struct tr_error *err)
{
    (void)state;
    (void)err;
    return TR_OK; /* the data so far may be saved first */
}

static const struct tr_service matching_service = {
    .name = "collectives",
    .start = matching_start,
    .feed = matching_feed,
    .finish = matching_finish,
    .free = matching_free,
};

/* ---- what a user must know about the numbers ---- */

struct doubts {
    uint64_t n, early, early_here, order, incomplete, differ, apart;
    uint64_t no_base; /* their times do not compare; early_here: all ranks are of one source, with one clock */
    uint64_t timed, skewed; /* all ranks wait in them, but they do not end together */
};

static struct doubts count_doubts(const struct tr__comm_view *v)
{
    struct doubts d = { 0 };
    for (size_t i = 0; i < v->c->n; i++) {
        const struct tr_coll *coll = &v->c->colls[i];
        struct tr_collective_times s;
        if (!tr_collective_picked(v->c, i))
            continue;
        d.n++;
        d.order += coll->how == TR_COLL_BY_ORDER && coll->n > 1;
        d.apart += coll->how == TR_COLL_ALONE && coll->type != TR_COLL_SEND && coll->type != TR_COLL_RECV;
        d.incomplete += (coll->wrong & TR_COLL_INCOMPLETE) != 0;
        d.differ += (coll->wrong & (TR_COLL_NAMES_DIFFER | TR_COLL_SIZES_DIFFER)) != 0;
        if (!tr_collective_measure(v->dict, v->c, i, v->suspect, &s))
            continue;
        bool here = s.early && tr_collective_of_one_source(v->c, coll);
        d.early += s.early && !here;
        d.early_here += here;
        d.no_base += s.n > 1 && !s.compared;
        if (s.compared && tr_coll_is_sync((enum tr_coll_type)coll->type)) {
            d.timed++;
            d.skewed += tr_collective_skewed(&s);
        }
    }
    return d;
}

static void remark_doubts(const struct tr_analysis_in *in, const struct tr__comm_view *v,
                          bool lists_mismatches)
{
    struct doubts d = count_doubts(v);
    bool aligned = tr_dict_aligned(v->dict) || v->c->aligned;
    if (v->c->host)
        tr_analysis_remark(in, TR_REMARK_WARN, "",
                           "no kernels of collectives: times are those of the host's records");
    if (d.no_base)
        tr_analysis_remark(in, TR_REMARK_RESULT, "",
                           "%" PRIu64 " of %" PRIu64 " collectives are on ranks with a time base and on ranks without, "
                           "which are not compared: tr-align(1) makes them comparable",
                           d.no_base, d.n);
    if (d.early)
        tr_analysis_remark(in, aligned ? TR_REMARK_RESULT : TR_REMARK_WARN, "",
                           "%" PRIu64 " of %" PRIu64 " collectives end on a rank before the last rank has come%s",
                           d.early, d.n, aligned ? TR_COLLECTIVE_ALIGNED : TR_COLLECTIVE_NOT_ALIGNED);
    if (d.early_here)
        tr_analysis_remark(in, TR_REMARK_WARN, "",
                           "%" PRIu64 " of %" PRIu64 " collectives end on a rank before the last rank has come, by the "
                           "one clock of their file: times in it were not aligned, or these are not one collective",
                           d.early_here, d.n);
    if (!d.early && !d.early_here && !aligned && d.skewed > d.timed / 2)
        tr_analysis_remark(in, TR_REMARK_WARN, "",
                           "%" PRIu64 " of %" PRIu64
                           " collectives end on their ranks about as far apart as they start: the "
                           "clocks of the ranks differ, and who comes last is not known: run tr-align first",
                           d.skewed, d.timed);
    if (d.apart)
        tr_analysis_remark(in, TR_REMARK_WARN, "",
                           "%" PRIu64 " of %" PRIu64 " collectives could not be matched across ranks",
                           d.apart, d.n);
    if ((d.incomplete || d.differ) && !lists_mismatches)
        tr_analysis_remark(in, TR_REMARK_WARN, "",
                           "ranks are missing in %" PRIu64 " of %" PRIu64
                           " collectives, and differ in %" PRIu64 ": --by mismatch lists them",
                           d.incomplete, d.n, d.differ);
    if (d.order)
        tr_analysis_remark(in, TR_REMARK_DETAIL, "", "%" PRIu64 " of %" PRIu64 " collectives matched by their order",
                           d.order, d.n);
}

/* Append a reason with its count, if there is one. */
static void add_reason(char *text, size_t size, uint64_t n, const char *reason)
{
    size_t at = strlen(text);
    if (n)
        snprintf(text + at, size - at, "%s %" PRIu64 " %s", at ? "," : "", n, reason);
}

void tr__comm_remark_left(const struct tr__comm_view *v, const struct tr_collective_left *left)
{
    char why[300] = "";
    add_reason(why, sizeof why, left->one_sided,
               "in which not every rank waits (broadcast, reduce, gather, scatter, send, recv)");
    add_reason(why, sizeof why, left->alone, "shown by one rank only");
    add_reason(why, sizeof why, left->untimed, "with impossible times");
    if (*why)
        tr_analysis_remark(v->in, TR_REMARK_RESULT, "", "%" PRIu64 " of %" PRIu64 " collectives are left out:%s",
                           left->one_sided + left->alone + left->untimed, left->chosen, why);
}

/* ---- the functions of an analysis ---- */

const struct tr_comm_options tr__comm_defaults = { .gpus_per_node = 0 };
const struct tr_option tr__comm_node_options[] = {
    { 0, "gpus-per-node", "N", TR_OPTION_U64, offsetof(struct tr_comm_options, gpus_per_node), .lo = 1, .hi = 1 << 20,
      .shown = true,
      .help = "ranks on a node, for columns that say whether ranks are on one [unknown]" },
    { 0 },
};

enum tr_status tr__comm_start(const struct tr_analysis_in *in, const void *options, void *state,
                              struct tr_error *err)
{
    struct tr__comm_state *s = state;
    s->in = *in;
    s->options = options == &tr__comm_defaults ? NULL : options; /* nobody asks about nodes */
    return tr_service_get(in, &matching_service, NULL, &s->matching, err);
}

enum tr_status tr__comm_start_stages(const struct tr_analysis_in *in, const void *options, void *state,
                                     struct tr_error *err)
{
    struct tr__comm_state *s = state;
    enum tr_status st = tr__comm_start(in, options, s, err);
    struct tr__comm_matching *m = s->matching;
    return st == TR_OK && !m->stages ? tr_stages_new(&m->in, &m->stages, err) : st;
}

enum tr_status tr__comm_stages(const struct tr__comm_view *v, struct tr_stages **stages, struct tr_error *err)
{
    struct tr__comm_matching *m = ((const struct tr__comm_state *)v->state)->matching;
    bool first = !m->staged;
    *stages = m->stages;
    m->staged = true;
    return first ? tr_stages_finish(m->stages, v->c, err) : TR_OK;
}

static enum tr_status match(struct tr__comm_matching *m, const struct tr_analysis_in *in, struct tr_error *err)
{
    enum tr_status st = tr_coll_match(m->finder, &m->colls, err);
    if (st != TR_OK || !in->one_clock || tr_dict_aligned(in->dict))
        return st;
    return tr_align_matched(m->colls, in->dict, in->one_clock, err);
}

enum tr_status tr__comm_finish(void *state, struct tr_table *t, tr__comm_rows *rows, enum tr__comm_says says,
                               struct tr_error *err)
{
    struct tr__comm_state *s = state;
    struct tr__comm_matching *m = s->matching;
    enum tr_status matched = m->colls ? TR_OK : match(m, &s->in, err);
    if (matched != TR_OK)
        return matched;
    bool by_step = s->in.grouped && s->in.work.per == TR_PER_STEP;
    struct tr_steps *steps = by_step ? tr_steps_new(s->in.summary) : NULL;
    struct tr__comm_view v = {
        .in = &s->in, .dict = s->in.dict, .c = m->colls, .steps = steps, .state = state, .suspect = s->in.work.suspect,
        .t = t, .text = &m->text, .since = m->n_shifts ? tr_time_diff(s->in.dict->sources[0].base_ns, m->base) : 0,
        .gpus_per_node = s->options ? (int64_t)s->options->gpus_per_node : 0
    };
    if ((by_step && !steps) || (!m->colls->differ && !tr_collective_find_differ(v.dict, m->colls, v.suspect))) {
        tr_steps_free(steps);
        return tr_fail_memory(err);
    }
    if (s->options && !v.gpus_per_node)
        v.gpus_per_node = tr__comm_gpus_per_node(v.dict);
    if (says != TR__COMM_SAYS_NOTHING && !m->warned) {
        remark_doubts(&s->in, &v, says == TR__COMM_LISTS_MISMATCHES);
        m->warned = true;
    }
    enum tr_status st = rows(&v, err);
    tr_steps_free(steps);
    return st;
}

/* ---- rows ---- */

int64_t tr__comm_start_of(const struct tr__comm_view *v, const struct tr_coll_member *m)
{
    return tr_source_to_file(&v->dict->sources[m->source], m->start);
}

void tr__comm_row(const struct tr__comm_view *v, const void *row)
{
    tr_table_row(v->t, &(struct tr_row){ .row = row });
}

static struct tr_str name_of(const struct tr__comm_view *v, const struct tr_coll_group *g)
{
    if (g->sets == TR_NO_STR)
        return tr_dict_text_if(v->dict, g->name);
    bool named = tr_coll_set_name(tr_dict_text(v->dict, g->sets), g->set, v->text) && v->text->len;
    return named ? (struct tr_str){ (const char *)v->text->data, v->text->len } : tr_str_of(NULL);
}

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

struct tr_str tr__comm_devices(const struct tr_dict *dict, const struct tr_source *source)
{
    for (uint32_t k = 0; k < source->n_header; k++)
        if (tr_str_is(tr_dict_text_if(dict, source->header_keys[k]), TR__COMM_DEVICES))
            return tr_dict_text_if(dict, source->header_values[k]);
    return tr_str_of(NULL);
}

/*
 * Traces of PyTorch list the devices of the node.  A single device says nothing: a process may see its own alone.
 * Sources that disagree say nothing either.
 */
int64_t tr__comm_gpus_per_node(const struct tr_dict *dict)
{
    int64_t known = 0;
    for (uint32_t i = 0; i < dict->n_sources; i++) {
        struct tr_str devices = tr__comm_devices(dict, &dict->sources[i]);
        int64_t n = devices.s ? count_objects(devices.s) : known;
        if (devices.s && (n < 2 || (known && n != known)))
            return 0;
        known = n;
    }
    return known;
}

const char *tr__comm_span(const struct tr__comm_view *v, int64_t a, int64_t b)
{
    bool known = v->gpus_per_node && a >= 0 && b >= 0;
    return !known ? NULL : a / v->gpus_per_node == b / v->gpus_per_node ? "intra" : "inter";
}

/* Two ranks on different nodes are enough; that all are on one node, only a whole list shows. */
static const char *span_of(const struct tr__comm_view *v, const struct tr_coll *coll)
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
    return tr__comm_span(v, first, other >= 0 ? other : whole ? first : -1);
}

/* The axes on which meshes of its ranks differ; 0 also if not all have one. */
static unsigned axes_between(const struct tr__comm_view *v, const struct tr_coll *coll)
{
    const struct tr_coll_member *m = &v->c->members[coll->first];
    unsigned axes = 0;
    for (uint32_t k = 0; k < coll->n; k++) {
        uint32_t first = v->dict->sources[m->source].mesh, mesh = v->dict->sources[m[k].source].mesh;
        if (mesh == TR_NO_STR)
            return 0;
        axes |= tr_mesh_axes_between(tr_dict_str(v->dict, first), tr_dict_str(v->dict, mesh));
    }
    return axes;
}

unsigned tr__comm_axes(const struct tr__comm_view *v, const struct tr_coll *coll)
{
    const struct tr_coll_group *g = &v->c->groups[coll->group];
    unsigned axes = tr_mesh_axes_of_name(tr_dict_text_if(v->dict, g->desc));
    axes = axes ? axes : tr_mesh_axes_of_name(tr_dict_text_if(v->dict, g->name));
    return axes ? axes : axes_between(v, coll);
}

struct tr__comm_of tr__comm_of(const struct tr__comm_view *v, const struct tr_coll *coll)
{
    static const char *const names[] = { "seq", "order", "alone", "id" };
    const struct tr_coll_group *g = &v->c->groups[coll->group];
    return (struct tr__comm_of){ .group = name_of(v, g),
                                 .name = tr_coll_label(v->dict, v->c, coll),
                                 .seq = coll->seq,
                                 .size = tr__comm_number(g->size),
                                 .ranks = g->ranks,
                                 .how = names[coll->how],
                                 .span = span_of(v, coll) };
}
