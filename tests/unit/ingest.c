/* SPDX-License-Identifier: MIT */
/* tr_ingest.h: a trace that is given to the builder alone comes out of its input, and through a stream, event by event. */
#include "locks.h"

#include "ingest_emit.h"

static const struct tr_ingest_cause odd_unit = { "odd_unit", "unit that is not known, left out", true };
static const struct tr_ingest_cause old_name = { "old_name", "name of an earlier version, taken", false };
static const struct tr_ingest_cause as_of_all = { "bad_utf8", "not looked at", true };

/* ---- what is emitted ---- */

/* Keys that are equal, in scopes that keep them apart: each kernel has the launch of its own scope. */
static void emit_links(struct tr_ingest *g)
{
    for (int i = 0; i < 2; i++) { /* process: 1 and 2 as numbers, p and q as texts */
        launch(g, 20 + (uint64_t)i, 2000 + i, host(1 + i, 9));
        tr_ingest_correlate(g, TR_LINK_PROCESS, 5);
        end(g);
        launch(g, 22 + (uint64_t)i, 2002 + i, host_text(i ? "q" : "p", "t"));
        tr_ingest_correlate(g, TR_LINK_PROCESS, 5);
        end(g);
        kernel(g, 24 + (uint64_t)i, 2100 + i, device(1 + i, 1, 7));
        tr_ingest_correlate(g, TR_LINK_PROCESS, 5);
        end(g);
        struct tr_ingest_track t = device(0, 1, 7);
        t.pid_text = i ? "q" : "p";
        t.pid_len = 1;
        kernel(g, 26 + (uint64_t)i, 2102 + i, t);
        tr_ingest_correlate(g, TR_LINK_PROCESS, 5);
        end(g);
    }
    for (int i = 0; i < 2; i++) { /* context */
        struct tr_ingest_track t = host(1, 9);
        t.device = 0;
        t.context = i;
        launch(g, 30 + (uint64_t)i, 3000 + i, t);
        tr_ingest_correlate_text(g, TR_LINK_CONTEXT, TEXT("key"));
        end(g);
        kernel(g, 32 + (uint64_t)i, 3100 + i, device(1, i, 7));
        tr_ingest_correlate_text(g, TR_LINK_CONTEXT, TEXT("key"));
        end(g);
    }
    launch(g, 40, 4000, host(1, 9)); /* source, by a text; then the same text in a process: another key */
    tr_ingest_correlate_text(g, TR_LINK_SOURCE, TEXT("key"));
    end(g);
    event(g, 41, TR_SPAN, TR_ACT_MEMCPY, 4100, 10, "copy", device(2, 1, 8));
    tr_ingest_correlate_text(g, TR_LINK_SOURCE, TEXT("key"));
    end(g);
    kernel(g, 42, 4200, device(1, 1, 7));
    tr_ingest_correlate_text(g, TR_LINK_PROCESS, TEXT("key"));
    end(g);
}

static void emit_pairs(struct tr_ingest *g)
{
    event(g, 50, TR_BEGIN, TR_ACT_CPU_OP, 6000, TR_TIME_NONE, "pair", host_text("p", "t"));
    tr_ingest_picoseconds(g, 900, 0);
    tr_ingest_arg_int(g, "in", 1);
    end(g);
    event(g, 51, TR_SPAN_END, TR_ACT_CPU_OP, 6002, TR_TIME_NONE, "pair", host_text("p", "t"));
    tr_ingest_picoseconds(g, 100, 0);
    end(g);
    event(g, 52, TR_BEGIN, TR_ACT_RUNTIME_API, 6100, TR_TIME_NONE, "launch pair", host(1, 9)); /* a launch, too */
    tr_ingest_correlate(g, TR_LINK_SOURCE, 77);
    end(g);
    event(g, 53, TR_SPAN_END, TR_ACT_RUNTIME_API, 6150, TR_TIME_NONE, "launch pair", host(1, 9));
    tr_ingest_picoseconds(g, 7, 0);
    end(g);
    event(g, 54, TR_BEGIN, TR_ACT_KERNEL, 6200, TR_TIME_NONE, "kernel pair", device(1, 1, 7));
    tr_ingest_picoseconds(g, 3, 0);
    tr_ingest_correlate(g, TR_LINK_SOURCE, 77);
    tr_ingest_graph(g, 11, 12);
    tr_ingest_arg_text(g, "why", TEXT("graph"));
    end(g);
    event(g, 55, TR_SPAN_END, TR_ACT_KERNEL, 6210, TR_TIME_NONE, "kernel pair", device(1, 1, 7));
    end(g);
    event(g, 56, TR_BEGIN, TR_ACT_CPU_OP, 6300, TR_TIME_NONE, "left open", host(1, 9));
    tr_ingest_picoseconds(g, 4, 0);
    end(g);
    event(g, 57, TR_SPAN_END, TR_ACT_CPU_OP, 6400, TR_TIME_NONE, "never begun", host(1, 10));
    end(g);
    event(g, 58, TR_BEGIN, TR_ACT_CPU_OP, 6500, TR_TIME_NONE, "backwards", host(1, 11));
    tr_ingest_picoseconds(g, 9, 0);
    end(g);
    event(g, 59, TR_SPAN_END, TR_ACT_CPU_OP, 6500, TR_TIME_NONE, "backwards", host(1, 11));
    tr_ingest_picoseconds(g, 2, 0);
    end(g);
}

static enum tr_status emit_all(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)ctx;
    (void)err;
    tr_ingest_host(g, TEXT("node1"));
    tr_ingest_rank(g, 3);
    struct tr_ingest_track worker = host_text("worker", "main");
    tr_ingest_process_of(g, &worker, TEXT("the worker"), 2);
    tr_ingest_thread_of(g, &worker, TEXT("its first thread"), TR_TIME_NONE);
    tr_ingest_thread(g, 1, 9, TEXT("nine"), 4);
    event(g, 0, TR_SPAN, TR_ACT_ANNOTATION, 1000, 5000, "iteration", worker);
    tr_ingest_step(g, 7);
    end(g);
    launch(g, 1, 1100, host(1, 9));
    tr_ingest_picoseconds(g, 250, 5000); /* more than 999 counts as 999 */
    tr_ingest_correlate(g, TR_LINK_SOURCE, 41);
    tr_ingest_graph(g, 8, 9); /* no device work: none is kept */
    end(g);
    kernel(g, 2, 1200, device(1, 1, 7));
    tr_ingest_category(g, TEXT("work"));
    tr_ingest_picoseconds(g, 0, 2);
    tr_ingest_correlate(g, TR_LINK_SOURCE, 41);
    tr_ingest_graph(g, 3, 0);
    tr_ingest_arg_int(g, "grid", -64);
    tr_ingest_arg_real(g, "share", 0.5);
    tr_ingest_arg_text(g, "text", TEXT("a \"b\""));
    tr_ingest_arg_json(g, "list", TEXT("[1,2]"));
    end(g);
    kernel(g, 3, 1300, device(1, 1, 7)); /* a graph without its node; an arg does not speak against it */
    tr_ingest_graph(g, 4, TR_TIME_NONE);
    tr_ingest_arg_int(g, "graph id", 5);
    end(g);
    kernel(g, 4, TR_TIME_NONE, device(1, 1, 7)); /* no time, so nothing below it */
    tr_ingest_picoseconds(g, 5, 5);
    end(g);
    emit_links(g);
    emit_pairs(g);
    tr_ingest_damaged_by(g, &odd_unit, 30);
    tr_ingest_damaged_by(g, &old_name, TR_NO_OFFSET);
    tr_ingest_damaged_by(g, &odd_unit, 10);
    tr_ingest_damaged_by(g, &as_of_all, 20);
    tr_ingest_damaged(g, TR_DAMAGE_BAD_TIME, 25);
    return TR_END;
}

/* ---- what comes out, as text ---- */

static void add_id(struct tr_buf *out, const struct tr_dict *d, unsigned type, int64_t v)
{
    if (type == TR_T_STRING)
        add_string(out, d, (uint32_t)v);
    else
        add_number(out, type == TR_T_NULL ? TR_TIME_NONE : v);
}

static int64_t value_at(const struct tr_batch *b, uint32_t column, size_t i)
{
    int64_t *all = calloc(b->n, sizeof *all);
    NEED(all);
    tr_batch_expand_i64(b, column, TR_TIME_NONE, all);
    int64_t v = all[i];
    free(all);
    return v;
}

static void add_args(struct tr_buf *out, const struct tr_batch *b, size_t i)
{
    const struct tr_shape *s = &b->dict->shapes[b->shape[i]];
    uint32_t *all = calloc(b->n, sizeof *all);
    NEED(all);
    for (uint32_t k = 0; k < s->n_slots; k++) {
        const struct tr_slot *slot = &s->slots[k];
        if (slot->place != TR_PLACE_ARGS)
            continue;
        add_text(out, " %s=", tr_dict_str(b->dict, slot->key));
        if (tr_type_is_string(slot->type)) {
            tr_batch_expand_str(b, slot->column, all);
            add_text(out, "%s", tr_dict_str(b->dict, all[i]));
        } else {
            int64_t v = value_at(b, slot->column, i);
            double real;
            memcpy(&real, &v, 8);
            if (slot->type == TR_T_DOUBLE)
                add_text(out, "%g", real);
            else
                add_text(out, "%lld", (long long)v);
        }
    }
    free(all);
}

/* "record: ts.ps dur.ps phase activity on pid tid [device context stream] name", then what else there is. */
static void add_event(struct tr_buf *out, const struct tr_batch *b, size_t i)
{
    const struct tr_dict *d = b->dict;
    const struct tr_track *t = &d->tracks[b->track[i]];
    unsigned flags = b->flags[i];
    add_text(out, "%llu:", (unsigned long long)b->record[i]);
    add_number(out, b->ts[i]);
    if (flags & TR_HAS_PS)
        add_text(out, ".%03lld", (long long)value_at(b, TR_COL_TS_PS, i));
    add_number(out, b->dur[i]);
    if (flags & TR_HAS_PS)
        add_text(out, ".%03lld", (long long)value_at(b, TR_COL_DUR_PS, i));
    add_text(out, " %s %s on", tr_phase_name(b->phase[i]), tr_activity_name(b->activity[i]));
    add_id(out, d, t->pid_type, t->pid);
    add_id(out, d, t->tid_type, t->tid);
    if (t->side == TR_SIDE_DEVICE)
        add_text(out, " [%lld %lld %lld]", (long long)t->device, (long long)t->context, (long long)t->stream);
    add_text(out, " %s", tr_dict_str(d, b->name[i]));
    if (b->cat[i] != TR_NO_STR)
        add_text(out, " of %s", tr_dict_str(d, b->cat[i]));
    if (flags & TR_HAS_LAUNCH)
        add_text(out, ", by %lld", (long long)value_at(b, TR_COL_LAUNCH_RECORD, i));
    if (flags & TR_HAS_DEVICE)
        add_text(out, ", %lld launched", (long long)value_at(b, TR_COL_N_DEVICE, i));
    if (flags & TR_HAS_GRAPH) {
        add_text(out, ", graph");
        add_number(out, value_at(b, TR_COL_GRAPH_ID, i));
        add_number(out, value_at(b, TR_COL_GRAPH_NODE, i));
    }
    if (flags & TR_FROM_BE)
        add_text(out, ", ended by %lld", (long long)value_at(b, TR_COL_END_RECORD, i));
    if (flags & TR_OPEN)
        add_text(out, ", open");
    add_args(out, b, i);
    add_text(out, "\n");
}

static void add_source(struct tr_buf *out, const struct tr_input *in)
{
    const struct tr_source_summary *s = &in->summary->sources[0];
    const struct tr_dict *d = in->dict;
    add_text(out, "rank %lld host %s\n", (long long)d->sources[0].rank, tr_dict_str(d, d->sources[0].host));
    for (size_t i = 0; i < s->n_steps; i++) {
        const struct tr_track *t = &d->tracks[s->steps[i].track];
        add_text(out, "step %lld %lld %lld on", (long long)s->steps[i].number, (long long)s->steps[i].start,
                 (long long)s->steps[i].end);
        add_id(out, d, t->pid_type, t->pid);
        add_text(out, "\n");
    }
    for (size_t i = 0; i < s->n_damage; i++)
        add_text(out, "%s: %s; %s %llu, first %lld\n", s->damage[i].name, s->damage[i].text,
                 s->damage[i].loses ? "lost" : "mended", (unsigned long long)s->damage[i].count,
                 (long long)s->damage[i].first);
    for (size_t i = 0; i < d->n_tracks; i++) {
        const struct tr_track *t = &d->tracks[i];
        if (t->process_name == TR_NO_STR && t->thread_name == TR_NO_STR)
            continue;
        add_text(out, "track");
        add_id(out, d, t->pid_type, t->pid);
        add_id(out, d, t->tid_type, t->tid);
        add_text(out, " is");
        add_string(out, d, t->process_name);
        add_number(out, t->process_sort);
        add_string(out, d, t->thread_name);
        add_number(out, t->thread_sort);
        add_text(out, "\n");
    }
}

/* All of an input as text; to a stream, too, if there is one. */
static void take_all(struct tr_input *in, struct tr_buf *out, struct tr_writer *to)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf events = { 0 };
    const struct tr_batch *b;
    enum tr_status st;
    NEED(!to || tr_writer_start(to, in->dict, in->summary, NULL, in->sorted, &err) == TR_OK);
    while ((st = tr_input_next(in, &b, &err)) == TR_OK) {
        for (size_t i = 0; i < b->n; i++)
            add_event(&events, b, i);
        NEED(!to || tr_writer_batch(to, b, &err) == TR_OK);
    }
    NEED(st == TR_END && (!to || tr_writer_finish(to, &err) == TR_OK));
    add_source(out, in);
    NEED(tr_buf_add(out, events.data, events.len) && tr_buf_add(out, "", 1));
    tr_buf_free(&events);
    tr_input_close(in);
}

/* ---- sorted and not ---- */

/* Are they equal, line by line?  Says the first that is not. */
static void same_lines(struct tap *t, const char *got, const char *want, const char *what)
{
    unsigned line = 1;
    while (*got || *want) {
        size_t n = strcspn(got, "\n"), m = strcspn(want, "\n");
        if (n != m || memcmp(got, want, n)) {
            printf("# line %u\n# is   %.*s\n# want %.*s\n", line, (int)n, got, (int)m, want);
            break;
        }
        got += n + (got[n] != '\0');
        want += m + (want[m] != '\0');
        line++;
    }
    tap_ok(t, !*got && !*want, "%s", what);
}

static const char in_order[] =
    "rank 3 host node1\n"
    "step 7 1000 6000 on \"worker\"\n"
    "bad_utf8: invalid UTF-8 in a string, its bytes kept; mended 1, first 20\n"
    "bad_time: event without a usable ts, kept without a time; mended 1, first 25\n"
    "unmatched_end: end without a begin, kept as a separate event; mended 1, first -1\n"
    "unmatched_begin: begin without an end, kept as a span without duration; mended 1, first -1\n"
    "odd_unit: unit that is not known, left out; lost 2, first 10\n"
    "old_name: name of an earlier version, taken; mended 1, first -1\n"
    "track \"worker\" \"main\" is \"the worker\" 2 \"its first thread\" -\n"
    "track 1 9 is - - \"nine\" 4\n"
    "4: - 30 span kernel on 1 7 [0 1 7] kernel\n"
    "0: 1000 5000 span annotation on \"worker\" \"main\" iteration\n"
    "1: 1100.250 20.999 span runtime_api on 1 9 launch, 1 launched\n"
    "2: 1200.000 30.002 span kernel on 1 7 [0 1 7] kernel of work, by 1, graph 3 0"
    " grid=-64 share=0.5 text=a \"b\" list=[1,2]\n"
    "3: 1300 30 span kernel on 1 7 [0 1 7] kernel, graph 4 - graph id=5\n"
    "20: 2000 20 span runtime_api on 1 9 launch, 1 launched\n"
    "21: 2001 20 span runtime_api on 2 9 launch, 1 launched\n"
    "22: 2002 20 span runtime_api on \"p\" \"t\" launch, 1 launched\n"
    "23: 2003 20 span runtime_api on \"q\" \"t\" launch, 1 launched\n"
    "24: 2100 30 span kernel on 1 7 [0 1 7] kernel, by 20\n"
    "25: 2101 30 span kernel on 2 7 [0 1 7] kernel, by 21\n"
    "26: 2102 30 span kernel on \"p\" 7 [0 1 7] kernel, by 22\n"
    "27: 2103 30 span kernel on \"q\" 7 [0 1 7] kernel, by 23\n"
    "30: 3000 20 span runtime_api on 1 9 launch, 1 launched\n"
    "31: 3001 20 span runtime_api on 1 9 launch, 1 launched\n"
    "32: 3100 30 span kernel on 1 7 [0 0 7] kernel, by 30\n"
    "33: 3101 30 span kernel on 1 7 [0 1 7] kernel, by 31\n"
    "40: 4000 20 span runtime_api on 1 9 launch, 1 launched\n"
    "41: 4100 10 span memcpy on 2 8 [0 1 8] copy, by 40\n"
    "42: 4200 30 span kernel on 1 7 [0 1 7] kernel\n"
    "50: 6000.900 1.200 span cpu_op on \"p\" \"t\" pair, ended by 51 in=1\n"
    "52: 6100.000 50.007 span runtime_api on 1 9 launch pair, 1 launched, ended by 53\n"
    "54: 6200.003 9.997 span kernel on 1 7 [0 1 7] kernel pair, by 52, graph 11 12, ended by 55 why=graph\n"
    "56: 6300.004 -.000 span cpu_op on 1 9 left open, open\n"
    "57: 6400 - end cpu_op on 1 10 never begun\n"
    "58: 6500.009 0.000 span cpu_op on 1 11 backwards, ended by 59\n";

static void test_sorted(struct tap *t, unsigned threads)
{
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf text = { 0 }, bytes = { 0 }, again = { 0 };
    struct tr_sink sink = { sink_to_buf, &bytes };
    struct tr_writer *w;
    struct tr_input *in;
    opts.n_threads = threads;
    NEED(open_emitted(&in, emit_all, &opts, &err) == TR_OK && tr_writer_new(&w, &sink, NULL, &err) == TR_OK);
    take_all(in, &text, w);
    same_lines(t, (const char *)text.data, in_order, "what was told comes out, event by event");
    struct memory_source m = { .data = bytes.data, .len = bytes.len };
    struct tr_stream_bytes from = { read_memory, NULL, &m, NULL };
    NEED(tr_reader_open(&in, &from, "memory", &err) == TR_OK);
    take_all(in, &again, NULL);
    same_lines(t, (const char *)again.data, in_order, "and so it does after it was a stream");
    tr_buf_free(&text);
    tr_buf_free(&bytes);
    tr_buf_free(&again);
}

/* Without sorting: as emitted, starts and ends alone, no links; all else is the same. */
static void test_live(struct tap *t)
{
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf text = { 0 };
    struct tr_input *in;
    opts.no_sort = true;
    NEED(open_emitted(&in, emit_all, &opts, &err) == TR_OK);
    take_all(in, &text, NULL);
    const char *const lines[] = {
        "odd_unit: unit that is not known, left out; lost 2, first 10\n",
        "track \"worker\" \"main\" is \"the worker\" 2 \"its first thread\" -\n",
        "\n2: 1200.000 30.002 span kernel on 1 7 [0 1 7] kernel of work, graph 3 0 grid=-64 share=0.5",
        "\n50: 6000.900 -.000 begin cpu_op on \"p\" \"t\" pair in=1\n51: 6002.100 -.000 end cpu_op on \"p\" \"t\" pair\n",
        "\n54: 6200.003 -.000 begin kernel on 1 7 [0 1 7] kernel pair, graph 11 12 why=graph\n",
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (!strstr((const char *)text.data, lines[i]))
            printf("# missing: %s# in:\n%s", lines[i], (const char *)text.data);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        tap_ok(t, strstr((const char *)text.data, lines[i]) != NULL, "unsorted, line %zu", i);
    tr_buf_free(&text);
}

/* ---- a process that is a text is none of those that are numbers ---- */

static enum tr_status emit_numbers(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)ctx;
    (void)err;
    for (int i = 0; i < 100; i++) {
        launch(g, (uint64_t)i, i, host(i, 1));
        tr_ingest_correlate(g, TR_LINK_PROCESS, 5);
        end(g);
    }
    struct tr_ingest_track t = device(0, 1, 7);
    t.pid_text = "p";
    t.pid_len = 1;
    kernel(g, 100, 1000, t);
    tr_ingest_correlate(g, TR_LINK_PROCESS, 5);
    end(g);
    return TR_END;
}

static void test_numbers(struct tap *t)
{
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf text = { 0 };
    struct tr_input *in;
    NEED(open_emitted(&in, emit_numbers, &opts, &err) == TR_OK);
    take_all(in, &text, NULL);
    tap_ok(t, strstr((const char *)text.data, "\n100: 1000 30 span kernel on \"p\" 7 [0 1 7] kernel\n") != NULL,
           "work of a process that is a text has no launch of those that are numbers");
    tr_buf_free(&text);
}

/* ---- damage that is refused ---- */

static enum tr_status emit_many_causes(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)ctx;
    for (unsigned i = 0; i <= TR_INGEST_MAX_CAUSES; i++) {
        char name[16];
        snprintf(name, sizeof name, "cause_%u", i);
        tr_ingest_damaged_by(g, &(struct tr_ingest_cause){ name, "one of many, left out", true }, i);
    }
    event(g, 0, TR_SPAN, TR_ACT_CPU_OP, 0, 1, "op", host(1, 1));
    enum tr_status st = tr_ingest_end(g, err);
    return st == TR_OK ? TR_END : st;
}

static void test_refused(struct tap *t)
{
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_input *in;
    tap_ok(t, open_emitted(&in, emit_many_causes, &opts, &err) == TR_SYSTEM && strstr(err.what, "more than 200 causes"),
           "too many causes are refused: %s", err.what);
    err = (struct tr_error)TR_ERROR_INIT;
    opts.strict = true;
    tap_ok(t, open_emitted(&in, emit_all, &opts, &err) == TR_DAMAGED && !strcmp(err.what, "unit that is not known"),
           "strict: the first damage is refused, a format's own too: %s", err.what);
    tap_ok(t, strstr(err.place, "byte 10"), "strict: with its place: %s", err.place);
}

/* ---- clocks ---- */

/* Two clocks beside the source's, one of which no track is on; the same stream on two clocks is two tracks. */
static enum tr_status emit_clocks(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    (void)ctx;
    (void)err;
    struct tr_ingest_track of_host = device(1, 1, 7), of_device = of_host;
    (void)tr_ingest_clock(g);
    of_device.clock = tr_ingest_clock(g);
    kernel(g, 0, 100, of_host);
    end(g);
    kernel(g, 1, 200, of_device);
    end(g);
    kernel(g, 2, 300, of_host);
    end(g);
    return TR_END;
}

/* The clocks of the tracks of events, in their order, and what the clocks are. */
static void take_clocks(struct tr_input *in, struct tr_buf *out, struct tr_writer *to)
{
    struct tr_error err = TR_ERROR_INIT;
    const struct tr_batch *b;
    enum tr_status st;
    out->len = 0;
    NEED(!to || tr_writer_start(to, in->dict, in->summary, NULL, in->sorted, &err) == TR_OK);
    while ((st = tr_input_next(in, &b, &err)) == TR_OK) {
        for (size_t i = 0; i < b->n; i++)
            add_text(out, "%u ", b->dict->tracks[b->track[i]].clock);
        NEED(!to || tr_writer_batch(to, b, &err) == TR_OK);
    }
    NEED(st == TR_END && (!to || tr_writer_finish(to, &err) == TR_OK));
    for (size_t i = 0; i < in->dict->n_clocks; i++)
        add_text(out, "%s of %u ", in->dict->clocks[i].domain ? "domain" : "moved", in->dict->clocks[i].source);
    NEED(tr_buf_add(out, "", 1));
    tr_input_close(in);
}

static void test_clocks(struct tap *t, bool no_sort)
{
    static const char want[] = "0 2 0 domain of 0 domain of 0 ";
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_buf text = { 0 }, bytes = { 0 };
    struct tr_sink sink = { sink_to_buf, &bytes };
    struct tr_writer *w;
    struct tr_input *in;
    opts.no_sort = no_sort;
    NEED(open_emitted(&in, emit_clocks, &opts, &err) == TR_OK && tr_writer_new(&w, &sink, NULL, &err) == TR_OK);
    take_clocks(in, &text, w);
    tap_ok(t, !strcmp((const char *)text.data, want), "clocks are told: %s", (const char *)text.data);
    struct memory_source m = { .data = bytes.data, .len = bytes.len };
    struct tr_stream_bytes from = { read_memory, NULL, &m, NULL };
    NEED(tr_reader_open(&in, &from, "memory", &err) == TR_OK);
    take_clocks(in, &text, NULL);
    tap_ok(t, !strcmp((const char *)text.data, want), "and so after a stream: %s", (const char *)text.data);
    tr_buf_free(&text);
    tr_buf_free(&bytes);
}

int main(void)
{
    struct tap t = { 0, 0 };
    test_sorted(&t, 1);
    test_sorted(&t, 3);
    test_live(&t);
    test_numbers(&t);
    test_refused(&t);
    test_clocks(&t, false);
    test_clocks(&t, true);
    return tap_end(&t);
}
