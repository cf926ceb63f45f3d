/* SPDX-License-Identifier: MIT */
/* A compiled model runs as several graphs, and devices wait for the host between them. */
#include "analysis/findings/tr_finding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct tr_finding_limit limits[] = { { "share", 2, "%", "of the step that devices wait" }, { NULL } };

static int compare(const void *x, const void *y)
{
    return *(const int *)x - *(const int *)y;
}

/*
 * The number of compiled graphs: torch.compile marks each call of one as "Torch-Compiled Region: GRAPH/VERSION".
 */
static size_t n_graphs(const struct tr_table *operators)
{
    static const char mark[] = "Torch-Compiled Region: ";
    size_t rows = tr_fact_rows(operators), n = 0, distinct = 0;
    int *graphs = malloc((rows + 1) * sizeof *graphs);
    for (size_t i = 0; graphs && i < rows; i++) {
        struct tr_str name = tr_fact_text(operators, i, "name");
        if (name.len > strlen(mark) && memcmp(name.s, mark, strlen(mark)) == 0)
            graphs[n++] = atoi(name.s + strlen(mark));
    }
    if (n)
        qsort(graphs, n, sizeof *graphs, compare);
    for (size_t i = 0; i < n; i++)
        distinct += !i || graphs[i] != graphs[i - 1];
    free(graphs);
    return distinct;
}

static void look(struct tr_findings *f)
{
    size_t graphs = n_graphs(tr_finding_table(f, TR_FACT_OPERATORS));
    double ns = tr_finding_starved(f);
    if (graphs < 2 || !tr_finding_matters(f, ns, 0))
        return;
    struct tr_finding *x = tr_finding_add(f, ns, 0.5 * ns, ns);
    tr_finding_say(f, x, "The compiled model is broken into %zu graphs, and devices wait for the host ", graphs);
    tr_finding_say_time(f, x, ns);
    tr_finding_say(f, x, " of %s", tr_finding_each_step(f));
    tr_finding_say_share(f, x, ns);
    tr_finding_say(f, x, ": see why it is broken (TORCH_LOGS=graph_breaks)");
    tr_finding_evidence(x, "graphs", (double)graphs);
    tr_finding_evidence(x, "host_wait_us", ns / 1e3);
    tr_finding_take_starved(f, ns);
}

const struct tr_finding_kind tr_finding_graph_breaks = {
    .id = "graph_breaks",
    .grounds = TR_FINDING_ON_WORK | TR_FINDING_ON_LAUNCHES,
    .checks = "whether a compiled model is broken into several graphs",
    .limits = limits,
    .commands = { "tr-breakdown --by operator --op Torch-Compiled", "tr-breakdown --by idle" },
    .part = "host_busy",
    .look = look,
};
