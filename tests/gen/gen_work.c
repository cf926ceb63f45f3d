/* SPDX-License-Identifier: MIT */
/* What a step is made of: spans on threads, calls with their device work, operator trees. */
#include "gen_work.h"

struct gen_ev *gen_work_add(struct gen_job *j, int list, enum gen_type type, int lane, int64_t ts)
{
    struct gen_ev *e = gen_push(&j->list[list]);
    e->type = (uint8_t)type;
    e->lane = (uint8_t)lane;
    e->ts = ts;
    e->ph = 'X';
    e->name = "";
    return e;
}

struct gen_ev *gen_work_open(struct gen_job *j, struct gen_thread *t, enum gen_type type,
                             const char *name)
{
    struct gen_ev *e = gen_work_add(j, t->list, type, t->lane, t->now);
    int32_t at = (int32_t)(j->list[t->list].n - 1);
    e->name = name;
    e->up = t->depth ? at - t->open[t->depth - 1] : 0;
    if (t->depth == GEN_DEPTH)
        gen_die(4, "nesting deeper than %d", GEN_DEPTH);
    t->open[t->depth++] = at;
    return e;
}

struct gen_ev *gen_work_close(struct gen_job *j, struct gen_thread *t)
{
    struct gen_ev *e = &j->list[t->list].v[t->open[--t->depth]];
    e->dur = t->now - e->ts;
    return e;
}

uint64_t gen_work_ext(const struct gen_job *j, const struct gen_thread *t)
{
    return t->depth ? j->list[t->list].v[t->open[t->depth - 1]].ext : 0;
}

/* ---- Python frames: on the main thread's time, in a list of their own ---- */

void gen_work_frame(struct gen_job *j, struct gen_rank *r, const char *name, int num)
{
    struct gen_thread *t = &r->py;
    if (!j->o->python)
        return;
    t->now = r->main.now += gen_range(&r->rng, 400, 1900);
    uint64_t parent = t->depth ? (uint64_t)j->list[t->list].v[t->open[t->depth - 1]].a : 0;
    struct gen_ev *e = gen_work_open(j, t, GEN_T_PY, name);
    e->a = (int64_t)++r->n_py;
    e->b = (int64_t)parent;
    e->c = -1;
    if (num >= 0) {
        e->flags |= GEN_F_NUM;
        e->num = num;
        e->c = num;
    }
    r->main.now += gen_range(&r->rng, 200, 900);
}

void gen_work_frame_end(struct gen_job *j, struct gen_rank *r)
{
    if (!j->o->python)
        return;
    r->py.now = r->main.now += gen_range(&r->rng, 200, 1200);
    gen_work_close(j, &r->py);
    r->main.now += gen_range(&r->rng, 100, 500);
}

/* ---- runtime calls and device work ---- */

void gen_work_flow(struct gen_job *j, int list, int lane, int64_t ts, char ph, uint64_t id,
                   uint64_t link, int flags)
{
    struct gen_ev *e = gen_work_add(j, list, GEN_T_FLOW, lane, ts);
    e->ph = (uint8_t)ph;
    e->a = (int64_t)id;
    e->corr = id;
    e->link = link;
    e->flags = (uint8_t)flags;
}

/* A runtime call; the caller has listed its device work before it.  Kineto gives calls without
 * device work an f flow of their own, and launches an s flow. */
void gen_work_call(struct gen_job *j, struct gen_thread *t, const char *name, int cb, int64_t ts,
                   int64_t dur, uint64_t id, bool launch, const struct gen_kernel *k)
{
    struct gen_ev *e = gen_work_add(j, GEN_L_DEV, GEN_T_RUNTIME, t->lane, ts);
    e->name = name;
    e->a = cb;
    e->dur = dur;
    e->link = launch ? id : 0;
    e->corr = id;
    e->ext = gen_work_ext(j, t);
    e->info = k;
    e->flags = launch ? GEN_F_LAUNCH : 0;
    gen_work_flow(j, GEN_L_DEV, t->lane, ts, launch ? 's' : 'f', id, launch ? id : 0, 0);
}

void gen_work_misc(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, const char *name,
                   int cb)
{
    int64_t dur = gen_range(&r->rng, 400, 2600), ts = t->now += gen_range(&r->rng, 200, 900);
    uint64_t id = ++r->n_runtime;
    t->now += dur;
    gen_work_call(j, t, name, cb, ts, dur, id, false, NULL);
}

struct gen_ev *gen_work_device(struct gen_job *j, enum gen_type type, int lane, int64_t ts,
                               int64_t dur, uint64_t link, uint64_t ext)
{
    struct gen_ev *e = gen_work_add(j, GEN_L_DEV, type, lane, ts);
    e->dur = dur;
    e->link = e->corr = link;
    e->ext = ext;
    return e;
}

static int64_t stream_start(struct gen_rank *r, int lane, int64_t ready)
{
    int64_t free_at = r->stream_end[lane] + gen_range(&r->rng, 500, 1700);
    return free_at > ready ? free_at : ready;
}

static int64_t kernel_dur(const struct gen_job *j, struct gen_rank *r, const struct gen_kernel *k)
{
    int64_t d = (int64_t)k->dur_ns * j->o->device_scale / 1000;
    d += d * gen_range(&r->rng, -40, 60) / 1000;
    return d < 500 ? 500 : d;
}

/* n kernels from one launch; n > 1: a graph. */
void gen_work_launch(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, int lane,
                     int kernel, int n)
{
    int64_t dur = gen_range(&r->rng, 3200, 7900), ts = t->now += gen_range(&r->rng, 300, 1500);
    int64_t ready = ts + dur / 2 + gen_range(&r->rng, 3500, 7500);
    uint64_t id = ++r->n_runtime, ext = gen_work_ext(j, t);
    const struct gen_kernel *k = &j->kernels[kernel];

    t->now += dur;
    for (int i = 0; i < n; i++, k = &j->kernels[(kernel + i) % j->n_kernels]) {
        int64_t kts = stream_start(r, lane, ready), kdur = kernel_dur(j, r, k);
        struct gen_ev *e = gen_work_device(j, GEN_T_KERNEL, lane, kts, kdur, id, ext);
        e->info = k;
        e->a = (kernel + r->id + (int)t->depth) & (GEN_GRIDS - 1);
        e->flags = n > 1 ? GEN_F_GRAPH : 0;
        r->stream_end[lane] = kts + kdur;
        gen_work_flow(j, GEN_L_DEV, lane, kts, 'f', id, id, 0);
    }
    gen_work_call(j, t, n > 1 ? j->w->launch_graph : j->w->launch,
                  n > 1 ? j->w->cb_graph : j->w->cb_launch, ts, dur, id, true,
                  n > 1 ? NULL : &j->kernels[kernel]);
}

static const char *const copy_kinds[] = {
    "Memcpy HtoD (Pinned -> Device)",
    "Memcpy DtoH (Device -> Pageable)",
    "Memcpy DtoD (Device -> Device)",
};

/* kind: 0 to 2, a copy; 3: a memset */
int64_t gen_work_copy(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, int lane,
                      int kind, int64_t bytes)
{
    int64_t dur = gen_range(&r->rng, 4200, 9900), ts = t->now += gen_range(&r->rng, 300, 1500);
    int64_t ready = ts + dur / 2 + gen_range(&r->rng, 2500, 4500);
    uint64_t id = ++r->n_runtime, ext = gen_work_ext(j, t);
    int64_t kts = stream_start(r, lane, ready), kdur = 1200 +
                                                       bytes / (kind == 2   ? 1100
                                                                : kind == 3 ? 1300
                                                                            : 24) +
                                                       gen_range(&r->rng, 0, 900);
    struct gen_ev *e =
        gen_work_device(j, kind == 3 ? GEN_T_SET : GEN_T_COPY, lane, kts, kdur, id, ext);

    t->now += dur;
    e->name = kind == 3 ? "Memset (Device)" : copy_kinds[kind];
    e->a = bytes;
    e->b = kind;
    r->stream_end[lane] = kts + kdur;
    gen_work_flow(j, GEN_L_DEV, lane, kts, 'f', id, id, 0);
    gen_work_call(j, t, kind == 3 ? j->w->set : j->w->copy,
                  kind == 3 ? j->w->cb_set : j->w->cb_copy, ts, dur, id, true, NULL);
    return kts + kdur;
}

/* ---- operators ---- */

static void memory_event(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, int64_t bytes,
                         uint64_t addr)
{
    if (!j->o->memory)
        return;
    r->allocated += bytes;
    struct gen_ev *e =
        gen_work_add(j, GEN_L_MEM, GEN_T_MEM, t->lane, t->now += gen_range(&r->rng, 100, 400));
    e->name = "[memory]";
    e->ph = 'i';
    e->a = (int64_t)(0x7f5e00000000u + (addr << 21));
    e->b = bytes;
    e->c = r->allocated;
}

static int compute_lane(const struct gen_job *j, const struct gen_op *op, int layer)
{
    return GEN_LANE_DEV + (op->flags & GEN_OP_SIDE ? layer % (int)j->o->streams : 0);
}

static void run_op(struct gen_job *j, struct gen_rank *r, struct gen_thread *t,
                   const struct gen_op *op, int layer, uint64_t *blocks, int *n_blocks)
{
    struct gen_ev *e = gen_work_open(j, t, GEN_T_OP, op->name);
    bool bwd = t->lane == GEN_LANE_BWD;

    e->ext = ++r->n_ext;
    e->info = &gen_shapes[op->shape];
    e->a = -1;
    if (op->flags & GEN_OP_SEQ) {
        uint64_t seq;
        if (!bwd) {
            seq = ++r->n_seq;
            if (j->n_seqs < (int)(sizeof j->seqs / sizeof *j->seqs))
                j->seqs[j->n_seqs++] = seq;
        } else {
            seq = j->n_seqs ? j->seqs[--j->n_seqs] : 0;
        }
        e->a = (int64_t)seq;
        e->b = bwd;
        if (seq)
            gen_work_flow(j, t->list, t->lane, e->ts, bwd ? 'f' : 's', seq, 0, GEN_F_FWDBWD);
    }
    t->now += gen_range(&r->rng, 500, 3200);
    if (op->flags & GEN_OP_ALLOC) {
        int64_t bytes = 512 * (1 + (int64_t)gen_below(&r->rng, 1u << 15));
        memory_event(j, r, t, bytes, ++r->n_addr);
        if (*n_blocks < 64)
            blocks[(*n_blocks)++] = (r->n_addr << 24) | (uint64_t)bytes / 512;
    }
    if (op->kernel >= 0) {
        if (op->flags & GEN_OP_MISC) {
            uint32_t m = gen_below(&r->rng, 3);
            gen_work_misc(j, r, t, j->w->misc[m], j->w->cb_misc[m]);
        }
        gen_work_launch(j, r, t, compute_lane(j, op, layer), op->kernel, 1);
    }
    t->now += gen_range(&r->rng, 200, 1100);
}

void gen_work_tree(struct gen_job *j, struct gen_rank *r, struct gen_thread *t,
                   const struct gen_tree *tree, int layer)
{
    int base = t->depth;
    uint64_t blocks[64];
    int n_blocks = 0;
    bool frames = t == &r->main;

    for (int i = 0; i <= tree->n; i++) {
        int depth = i < tree->n ? tree->op[i].depth : 0;
        while (t->depth > base + depth) {
            t->now += gen_range(&r->rng, 200, 1400);
            gen_work_close(j, t);
            t->now += gen_range(&r->rng, 100, 600);
            if (frames && t->depth == base)
                for (int f = 0; f < j->o->python; f++)
                    gen_work_frame_end(j, r);
        }
        if (i == tree->n)
            break;
        if (frames && !depth)
            for (int f = 0; f < j->o->python; f++)
                gen_work_frame(j, r, gen_frames[(i * 3 + f * 5 + layer) % gen_n_frames], -1);
        run_op(j, r, t, &tree->op[i], layer, blocks, &n_blocks);
    }
    while (n_blocks) {
        uint64_t b = blocks[--n_blocks];
        memory_event(j, r, t, -(int64_t)(b & 0xffffff) * 512, b >> 24);
    }
}

void gen_work_annot(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, const char *name)
{
    t->now += gen_range(&r->rng, 500, 2000);
    struct gen_ev *e = gen_work_open(j, t, GEN_T_ANNOT, name);
    e->ext = ++r->n_ext;
    e->c = (int64_t)j->list[GEN_L_DEV].n;
    t->now += gen_range(&r->rng, 500, 2000);
}

/* Close it, and repeat it on each stream that got work under it, as Kineto does. */
void gen_work_annot_end(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, bool on_device)
{
    int64_t lo[GEN_LANES], hi[GEN_LANES] = { 0 };
    const struct gen_evs *dev = &j->list[GEN_L_DEV];

    t->now += gen_range(&r->rng, 500, 2000);
    struct gen_ev e = *gen_work_close(j, t);
    t->now += gen_range(&r->rng, 200, 900);
    for (size_t i = (size_t)e.c; on_device && i < dev->n; i++) {
        const struct gen_ev *d = &dev->v[i];
        if (d->type < GEN_T_KERNEL || d->type > GEN_T_SET)
            continue;
        if (!hi[d->lane] || d->ts < lo[d->lane])
            lo[d->lane] = d->ts;
        if (d->ts + d->dur > hi[d->lane])
            hi[d->lane] = d->ts + d->dur;
    }
    for (int lane = GEN_LANE_DEV; on_device && lane < GEN_LANES; lane++) {
        if (!hi[lane])
            continue;
        struct gen_ev *g = gen_work_add(j, GEN_L_DEV_ANNOT, GEN_T_DEV_ANNOT, lane, lo[lane] - 1);
        g->dur = hi[lane] - lo[lane] + 2;
        g->name = e.name;
        g->num = e.num;
        g->flags = e.flags & GEN_F_NUM;
        g->ext = e.ext;
    }
}
