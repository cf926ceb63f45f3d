/* SPDX-License-Identifier: MIT */
/* The tables of tr-cycles. */
#include "cycles/cycles.h"

#include "cli/cli_view.h"

#include <math.h>

/* ---- by device ---- */

static const struct tr_table_column device_columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_KEY, .meaning = "the rank" },
    { "device", TR_CELL_INT, TR_ROLE_KEY, .meaning = "the device" },
    { "jobs", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "submissions of work: files of one process" },
    { "events", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "spans with cycle stamps" },
    { "freq_MHz", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, .unit = "MHz", .main = true,
      .meaning = "frequency that times are computed with: of --freq, else seen" },
    { "seen_MHz", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, .unit = "MHz",
      .meaning = "the frequency that stamps and host times show" },
    { "seen_se_MHz", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, .unit = "MHz", .meaning = "its standard error" },
    { "drift", TR_CELL_TIME, TR_ROLE_QUANTILE,
      .meaning = "by how much a clock of freq_MHz and the host's clock diverge over the trace" },
    { "laps", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "times that the counter wrapped" },
    { "wrapped", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "spans within which it wrapped" },
    { "moved", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "jobs that were moved into their round trips" },
    { "unusable", TR_CELL_COUNT, TR_ROLE_COUNT,
      .meaning = "spans with stamps that are not numbers of 32 bits, or contradict their duration" },
};

static void add_device_columns(const void *o, struct tr_table *t)
{
    (void)o;
    tr_table_columns(t, device_columns, sizeof device_columns / sizeof *device_columns);
}

static void device_rows(const struct cycles *o, struct tr_table *t)
{
    size_t n;
    const struct tr_cycles_device *d = tr_cycles_devices(o->of, &n);
    for (size_t i = 0; i < n; i++, d++) {
        tr_table_int(t, d->rank);
        tr_table_int(t, d->device);
        tr_table_count(t, d->jobs);
        tr_table_count(t, d->events);
        tr_table_ratio(t, d->hz ? (double)d->hz / 1e6 : NAN);
        tr_table_ratio(t, d->seen_hz / 1e6);
        tr_table_ratio(t, d->se_hz / 1e6);
        tr_table_time_f(t, d->hz ? d->drift_ns : NAN);
        tr_table_count(t, (uint64_t)(d->max_lap - d->min_lap));
        tr_table_count(t, d->wrapped);
        tr_table_count(t, d->shifted);
        tr_table_count(t, d->unusable);
    }
}

/* ---- by frequency ---- */

static const struct tr_table_column frequency_columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, .meaning = "the rank" },
    { "device", TR_CELL_INT, TR_ROLE_GROUP, .meaning = "the device" },
    { "estimator", TR_CELL_STRING, TR_ROLE_KEY,
      .meaning = "fit: line through host ends and stamps; duration: TS4 less TS3 of a kernel by its duration; "
                 "interval: TS3 and start, from one kernel to the next" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "number of events that it uses" },
    { "min_MHz", TR_CELL_RATIO, TR_ROLE_MIN, 6, .unit = "MHz", .meaning = "minimum" },
    { "mean_MHz", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, .unit = "MHz", .main = true,
      .meaning = "mean; of fit the slope" },
    { "max_MHz", TR_CELL_RATIO, TR_ROLE_MAX, 6, .unit = "MHz", .meaning = "maximum" },
    { "spread", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6,
      .meaning = "max_MHz less min_MHz, divided by mean_MHz: near 0 if all agree" },
    { "used_ratio", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, .meaning = "freq_MHz divided by mean_MHz: 1 if both agree" },
};

static void add_frequency_columns(const void *o, struct tr_table *t)
{
    (void)o;
    tr_table_columns(t, frequency_columns, sizeof frequency_columns / sizeof *frequency_columns);
}

static void frequency_row(struct tr_table *t, const struct tr_cycles_device *d, const char *name, uint64_t n,
                          double min, double mean, double max)
{
    if (!n)
        return;
    tr_table_int(t, d->rank);
    tr_table_int(t, d->device);
    tr_table_string(t, name);
    tr_table_count(t, n);
    tr_table_ratio(t, min);
    tr_table_ratio(t, mean);
    tr_table_ratio(t, max);
    tr_table_ratio(t, (max - min) / mean);
    tr_table_ratio(t, (double)d->hz / 1e6 / mean);
}

static void frequency_rows(const struct cycles *o, struct tr_table *t)
{
    size_t n;
    const struct tr_cycles_device *d = tr_cycles_devices(o->of, &n);
    for (size_t i = 0; i < n; i++, d++) {
        const struct tr_cycles_estimate *a = &d->by_duration, *b = &d->by_interval;
        frequency_row(t, d, "fit", d->events, NAN, d->seen_hz / 1e6, NAN);
        frequency_row(t, d, "duration", a->n, a->min, a->sum / (double)a->n, a->max);
        frequency_row(t, d, "interval", b->n, b->min, b->sum / (double)b->n, b->max);
    }
}

/* ---- by job ---- */

static const struct tr_table_column job_columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, .meaning = "the rank" },
    { "job", TR_CELL_STRING, TR_ROLE_KEY, .wide = true, .meaning = "the file" },
    { "events", TR_CELL_COUNT, TR_ROLE_COUNT, .meaning = "spans with cycle stamps" },
    { "host_start", TR_CELL_TIME, TR_ROLE_MIN, .meaning = "start of its round trip on the host" },
    { "host_end", TR_CELL_TIME, TR_ROLE_MAX, .meaning = "end of it" },
    { "device_start", TR_CELL_TIME, TR_ROLE_MIN, .meaning = "start of its first span with stamps, as recorded" },
    { "device_end", TR_CELL_TIME, TR_ROLE_MAX, .meaning = "end of its last one" },
    { "shift", TR_CELL_TIME, TR_ROLE_QUANTILE, .main = true,
      .meaning = "by how much it was moved; empty: its work takes longer than its round trip" },
    { "first_lap", TR_CELL_INT, TR_ROLE_MIN, .meaning = "lap of the counter in which it starts, 0 the device's first" },
    { "last_lap", TR_CELL_INT, TR_ROLE_MAX, .meaning = "lap in which its last request starts" },
};

static void add_job_columns(const void *o, struct tr_table *t)
{
    (void)o;
    tr_table_columns(t, job_columns, sizeof job_columns / sizeof *job_columns);
}

static void job_rows(const struct cycles *o, struct tr_table *t)
{
    size_t n, n_devices;
    const struct tr_cycles_device *devices = tr_cycles_devices(o->of, &n_devices);
    const struct tr_cycles_job *j = tr_cycles_jobs(o->of, &n);
    for (size_t i = 0; i < n; i++, j++) {
        int64_t first = j->events ? devices[j->device].min_lap : 0;
        if (!j->events)
            continue;
        tr_table_int(t, devices[j->device].rank);
        tr_table_string(t, cycles_job_name(o, j));
        tr_table_count(t, j->events);
        tr_table_time(t, j->host_start);
        tr_table_time(t, j->host_end);
        tr_table_time(t, j->device_start);
        tr_table_time(t, j->device_end);
        tr_table_time(t, j->too_long ? TR_TIME_NONE : j->shift);
        tr_table_int(t, j->first_lap - first);
        tr_table_int(t, j->last_lap - first);
    }
}

/* ---- by event ---- */

static const struct tr_table_column event_columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, .meaning = "the rank" },
    { "job", TR_CELL_STRING, TR_ROLE_TEXT, .wide = true, .meaning = "the file" },
    { "record", TR_CELL_COUNT, TR_ROLE_KEY, .meaning = "the event's number in its file" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, .names = true, .meaning = "its name" },
    { "part", TR_CELL_STRING, TR_ROLE_TEXT,
      .meaning = "part of its request: dma_in, prep, compute, dma_out, or the whole request" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, .meaning = "start, from its stamps" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, .meaning = "duration, from its stamps" },
    { "moved", TR_CELL_TIME, TR_ROLE_QUANTILE, .meaning = "its start less the recorded one" },
    { "laps", TR_CELL_INT, TR_ROLE_TEXT, .meaning = "lap of the counter at TS1, 0 the device's first" },
    { "wrapped", TR_CELL_STRING, TR_ROLE_TEXT,
      .meaning = "the first stamp after the counter wrapped within the event" },
    { "ts1", TR_CELL_INT, TR_ROLE_TEXT, .meaning = "cycles at TS1, with 2^32 for each lap before" },
    { "ts2", TR_CELL_INT, TR_ROLE_TEXT, .meaning = "cycles at TS2" },
    { "ts3", TR_CELL_INT, TR_ROLE_TEXT, .meaning = "cycles at TS3" },
    { "ts4", TR_CELL_INT, TR_ROLE_TEXT, .meaning = "cycles at TS4" },
    { "ts5", TR_CELL_INT, TR_ROLE_TEXT, .meaning = "cycles at TS5" },
    { "charge", TR_CELL_INT, TR_ROLE_TEXT, .meaning = "reading of the device's counter of charge at TS4" },
};

static void add_event_columns(const void *o, struct tr_table *t)
{
    (void)o;
    tr_table_columns(t, event_columns, sizeof event_columns / sizeof *event_columns);
}

static void event_row(const struct cycles *o, struct tr_table *t, const struct tr_batch *b,
                      const struct tr_batch *moved, const struct tr_arg *power, size_t i)
{
    static const char *const stamps[] = { NULL, NULL, "TS2", "TS3", "TS4", "TS5" };
    uint32_t charge;
    size_t n_devices, n_jobs;
    const struct tr_cycles_event *e = &tr_cycles_events(o->of)[i];
    const struct tr_cycles_job *j = &tr_cycles_jobs(o->of, &n_jobs)[e->job];
    tr_table_int(t, tr_cycles_devices(o->of, &n_devices)[j->device].rank);
    tr_table_string(t, cycles_job_name(o, j));
    tr_table_count(t, b->record[i]);
    tr_table_text(t, tr_dict_text(b->dict, b->name[i]));
    tr_table_string(t, tr_cycle_stamp_part_names[e->stamps.part]);
    tr_table_time(t, moved->ts[i]);
    tr_table_time(t, moved->dur[i]);
    tr_table_time(t, tr_time_diff(moved->ts[i], b->ts[i]));
    tr_table_int(t, e->lap);
    tr_table_string(t, stamps[e->wrapped]);
    for (unsigned k = 0; k < TR_N_CYCLE_STAMPS; k++)
        tr_table_int(t, e->stamps.at[k] + e->add);
    if (tr_cycle_stamp_number(b->dict, tr_arg_at(power, i), &charge))
        tr_table_int(t, charge);
    else
        tr_table_absent(t);
}

static enum tr_status event_rows(struct cycles *o, struct cli_reread *reread, struct tr_table *t, struct tr_error *err)
{
    struct tr_input *in;
    const struct tr_batch *b, *moved;
    struct tr_arg power = { 0 };
    enum tr_status st = cli_reread_open(reread, &in, err);
    if (st == TR_OK)
        o->in = in;
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK) {
        st = tr_cycles_apply(o->of, b, &moved, err);
        if (st == TR_OK && !tr_arg_read(&power, b, TR_PLACE_ARGS, "Power"))
            st = tr_fail_memory(err);
        for (size_t i = 0; i < b->n && st == TR_OK; i++)
            if (tr_cycles_events(o->of)[i].found)
                event_row(o, t, b, moved, &power, i);
    }
    tr_arg_free(&power);
    return st == TR_END ? TR_OK : st;
}

/* ---- all ---- */

static enum tr_status fill(struct cli *cli, void *arg, struct tr_table *t, struct tr_error *err)
{
    struct cycles *o = arg;
    struct cli_reread reread = { .cli = cli };
    enum tr_status st = cycles_first(cli, o, &reread, err);
    if (st == TR_OK && o->by.choice == CYCLES_BY_DEVICE)
        device_rows(o, t);
    if (st == TR_OK && o->by.choice == CYCLES_BY_FREQUENCY)
        frequency_rows(o, t);
    if (st == TR_OK && o->by.choice == CYCLES_BY_JOB)
        job_rows(o, t);
    if (st == TR_OK && o->by.choice == CYCLES_BY_EVENT)
        st = event_rows(o, &reread, t, err);
    cli_reread_close(&reread);
    return st;
}

enum tr_status cycles_report(struct cli *cli, struct cycles *o, struct tr_error *err)
{
    static const struct tr_chart
        device = { TR_CHART_BAR, .x = "device", .y = { "freq_MHz", "seen_MHz" }, .facet = "rank" },
        frequency = { TR_CHART_BAR, .x = "estimator", .y = { "mean_MHz" }, .facet = "device",
                      .low = "min_MHz", .high = "max_MHz" },
        job = { TR_CHART_BAR, .x = "job", .y = { "shift" }, .facet = "rank" },
        event = { TR_CHART_BAND, .x = "start", .y = { "dur" }, .series = "part", .facet = "rank" };
    static const struct cli_table tables[] = {
        [CYCLES_BY_DEVICE] = { add_device_columns, fill, &device, NULL },
        [CYCLES_BY_FREQUENCY] = { add_frequency_columns, fill, &frequency, NULL },
        [CYCLES_BY_JOB] = { add_job_columns, fill, &job, NULL },
        [CYCLES_BY_EVENT] = { add_event_columns, fill, &event },
    };
    return cli_table_run(cli, &tables[o->by.choice], o, err);
}
