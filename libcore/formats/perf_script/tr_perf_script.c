/* SPDX-License-Identifier: MIT */
/*
 * Reader of the text of Linux's perf script, and of ftrace as trace-cmd report prints it: samples of the host, switches
 * of threads, and other events of the kernel.
 *
 *     python  4321/4330 [003] 12345.678901:     250000 cycles:P:
 *             ffffffff8104f45a native_write_msr+0xa ([kernel.kallsyms])
 *                       4a3e11 main+0x11 (/usr/bin/python3)
 *
 *           <idle>-0    [003] d..2. 12345.678950: sched_switch: prev_comm=swapper/3 ... ==> next_comm=python ...
 *
 * A sample is an instant of its thread, with the innermost function as name.  Between two switches of a core, the
 * thread that runs there is a span of the track "cpu N" of the process "CPUs".  Any other event is an instant of its
 * thread.
 */
#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_numbers_int.h"
#include "formats/common/tr_reader_open_int.h"
#include "formats/common/tr_window_int.h"

#include "base/tr_mem.h"
#include "base/tr_str.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW     ((size_t)256 << 10) /* of the text; no line is longer */
#define MAX_CPUS   65536
#define MAX_FRAMES 128u
#define FIRST      64u /* lines in which the first event is looked for */

/* The start of a line that has an event. */
struct head {
    struct tr_str comm, event, rest;
    int64_t pid, tid, cpu, ts, period; /* TR_I64_NONE: not there */
};

/* The thread that runs on a core. */
struct core {
    int64_t tid, since; /* since: TR_TIME_NONE: not known */
    char comm[64];
};

/* A part of the texts of a sample. */
struct part {
    size_t at, len;
};

struct reader {
    struct tr__window w;
    struct core *cores;
    size_t n_cores, cap_cores;
    struct tr__numbers named; /* threads that have a name */
    struct head sample;       /* whose frames are read; its texts are in texts */
    bool has_sample;
    bool in_event;            /* frames that follow are those of an event with a text, and are left out */
    struct tr_buf texts;      /* of parts */
    struct part comm, event, dso, frames[MAX_FRAMES]; /* of it; frames from the innermost on */
    size_t n_frames;
    struct tr_buf stack;
    uint64_t record;
    bool any;
    struct tr_ingest *g;
    struct tr_error *err;
};

/* ---- words ---- */

static struct tr_str trim(struct tr_str s)
{
    for (; s.len && (*s.s == ' ' || *s.s == '\t'); s.len--)
        s.s++;
    while (s.len && (s.s[s.len - 1] == ' ' || s.s[s.len - 1] == '\t' || s.s[s.len - 1] == '\r'))
        s.len--;
    return s;
}

/* Take the next word off a text. */
static struct tr_str word(struct tr_str *s)
{
    *s = trim(*s);
    size_t n = 0;
    while (n < s->len && s->s[n] != ' ' && s->s[n] != '\t')
        n++;
    struct tr_str w = { s->s, n };
    s->s += n;
    s->len -= n;
    return w;
}

/* Take the last word off a text. */
static struct tr_str last_word(struct tr_str *s)
{
    *s = trim(*s);
    size_t n = 0;
    while (n < s->len && s->s[s->len - 1 - n] != ' ' && s->s[s->len - 1 - n] != '\t')
        n++;
    s->len -= n;
    return (struct tr_str){ s->s + s->len, n };
}

/* Digits, which may have zeros before them. */
static bool whole(struct tr_str s, int64_t *v)
{
    *v = 0;
    for (size_t i = 0; i < s.len && s.len < 19; i++) {
        if (s.s[i] < '0' || s.s[i] > '9')
            return false;
        *v = *v * 10 + (s.s[i] - '0');
    }
    return s.len > 0 && s.len < 19;
}

/* Seconds with decimals and a colon, as ns. */
static bool is_time(struct tr_str w, int64_t *ns)
{
    const char *dot = w.len > 4 && w.s[w.len - 1] == ':' ? memchr(w.s, '.', w.len) : NULL;
    int64_t s, f;
    if (!dot)
        return false;
    size_t digits = w.len - 2 - (size_t)(dot - w.s);
    if (digits < 3 || digits > 9 || !whole((struct tr_str){ w.s, (size_t)(dot - w.s) }, &s) ||
        !whole((struct tr_str){ dot + 1, digits }, &f) || s > INT64_MAX / 1000000000 - 1)
        return false;
    for (; digits < 9; digits++)
        f *= 10;
    *ns = s * 1000000000 + f;
    return true;
}

/* ---- the head of a line ---- */

static bool is_cpu(struct tr_str w, int64_t *cpu)
{
    return w.len > 2 && w.s[0] == '[' && w.s[w.len - 1] == ']' && whole((struct tr_str){ w.s + 1, w.len - 2 }, cpu) &&
           *cpu < MAX_CPUS;
}

/* "4321/4330", "4330", or, after the name of the thread, "-4330". */
static bool read_thread(struct tr_str w, struct tr_str *before, struct head *h)
{
    const char *slash = memchr(w.s, '/', w.len), *dash = w.len ? memrchr(w.s, '-', w.len) : NULL;
    size_t first = slash ? (size_t)(slash - w.s) : 0;
    if (slash && whole((struct tr_str){ w.s, first }, &h->pid) &&
        whole((struct tr_str){ slash + 1, w.len - first - 1 }, &h->tid))
        return true;
    h->pid = TR_I64_NONE;
    if (whole(w, &h->tid))
        return true;
    if (!dash || !whole((struct tr_str){ dash + 1, w.len - (size_t)(dash - w.s) - 1 }, &h->tid))
        return false;
    before->len += (size_t)(dash - w.s); /* the name of the thread goes up to the dash */
    return true;
}

/* "(1234)", "( 1234)" or "(-----)" between the thread and the core: the process. */
static void read_process(struct tr_str *before, int64_t *pid)
{
    *before = trim(*before);
    const char *open = before->len && before->s[before->len - 1] == ')' ? memrchr(before->s, '(', before->len) : NULL;
    if (!open)
        return;
    struct tr_str inside = trim((struct tr_str){ open + 1, before->len - (size_t)(open - before->s) - 2 });
    int64_t v;
    if (whole(inside, &v))
        *pid = v;
    before->len = (size_t)(open - before->s);
}

/* What stands before the time. */
static bool read_before(struct tr_str before, struct head *h)
{
    int64_t pid = TR_I64_NONE;
    struct tr_str rest = before, w = last_word(&rest);
    h->cpu = TR_I64_NONE;
    if (is_cpu(w, &h->cpu)) {
        before = rest;
    } else { /* flags of ftrace after the core, or no core */
        struct tr_str flags_off = rest, cpu = last_word(&flags_off);
        if (is_cpu(cpu, &h->cpu))
            before = flags_off;
    }
    read_process(&before, &pid);
    w = last_word(&before);
    if (!read_thread(w, &before, h))
        return false;
    h->pid = h->pid == TR_I64_NONE ? pid : h->pid;
    h->comm = trim(before);
    return h->comm.len > 0;
}

/* After the time: a count of what the sample stands for, and the event with a colon. */
static bool read_after(struct tr_str after, struct head *h)
{
    struct tr_str w = word(&after);
    bool counted = whole(w, &h->period);
    if (counted)
        w = word(&after);
    else
        h->period = TR_I64_NONE;
    if (w.len < 2 || w.s[w.len - 1] != ':')
        return false;
    h->event = (struct tr_str){ w.s, w.len - 1 };
    h->rest = trim(after);
    return true;
}

static bool read_head(struct tr_str line, struct head *h)
{
    struct tr_str after = line;
    if (!line.len || line.s[0] == '#')
        return false;
    for (struct tr_str w; (w = word(&after)).len;) {
        struct tr_str before = { line.s, (size_t)(w.s - line.s) };
        if (is_time(w, &h->ts) && read_before(before, h) && read_after(after, h))
            return true;
    }
    return false;
}

/* ---- events ---- */

static void name_thread(struct reader *r, const struct head *h)
{
    if (h->tid == 0 || tr__numbers_get(&r->named, (uint64_t)h->tid) != UINT32_MAX ||
        !tr__numbers_set(&r->named, (uint64_t)h->tid, 1))
        return;
    tr_ingest_thread(r->g, h->pid, h->tid, h->comm.s, h->comm.len, TR_I64_NONE);
}

static void begin(struct reader *r, const struct head *h, struct tr_str name, const char *category)
{
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    tr_ingest_begin(r->g, TR_INSTANT, h->ts, TR_TIME_NONE);
    tr_ingest_record(r->g, r->record++);
    tr_ingest_name(r->g, name.s, name.len);
    tr_ingest_category(r->g, category, strlen(category));
    tr_ingest_activity(r->g, TR_ACT_OTHER);
    track.pid = h->pid;
    track.tid = h->tid;
    tr_ingest_track(r->g, &track);
    if (h->cpu != TR_I64_NONE)
        tr_ingest_arg_int(r->g, "cpu", h->cpu);
    r->any = true;
}

/* What a core ran until now; end: TR_TIME_NONE: it still runs. */
static enum tr_status end_run(struct reader *r, const struct core *c, size_t cpu, int64_t end, struct tr_str state)
{
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    char text[24];
    if (c->since == TR_TIME_NONE || c->tid == 0)
        return TR_OK;
    tr_ingest_begin(r->g, TR_SPAN, c->since, end == TR_TIME_NONE ? TR_TIME_NONE : end - c->since);
    tr_ingest_record(r->g, r->record++);
    tr_ingest_name(r->g, c->comm, strlen(c->comm));
    tr_ingest_category(r->g, "sched", 5);
    tr_ingest_activity(r->g, TR_ACT_OTHER);
    track.pid_text = "CPUs";
    track.pid_len = 4;
    track.tid_text = text;
    track.tid_len = (size_t)snprintf(text, sizeof text, "cpu %zu", cpu);
    tr_ingest_track(r->g, &track);
    tr_ingest_arg_int(r->g, "cpu", (int64_t)cpu);
    tr_ingest_arg_int(r->g, "tid", c->tid);
    if (state.len)
        tr_ingest_arg_text(r->g, "state", state.s, state.len);
    return tr_ingest_end(r->g, r->err);
}

/* The value after a key, up to what follows it; s NULL: it is not there. */
static struct tr_str after_key(struct tr_str s, const char *key, const char *follows)
{
    const char *at = memmem(s.s, s.len, key, strlen(key));
    if (!at)
        return (struct tr_str){ NULL, 0 };
    at += strlen(key);
    struct tr_str v = { at, s.len - (size_t)(at - s.s) };
    const char *end = memmem(v.s, v.len, follows, strlen(follows));
    return (struct tr_str){ v.s, end ? (size_t)(end - v.s) : v.len };
}

/* "python:4321 [120]" of a switch. */
static bool read_side(struct tr_str s, struct tr_str *comm, int64_t *tid)
{
    const char *bracket = memchr(s.s, '[', s.len);
    s = trim((struct tr_str){ s.s, bracket ? (size_t)(bracket - s.s) : s.len });
    const char *colon = s.len ? memrchr(s.s, ':', s.len) : NULL;
    if (!colon)
        return false;
    *comm = (struct tr_str){ s.s, (size_t)(colon - s.s) };
    return whole((struct tr_str){ colon + 1, s.len - comm->len - 1 }, tid);
}

/* Who runs after a switch, and the state of who ran before.  Two forms: that of the kernel and that of trace-cmd. */
static bool read_switch(struct tr_str text, struct tr_str *comm, int64_t *tid, struct tr_str *state)
{
    const char *arrow = memmem(text.s, text.len, "==>", 3);
    if (!arrow)
        return false;
    struct tr_str before = { text.s, (size_t)(arrow - text.s) }, after = { arrow + 3, text.len - before.len - 3 };
    *comm = after_key(after, "next_comm=", " next_pid=");
    *state = after_key(before, "prev_state=", " ");
    if (comm->s)
        return whole(after_key(after, "next_pid=", " "), tid);
    *state = last_word(&before);
    return read_side(after, comm, tid);
}

static struct core *core_of(struct reader *r, int64_t cpu)
{
    if ((size_t)cpu >= r->n_cores) {
        if (!tr_grow(&r->cores, &r->cap_cores, (size_t)cpu + 1, sizeof *r->cores))
            return NULL;
        while (r->n_cores <= (size_t)cpu)
            r->cores[r->n_cores++] = (struct core){ .since = TR_TIME_NONE };
    }
    return &r->cores[cpu];
}

static enum tr_status take_switch(struct reader *r, const struct head *h, struct tr_str comm, int64_t tid,
                                  struct tr_str state)
{
    struct core *c = core_of(r, h->cpu);
    if (!c)
        return tr_fail_memory(r->err);
    enum tr_status st = end_run(r, c, (size_t)h->cpu, h->ts, state);
    c->since = h->ts;
    c->tid = tid;
    snprintf(c->comm, sizeof c->comm, "%.*s", (int)(comm.len < sizeof c->comm ? comm.len : sizeof c->comm - 1), comm.s);
    r->any = true;
    return st;
}

static bool ends_with(struct tr_str s, const char *end)
{
    return s.len >= strlen(end) && memcmp(s.s + s.len - strlen(end), end, strlen(end)) == 0;
}

/* ---- samples ---- */

/* "ffffffff8104f45a native_write_msr+0xa ([kernel.kallsyms])": the function without its offset, and its file. */
static bool read_frame(struct tr_str s, struct tr_str *symbol, struct tr_str *file)
{
    struct tr_str address = word(&s);
    if (!address.len || strspn(address.s, "0123456789abcdef") < address.len)
        return false;
    s = trim(s);
    *file = (struct tr_str){ NULL, 0 };
    for (size_t i = s.len; i-- > 1 && s.s[s.len - 1] == ')';)
        if (s.s[i] == '(' && s.s[i - 1] == ' ') {
            *file = (struct tr_str){ s.s + i + 1, s.len - i - 2 };
            s = trim((struct tr_str){ s.s, i });
            break;
        }
    for (size_t i = s.len; i-- > 0;)
        if (s.s[i] == '+' && s.len - i > 3 && s.s[i + 1] == '0' && s.s[i + 2] == 'x') {
            s.len = i;
            break;
        }
    *symbol = s;
    return s.len > 0;
}

static bool keep(struct reader *r, struct part *part, struct tr_str s)
{
    *part = (struct part){ r->texts.len, s.len };
    return tr_buf_add_text(&r->texts, s);
}

static struct tr_str kept(const struct reader *r, struct part part)
{
    return part.len ? (struct tr_str){ (const char *)r->texts.data + part.at, part.len } : tr_str_of("");
}

static enum tr_status add_frame(struct reader *r, struct tr_str line)
{
    struct tr_str symbol, file;
    if (!read_frame(line, &symbol, &file) || r->n_frames == MAX_FRAMES)
        return TR_OK;
    if (r->n_frames == 0 && !keep(r, &r->dso, file))
        return tr_fail_memory(r->err);
    return keep(r, &r->frames[r->n_frames++], symbol) ? TR_OK : tr_fail_memory(r->err);
}

/* The functions from the root on, joined by semicolons. */
static bool make_stack(struct reader *r)
{
    bool ok = true;
    r->stack.len = 0;
    for (size_t i = r->n_frames; ok && i-- > 0;)
        ok = (i + 1 == r->n_frames || tr_buf_add(&r->stack, ";", 1)) &&
             tr_buf_add_text(&r->stack, kept(r, r->frames[i]));
    return ok;
}

static enum tr_status end_sample(struct reader *r)
{
    if (!r->has_sample)
        return TR_OK;
    r->has_sample = false;
    struct head h = r->sample;
    h.comm = kept(r, r->comm);
    h.event = kept(r, r->event);
    struct tr_str dso = kept(r, r->dso);
    begin(r, &h, r->n_frames ? kept(r, r->frames[0]) : h.event, "sample");
    name_thread(r, &h);
    tr_ingest_arg_text(r->g, "event", h.event.s, h.event.len);
    if (h.period != TR_I64_NONE)
        tr_ingest_arg_int(r->g, "period", h.period);
    if (dso.len)
        tr_ingest_arg_text(r->g, "dso", dso.s, dso.len);
    if (r->n_frames && !make_stack(r))
        return tr_fail_memory(r->err);
    if (r->n_frames)
        tr_ingest_arg_text(r->g, "Stack", (const char *)r->stack.data, r->stack.len);
    return tr_ingest_end(r->g, r->err);
}

static enum tr_status start_sample(struct reader *r, const struct head *h)
{
    r->sample = *h;
    r->has_sample = true;
    r->n_frames = 0;
    r->texts.len = 0;
    r->dso = (struct part){ 0, 0 };
    return keep(r, &r->comm, h->comm) && keep(r, &r->event, h->event) ? add_frame(r, h->rest) : tr_fail_memory(r->err);
}

/* ---- lines ---- */

/* An event of the kernel with a text of its own, in place of a function. */
static enum tr_status take_event(struct reader *r, const struct head *h)
{
    struct tr_str comm, state;
    int64_t tid;
    bool switches = h->cpu != TR_I64_NONE && ends_with(h->event, "sched_switch");
    if (switches && read_switch(h->rest, &comm, &tid, &state))
        return take_switch(r, h, comm, tid, state);
    begin(r, h, h->event, "kernel_event");
    name_thread(r, h);
    if (h->rest.len)
        tr_ingest_arg_text(r->g, "data", h->rest.s, h->rest.len);
    return tr_ingest_end(r->g, r->err);
}

static enum tr_status take_head(struct reader *r, const struct head *h)
{
    struct tr_str symbol, file;
    enum tr_status st = end_sample(r);
    if (st != TR_OK)
        return st;
    r->in_event = h->rest.len && !read_frame(h->rest, &symbol, &file);
    return r->in_event ? take_event(r, h) : start_sample(r, h);
}

/* The tracer says that it was too slow. */
static bool says_lost(struct tr_str line)
{
    return tr_str_has(line, tr_str_of("EVENTS DROPPED]")) || tr_str_has(line, tr_str_of(" EVENTS]")) ||
           tr_str_has(line, tr_str_of("LOST "));
}

static enum tr_status take_line(struct reader *r, struct tr_str line, bool ended)
{
    static const struct tr_ingest_cause lost = { "lost_events", "events that the tracer lost", true };
    uint64_t offset = tr__window_offset(&r->w);
    struct head h;
    struct tr_str text = trim(line), symbol, file;
    if (!text.len)
        return end_sample(r);
    if (!ended) {
        tr_ingest_damaged(r->g, TR_DAMAGE_TRUNCATED, offset);
        return TR_OK;
    }
    if (read_head(line, &h))
        return take_head(r, &h);
    if ((r->has_sample || r->in_event) && read_frame(text, &symbol, &file))
        return r->has_sample ? add_frame(r, text) : TR_OK;
    if (says_lost(text))
        tr_ingest_damaged_by(r->g, &lost, offset);
    else if (text.s[0] != '#' && (r->any || r->has_sample))
        tr__line_lost(r->g, offset);
    return TR_OK;
}

static enum tr_status end_cores(struct reader *r)
{
    enum tr_status st = TR_OK;
    for (size_t i = 0; st == TR_OK && i < r->n_cores; i++)
        st = end_run(r, &r->cores[i], i, TR_TIME_NONE, (struct tr_str){ NULL, 0 });
    return st;
}

static enum tr_status read_lines(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct reader *r = ctx;
    r->g = g;
    r->err = err;
    enum tr_status st = tr__window_fill(&r->w, g, WINDOW, err);
    while (st == TR_OK && r->w.at < r->w.n) {
        const char *p = r->w.p + r->w.at, *end = memchr(p, '\n', r->w.n - r->w.at);
        size_t n = end ? (size_t)(end - p) : r->w.n - r->w.at;
        if (!end && !r->w.last && n < WINDOW)
            return TR_OK;
        st = take_line(r, (struct tr_str){ p, n }, end != NULL);
        r->w.at += n + (end != NULL);
    }
    if (st != TR_OK || !r->w.last)
        return st;
    st = end_sample(r);
    if (st == TR_OK)
        st = end_cores(r);
    if (st == TR_OK && !r->any)
        return tr_fail(err, TR_DAMAGED, "no line of perf script or ftrace: 'thread pid [cpu] seconds: event: ...'");
    return st == TR_OK ? TR_END : st;
}

static void release(void *ctx)
{
    struct reader *r = ctx;
    tr__window_free(&r->w);
    tr__numbers_free(&r->named);
    tr_buf_free(&r->texts);
    tr_buf_free(&r->stack);
    free(r->cores);
    free(r);
}

static enum tr_status open_text(const struct tr_format *f, struct tr_input **out, const struct tr_ingest_bytes *bytes,
                                const struct tr_open_opts *opts, struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "perf-script", read_lines, release };
    return tr__reader_open(out, &reader, sizeof(struct reader), NULL, NULL, bytes, opts, err);
}

/* One of the first lines decides. */
static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    struct head h;
    size_t at = 0;
    for (unsigned i = 0; i < FIRST && at < n; i++) {
        const unsigned char *end = memchr(p + at, '\n', n - at);
        if (!end || memchr(p + at, 0, (size_t)(end - p) - at))
            return 0;
        if (read_head((struct tr_str){ (const char *)p + at, (size_t)(end - p) - at }, &h))
            return 82;
        at = (size_t)(end - p) + 1;
    }
    return 0;
}

const struct tr_format tr_format_perf_script = {
    .name = "perf-script",
    .brief = "text of perf script, and of ftrace as trace-cmd report prints it: samples, switches of threads",
    .probe = probe,
    .open = open_text,
};
