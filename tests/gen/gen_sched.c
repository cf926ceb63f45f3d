/* SPDX-License-Identifier: MIT */
/*
 * One step of one rank: a transformer in data-parallel training.
 *
 * main thread: load a batch, copy it, forward, loss, then (gen_step_end) optimizer and loss.item()
 * bwd thread:  backward, with a collective after each bucket of layers
 * streams:     compute (one or more), communication, copies
 *
 * The host runs ahead; a kernel starts when it has been launched and its stream is free.  The
 * optimizer's first kernel waits for the last collective, whose end gen_job.c knows for all ranks.
 */
#include "gen_work.h"

/* ---- collectives ---- */

/* How much later than its fellows a rank sees a collective end: nearly normal, a sum of twelve. */
static int64_t end_jitter(const struct gen_job *j, const struct gen_rank *r, int64_t c)
{
    struct gen_rng g = gen_rng_make((uint64_t)j->o->seed, 20, (uint64_t)r->id,
                                    (uint64_t)(r->step * 4096 + c));
    int64_t sum = 0;
    for (int i = 0; i < 12; i++)
        sum += gen_range(&g, -(1 << 19), 1 << 19);
    return sum * j->o->end_jitter_ns / (1 << 20);
}

static void collective(struct gen_job *j, struct gen_rank *r, int64_t c)
{
    struct gen_thread *t = &r->bwd;
    const struct gen_opts *o = j->o;
    int64_t nelems = 3148800 + 1049600 * (c % o->comm_sizes), seq = (int64_t)++r->n_comm;

    struct gen_ev *e = gen_work_open(j, t, GEN_T_OP, "c10d::allreduce_");
    e->ext = ++r->n_ext;
    e->info = &gen_shapes[0];
    e->a = -1;
    t->now += gen_range(&r->rng, 900, 4000);
    e = gen_work_open(j, t, GEN_T_COMM_OP, "record_param_comms");
    e->ext = ++r->n_ext;
    e->b = seq;
    e->c = nelems;
    t->now += gen_range(&r->rng, 900, 4000);
    gen_work_misc(j, r, t, j->w->record, j->w->cb_record);
    gen_work_misc(j, r, t, j->w->wait, j->w->cb_wait);
    gen_work_annot(j, r, t, "nccl:all_reduce");
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
        if (c && r->stream_end[GEN_LANE_COMM] + 1500 > ready)
            ready = r->stream_end[GEN_LANE_COMM] + 1500;
        end = *gen_coll_end(j, r->id, r->step, c) + end_jitter(j, r, c);
    }
    struct gen_ev *k = gen_work_device(j, GEN_T_COMM, GEN_LANE_COMM, ready, end - ready, id,
                                       gen_work_ext(j, t) - 1);
    k->name = j->w->comm_kernel;
    k->num = (int32_t)(o->first_step + r->step);
    k->a = c;
    k->b = seq;
    k->c = nelems;
    k->flags = lost ? GEN_F_LOST : 0;
    r->stream_end[GEN_LANE_COMM] = end;
    gen_work_flow(j, GEN_L_DEV, GEN_LANE_COMM, ready, 'f', id, id, lost ? GEN_F_LOST : 0);
    gen_work_call(j, t, j->w->launch_comm, j->w->cb_comm, ts, dur, id, true, NULL);
    gen_work_annot_end(j, r, t, !lost);
    gen_work_close(j, t);
    t->now += gen_range(&r->rng, 300, 900);
    gen_work_close(j, t);
    t->now += gen_range(&r->rng, 300, 900);
}

/* ---- the step ---- */

void gen_rank_init(const struct gen_job *j, struct gen_rank *r, int id)
{
    *r = (struct gen_rank){ .id = id, .step = -1 };
    struct gen_rng g = gen_rng_make((uint64_t)j->o->seed, 1, (uint64_t)id, 0);
    r->main = (struct gen_thread){ .list = GEN_L_MAIN,
                                   .lane = GEN_LANE_MAIN,
                                   .now = 1000000 + gen_range(&g, 0, 40000) };
    r->bwd = (struct gen_thread){ .list = GEN_L_BWD, .lane = GEN_LANE_BWD };
    r->py = (struct gen_thread){ .list = GEN_L_PY, .lane = GEN_LANE_PY };
    r->n_ext = 1024;
    r->n_runtime = 4096 + gen_below(&g, 60000);
    if (j->o->pid_collision)
        r->n_runtime = 4096;
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
    gen_work_annot(j, r, &r->main, "enumerate(DataLoader)#_MultiProcessingDataLoaderIter.__next__");
    gen_work_frame(j, r, "torch/utils/data/dataloader.py(1453): _get_data", -1);
    r->main.now += wait;
    gen_work_frame_end(j, r);
    gen_work_annot_end(j, r, &r->main, false);

    struct gen_ev *e = gen_work_open(j, &r->main, GEN_T_OP, "aten::copy_");
    e->ext = ++r->n_ext;
    e->info = &gen_shapes[1];
    e->a = -1;
    gen_work_copy(j, r, &r->main, GEN_LANE_COPY, 0, 131072 + 4096 * (int64_t)gen_below(&r->rng, 8));
    gen_work_close(j, &r->main);
    int64_t copied = r->stream_end[GEN_LANE_COPY];
    if (copied > r->stream_end[GEN_LANE_DEV])
        r->stream_end[GEN_LANE_DEV] = copied;
    gen_work_copy(j, r, &r->main, GEN_LANE_COPY, 0,
                  4194304); /* the next batch, under the forward's kernels */
}

static void forward(struct gen_job *j, struct gen_rank *r)
{
    const struct gen_opts *o = j->o;

    gen_work_annot(j, r, &r->main, "DistributedDataParallel.forward");
    gen_work_frame(j, r, "train.py(142): train_step", -1);
    for (int l = 0; l < o->layers; l++) {
        gen_work_frame(j, r, "torch/nn/modules/module.py(1773): _wrapped_call_impl", -1);
        gen_work_frame(j, r, "nn.Module: TransformerBlock_", l);
        gen_work_frame(j, r, "model.py(84): forward", -1);
        gen_work_tree(j, r, &r->main, &gen_forward, l);
        for (int i = 0; i < 3; i++)
            gen_work_frame_end(j, r);
    }
    for (int g = 0; g < o->graphs; g++) {
        r->main.now += gen_range(&r->rng, 2000, 9000);
        gen_work_launch(j, r, &r->main, GEN_LANE_DEV, g % j->n_kernels, (int)o->graph_kernels);
    }
    gen_work_frame_end(j, r);
    gen_work_annot_end(j, r, &r->main, true);
    gen_work_tree(j, r, &r->main, &gen_loss, 0);
}

static void backward(struct gen_job *j, struct gen_rank *r)
{
    const struct gen_opts *o = j->o;
    int64_t done = 0;

    gen_work_frame(j, r, "torch/autograd/__init__.py(200): backward", -1);
    r->bwd.now = r->main.now + gen_range(&r->rng, 20000, 60000);
    gen_work_copy(j, r, &r->bwd, GEN_LANE_DEV, 3, 1048576);
    for (int64_t l = o->layers - 1; l >= 0 || done < o->collectives; l--) {
        if (l >= 0)
            gen_work_tree(j, r, &r->bwd, &gen_backward, (int)l);
        int64_t left = l > 0 ? l : 0; /* spread the buckets evenly over the layers */
        for (; done < o->collectives && done * o->layers < o->collectives * (o->layers - left);
             done++)
            collective(j, r, done);
        if (l < 0)
            for (; done < o->collectives; done++)
                collective(j, r, done);
    }
    r->main.now = r->bwd.now + gen_range(&r->rng, 8000, 30000);
    gen_work_frame_end(j, r);
}

void gen_step_start(struct gen_job *j, struct gen_rank *r)
{
    for (int i = 0; i < GEN_LISTS; i++)
        j->list[i].n = 0;
    j->n_seqs = 0;
    r->step++;
    r->rng = gen_rng_make((uint64_t)j->o->seed, 2, (uint64_t)r->id, (uint64_t)r->step);
    gen_work_annot(j, r, &r->main, "ProfilerStep#");
    struct gen_ev *e = &j->list[GEN_L_MAIN].v[j->list[GEN_L_MAIN].n - 1];
    e->flags |= GEN_F_NUM | GEN_F_STEP;
    e->num = (int32_t)(j->o->first_step + r->step);
    gen_work_frame(j, r, "train.py(188): <module>", -1);
    load_batch(j, r);
    forward(j, r);
    backward(j, r);
}

static void counters(struct gen_job *j, struct gen_rank *r)
{
    for (int64_t i = 0; i < j->o->counters; i++) {
        struct gen_ev *e =
            gen_work_add(j, GEN_L_DEV_ANNOT, GEN_T_COUNTER, GEN_LANE_DEV, r->main.now + i * 1000);
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
        r->stream_end[GEN_LANE_COMM] = end;
    }
    gen_work_annot(j, r, t, "Optimizer.step#AdamW.step");
    gen_work_frame(j, r, "torch/optim/optimizer.py(485): wrapper", -1);
    gen_work_tree(j, r, t, &gen_optimizer, 0);
    gen_work_frame_end(j, r);
    gen_work_annot_end(j, r, t, true);

    struct gen_ev *e = gen_work_open(j, t, GEN_T_OP, "aten::item");
    e->ext = ++r->n_ext;
    e->info = &gen_shapes[0];
    e->a = -1;
    int64_t end = gen_work_copy(j, r, t, GEN_LANE_DEV, 1, 4);
    int64_t ts = t->now += gen_range(&r->rng, 300, 900);
    t->now = (end > ts ? end : ts) + gen_range(&r->rng, 2500, 9000);
    uint64_t id = ++r->n_runtime;
    if (o->sync && o->vendor == GEN_NVIDIA) {
        struct gen_ev *s =
            gen_work_device(j, GEN_T_SYNC, GEN_LANE_DEV, ts + 1000, t->now - ts - 1500, 0, e->ext);
        s->name = "Stream Sync";
        s->corr = id;
    }
    gen_work_call(j, t, j->w->sync_stream, j->w->cb_sync, ts, t->now - ts, id, false, NULL);
    t->now += gen_range(&r->rng, 300, 900);
    gen_work_close(j, t);
    gen_idle(j, r);
    gen_work_frame_end(j, r);
    counters(j, r);
    gen_work_annot_end(j, r, t, true);
    t->now += gen_range(&r->rng, 2000, 9000);
}
