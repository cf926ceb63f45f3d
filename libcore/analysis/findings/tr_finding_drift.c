/* SPDX-License-Identifier: MIT */
/* Steps become slower and slower. */
#include "analysis/findings/tr_finding.h"

#include <stdlib.h>

static const struct tr_finding_limit limits[] = {
    { "share", 2, "%", "of the step, by which the mean is longer than the first one" },
    { "fit", 50, "%", "of the variance of step times that a straight line explains" },
    { NULL }
};

/* The line through values, by least squares: from + slope * place. */
struct line {
    double from, slope, explained; /* explained: part of the variance */
};

/* Values of the steps after warm-up; of inference, those of the phase with the most steps. */
struct series {
    double *time, *compute, *host;
    size_t n, before; /* steps before them, which are left out */
};

static unsigned usual_phase(const struct tr_job *job)
{
    size_t most = 0;
    unsigned phase = 0;
    for (size_t i = 0; i < job->n_steps; i++) {
        size_t n = 0;
        for (size_t k = 0; k < job->n_steps; k++)
            n += job->steps[k].phase == job->steps[i].phase;
        if (n > most) {
            most = n;
            phase = job->steps[i].phase;
        }
    }
    return phase;
}

static bool read_series(const struct tr_job *job, struct series *s)
{
    unsigned phase = usual_phase(job);
    size_t first = job->phases ? 0 : job->warm > 0 ? job->warm : job->n_steps > 2;
    double *room = calloc(3 * job->n_steps + 1, sizeof *room);
    *s = (struct series){ room, room + job->n_steps, room + 2 * job->n_steps, 0, first };
    for (size_t i = first; room && i < job->n_steps; i++) {
        if (job->steps[i].phase != phase)
            continue;
        s->time[s->n] = job->steps[i].time;
        s->compute[s->n] = job->steps[i].compute;
        s->host[s->n++] = job->steps[i].host;
    }
    return room != NULL;
}

static struct line fit(const double *v, size_t count)
{
    double x = 0, y = 0, xx = 0, xy = 0, yy = 0;
    const double n = (double)count;
    for (size_t i = 0; i < count; i++) {
        const double k = (double)i;
        x += k;
        y += v[i];
        xx += k * k;
        xy += k * v[i];
        yy += v[i] * v[i];
    }
    double sx = xx - x * x / n, sy = yy - y * y / n, sxy = xy - x * y / n;
    double slope = sx > 0 ? sxy / sx : 0;
    return (struct line){ (y - slope * x) / n, slope, sx > 0 && sy > 0 ? sxy * sxy / (sx * sy) : 0 };
}

/*
 * What the first step of all would take.  The line goes there, unless it starts below the shortest of the first third:
 * then the growth is not even, as when a queue hides it at first.
 */
static double start_of(const struct series *s, const struct line *l)
{
    double min = s->time[0];
    for (size_t i = 1; i < s->n / 3; i++)
        min = s->time[i] < min ? s->time[i] : min;
    return l->from + l->slope > min ? l->from - (double)s->before * l->slope : min;
}

/*
 * Do devices become slower, or their hosts?  A queue that runs empty makes steps longer, too, but only once.  A host
 * that becomes slower is seen in steps only when it takes as long as the devices do.
 */
static double explained(const struct series *s, const struct line *time)
{
    struct line compute = fit(s->compute, s->n), host = fit(s->host, s->n);
    bool host_limits = host.slope > time->slope / 2 && s->host[s->n - 1] > 0.9 * s->time[s->n - 1];
    if (host_limits && host.explained > time->explained)
        return host.explained;
    return compute.slope > time->slope / 2 || host_limits ? time->explained : 0;
}

static void report(struct tr_findings *f, const struct series *s)
{
    struct line l = fit(s->time, s->n);
    double start = start_of(s, &l), ns = 0;
    for (size_t i = 0; i < s->n; i++)
        ns += (s->time[i] - start) / (double)(s->n + s->before);
    if (!(l.slope > 0) || !(start > 0) || !tr_finding_matters(f, ns, 0) ||
        100 * explained(s, &l) < tr_finding_limit(f, 1))
        return;
    struct tr_finding *x = tr_finding_add(f, ns, 0.8 * ns, 1.2 * ns);
    tr_finding_say(f, x, "Steps become slower: from ");
    tr_finding_say_time(f, x, start);
    tr_finding_say(f, x, " to ");
    tr_finding_say_time(f, x, s->time[s->n - 1]);
    tr_finding_say(f, x, " over %zu steps, so the mean is ", s->n);
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " longer than the first");
    tr_finding_say_share(f, x, ns);
    tr_finding_evidence(x, "first_us", start / 1e3);
    tr_finding_evidence(x, "last_us", s->time[s->n - 1] / 1e3);
    tr_finding_evidence(x, "explained_pct", 100 * explained(s, &l));
    tr_finding_take_starved(f, ns); /* of a host that becomes slower */
}

static void look(struct tr_findings *f)
{
    struct series s;
    if (!read_series(tr_finding_job(f), &s))
        tr_finding_no_memory(f);
    else if (s.n >= 4)
        report(f, &s);
    free(s.time);
}

static const char *lacks(const struct tr_findings *f)
{
    return tr_finding_job(f)->n_steady < 5 ? "there are fewer than five steps" : NULL;
}

const struct tr_finding_kind tr_finding_drift = {
    .id = "drift",
    .grounds = TR_FINDING_ON_WORK,
    .checks = "whether steps become slower",
    .limits = limits,
    .commands = { "tr-breakdown --by step --per all" },
    .part = "time",
    .lacks = lacks,
    .look = look,
};
