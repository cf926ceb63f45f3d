/* SPDX-License-Identifier: MIT */
/*
 * Reader of the events of the operating system and its drivers as unitrace's script prints them, before they become a
 * trace: a line for each of them,
 *
 *     thread,event,start in ns,duration in ns[,data]
 */
#include "formats/unitrace/tr_unitrace_int.h"

#include "formats/common/tr_format_list_int.h"
#include "formats/common/tr_reader_open_int.h"

#include <stdlib.h>

struct driver {
    struct tr__lines lines;
    struct tr_ingest *g; /* while lines are read */
    uint64_t n_lines, n_events;
};

struct os_event {
    int64_t tid, ts, dur;
    struct tr_str name, data;
    bool has_data;
};

static bool read_event(struct tr_str line, struct os_event *e)
{
    const char *comma;
    if (!tr__take_int(&line, &e->tid) || !tr__skip_text(&line, ",") || !line.len ||
        !(comma = memchr(line.s, ',', line.len)))
        return false;
    e->name = (struct tr_str){ line.s, (size_t)(comma - line.s) };
    line.s += e->name.len + 1;
    line.len -= e->name.len + 1;
    bool letter = e->name.len && (e->name.s[0] == '_' || ((e->name.s[0] | 32) >= 'a' && (e->name.s[0] | 32) <= 'z'));
    if (!letter || !tr__take_int(&line, &e->ts) || !tr__skip_text(&line, ",") || !tr__take_int(&line, &e->dur))
        return false;
    e->has_data = tr__skip_text(&line, ",");
    e->data = line;
    return e->has_data || !line.len;
}

static enum tr_status use_line(void *ctx, const struct tr__line *line, struct tr_error *err)
{
    struct driver *d = ctx;
    struct os_event e;
    struct tr_ingest_track track = TR_INGEST_TRACK_INIT;
    if (!tr__trim(line->text).len)
        return TR_OK;
    if (!line->ended || !read_event(line->text, &e)) { /* without its end, the last number may be cut */
        d->n_lines++;
        if (line->ended)
            tr__line_lost(d->g, line->offset);
        else
            tr_ingest_damaged(d->g, TR_DAMAGE_TRUNCATED, line->offset);
        return TR_OK;
    }
    track.pid = 0;
    track.tid = e.tid;
    tr_ingest_begin(d->g, TR_SPAN, e.ts, e.dur);
    tr_ingest_record(d->g, d->n_lines++);
    tr_ingest_name(d->g, e.name.s, e.name.len);
    tr_ingest_category(d->g, "os_op", 5);
    tr_ingest_activity(d->g, TR_ACT_OS_API);
    tr_ingest_track(d->g, &track);
    if (e.has_data)
        tr_ingest_arg_text(d->g, "data", e.data.s, e.data.len);
    d->n_events++;
    return tr_ingest_end(d->g, err);
}

static enum tr_status read_lines(void *ctx, struct tr_ingest *g, struct tr_error *err)
{
    struct driver *d = ctx;
    d->g = g;
    enum tr_status st = tr__lines_read(&d->lines, g, use_line, d, err);
    if (st == TR_END && !d->n_events)
        return tr_fail(err, TR_DAMAGED, "no line of the form 'thread,event,start,duration'");
    return st;
}

static void release(void *ctx)
{
    struct driver *d = ctx;
    tr__lines_free(&d->lines);
    free(d);
}

static enum tr_status open_driver(const struct tr_format *f, struct tr_input **out,
                                  const struct tr_ingest_bytes *bytes, const struct tr_open_opts *opts,
                                  struct tr_error *err)
{
    (void)f;
    static const struct tr_ingest_reader reader = { "unitrace-kmd", read_lines, release };
    return tr__reader_open(out, &reader, sizeof(struct driver), NULL, NULL, bytes, opts, err);
}

static bool is_event(struct tr_str line)
{
    struct os_event e;
    return read_event(line, &e);
}

static int probe(const struct tr_format *f, const unsigned char *p, size_t n)
{
    (void)f;
    const unsigned char *end = n ? memchr(p, '\n', n) : NULL; /* the first line decides */
    return end && tr__any_line(p, (size_t)(end - p) + 1, is_event) ? 82 : 0;
}

const struct tr_format tr_format_unitrace_kmd = {
    .name = "unitrace-kmd",
    .brief = "lines of unitrace's script for events of the operating system and its drivers",
    .probe = probe,
    .open = open_driver,
};
