/* SPDX-License-Identifier: MIT */
/* One event as text: the hot path.  Key order and white space are those of Kineto's JSON writer. */
#include "gen.h"

/* When the job's time 0 is, in nanoseconds since 1970. */
#define EPOCH 1716423322388068751

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

/* t * ppb / 10^9, rounded down, without overflow for spans of hours */
static int64_t drift_ns(int64_t t, int64_t ppb)
{
    int64_t s = floor_div(t, 1000000000), rest = t - s * 1000000000;
    return s * ppb + floor_div(rest * ppb, 1000000000);
}

static int64_t printed(const struct gen_file *f, const struct gen_ev *e, int64_t t)
{
    const struct gen_opts *o = f->j->o;
    t *= o->stretch;
    t += f->offset + drift_ns(t, f->drift) + (e->lane >= GEN_LANE_DEV ? f->skew : 0);
    if (o->grid_ns)
        t = floor_div(t, o->grid_ns) * o->grid_ns;
    t += (o->epoch_ns.n ? gen_list_at(&o->epoch_ns, f->rank) : EPOCH) - f->base;
    return o->whole_us ? floor_div(t, 1000) * 1000 : t;
}

int64_t gen_printed_ts(const struct gen_file *f, const struct gen_ev *e)
{
    return printed(f, e, e->ts);
}

int64_t gen_printed_end(const struct gen_file *f, const struct gen_ev *e)
{
    return printed(f, e, e->ts + e->dur);
}

const char *gen_cat(const struct gen_file *f, const struct gen_ev *e)
{
    const struct gen_words *w = f->j->w;
    switch (e->type) {
    case GEN_T_OP:
    case GEN_T_COMM_OP: return "cpu_op";
    case GEN_T_ANNOT: return "user_annotation";
    case GEN_T_PY: return "python_function";
    case GEN_T_MEM: return "cpu_instant_event";
    case GEN_T_RUNTIME: return w->runtime;
    case GEN_T_DRIVER: return w->driver;
    case GEN_T_KERNEL:
    case GEN_T_COMM: return w->kernel_cat;
    case GEN_T_COPY: return w->copy_cat;
    case GEN_T_SET: return w->set_cat;
    case GEN_T_SYNC: return "cuda_sync";
    case GEN_T_DEV_ANNOT: return "gpu_user_annotation";
    case GEN_T_FLOW: return e->flags & GEN_F_FWDBWD ? "fwdbwd" : "ac2g";
    default: return "";
    }
}

static void time_us(struct gen_file *f, int64_t ns)
{
    if (f->j->o->whole_us)
        gen_i64(&f->out, ns / 1000);
    else if (f->j->o->halves)
        gen_half_us(&f->out, ns);
    else
        gen_us(&f->out, ns, f->y.trim);
}

static void key_u64(struct gen_out *o, const char *key, size_t n, uint64_t v)
{
    gen_put(o, key, n);
    gen_u64(o, v);
}
#define KEY(o, key, v) key_u64(o, key, sizeof(key) - 1, (uint64_t)(v))

int gen_stream(const struct gen_words *w, int lane)
{
    if (lane == GEN_LANE_COMM)
        return w->stream_comm;
    if (lane == GEN_LANE_COPY)
        return w->stream_copy;
    return w->stream0 + (lane > GEN_LANE_DEV ? 9 + lane - GEN_LANE_DEV : 0);
}

static int stream_of(const struct gen_file *f, const struct gen_ev *e)
{
    return gen_stream(f->j->w, e->lane);
}

static void comm_args(struct gen_file *f, const struct gen_ev *e)
{
    struct gen_out *o = &f->out;
    GEN_LIT(o, "\"Collective name\": \"allreduce\"");
    KEY(o, ", \"In msg nelems\": ", e->c);
    KEY(o, ", \"Out msg nelems\": ", e->c);
    KEY(o, ", \"Group size\": ", f->j->size_of_group);
    GEN_LIT(o, ", \"dtype\": \"BFloat16\", \"In split size\": \"[]\", \"Out split size\": \"[]\"");
    KEY(o, ", \"Process Group Name\": \"", f->rank / f->j->size_of_group);
    GEN_LIT(o, "\", \"Process Group Description\": \"");
    gen_cstr(o, f->j->n_groups > 1 ? "dp_group" : "default_pg");
    GEN_LIT(o, "\", \"Process Group Ranks\": \"");
    gen_cstr(o, f->ranks_text);
    GEN_LIT(o, "\"");
    if (f->j->o->seq == GEN_SEQ_BOTH ||
        (f->j->o->seq == GEN_SEQ_RECORD && e->type == GEN_T_COMM_OP))
        KEY(o, ", \"Seq\": ", e->b);
}

static void op_args(struct gen_file *f, const struct gen_ev *e)
{
    struct gen_out *o = &f->out;
    const struct gen_shape *s = e->info;
    KEY(o, "\"External id\": ", e->ext);
    gen_str(o, f->y.tight);
    GEN_LIT(o, "\"Record function id\": 0, ");
    if (e->type == GEN_T_COMM_OP) {
        comm_args(f, e);
        KEY(o, ", \"Rank\": ", f->rank);
        GEN_LIT(o, ", ");
    } else if (e->type == GEN_T_OP) {
        if (e->a >= 0) {
            KEY(o, "\"Sequence number\": ", e->a);
            KEY(o, ", \"Fwd thread id\": ", e->b);
            GEN_LIT(o, ", ");
        }
        if (f->j->o->shapes)
            gen_cstr(o, f->j->o->shapes > 1 ? s->full : s->dims);
    }
    KEY(o, "\"Ev Idx\": ", f->ev_idx++);
}

static void py_args(struct gen_file *f, const struct gen_ev *e)
{
    struct gen_out *o = &f->out;
    GEN_LIT(o, "\"Python parent id\": ");
    if (e->b)
        gen_u64(o, (uint64_t)e->b);
    else
        GEN_LIT(o, "null");
    KEY(o, ", \"Python id\": ", e->a);
    if (e->c >= 0)
        KEY(o, ", \"Python module id\": ", e->c);
    KEY(o, ", \"Ev Idx\": ", f->ev_idx++);
}

static void external(struct gen_file *f, const struct gen_ev *e)
{
    if (!e->ext)
        return;
    KEY(&f->out, "\"External id\": ", e->ext);
    gen_str(&f->out, f->y.wide);
}

static void runtime_args(struct gen_file *f, const struct gen_ev *e)
{
    struct gen_out *o = &f->out;
    const struct gen_kernel *k = e->info;
    switch (f->j->o->vendor) {
    case GEN_NVIDIA:
        external(f, e);
        KEY(o, "\"cbid\": ", e->a);
        KEY(o, ", \"correlation\": ", e->corr);
        break;
    case GEN_AMD:
        external(f, e);
        if (k) {
            GEN_LIT(o, "\"kernel\": \"");
            gen_str(o, k->name);
            GEN_LIT(o, "\", ");
        }
        KEY(o, "\"cid\": ", e->a);
        KEY(o, ", \"correlation\": ", e->corr);
        if (k) {
            KEY(o, ", \"grid\": [", k->grid);
            KEY(o, ", 1, 1], \"block\": [", k->block);
            GEN_LIT(o, ", 1, 1], \"shared memory\": 0");
        }
        break;
    case GEN_MTIA:
        KEY(o, "\"correlation\": ", e->corr);
        KEY(o, ", \"device\": ", f->dev);
        GEN_LIT(o, ", \"stream_id\": \"101\"");
        break;
    default: external(f, e); KEY(o, "\"correlation\": ", e->corr);
    }
}

static void device_place(struct gen_file *f, const struct gen_ev *e)
{
    struct gen_out *o = &f->out;
    KEY(o, "\"device\": ", f->dev);
    if (f->j->o->vendor == GEN_NVIDIA)
        GEN_LIT(o, ", \"context\": 1");
    if (f->j->o->vendor == GEN_NVIDIA && e->type != GEN_T_SYNC)
        gen_str(o, f->y.wide);
    else
        GEN_LIT(o, ", ");
    KEY(o, "\"stream\": ", stream_of(f, e));
    KEY(o, ", \"correlation\": ", e->corr);
}

static void kernel_args(struct gen_file *f, const struct gen_ev *e)
{
    struct gen_out *o = &f->out;
    const struct gen_kernel *k = e->info;
    int64_t v = f->j->o->vendor;

    if (v != GEN_MTIA)
        external(f, e);
    if (v == GEN_NVIDIA || v == GEN_AMD) {
        if (v == GEN_NVIDIA)
            GEN_LIT(o, "\"queued\": 0, ");
        device_place(f, e);
        if (v == GEN_AMD && e->flags & GEN_F_GRAPH) {
            GEN_LIT(o, ", \"kind\": \"Dispatch Task\"");
        } else if (k) {
            gen_str(o, f->y.wide);
            gen_str(o, f->kernel_args[(k - f->j->kernels) * GEN_GRIDS + e->a]);
        } else {
            GEN_LIT(o, ", \"grid\": [24, 1, 1], \"block\": [544, 1, 1]");
        }
    } else if (v == GEN_MTIA) {
        KEY(o, "\"correlation\": ", e->corr);
        KEY(o, ", \"stream\": ", stream_of(f, e));
        GEN_LIT(o, ", \"column\": \"0\", \"row\": \"0\", \"packet_ptr\": 4");
    } else {
        KEY(o, "\"correlation\": ", e->corr);
        KEY(o, ", \"device\": ", f->dev);
        KEY(o, ", \"context\": \"0x0000000003a1c2d0\", \"sycl queue\": ", stream_of(f, e));
        KEY(o, ", \"l0 queue\": \"0x0000000003b7f1e0\", \"kernel_id\": ", e->corr + 100000);
        KEY(o, ", \"sycl_node_id\": 0, \"sycl_invocation_id\": ", e->corr);
    }
    if (e->type == GEN_T_COMM) {
        GEN_LIT(o, ", ");
        comm_args(f, e);
    }
}

static void copy_args(struct gen_file *f, const struct gen_ev *e, int64_t dur)
{
    struct gen_out *o = &f->out;
    static const char *const kinds[] = { "HtoD", "DtoH", "DtoD", "Device" };
    int64_t v = f->j->o->vendor;

    if (v == GEN_MTIA) {
        KEY(o, "\"correlation\": ", e->corr);
        KEY(o, ", \"stream\": ", stream_of(f, e));
        GEN_LIT(o, ", \"direction\": \"HOST_TO_DEVICE\"");
        KEY(o, ", \"size\": ", e->a);
        GEN_LIT(o, ", \"packet_ptr\": 4, \"sqid\": 4");
        return;
    }
    external(f, e);
    if (v == GEN_XPU) {
        KEY(o, "\"correlation\": ", e->corr);
        KEY(o, ", \"device\": ", f->dev);
        KEY(o, ", \"sycl queue\": ", stream_of(f, e));
    } else {
        device_place(f, e);
    }
    if (v == GEN_AMD) {
        GEN_LIT(o, ", \"kind\": \"");
        gen_cstr(o, kinds[e->b]);
        GEN_LIT(o, "\"");
        if (e->b == 3)
            return;
        GEN_LIT(o, ", ");
    } else {
        gen_str(o, f->y.wide);
    }
    KEY(o, "\"bytes\": ", e->a);
    GEN_LIT(o, ", \"memory bandwidth (GB/s)\": ");
    gen_ratio(o, (uint64_t)e->a, dur > 0 ? (uint64_t)dur : 1);
}

static void args_of(struct gen_file *f, const struct gen_ev *e, int64_t dur)
{
    struct gen_out *o = &f->out;
    switch (e->type) {
    case GEN_T_PY: py_args(f, e); break;
    case GEN_T_RUNTIME:
    case GEN_T_DRIVER: runtime_args(f, e); break;
    case GEN_T_KERNEL:
    case GEN_T_COMM: kernel_args(f, e); break;
    case GEN_T_COPY:
    case GEN_T_SET: copy_args(f, e, dur); break;
    case GEN_T_SYNC:
        external(f, e);
        GEN_LIT(o, "\"cuda_sync_kind\": \"Stream Sync\", ");
        device_place(f, e);
        break;
    case GEN_T_DEV_ANNOT: KEY(o, "\"External id\": ", e->ext); break;
    case GEN_T_MEM:
        KEY(o, "\"Total Reserved\": ", (e->c >> 21 << 21) + 1073741824);
        KEY(o, ", \"Total Allocated\": ", e->c);
        GEN_LIT(o, ", \"Bytes\": ");
        gen_i64(o, e->b);
        KEY(o, ", \"Addr\": ", e->a);
        KEY(o, ", \"Device Id\": ", f->dev);
        KEY(o, ", \"Device Type\": 1, \"Ev Idx\": ", f->ev_idx++);
        break;
    default: op_args(f, e);
    }
}

static void flow_body(struct gen_file *f, const struct gen_ev *e, int64_t ts)
{
    struct gen_out *o = &f->out;
    bool fb = e->flags & GEN_F_FWDBWD;
    gen_put(o, e->ph == 's' ? "\"ph\": \"s\", \"id\": " : "\"ph\": \"f\", \"id\": ", 17);
    gen_u64(o, fb ? (uint64_t)e->a : e->corr);
    GEN_LIT(o, ", ");
    gen_str(o, f->lane[e->lane]);
    GEN_LIT(o, ", \"ts\": ");
    time_us(f, ts);
    gen_str(o, f->y.mid);
    if (fb)
        GEN_LIT(o, "\"cat\": \"fwdbwd\", \"name\": \"fwdbwd\"");
    else
        GEN_LIT(o, "\"cat\": \"ac2g\", \"name\": \"ac2g\"");
    if (e->ph == 'f')
        GEN_LIT(o, ", \"bp\": \"e\"");
    gen_str(o, f->y.close);
}

static void counter_body(struct gen_file *f, const struct gen_ev *e, int64_t ts)
{
    struct gen_out *o = &f->out;
    GEN_LIT(o, "\"ph\": \"C\", \"name\": \"");
    gen_cstr(o, e->name);
    GEN_LIT(o, "\", ");
    gen_str(o, f->lane[e->lane]);
    gen_str(o, f->y.mid);
    GEN_LIT(o, "\"ts\": ");
    time_us(f, ts);
    gen_str(o, f->y.args);
    KEY(o, "\"value\": ", e->a);
    KEY(o, ", \"minor\": 0.", e->b);
    gen_str(o, f->y.args_end);
    gen_str(o, f->y.close);
}

void gen_print_body(struct gen_file *f, const struct gen_ev *e, int64_t ts, int64_t dur)
{
    struct gen_out *o = &f->out;
    const struct gen_kernel *k = e->info;

    gen_str(o, f->y.open);
    if (e->type == GEN_T_FLOW) {
        flow_body(f, e, ts);
        return;
    }
    if (e->type == GEN_T_COUNTER) {
        counter_body(f, e, ts);
        return;
    }
    bool instant = e->type == GEN_T_MEM;
    bool mtia_copy = (e->type == GEN_T_COPY || e->type == GEN_T_SET) && f->j->o->vendor == GEN_MTIA;
    if (instant)
        GEN_LIT(o, "\"ph\": \"i\", \"cat\": \"");
    else
        GEN_LIT(o, "\"ph\": \"X\", \"cat\": \"");
    gen_cstr(o, gen_cat(f, e));
    if (instant)
        GEN_LIT(o, "\", \"s\": \"t");
    GEN_LIT(o, "\", \"name\": \"");
    if (e->type == GEN_T_KERNEL)
        gen_str(o, k->name);
    else
        gen_cstr(o, mtia_copy ? "dma_request" : e->name);
    if (e->flags & GEN_F_NUM)
        gen_u64(o, (uint64_t)e->num);
    GEN_LIT(o, "\"");
    if (instant)
        gen_str(o, f->y.mid);
    else
        GEN_LIT(o, ", ");
    gen_str(o, f->lane[e->lane]);
    gen_str(o, f->y.mid);
    GEN_LIT(o, "\"ts\": ");
    time_us(f, ts);
    if (!instant) {
        GEN_LIT(o, ", \"dur\": ");
        time_us(f, dur);
    }
    gen_str(o, f->y.args);
    args_of(f, e, dur);
    gen_str(o, f->y.args_end);
    gen_str(o, f->y.close);
}

void gen_elem_start(struct gen_file *f)
{
    struct gen_out *o = &f->out;
    gen_room(o);
    if (f->n_elements && !f->skip_comma)
        GEN_LIT(o, ",");
    f->skip_comma = false;
    if (!f->y.trim)
        GEN_LIT(o, "\n  ");
    else if (f->n_elements)
        GEN_LIT(o, " ");
    f->elem_at = gen_pos(o);
    f->elem_buf = o->len;
}

void gen_elem_end(struct gen_file *f, const struct gen_seen *s)
{
    uint64_t end = gen_pos(&f->out);
    if (end <= f->out.limit) {
        if (f->truth)
            gen_truth_element(f->truth, f, s);
    } else if (f->elem_at < f->out.limit) {
        f->cut_element = f->n_elements;
    }
    f->n_elements++;
}

void gen_print(struct gen_file *f, const struct gen_ev *e)
{
    if (e->type == GEN_T_NONE || e->flags & GEN_F_LOST)
        return;
    int64_t ts = gen_printed_ts(f, e), dur = gen_printed_end(f, e) - ts;
    if (!f->any || ts < f->first_ts)
        f->first_ts = ts;
    if (!f->any || ts + dur > f->last_ts)
        f->last_ts = ts + dur;
    f->any = true;
    if (e->plant) {
        gen_print_planted(f, e, ts, dur);
        return;
    }
    gen_elem_start(f);
    gen_print_body(f, e, ts, dur);
    struct gen_seen s = { e, gen_cat(f, e), (char)e->ph, ts, e->ph == 'X' ? dur : -1, 0 };
    gen_elem_end(f, &s);
}
