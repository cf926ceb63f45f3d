/* SPDX-License-Identifier: MIT */
/* tr-cycles: the first pass, which finds the clocks. */
#include "cycles/cycles.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static void warn_of_devices(struct cli *cli, const struct cycles *o)
{
    size_t n;
    char what[300];
    const struct tr_cycles_device *d = tr_cycles_devices(o->of, &n);
    if (!n)
        cli_warn(cli, o->in->name, "", "no span has cycle stamps (args TS1 to TS5): nothing to change");
    for (size_t i = 0; i < n; i++, d++) {
        double off = d->seen_hz - (double)d->hz;
        if (d->unusable) {
            snprintf(what, sizeof what,
                     "rank %" PRId64 ": %" PRIu64 " spans have stamps of no use: they keep their durations", d->rank,
                     d->unusable);
            cli_warn(cli, o->in->name, "", what);
        }
        if (!d->given || d->jobs < 2 || fabs(off) < 1e5 || !(fabs(off) > 4 * d->se_hz))
            continue;
        snprintf(what, sizeof what,
                 "rank %" PRId64 ": --freq %.10g is off by %.0f us over the trace: the stamps show %.3f MHz", d->rank,
                 (double)d->hz / 1e6, fabs(d->drift_ns) / 1e3, d->seen_hz / 1e6);
        cli_warn(cli, o->in->name, "", what);
    }
}

static void warn_of_jobs(struct cli *cli, const struct cycles *o)
{
    size_t n;
    char what[300];
    const struct tr_cycles_job *j = tr_cycles_jobs(o->of, &n);
    for (size_t i = 0; i < n; i++, j++) {
        const char *name = cycles_job_name(o, j);
        if (!j->shift && !j->too_long)
            continue;
        if (j->too_long)
            snprintf(what, sizeof what, "job %s: its work takes longer than its round trip: not moved",
                     name ? name : "");
        else
            snprintf(what, sizeof what, "job %s: its work lies outside of its round trip: moved by %.3f us",
                     name ? name : "", (double)j->shift / 1e3);
        cli_warn(cli, o->in->name, "", what);
    }
}

enum tr_status cycles_first(struct cli *cli, struct cycles *o, struct cli_reread *reread, struct tr_error *err)
{
    const struct tr_cycles_opts opts = { .given = o->given, .n_given = o->n_given, .keep_jobs = o->keep_jobs,
                                         .any_freq = o->any_freq };
    struct tr_input *in;
    const struct tr_batch *b;
    enum tr_status st = cli_reread_open(reread, &in, err);
    o->in = st == TR_OK ? in : NULL;
    if (st == TR_OK && !in->sorted) {
        tr_error_input(err, in->name);
        st = tr_fail(err, TR_DAMAGED, "not in canonical order: sort it with tr-parse or tr-merge first");
    }
    if (st == TR_OK)
        st = tr_cycles_new(&opts, in->dict, &o->of, err);
    while (st == TR_OK && (st = tr_input_next(in, &b, err)) == TR_OK) {
        st = cli_reread_keep(reread, b, err);
        if (st == TR_OK)
            st = tr_cycles_feed(o->of, b, err);
    }
    if (st == TR_END)
        st = cli_reread_done(reread, err);
    if (st == TR_OK)
        st = tr_cycles_solve(o->of, in->name, err);
    if (st == TR_OK) {
        warn_of_devices(cli, o);
        warn_of_jobs(cli, o);
    }
    return st;
}

const char *cycles_job_name(const struct cycles *o, const struct tr_cycles_job *j)
{
    uint32_t name = o->in->dict->sources[j->source].name;
    const char *s = name == TR_NO_STR ? NULL : tr_strtab_get(o->in->dict->strings, name);
    const char *slash = s ? strrchr(s, '/') : NULL;
    return slash ? slash + 1 : s;
}
