/* SPDX-License-Identifier: MIT */
/* The process groups of a merged file: which group has which device, by launches. */
#include "ingest/tr_process_groups_int.h"
#include "base/tr_sort.h"

#include <stdlib.h>

#define MAX_GROUPS  1024u
#define MAX_MATCHES ((size_t)1 << 20) /* processes without a group, times groups */

/* A number of correlation in a group, as one number. */
static int64_t link_of(uint32_t group, int64_t correlation)
{
    return tr__place(group, correlation, 0);
}

/* The launches by the links of their groups; n_device counts work that was given to them. */
static enum tr_status table_of(struct tr_launch_table **out, const struct tr__source_state *l,
                               const struct tr__groups *g, struct tr_error *err)
{
    const struct tr__file *f = &l->file;
    struct tr_launch_table *t = *out = tr_launch_new(l->opts->max_memory_bytes / 16, l->opts->temp_dir);
    enum tr_status st = t ? TR_OK : tr_fail_memory(err);
    for (size_t i = 0; st == TR_OK && i < tr_launch_n(f->launches); i++) {
        struct tr_launch a = *tr_launch_walk(f->launches, i);
        uint32_t group = tr__process_of(g, a.interner, a.track)->group;
        a.correlation = link_of(group, a.correlation);
        a.n_device = 0;
        if (group != TR__NO_GROUP)
            st = tr_launch_add(t, &a, err);
    }
    return st == TR_OK ? tr_launch_finish(t, err) : st;
}

/* ---- processes of devices ---- */

/* A process with work and without a group. */
struct guest {
    struct tr__process *p;
    uint32_t number; /* of the process */
    uint64_t *found; /* by group: work with a launch there */
};

struct matching {
    struct tr__source_state *l;
    struct tr__groups *g;
    struct tr_launch_table *launches;
    struct guest *guests;
    size_t n_guests;
    uint32_t *guest_of; /* by process */
    uint64_t *found;
    size_t *n_devices; /* by group: processes with work */
    uint32_t *by_pid;  /* groups, in the order of the pids of the processes that launch work */
};

/* Order processes by their pids: numbers, then texts. */
static int before(const struct tr__groups *g, uint32_t a, uint32_t b)
{
    int64_t x = g->processes[a].number, y = g->processes[b].number;
    if (x != y)
        return x == TR_I64_NONE || (y != TR_I64_NONE && x > y) ? 1 : -1;
    struct tr_str s = { tr_strtab_get(g->keys, a), tr_strtab_len(g->keys, a) };
    struct tr_str t = { tr_strtab_get(g->keys, b), tr_strtab_len(g->keys, b) };
    return tr_str_cmp(s, t);
}

/* Put a number into a list that is ordered by pid. */
static void insert(const struct tr__groups *g, uint32_t *v, size_t n, uint32_t number)
{
    for (; n && before(g, number, v[n - 1]) < 0; n--)
        v[n] = v[n - 1];
    v[n] = number;
}

/* Order the groups by the first of their processes that launches work. */
static bool order_groups(struct matching *m)
{
    struct tr__groups *g = m->g;
    uint32_t *first = calloc(g->n, sizeof *first), *order = calloc(g->n_processes + 1, sizeof *order);
    size_t n = 0, n_groups = 0;
    bool ok = first && order && (m->by_pid = calloc(g->n, sizeof *m->by_pid)) != NULL;
    for (uint32_t i = 0; ok && i < g->n_processes; i++) {
        uint32_t *f = g->processes[i].group == TR__NO_GROUP ? NULL : &first[g->processes[i].group];
        if (f && g->processes[i].n_launches && (!*f || before(g, i, *f - 1) < 0))
            *f = i + 1;
    }
    for (uint32_t k = 0; ok && k < g->n; k++)
        if (first[k])
            insert(g, order, n++, first[k] - 1);
    for (size_t i = 0; ok && i < n; i++)
        m->by_pid[n_groups++] = g->processes[order[i]].group;
    for (uint32_t k = 0; ok && k < g->n; k++)
        if (!first[k])
            m->by_pid[n_groups++] = k;
    free(first);
    free(order);
    return ok;
}

static bool list_guests(struct matching *m)
{
    struct tr__groups *g = m->g;
    uint32_t *order = calloc(g->n_processes + 1, sizeof *order);
    m->guests = calloc(g->n_processes + 1, sizeof *m->guests);
    m->guest_of = calloc(g->n_processes + 1, sizeof *m->guest_of);
    m->n_devices = calloc(g->n, sizeof *m->n_devices);
    bool ok = order && m->guests && m->guest_of && m->n_devices;
    for (uint32_t i = 0; ok && i < g->n_processes; i++) {
        const struct tr__process *p = &g->processes[i];
        if (p->n_work && p->group != TR__NO_GROUP)
            m->n_devices[p->group]++;
        else if (p->n_work && m->n_guests < MAX_MATCHES / g->n)
            insert(g, order, m->n_guests++, i);
    }
    m->found = ok ? calloc(m->n_guests * g->n + 1, sizeof *m->found) : NULL;
    for (size_t i = 0; m->found && i < m->n_guests; i++) {
        m->guests[i] = (struct guest){ &g->processes[order[i]], order[i], m->found + i * g->n };
        m->guest_of[order[i]] = (uint32_t)i + 1;
    }
    free(order);
    return m->found && order_groups(m);
}

/* For each guest, its work with a launch in each of the groups. */
static void count_found(struct matching *m)
{
    const struct tr__file *f = &m->l->file;
    for (size_t i = 0; i < f->work.n; i++) {
        const struct tr__device_work *w = tr_paged_walk(&f->work, i);
        uint32_t guest = m->guest_of[m->g->of[w->interner][w->track]];
        if (i % (1u << 16) == 0)
            tr_launch_trim(m->launches);
        for (uint32_t k = 0; guest && k < m->g->n; k++) {
            const struct tr_launch *a = tr_launch_find(m->launches, link_of(k, w->correlation), w->ts);
            m->guests[guest - 1].found[k] += a && a->ts <= w->ts;
        }
    }
}

/* The group with the most launches for a guest.  Of several, the one with the fewest devices, then the first by pid. */
static uint32_t best_of(const struct matching *m, const struct guest *guest, bool *alone)
{
    uint32_t best = m->by_pid[0];
    size_t n = 0;
    for (size_t i = 1; i < m->g->n; i++) {
        uint32_t k = m->by_pid[i];
        uint64_t x = guest->found[k], y = guest->found[best];
        if (x > y || (x == y && m->n_devices[k] < m->n_devices[best]))
            best = k;
    }
    for (uint32_t k = 0; k < m->g->n; k++)
        n += guest->found[k] == guest->found[best];
    *alone = n == 1;
    return best;
}

/* First the guests that fit one group alone, then the others. */
static void place_guests(struct matching *m)
{
    size_t n_without = 0;
    for (size_t k = 0; k < m->g->n; k++)
        n_without += !m->n_devices[k];
    for (size_t i = 0; i < m->n_guests; i++)
        m->guests[i].p->shared |= m->n_guests < n_without; /* too few for a device of each group */
    for (unsigned turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < m->n_guests; i++) {
            bool alone;
            uint32_t best = best_of(m, &m->guests[i], &alone);
            if (m->guests[i].p->group != TR__NO_GROUP || (!alone && !turn))
                continue;
            m->guests[i].p->group = best;
            m->n_devices[best]++;
        }
}

/* ---- work under a pid that groups share ---- */

struct shared_work {
    int64_t ts;
    uint64_t record;
    size_t at;
};

TR_ORDER(by_time, struct shared_work, TR_UP(ts), TR_UP(record))

/* Of the launches that work may belong to, the one with the least work so far, then the first. */
static struct tr_launch *next_launch(const struct matching *m, const struct tr__device_work *w, uint32_t *group)
{
    struct tr_launch *best = NULL;
    for (uint32_t k = 0; k < m->g->n; k++) {
        struct tr_launch *a = tr_launch_find(m->launches, link_of(k, w->correlation), w->ts);
        if (!a || (best && a->ts > w->ts))
            continue;
        if (!best || best->ts > w->ts || a->n_device < best->n_device ||
            (a->n_device == best->n_device && a->ts < best->ts)) {
            best = a;
            *group = k;
        }
    }
    return best;
}

static bool is_shared(const struct matching *m, const struct tr__device_work *w)
{
    return tr__process_of(m->g, w->interner, w->track)->shared;
}

/* Give the work under shared pids to launches, in the order of time. */
static bool divide_work(struct matching *m)
{
    struct tr__file *f = &m->l->file;
    size_t n = 0;
    for (size_t i = 0; i < f->work.n; i++)
        n += is_shared(m, tr_paged_walk(&f->work, i));
    struct shared_work *v = calloc(n + 1, sizeof *v);
    if (!v)
        return false;
    n = 0;
    for (size_t i = 0; i < f->work.n; i++) {
        const struct tr__device_work *w = tr_paged_walk(&f->work, i);
        if (is_shared(m, w))
            v[n++] = (struct shared_work){ w->ts, w->record, i };
    }
    qsort(v, n, sizeof *v, by_time);
    for (size_t i = 0; i < n; i++) {
        struct tr__device_work *w = tr_paged_at(&f->work, v[i].at);
        uint32_t group = tr__process_of(m->g, w->interner, w->track)->group;
        struct tr_launch *a = next_launch(m, w, &group);
        if (a)
            a->n_device++;
        w->correlation = link_of(group, w->correlation);
    }
    free(v);
    return true;
}

/* Work and launches get the links of their groups. */
static void relink(struct matching *m)
{
    struct tr__file *f = &m->l->file;
    for (size_t i = 0; i < f->work.n; i++) {
        struct tr__device_work *w = tr_paged_walk(&f->work, i);
        const struct tr__process *p = tr__process_of(m->g, w->interner, w->track);
        if (!p->shared)
            w->correlation = link_of(p->group == TR__NO_GROUP ? 0 : p->group, w->correlation);
    }
    for (size_t i = 0; i < tr_launch_n(f->launches); i++) {
        struct tr_launch *a = tr_launch_walk(f->launches, i);
        uint32_t group = tr__process_of(m->g, a->interner, a->track)->group;
        a->correlation = link_of(group == TR__NO_GROUP ? 0 : group, a->correlation);
    }
}

static void matching_free(struct matching *m)
{
    tr_launch_free(m->launches);
    free(m->guests);
    free(m->guest_of);
    free(m->found);
    free(m->n_devices);
    free(m->by_pid);
}

enum tr_status tr__groups_match(struct tr__source_state *l, struct tr__groups *g, struct tr_error *err)
{
    struct matching m = { .l = l, .g = g };
    bool shared = false;
    enum tr_status st = list_guests(&m) ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK && m.n_guests) {
        st = table_of(&m.launches, l, g, err);
        if (st == TR_OK) {
            count_found(&m);
            place_guests(&m);
        }
    }
    for (size_t i = 0; i < m.n_guests; i++)
        shared |= m.guests[i].p->shared;
    if (st == TR_OK && shared && !divide_work(&m))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        relink(&m);
    matching_free(&m);
    return st;
}

/* ---- without labels ---- */

/*
 * Is one of two calls inside the other?  Then a process calls a driver, and both are of this process.  Calls with the
 * same times are not: ranks that start together have such calls.
 */
static bool inside(const struct tr_launch *a, const struct tr_launch *b)
{
    int64_t a_end = tr_time_sum(a->ts, tr_dur_used(a->dur, TR_SUSPECT_NO));
    int64_t b_end = tr_time_sum(b->ts, tr_dur_used(b->dur, TR_SUSPECT_NO));
    if (a->ts == b->ts && a_end == b_end)
        return false;
    return (a->ts <= b->ts && b_end <= a_end) || (b->ts <= a->ts && a_end <= b_end);
}

/* Do two groups use a number of correlation, each for itself? */
static bool numbers_collide(const struct tr__source_state *l, const struct tr__groups *g,
                            struct tr_launch_table *t)
{
    for (size_t i = 0; i < tr_launch_n(l->file.launches); i++) {
        const struct tr_launch *a = tr_launch_walk(l->file.launches, i);
        uint32_t own = tr__process_of(g, a->interner, a->track)->group;
        if (i % (1u << 16) == 0)
            tr_launch_trim(t);
        for (uint32_t k = 0; k < g->n; k++) {
            const struct tr_launch *b = k == own ? NULL : tr_launch_find(t, link_of(k, a->correlation), a->ts);
            if (b && !inside(a, b))
                return true;
        }
    }
    return false;
}

/* A device of a process: its number, and the group. */
struct device {
    int64_t number;
    uint32_t group, process;
};

TR_ORDER(by_number, struct device, TR_UP(number), TR_UP(group))

/* Does one device number stand for the devices of several groups, under different pids? */
static bool devices_collide(const struct tr__source_state *l, struct matching *m, bool *memory)
{
    struct device *v = NULL;
    size_t n = 0, cap = 0;
    bool found = false;
    for (size_t i = 0; i < l->n_lanes; i++)
        for (size_t k = 0; k < l->lanes[i]->interner.n_tracks; k++) {
            const struct tr_track *t = &l->lanes[i]->interner.tracks[k];
            uint32_t guest = m->guest_of[m->g->of[i][k]];
            bool alone;
            if (!guest || t->side != TR_SIDE_DEVICE || t->device == TR_I64_NONE)
                continue;
            if (!tr_grow(&v, &cap, n + 1, sizeof *v)) {
                *memory = true;
                break;
            }
            v[n] = (struct device){ t->device, best_of(m, &m->guests[guest - 1], &alone), guest };
            n += alone;
        }
    if (n)
        qsort(v, n, sizeof *v, by_number);
    for (size_t i = 1; i < n; i++)
        found |= v[i].number == v[i - 1].number && v[i].group != v[i - 1].group;
    free(v);
    return found;
}

/* A group for each process that launches work, by pid. */
static bool group_launchers(struct tr__groups *g)
{
    uint32_t *order = calloc(g->n_processes + 1, sizeof *order);
    size_t n = 0;
    for (uint32_t i = 0; order && i < g->n_processes; i++)
        if (g->processes[i].n_launches && n <= MAX_GROUPS)
            insert(g, order, n++, i);
    g->v = order && n > 1 && n <= MAX_GROUPS ? calloc(n, sizeof *g->v) : NULL;
    g->n = g->v ? n : 0;
    for (uint32_t i = 0; i < g->n; i++) {
        g->processes[order[i]].group = i;
        g->v[i].label.rank = i;
    }
    bool ok = order && (g->v || n < 2 || n > MAX_GROUPS);
    free(order);
    return ok;
}

/* They are processes of one source after all. */
static void dissolve(struct tr__groups *g)
{
    free(g->v);
    g->v = NULL;
    g->n = 0;
    for (size_t i = 0; i < g->n_processes; i++)
        g->processes[i].group = TR__NO_GROUP;
}

enum tr_status tr__groups_by_launches(struct tr__source_state *l, struct tr__groups *g, struct tr_error *err)
{
    struct matching m = { .l = l, .g = g };
    bool memory = false, collide = false;
    if (!group_launchers(g))
        return tr_fail_memory(err);
    if (!g->n)
        return TR_OK;
    enum tr_status st = list_guests(&m) ? table_of(&m.launches, l, g, err) : tr_fail_memory(err);
    if (st == TR_OK && m.n_guests && !(collide = numbers_collide(l, g, m.launches))) {
        count_found(&m);
        collide = devices_collide(l, &m, &memory);
    }
    matching_free(&m);
    if (!collide)
        dissolve(g);
    return memory ? tr_fail_memory(err) : st;
}
