/*
 * One step of one rank: a transformer in data-parallel training.
 *
 *   main thread   load a batch, copy it, forward, loss, then (gen_step_end) optimizer and loss.item()
 *   bwd thread    backward, with a collective after each bucket of layers
 *   streams       compute (one or more), communication, copies
 *
 * The host runs ahead; a kernel starts when it has been launched and its stream is free.  The
 * optimizer's first kernel waits for the last collective, whose end gen_job.c knows for all ranks.
 */
#include "gen.h"

enum { D_COMM = GEN_LANE_DEV + 16, D_COPY = GEN_LANE_DEV + 17 };

static struct gen_ev *add(struct gen_job *j, int list, enum gen_type type, int lane, int64_t ts)
{
    struct gen_ev *e = gen_push(&j->list[list]);
    e->type = (uint8_t)type;
    e->lane = (uint8_t)lane;
    e->ts = ts;
    e->ph = 'X';
    e->name = "";
    return e;
}

static struct gen_ev *open_event(struct gen_job *j, struct gen_thread *t, enum gen_type type, const char *name)
{
    struct gen_ev *e = add(j, t->list, type, t->lane, t->now);
    int32_t at = (int32_t)(j->list[t->list].n - 1);
    e->name = name;
    e->up = t->depth ? at - t->open[t->depth - 1] : 0;
    if (t->depth == GEN_DEPTH)
        gen_die(4, "nesting deeper than %d", GEN_DEPTH);
    t->open[t->depth++] = at;
    return e;
}

static struct gen_ev *close_event(struct gen_job *j, struct gen_thread *t)
{
    struct gen_ev *e = &j->list[t->list].v[t->open[--t->depth]];
    e->dur = t->now - e->ts;
    return e;
}

static uint64_t current_ext(const struct gen_job *j, const struct gen_thread *t)
{
    return t->depth ? j->list[t->list].v[t->open[t->depth - 1]].ext : 0;
}

/* ---- Python frames: on the main thread's time, in a list of their own ---- */

static void py_open(struct gen_job *j, struct gen_rank *r, const char *name, int num)
{
    struct gen_thread *t = &r->py;
    if (!j->o->python)
        return;
    t->now = r->main.now += gen_range(&r->rng, 400, 1900);
    uint64_t parent = t->depth ? (uint64_t)j->list[t->list].v[t->open[t->depth - 1]].a : 0;
    struct gen_ev *e = open_event(j, t, GEN_T_PY, name);
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

static void py_close(struct gen_job *j, struct gen_rank *r)
{
    if (!j->o->python)
        return;
    r->py.now = r->main.now += gen_range(&r->rng, 200, 1200);
    close_event(j, &r->py);
    r->main.now += gen_range(&r->rng, 100, 500);
}

/* ---- runtime calls and device work ---- */

static void flow(struct gen_job *j, int list, int lane, int64_t ts, char ph, uint64_t id, uint64_t link, int flags)
{
    struct gen_ev *e = add(j, list, GEN_T_FLOW, lane, ts);
    e->ph = (uint8_t)ph;
    e->a = (int64_t)id;
    e->corr = id;
    e->link = link;
    e->flags = (uint8_t)flags;
}

/* A runtime call; the caller has listed its device work before it.  Kineto gives calls without
 * device work an f flow of their own, and launches an s flow. */
static void runtime_call(struct gen_job *j, struct gen_thread *t, const char *name, int cb, int64_t ts, int64_t dur,
                         uint64_t id, bool launch, const struct gen_kernel *k)
{
    struct gen_ev *e = add(j, GEN_L_DEV, GEN_T_RUNTIME, t->lane, ts);
    e->name = name;
    e->a = cb;
    e->dur = dur;
    e->link = launch ? id : 0;
    e->corr = id;
    e->ext = current_ext(j, t);
    e->info = k;
    e->flags = launch ? GEN_F_LAUNCH : 0;
    flow(j, GEN_L_DEV, t->lane, ts, launch ? 's' : 'f', id, launch ? id : 0, 0);
}

static void misc_call(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, const char *name, int cb)
{
    int64_t dur = gen_range(&r->rng, 400, 2600), ts = t->now += gen_range(&r->rng, 200, 900);
    uint64_t id = ++r->n_runtime;
    t->now += dur;
    runtime_call(j, t, name, cb, ts, dur, id, false, NULL);
}

static struct gen_ev *device_event(struct gen_job *j, enum gen_type type, int lane, int64_t ts, int64_t dur,
                                   uint64_t link, uint64_t ext)
{
    struct gen_ev *e = add(j, GEN_L_DEV, type, lane, ts);
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
static void launch(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, int lane, int kernel, int n)
{
    int64_t dur = gen_range(&r->rng, 3200, 7900), ts = t->now += gen_range(&r->rng, 300, 1500);
    int64_t ready = ts + dur / 2 + gen_range(&r->rng, 3500, 7500);
    uint64_t id = ++r->n_runtime, ext = current_ext(j, t);
    const struct gen_kernel *k = &j->kernels[kernel];

    t->now += dur;
    for (int i = 0; i < n; i++, k = &j->kernels[(kernel + i) % j->n_kernels]) {
        int64_t kts = stream_start(r, lane, ready), kdur = kernel_dur(j, r, k);
        struct gen_ev *e = device_event(j, GEN_T_KERNEL, lane, kts, kdur, id, ext);
        e->info = k;
        e->a = (kernel + r->id + (int)t->depth) & (GEN_GRIDS - 1);
        e->flags = n > 1 ? GEN_F_GRAPH : 0;
        r->stream_end[lane] = kts + kdur;
        flow(j, GEN_L_DEV, lane, kts, 'f', id, id, 0);
    }
    runtime_call(j, t, n > 1 ? j->w->launch_graph : j->w->launch, n > 1 ? j->w->cb_graph : j->w->cb_launch, ts, dur,
                 id, true, n > 1 ? NULL : &j->kernels[kernel]);
}

static const char *const copy_kinds[] = {
    "Memcpy HtoD (Pinned -> Device)", "Memcpy DtoH (Device -> Pageable)", "Memcpy DtoD (Device -> Device)",
};

/* kind: 0 to 2, a copy; 3: a memset */
static int64_t copy(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, int lane, int kind, int64_t bytes)
{
    int64_t dur = gen_range(&r->rng, 4200, 9900), ts = t->now += gen_range(&r->rng, 300, 1500);
    int64_t ready = ts + dur / 2 + gen_range(&r->rng, 2500, 4500);
    uint64_t id = ++r->n_runtime, ext = current_ext(j, t);
    int64_t kts = stream_start(r, lane, ready), kdur = 1200 + bytes / (kind == 2 ? 1100 : kind == 3 ? 1300 : 24) +
                                                      gen_range(&r->rng, 0, 900);
    struct gen_ev *e = device_event(j, kind == 3 ? GEN_T_SET : GEN_T_COPY, lane, kts, kdur, id, ext);

    t->now += dur;
    e->name = kind == 3 ? "Memset (Device)" : copy_kinds[kind];
    e->a = bytes;
    e->b = kind;
    r->stream_end[lane] = kts + kdur;
    flow(j, GEN_L_DEV, lane, kts, 'f', id, id, 0);
    runtime_call(j, t, kind == 3 ? j->w->set : j->w->copy, kind == 3 ? j->w->cb_set : j->w->cb_copy, ts, dur, id, true,
                 NULL);
    return kts + kdur;
}

/* ---- operators ---- */

static void memory_event(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, int64_t bytes, uint64_t addr)
{
    if (!j->o->memory)
        return;
    r->allocated += bytes;
    struct gen_ev *e = add(j, GEN_L_MEM, GEN_T_MEM, t->lane, t->now += gen_range(&r->rng, 100, 400));
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

static void run_op(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, const struct gen_op *op, int layer,
                   uint64_t *blocks, int *n_blocks)
{
    struct gen_ev *e = open_event(j, t, GEN_T_OP, op->name);
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
            flow(j, t->list, t->lane, e->ts, bwd ? 'f' : 's', seq, 0, GEN_F_FWDBWD);
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
            misc_call(j, r, t, j->w->misc[m], j->w->cb_misc[m]);
        }
        launch(j, r, t, compute_lane(j, op, layer), op->kernel, 1);
    }
    t->now += gen_range(&r->rng, 200, 1100);
}

static void run_tree(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, const struct gen_tree *tree, int layer)
{
    int base = t->depth;
    uint64_t blocks[64];
    int n_blocks = 0;
    bool frames = t == &r->main;

    for (int i = 0; i <= tree->n; i++) {
        int depth = i < tree->n ? tree->op[i].depth : 0;
        while (t->depth > base + depth) {
            t->now += gen_range(&r->rng, 200, 1400);
            close_event(j, t);
            t->now += gen_range(&r->rng, 100, 600);
            if (frames && t->depth == base)
                for (int f = 0; f < j->o->python; f++)
                    py_close(j, r);
        }
        if (i == tree->n)
            break;
        if (frames && !depth)
            for (int f = 0; f < j->o->python; f++)
                py_open(j, r, gen_frames[(i * 3 + f * 5 + layer) % gen_n_frames], -1);
        run_op(j, r, t, &tree->op[i], layer, blocks, &n_blocks);
    }
    while (n_blocks) {
        uint64_t b = blocks[--n_blocks];
        memory_event(j, r, t, -(int64_t)(b & 0xffffff) * 512, b >> 24);
    }
}

static void annotation_open(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, const char *name)
{
    t->now += gen_range(&r->rng, 500, 2000);
    struct gen_ev *e = open_event(j, t, GEN_T_ANNOT, name);
    e->ext = ++r->n_ext;
    e->c = (int64_t)j->list[GEN_L_DEV].n;
    t->now += gen_range(&r->rng, 500, 2000);
}

/* Close it, and repeat it on each stream that got work under it, as Kineto does. */
static void annotation_close(struct gen_job *j, struct gen_rank *r, struct gen_thread *t, bool on_device)
{
    int64_t lo[GEN_LANES], hi[GEN_LANES] = { 0 };
    const struct gen_evs *dev = &j->list[GEN_L_DEV];

    t->now += gen_range(&r->rng, 500, 2000);
    struct gen_ev e = *close_event(j, t);
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
        struct gen_ev *g = add(j, GEN_L_DEV_ANNOT, GEN_T_DEV_ANNOT, lane, lo[lane] - 1);
        g->dur = hi[lane] - lo[lane] + 2;
        g->name = e.name;
        g->num = e.num;
        g->flags = e.flags & GEN_F_NUM;
        g->ext = e.ext;
    }
}

/* ---- collectives ---- */

static void collective(struct gen_job *j, struct gen_rank *r, int64_t c)
{
    struct gen_thread *t = &r->bwd;
    const struct gen_opts *o = j->o;
    int64_t nelems = 3148800 + 1049600 * (c % 3), seq = (int64_t)++r->n_comm;

    struct gen_ev *e = open_event(j, t, GEN_T_OP, "c10d::allreduce_");
    e->ext = ++r->n_ext;
    e->info = &gen_shapes[0];
    e->a = -1;
    t->now += gen_range(&r->rng, 900, 4000);
    e = open_event(j, t, GEN_T_COMM_OP, "record_param_comms");
    e->ext = ++r->n_ext;
    e->b = seq;
    e->c = nelems;
    t->now += gen_range(&r->rng, 900, 4000);
    misc_call(j, r, t, j->w->record, j->w->cb_record);
    misc_call(j, r, t, j->w->wait, j->w->cb_wait);
    annotation_open(j, r, t, "nccl:all_reduce");
    int64_t dur = gen_range(&r->rng, 4200, 9000), ts = t->now += gen_range(&r->rng, 300, 1500);
    t->now += dur;
    int64_t ready = ts + dur / 2 + gen_range(&r->rng, 3500, 7500);
    if (r->stream_end[GEN_LANE_DEV] > ready)
        ready = r->stream_end[GEN_LANE_DEV] + 1200;
    bool lost = gen_below(&r->rng, 1000000) < (uint32_t)o->missing;

    uint64_t id = ++r->n_runtime;
    int64_t end = ready + 1;
    if (j->planning) {
        j->ready[r->id * o->collectives + c] = ready;
    } else {
        if (c && *gen_coll_end(j, r->id, r->step, c - 1) + 1500 > ready)
            ready = *gen_coll_end(j, r->id, r->step, c - 1) + 1500;
        end = *gen_coll_end(j, r->id, r->step, c);
    }
    struct gen_ev *k = device_event(j, GEN_T_COMM, D_COMM, ready, end - ready, id, current_ext(j, t) - 1);
    k->name = j->w->comm_kernel;
    k->num = (int32_t)(o->first_step + r->step);
    k->a = c;
    k->b = seq;
    k->c = nelems;
    k->flags = lost ? GEN_F_LOST : 0;
    r->stream_end[D_COMM] = end;
    flow(j, GEN_L_DEV, D_COMM, ready, 'f', id, id, lost ? GEN_F_LOST : 0);
    runtime_call(j, t, j->w->launch_comm, j->w->cb_comm, ts, dur, id, true, NULL);
    annotation_close(j, r, t, !lost);
    close_event(j, t);
    t->now += gen_range(&r->rng, 300, 900);
    close_event(j, t);
    t->now += gen_range(&r->rng, 300, 900);
}

/* ---- the step ---- */

void gen_rank_init(const struct gen_job *j, struct gen_rank *r, int id)
{
    *r = (struct gen_rank){ .id = id, .step = -1 };
    struct gen_rng g = gen_rng_make((uint64_t)j->o->seed, 1, (uint64_t)id, 0);
    r->main = (struct gen_thread){ .list = GEN_L_MAIN, .lane = GEN_LANE_MAIN, .now = 1000000 + gen_range(&g, 0, 40000) };
    r->bwd = (struct gen_thread){ .list = GEN_L_BWD, .lane = GEN_LANE_BWD };
    r->py = (struct gen_thread){ .list = GEN_L_PY, .lane = GEN_LANE_PY };
    r->n_ext = 1024;
    r->n_runtime = 4096 + gen_below(&g, 60000);
    r->n_seq = 1000;
    r->allocated = 6104280064 + 4096 * (int64_t)gen_below(&g, 1000);
}

static void load_batch(struct gen_job *j, struct gen_rank *r)
{
    const struct gen_opts *o = j->o;
    int64_t wait = o->data_ns + (o->data_ns ? gen_range(&r->rng, 0, o->data_ns / 8 + 1) : 0);

    if (o->stall_every && (r->step + 1) % o->stall_every == 0)
        wait += o->stall_ns;
    if (o->straggler == r->id)
        wait += o->straggler_ns;
    if (o->jitter_ns)
        wait += gen_range(&r->rng, 0, o->jitter_ns);
    annotation_open(j, r, &r->main, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
    py_open(j, r, "torch/utils/data/dataloader.py(1453): _get_data", -1);
    r->main.now += wait;
    py_close(j, r);
    annotation_close(j, r, &r->main, false);
    r->loader_ns = wait;

    struct gen_ev *e = open_event(j, &r->main, GEN_T_OP, "aten::copy_");
    e->ext = ++r->n_ext;
    e->info = &gen_shapes[1];
    e->a = -1;
    copy(j, r, &r->main, D_COPY, 0, 131072 + 4096 * (int64_t)gen_below(&r->rng, 8));
    close_event(j, &r->main);
    int64_t copied = r->stream_end[D_COPY];
    if (copied > r->stream_end[GEN_LANE_DEV])
        r->stream_end[GEN_LANE_DEV] = copied;
    copy(j, r, &r->main, D_COPY, 0, 4194304); /* the next batch, under the forward's kernels */
}

static void forward(struct gen_job *j, struct gen_rank *r)
{
    const struct gen_opts *o = j->o;

    annotation_open(j, r, &r->main, "DistributedDataParallel.forward");
    py_open(j, r, "train.py(142): train_step", -1);
    for (int l = 0; l < o->layers; l++) {
        py_open(j, r, "torch/nn/modules/module.py(1773): _wrapped_call_impl", -1);
        py_open(j, r, "nn.Module: TransformerBlock_", l);
        py_open(j, r, "model.py(84): forward", -1);
        run_tree(j, r, &r->main, &gen_forward, l);
        for (int i = 0; i < 3; i++)
            py_close(j, r);
    }
    for (int g = 0; g < o->graphs; g++) {
        r->main.now += gen_range(&r->rng, 2000, 9000);
        launch(j, r, &r->main, GEN_LANE_DEV, g % j->n_kernels, (int)o->graph_kernels);
    }
    py_close(j, r);
    annotation_close(j, r, &r->main, true);
    run_tree(j, r, &r->main, &gen_loss, 0);
}

static void backward(struct gen_job *j, struct gen_rank *r)
{
    const struct gen_opts *o = j->o;
    int64_t done = 0;

    py_open(j, r, "torch/autograd/__init__.py(200): backward", -1);
    r->bwd.now = r->main.now + gen_range(&r->rng, 20000, 60000);
    copy(j, r, &r->bwd, GEN_LANE_DEV, 3, 1048576);
    for (int64_t l = o->layers - 1; l >= 0 || done < o->collectives; l--) {
        if (l >= 0)
            run_tree(j, r, &r->bwd, &gen_backward, (int)l);
        int64_t left = l > 0 ? l : 0; /* spread the buckets evenly over the layers */
        for (; done < o->collectives && done * o->layers < o->collectives * (o->layers - left); done++)
            collective(j, r, done);
        if (l < 0)
            for (; done < o->collectives; done++)
                collective(j, r, done);
    }
    r->main.now = r->bwd.now + gen_range(&r->rng, 8000, 30000);
    py_close(j, r);
}

void gen_step_begin(struct gen_job *j, struct gen_rank *r)
{
    for (int i = 0; i < GEN_LISTS; i++)
        j->list[i].n = 0;
    j->n_seqs = 0;
    r->step++;
    r->rng = gen_rng_make((uint64_t)j->o->seed, 2, (uint64_t)r->id, (uint64_t)r->step);
    annotation_open(j, r, &r->main, "ProfilerStep#");
    struct gen_ev *e = &j->list[GEN_L_MAIN].v[j->list[GEN_L_MAIN].n - 1];
    e->flags |= GEN_F_NUM | GEN_F_STEP;
    e->num = (int32_t)(j->o->first_step + r->step);
    py_open(j, r, "train.py(188): <module>", -1);
    load_batch(j, r);
    forward(j, r);
    backward(j, r);
}

static void counters(struct gen_job *j, struct gen_rank *r)
{
    for (int64_t i = 0; i < j->o->counters; i++) {
        struct gen_ev *e = add(j, GEN_L_DEV_ANNOT, GEN_T_COUNTER, GEN_LANE_DEV, r->main.now + i * 1000);
        e->ph = 'C';
        e->name = i & 1 ? "GPU power" : "GPU utilization";
        e->a = gen_range(&r->rng, 20, i & 1 ? 700 : 100);
        e->b = gen_range(&r->rng, 0, 999);
    }
}

void gen_step_end(struct gen_job *j, struct gen_rank *r)
{
    const struct gen_opts *o = j->o;
    struct gen_thread *t = &r->main;

    if (o->collectives) {
        int64_t end = *gen_coll_end(j, r->id, r->step, o->collectives - 1);
        if (end > r->stream_end[GEN_LANE_DEV])
            r->stream_end[GEN_LANE_DEV] = end;
        r->stream_end[D_COMM] = end;
    }
    annotation_open(j, r, t, "Optimizer.step#AdamW.step");
    py_open(j, r, "torch/optim/optimizer.py(485): wrapper", -1);
    run_tree(j, r, t, &gen_optimizer, 0);
    py_close(j, r);
    annotation_close(j, r, t, true);

    struct gen_ev *e = open_event(j, t, GEN_T_OP, "aten::item");
    e->ext = ++r->n_ext;
    e->info = &gen_shapes[0];
    e->a = -1;
    int64_t end = copy(j, r, t, GEN_LANE_DEV, 1, 4);
    int64_t ts = t->now += gen_range(&r->rng, 300, 900);
    t->now = (end > ts ? end : ts) + gen_range(&r->rng, 2500, 9000);
    uint64_t id = ++r->n_runtime;
    if (o->sync && o->vendor == GEN_NVIDIA) {
        struct gen_ev *s = device_event(j, GEN_T_SYNC, GEN_LANE_DEV, ts + 1000, t->now - ts - 1500, 0, e->ext);
        s->name = "Stream Sync";
        s->corr = id;
    }
    runtime_call(j, t, j->w->sync_stream, j->w->cb_sync, ts, t->now - ts, id, false, NULL);
    t->now += gen_range(&r->rng, 300, 900);
    close_event(j, t);
    py_close(j, r);
    counters(j, r);
    annotation_close(j, r, t, true);
    t->now += gen_range(&r->rng, 2000, 9000);
}
