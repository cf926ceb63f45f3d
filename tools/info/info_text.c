/* SPDX-License-Identifier: MIT */
/* The report of tr-info for people. */
#include "info/info_table.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- sections -------------------------------------------------------------------------------- */

static void sources(struct info_text *t)
{
    bool job = false, capture = false;
    for (size_t i = 0; i < t->info->n_sources; i++) {
        job |= t->d->sources[i].job != TR_NO_STR;
        capture |= t->d->sources[i].capture != 0;
    }
    info_table_start(t, "sources", true);
    info_column(t, "rank_from", TR_CELL_STRING);
    info_column(t, "host", TR_CELL_STRING);
    if (job)
        info_column(t, "job", TR_CELL_STRING);
    if (capture)
        info_column(t, "capture", TR_CELL_INT);
    info_column(t, "format", TR_CELL_STRING);
    info_column(t, "events", TR_CELL_COUNT);
    info_column(t, "tracks", TR_CELL_COUNT);
    info_column(t, "first", TR_CELL_TIME);
    info_column(t, "span", TR_CELL_TIME);
    info_column_wide(t, "file");
    for (size_t i = 0; i < t->info->n_sources; i++) {
        if (!info_looks_at(t->r, i))
            continue;
        const struct tr_source *s = &t->d->sources[i];
        const struct tr_info_source *n = &t->info->sources[i];
        uint64_t n_tracks = 0;
        for (size_t k = 0; k < t->info->n_tracks; k++)
            n_tracks += t->d->tracks[k].source == i;
        info_cell_source(t, i);
        info_cell_str(t, info_rank_rule(s->rank_rule));
        info_cell_id(t, s->host);
        if (job)
            info_cell_id(t, s->job);
        if (capture)
            info_cell_int(t, s->capture, true);
        info_cell_id(t, s->format);
        info_cell_count(t, n->n_events);
        info_cell_count(t, n_tracks);
        info_cell_start(t, i, n->first_ts);
        info_cell_span(t, n->first_ts, n->last_end);
        info_cell_id(t, s->name);
    }
    info_table_end(t);
}

/* Days since 1970 as year, month, day of the Gregorian calendar. */
static void civil_date(int64_t days, int64_t *year, unsigned *month, unsigned *day)
{
    days += 719468; /* from 0000-03-01 on, so that leap days end a year */
    int64_t era = (days >= 0 ? days : days - 146096) / 146097;
    unsigned in_era = (unsigned)(days - era * 146097);
    unsigned y = (in_era - in_era / 1460 + in_era / 36524 - in_era / 146096) / 365;
    unsigned in_year = in_era - (365 * y + y / 4 - y / 100);
    unsigned m = (5 * in_year + 2) / 153;
    *day = in_year - (153 * m + 2) / 5 + 1;
    *month = m < 10 ? m + 3 : m - 9;
    *year = (int64_t)y + era * 400 + (*month <= 2);
}

static void date_text(int64_t unix_ns, char *s, size_t size)
{
    int64_t days = unix_ns / INT64_C(86400000000000), rest = unix_ns % INT64_C(86400000000000);
    int64_t year;
    unsigned month, day;
    if (rest < 0) {
        days--;
        rest += INT64_C(86400000000000);
    }
    civil_date(days, &year, &month, &day);
    int64_t sec = rest / 1000000000;
    snprintf(s, size, "%04" PRId64 "-%02u-%02u %02d:%02d:%02d.%09" PRId64, year, month, day,
             (int)(sec / 3600), (int)(sec / 60 % 60), (int)(sec % 60), rest % 1000000000);
}

static void time_bases(struct info_text *t)
{
    bool base = false, mesh = false;
    for (size_t i = 0; i < t->info->n_sources; i++) {
        base |= t->d->sources[i].has_base;
        mesh |= t->d->sources[i].mesh != TR_NO_STR;
    }
    if (!base && !mesh)
        return;
    info_table_start(t, "time base (the time of ts 0) and position among the ranks", true);
    info_column(t, "base_utc", TR_CELL_STRING);
    info_column(t, "mesh", TR_CELL_STRING);
    for (size_t i = 0; i < t->info->n_sources; i++) {
        if (!info_looks_at(t->r, i))
            continue;
        const struct tr_source *s = &t->d->sources[i];
        char date[64];
        date_text(s->base_ns, date, sizeof date);
        info_cell_source(t, i);
        info_cell_str(t, s->has_base ? date : NULL);
        info_cell_id(t, s->mesh);
    }
    info_table_end(t);
}

static void devices(struct info_text *t)
{
    if (!t->info->n_devices)
        return;
    info_table_start(t, "devices", true);
    info_column(t, "device", TR_CELL_INT);
    info_column(t, "streams", TR_CELL_COUNT);
    info_column(t, "kernels", TR_CELL_COUNT);
    info_column(t, "copies", TR_CELL_COUNT);
    info_column(t, "first", TR_CELL_TIME);
    info_column(t, "span", TR_CELL_TIME);
    for (size_t i = 0; i < t->info->n_devices; i++) {
        const struct tr_info_device *v = &t->info->devices[i];
        info_cell_source(t, v->source);
        info_cell_int(t, v->device, v->device != TR_I64_NONE);
        info_cell_count(t, v->n_streams);
        info_cell_count(t, v->n_kernels);
        info_cell_count(t, v->n_copies);
        info_cell_start(t, v->source, v->first_ts);
        info_cell_span(t, v->first_ts, v->last_end);
    }
    info_table_end(t);
}

/* The changes to times since the traces were read: tr-align. */
static void clocks(struct info_text *t)
{
    if (!t->d->n_clocks)
        return;
    info_table_start(t, "clocks", true);
    info_column(t, "clock", TR_CELL_INT);
    info_column(t, "before", TR_CELL_INT);
    info_column(t, "of_rank", TR_CELL_INT);
    info_column(t, "offset", TR_CELL_TIME);
    if (t->st == TR_OK)
        tr_table_column(t->table, "drift_ppm", TR_CELL_RATIO, 6);
    for (size_t i = 0; i < t->d->n_clocks; i++) {
        const struct tr_clock *c = &t->d->clocks[i];
        if (!info_looks_at(t->r, c->source))
            continue;
        info_cell_source(t, c->source);
        info_cell_int(t, (int64_t)i + 1, true);
        info_cell_int(t, c->before, true);
        info_cell_int(t, c->frame, c->frame >= 0);
        info_cell_time(t, c->domain ? TR_TIME_NONE : c->offset);
        if (t->st == TR_OK && c->domain)
            tr_table_absent(t->table);
        else if (t->st == TR_OK)
            tr_table_ratio(t->table, (double)c->drift / 1e6);
    }
    info_table_end(t);
}

typedef const char *name_of(unsigned);

/*
 * Counts of all sources together, those that are 0 left out; offset is that of an array in
 * tr_info_source.
 */
static void events_by(struct info_text *t, const char *what, size_t offset, unsigned n, name_of *name)
{
    info_table_start(t, what, false);
    info_column(t, what + strlen("events by "), TR_CELL_STRING);
    info_column(t, "events", TR_CELL_COUNT);
    info_column(t, "pct", TR_CELL_RATIO);
    for (unsigned k = 0; k < n; k++) {
        uint64_t count = 0;
        for (size_t i = 0; i < t->info->n_sources; i++) {
            const unsigned char *counts = (const unsigned char *)&t->info->sources[i];
            uint64_t v;
            memcpy(&v, counts + offset + k * sizeof v, sizeof v);
            count += v;
        }
        if (!count)
            continue;
        info_cell_str(t, name(k));
        info_cell_count(t, count);
        info_cell_pct(t, count, t->info->n_events);
    }
    info_table_end(t);
}

static void steps(struct info_text *t)
{
    bool any = false;
    for (size_t i = 0; i < t->info->n_sources; i++)
        any |= info_summary(t->r, i) && info_summary(t->r, i)->n_steps;
    if (!any)
        return;
    info_table_start(t, "steps", true);
    info_column(t, "steps", TR_CELL_COUNT);
    info_column(t, "first", TR_CELL_INT);
    info_column(t, "last", TR_CELL_INT);
    info_column(t, "mean", TR_CELL_TIME);
    info_column(t, "min", TR_CELL_TIME);
    info_column(t, "max", TR_CELL_TIME);
    for (size_t i = 0; i < t->info->n_sources; i++) {
        if (!info_looks_at(t->r, i))
            continue;
        const struct tr_source_summary *sum = info_summary(t->r, i);
        int64_t min = TR_TIME_NONE, max = TR_TIME_NONE, low = 0, high = 0;
        double total = 0;
        size_t timed = 0;
        for (size_t k = 0; sum && k < sum->n_steps; k++) {
            const struct tr_step *s = &sum->steps[k];
            int64_t dur = tr_time_diff(s->end, s->start);
            if (dur != TR_TIME_NONE) {
                total += (double)dur;
                min = !timed || dur < min ? dur : min;
                max = !timed++ || dur > max ? dur : max;
            }
            low = !k || s->number < low ? s->number : low;
            high = !k || s->number > high ? s->number : high;
        }
        size_t n = sum ? sum->n_steps : 0;
        info_cell_source(t, i);
        info_cell_count(t, n);
        info_cell_int(t, low, n);
        info_cell_int(t, high, n);
        info_cell_time(t, timed ? (int64_t)(total / (double)timed + 0.5) : TR_TIME_NONE);
        info_cell_time(t, min);
        info_cell_time(t, max);
    }
    info_table_end(t);
}

static void coverage(struct info_text *t)
{
    info_table_start(t, "coverage", true);
    info_column(t, "device_work", TR_CELL_COUNT);
    info_column(t, "linked_pct", TR_CELL_RATIO);
    info_column(t, "launches", TR_CELL_COUNT);
    info_column(t, "used_pct", TR_CELL_RATIO);
    info_column(t, "comm", TR_CELL_COUNT);
    info_column(t, "described_pct", TR_CELL_RATIO);
    info_column(t, "lag_min", TR_CELL_TIME);
    info_column(t, "lag_max", TR_CELL_TIME);
    info_column(t, "device", TR_CELL_TIME);
    info_column(t, "operator_pct", TR_CELL_RATIO);
    for (size_t i = 0; i < t->info->n_sources; i++) {
        if (!info_looks_at(t->r, i))
            continue;
        const struct tr_info_source *n = &t->info->sources[i];
        const struct tr_coverage_counts *c = &n->coverage;
        const struct tr_source_summary *sum = info_summary(t->r, i);
        info_cell_source(t, i);
        info_cell_count(t, c->work);
        info_cell_pct(t, c->work_launched, c->work);
        info_cell_count(t, c->launches);
        info_cell_pct(t, c->launches_used, c->launches);
        info_cell_count(t, n->n_comm);
        info_cell_pct(t, n->n_comm_described, n->n_comm);
        info_cell_time(t, sum ? sum->lag_min : TR_TIME_NONE);
        info_cell_time(t, sum ? sum->lag_max : TR_TIME_NONE);
        info_cell_time(t, c->time);
        info_cell_pct(t, (uint64_t)c->time_by_operator, (uint64_t)c->time);
    }
    info_table_end(t);
}

/* Kernels that count as communication, and the rule that decided this, if it is one of the library. */
static void communication(struct info_text *t)
{
    if (!t->info->n_comm)
        return;
    info_table_start(t, "communication: kernels, and the rule that makes them comm", false);
    info_column(t, "kernels", TR_CELL_COUNT);
    info_column(t, "rules", TR_CELL_STRING);
    info_column(t, "line", TR_CELL_INT);
    info_column(t, "condition", TR_CELL_STRING);
    info_column_wide(t, "text");
    info_column_wide(t, "name");
    for (size_t i = 0; i < t->info->n_comm; i++) {
        const struct tr_info_comm *c = &t->info->comm[i];
        const struct tr_rule *rule =
            c->rule == TR_RULE_NONE ? NULL : tr_rules_get(t->info->comm_rules, c->rule);
        info_cell_count(t, c->n);
        info_cell_str(t, rule ? tr_rules_name(t->info->comm_rules, rule->set) : NULL);
        info_cell_int(t, rule ? rule->line : 0, rule != NULL);
        info_cell_str(t, rule ? tr_rule_condition_name(rule->condition) : NULL);
        info_cell_str(t, rule ? rule->text : NULL);
        info_cell_id(t, c->name);
    }
    info_table_end(t);
}

static void suspects(struct info_text *t)
{
    uint64_t total = 0;
    for (size_t i = 0; i < t->info->n_sources; i++)
        for (unsigned k = TR_SUSPECT_NO + 1; k < TR_N_SUSPECTS; k++)
            total += t->info->sources[i].n_suspect[k];
    if (!total)
        return;
    info_table_start(t, "suspect values: kept, and left out of sums", true);
    info_column(t, "suspect", TR_CELL_STRING);
    info_column(t, "events", TR_CELL_COUNT);
    for (size_t i = 0; i < t->info->n_sources; i++) {
        for (unsigned k = TR_SUSPECT_NO + 1; k < TR_N_SUSPECTS; k++) {
            if (!t->info->sources[i].n_suspect[k])
                continue;
            info_cell_source(t, i);
            info_cell_str(t, tr_suspect_name(k));
            info_cell_count(t, t->info->sources[i].n_suspect[k]);
        }
    }
    info_table_end(t);
}

static void salvage(struct info_text *t)
{
    bool any = false;
    for (size_t i = 0; i < t->info->n_sources; i++) {
        const struct tr_source_summary *sum = info_summary(t->r, i);
        any |= sum && sum->n_damage;
    }
    if (!any)
        return;
    info_table_start(t, "salvage: damage of the input, and what the reader did", true);
    info_column(t, "count", TR_CELL_COUNT);
    info_column(t, "first_byte", TR_CELL_INT);
    info_column(t, "lost", TR_CELL_STRING);
    info_column(t, "what", TR_CELL_STRING);
    for (size_t i = 0; i < t->info->n_sources; i++) {
        if (!info_looks_at(t->r, i))
            continue;
        const struct tr_source_summary *sum = info_summary(t->r, i);
        for (size_t c = 0; sum && c < sum->n_damage; c++) {
            const struct tr_damage *d = &sum->damage[c];
            info_cell_source(t, i);
            info_cell_count(t, d->count);
            info_cell_int(t, (int64_t)d->first, d->first != TR_NO_OFFSET);
            info_cell_str(t, d->loses ? "yes" : "no");
            info_cell_str(t, d->text);
        }
    }
    info_table_end(t);
}

static void cell_number(struct info_text *t, unsigned type, int64_t v)
{
    char s[TR_TRACK_DIGITS];
    tr_track_digits(type, v, s);
    if (type == TR_T_STRING)
        info_cell_id(t, (uint32_t)v);
    else
        info_cell_str(t, type == TR_T_NULL ? NULL : s);
}

static void tracks(struct info_text *t)
{
    info_table_start(t, "tracks", true);
    info_column(t, "pid", TR_CELL_STRING);
    info_column(t, "tid", TR_CELL_STRING);
    info_column(t, "device", TR_CELL_INT);
    info_column(t, "stream", TR_CELL_INT);
    info_column(t, "events", TR_CELL_COUNT);
    info_column(t, "first", TR_CELL_TIME);
    info_column(t, "span", TR_CELL_TIME);
    info_column_wide(t, "process");
    info_column_wide(t, "thread");
    for (size_t i = 0; i < t->info->n_tracks; i++) {
        const struct tr_track *k = &t->d->tracks[i];
        info_cell_source(t, k->source);
        cell_number(t, k->pid_type, k->pid);
        cell_number(t, k->tid_type, k->tid);
        info_cell_int(t, k->device, k->device != TR_I64_NONE);
        info_cell_int(t, k->stream, k->stream != TR_I64_NONE);
        info_cell_count(t, t->info->tracks[i].n_events);
        info_cell_start(t, t->d->tracks[i].source, t->info->tracks[i].first_ts);
        info_cell_span(t, t->info->tracks[i].first_ts, t->info->tracks[i].last_end);
        info_cell_id(t, k->process_name);
        info_cell_id(t, k->thread_name);
    }
    info_table_end(t);
}

/* Names of columns, with commas between, as long as a line may be. */
static void cell_columns(struct info_text *t, const struct tr_side_table *table)
{
    struct tr_buf names = { NULL, 0, 0 };
    for (size_t i = 0; i < table->n_columns && t->st == TR_OK; i++)
        if ((i && !tr_buf_add_str(&names, " ")) || !tr_buf_add_str(&names, table->columns[i].name))
            t->st = tr_fail_memory(t->err);
    if (t->st == TR_OK)
        tr_table_bytes(t->table, (const char *)names.data, names.len);
    tr_buf_free(&names);
}

static void side_tables(struct info_text *t)
{
    const struct tr_side_tables *tables = t->r->in->tables;
    if (!tables || !tables->n)
        return;
    info_table_start(t, "tables: tr-view --by NAME shows one", true);
    info_column(t, "table", TR_CELL_STRING);
    info_column(t, "rows", TR_CELL_COUNT);
    info_column_wide(t, "columns");
    for (size_t i = 0; i < tables->n; i++) {
        const struct tr_side_table *table = tables->v[i];
        if (table->source != UINT32_MAX) {
            info_cell_source(t, table->source);
        } else {
            info_cell_int(t, 0, false);
            if (t->with_source)
                info_cell_int(t, 0, false);
        }
        info_cell_str(t, table->name);
        info_cell_count(t, table->n_rows);
        cell_columns(t, table);
    }
    info_table_end(t);
}

static void provenance(struct info_text *t)
{
    const struct tr_provenance *p = t->r->in->provenance;
    if (!p || !p->n)
        return;
    info_table_start(t, "provenance: the program runs that made this stream, and their inputs",
                false);
    if (t->st == TR_OK)
        tr_table_width(t->table, 0); /* a command can be copied, so it is never cut */
    info_column(t, "run", TR_CELL_INT);
    info_column(t, "reads", TR_CELL_STRING);
    info_column(t, "version", TR_CELL_STRING);
    info_column_wide(t, "command");
    for (size_t i = 0; i < p->n; i++) {
        char parents[64] = "";
        size_t n = 0;
        for (size_t k = 0; k < p->runs[i].n_parents && n < sizeof parents - 16; k++)
            n += (size_t)snprintf(parents + n, sizeof parents - n, "%s%" PRIu32, k ? " " : "",
                                  p->runs[i].parents[k]);
        info_cell_int(t, (int64_t)i, true);
        info_cell_str(t, n ? parents : NULL);
        info_cell_str(t, p->runs[i].version);
        info_cell_str(t, p->runs[i].command);
    }
    info_table_end(t);
}

/* ---- the whole ------------------------------------------------------------------------------- */

/* Do all sources have different ranks? */
static bool ranks_unique(const struct tr_dict *d)
{
    for (size_t i = 0; i < d->n_sources; i++) {
        if (d->sources[i].rank < 0)
            return d->n_sources == 1;
        for (size_t k = 0; k < i; k++)
            if (d->sources[k].rank == d->sources[i].rank)
                return false;
    }
    return true;
}

enum tr_status info_text(const struct info_report *r, struct tr_buf *out, struct tr_error *err)
{
    struct info_text t = {
        .r = r,
        .d = r->in->dict,
        .info = r->info,
        .out = out,
        .err = err,
        .with_source = !ranks_unique(r->in->dict),
    };
    info_line(&t, "%s: %zu source%s, %" PRIu64 " events, %s", r->in->name, r->info->n_sources,
         r->info->n_sources == 1 ? "" : "s", r->info->n_events,
         r->info->n_disordered ? "not in order" : "in canonical order");
    sources(&t);
    time_bases(&t);
    clocks(&t);
    devices(&t);
    events_by(&t, "events by activity", offsetof(struct tr_info_source, n_activity),
              TR_N_ACTIVITIES, tr_activity_name);
    events_by(&t, "events by phase", offsetof(struct tr_info_source, n_phase), TR_N_PHASES,
              tr_phase_name);
    steps(&t);
    coverage(&t);
    communication(&t);
    suspects(&t);
    salvage(&t);
    if (r->tracks)
        tracks(&t);
    side_tables(&t);
    provenance(&t);
    return t.st == TR_OK ? info_notes(r, t.with_source, out, err) : t.st;
}

enum tr_status info_text_checks(const struct info_report *r, struct tr_buf *out,
                                struct tr_error *err)
{
    struct tr_table *table = tr_table_new(r->unit);
    if (!table)
        return tr_fail_memory(err);
    tr_table_column(table, "check", TR_CELL_STRING, 0);
    tr_table_column(table, "result", TR_CELL_STRING, 0);
    tr_table_column(table, "needed", TR_CELL_STRING, 0);
    tr_table_column(table, "found", TR_CELL_STRING, 0);
    for (size_t i = 0; i < r->n_checks; i++) {
        tr_table_string(table, r->checks[i].name);
        tr_table_string(table, r->checks[i].ok ? "pass" : "fail");
        tr_table_string(table, r->checks[i].needed);
        tr_table_string(table, r->checks[i].found);
    }
    enum tr_status st = tr_table_write(table, &tr_row_sink_text, out, err);
    tr_table_free(table);
    return st;
}
