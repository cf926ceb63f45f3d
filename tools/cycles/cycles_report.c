/* SPDX-License-Identifier: MIT */
/* The tables of tr-cycles. */
#include "cycles/cycles.h"

#include "cli/cli_view.h"

#include <math.h>

static void add_row(struct tr_table *t, const void *row)
{
    tr_table_row(t, &(struct tr_row){ .row = row });
}

/* ---- by device ---- */

struct device_row {
    struct tr_cycles_device d;
    double mhz, seen_mhz, se_mhz, drift_ns; /* drift_ns: NaN without a frequency */
    int64_t laps;
};

static const struct tr_table_column device_columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct device_row, d.rank), .meaning = "the rank" },
    { "device", TR_CELL_INT, TR_ROLE_KEY, TR_OF(struct device_row, d.device), .meaning = "the device" },
    { "jobs", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct device_row, d.jobs),
      .meaning = "submissions of work: files of one process" },
    { "events", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct device_row, d.events),
      .meaning = "spans with cycle stamps" },
    { "freq_MHz", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, TR_OF(struct device_row, mhz), .unit = "MHz", .main = true,
      .meaning = "frequency that times are computed with: of --freq, else seen" },
    { "seen_MHz", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, TR_OF(struct device_row, seen_mhz), .unit = "MHz",
      .meaning = "the frequency that stamps and host times show" },
    { "seen_se_MHz", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, TR_OF(struct device_row, se_mhz), .unit = "MHz",
      .meaning = "its standard error" },
    { "drift", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct device_row, drift_ns),
      .meaning = "by how much a clock of freq_MHz and the host's clock diverge over the trace" },
    { "laps", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct device_row, laps),
      .meaning = "times that the counter wrapped" },
    { "wrapped", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct device_row, d.wrapped),
      .meaning = "spans within which it wrapped" },
    { "moved", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct device_row, d.shifted),
      .meaning = "jobs that were moved into their round trips" },
    { "unusable", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct device_row, d.unusable),
      .meaning = "spans with stamps that are not numbers of 32 bits, or contradict their duration" },
};

static void device_rows(const struct cycles *o, struct tr_table *t)
{
    size_t n;
    const struct tr_cycles_device *d = tr_cycles_devices(o->of, &n);
    for (size_t i = 0; i < n; i++, d++)
        add_row(t, &(struct device_row){ .d = *d,
                                         .mhz = d->hz ? (double)d->hz / 1e6 : NAN,
                                         .seen_mhz = d->seen_hz / 1e6,
                                         .se_mhz = d->se_hz / 1e6,
                                         .drift_ns = d->hz ? d->drift_ns : NAN,
                                         .laps = d->max_lap - d->min_lap });
}

/* ---- by frequency ---- */

struct frequency_row {
    int64_t rank, device;
    const char *estimator;
    uint64_t n;
    double min, mean, max, spread, used;
};

static const struct tr_table_column frequency_columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, TR_OF(struct frequency_row, rank), .meaning = "the rank" },
    { "device", TR_CELL_INT, TR_ROLE_GROUP, TR_OF(struct frequency_row, device), .meaning = "the device" },
    { "estimator", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct frequency_row, estimator),
      .meaning = "fit: line through host ends and stamps; duration: TS4 less TS3 of a kernel by its duration; "
                 "interval: TS3 and start, from one kernel to the next" },
    { "count", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct frequency_row, n),
      .meaning = "number of events that it uses" },
    { "min_MHz", TR_CELL_RATIO, TR_ROLE_MIN, 6, TR_OF(struct frequency_row, min), .unit = "MHz",
      .meaning = "minimum" },
    { "mean_MHz", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, TR_OF(struct frequency_row, mean), .unit = "MHz", .main = true,
      .meaning = "mean; of fit the slope" },
    { "max_MHz", TR_CELL_RATIO, TR_ROLE_MAX, 6, TR_OF(struct frequency_row, max), .unit = "MHz",
      .meaning = "maximum" },
    { "spread", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, TR_OF(struct frequency_row, spread),
      .meaning = "max_MHz less min_MHz, divided by mean_MHz: near 0 if all agree" },
    { "used_ratio", TR_CELL_RATIO, TR_ROLE_QUANTILE, 6, TR_OF(struct frequency_row, used),
      .meaning = "freq_MHz divided by mean_MHz: 1 if both agree" },
};

static void frequency_row(struct tr_table *t, const struct tr_cycles_device *d, const char *name, uint64_t n,
                          double min, double mean, double max)
{
    const struct frequency_row row = { d->rank, d->device, name, n, min, mean, max, .spread = (max - min) / mean,
                                       .used = (double)d->hz / 1e6 / mean };
    if (n)
        add_row(t, &row);
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

struct job_row {
    struct tr_cycles_job j;
    const char *name;
    int64_t rank, shift, first_lap, last_lap;
};

static const struct tr_table_column job_columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, TR_OF(struct job_row, rank), .meaning = "the rank" },
    { "job", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct job_row, name), .wide = true, .meaning = "the file" },
    { "events", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct job_row, j.events), .meaning = "spans with cycle stamps" },
    { "host_start", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct job_row, j.host_start),
      .meaning = "start of its round trip on the host" },
    { "host_end", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct job_row, j.host_end), .meaning = "end of it" },
    { "device_start", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct job_row, j.device_start),
      .meaning = "start of its first span with stamps, as recorded" },
    { "device_end", TR_CELL_TIME, TR_ROLE_MAX, TR_OF(struct job_row, j.device_end), .meaning = "end of its last one" },
    { "shift", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct job_row, shift), .main = true,
      .meaning = "by how much it was moved; empty: its work takes longer than its round trip" },
    { "first_lap", TR_CELL_INT, TR_ROLE_MIN, TR_OF(struct job_row, first_lap),
      .meaning = "lap of the counter in which it starts, 0 the device's first" },
    { "last_lap", TR_CELL_INT, TR_ROLE_MAX, TR_OF(struct job_row, last_lap),
      .meaning = "lap in which its last request starts" },
};

static void job_rows(const struct cycles *o, struct tr_table *t)
{
    size_t n, n_devices;
    const struct tr_cycles_device *devices = tr_cycles_devices(o->of, &n_devices);
    const struct tr_cycles_job *j = tr_cycles_jobs(o->of, &n);
    for (size_t i = 0; i < n; i++, j++) {
        int64_t first = j->events ? devices[j->device].min_lap : 0;
        if (j->events)
            add_row(t, &(struct job_row){ .j = *j,
                                          .name = cycles_job_name(o, j),
                                          .rank = devices[j->device].rank,
                                          .shift = j->too_long ? TR_TIME_NONE : j->shift,
                                          .first_lap = j->first_lap - first,
                                          .last_lap = j->last_lap - first });
    }
}

/* ---- by event ---- */

struct event_row {
    int64_t rank, start, dur, moved, lap, stamps[TR_N_CYCLE_STAMPS], charge;
    uint64_t record;
    const char *job, *part, *wrapped;
    struct tr_str name;
};

static const struct tr_table_column event_columns[] = {
    { "rank", TR_CELL_INT, TR_ROLE_GROUP, TR_OF(struct event_row, rank), .meaning = "the rank" },
    { "job", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct event_row, job), .wide = true, .meaning = "the file" },
    { "record", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct event_row, record),
      .meaning = "the event's number in its file" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct event_row, name), .names = true, .meaning = "its name" },
    { "part", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct event_row, part),
      .meaning = "part of its request: dma_in, prep, compute, dma_out, or the whole request" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct event_row, start), .meaning = "start, from its stamps" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct event_row, dur), .meaning = "duration, from its stamps" },
    { "moved", TR_CELL_TIME, TR_ROLE_QUANTILE, TR_OF(struct event_row, moved),
      .meaning = "its start less the recorded one" },
    { "laps", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct event_row, lap),
      .meaning = "lap of the counter at TS1, 0 the device's first" },
    { "wrapped", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct event_row, wrapped),
      .meaning = "the first stamp after the counter wrapped within the event" },
    { "ts1", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct event_row, stamps[0]),
      .meaning = "cycles at TS1, with 2^32 for each lap before" },
    { "ts2", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct event_row, stamps[1]), .meaning = "cycles at TS2" },
    { "ts3", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct event_row, stamps[2]), .meaning = "cycles at TS3" },
    { "ts4", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct event_row, stamps[3]), .meaning = "cycles at TS4" },
    { "ts5", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct event_row, stamps[4]), .meaning = "cycles at TS5" },
    { "charge", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct event_row, charge),
      .meaning = "reading of the device's counter of charge at TS4" },
};

static void event_row(const struct cycles *o, struct tr_table *t, const struct tr_batch *b,
                      const struct tr_batch *moved, const struct tr_arg *power, size_t i)
{
    static const char *const stamps[] = { NULL, NULL, "TS2", "TS3", "TS4", "TS5" };
    uint32_t charge;
    size_t n_devices, n_jobs;
    const struct tr_cycles_event *e = &tr_cycles_events(o->of)[i];
    const struct tr_cycles_job *j = &tr_cycles_jobs(o->of, &n_jobs)[e->job];
    struct event_row row = { .rank = tr_cycles_devices(o->of, &n_devices)[j->device].rank,
                             .job = cycles_job_name(o, j),
                             .record = b->record[i],
                             .name = tr_dict_text(b->dict, b->name[i]),
                             .part = tr_cycle_stamp_part_names[e->stamps.part],
                             .start = moved->ts[i],
                             .dur = moved->dur[i],
                             .moved = tr_time_diff(moved->ts[i], b->ts[i]),
                             .lap = e->lap,
                             .wrapped = stamps[e->wrapped],
                             .charge = TR_I64_NONE };
    for (unsigned k = 0; k < TR_N_CYCLE_STAMPS; k++)
        row.stamps[k] = e->stamps.at[k] + e->add;
    if (tr_cycle_stamp_number(b->dict, tr_arg_at(power, i), &charge))
        row.charge = charge;
    add_row(t, &row);
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
        [CYCLES_BY_DEVICE] = { .fill = fill, .chart = &device, CLI_COLUMNS(device_columns) },
        [CYCLES_BY_FREQUENCY] = { .fill = fill, .chart = &frequency, CLI_COLUMNS(frequency_columns) },
        [CYCLES_BY_JOB] = { .fill = fill, .chart = &job, CLI_COLUMNS(job_columns) },
        [CYCLES_BY_EVENT] = { .fill = fill, .chart = &event, CLI_COLUMNS(event_columns) },
    };
    return cli_table_run(cli, &tables[o->by.choice], o, err);
}
