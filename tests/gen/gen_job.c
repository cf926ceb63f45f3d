/* SPDX-License-Identifier: MIT */
/* All ranks: when shared collectives end, and one file after the other. */
#include "gen.h"

#include <stdlib.h>
#include <string.h>

#define BASE_NS 1711964646000000000 /* the fixed base that Kineto subtracted in early 2024 */

struct gen_ev *gen_push(struct gen_evs *l)
{
    l->v = gen_more(l->v, &l->cap, l->n + 1, sizeof *l->v);
    struct gen_ev *e = &l->v[l->n++];
    memset(e, 0, sizeof *e);
    return e;
}

int64_t *gen_coll_end(const struct gen_job *j, int rank, int64_t step, int64_t coll)
{
    return &j->coll_end[(step * j->n_groups + rank / j->size_of_group) * j->o->collectives + coll];
}

/* A collective starts to move data when its last rank has arrived, and ends everywhere at once. */
static void end_collectives(struct gen_job *j, int64_t step)
{
    const struct gen_opts *o = j->o;
    for (int g = 0; g < j->n_groups; g++) {
        int first = g * j->size_of_group, n = j->size_of_group;
        int64_t before = 0;
        for (int64_t c = 0; c < o->collectives; c++) {
            struct gen_rng rng =
                gen_rng_make((uint64_t)o->seed, 6, (uint64_t)step, (uint64_t)(g * 4096 + c));
            int64_t last = before;
            for (int r = first; r < first + n && r < o->ranks; r++)
                if (j->ready[r * o->collectives + c] > last)
                    last = j->ready[r * o->collectives + c];
            before = last + o->comm_ns + o->comm_ns * (c % 3) / 4 +
                     gen_range(&rng, 0, o->comm_ns / 16 + 1);
            *gen_coll_end(j, first, step, c) = before;
            before += 1500;
        }
    }
}

static void count_lists(struct gen_job *j, int rank)
{
    for (int i = 0; i < GEN_LISTS; i++)
        *(i < GEN_L_DEV ? &j->total_host[rank] : &j->total_dev[rank]) += j->list[i].n;
}

void gen_job_plan(struct gen_job *j)
{
    const struct gen_opts *o = j->o;
    struct gen_rank *ranks = gen_alloc((size_t)o->ranks, sizeof *ranks);

    j->size_of_group = (int)(o->group_size ? o->group_size : o->ranks);
    j->n_groups = (int)((o->ranks + j->size_of_group - 1) / j->size_of_group);
    free(j->coll_end);
    free(j->ready);
    free(j->total_host);
    free(j->total_dev);
    j->coll_end =
        gen_alloc((size_t)(j->steps * j->n_groups * o->collectives) + 1, sizeof *j->coll_end);
    j->ready = gen_alloc((size_t)(o->ranks * o->collectives) + 1, sizeof *j->ready);
    j->total_host = gen_alloc((size_t)o->ranks, sizeof *j->total_host);
    j->total_dev = gen_alloc((size_t)o->ranks, sizeof *j->total_dev);
    for (int r = 0; r < o->ranks; r++)
        gen_rank_init(j, &ranks[r], r);
    for (int64_t s = 0; s < j->steps; s++) {
        j->planning = true;
        for (int r = 0; r < o->ranks && o->collectives; r++) {
            struct gen_rank trial = ranks[r];
            gen_step_start(j, &trial);
        }
        end_collectives(j, s);
        j->planning = false;
        for (int r = 0; r < o->ranks; r++) {
            gen_step_start(j, &ranks[r]);
            gen_step_end(j, &ranks[r]);
            count_lists(j, r);
        }
    }
    free(ranks);
}

/* ---- printing ---- */

static void thin_out(const struct gen_job *j, struct gen_evs *l, const struct gen_rank *r, int list)
{
    struct gen_rng g =
        gen_rng_make((uint64_t)j->o->seed, 7 + (uint64_t)list, (uint64_t)r->id, (uint64_t)r->step);
    size_t n = 0;
    for (size_t i = 0; i < l->n; i++)
        if (gen_chance(&g, (uint32_t)j->o->keep)) {
            l->v[n] = l->v[i];
            l->v[n++].up = 0;
        }
    l->n = n;
}

static void flush_pending(struct gen_file *f)
{
    for (size_t i = 0; i < f->pending.n; i++)
        gen_print(f, &f->pending.v[i]);
    f->pending.n = 0;
}

/* Print (or keep in all) the lists of the step just simulated; which: 0 host, 1 device. */
static void step_lists(struct gen_file *f, struct gen_job *j, const struct gen_rank *r, int which,
                       uint64_t *pos, struct gen_evs *all)
{
    int first = which ? GEN_L_DEV : 0, end = which ? GEN_LISTS : GEN_L_DEV;
    for (int i = first; i < end; i++) {
        struct gen_evs *l = &j->list[i];
        if (j->o->keep < 1000)
            thin_out(j, l, r, i);
        gen_plant_list(f->planter, l, which, *pos);
        *pos += l->n;
        for (size_t k = 0; k < l->n; k++)
            if (all)
                *gen_push(all) = l->v[k];
            else
                gen_print(f, &l->v[k]);
    }
    if (!all)
        flush_pending(f);
}

static void shuffle(struct gen_file *f, struct gen_evs *all)
{
    for (size_t i = all->n; i > 1; i--) {
        size_t k = gen_below(&f->rng, (uint32_t)i);
        struct gen_ev t = all->v[i - 1];
        all->v[i - 1] = all->v[k];
        all->v[k] = t;
    }
    for (size_t i = 0; i < all->n; i++)
        gen_print(f, &all->v[i]);
    flush_pending(f);
}

/* Kineto writes all host events first, then calls and device work: two runs of the simulation. */
static void events(struct gen_file *f, struct gen_job *j)
{
    const struct gen_opts *o = j->o;
    int64_t from = j->steps * f->source / o->sources, joined = gen_list_at(&o->join_step, f->rank);
    int64_t to = j->steps * (f->source + 1) / o->sources;
    struct gen_evs all = { 0 };
    uint64_t pos[2] = { 0, 0 };

    for (int which = 0; which < (o->by_step ? 1 : 2); which++) {
        struct gen_rank r;
        gen_rank_init(j, &r, f->rank);
        for (int64_t s = 0; s < to; s++) {
            gen_step_start(j, &r);
            gen_step_end(j, &r);
            if (s < from || s < joined)
                continue;
            for (int w = 0; w < 2; w++)
                if (o->by_step || w == which)
                    step_lists(f, j, &r, w, &pos[w], o->random_order ? &all : NULL);
        }
    }
    if (o->random_order)
        shuffle(f, &all);
    free(all.v);
}

static void free_file(struct gen_file *f)
{
    for (int i = 0; f->kernel_args && i < f->j->n_kernels * GEN_GRIDS; i++)
        free((char *)(uintptr_t)f->kernel_args[i].s);
    free(f->kernel_args);
    free(f->pending.v);
    gen_truth_free(f->truth);
    gen_planter_free(f->planter);
}

/* One file; without a directory only its size is found out. */
static uint64_t write_file(struct gen_job *j, int rank, int source, const char *dir)
{
    const struct gen_opts *o = j->o;
    struct gen_planter planter;
    struct gen_file f = {
        .j = j, .rank = rank, .source = source, .planter = &planter, .cut_element = UINT64_MAX
    };
    char stem[4096], path[4160];
    uint64_t size;

    if (o->sources > 1)
        snprintf(stem, sizeof stem, "%s/rank%d.%d", dir ? dir : "", rank, source);
    else
        snprintf(stem, sizeof stem, "%s/rank%d", dir ? dir : "", rank);
    snprintf(path, sizeof path, "%s.json", stem);
    gen_planter_init(&planter, j, rank, source);
    f.rng = gen_rng_make((uint64_t)o->seed, 3, (uint64_t)rank, (uint64_t)source);
    f.base = o->base == GEN_BASE_ABSENT || o->bare_array ? 0
             : o->base_ns.n                              ? gen_list_at(&o->base_ns, rank)
                                                         : BASE_NS;
    f.offset = gen_list_at(&o->offset_ns, rank);
    f.drift = gen_list_at(&o->drift_ppb, rank);
    f.skew = gen_list_at(&o->skew_ns, rank);
    f.truth = dir && !o->no_truth ? gen_truth_new() : NULL;
    gen_lanes(&f);
    gen_kernel_args(&f);
    gen_out_open(&f.out, dir ? path : NULL);
    if (dir && o->truncate_at >= 0)
        f.out.limit = (uint64_t)o->truncate_at;
    gen_header(&f);
    events(&f, j);
    gen_tail(&f);
    for (int w = 0; w < 2; w++)
        for (size_t i = planter.t[w].next; i < planter.t[w].n; i++)
            planter.missed += planter.t[w].v[i].plant != 0;
    size = gen_pos(&f.out);
    if (f.truth)
        gen_truth_write(f.truth, &f, stem);
    gen_out_close(&f.out);
    free_file(&f);
    return size;
}

void gen_job_write(struct gen_job *j)
{
    const struct gen_opts *o = j->o;
    if (o->size) { /* steps are much alike: two of them show how many fill the file */
        j->steps = o->sources;
        gen_job_plan(j);
        uint64_t one = write_file(j, 0, 0, NULL);
        j->steps = 5 * o->sources;
        gen_job_plan(j);
        uint64_t five = write_file(j, 0, 0, NULL), per_step = (five - one) / 4;
        uint64_t rest = (uint64_t)o->size > one ? (uint64_t)o->size - one : 0;
        j->steps = o->sources * (int64_t)(1 + (rest + per_step / 2) / (per_step ? per_step : 1));
    }
    gen_job_plan(j);
    for (int r = 0; r < o->ranks; r++)
        for (int s = 0; s < o->sources; s++)
            write_file(j, r, s, o->out_dir);
}

void gen_job_free(struct gen_job *j)
{
    for (int i = 0; i < GEN_LISTS; i++)
        free(j->list[i].v);
    free(j->coll_end);
    free(j->ready);
    free(j->total_host);
    free(j->total_dev);
}
