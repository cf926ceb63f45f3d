/* SPDX-License-Identifier: MIT */
/*
 * tr-counters: queues, copies, busy streams, collectives, power and waiting requests over time.  Manual:
 * tr-counters(1).
 */
#include "analysis/counters/tr_counters.h"
#include "cli/cli_view.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct counters {
    struct cli_analysis a;
    bool report;
};

static const struct tr_option counters_opts[] = {
    { 0, "report", NULL, TR_OPTION_FLAG, offsetof(struct counters, report),
      .help = "print a table instead of the stream" },
    CLI_ANALYSIS_OPTS(struct counters, a),
    { 0 },
};

static const struct cli_tool counters_tool = {
    .name = "tr-counters",
    .brief = "add counters of queues, copies, busy streams, collectives and power",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_STREAM | CLI_FORMAT | CLI_TABLE | CLI_UNIT | CLI_ARRANGE | CLI_PARTIAL | CLI_RELATIVE,
    .max_operands = CLI_ANY,
    .opts = counters_opts,
    .views = tr_counters_views,
    .dict_copies = 1,
    .examples = { "tr-counters rank0.json.gz | tr-view -O chrome >counters.json",
                  "tr-counters --by bandwidth job.trs" },
};

/* ---- the stream with counters ---- */

/* How a counter is written: as in the traces with counters that other programs make. */
struct shown {
    const char *name, *arg;
    bool id; /* has a member "id" */
    uint8_t type;
};
static const struct shown shown_as[TR_N_COUNTERS] = {
    [TR_COUNTER_QUEUE] = { "Queue Length", "Queue Length", true, TR_T_INT },
    [TR_COUNTER_BANDWIDTH] = { NULL, "Memcpy BW", false, TR_T_DECIMAL },
    [TR_COUNTER_BUSY] = { "Busy Streams", "Busy Streams", false, TR_T_INT },
    [TR_COUNTER_POWER] = { "Power", "Watts", false, TR_T_DECIMAL },
    [TR_COUNTER_WAITING] = { "Waiting Requests", "Waiting Requests", false, TR_T_INT },
    [TR_COUNTER_COLLECTIVE] = { NULL, "Bus BW", false, TR_T_DECIMAL },
};

struct added {
    struct tr_counters *counters;
    const struct tr_series *series;
    size_t n_series;
    struct tr_dict *dict;
    uint32_t shape[TR_N_COUNTERS];
    uint32_t *track, *name; /* by series */
    int64_t values[2];
};

/* {"ph": "C", "name": ..., "pid": ..., "ts": ..., ["id": stream,] "args": {ARG: value}} */
static uint32_t make_shape(struct tr_dict *d, const struct shown *s)
{
    struct tr_inject_member members[7] = {
        TR_INJECT_TOP("ph", PHASE, TR_T_STRING),
        TR_INJECT_TOP("name", NAME, TR_T_STRING),
        TR_INJECT_TOP("pid", PID, TR_T_INT),
        TR_INJECT_TOP("ts", TS, TR_T_INT),
    };
    size_t n = 4;
    if (s->id)
        members[n++] = (struct tr_inject_member)TR_INJECT_TOP("id", COLUMN, TR_T_INT);
    members[n++] = (struct tr_inject_member)TR_INJECT_TOP("args", ARGS, TR_T_JSON);
    members[n++] = (struct tr_inject_member)TR_INJECT_ARG(s->arg, s->type);
    return tr_inject_shape(d, 'C', members, n);
}

/* A counter belongs to its process, to no thread. */
static uint32_t make_track(struct tr_dict *d, const struct tr_series *s)
{
    struct tr_track t = d->tracks[s->track];
    t.tid_type = TR_T_NULL;
    t.tid = 0;
    t.thread_name = TR_NO_STR;
    t.thread_sort = TR_I64_NONE;
    if (s->counter != TR_COUNTER_QUEUE)
        t.stream = TR_I64_NONE;
    return tr_dict_add_track(d, &t);
}

static bool start_adding(struct added *a, const struct tr_dict *dict)
{
    a->dict = tr_dict_copy(dict);
    a->track = calloc(a->n_series + 1, sizeof *a->track);
    a->name = calloc(a->n_series + 1, sizeof *a->name);
    bool ok = a->dict && a->track && a->name;
    for (unsigned c = 0; ok && c < TR_N_COUNTERS; c++)
        ok = (a->shape[c] = make_shape(a->dict, &shown_as[c])) != UINT32_MAX;
    for (size_t s = 0; ok && s < a->n_series; s++) {
        const char *name = shown_as[a->series[s].counter].name;
        a->track[s] = make_track(a->dict, &a->series[s]);
        char collective[64];
        snprintf(collective, sizeof collective, "Collective %s", a->series[s].name ? a->series[s].name : "");
        name = name ? name : a->series[s].counter == TR_COUNTER_COLLECTIVE ? collective : a->series[s].name;
        a->name[s] = tr_strtab_add(a->dict->strings, name, strlen(name));
        ok = a->track[s] != UINT32_MAX && a->name[s] != TR_NO_STR;
    }
    return ok;
}

/* Bytes per second as GB/s, exact as far as a decimal holds so many digits. */
static int64_t decimal_rate(int64_t rate)
{
    unsigned scale = 9;
    for (; rate > TR_DECIMAL_MAX_MANTISSA; scale--)
        rate /= 10;
    return tr_decimal_make(rate, scale);
}

static enum tr_status next_event(void *ctx, struct tr_inject_event *e, struct tr_error *err)
{
    struct added *a = ctx;
    struct tr_counter_sample sample;
    enum tr_status st;
    do
        st = tr_counters_next(a->counters, &sample, err);
    while (st == TR_OK && sample.value == TR_I64_NONE);
    if (st != TR_OK)
        return st;
    const struct tr_series *s = &a->series[sample.series];
    size_t n = 0;
    if (shown_as[s->counter].id)
        a->values[n++] = s->key.stream == TR_GROUP_NONE ? -1 : s->key.stream;
    bool rate = s->counter == TR_COUNTER_BANDWIDTH || s->counter == TR_COUNTER_COLLECTIVE;
    a->values[n++] = rate                             ? decimal_rate(sample.value)
                     : s->counter == TR_COUNTER_POWER ? tr_decimal_make(sample.value, 6)
                                                      : sample.value;
    *e = (struct tr_inject_event){ .ts = sample.ts,
                                   .dur = TR_TIME_NONE,
                                   .track = a->track[sample.series],
                                   .shape = a->shape[s->counter],
                                   .name = a->name[sample.series],
                                   .cat = TR_NO_STR,
                                   .phase = TR_COUNTER,
                                   .activity = TR_ACT_OTHER,
                                   .values = a->values };
    return TR_OK;
}

static enum tr_status read_all(struct counters *o, struct added *a, struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st;
    while ((st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK)
        if ((st = tr_counters_feed(a->counters, b, keep, err)) != TR_OK)
            return st;
    return st == TR_END ? tr_counters_finish(a->counters, &a->series, &a->n_series, err) : st;
}

static enum tr_status write_stream(struct cli *cli, struct counters *o, struct added *a, struct tr_error *err)
{
    if (!start_adding(a, o->a.in->dict))
        return tr_fail_memory(err);
    return cli_overlay_write(cli, o->a.twice, a->dict, next_event, a, err);
}

static enum tr_status add_counters(struct cli *cli, struct counters *o, struct tr_error *err)
{
    struct tr_counters_opts opts = { .work = cli_analysis_work(&o->a, TR_PER_STREAM),
                                     .which = (1u << TR_N_COUNTERS) - 1,
                                     .max_memory = cli_max_memory(cli) / 2,
                                     .temp_dir = cli_temp_dir(cli) };
    const struct tr_input *in = o->a.in;
    struct added a = { .counters = NULL };
    enum tr_status st =
        tr_counters_new(&opts, in->dict, in->summary, in->sorted, o->a.select.selected, &a.counters, err);
    if (st == TR_OK)
        st = read_all(o, &a, err);
    if (st == TR_OK)
        st = write_stream(cli, o, &a, err);
    tr_counters_free(a.counters);
    tr_dict_free(a.dict);
    free(a.track);
    free(a.name);
    return st;
}

static enum tr_status run_stream(struct cli *cli, struct counters *o, struct tr_error *err)
{
    struct cli_overlay twice = { .again.cli = cli };
    int fd;
    o->a.twice = &twice;
    enum tr_status st = cli_table_none(cli, "--report", err);
    if (st == TR_OK)
        st = cli_output(cli, true, &fd, err);
    if (st == TR_OK)
        st = cli_analysis_open(cli, &o->a, 0, err);
    if (st == TR_OK)
        st = add_counters(cli, o, err);
    cli_analysis_close(&o->a);
    cli_overlay_close(&twice);
    return st;
}

static enum tr_status counters_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct counters *o = arg;
    enum tr_status st = cli_view_choose(cli, err);
    if (st == TR_OK && o->a.per >= 0)
        st = tr_fail(err, TR_USAGE, "option --per: counters are of streams and devices, not of a group");
    if (st != TR_OK)
        return st;
    return o->report || cli_given(cli, "by") ? cli_view_run(cli, &o->a, err) : run_stream(cli, o, err);
}

int tr_counters_main(int argc, char **argv)
{
    return cli_main(argc, argv, &counters_tool, &(struct counters){ .a = CLI_ANALYSIS_INIT }, counters_run);
}
