/* SPDX-License-Identifier: MIT */
/* The process groups of a merged file: processes, their labels, and the ranks of these. */
#include "ingest/tr_process_groups_int.h"

#include "base/tr_num.h"
#include "base/tr_sort.h"
#include "vendor/tr_vocab.h"

#include <stdio.h>
#include <stdlib.h>

#define MAX_LABELS 1024u /* with more of them, they do not show ranks */

/* What gave a label. */
enum { BY_NOTHING, BY_LABELS, BY_NAME, BY_PID };

struct labels {
    struct tr_strtab *texts;
    struct tr_rank_label *v; /* by number of text */
    size_t cap;
    bool too_many;
};

void tr__groups_free(struct tr__groups *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->n; i++)
        free(g->v[i].sum.steps);
    for (size_t i = 0; g->of && i < g->n_of; i++)
        free(g->of[i]);
    free(g->v);
    free(g->of);
    free(g->processes);
    free(g->order);
    tr_strtab_free(g->keys);
    free(g);
}

/* ---- processes ---- */

/* The number of a pid; a text is raw.  TR_NO_STR: out of memory, or, if it is not added, unknown. */
static uint32_t key_number(struct tr__groups *g, const struct tr__interner *in, unsigned type, int64_t pid, bool add)
{
    const struct tr__text *t = type == TR_T_STRING ? &in->texts[pid] : NULL;
    struct tr_buf key = { 0 };
    const unsigned char head = (unsigned char)type;
    bool ok = tr_buf_add(&key, &head, 1) &&
              (t ? tr_buf_add(&key, t->text, t->len) : tr_buf_add(&key, &pid, sizeof pid));
    uint32_t n = !ok ? TR_NO_STR : add ? tr_strtab_add(g->keys, key.data, key.len)
                                       : tr_strtab_find(g->keys, key.data, key.len);
    tr_buf_free(&key);
    return n;
}

/* Give a process a label, if none came from a better place. */
static bool give_label(struct tr__process *p, struct labels *l, const struct tr__text *text, uint8_t by)
{
    struct tr_rank_label label;
    if (by < p->by || !tr_rank_from_label(text->text, text->len, by == BY_PID, &label))
        return true;
    uint32_t n = tr_strtab_count(l->texts), id = tr_strtab_add(l->texts, label.text, strlen(label.text));
    if (id == TR_NO_STR || !tr_grow(&l->v, &l->cap, id + (size_t)1, sizeof *l->v))
        return false;
    if (id == n)
        l->v[id] = label;
    else if (label.host[0])
        memcpy(l->v[id].host, label.host, sizeof label.host);
    l->too_many |= id >= MAX_LABELS;
    p->mixed = by == p->by && (p->mixed || p->label != id);
    p->label = id;
    p->by = by;
    if (by == BY_PID) {
        struct tr_str rest = { text->text + label.len, text->len - label.len };
        uint64_t number;
        while (rest.len && *rest.s == ' ')
            rest = (struct tr_str){ rest.s + 1, rest.len - 1 };
        if (rest.len && tr_num_digits(rest.s, rest.len, INT64_MAX, &number, NULL) == rest.len)
            p->number = (int64_t)number;
    }
    return true;
}

static bool add_process(struct tr__groups *g, struct labels *l, const struct tr__interner *in,
                        const struct tr_track *t, uint32_t *out)
{
    uint32_t n = tr_strtab_count(g->keys);
    *out = key_number(g, in, t->pid_type, t->pid, true);
    if (*out == TR_NO_STR || !tr_grow(&g->processes, &g->cap_processes, *out + (size_t)1, sizeof *g->processes))
        return false;
    if (*out < n)
        return true;
    struct tr__process *p = &g->processes[g->n_processes++];
    *p = (struct tr__process){ .label = TR__NO_GROUP, .group = TR__NO_GROUP,
                               .number = t->pid_type == TR_T_INT ? t->pid : TR_I64_NONE };
    return t->pid_type != TR_T_STRING || give_label(p, l, &in->texts[t->pid], BY_PID);
}

static bool list_processes(const struct tr__source_state *l, struct tr__groups *g, struct labels *labels)
{
    g->of = calloc(l->n_lanes, sizeof *g->of);
    for (size_t i = 0; g->of && i < l->n_lanes; i++) {
        const struct tr__interner *in = &l->lanes[i]->interner;
        g->of[i] = calloc(in->n_tracks + 1, sizeof **g->of);
        g->n_of = i + 1;
        if (!g->of[i])
            return false;
        for (size_t k = 0; k < in->n_tracks; k++)
            if (!add_process(g, labels, in, &in->tracks[k], &g->of[i][k]))
                return false;
    }
    return g->of != NULL;
}

static bool read_names(const struct tr__source_state *l, struct tr__groups *g, struct labels *labels)
{
    for (size_t i = 0; i < l->file.n_names; i++) {
        const struct tr__track_name *t = &l->file.names[i];
        const struct tr__interner *in = &l->lanes[t->interner]->interner;
        uint8_t by = t->what == TR_NAME_PROCESS_NAME ? BY_NAME : t->what == TR_NAME_PROCESS_LABELS ? BY_LABELS : 0;
        if (!by || t->text == TR_NO_STR)
            continue;
        uint32_t n = key_number(g, in, t->pid_type, t->pid, false);
        if (n != TR_NO_STR && !give_label(&g->processes[n], labels, &in->texts[t->text], by))
            return false;
    }
    return true;
}

/* ---- groups ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(((const struct tr__group *)a)->label.text, ((const struct tr__group *)b)->label.text);
}

TR_ORDER(by_rank, struct tr__group, TR_UP(label.rank), by_text(a, b))

/* The ranks of groups that are sorted by their labels: of the labels if these differ, else from 0. */
static bool find_ranks(struct tr__group *v, size_t n)
{
    bool known = true, meshes = true, differ = true;
    struct tr_rank_label *labels = calloc(n, sizeof *labels);
    if (!labels)
        return false;
    for (size_t i = 0; i < n; i++) {
        labels[i] = v[i].label;
        known &= v[i].label.rank >= 0;
        meshes &= v[i].label.mesh[0] != '\0';
    }
    if (!known && meshes && tr_ranks_from_meshes(labels, n)) {
        known = true;
        for (size_t i = 0; i < n; i++)
            v[i].label.rank = labels[i].rank;
    }
    free(labels);
    qsort(v, n, sizeof *v, by_rank);
    for (size_t i = 1; i < n; i++)
        differ &= v[i].label.rank != v[i - 1].label.rank;
    if (known && differ)
        return true;
    qsort(v, n, sizeof *v, by_text);
    for (size_t i = 0; i < n; i++)
        v[i].label.rank = (int64_t)i;
    return true;
}

/* The labels that processes have, as groups in the order of their ranks.  False: out of memory. */
static bool groups_of_labels(struct tr__groups *g, const struct labels *l, const uint8_t *used, size_t n_labels)
{
    for (size_t i = 0; i < n_labels; i++)
        g->n += used[i];
    g->v = calloc(g->n, sizeof *g->v);
    if (!g->v)
        return false;
    for (size_t i = 0, n = 0; i < n_labels; i++)
        if (used[i])
            g->v[n++].label = l->v[i];
    qsort(g->v, g->n, sizeof *g->v, by_text);
    return find_ranks(g->v, g->n);
}

/* The groups of labels; fewer than two are none.  False: out of memory. */
static bool group_by_labels(struct tr__groups *g, const struct labels *l)
{
    size_t n_labels = tr_strtab_count(l->texts), n_used = 0;
    uint8_t *used = calloc(n_labels + 1, 1);
    for (size_t i = 0; used && i < g->n_processes; i++) {
        const struct tr__process *p = &g->processes[i];
        if (p->label != TR__NO_GROUP && !p->mixed && !used[p->label])
            n_used += used[p->label] = 1;
    }
    bool ok = used && (n_used < 2 || l->too_many || groups_of_labels(g, l, used, n_labels));
    free(used);
    for (size_t i = 0; ok && g->n && i < g->n_processes; i++) {
        struct tr__process *p = &g->processes[i];
        p->shared = p->mixed;
        for (uint32_t k = 0; k < g->n && p->label != TR__NO_GROUP && !p->mixed; k++)
            if (!strcmp(g->v[k].label.text, l->v[p->label].text))
                p->group = k;
    }
    return ok;
}

/* The processes that the format says are ranks, as groups; fewer than two are none.  False: out of memory. */
static bool group_by_format(struct tr__groups *g, const struct tr__file *f)
{
    g->v = calloc(f->n_ranks, sizeof *g->v);
    for (size_t i = 0; g->v && i < f->n_ranks; i++) {
        const struct tr__rank_of *of = &f->ranks[i];
        uint32_t n = key_number(g, NULL, TR_T_INT, of->pid, false);
        if (n == TR_NO_STR || g->processes[n].group != TR__NO_GROUP)
            continue;
        struct tr_rank_label *label = &g->v[g->n].label;
        label->rank = of->rank == TR_I64_NONE ? (int64_t)g->n : of->rank;
        if (of->rank != TR_I64_NONE)
            snprintf(label->text, sizeof label->text, "rank %lld", (long long)of->rank);
        g->processes[n].group = (uint32_t)g->n++;
    }
    if (g->v && g->n < 2) {
        free(g->v);
        *g = (struct tr__groups){ .processes = g->processes, .n_processes = g->n_processes,
                                  .cap_processes = g->cap_processes, .keys = g->keys, .of = g->of, .n_of = g->n_of };
        return true;
    }
    return g->v != NULL;
}

static void count_links(const struct tr__source_state *l, struct tr__groups *g)
{
    for (size_t i = 0; i < tr_launch_n(l->file.launches); i++) {
        const struct tr_launch *a = tr_launch_walk(l->file.launches, i);
        tr__process_of(g, a->interner, a->track)->n_launches++;
    }
    for (size_t i = 0; i < l->file.work.n; i++) {
        const struct tr__device_work *w = tr_paged_walk(&l->file.work, i);
        tr__process_of(g, w->interner, w->track)->n_work++;
    }
}

/* What the groups are in the stream.  A rank that the file is said to have is that of all groups without a label. */
static enum tr_status settle(const struct tr__source_state *l, struct tr__groups *g, struct tr_error *err)
{
    g->order = calloc(g->n, sizeof *g->order);
    if (!g->order)
        return tr_fail_memory(err);
    const struct tr__file *f = &l->file;
    bool labelled = g->v[0].label.text[0];
    bool one = l->opts->rank >= 0 || (!labelled && f->rank_rule != TR_RANK_ORDER);
    if (l->opts->rank >= 0 && labelled)
        return tr_fail(err, TR_USAGE, "holds ranks %lld and %lld, and would get one", (long long)g->v[0].label.rank,
                       (long long)g->v[1].label.rank);
    for (size_t i = 0; i < g->n; i++) {
        struct tr__group *v = &g->v[i];
        v->label.rank = one ? f->rank : v->label.rank;
        v->pid = TR_I64_NONE;
        v->sum.first_ts = v->sum.last_end = v->sum.lag_min = v->sum.lag_max = TR_TIME_NONE;
        g->order[i] = one ? 0 : (uint32_t)i;
    }
    return TR_OK;
}

enum tr_status tr__find_groups(struct tr__source_state *l, struct tr_error *err)
{
    struct tr__file *f = &l->file;
    struct tr__groups *g = calloc(1, sizeof *g);
    struct labels labels = { .texts = tr_strtab_new() };
    enum tr_status st = TR_OK;
    bool ok = g && labels.texts && (g->keys = tr_strtab_new()) != NULL;
    ok = ok && list_processes(l, g, &labels);
    if (f->n_ranks)
        ok = ok && group_by_format(g, f);
    else
        ok = ok && read_names(l, g, &labels) && group_by_labels(g, &labels);
    tr_strtab_free(labels.texts);
    free(labels.v);
    if (!ok) {
        tr__groups_free(g);
        return tr_fail_memory(err);
    }
    if (g->n_processes > 1 && f->work.n && !f->arrows.n && !f->n_ranks) { /* arrows have the rank */
        count_links(l, g);
        if (!g->n)
            st = tr__groups_by_launches(l, g, err);
        if (st == TR_OK && g->n)
            st = tr__groups_match(l, g, err);
    }
    for (size_t i = 0; i < g->n_processes; i++)
        if (g->processes[i].group == TR__NO_GROUP)
            g->processes[i].group = 0;
    if (st == TR_OK && g->n)
        st = settle(l, g, err);
    if (st == TR_OK && g->n) {
        f->groups = g;
        return TR_OK;
    }
    tr__groups_free(g);
    return st;
}
