/* SPDX-License-Identifier: MIT */
/*
 * Reader of the metric files of unitrace: CSV text with hardware metrics of kernels.
 *
 *     === Device #0 Metrics ===
 *
 *     Kernel, GlobalInstanceId, GpuTime[ns], L3_BYTE_READ[bytes], XVE_STALL[%]
 *     "gemm[SIMD32 {64; 1; 1} {256; 1; 1}]", 7, 53516, 73339998, 59.492944
 *
 * A file has a table for each device, below a line that names the device, or is a file metrics_N.csv for device N, or
 * has a column Device.  A report of unitrace may stand before the first table.  There are three forms:
 *
 *   sampled  rows at equal intervals; a blank line ends an instance of a kernel
 *   queried  the same with a row for each sub-device
 *   stalls   with a column IP[Address], rows count the stalls of an instruction; they have no instances
 *
 * Each row becomes an instant without a time, in the order of the file: name is the kernel, the category is
 * metric_sample, and the args are the columns.  Rows of instances also have the args "instance", the number of the
 * instance among those of its kernel and device, from 1, and "sample", the number of the row in its instance, from 0.
 * QueryBeginTime[ns] is a time on the clock of the metrics, which is not that of a trace, so it stays an arg.
 *
 * Names may be without quotes, and names in quotes may have quotes inside, so the last quote of a line ends the name;
 * a name without quotes ends at the comma that leaves as many cells as the table has columns.
 */
#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_reader_open_int.h"
#include "formats/common/tr_window_int.h"
#include "json/tr_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_LINE    ((size_t)1 << 20) /* bytes */
#define WINDOW      (2 * MAX_LINE)
#define MAX_COLUMNS 4096u
#define CATEGORY    "metric_sample"

/* How the cells of a column are read. */
enum column { ANY, ALWAYS_REAL, TEXT, DEVICE };

struct metrics {
    struct tr__window w;
    struct tr_ingest *g; /* while lines are read */
    struct tr_error *err;
    int64_t file_device, device; /* of the file's name; of the table; TR_I64_NONE: unknown */
    /* the table */
    bool in_table, trailing, stalls; /* trailing: its lines end with a comma */
    uint32_t keys[MAX_COLUMNS];      /* texts of the builder */
    uint8_t how[MAX_COLUMNS];
    size_t n_columns, id_column;     /* SIZE_MAX: it has no GlobalInstanceId */
    /* the instance */
    struct tr_strtab *kernels; /* device and name */
    uint64_t *instances;       /* by kernel */
    size_t n_instances, cap_instances;
    struct tr_buf name, id, key;
    bool open; /* the next row may belong to it */
    uint64_t instance, sample;
    bool skipping; /* the rest of a line that is too long */
    uint64_t n_rows;
    bool seen_table, cut;      /* cut: the input ends in the middle of a line that is or may be of a table */
    const char *input;
    void (*warn)(void *ctx, const char *input, const char *place, const char *what);
    void *warn_ctx;
};

static struct tr_str trim(struct tr_str s)
{
    while (s.len && (tr_json_space(s.s[0]) || s.s[0] == '\0'))
        s.s++, s.len--;
    while (s.len && tr_json_space(s.s[s.len - 1]))
        s.len--;
    return s;
}

/* The text up to the next comma, trimmed; *rest moves on to what follows.  False: there is none. */
static bool next_cell(struct tr_str *rest, bool *more, struct tr_str *cell)
{
    if (!*more)
        return false;
    const char *comma = rest->len ? memchr(rest->s, ',', rest->len) : NULL;
    size_t n = comma ? (size_t)(comma - rest->s) : rest->len;
    *cell = trim((struct tr_str){ rest->s, n });
    *more = comma != NULL;
    rest->s += comma ? n + 1 : n;
    rest->len -= comma ? n + 1 : n;
    return true;
}

static void lose(struct metrics *m, enum tr_damage_cause cause, uint64_t offset)
{
    tr_ingest_damaged(m->g, cause, offset);
}

/* ---- the device ---- */

/* A number of at most 9 digits; -1: none. */
static int64_t number_at(const char *p, size_t n)
{
    int64_t v = 0;
    size_t i = 0;
    for (; i < n && i < 9 && p[i] >= '0' && p[i] <= '9'; i++)
        v = v * 10 + (p[i] - '0');
    return i ? v : -1;
}

/* The device of a file metrics_N.csv. */
static int64_t device_of_file(const char *path)
{
    static const char start[] = "metrics_";
    const char *name = strrchr(path, '/');
    name = name ? name + 1 : path;
    if (strncmp(name, start, sizeof start - 1) != 0)
        return TR_I64_NONE;
    int64_t device = number_at(name + sizeof start - 1, strlen(name + sizeof start - 1));
    return device < 0 ? TR_I64_NONE : device;
}

/* A line between tables: "=== Device #1 Metrics ===".  One that is cut, or has no number, is counted. */
static void take_banner(struct metrics *m, struct tr_str line, uint64_t offset)
{
    static const char before[] = "Device #";
    bool whole = line.s[line.len - 1] == '=' && line.s[line.len - 2] == '=';
    m->in_table = m->open = false;
    m->device = m->file_device;
    for (size_t i = 0; i + sizeof before <= line.len; i++)
        if (!memcmp(line.s + i, before, sizeof before - 1)) {
            int64_t device = number_at(line.s + i + sizeof before - 1, line.len - i - sizeof before + 1);
            m->device = device < 0 ? m->file_device : device;
            whole &= device >= 0;
            break;
        }
    if (!whole)
        tr__line_lost(m->g, offset);
}

/* ---- the header of a table ---- */

static bool is_unit_of(struct tr_str name, const char *unit)
{
    size_t n = strlen(unit);
    return name.len >= n && !memcmp(name.s + name.len - n, unit, n);
}

/* Is this the header of a table of metrics, and not of another table of a report? */
static bool is_header(struct tr_str line)
{
    struct tr_str cell;
    bool more = true;
    if (!next_cell(&line, &more, &cell) || !tr_str_is(cell, "Kernel"))
        return false;
    while (next_cell(&line, &more, &cell))
        if (tr_str_is(cell, "GlobalInstanceId") || is_unit_of(cell, "]"))
            return true;
    return false;
}

static enum column how_to_read(struct tr_str name)
{
    return tr_str_is(name, "IP[Address]") ? TEXT
           : tr_str_is(name, "Device")    ? DEVICE
           : is_unit_of(name, "[%]")      ? ALWAYS_REAL
                                          : ANY;
}

static bool take_header(struct metrics *m, struct tr_str line, uint64_t offset)
{
    struct tr_str cell;
    bool more = true;
    m->seen_table = m->in_table = true;
    m->open = m->trailing = m->stalls = false;
    m->n_columns = 0;
    m->id_column = SIZE_MAX;
    next_cell(&line, &more, &cell);
    while (next_cell(&line, &more, &cell)) {
        if (!cell.len && !more) {
            m->trailing = true;
            break;
        }
        if (m->n_columns == MAX_COLUMNS ||
            (m->keys[m->n_columns] = tr_ingest_text(m->g, cell.s, cell.len)) == TR_NO_STR) {
            lose(m, TR_DAMAGE_TOO_LONG, offset);
            m->in_table = false;
            return true;
        }
        enum column how = how_to_read(cell);
        if (tr_str_is(cell, "GlobalInstanceId"))
            m->id_column = m->n_columns;
        m->stalls |= how == TEXT;
        m->how[m->n_columns++] = (uint8_t)how;
    }
    return true;
}

/* ---- a row ---- */

/* The name of the kernel, and the cells after it.  False: there are more or fewer cells than columns. */
static bool split_row(const struct metrics *m, struct tr_str line, struct tr_str *name, struct tr_str *cells)
{
    size_t commas = 0, at;
    if (m->trailing && line.len && line.s[line.len - 1] == ',')
        line = trim((struct tr_str){ line.s, line.len - 1 });
    if (line.len && line.s[0] == '"') {
        for (at = line.len - 1; at > 0 && line.s[at] != '"';)
            at--;
        *name = (struct tr_str){ line.s + 1, at ? at - 1 : 0 };
        *cells = trim((struct tr_str){ line.s + at + 1, line.len - at - 1 });
        if (!at || (m->n_columns ? !cells->len || cells->s[0] != ',' : cells->len > 0))
            return false;
        for (size_t i = 0; i < cells->len; i++)
            commas += cells->s[i] == ',';
        cells->s += cells->len > 0;
        cells->len -= cells->len > 0;
        return commas == m->n_columns;
    }
    for (at = line.len; at > 0 && commas < m->n_columns;)
        commas += line.s[--at] == ',';
    *name = trim((struct tr_str){ line.s, at });
    *cells = (struct tr_str){ line.s + at + 1, at < line.len ? line.len - at - 1 : 0 };
    return commas == m->n_columns && name->len;
}

/* A value as an arg.  What is no number stays a text: an address, or nan. */
static void add_value(struct metrics *m, size_t column, struct tr_str cell, uint64_t offset)
{
    struct tr_number n = { .cls = TR_NUMBER_TEXT };
    bool is = m->how[column] != TEXT && tr_json_number(cell.s, cell.len, &n) && n.cls != TR_NUMBER_TEXT;
    tr_ingest_key(m->g, m->keys[column]);
    if (is && n.cls == TR_NUMBER_INT && m->how[column] != ALWAYS_REAL) {
        tr_ingest_arg_int(m->g, NULL, n.i);
    } else if (is && n.cls == TR_NUMBER_UINT) {
        tr_ingest_arg_uint(m->g, NULL, n.u);
    } else if (is) {
        double scale = 1;
        for (unsigned k = 0; n.cls == TR_NUMBER_DECIMAL && k < n.scale; k++)
            scale *= 10;
        tr_ingest_arg_real(m->g, NULL,
                           n.cls == TR_NUMBER_DOUBLE    ? n.d
                           : n.cls == TR_NUMBER_DECIMAL ? (double)n.i / scale
                                                        : (double)n.i);
    } else {
        if (m->how[column] != TEXT)
            lose(m, TR_DAMAGE_NOT_A_NUMBER, offset);
        tr_ingest_arg_text(m->g, NULL, cell.s, cell.len);
    }
}

static bool set(struct tr_buf *b, struct tr_str s)
{
    b->len = 0;
    return tr_buf_add(b, s.s, s.len);
}

static bool same(const struct tr_buf *b, struct tr_str s)
{
    return b->len == s.len && (!s.len || !memcmp(b->data, s.s, s.len));
}

/* Count the row as the first or next sample of an instance.  False: out of memory. */
static bool count_sample(struct metrics *m, struct tr_str name, struct tr_str id, int64_t device)
{
    if (m->open && same(&m->name, name) && same(&m->id, id)) {
        m->sample++;
        return true;
    }
    m->key.len = 0;
    if (!set(&m->name, name) || !set(&m->id, id) || !tr_buf_add(&m->key, &device, sizeof device) ||
        !tr_buf_add(&m->key, name.s, name.len))
        return false;
    uint32_t kernel = tr_strtab_add(m->kernels, m->key.data, m->key.len);
    if (kernel == TR_NO_STR || !tr_grow(&m->instances, &m->cap_instances, (size_t)kernel + 1, sizeof *m->instances))
        return false;
    for (; m->n_instances <= kernel; m->n_instances++)
        m->instances[m->n_instances] = 0;
    m->instance = ++m->instances[kernel];
    m->sample = 0;
    m->open = true;
    return true;
}

/* The cell of a column. */
static struct tr_str cell_of(struct tr_str cells, size_t column)
{
    struct tr_str cell = { "", 0 };
    bool more = true;
    for (size_t k = 0; k <= column && next_cell(&cells, &more, &cell); k++)
        ;
    return cell;
}

static bool take_row(struct metrics *m, struct tr_str line, uint64_t offset)
{
    struct tr_str name, cells, cell;
    bool more = true;
    int64_t device = m->device;
    if (!split_row(m, line, &name, &cells)) {
        lose(m, TR_DAMAGE_BAD_EVENT, offset);
        m->n_rows++;
        return true;
    }
    for (size_t k = 0; k < m->n_columns && device == TR_I64_NONE; k++)
        if (m->how[k] == DEVICE) {
            cell = cell_of(cells, k);
            device = number_at(cell.s, cell.len);
            device = device < 0 ? TR_I64_NONE : device;
        }
    struct tr_str id = m->id_column == SIZE_MAX ? (struct tr_str){ "", 0 } : cell_of(cells, m->id_column);
    if (!m->stalls && !count_sample(m, name, id, device)) {
        tr_fail_memory(m->err);
        return false;
    }
    if (line.s[0] != '"' && memchr(name.s, '"', name.len)) /* the other quote is missing */
        lose(m, TR_DAMAGE_INNER_QUOTE, offset);
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    track.side = TR_SIDE_DEVICE;
    track.pid = track.device = device;
    tr_ingest_begin(m->g, TR_INSTANT, TR_TIME_NONE, TR_TIME_NONE);
    tr_ingest_record(m->g, m->n_rows++);
    tr_ingest_name(m->g, name.s, name.len);
    tr_ingest_category(m->g, CATEGORY, sizeof CATEGORY - 1);
    tr_ingest_activity(m->g, TR_ACT_OTHER);
    tr_ingest_track(m->g, &track);
    for (size_t k = 0; k < m->n_columns && next_cell(&cells, &more, &cell); k++)
        add_value(m, k, cell, offset);
    if (!m->stalls) {
        tr_ingest_arg_int(m->g, "instance", (int64_t)m->instance);
        tr_ingest_arg_int(m->g, "sample", (int64_t)m->sample);
    }
    return tr_ingest_end(m->g, m->err) == TR_OK;
}

/* ---- lines ---- */

static bool take_line(struct metrics *m, struct tr_str line, uint64_t offset)
{
    line = trim(line);
    if (!line.len) {
        m->open = false;
        return true;
    }
    if (line.len > 1 && line.s[0] == '=' && line.s[1] == '=') {
        take_banner(m, line, offset);
        return true;
    }
    if (is_header(line))
        return take_header(m, line, offset);
    return !m->in_table || take_row(m, line, offset); /* before a table: a report */
}

/* The end of a line in the window, or of the input.  False: it may still come. */
static bool line_end(struct metrics *m, size_t *end, bool *complete)
{
    const char *p = m->w.p + m->w.at;
    size_t n = m->w.n - m->w.at;
    const char *newline = memchr(p, '\n', n);
    *complete = newline != NULL;
    *end = newline ? (size_t)(newline - m->w.p) : m->w.n;
    return newline || m->w.last;
}

static void lose_end(struct metrics *m, uint64_t offset)
{
    lose(m, TR_DAMAGE_TRUNCATED, offset);
    m->cut = true;
}

/* Lines in the window.  False: failed. */
static bool take_lines(struct metrics *m)
{
    size_t end;
    bool complete;
    while (m->w.at < m->w.n && line_end(m, &end, &complete)) {
        uint64_t offset = tr__window_offset(&m->w);
        struct tr_str line = { m->w.p + m->w.at, end - m->w.at };
        m->w.at = complete ? end + 1 : end;
        if (m->skipping)
            m->skipping = !complete;
        else if (line.len > MAX_LINE)
            lose(m, TR_DAMAGE_TOO_LONG, offset);
        else if (!complete && (m->seen_table || is_header(trim(line))) && trim(line).len)
            lose_end(m, offset); /* its last column or value may be cut */
        else if (!take_line(m, line, offset))
            return false;
    }
    if (m->w.n - m->w.at > MAX_LINE) { /* no end in sight */
        if (!m->skipping)
            lose(m, TR_DAMAGE_TOO_LONG, tr__window_offset(&m->w));
        m->skipping = true;
        m->w.at = m->w.n;
    }
    return true;
}

static enum tr_status read_lines(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    static const char mark[] = "\xef\xbb\xbf";
    struct metrics *m = ctx;
    m->g = g;
    m->err = err;
    enum tr_status st = tr__window_fill(&m->w, g, WINDOW, err);
    if (st != TR_OK)
        return st;
    if (tr__window_offset(&m->w) == 0 && m->w.n >= 3 && !memcmp(m->w.p, mark, 3)) {
        lose(m, TR_DAMAGE_BYTE_ORDER_MARK, 0);
        m->w.at = 3;
    }
    if (!take_lines(m))
        return err->status;
    if (!m->w.last || m->w.at < m->w.n)
        return TR_OK;
    if (!m->seen_table)
        return tr_fail(err, TR_DAMAGED,
                       m->cut ? "no row could be read: it ends in the first line of its first table"
                              : "no metrics of unitrace: no line is the first of a table: Kernel, ..., NAME[unit]");
    if (!m->n_rows && !m->cut && m->warn)
        m->warn(m->warn_ctx, m->input, "", "no rows: its tables have only their first lines");
    return TR_END;
}

static void release(void *ctx)
{
    struct metrics *m = ctx;
    tr__window_free(&m->w);
    tr_strtab_free(m->kernels);
    free(m->instances);
    tr_buf_free(&m->name);
    tr_buf_free(&m->id);
    tr_buf_free(&m->key);
    free(m);
}

static bool init(void *state, const void *of, const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts)
{
    struct metrics *m = state;
    (void)of;
    m->input = bytes->name ? bytes->name : "";
    m->warn = opts->warn;
    m->warn_ctx = opts->warn_ctx;
    m->file_device = m->device = device_of_file(m->input);
    return (m->kernels = tr_strtab_new()) != NULL;
}

static enum tr_status open_metrics(const struct tr_format *f, struct tr_input **out,
                                   const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                                   struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "unitrace-csv", read_lines, release };
    return tr__reader_open(out, &reader, sizeof(struct metrics), init, NULL, bytes, opts, err);
}

/* A line that starts a table; its end may be beyond the prefix. */
static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    for (size_t at = n >= 3 && !memcmp(p, "\xef\xbb\xbf", 3) ? 3 : 0; at < n;) {
        const unsigned char *end = memchr(p + at, '\n', n - at);
        size_t len = end ? (size_t)(end - p) - at : n - at;
        if (is_header(trim((struct tr_str){ (const char *)p + at, len })))
            return 95;
        at += len + 1;
    }
    return 0;
}

const struct tr_format tr_format_unitrace_metrics = {
    .name = "unitrace-csv",
    .brief = "metric files of unitrace: CSV with hardware metrics of kernels",
    .probe = probe,
    .open = open_metrics,
};
