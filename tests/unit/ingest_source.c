/* SPDX-License-Identifier: MIT */
/*
 * tr_ingest.h: what a source comes to as a whole, of several events and of what is emitted beside them.
 *
 * Counts, span and lags of the summary; times before the base; starts that never end; the source's row; texts that
 * are numbers; keys emitted again.  Each is worked out by hand.
 */
#include "ingest_emit.h"

/* An input that is open, its first batch, and copies of what its events say: all events fit one batch. */
struct got {
    struct tr_input *in;
    const struct tr_batch *b;
    const struct tr_source_summary *sum;
    const struct tr_source *source;
};

static struct got ingest_with(enum tr_status (*read)(void *, struct tr_ingest *, struct tr_error *),
                              const struct tr_open_opts *opts)
{
    struct tr_error err = TR_ERROR_INIT;
    struct got g = { 0 };
    NEED(open_emitted(&g.in, read, opts, &err) == TR_OK && tr_input_next(g.in, &g.b, &err) == TR_OK);
    g.sum = &g.in->summary->sources[0];
    g.source = &g.in->dict->sources[0];
    return g;
}

/* The place of an event in the batch, by its record. */
static size_t at(const struct tr_batch *b, uint64_t record)
{
    size_t i = 0;
    while (i < b->n && b->record[i] != record)
        i++;
    NEED(i < b->n);
    return i;
}

/* ---- activities ---- */

static enum tr_status emit_activities(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    static const struct {
        const char *cat, *name;
        enum tr_phase phase;
    } cases[] = {
        { "cpu_op", "aten::mm", TR_SPAN },         { "cpu_op", "record_param_comms", TR_SPAN },
        { "kernel", "gemm", TR_SPAN },             { "kernel", "Memcpy HtoD", TR_SPAN },
        { "kernel", "ncclDevKernel_X", TR_SPAN },  { "cuda_runtime", "cudaMalloc", TR_SPAN },
        { "cuda_runtime", "cudaMalloc", TR_COUNTER },
    };
    (void)ctx;
    (void)err;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        kernel(g, 100 + i, 500, device(1, 1, 7)); /* what is said of one event is nothing to the next */
        end(g);
        tr_ingest_begin(g, cases[i].phase, (int64_t)(1000 + i), 10);
        tr_ingest_record(g, i);
        tr_ingest_name(g, TEXT(cases[i].name));
        tr_ingest_category(g, TEXT(cases[i].cat));
        struct tr_ingest_track t = host(1, 1);
        tr_ingest_track(g, &t);
        end(g);
    }
    tr_ingest_begin(g, TR_SPAN, 2000, 10); /* neither category nor name, nor track */
    tr_ingest_record(g, 7);
    end(g);
    event(g, 8, TR_SPAN, TR_ACT_OTHER, 2010, 10, "ncclDevKernel_X", host(1, 1)); /* emitted: the category does not count */
    tr_ingest_category(g, TEXT("kernel"));
    end(g);
    event(g, 9, TR_SPAN, TR_ACT_KERNEL, 2020, 10, "ncclDevKernel_X", device(1, 1, 1));
    end(g);
    event(g, 10, TR_SPAN, TR_ACT_MEMSET, 2030, 10, "ncclDevKernel_X", device(1, 1, 1));
    end(g);
    return TR_END;
}

static void test_activities(struct tap *t)
{
    static const uint8_t activity[] = { TR_ACT_CPU_OP, TR_ACT_COMM_RECORD, TR_ACT_KERNEL, TR_ACT_MEMCPY,
                                        TR_ACT_KERNEL, TR_ACT_RUNTIME_API, TR_ACT_OTHER,  TR_ACT_OTHER,
                                        TR_ACT_OTHER,  TR_ACT_KERNEL,      TR_ACT_MEMSET };
    static const uint8_t kind[] = { TR_KIND_NONE, TR_KIND_NONE, TR_KIND_COMPUTE, TR_KIND_MEMORY, TR_KIND_COMM,
                                    TR_KIND_NONE, TR_KIND_NONE, TR_KIND_NONE,    TR_KIND_NONE,   TR_KIND_COMM,
                                    TR_KIND_MEMORY };
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct got g = ingest_with(emit_activities, &opts);
    for (size_t k = 0; k < sizeof activity; k++) {
        size_t i = at(g.b, k);
        tap_ok(t, g.b->activity[i] == activity[k] && g.b->kind[i] == kind[k], "event %zu is %s, %s", k,
               tr_activity_name(g.b->activity[i]), tr_kind_name(g.b->kind[i]));
    }
    const struct tr_track *of_none = &g.in->dict->tracks[g.b->track[at(g.b, 7)]];
    tap_ok(t, of_none->pid_type == TR_T_NULL && of_none->tid_type == TR_T_NULL, "an event without a track has no ids");
    tr_input_close(g.in);
}

/* ---- times before the base ---- */

static enum tr_status emit_early(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)err;
    event(g, 0, TR_SPAN, TR_ACT_CPU_OP, -50, 2000, "early", host(1, 1));
    end(g);
    event(g, 1, TR_SPAN, TR_ACT_CPU_OP, -1, 1, "just before", host(1, 1));
    end(g);
    event(g, 2, TR_SPAN, TR_ACT_CPU_OP, 0, 7, "at the base", host(1, 1));
    end(g);
    event(g, 3, TR_SPAN, TR_ACT_CPU_OP, 100, 10, "late", host(1, 1));
    end(g);
    event(g, 4, TR_SPAN, TR_ACT_CPU_OP, -30, -5, "no duration", host(1, 1)); /* suspect as it is */
    end(g);
    event(g, 5, TR_SPAN, TR_ACT_CPU_OP, TR_TIME_NONE, 5, "no time", host(1, 1));
    end(g);
    if (ctx)
        tr_ingest_base(g, 1000);
    return TR_END;
}

static enum tr_status emit_early_base(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)ctx;
    return emit_early(g, g, err);
}

static void test_base(struct tap *t)
{
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct got g = ingest_with(emit_early, &opts);
    tap_ok(t, g.sum->first_ts == -50 && g.sum->last_end == 1950, "without a base: span %lld to %lld",
           (long long)g.sum->first_ts, (long long)g.sum->last_end);
    tap_ok(t, g.sum->n_suspect[TR_SUSPECT_NO] == 5 && g.sum->n_suspect[TR_SUSPECT_BEFORE_BASE] == 0 &&
                  g.sum->n_suspect[TR_SUSPECT_NEGATIVE_DUR] == 1 && g.b->suspect[at(g.b, 0)] == TR_SUSPECT_NO &&
                  !g.source->has_base && g.source->base_ns == 0,
           "without a base no time is before it");
    tr_input_close(g.in);
    g = ingest_with(emit_early_base, &opts);
    tap_ok(t, g.sum->first_ts == 0 && g.sum->last_end == 110, "with a base: span %lld to %lld",
           (long long)g.sum->first_ts, (long long)g.sum->last_end);
    tap_ok(t, g.sum->n_suspect[TR_SUSPECT_NO] == 3 && g.sum->n_suspect[TR_SUSPECT_BEFORE_BASE] == 2 &&
                  g.sum->n_suspect[TR_SUSPECT_NEGATIVE_DUR] == 1,
           "two events are before the base");
    static const uint8_t want[] = { TR_SUSPECT_BEFORE_BASE, TR_SUSPECT_BEFORE_BASE, TR_SUSPECT_NO, TR_SUSPECT_NO,
                                    TR_SUSPECT_NEGATIVE_DUR, TR_SUSPECT_NO };
    for (size_t k = 0; k < sizeof want; k++)
        tap_ok(t, g.b->suspect[at(g.b, k)] == want[k], "event %zu is %u", k, g.b->suspect[at(g.b, k)]);
    tap_ok(t, g.source->has_base && g.source->base_ns == 1000 && g.source->file_base_ns == 1000, "the base is the source's");
    tr_input_close(g.in);
}

/* ---- lags ---- */

static const int64_t *lags; /* of the launches, one after the other */

static enum tr_status emit_lags(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)ctx;
    (void)err;
    kernel(g, 30, 40000, device(1, 1, 7)); /* a second one of the last launch, emitted first, with the longest lag */
    tr_ingest_correlate(g, TR_LINK_SOURCE, 42);
    end(g);
    for (int i = 0; i < 3; i++) {
        int64_t ts = 10000 * (i + 1);
        launch(g, 10 + (uint64_t)i, ts, host(1, 9));
        tr_ingest_correlate(g, TR_LINK_SOURCE, 40 + i);
        end(g);
        kernel(g, 20 + (uint64_t)i, ts + lags[i], device(1, 1, 7));
        tr_ingest_correlate(g, TR_LINK_SOURCE, 40 + i);
        end(g);
    }
    launch(g, 31, 90000, host(1, 9)); /* a launch without work, work without a launch */
    tr_ingest_correlate(g, TR_LINK_SOURCE, 99);
    end(g);
    kernel(g, 32, 95000, device(1, 1, 7));
    tr_ingest_correlate(g, TR_LINK_SOURCE, 98);
    end(g);
    return TR_END;
}

static enum tr_status emit_no_lags(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)ctx;
    (void)err;
    launch(g, 1, 0, host(1, 9));
    end(g);
    kernel(g, 2, 50, device(1, 1, 7));
    end(g);
    return TR_END;
}

static void test_lags(struct tap *t)
{
    static const int64_t orders[][3] = { { 5, 6, 7 }, { 7, 6, 5 }, { 6, 5, 7 }, { -4, 0, -9 }, { 3, 3, 3 } };
    static const int64_t low[] = { 5, 5, 5, -9, 3 };
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) {
        lags = orders[i];
        struct got g = ingest_with(emit_lags, &opts);
        tap_ok(t, g.sum->lag_min == low[i] && g.sum->lag_max == 10000, "lags %lld to %lld", (long long)g.sum->lag_min,
               (long long)g.sum->lag_max);
        tap_ok(t, g.sum->n_launches == 4 && g.sum->n_launches_linked == 3 && g.sum->n_device_linked == 4,
               "4 launches, 3 of them linked to 4 kernels");
        tr_input_close(g.in);
    }
    struct got g = ingest_with(emit_no_lags, &opts);
    tap_ok(t, g.sum->lag_min == TR_TIME_NONE && g.sum->lag_max == TR_TIME_NONE && g.sum->n_device_linked == 0,
           "nothing linked has no lags");
    tr_input_close(g.in);
}

/* ---- starts that never end ---- */

static const char *const open_names[] = { NULL, "", "a" };
static unsigned open_case; /* name, category and ids of the only start */

static enum tr_status emit_open(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    const char *name = open_names[open_case % 3], *cat = open_names[open_case / 3 % 3];
    (void)ctx;
    (void)err;
    for (uint64_t i = 0; i < 2; i++) {
        tr_ingest_begin(g, TR_BEGIN, 100 + (int64_t)i, TR_TIME_NONE);
        tr_ingest_record(g, i);
        if (name)
            tr_ingest_name(g, TEXT(name));
        if (cat)
            tr_ingest_category(g, TEXT(cat));
        struct tr_ingest_track of = open_case < 9 ? host(1, 1) : host_text("p", "t");
        tr_ingest_track(g, &of);
        end(g);
    }
    return TR_END;
}

static void test_open(struct tap *t)
{
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    for (open_case = 0; open_case < 18; open_case++) {
        struct got g = ingest_with(emit_open, &opts);
        bool good = g.b->n == 2 && g.sum->n_events == 2 && g.sum->n_phase[TR_SPAN] == 2 &&
                    g.sum->n_phase[TR_BEGIN] == 0 && g.sum->n_damage == 1 && g.sum->damage[0].count == 2;
        for (size_t i = 0; good && i < 2; i++)
            good = g.b->phase[i] == TR_SPAN && g.b->dur[i] == TR_TIME_NONE && (g.b->flags[i] & TR_OPEN) &&
                   g.b->record[i] == i;
        tap_ok(t, good, "begins without an end are kept, name and category %u", open_case);
        tr_input_close(g.in);
    }
}

/* ---- the source's row ---- */

static enum tr_status emit_row(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)ctx;
    (void)err;
    tr_ingest_host(g, TEXT("an earlier one"));
    tr_ingest_host(g, TEXT("node1"));
    tr_ingest_rank(g, 2);
    tr_ingest_rank(g, 5);
    tr_ingest_base(g, 9);
    tr_ingest_base(g, 7);
    tr_ingest_header(g, "first", TEXT("1"));
    tr_ingest_header(g, "second", TEXT("\"two\""));
    event(g, 0, TR_SPAN, TR_ACT_KERNEL, 5, 1, "kernel", device(3, 1, 7)); /* the pid is that of the host's calls */
    end(g);
    event(g, 1, TR_SPAN, TR_ACT_CPU_OP, 6, 1, "op", host(41, 1));
    end(g);
    event(g, 2, TR_SPAN, TR_ACT_CPU_OP, 7, 1, "op", host(42, 1));
    end(g);
    tr_ingest_header(g, "third", TEXT("[3]"));
    return TR_END;
}

static enum tr_status emit_array(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)ctx;
    (void)err;
    event(g, 0, TR_SPAN, TR_ACT_CPU_OP, 6, 1, "op", host_text("p", "t"));
    end(g);
    tr_ingest_bare_array(g);
    return TR_END;
}

static void test_row(struct tap *t)
{
    static const char *const keys[] = { "first", "second", "third" }, *const values[] = { "1", "\"two\"", "[3]" };
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct got g = ingest_with(emit_row, &opts);
    const struct tr_dict *d = g.in->dict;
    const struct tr_source *s = g.source;
    tap_ok(t, d->n_sources == 1 && s->rank == 5 && s->rank_rule == TR_RANK_METADATA && s->pid == 41 &&
                  s->has_base && s->base_ns == 7 && s->file_base_ns == 7 && !s->partial && !s->bare_array &&
                  s->capture == 0 && s->job == TR_NO_STR && s->mesh == TR_NO_STR,
           "rank, pid, base of the source: what is said last counts");
    tap_ok(t, !strcmp(tr_dict_str(d, s->name), "told.trace") && !strcmp(tr_dict_str(d, s->host), "node1") &&
                  !strcmp(tr_dict_str(d, s->format), "told"),
           "name, host, format of the source");
    bool good = s->n_header == 3;
    for (uint32_t i = 0; good && i < 3; i++)
        good = !strcmp(tr_dict_str(d, s->header_keys[i]), keys[i]) &&
               !strcmp(tr_dict_str(d, s->header_values[i]), values[i]);
    tap_ok(t, good, "members of the header, in their order");
    tr_input_close(g.in);
    opts.keep_names = false;
    opts.rank = 8;
    g = ingest_with(emit_row, &opts);
    tap_ok(t, g.source->name == TR_NO_STR && g.source->rank == 8 && g.source->rank_rule == TR_RANK_OPTION,
           "no name where none is to be kept; a rank that is given");
    tr_input_close(g.in);
    opts = (struct tr_open_opts)TR_OPEN_OPTS_INIT;
    g = ingest_with(emit_array, &opts);
    s = g.source;
    tap_ok(t, s->bare_array && !s->has_base && s->n_header == 0 && s->host == TR_NO_STR && s->rank == 0 &&
                  s->rank_rule == TR_RANK_ORDER && s->pid == TR_I64_NONE,
           "a source that says nothing of itself");
    tr_input_close(g.in);
}

/* A source that says no rank, at a place among others. */
static void test_place(struct tap *t)
{
    static const struct tr_ingest_reader reader = { .format = "told", .read = emit_array };
    const char *const names[] = { "told.trace", "rank7.trace" };
    for (unsigned i = 0; i < 4; i++) {
        const struct tr_ingest_bytes bytes = { .read = no_bytes, .name = names[i % 2], .place = 4 };
        struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
        struct tr_error err = TR_ERROR_INIT;
        struct tr_input *in;
        const struct tr_batch *b;
        opts.no_sort = i > 1;
        NEED(tr_ingest_open(&in, &reader, NULL, &bytes, &opts, &err) == TR_OK);
        NEED(tr_input_next(in, &b, &err) == TR_OK);
        const struct tr_source *s = &in->dict->sources[0];
        tap_ok(t, i % 2 ? s->rank == 7 && s->rank_rule == TR_RANK_FILE_NAME : s->rank == 4 && s->rank_rule == TR_RANK_ORDER,
               "the rank is that of the %s: %lld", i % 2 ? "name" : "place", (long long)s->rank);
        tr_input_close(in);
    }
}

/* ---- bytes ---- */

static const char *left; /* of the bytes */

static enum tr_status read_left(void *ctx, void *buf, size_t cap, size_t *got, struct tr_error *err)
{
    size_t n = strlen(left);
    (void)ctx;
    (void)err;
    if (!n) /* as the contract has it, *got is left alone */
        return TR_END;
    *got = n < cap ? n : cap;
    memcpy(buf, left, *got);
    left += *got;
    return TR_OK;
}

/* Reads on after the end, and notes what came of it. */
static enum tr_status emit_bytes(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    char message[64] = "";
    (void)ctx;
    for (unsigned i = 0; i < 5; i++) {
        char bytes[3] = "";
        size_t got = 77, n = strlen(message);
        enum tr_status st = tr_ingest_read(g, bytes, 2, &got, err);
        snprintf(message + n, sizeof message - n, "%s %zu '%s', ", st == TR_OK ? "ok" : "end", got, bytes);
    }
    event(g, 0, TR_SPAN, TR_ACT_CPU_OP, 6, 1, message, host(1, 1));
    end(g);
    return TR_END;
}

static void test_bytes(struct tap *t)
{
    static const struct tr_ingest_reader reader = { .format = "told", .read = emit_bytes };
    const struct tr_ingest_bytes bytes = { .read = read_left, .name = "told.trace" };
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_input *in;
    const struct tr_batch *b;
    left = "abcde";
    NEED(tr_ingest_open(&in, &reader, NULL, &bytes, &opts, &err) == TR_OK && tr_input_next(in, &b, &err) == TR_OK);
    const char *message = tr_dict_str(b->dict, b->name[0]);
    tap_ok(t, !strcmp(message, "ok 2 'ab', ok 2 'cd', ok 1 'e', end 0 '', end 0 '', "), "bytes, then none: %s", message);
    tr_input_close(in);
}

/* ---- what fits and what does not ---- */

#define MAX_TEXT (15u << 20)
#define MAX_ARGS 30000u

static enum tr_status emit_limits(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    static char text[MAX_TEXT + 1];
    (void)ctx;
    (void)err;
    memset(text, 'x', sizeof text);
    for (unsigned i = 0; i < 2; i++) { /* the longest text, and one byte more */
        event(g, i, TR_SPAN, TR_ACT_CPU_OP, 10 + i, 1, "op", host(1, 1));
        tr_ingest_arg_int(g, "before", 1);
        tr_ingest_arg_text(g, "text", text, MAX_TEXT + i);
        tr_ingest_arg_int(g, "after", 1);
        end(g);
    }
    for (unsigned i = 0; i < 2; i++) { /* the most args, and one more */
        event(g, 2 + i, TR_SPAN, TR_ACT_CPU_OP, 20 + i, 1, "op", host(1, 1));
        for (unsigned k = 0; k < MAX_ARGS + i; k++) {
            char key[16];
            snprintf(key, sizeof key, "k%u", k);
            tr_ingest_arg_int(g, key, 1);
        }
        end(g);
    }
    return TR_END;
}

static unsigned n_args(const struct got *g, uint64_t record)
{
    const struct tr_shape *s = &g->b->dict->shapes[g->b->shape[at(g->b, record)]];
    unsigned n = 0;
    for (uint32_t k = 0; k < s->n_slots; k++)
        n += s->slots[k].place == TR_PLACE_ARGS;
    return n;
}

static void test_limits(struct tap *t)
{
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct got g = ingest_with(emit_limits, &opts);
    tap_ok(t, n_args(&g, 0) == 3 && n_args(&g, 1) == 2, "a text of 15 MiB is kept, a longer one left out");
    tap_ok(t, n_args(&g, 2) == MAX_ARGS && n_args(&g, 3) == MAX_ARGS, "30000 args are kept, more left out");
    tap_ok(t, g.sum->n_damage == 1 && !strcmp(g.sum->damage[0].name, "too_long") && g.sum->damage[0].count == 2,
           "and both are counted");
    tr_input_close(g.in);
}

/* ---- durations beyond belief ---- */

static const int64_t week = INT64_C(7) * 24 * 3600 * 1000000000;

/* By their own duration, and as a start with its end; exact, and 1 ns longer. */
static enum tr_status emit_weeks(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)ctx;
    (void)err;
    for (int more = 0; more < 2; more++) {
        event(g, (uint64_t)more, TR_SPAN, TR_ACT_CPU_OP, 1000, week + more, "a week", host(1, 1));
        end(g);
        event(g, (uint64_t)(10 + 2 * more), TR_BEGIN, TR_ACT_CPU_OP, 1000, TR_TIME_NONE, "a week", host(2, more));
        end(g);
        event(g, (uint64_t)(11 + 2 * more), TR_SPAN_END, TR_ACT_CPU_OP, 1000 + week + more, TR_TIME_NONE, "a week",
              host(2, more));
        end(g);
    }
    return TR_END;
}

static void test_weeks(struct tap *t)
{
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct got g = ingest_with(emit_weeks, &opts);
    const uint64_t records[] = { 0, 10, 1, 12 };
    NEED(week == TR_MAX_DUR_NS);
    for (size_t i = 0; i < 4; i++) {
        size_t k = at(g.b, records[i]);
        tap_ok(t, g.b->dur[k] == week + (i > 1) && g.b->suspect[k] == (i > 1 ? TR_SUSPECT_LONG_DUR : TR_SUSPECT_NO),
               "%s that lasts %s", i % 2 ? "a pair" : "a span", i > 1 ? "1 ns longer than seven days: suspect" : "seven days");
    }
    tap_ok(t, g.b->n == 4 && g.sum->n_suspect[TR_SUSPECT_LONG_DUR] == 2 && g.sum->n_suspect[TR_SUSPECT_NO] == 2,
           "and so it is counted");
    tr_input_close(g.in);
}

/* ---- what counts beside spans ---- */

/* Metadata bears times that are none of the trace's; a launch and its work as starts and ends count once. */
static enum tr_status emit_ends(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    static const enum tr_phase phases[] = { TR_BEGIN, TR_SPAN_END };
    (void)ctx;
    (void)err;
    event(g, 0, TR_META, TR_ACT_OTHER, 5, TR_TIME_NONE, "note", host(43, 1));
    end(g);
    event(g, 1, TR_META, TR_ACT_OTHER, 90000, TR_TIME_NONE, "note", host(43, 1));
    end(g);
    for (unsigned i = 0; i < 2; i++) {
        event(g, 2 + 2 * i, phases[i], TR_ACT_DRIVER_API, 100 + 20 * (int64_t)i, TR_TIME_NONE, "launch", host(43, 1));
        tr_ingest_correlate(g, TR_LINK_SOURCE, 40);
        end(g);
        event(g, 3 + 2 * i, phases[i], TR_ACT_KERNEL, 200 + 30 * (int64_t)i, TR_TIME_NONE, "kernel", device(1, 1, 7));
        tr_ingest_correlate(g, TR_LINK_SOURCE, 40);
        end(g);
    }
    event(g, 6, TR_INSTANT, TR_ACT_DRIVER_API, 140, TR_TIME_NONE, "no launch", host(43, 1));
    tr_ingest_correlate(g, TR_LINK_SOURCE, 41);
    end(g);
    return TR_END;
}

static void test_ends(struct tap *t)
{
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct got g = ingest_with(emit_ends, &opts);
    tap_ok(t, g.sum->first_ts == 100 && g.sum->last_end == 230, "metadata does not widen the span: %lld to %lld",
           (long long)g.sum->first_ts, (long long)g.sum->last_end);
    tap_ok(t, g.sum->n_launches == 1 && g.sum->n_launches_linked == 1 && g.sum->n_device_linked == 1,
           "one launch, linked to one kernel: %llu, %llu, %llu", (unsigned long long)g.sum->n_launches,
           (unsigned long long)g.sum->n_launches_linked, (unsigned long long)g.sum->n_device_linked);
    tap_ok(t, g.sum->lag_min == 100 && g.sum->lag_max == 100, "with its lag");
    tap_ok(t, g.in->sorted && g.in->summary->sorted, "the summary says that events are in order");
    tap_ok(t, g.source->pid == 43, "calls of the driver tell the pid: %lld", (long long)g.source->pid);
    tr_input_close(g.in);
    opts.no_sort = true;
    g = ingest_with(emit_ends, &opts);
    bool in_order = g.b->n == 7;
    for (size_t i = 0; in_order && i < 7; i++)
        in_order = g.b->record[i] == i;
    tap_ok(t, in_order, "unsorted, begins and ends stand among the others by their numbers");
    tr_input_close(g.in);
}

/* ---- steps of equal times ---- */

static enum tr_status emit_steps(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    static const int64_t numbers[] = { 5, 3, 4, 9 }, ends[] = { 20, 20, 20, 30 };
    (void)ctx;
    (void)err;
    for (unsigned i = 0; i < 4; i++) {
        event(g, i, TR_SPAN, TR_ACT_ANNOTATION, 10, ends[i] - 10, "step", host(1, i));
        tr_ingest_step(g, numbers[i]);
        end(g);
    }
    return TR_END;
}

static void test_steps(struct tap *t)
{
    static const int64_t want[] = { 9, 3, 4, 5 };
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct got g = ingest_with(emit_steps, &opts);
    bool good = g.sum->n_steps == 4;
    for (size_t i = 0; good && i < 4; i++)
        good = g.sum->steps[i].number == want[i];
    tap_ok(t, good, "steps that begin together: the longest first, then by number");
    tr_input_close(g.in);
}

/* ---- a key emitted again ---- */

static enum tr_status emit_again(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)ctx;
    (void)err;
    event(g, 0, TR_SPAN, TR_ACT_CPU_OP, 10, 1, "op", host(1, 1));
    tr_ingest_arg_int(g, "a", 1);
    tr_ingest_arg_text(g, "b", TEXT("text"));
    tr_ingest_arg_int(g, "a", 2);
    tr_ingest_arg_json(g, "c", TEXT("[1]"));
    tr_ingest_arg_int(g, "a", 3);
    tr_ingest_arg_int(g, "c", 4);
    end(g);
    event(g, 1, TR_SPAN, TR_ACT_CPU_OP, 20, 1, "op", host(1, 1)); /* no key of its own twice */
    tr_ingest_arg_int(g, "a", 1);
    tr_ingest_arg_int(g, "c", 2);
    end(g);
    return TR_END;
}

static void test_again(struct tap *t)
{
    static const char *const want[] = { "b=string a=int c=int ", "a=int c=int " };
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct got g = ingest_with(emit_again, &opts);
    for (uint64_t i = 0; i < 2; i++) {
        const struct tr_shape *s = &g.b->dict->shapes[g.b->shape[at(g.b, i)]];
        char text[100] = "";
        for (uint32_t k = 0; k < s->n_slots; k++)
            if (s->slots[k].place == TR_PLACE_ARGS)
                snprintf(text + strlen(text), sizeof text - strlen(text), "%s=%s ",
                         tr_dict_str(g.b->dict, s->slots[k].key), s->slots[k].type == TR_T_INT ? "int" : "string");
        tap_ok(t, !strcmp(text, want[i]), "of a key told again the last stays: %s", text);
    }
    tap_ok(t, g.sum->n_damage == 1 && !strcmp(g.sum->damage[0].name, "duplicate_key") && g.sum->damage[0].count == 1,
           "the event is counted, once");
    tr_input_close(g.in);
}

/* ---- a table beside events that are not sorted ---- */

static enum tr_status emit_table(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)ctx;
    (void)err;
    event(g, 0, TR_SPAN, TR_ACT_CPU_OP, 10, 1, "op", host(1, 1));
    end(g);
    struct tr_side_table *t = tr_side_table_new("beside", 0);
    NEED(t && tr_side_table_column(t, "n", TR_T_INT));
    tr_ingest_table(g, t);
    return TR_END;
}

static void test_table(struct tap *t)
{
    for (int live = 0; live < 2; live++) {
        struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
        struct tr_error err = TR_ERROR_INIT;
        opts.no_sort = live;
        struct got g = ingest_with(emit_table, &opts);
        NEED(!live || tr_input_next(g.in, &g.b, &err) == TR_END);
        tap_ok(t, g.in->tables && g.in->tables->n == 1 && !strcmp(g.in->tables->v[0]->name, "beside"),
               "a table beside events that are %s", live ? "as they come" : "in order");
        tr_input_close(g.in);
    }
}

int main(void)
{
    struct tap t = { 0, 0 };
    test_activities(&t);
    test_base(&t);
    test_lags(&t);
    test_open(&t);
    test_row(&t);
    test_place(&t);
    test_bytes(&t);
    test_limits(&t);
    test_weeks(&t);
    test_ends(&t);
    test_steps(&t);
    test_again(&t);
    test_table(&t);
    return tap_end(&t);
}
