/* SPDX-License-Identifier: MIT */
/*
 * Reader of the reports that unitrace prints: timing of calls and of device work, properties of kernels, submissions,
 * oneCCL and MPI, for Level Zero and OpenCL; the timeline of devices; the log of calls.  All of them may be in one
 * text.
 *
 *   tables     become tables of the stream
 *   timeline   each line becomes an event of its device
 *   calls      their starts and ends become spans of their thread
 *
 * The tracer's own messages, [INFO] and the like, are passed over.  Any other line that is not blank is counted.
 */
#include "formats/unitrace/tr_unitrace_int.h"

#include "base/tr_num.h"
#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_reader_open_int.h"
#include "ingest/tr_ingest_int.h"
#include "vendor/tr_vocab.h"

#include <stdio.h>
#include <stdlib.h>

struct report {
    struct tr__lines lines;
    struct tr__report_tables tables;
    struct tr_ingest *g; /* while lines are read */
    uint64_t n_events, n_known; /* n_known: lines */
    int64_t pid, rank;          /* as the report says; -1: it does not */
    const char *input;
    void (*warn)(void *ctx, const char *input, const char *place, const char *what);
    void *warn_ctx;
};

enum took { NOT_THIS, TOOK, LOST, FAILED };

static enum took took_of(enum tr_status st)
{
    return st == TR_OK ? TOOK : st == TR_END ? LOST : FAILED;
}

/* ---- sections ---- */

static const struct {
    const char *title;
    enum tr__report_section section;
} sections[] = {
    { "=== API Timing Summary ===", TR__SECTION_HOST },
    { "=== Device Timing Summary ===", TR__SECTION_DEVICE },
    { "=== Kernel Properties ===", TR__SECTION_PROPERTIES },
    { "=== Kernel Submission Summary ===", TR__SECTION_SUBMISSION },
};
#define N_SECTIONS (sizeof sections / sizeof *sections)

static size_t find_section(struct tr_str line)
{
    size_t i = 0;
    line = tr__trim(line);
    while (i < N_SECTIONS && !tr_str_is(line, sections[i].title))
        i++;
    return i;
}

static void start_section(struct report *r, enum tr__report_section section)
{
    r->tables.section = section;
    r->tables.n_titles = 0;
    if (section != TR__SECTION_PROPERTIES)
        r->tables.backend.len = 0;
}

static bool is_stars(struct tr_str line)
{
    size_t n = 0;
    line = tr__trim(line);
    while (n < line.len && line.s[n] == '*')
        n++;
    return n >= 28 && n == line.len;
}

/* "== CL GPU Backend ==" */
static enum took take_backend(struct report *r, struct tr_str line, struct tr_error *err)
{
    static const char end[] = " Backend ==";
    line = tr__trim(line);
    size_t n = sizeof end - 1;
    if (!tr__skip_text(&line, "== ") || line.len <= n || memcmp(line.s + line.len - n, end, n) != 0)
        return NOT_THIS;
    r->tables.backend.len = 0;
    r->tables.n_titles = 0;
    if (tr_buf_add(&r->tables.backend, line.s, line.len - n))
        return TOOK;
    tr_fail_memory(err);
    return FAILED;
}

/* "Total Execution Time (ns): 17", or stars for a hidden time, "Total Device Time for L0 backend (ns): 17" */
static enum took take_total(struct report *r, struct tr_str line, struct tr_error *err)
{
    static const char end[] = " backend (ns):";
    int64_t ns;
    line = tr__trim(line);
    if (!tr__skip_text(&line, "Total ") || r->tables.section == TR__SECTION_NONE)
        return NOT_THIS;
    struct tr_str quantity = { "execution", 9 };
    if (!tr__skip_text(&line, "Execution Time (ns):")) {
        if (!tr__skip_text(&line, "API Time for ") && !tr__skip_text(&line, "Device Time for "))
            return NOT_THIS;
        size_t at = 0, n = sizeof end - 1;
        while (at + n <= line.len && memcmp(line.s + at, end, n) != 0)
            at++;
        if (at == 0 || at + n > line.len)
            return NOT_THIS;
        quantity = (struct tr_str){ line.s, at };
        line.s += at + n;
        line.len -= at + n;
    }
    tr__skip_blanks(&line);
    if (tr__is_masked(line))
        ns = TR_I64_NONE;
    else if (!tr__take_int(&line, &ns) || line.len)
        return LOST;
    return took_of(tr__report_total(&r->tables, quantity, ns, err));
}

/* "*  Process ID : 3001 | Rank ID : 1" */
static enum took take_process(struct report *r, struct tr_str line)
{
    int64_t pid, rank;
    if (!tr__skip_text(&line, "*"))
        return NOT_THIS;
    tr__skip_blanks(&line);
    if (!tr__skip_text(&line, "Process ID :"))
        return NOT_THIS;
    tr__skip_blanks(&line);
    if (!tr__take_int(&line, &pid))
        return LOST;
    tr__skip_blanks(&line);
    if (!tr__skip_text(&line, "|"))
        return LOST;
    tr__skip_blanks(&line);
    if (!tr__skip_text(&line, "Rank ID :"))
        return LOST;
    tr__skip_blanks(&line);
    if (!tr__take_int(&line, &rank))
        return LOST;
    r->pid = pid;
    r->rank = rank;
    return TOOK;
}

/* ---- events ---- */

static enum tr_status start_event(struct report *r, enum tr_phase phase, int64_t ts, int64_t dur, struct tr_str name,
                                  enum tr_activity activity)
{
    tr_ingest_begin(r->g, phase, ts, dur);
    tr_ingest_record(r->g, r->n_events++);
    tr_ingest_name(r->g, name.s, name.len);
    tr_ingest_activity(r->g, activity);
    return TR_OK;
}

/* Digits, or 0x and hexadecimal digits. */
static bool read_device(struct tr_str text, int64_t *v)
{
    struct tr_str rest = text;
    return tr_num_plain_hex(text.s, text.len, v) || (tr__take_int(&rest, v) && !rest.len);
}

/* The number before a label, taken off the end of s: "... 17 (end)". */
static bool take_labelled(struct tr_str *s, const char *label, int64_t *v)
{
    struct tr_str end = tr__trim(*s);
    size_t n = strlen(label), at;
    if (end.len < n || memcmp(end.s + end.len - n, label, n) != 0)
        return false;
    end = tr__trim((struct tr_str){ end.s, end.len - n });
    for (at = end.len; at && tr_num_is_digit(end.s[at - 1]); at--)
        ;
    struct tr_str digits = { end.s + at, end.len - at };
    *s = (struct tr_str){ end.s, at };
    return tr__take_int(&digits, v);
}

struct moment {
    int64_t thread, device, append, submit, start, end;
    struct tr_str device_text, name;
};

/* "Thread 7 Device 0x44e : "gemm" [ns] 1 (append) 2 (submit) 3 (start) 4 (end)" */
static bool read_moment(struct tr_str line, struct moment *m)
{
    static const char unit[] = "[ns]";
    size_t n = sizeof unit - 1;
    if (!tr__skip_text(&line, "Thread ") || !tr__take_int(&line, &m->thread) || !tr__skip_text(&line, " Device "))
        return false;
    m->device_text = tr__take_word(&line);
    if (!read_device(m->device_text, &m->device) || !tr__skip_text(&line, " : ") ||
        !take_labelled(&line, "(end)", &m->end) || !take_labelled(&line, "(start)", &m->start) ||
        !take_labelled(&line, "(submit)", &m->submit) || !take_labelled(&line, "(append)", &m->append))
        return false;
    line = tr__trim(line);
    if (line.len < n || memcmp(line.s + line.len - n, unit, n) != 0)
        return false;
    m->name = tr__trim((struct tr_str){ line.s, line.len - n });
    return m->name.len > 0;
}

static enum took take_moment(struct report *r, struct tr_str line, struct tr_error *err)
{
    struct moment m;
    struct tr_str at = line, written;
    char name[64];
    int64_t step;
    if (!tr__skip_text(&at, "Thread "))
        return NOT_THIS;
    if (!read_moment(line, &m))
        return LOST;
    written = m.name;
    if (!tr__unquoted(written, &r->tables.name, &m.name))
        return took_of(tr_fail_memory(err));
    if (!m.name.len || !tr__name_is_whole(m.name, written))
        return LOST;
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    track.side = TR_SIDE_DEVICE;
    track.pid = track.device = m.device;
    track.tid = track.stream = m.thread;
    enum tr_activity activity =
        tr_vocab_activity(TR_ACT_KERNEL, tr_vocab_name(m.name.s, m.name.len, &step), TR_SPAN);
    start_event(r, TR_SPAN, m.start, m.end - m.start, m.name, activity);
    tr_ingest_track(r->g, &track);
    int n = snprintf(name, sizeof name, "Device %.*s", (int)m.device_text.len, m.device_text.s);
    tr_ingest_process(r->g, m.device, name, (size_t)n < sizeof name ? (size_t)n : sizeof name - 1, TR_I64_NONE);
    n = snprintf(name, sizeof name, "Thread %lld", (long long)m.thread);
    tr_ingest_thread(r->g, m.device, m.thread, name, (size_t)n, TR_I64_NONE);
    tr_ingest_arg_text(r->g, "device", m.device_text.s, m.device_text.len);
    tr_ingest_arg_int(r->g, "append_ns", m.append);
    tr_ingest_arg_int(r->g, "submit_ns", m.submit);
    return took_of(tr_ingest_end(r->g, err));
}

/* ">>>> [17] <PID:1> <TID:2> " or "<<<< [17] ...": the time, and the place of the call. */
static bool read_call(struct tr_str *line, bool *starts, int64_t *ts, struct tr_ingest_track *track)
{
    *starts = tr__skip_text(line, ">>>> [");
    if (!*starts && !tr__skip_text(line, "<<<< ["))
        return false;
    if (!tr__take_int(line, ts) || !tr__skip_text(line, "] "))
        return false;
    track->pid = track->tid = 0;
    if (tr__skip_text(line, "<PID:") && (!tr__take_int(line, &track->pid) || !tr__skip_text(line, "> ")))
        return false;
    if (tr__skip_text(line, "<TID:") && (!tr__take_int(line, &track->tid) || !tr__skip_text(line, "> ")))
        return false;
    return true;
}

/* The name of a function, without the colon after it. */
static bool is_function(struct tr_str name)
{
    bool ok = name.len > 0;
    for (size_t i = 0; ok && i < name.len; i++)
        ok = name.s[i] == '_' || name.s[i] == ':' || (unsigned)((name.s[i] | 32) - 'a') < 26 ||
             (i && tr_num_is_digit(name.s[i]));
    return ok;
}

/* "[2000 ns]" at the end of a call. */
static bool take_duration(struct tr_str *rest, int64_t *dur)
{
    return tr__skip_text(rest, "[") && tr__take_int(rest, dur) && tr__skip_text(rest, " ns]");
}

/* The end of a call after its duration: "p = 0x7 -> ZE_RESULT_SUCCESS (0x0)". */
static void emit_results(struct report *r, struct tr_str rest, int64_t dur)
{
    tr_ingest_arg_int(r->g, "dur_ns", dur);
    rest = tr__trim(rest);
    size_t at = rest.len;
    while (at > 0 && !(at >= 2 && rest.s[at - 2] == '-' && rest.s[at - 1] == '>'))
        at--;
    struct tr_str status = tr__trim((struct tr_str){ rest.s + at, rest.len - at });
    if (at)
        tr_ingest_arg_text(r->g, "status", status.s, status.len);
    struct tr_str results = tr__trim((struct tr_str){ rest.s, at ? at - 2 : rest.len });
    if (results.len)
        tr_ingest_arg_text(r->g, "results", results.s, results.len);
}

static enum took take_call(struct report *r, struct tr_str line, struct tr_error *err)
{
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    struct tr_str at = line;
    bool starts;
    int64_t ts, step;
    if (!tr__skip_text(&at, ">>>> [") && !tr__skip_text(&at, "<<<< ["))
        return NOT_THIS;
    if (!read_call(&line, &starts, &ts, &track))
        return LOST;
    struct tr_str name = tr__take_word(&line);
    if (starts && name.len && name.s[name.len - 1] == ':')
        name.len--;
    struct tr_str rest = tr__trim(line);
    int64_t dur = 0;
    if (!is_function(name) || (!starts && !take_duration(&rest, &dur)))
        return LOST;
    enum tr_phase phase = starts ? TR_BEGIN : TR_SPAN_END;
    start_event(r, phase, ts, TR_TIME_NONE, name,
                tr_vocab_activity(TR_ACT_CPU_OP, tr_vocab_name(name.s, name.len, &step), phase));
    tr_ingest_track(r->g, &track);
    if (!starts)
        emit_results(r, rest, dur);
    else if (rest.len)
        tr_ingest_arg_text(r->g, "arguments", rest.s, rest.len);
    return took_of(tr_ingest_end(r->g, err));
}

/* ---- lines ---- */

/* Lines of the tracer that say nothing about the program. */
static bool is_message(struct tr_str line)
{
    return tr__skip_text(&line, "[INFO] ") || tr__skip_text(&line, "[WARNING] ") || tr__skip_text(&line, "[ERROR] ");
}

static enum took take_table(struct report *r, struct tr_str line, struct tr_error *err)
{
    if (tr__report_titles(&r->tables, line))
        return TOOK;
    if (!r->tables.n_titles)
        return NOT_THIS;
    return took_of(tr__report_row(&r->tables, line, err));
}

static enum took take_frame(struct report *r, struct tr_str line)
{
    size_t section = find_section(line);
    if (section < N_SECTIONS)
        start_section(r, sections[section].section);
    else if (is_stars(line))
        start_section(r, TR__SECTION_CCL);
    else
        return r->tables.section == TR__SECTION_CCL ? take_process(r, line) : NOT_THIS;
    return TOOK;
}

/* A line that is not blank. */
static enum took take_line(struct report *r, struct tr_str line, bool ended, struct tr_error *err)
{
    enum took took = take_moment(r, line, err);
    if (took != NOT_THIS || !ended)
        return took; /* of the other forms, none shows whether its end is cut */
    took = take_call(r, line, err);
    if (took == NOT_THIS)
        took = take_frame(r, line);
    if (took == NOT_THIS)
        took = take_backend(r, line, err);
    if (took == NOT_THIS)
        took = take_total(r, line, err);
    return took == NOT_THIS ? take_table(r, line, err) : took;
}

static enum tr_status use_line(void *ctx, const struct tr__line *line, struct tr_error *err)
{
    struct report *r = ctx;
    if (!tr__trim(line->text).len) {
        r->tables.n_titles = 0;
        return TR_OK;
    }
    enum took took = take_line(r, line->text, line->ended, err);
    if (took == FAILED)
        return err->status;
    if (took == TOOK)
        r->n_known++;
    else if (!line->ended)
        tr_ingest_damaged(r->g, TR_DAMAGE_TRUNCATED, line->offset);
    else if (!is_message(line->text))
        tr__line_lost(r->g, line->offset);
    return TR_OK;
}

static enum tr_status read_report(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct report *r = ctx;
    r->g = g;
    enum tr_status st = tr__lines_read(&r->lines, g, use_line, r, err);
    if (st != TR_END)
        return st;
    if (!r->n_known)
        return tr_fail(err, TR_DAMAGED, "no report of unitrace: no line has a known form");
    if (r->rank >= 0)
        tr_ingest_rank(g, r->rank);
    if (r->pid >= 0) {
        char text[32];
        int n = snprintf(text, sizeof text, "%lld", (long long)r->pid);
        tr_ingest_header(g, "process_id", text, (size_t)n);
    }
    if (!r->n_events && !tr__report_tables_rows(&r->tables) && r->warn)
        r->warn(r->warn_ctx, r->input, "", "no events and no rows: it has only titles of a report");
    tr__report_tables_give(&r->tables, g);
    return TR_END;
}

static void release(void *ctx)
{
    struct report *r = ctx;
    tr__lines_free(&r->lines);
    tr__report_tables_free(&r->tables);
    free((char *)(uintptr_t)r->tables.report.s);
    free(r);
}

/* The name of the source, for tables; nothing if names are left out. */
static bool set_name(struct report *r, const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts)
{
    char *copy = strdup(opts->keep_names && bytes->name ? tr__short_input_name(bytes->name) : "");
    r->tables.report = tr_str_of(copy);
    return copy != NULL;
}

static bool init(void *state, const void *of, const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts)
{
    struct report *r = state;
    (void)of;
    r->pid = r->rank = -1;
    r->input = bytes->name ? bytes->name : "";
    r->warn = opts->warn;
    r->warn_ctx = opts->warn_ctx;
    return set_name(r, bytes, opts) && tr__report_tables_init(&r->tables);
}

static enum tr_status open_report(const struct tr_format *f, struct tr_input **out,
                                  const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                                  struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "unitrace-text", read_report, release };
    return tr__reader_open(out, &reader, sizeof(struct report), init, NULL, bytes, opts, err);
}

static bool is_of_report(struct tr_str line)
{
    struct moment m;
    struct tr_ingest_track track;
    bool starts;
    int64_t ts;
    struct tr_str call = line, process = line;
    return find_section(line) < N_SECTIONS || read_moment(line, &m) || read_call(&call, &starts, &ts, &track) ||
           (tr__skip_text(&process, "*") && (tr__skip_blanks(&process), tr__skip_text(&process, "Process ID :")));
}

static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    return tr__any_line(p, n, is_of_report) ? 75 : 0; /* not sure: metrics may follow, which are another format */
}

const struct tr_format tr_format_unitrace_text = {
    .name = "unitrace-text",
    .brief = "text reports of Intel's unitrace: timing, kernels, timelines, calls",
    .probe = probe,
    .open = open_report,
};
