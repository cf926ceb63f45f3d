/* SPDX-License-Identifier: MIT */
/* Operators that take much time, and much longer than their device needs for their work. */
#include "analysis/findings/tr_finding.h"
#include "base/tr_sort.h"

#include <math.h>
#include <stdlib.h>

static const struct tr_finding_limit limits[] = {
    { "share", 3, "%", "of the step that would be saved" },
    { "roofline", 65, "%", "of what the device can do: operators that reach more are well enough" },
    { "attainable", 70, "%", "of what the device can do, which good kernels reach" },
    { NULL }
};

struct weighed {
    double pct, device;
};

TR_ORDER(by_pct, struct weighed, TR_UP(pct))

/* What a quarter of the time of an operator's family reaches or exceeds here; at least the attainable part. */
static double attainable(const struct tr_findings *f, const struct tr_table *t, size_t row)
{
    struct tr_str family = tr_fact_text(t, row, "family");
    struct weighed *v = malloc((tr_fact_rows(t) + 1) * sizeof *v);
    double all = 0, below = 0, reached = 0;
    size_t n = 0;
    for (size_t i = 0; v && i < tr_fact_rows(t); i++) {
        double pct = tr_fact_number(t, i, "roofline_pct"), device = tr_fact_number(t, i, "device");
        if (!(pct > 0 && pct <= 100 && device > 0) || tr_str_cmp(tr_fact_text(t, i, "family"), family) != 0)
            continue;
        v[n++] = (struct weighed){ pct, device };
        all += device;
    }
    if (n)
        qsort(v, n, sizeof *v, by_pct);
    for (size_t i = 0; i < n && below < 0.75 * all; below += v[i++].device)
        reached = v[i].pct;
    free(v);
    return fmax(tr_finding_limit(f, 2), reached);
}

/* Families are few, and rows of theirs many. */
#define MAX_FAMILIES 64
struct families {
    struct {
        struct tr_str name;
        double attainable;
    } v[MAX_FAMILIES];
    size_t n;
};

static double attainable_once(const struct tr_findings *f, const struct tr_table *t, size_t row, struct families *all)
{
    struct tr_str name = tr_fact_text(t, row, "family");
    for (size_t i = 0; i < all->n; i++)
        if (tr_str_cmp(all->v[i].name, name) == 0)
            return all->v[i].attainable;
    double pct = attainable(f, t, row);
    if (all->n < MAX_FAMILIES) {
        all->v[all->n].name = name;
        all->v[all->n++].attainable = pct;
    }
    return pct;
}

/* What would be saved if the operator reached that. */
static double saved(const struct tr_findings *f, const struct tr_table *t, size_t row, struct families *all)
{
    double device = tr_fact_number(t, row, "device"), pct = tr_fact_number(t, row, "roofline_pct");
    double model = tr_fact_number(t, row, "model_pct");
    if (tr_str_is(tr_fact_text(t, row, "name"), "aten::copy_")) /* a copy between memories is bound by their link */
        return 0;
    if (!(pct > 0) || pct > tr_finding_limit(f, 1) || !(device > 0))
        return 0;
    return device * (isnan(model) ? 1 : model / 100) * (1 - pct / attainable_once(f, t, row, all));
}

static void look(struct tr_findings *f)
{
    const struct tr_table *t = tr_finding_table(f, TR_FACT_ROOFLINE);
    double all = 0, most = 0;
    double parts = tr_finding_parts(f);
    size_t worst = SIZE_MAX;
    struct families families = { .n = 0 };
    for (size_t row = 0; row < tr_fact_rows(t); row++) {
        double ns = saved(f, t, row, &families) / parts;
        all += ns;
        if (ns > most) {
            most = ns;
            worst = row;
        }
    }
    if (worst == SIZE_MAX || !tr_finding_matters(f, all, 0))
        return;
    struct tr_finding *x = tr_finding_add(f, all, 0.5 * all, 1.3 * all);
    tr_finding_say(f, x, "Operators far below what their device can do take ");
    tr_finding_say_time(f, x, all);
    tr_finding_say(f, x, " of %s more than good kernels would", tr_finding_each_step(f));
    tr_finding_say_share(f, x, all);
    tr_finding_say(f, x, ", most of all ");
    tr_finding_say_name(f, x, tr_fact_text(t, worst, "name"));
    tr_finding_say(f, x, ", which reaches %.0f %%", tr_fact_number(t, worst, "roofline_pct"));
    tr_finding_evidence(x, "worst_roofline_pct", tr_fact_number(t, worst, "roofline_pct"));
    tr_finding_evidence(x, "worst_saving_us", most / 1e3);
}

static const char *lacks(const struct tr_findings *f)
{
    const struct tr_table *t = tr_finding_table(f, TR_FACT_ROOFLINE);
    for (size_t row = 0; row < tr_fact_rows(t); row++)
        if (tr_fact_number(t, row, "roofline_pct") > 0)
            return NULL;
    return "the trace does not name a known device (--arch), or has no shapes of operators (record_shapes)";
}

const struct tr_finding_kind tr_finding_low_roofline = {
    .id = "low_roofline",
    .grounds = TR_FINDING_ON_WORK | TR_FINDING_ON_LAUNCHES,
    .checks = "how near operators come to what their device can do",
    .limits = limits,
    .commands = { "tr-roofline" },
    .lacks = lacks,
    .look = look,
};
