/* SPDX-License-Identifier: MIT */
/* Kinds of findings about the traces themselves: what cannot be true, or is missing. */
#include "analysis/findings/tr_finding.h"
#include "analysis/info/tr_info.h"

#include <inttypes.h>
#include <math.h>

/* The next selected source from *i on; *i is after it then.  NULL: there are no more. */
static const struct tr_info_source *next(const struct tr_findings *f, size_t *i, int64_t *rank)
{
    const struct tr_findings_about *a = tr_finding_about(f);
    while (a->info && *i < a->info->n_sources && *i < a->dict->n_sources) {
        size_t k = (*i)++;
        if (!tr_select_source(a->selected, (uint32_t)k))
            continue;
        *rank = a->dict->sources[k].rank;
        return &a->info->sources[k];
    }
    return NULL;
}

static const char *lacks_info(const struct tr_findings *f)
{
    return tr_finding_about(f)->info ? NULL : "it was not counted";
}

/* A finding about all sources with a doubt: how many there are, and what it is in the first of them. */
static void say_doubt(struct tr_findings *f, enum tr_doubt doubt, enum tr_severity severity, const char *advice)
{
    const struct tr_info_source *s, *first = NULL;
    int64_t rank = -1, of = -1;
    size_t n = 0, at = 0;
    while ((s = next(f, &at, &rank)) != NULL)
        if (tr_info_doubts(s, doubt)) {
            of = n ? of : rank;
            first = n++ ? first : s;
        }
    if (!n)
        return;
    struct tr_finding *x = tr_finding_add(f, NAN, NAN, NAN);
    struct tr_buf text = { 0 };
    bool ok = tr_info_doubt_text(first, doubt, &text);
    if (x && n == 1 && tr_finding_job(f)->n_ranks > 1 && of >= 0) {
        x->rank = of;
        tr_finding_say(f, x, "Rank %" PRId64 ": ", of);
    }
    tr_finding_say(f, x, "%s", ok ? tr_buf_text(&text) : "");
    if (n > 1)
        tr_finding_say(f, x, ", and %zu more ranks", n - 1);
    tr_finding_say(f, x, "%s", advice);
    if (x)
        x->severity = severity;
    tr_finding_evidence(x, "events", (double)tr_info_doubt_count(first, doubt));
    tr_buf_free(&text);
}

/* ---- untrusted_times ---- */

#define SUSPECT_PCT 1.0 /* of the events: fewer are a note */

static void look_suspect(struct tr_findings *f)
{
    const struct tr_info_source *s;
    uint64_t suspect = 0, all = 0;
    int64_t rank;
    for (size_t at = 0; (s = next(f, &at, &rank)) != NULL; all += s->n_events)
        for (unsigned k = TR_SUSPECT_NO + 1; k < TR_N_SUSPECTS; k++)
            suspect += s->n_suspect[k];
    if (!suspect)
        return;
    struct tr_finding *x = tr_finding_add(f, NAN, NAN, NAN);
    tr_finding_say(f, x, "%" PRIu64 " of %" PRIu64 " events have impossible times, and count nowhere", suspect, all);
    if (x)
        x->severity = 100.0 * (double)suspect > SUSPECT_PCT * (double)all ? TR_SEVERITY_MEDIUM : TR_SEVERITY_NOTE;
    tr_finding_evidence(x, "events", (double)suspect);
}

static void look_times(struct tr_findings *f)
{
    look_suspect(f);
    say_doubt(f, TR_DOUBT_UNIT, TR_SEVERITY_HIGH, "");
    say_doubt(f, TR_DOUBT_CAUSALITY, TR_SEVERITY_MEDIUM, "");
    say_doubt(f, TR_DOUBT_LONE_WORK, TR_SEVERITY_MEDIUM, "");
    say_doubt(f, TR_DOUBT_FRAMES, TR_SEVERITY_NOTE, "");
}

const struct tr_finding_kind tr_finding_untrusted_times = {
    .id = "untrusted_times",
    .checks = "whether times can be true",
    .commands = { "tr-info" },
    .lacks = lacks_info,
    .look = look_times,
};

/* ---- nesting ---- */

static void look_nesting(struct tr_findings *f)
{
    say_doubt(f, TR_DOUBT_SWALLOWED, TR_SEVERITY_MEDIUM, "");
}

const struct tr_finding_kind tr_finding_nesting = {
    .id = "nesting",
    .checks = "whether work of a stream contains other work",
    .commands = { "tr-info" },
    .lacks = lacks_info,
    .look = look_nesting,
};

/* ---- missing_work ---- */

static void look_missing(struct tr_findings *f)
{
    const struct tr_findings_about *a = tr_finding_about(f);
    uint64_t lost = 0;
    size_t cut = 0;
    for (uint32_t i = 0; i < a->dict->n_sources; i++) {
        if (!tr_select_source(a->selected, i))
            continue;
        cut += a->dict->sources[i].partial;
        lost += i < a->summary->n ? tr_summary_damage(&a->summary->sources[i], true) : 0;
    }
    if (!cut && !lost)
        return;
    struct tr_finding *x = tr_finding_add(f, NAN, NAN, NAN);
    if (cut)
        tr_finding_say(f, x, "The tail of %zu input%s is missing%s", cut, cut == 1 ? "" : "s", lost ? ", and " : "");
    if (lost)
        tr_finding_say(f, x, "%" PRIu64 " events or parts of them are lost%s", lost, cut ? "" : " from the inputs");
    if (x)
        x->severity = TR_SEVERITY_MEDIUM;
    tr_finding_evidence(x, "lost", (double)lost);
    tr_finding_evidence(x, "cut", (double)cut);
}

const struct tr_finding_kind tr_finding_missing_work = {
    .id = "missing_work",
    .checks = "whether events are lost",
    .commands = { "tr-info" },
    .look = look_missing,
};

/* ---- capture_incomplete ---- */

/* A trace that begins while older work still runs has such work: that is normal. */
static const struct tr_finding_limit capture_limits[] = {
    { "unlinked", 35, "%", "of device work whose launch is not in the trace" },
    { "dependency", 5, "%", "of the step that devices seem idle after work was launched, if some of it is missing" },
    { "graphs", 50, "%", "of the device work whose operators are not known, because graphs launch it" },
    { NULL }
};

/* Devices seem idle while work runs that is not in the trace, such as that of graphs. */
static void look_unseen(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    const struct tr_info_source *s;
    double ns = job->median[TR_ACCOUNT_IDLE + TR_IDLE_DEPENDENCY];
    uint64_t unused = 0;
    int64_t rank;
    for (size_t at = 0; (s = next(f, &at, &rank)) != NULL; unused += s->coverage.launches - s->coverage.launches_used)
        if (tr_info_doubts(s, TR_DOUBT_LAUNCHES)) /* it is said already */
            return;
    if (!unused || !tr_finding_matters(f, ns, 1))
        return;
    struct tr_finding *x = tr_finding_add(f, NAN, NAN, NAN);
    tr_finding_say(f, x, "%" PRIu64 " launch calls have no device work, and devices seem idle ", unused);
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " of %s", tr_finding_each_step(f));
    tr_finding_say_share(f, x, ns);
    tr_finding_say(f, x, " after work was launched: the work of graphs is not in the trace");
    if (x)
        x->severity = TR_SEVERITY_MEDIUM;
    tr_finding_evidence(x, "launches_without_work", (double)unused);
    tr_finding_evidence(x, "dependency_us", ns / 1e3);
}

/* Work of graphs has no operators, unless their capture is given, too. */
static void look_graphs(struct tr_findings *f)
{
    const struct tr_table *operators = tr_finding_table(f, TR_FACT_OPERATORS);
    const struct tr_table *launches = tr_finding_table(f, TR_FACT_LAUNCHES);
    double all = tr_fact_sum(operators, TR_I64_NONE, "device_self", NULL, NULL), graphs = 0;
    double none = tr_fact_sum(operators, TR_I64_NONE, "device_self", "name", "(none)");
    for (size_t row = 0; row < tr_fact_rows(launches); row++)
        if (tr_finding_of_graphs(f, launches, row))
            graphs += tr_fact_number(launches, row, "launches") * tr_fact_number(launches, row, "gpu_mean");
    double pct = all > 0 ? 100 * fmin(none, graphs) / all : 0;
    if (pct <= tr_finding_limit(f, 2))
        return;
    struct tr_finding *x = tr_finding_add(f, NAN, NAN, NAN);
    tr_finding_say(f, x,
                   "Graphs launch %.1f %% of the device work, so its operators are not in the trace: record a run in "
                   "which the graphs are captured, too, and give it with --attach-capture",
                   pct);
    tr_finding_evidence(x, "without_operator_pct", pct);
}

static void look_capture(struct tr_findings *f)
{
    const struct tr_info_source *s;
    uint64_t work = 0, linked = 0;
    int64_t rank;
    say_doubt(f, TR_DOUBT_LAUNCHES, TR_SEVERITY_MEDIUM, "");
    look_unseen(f);
    look_graphs(f);
    for (size_t at = 0; (s = next(f, &at, &rank)) != NULL;) {
        work += s->coverage.work;
        linked += s->coverage.work_launched;
    }
    double pct = work ? 100 * (double)(work - linked) / (double)work : 0;
    if (pct <= tr_finding_limit(f, 0))
        return;
    struct tr_finding *x = tr_finding_add(f, NAN, NAN, NAN);
    tr_finding_say(f, x,
                   "The launch of %.1f %% of the device work is not in the trace, so its operators and the causes "
                   "of idle time before it are not known",
                   pct);
    if (x)
        x->severity = TR_SEVERITY_MEDIUM;
    tr_finding_evidence(x, "unlinked_pct", pct);
}

const struct tr_finding_kind tr_finding_capture_incomplete = {
    .id = "capture_incomplete",
    .checks = "whether device work and its launches are both in the trace",
    .limits = capture_limits,
    .commands = { "tr-info" },
    .lacks = lacks_info,
    .look = look_capture,
};

/* ---- unmatched_ranks ---- */

static const char *lacks_ranks(const struct tr_findings *f)
{
    return tr_finding_job(f)->n_ranks < 2           ? "only one rank is given"
           : tr_finding_about(f)->world_size == 0 ? "the trace does not have the size of the job"
                                                  : NULL;
}

static void look_ranks(struct tr_findings *f)
{
    const struct tr_job *job = tr_finding_job(f);
    int64_t world = tr_finding_about(f)->world_size;
    if (world <= (int64_t)job->n_ranks)
        return;
    struct tr_finding *x = tr_finding_add(f, NAN, NAN, NAN);
    tr_finding_say(f, x, "%zu of %" PRId64 " ranks are given: what the others do is not known", job->n_ranks, world);
    tr_finding_evidence(x, "ranks", (double)job->n_ranks);
    tr_finding_evidence(x, "world_size", (double)world);
}

const struct tr_finding_kind tr_finding_unmatched_ranks = {
    .id = "unmatched_ranks",
    .aside = true,
    .checks = "whether all ranks of the job are given",
    .commands = { "tr-info" },
    .lacks = lacks_ranks,
    .look = look_ranks,
};

/* ---- unread_device ---- */

static void look_device(struct tr_findings *f)
{
    say_doubt(f, TR_DOUBT_NO_WORK, TR_SEVERITY_MEDIUM, "");
}

const struct tr_finding_kind tr_finding_unread_device = {
    .id = "unread_device",
    .checks = "whether there is work of devices",
    .commands = { "tr-info" },
    .lacks = lacks_info,
    .look = look_device,
};
