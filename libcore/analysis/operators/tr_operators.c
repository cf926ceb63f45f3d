/* SPDX-License-Identifier: MIT */
/* Calls of operators, and the work that belongs to each. */
#include "analysis/operators/tr_operators_int.h"

#include "vendor/tr_roles.h"

#include <stdlib.h>
#include <string.h>

#define NO_ENTRY      UINT32_MAX
#define MUCH_UNLINKED 10.0 /* percent of the device time */

static const struct tr__operator_list empty = TR__OPERATOR_LIST_INIT;
static const struct tr__operator_launch no_launch = { .call = NO_ENTRY,
                                                      .graft = NO_ENTRY,
                                                      .early = TR__OPERATOR_LIST_INIT };

void tr_operators_needs(unsigned by, struct tr_needs *n)
{
    static const char *const args[] = { "module_fqn",       TR_WORK_ARROWS_KEY, "hlo_op",
                                        "hlo_module",       "module_name",      "Input Dims",
                                        "Input type",       "Input Strides",    "Concrete Inputs",
                                        "hlo_operation",    "Sequence number" };
    const size_t modules = by & (TR_OPERATOR_MODULE | TR_OPERATOR_TREE) ? 1 : 0;
    n->want.fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD);
    n->want.derived = TR_PENDING_DERIVED;
    n->want.any_rank_order = true;
    n->host = true;
    n->want.keys = args + 1 - modules;
    n->want.n_keys = modules + (!(by & TR_OPERATOR_SHAPE) ? 4 : by & TR_OPERATOR_ARGS ? 8 : 7);
}

enum tr_status tr_operators_new(const struct tr_analysis_in *in, unsigned by, struct tr_operators **out,
                                struct tr_error *err)
{
    struct tr_operators *a = calloc(1, sizeof *a);
    if (!a)
        return tr_fail_memory(err);
    a->sweep_at = 1024;
    a->arrows.dict = in->dict;
    tr_pending_init(&a->launches, in->dict, &no_launch, sizeof no_launch);
    enum tr_status st = tr_group_by_init(&a->work, &in->work, in->dict, in->summary, in->sorted, in->select, err);
    if (st == TR_OK && (!tr__operator_keys_init(&a->keys, by, in->dict, in->summary) ||
                        !(a->path = tr_call_path_new()) ||
                        !(a->rows = tr_operators_more(a, in, tr_operators_type(by)))))
        st = tr_fail_memory(err);
    a->where = in->select && tr_select_has_where(in->select);
    if (st == TR_OK)
        *out = a;
    else
        tr_operators_free(a);
    return st;
}

void tr_operators_free(struct tr_operators *a)
{
    if (!a)
        return;
    tr_group_by_free(&a->work);
    tr__operator_keys_free(&a->keys);
    tr_call_path_free(a->path);
    tr__owners_free(&a->owners);
    tr__backward_free(&a->backward);
    tr__operators_grafts_free(&a->grafts);
    tr_pending_free(&a->launches);
    tr_work_arrows_free(&a->arrows);
    tr_rows_free(a->rows);
    tr_stacks_free(&a->works);
    tr_operator_categories_free(&a->categories);
    tr_number_map_free(&a->openings[0]);
    tr_number_map_free(&a->openings[1]);
    tr_eventmap_free(&a->launching);
    tr_eventmap_free(&a->outermost);
    for (size_t i = 0; i < a->call_places.n; i++)
        if (a->calls[i].live) {
            tr_union_length_free(&a->calls[i].own);
            tr_union_length_free(&a->calls[i].below);
            tr__operators_free_parts(&a->calls[i]);
        }
    free(a->calls);
    free(a->items);
    free(a->places);
    tr_freelist_free(&a->call_places);
    tr_freelist_free(&a->item_places);
    free(a->come_to);
    free(a->launch_name);
    free(a->graph_node);
    tr_buf_free(&a->room);
    tr__operator_runs_free(&a->runs);
    free(a);
}

enum tr_status tr_operators_models(struct tr_operators *a, const struct tr_analysis_in *in,
                                   const struct tr_operator_models *models, struct tr_error *err)
{
    a->owned = true;
    a->owners.models = *models;
    a->backward.wanted = models->has_backward != NULL;
    if (!a->owners.rows) /* several analyses may share them */
        a->owners.rows = tr_operators_more(a, in, &tr_operators_owned_type);
    return a->owners.rows ? TR_OK : tr_fail_memory(err);
}

struct tr_rows *tr_operators_owned(const struct tr_operators *a)
{
    return a->owners.rows;
}

void tr_operators_remark_unlinked(const struct tr_operators *a, const struct tr_analysis_in *in)
{
    double pct = a->time > 0 && a->unlinked > 0 ? 100 * (double)a->unlinked / (double)a->time : 0;
    if (a->keys.operators && a->n_linked && pct >= MUCH_UNLINKED)
        tr_analysis_remark(in, TR_REMARK_RESULT, NULL,
                           "%.1f percent of the device time is (none): its launches are not in the trace, and may be "
                           "before its start",
                           pct);
}

bool tr_operators_any(const struct tr_operators *a)
{
    return a->keys.operators;
}

bool tr_operators_shaped(const struct tr_operators *a)
{
    return a->keys.shapes;
}

void tr_operators_remark(const struct tr_operators *a, unsigned by, enum tr_remark_kind how,
                         const struct tr_analysis_in *in)
{
    const unsigned frames = TR_OPERATOR_MODULE | TR_OPERATOR_TREE | TR_OPERATOR_RECOMPUTE;
    if (a->n_pieces && !a->keys.operators)
        tr_analysis_remark(in, TR_REMARK_RESULT, NULL, "the trace has no operators (cpu_op), so all work is (none)");
    else if (a->n_pieces && !a->n_linked)
        tr_analysis_remark(in, TR_REMARK_RESULT, NULL,
                           "the trace has no launches of its device work (correlation), so no operator has any");
    else if (by & frames && !a->keys.python && !a->keys.programs)
        tr_analysis_remark(in, how, NULL,
                           "the trace has no Python frames (with_stack): modules and what runs a second "
                           "time are not known");
    else if (by & TR_OPERATOR_SHAPE && !a->keys.shapes)
        tr_analysis_remark(in, how, NULL, "the trace has no shapes of arguments (record_shapes)");
}

struct tr_group_by *tr_operators_groups(struct tr_operators *a)
{
    return &a->work;
}

struct tr_rows *tr_operators_rows(const struct tr_operators *a)
{
    return a->rows;
}

bool tr_operators_where(const struct tr_operators *a)
{
    return a->where;
}

/* ---- launches and their work ---- */

/* Work that nothing in the trace launched, as on a TPU, is of a run of the operation of XLA that it names. */
static bool give_itself(struct tr_operators *a, const struct tr_batch *b, size_t i, const struct tr__operator_piece *p)
{
    static const struct tr_callpath nothing_around = { 0 };
    struct tr_operator_key key;
    if (tr_arg_text(&a->keys.hlo_op, i) == TR_NO_STR)
        return tr__operator_run_end(a, b->track[i]) && tr__operators_give_nobody(a, p);
    if (!tr__operator_key(&a->keys, b, i, &nothing_around, &key))
        return false;
    key.group = p->at.group;
    a->keys.operators = true;
    if (a->owned)
        key.model = tr__operator_model(&a->keys, b, i);
    return tr__operator_run_add(a, b->track[i], &key, tr_arg_text(&a->keys.hlo_module, i), p);
}

/* Work that came before its launch gets its owner. */
static bool give_early(struct tr_operators *a, struct tr__operator_list *early, uint32_t call)
{
    bool ok = true;
    for (uint32_t i = early->first, next; ok && i != NO_ENTRY; i = next) {
        const struct tr__operator_piece piece = a->items[i].piece;
        next = a->items[i].next;
        tr_freelist_give(&a->item_places, i);
        if (piece.counts)
            ok = call == NO_ENTRY ? tr__operators_give_nobody(a, &piece) : tr__operators_give(a, &piece, call);
    }
    *early = empty;
    return ok;
}

/* All work of a launch of a graph may have come. */
static bool end_graph_launch(struct tr_operators *a, uint32_t number)
{
    struct tr__operator_launch *l = tr_pending_at(&a->launches, number);
    struct tr__operator_list work = l->early;
    if (!tr_pending_is_whole(&a->launches, number))
        return true;
    l->early = empty;
    tr_pending_settle(&a->launches, number);
    return tr__operators_grafted(a, l->graft, work);
}

/* Launch i is of a graph, and captures are known: its work is kept until all of it has come. */
static bool add_graph_launch(struct tr_operators *a, const struct tr_batch *b, size_t i, struct tr_callpath *path,
                             uint32_t call, bool counts)
{
    uint32_t number, graft;
    if (!tr_pending_call(&a->launches, b, i, true, &number))
        return false;
    if (number == TR_PENDING_NONE)
        return true;
    if ((graft = tr__operators_graft(a, b, i, path, call, counts)) == NO_ENTRY)
        return false;
    struct tr__operator_launch *l = tr_pending_at(&a->launches, number);
    l->call = call;
    l->graft = graft;
    return end_graph_launch(a, number);
}

static bool add_launch(struct tr_operators *a, const struct tr_batch *b, size_t i, uint32_t call)
{
    uint32_t number;
    if (!tr_pending_call(&a->launches, b, i, call != NO_ENTRY, &number))
        return false;
    if (number == TR_PENDING_NONE)
        return true;
    struct tr__operator_launch *l = tr_pending_at(&a->launches, number);
    struct tr__operator_list early = l->early;
    l->call = call;
    l->early = empty;
    if (!tr_pending_is_whole(&a->launches, number))
        a->calls[call].pending++;
    tr_pending_settle(&a->launches, number);
    return give_early(a, &early, call);
}

static bool launches_graph(const struct tr_operators *a, uint32_t name)
{
    struct tr_str text = tr_dict_text_if(a->work.dict, name);
    return text.s && tr_roles_of(a->work.dict->names, text.s, text.len) & TR_NAMED_GRAPH_LAUNCH;
}

/* A span of the host that runs a program of XLA, or a launch below no span, of which the run is found: *run. */
static bool program_run(struct tr_operators *a, const struct tr_batch *b, size_t i, const struct tr_callpath *path,
                        bool launch, uint64_t *run)
{
    const struct tr_call *span = &path->open[path->depth];
    uint32_t program = tr_arg_text(launch ? &a->keys.hlo_module : &a->keys.program, i);
    if (program == TR_NO_STR || (launch ? path->depth > 0 : b->activity[i] != TR_ACT_ANNOTATION))
        return true;
    return launch ? tr__program_run(a, b->track[i], program, span->start, run)
                  : tr__program_span(a, b->track[i], program, span->start, span->end);
}

/* ---- arrows: while one may lead to work, its call is not done ---- */

static bool move_starts(struct tr_operators *a, const struct tr_batch *b, size_t i, uint32_t call)
{
    uint32_t old;
    bool ok = true;
    for (size_t at = 0; ok && call != NO_ENTRY && tr_work_arrows_start(&a->arrows, b, i, &at, &old);) {
        if (old != TR_WORK_ARROWS_NONE)
            a->calls[old].pending--;
        a->calls[call].pending++;
        ok = tr_work_arrows_set(&a->arrows, at, call);
    }
    return ok;
}

static bool add_flow(struct tr_operators *a, const struct tr_batch *b, size_t i)
{
    size_t depth;
    const struct tr_call *open = tr_call_path_open(a->path, b->track[i], &depth);
    while (depth && open[depth - 1].end < b->ts[i])
        depth--;
    uint32_t call = depth && open[depth - 1].tag ? (uint32_t)(open[depth - 1].tag - 1) : TR_WORK_ARROWS_NONE;
    if (tr_work_arrows_is_start(&a->arrows, b, i) && call != TR_WORK_ARROWS_NONE)
        a->calls[call].pending++;
    return tr_work_arrows_add(&a->arrows, b, i, call);
}

static bool add_host(struct tr_operators *a, const struct tr_batch *b, size_t i, const uint8_t *keep,
                     struct tr_error *err)
{
    struct tr_callpath path;
    unsigned act = b->activity[i];
    bool suspect = b->suspect[i] != TR_SUSPECT_NO && !a->work.opts.suspect;
    if (tr_call_path_enter(a->path, b, i, &path, err) != TR_OK)
        return false;
    /* XLA's profiler has no span for an operation: the calls that launch its work name it */
    bool counts = (!keep || keep[i]) && !suspect, op = tr__is_operator(act);
    bool launch = !op && b->flags[i] & TR_HAS_DEVICE && tr_arg_text(&a->keys.hlo_op, i) != TR_NO_STR &&
                  tr__operators_call_around(&path) == NO_ENTRY;
    uint64_t run = 0;
    if (!program_run(a, b, i, &path, launch, &run))
        return false;
    uint32_t call = launch ? tr__operators_continued(a, b, i, &path, counts, run) : NO_ENTRY;
    if ((op || (launch && call == NO_ENTRY)) && !tr__operators_add_call(a, b, i, &path, counts, run))
        return false;
    a->keys.python |= act == TR_ACT_PYTHON;
    a->keys.operators |= op || launch;
    if (call == NO_ENTRY)
        call = op || launch ? (uint32_t)(path.open[path.depth].tag - 1) : tr__operators_call_around(&path);
    path.open[path.depth].tag = call == NO_ENTRY ? 0 : (uint64_t)call + 1;
    if (!move_starts(a, b, i, call))
        return false;
    if (!(b->flags[i] & TR_HAS_DEVICE))
        return true;
    return a->grafts.graphs && !op && launches_graph(a, b->name[i]) ? add_graph_launch(a, b, i, &path, call, counts)
                                                                    : add_launch(a, b, i, call);
}

/* A piece whose launch has not come, or launches a graph, is kept; it may be the last one of the graph. */
static bool keep_piece(struct tr_operators *a, const struct tr__operator_piece *p, uint32_t number)
{
    struct tr__operator_launch *l = tr_pending_at(&a->launches, number);
    bool kept = p->counts || a->grafts.graphs;
    uint32_t item = kept ? tr__operators_item(a, p) : NO_ENTRY;
    if (kept && item == NO_ENTRY)
        return false;
    if (kept)
        tr__operators_append(a, &l->early, (struct tr__operator_list){ item, item });
    return end_graph_launch(a, number);
}

static bool add_device(struct tr_operators *a, const struct tr_batch *b, size_t i)
{
    struct tr__operator_piece p = { .at.start = b->ts[i],
                                    .name = b->name[i],
                                    .n = a->n_pieces++,
                                    .stream = a->work.dict->tracks[b->track[i]].stream,
                                    .api = a->launch_name ? a->launch_name[i] : TR_NO_STR,
                                    .node = a->graph_node ? a->graph_node[i] : TR_I64_NONE,
                                    .activity = b->activity[i] };
    bool counts = p.counts = tr_group_by_counts(&a->work, i), linked = tr_pending_is_linked(&a->launches, i);
    uint32_t number, asked = tr_work_arrows_of(&a->arrows, b, i);
    bool ok = tr_pending_work(&a->launches, b, i, &number) && tr__operator_named_module(&a->keys, i, &p.module);
    a->n_linked += linked;
    if (ok && counts)
        ok = tr_group_by_item(&a->work, i, &p.at);
    if (ok && counts) {
        int64_t ns = tr_time_diff(p.at.end, p.at.start);
        a->time = tr_time_sum(a->time, ns);
        a->unlinked = tr_time_sum(a->unlinked, linked ? 0 : ns);
    }
    if (ok && counts && asked != TR_WORK_ARROWS_NONE) {
        ok = tr__operators_give(a, &p, asked);
        p.counts = counts = false; /* any more; its launch has to know that it came */
    }
    if (!ok || number == TR_PENDING_NONE)
        return ok && (!counts || give_itself(a, b, i, &p));
    const struct tr__operator_launch *l = tr_pending_at(&a->launches, number);
    if (!tr_pending_has_come(&a->launches, number) || l->graft != NO_ENTRY)
        return keep_piece(a, &p, number);
    uint32_t call = l->call;
    ok = !counts || tr__operators_give(a, &p, call);
    a->calls[call].pending -= tr_pending_is_whole(&a->launches, number);
    tr_pending_settle(&a->launches, number);
    return ok;
}

/* ---- batches ---- */

/* What work of no operator has as keys. */
static bool expand_nobody(struct tr_operators *a, const struct tr_batch *b)
{
    unsigned keys = a->owned ? a->owners.models.nobody : 0;
    if (keys & TR_NOBODY_API) {
        if (!tr_grow(&a->launch_name, &a->cap_launch_name, b->n + 1, sizeof *a->launch_name))
            return false;
        tr_batch_expand_str(b, TR_COL_LAUNCH_NAME, a->launch_name);
    }
    if (keys & TR_NOBODY_NODE) {
        if (!tr_grow(&a->graph_node, &a->cap_graph_node, b->n + 1, sizeof *a->graph_node))
            return false;
        tr_batch_expand_i64(b, TR_COL_GRAPH_NODE, TR_I64_NONE, a->graph_node);
    }
    return true;
}

static bool expand(struct tr_operators *a, const struct tr_batch *b)
{
    size_t n_sources = a->work.dict->n_sources;
    if (!tr_pending_batch(&a->launches, b) || !tr_grow(&a->come_to, &a->cap_come, n_sources, sizeof *a->come_to) ||
        !tr__operator_keys_batch(&a->keys, b) || !tr__backward_batch(a, b) || !expand_nobody(a, b) ||
        !tr_work_arrows_batch(&a->arrows, b))
        return false;
    for (; a->n_come < n_sources; a->n_come++)
        a->come_to[a->n_come] = TR_TIME_NONE;
    return true;
}

enum tr_status tr_operators_feed(struct tr_operators *a, const struct tr_batch *b, const uint8_t *keep,
                                 struct tr_error *err)
{
    const uint8_t *host = a->work.select ? tr_select_before_where(a->work.select, keep) : keep;
    enum tr_status st = tr_group_by_batch(&a->work, b, keep, err);
    if (st != TR_OK)
        return st;
    bool ok = expand(a, b);
    uint32_t call;
    for (size_t i = 0; ok && i < b->n; i++) {
        while (tr_work_arrows_passed(&a->arrows, b, i, &call))
            a->calls[call].pending--;
        if (tr_is_call(b, i))
            ok = add_host(a, b, i, host, err);
        else if (b->phase[i] == TR_SPAN && tr_is_device_work(b->activity[i]))
            ok = add_device(a, b, i);
        else if (a->arrows.any)
            ok = add_flow(a, b, i);
        a->come_to[a->work.dict->tracks[b->track[i]].source] = b->ts[i];
    }
    if (ok && tr_freelist_used(&a->call_places) >= a->sweep_at)
        ok = tr__operators_finish_calls(a, false);
    return ok ? TR_OK : tr_fail_memory(err);
}

enum tr_status tr_operators_finish(struct tr_operators *a, struct tr_error *err)
{
    bool ok = true;
    if (a->finished)
        return TR_OK;
    a->finished = true;
    /* Launches that never came own nothing, and the work that others wait for will not come. */
    for (uint32_t k = 0; ok && k < a->launches.places.n; k++) {
        struct tr__operator_launch *l = tr_pending_at(&a->launches, k);
        struct tr__operator_list work = l->early;
        if (!tr_pending_is_used(&a->launches, k))
            continue;
        ok = l->graft != NO_ENTRY ? tr__operators_grafted(a, l->graft, work) : give_early(a, &work, NO_ENTRY);
    }
    for (size_t i = 0; i < a->call_places.n; i++)
        a->calls[i].pending = 0;
    for (size_t i = 0; i < a->call_places.n; i++)
        if (a->calls[i].live && a->calls[i].parent != NO_ENTRY)
            a->calls[a->calls[i].parent].pending++;
    ok = ok && tr__operator_runs_end(a) && tr__operators_finish_calls(a, true) && tr__backward_finish(a);
    return ok ? TR_OK : tr_fail_memory(err);
}
