/* SPDX-License-Identifier: MIT */
/*
 * Reader of the CSV files of AMD's rocprof, versions 1 to 3: kernels, copies and calls, a row each.
 *
 *     Index,KernelName,gpu-id,queue-id,pid,tid,grd,wgr,...,BeginNs,EndNs               version 1
 *     Dispatch_ID,GPU_ID,Queue_ID,...,Kernel_Name,Start_Timestamp,End_Timestamp        version 2
 *     Kind,Agent_Id,Queue_Id,...,Kernel_Name,...,Start_Timestamp,End_Timestamp         version 3: kernels,
 *     Kind,Direction,Source_Agent_Id,Destination_Agent_Id,Start_Timestamp,...          copies,
 *     Kind,Function,Process_Id,Thread_Id,Correlation_Id,Start_Timestamp,...            calls
 *
 * The first line names the columns, in any order.  The columns below mean something; all others, such as counters of
 * version 1, become args.  A row without times, of a run that only counted, is an instant without a time.  Tables of
 * sums and of counters one by one are not read: their rows are no events.
 */
#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_reader_open_int.h"
#include "formats/common/tr_window_int.h"
#include "json/tr_json.h"

#include "base/tr_num.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE    ((size_t)1 << 20) /* bytes */
#define WINDOW      (2 * MAX_LINE)
#define MAX_COLUMNS 1024u

enum column {
    NAME, FUNCTION, DIRECTION, KIND, COUNTER,
    BEGIN, END, PID, TID, DEVICE, SOURCE, TARGET, QUEUE, STREAM, CORRELATION, /* numbers, as the rest */
    GRID, GRID_Y, GRID_Z, GROUP, GROUP_Y, GROUP_Z, N_KNOWN, ARG = N_KNOWN
};

static const struct {
    const char *name;
    enum column is;
} columns[] = {
    { "KernelName", NAME },       { "Kernel_Name", NAME },       { "Function", FUNCTION },
    { "Direction", DIRECTION },   { "Kind", KIND },              { "Domain", KIND },
    { "BeginNs", BEGIN },         { "Start_Timestamp", BEGIN },  { "EndNs", END },
    { "End_Timestamp", END },     { "pid", PID },                { "PID", PID },
    { "Process_Id", PID },        { "tid", TID },                { "TID", TID },
    { "Thread_Id", TID },         { "gpu-id", DEVICE },          { "GPU_ID", DEVICE },
    { "Agent_Id", DEVICE },       { "Source_Agent_Id", SOURCE }, { "Destination_Agent_Id", TARGET },
    { "queue-id", QUEUE },        { "Queue_ID", QUEUE },         { "Queue_Id", QUEUE },
    { "Stream_Id", STREAM },      { "Correlation_ID", CORRELATION }, { "Correlation_Id", CORRELATION },
    { "grd", GRID },              { "Grid_Size", GRID },         { "Grid_Size_X", GRID },
    { "Grid_Size_Y", GRID_Y },    { "Grid_Size_Z", GRID_Z },     { "wgr", GROUP },
    { "Workgroup_Size", GROUP },  { "Workgroup_Size_X", GROUP }, { "Workgroup_Size_Y", GROUP_Y },
    { "Workgroup_Size_Z", GROUP_Z }, { "Counter_Name", COUNTER },
};

struct table {
    struct tr__window w;
    struct tr_ingest *g; /* while lines are read */
    struct tr_error *err;
    size_t n_columns;    /* 0: the first line has not come */
    uint8_t is[MAX_COLUMNS];
    char *keys[MAX_COLUMNS]; /* of columns that become args */
    struct tr_str cells[MAX_COLUMNS];
    size_t of[N_KNOWN];  /* the column; SIZE_MAX: none */
    struct tr_buf text;  /* cells in quotes, without them */
    uint64_t n_rows;
    const char *input;
    void (*warn)(void *ctx, const char *input, const char *place, const char *what);
    void *warn_ctx;
};

/*
 * Cells of a line, with quotes doubled inside quotes; text has those that were in quotes.  The number of cells, at most
 * max; 0: out of memory, or a quote is missing.
 */
static size_t split(struct tr_str line, struct tr_str *cells, size_t max, struct tr_buf *text)
{
    size_t n = 0, at = 0;
    text->len = 0;
    if (!tr_buf_reserve(text, line.len + 1)) /* so cells stay where they are */
        return 0;
    for (bool more = true; more && n < max;) {
        if (at < line.len && line.s[at] == '"') {
            size_t from = text->len;
            for (at++; at < line.len && (line.s[at] != '"' || (at + 1 < line.len && line.s[at + 1] == '"')); at++) {
                at += line.s[at] == '"';
                text->data[text->len++] = (unsigned char)line.s[at];
            }
            if (at == line.len)
                return 0;
            cells[n++] = (struct tr_str){ (const char *)text->data + from, text->len - from };
            at++;
        } else {
            size_t from = at;
            while (at < line.len && line.s[at] != ',' && line.s[at] != '"')
                at++;
            if (at < line.len && line.s[at] == '"')
                return 0;
            cells[n++] = (struct tr_str){ line.s + from, at - from };
        }
        more = at < line.len;
        if (more && line.s[at++] != ',')
            return 0;
    }
    return n;
}

static enum column meaning(struct tr_str name)
{
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++)
        if (tr_str_is(name, columns[i].name))
            return columns[i].is;
    return ARG;
}

/* Is this the first line of a table of events? */
static bool is_header(const struct tr_str *cells, size_t n)
{
    bool has[N_KNOWN + 1] = { false };
    for (size_t i = 0; i < n; i++)
        has[meaning(cells[i])] = true;
    bool timed = has[BEGIN] && has[END];
    if (has[COUNTER])
        return false;
    return (has[NAME] && has[QUEUE] && (timed || has[GRID])) ||
           (timed && (has[DIRECTION] || (has[FUNCTION] && has[KIND])));
}

static bool take_header(struct table *t, struct tr_str line)
{
    t->n_columns = split(line, t->cells, MAX_COLUMNS, &t->text);
    if (!is_header(t->cells, t->n_columns)) {
        tr_fail(t->err, TR_DAMAGED, "no kernels, copies or calls of rocprof: no column has their names and times");
        return false;
    }
    for (size_t k = 0; k < N_KNOWN; k++)
        t->of[k] = SIZE_MAX;
    for (size_t i = 0; i < t->n_columns; i++) {
        t->is[i] = (uint8_t)meaning(t->cells[i]);
        if (t->is[i] != ARG && t->of[t->is[i]] == SIZE_MAX)
            t->of[t->is[i]] = i;
        else
            t->is[i] = ARG;
        t->keys[i] = strndup(t->cells[i].len ? t->cells[i].s : "", t->cells[i].len);
        if (!t->keys[i]) {
            tr_fail_memory(t->err);
            return false;
        }
    }
    return true;
}

static struct tr_str cell(const struct table *t, enum column what)
{
    return t->of[what] == SIZE_MAX ? (struct tr_str){ "", 0 } : t->cells[t->of[what]];
}

/* The number in "7" or "Agent 7"; otherwise if there is none. */
static int64_t number(const struct table *t, enum column what, int64_t otherwise)
{
    struct tr_str s = cell(t, what);
    int64_t v;
    const char *blank = s.len ? memchr(s.s, ' ', s.len) : NULL;
    size_t from = blank ? (size_t)(blank - s.s) + 1 : 0;
    return s.len > from && tr_num_plain(s.s + from, s.len - from, &v) ? v : otherwise;
}

/* Count a cell that should be a number, and is none. */
static void check_numbers(const struct table *t, uint64_t offset)
{
    for (unsigned k = BEGIN; k < N_KNOWN; k++)
        if (cell(t, (enum column)k).len && number(t, (enum column)k, TR_I64_NONE) == TR_I64_NONE) {
            tr_ingest_damaged(t->g, TR_DAMAGE_NOT_A_NUMBER, offset);
            return;
        }
}

static bool starts(struct tr_str s, const char *word)
{
    return s.len >= strlen(word) && memcmp(s.s, word, strlen(word)) == 0;
}

static enum tr_activity of_call(struct tr_str kind)
{
    return starts(kind, "HIP")                               ? TR_ACT_RUNTIME_API
           : starts(kind, "HSA")                             ? TR_ACT_DRIVER_API
           : starts(kind, "MARKER") || starts(kind, "ROCTX") ? TR_ACT_ANNOTATION
                                                             : TR_ACT_OTHER;
}

/* A kernel is on its device; a copy from a device to the host is on that device, any other on its target. */
static struct tr_ingest_track place(const struct table *t, enum tr_activity activity)
{
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    track.pid = number(t, PID, TR_I64_NONE);
    track.tid = number(t, TID, TR_I64_NONE);
    if (!tr_is_device_work(activity))
        return track;
    bool out = activity == TR_ACT_MEMCPY && tr_str_has(cell(t, DIRECTION), tr_str_of("DEVICE_TO_HOST"));
    track.side = TR_SIDE_DEVICE;
    track.device = number(t, activity == TR_ACT_KERNEL ? DEVICE : out ? SOURCE : TARGET, TR_I64_NONE);
    track.stream = number(t, STREAM, number(t, QUEUE, TR_I64_NONE));
    return track;
}

static void add_triple(struct tr_ingest *g, const char *key, const int64_t v[3])
{
    char text[80];
    int n = snprintf(text, sizeof text, "[%lld,%lld,%lld]", (long long)v[0], (long long)v[1], (long long)v[2]);
    tr_ingest_arg_json(g, key, text, (size_t)n);
}

/* The grid counts work items here; the arg grid is the number of work groups, as in other formats. */
static void add_shape(const struct table *t)
{
    const int64_t items[3] = { number(t, GRID, 0), number(t, GRID_Y, 1), number(t, GRID_Z, 1) };
    const int64_t group[3] = { number(t, GROUP, 0), number(t, GROUP_Y, 1), number(t, GROUP_Z, 1) };
    int64_t grid[3];
    for (int i = 0; i < 3; i++) {
        if (items[i] <= 0 || group[i] <= 0)
            return;
        grid[i] = items[i] / group[i] + (items[i] % group[i] != 0);
    }
    add_triple(t->g, "grid", grid);
    add_triple(t->g, "block", group);
}

static void add_arg(const struct table *t, size_t i)
{
    struct tr_number n;
    struct tr_str s = t->cells[i];
    if (!s.len)
        return;
    if (!tr_json_number(s.s, s.len, &n) || n.cls == TR_NUMBER_TEXT)
        tr_ingest_arg_text(t->g, t->keys[i], s.s, s.len);
    else if (n.cls == TR_NUMBER_INT)
        tr_ingest_arg_int(t->g, t->keys[i], n.i);
    else if (n.cls == TR_NUMBER_UINT)
        tr_ingest_arg_uint(t->g, t->keys[i], n.u);
    else
        tr_ingest_arg_real(t->g, t->keys[i],
                           n.cls == TR_NUMBER_DOUBLE ? n.d : tr_decimal_double(tr_decimal_make(n.i, n.scale)));
}

static bool take_row(struct table *t, struct tr_str line, uint64_t offset)
{
    int64_t begin, end;
    if (split(line, t->cells, MAX_COLUMNS, &t->text) != t->n_columns) {
        tr_ingest_damaged(t->g, TR_DAMAGE_BAD_EVENT, offset);
        t->n_rows++;
        return true;
    }
    struct tr_str name = cell(t, NAME), direction = cell(t, DIRECTION);
    enum tr_activity activity = t->of[NAME] != SIZE_MAX        ? TR_ACT_KERNEL
                                : t->of[DIRECTION] != SIZE_MAX ? TR_ACT_MEMCPY
                                                               : of_call(cell(t, KIND));
    check_numbers(t, offset);
    begin = number(t, BEGIN, TR_TIME_NONE);
    end = number(t, END, TR_TIME_NONE);
    bool timed = begin != TR_TIME_NONE && end != TR_TIME_NONE && end >= begin;
    if (!timed && t->of[BEGIN] != SIZE_MAX)
        tr_ingest_damaged(t->g, TR_DAMAGE_BAD_TIME, offset);
    name = activity == TR_ACT_KERNEL ? name : activity == TR_ACT_MEMCPY ? direction : cell(t, FUNCTION);
    struct tr_ingest_track track = place(t, activity);
    int64_t link = number(t, CORRELATION, TR_I64_NONE);
    tr_ingest_begin(t->g, timed ? TR_SPAN : TR_INSTANT, timed ? begin : TR_TIME_NONE,
                    timed ? end - begin : TR_TIME_NONE);
    tr_ingest_record(t->g, t->n_rows++);
    tr_ingest_name(t->g, name.s, name.len);
    tr_ingest_activity(t->g, activity);
    tr_ingest_track(t->g, &track);
    if (link != TR_I64_NONE && activity != TR_ACT_ANNOTATION) {
        tr_ingest_correlate(t->g, TR_LINK_SOURCE, link);
        tr_ingest_arg_int(t->g, "correlation", link);
    }
    if (activity == TR_ACT_KERNEL)
        add_shape(t);
    for (size_t i = 0; i < t->n_columns; i++)
        if (t->is[i] == ARG)
            add_arg(t, i);
    return tr_ingest_end(t->g, t->err) == TR_OK;
}

static bool take_line(struct table *t, struct tr_str line, uint64_t offset)
{
    if (line.len && line.s[line.len - 1] == '\r')
        line.len--;
    if (!line.len)
        return true;
    return t->n_columns ? take_row(t, line, offset) : take_header(t, line);
}

/* Lines in the window.  False: failed. */
static bool take_lines(struct table *t)
{
    while (t->w.at < t->w.n) {
        const char *p = t->w.p + t->w.at;
        const char *newline = memchr(p, '\n', t->w.n - t->w.at);
        size_t len = newline ? (size_t)(newline - p) : t->w.n - t->w.at;
        uint64_t offset = tr__window_offset(&t->w);
        if (!newline && !t->w.last && len <= MAX_LINE)
            return true;
        t->w.at += newline ? len + 1 : len;
        if (len > MAX_LINE)
            tr_ingest_damaged(t->g, TR_DAMAGE_TOO_LONG, offset);
        else if (!newline) /* its last value may be cut */
            tr_ingest_damaged(t->g, TR_DAMAGE_TRUNCATED, offset);
        else if (!take_line(t, (struct tr_str){ p, len }, offset))
            return false;
    }
    return true;
}

static enum tr_status read_lines(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct table *t = ctx;
    t->g = g;
    t->err = err;
    enum tr_status st = tr__window_fill(&t->w, g, WINDOW, err);
    if (st != TR_OK)
        return st;
    if (tr__window_offset(&t->w) == 0 && t->w.n >= 3 && !memcmp(t->w.p, "\xef\xbb\xbf", 3))
        t->w.at = 3;
    if (!take_lines(t))
        return err->status;
    if (!t->w.last || t->w.at < t->w.n)
        return TR_OK;
    if (!t->n_columns)
        return tr_fail(err, TR_DAMAGED, "no row could be read: it ends in its first line");
    if (!t->n_rows && t->warn)
        t->warn(t->warn_ctx, t->input, "", "no rows: its table has only its first line");
    return TR_END;
}

static void release(void *ctx)
{
    struct table *t = ctx;
    tr__window_free(&t->w);
    for (size_t i = 0; i < t->n_columns; i++)
        free(t->keys[i]);
    tr_buf_free(&t->text);
    free(t);
}

static bool init(void *state, const void *of, const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts)
{
    struct table *t = state;
    (void)of;
    t->input = bytes->name ? bytes->name : "";
    t->warn = opts->warn;
    t->warn_ctx = opts->warn_ctx;
    return true;
}

static enum tr_status open_csv(const struct tr_format *f, struct tr_input **out, const struct tr_ingest_bytes *bytes,
                               const struct tr_open_opts *opts, struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "rocprof-csv", read_lines, release };
    return tr__reader_open(out, &reader, sizeof(struct table), init, NULL, bytes, opts, err);
}

/* The first line, which may go on beyond the prefix. */
static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    size_t at = n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3) ? 3 : 0;
    const unsigned char *end = n > at ? memchr(p + at, '\n', n - at) : NULL;
    struct tr_str line = { (const char *)p + at, end ? (size_t)(end - p) - at : n - at };
    struct tr_str *cells = calloc(MAX_COLUMNS, sizeof *cells);
    struct tr_buf text = { 0 };
    if (line.len && line.s[line.len - 1] == '\r')
        line.len--;
    bool is = cells && is_header(cells, split(line, cells, MAX_COLUMNS, &text));
    tr_buf_free(&text);
    free(cells);
    return is ? 90 : 0;
}

const struct tr_format tr_format_rocprof_csv = {
    .name = "rocprof-csv",
    .brief = "CSV of AMD's rocprof, versions 1 to 3: kernels, copies, calls",
    .probe = probe,
    .open = open_csv,
};
