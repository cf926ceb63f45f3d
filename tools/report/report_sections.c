/* SPDX-License-Identifier: MIT */
/* tr-report: its sections. */
#include "report/report.h"

#include "analysis/calls/tr_calls_analyses.h"
#include "analysis/comm/tr_comm_analyses.h"
#include "analysis/counters/tr_counters_analyses.h"
#include "analysis/memory/tr_memory_analyses.h"
#include "analysis/operators/tr_operators_analyses.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "analysis/sums/tr_sums_analyses.h"
#include "analysis/time/tr_time_analyses.h"

#include <string.h>

static const struct tr_name_stats_options sums = { .ratio = 1, .sums_only = true };
static const struct tr_name_stats_options short_sums = { .ratio = 1, .sums_only = true, .shorter = 10000 };
static const struct tr_idle_options idle_sums = { .threshold = TR_IDLE_THRESHOLD, .sums_only = true };

const struct report_section report_sections[REPORT_N_SECTIONS] = {
    [REPORT_FINDINGS] = { .name = "findings", .title = "Findings" },
    [REPORT_JOB] = { .name = "job", .title = "The job", .commands = { { .words = "tr-info" } } },
    [REPORT_TRUST] = { .name = "trust", .title = "Can it be trusted?", .commands = { { .words = "tr-info" } } },
    [REPORT_HEADLINE] = { .name = "headline",
                          .title = "Headline: means per step and per rank",
                          .commands = { { .words = "tr-diff --by headline", .how = REPORT_COMPARED } } },
    [REPORT_STEPS] = { .name = "steps",
                       .title = "Steps, each as long as on its slowest rank",
                       .commands = { { .words = "tr-diff --by steps", .how = REPORT_COMPARED, .no_where = true },
                                     { .words = "tr-breakdown --by step", .no_where = true } } },
    [REPORT_TYPICAL] = { .name = "typical",
                         .title = "A typical step",
                         .commands = { { .words = "tr-breakdown --by typical" } },
                         .analysis = &tr_analysis_typical,
                         .columns = "rank,device,stream,step,start,dur,kind,work,name",
                         .n_keys = 5,
                         .main = "dur",
                         .of_job = true,
                         .page = true },
    [REPORT_BREAKDOWN] = { .name = "breakdown",
                           .title = "Where the time of the devices went",
                           .commands = { { .words = "tr-breakdown --by time" } },
                           .analysis = &tr_analysis_time,
                           .columns = "span,busy,compute,exposed_comm,idle,idle_pct" },
    [REPORT_OUTLIERS] = { .name = "outliers",
                          .title = "Ranks unlike the others",
                          .commands = { { .words = "tr-breakdown --by time" } },
                          .several = true },
    [REPORT_DEVICES] = { .name = "devices",
                         .title = "Devices, each in the time of its rank",
                         .commands = { { .words = "tr-breakdown --by time --per device" } },
                         .analysis = &tr_analysis_time,
                         .columns = "device,span,busy,compute,exposed_comm,idle,idle_pct",
                         .n_keys = 1,
                         .main = "busy",
                         .all = true,
                         .in_order = true,
                         .devices = true },
    [REPORT_TIMELINE] = { .name = "timeline",
                          .title = "The time of the devices, as rows that add up",
                          .commands = { { .words = "tr-breakdown --by timeline" } },
                          .analysis = &tr_analysis_timeline,
                          .columns = "type,time,pct",
                          .n_keys = 1,
                          .main = "time",
                          .detail = true,
                          .all = true,
                          .in_order = true },
    [REPORT_IDLE] = { .name = "idle",
                      .title = "Why devices were idle",
                      .commands = { { .words = "tr-breakdown --by cause" }, { .words = "tr-breakdown --by idle" } },
                      .analysis = &tr_analysis_cause,
                      .options = &idle_sums,
                      .columns = "cause,idle,pct,gaps,mean,max",
                      .n_keys = 1,
                      .main = "idle",
                      .all = true },
    [REPORT_KERNELS] = { .name = "kernels",
                         .title = "Longest kernels, copies and memsets",
                         .commands = { { .words = "tr-breakdown --by kernel" } },
                         .analysis = &tr_analysis_kernel,
                         .options = &sums,
                         .columns = "kind,name,count,sum,pct,mean",
                         .n_keys = 2,
                         .main = "sum" },
    [REPORT_SHORT] = { .name = "short",
                       .title = "Kernels, copies and memsets of less than 10 us",
                       .commands = { { .words = "tr-breakdown --by kernel --where 'dur < 10us'" } },
                       .analysis = &tr_analysis_kernel,
                       .options = &short_sums,
                       .columns = "kind,name,count,sum,pct,mean",
                       .n_keys = 2,
                       .main = "sum",
                       .detail = true },
    [REPORT_OPERATORS] = { .name = "operators",
                           .title = "Operators by the device work that they launch",
                           .commands = { { .words = "tr-breakdown --by operator", .capture = true } },
                           .analysis = &tr_analysis_operator,
                           .columns = "name,calls,host_self,device_self,pct",
                           .n_keys = 1,
                           .main = "device_self" },
    [REPORT_CATEGORIES] = { .name = "categories",
                            .title = "Categories of operators",
                            .commands = { { .words = "tr-breakdown --by category", .capture = true } },
                            .analysis = &tr_analysis_category,
                            .columns = "category,calls,device_self,pct",
                            .n_keys = 1,
                            .main = "device_self" },
    [REPORT_SHAPES] = { .name = "shapes",
                        .title = "Operators by the shapes of their arguments",
                        .commands = { { .words = "tr-breakdown --by operator,shape --columns all", .capture = true } },
                        .analysis = &tr_analysis_operator,
                        .columns = "*name,shapes,dtypes,-strides,calls,device_self,pct",
                        .n_keys = 4,
                        .main = "device_self",
                        .detail = true },
    [REPORT_PARENTS] = { .name = "parents",
                         .title = "Kernels, copies and memsets by the operator that launched them, and by stream",
                         .commands = { { .words = "tr-breakdown --by operator,kernel --columns all",
                                         .capture = true } },
                         .analysis = &tr_analysis_operator,
                         .columns = "*name,kernel,stream,count,sum,pct",
                         .n_keys = 3,
                         .main = "sum",
                         .detail = true },
    [REPORT_FAMILIES] = { .name = "families",
                          .title = "How near families of operators come to what their device can do",
                          .commands = { { .words = "tr-roofline --by family", .arch = true, .capture = true } },
                          .analysis = &tr_analysis_roofline_family,
                          .columns = "family,calls,device,pct,tflops,tb_s,bound,roofline_pct",
                          .n_keys = 1,
                          .main = "device",
                          .n_arch = 2 },
    [REPORT_ROOFLINE] = { .name = "roofline",
                          .title = "How near operators come to what their device can do",
                          .commands = { { .words = "tr-roofline --by operator,params",
                                          .arch = true,
                                          .capture = true } },
                          .analysis = &tr_analysis_roofline,
                          .columns = "*name,family,params,calls,device,tflops,tb_s,bound,roofline_pct",
                          .n_keys = 3,
                          .main = "device",
                          .detail = true,
                          .n_arch = 2 },
    [REPORT_COMM] = { .name = "comm",
                      .title = "Communication",
                      .commands = { { .words = "tr-comm --by name --columns all" } },
                      .analysis = &tr_analysis_comm_name,
                      .columns = "+name,count,dur_sum,dur_mean,spread_max,busbw_mean_GBps,!clocks_differ",
                      .n_keys = 1,
                      .main = "dur_sum",
                      .of_job = true },
    [REPORT_STRAGGLERS] = { .name = "stragglers",
                            .title = "Which ranks the others waited for",
                            .commands = { { .words = "tr-comm --by straggler" } },
                            .analysis = &tr_analysis_straggler,
                            .columns = "rank,last_arrivals,pct,wait_caused,mean_lag,!clocks_differ",
                            .n_keys = 1,
                            .main = "wait_caused",
                            .of_job = true,
                            .several = true },
    [REPORT_INFERENCE] = { .name = "inference",
                           .title = "Steps of inference by phase: mean times",
                           .commands = { { .words = "tr-breakdown --by phase", .no_where = true } },
                           .analysis = &tr_analysis_phase,
                           .columns = "phase,steps,requests,tokens,mean,p99,busy_pct,tokens_per_s",
                           .n_keys = 1,
                           .main = "mean",
                           .all = true,
                           .infers = true,
                           .in_order = true },
    [REPORT_MEMORY] = { .name = "memory",
                        .title = "Memory",
                        .commands = { { .words = "tr-memory --by summary" } },
                        .analysis = &tr_analysis_memory_summary,
                        .columns = "peak_bytes,growth_bytes,live",
                        .main = "peak_bytes" },
    [REPORT_LAUNCHES] = { .name = "launches",
                          .title = "Launches by the name of the call",
                          .commands = { { .words = "tr-launch --columns all" } },
                          .analysis = &tr_analysis_api,
                          .options = &tr_launch_means,
                          .columns = "api,calls,launches,cpu_mean,start_latency_mean",
                          .n_keys = 1,
                          .main = "launches" },
    [REPORT_COUNTERS] = { .name = "counters",
                          .title = "Work that waits in queues of streams",
                          .commands = { { .words = "tr-counters --report", .no_unit = true } },
                          .analysis = &tr_analysis_queue,
                          .columns = "stream,max,time_mean",
                          .n_keys = 1,
                          .main = "max" },
};

/* Is there a device whose peaks are known? */
static bool has_peaks(const struct tr_table *t)
{
    size_t c = t ? tr_table_find(t, "roofline_pct") : SIZE_MAX;
    for (size_t row = 0; c != SIZE_MAX && row < tr_table_rows(t); row++)
        if (tr_table_get(t, row, c).s)
            return true;
    return false;
}

/* The columns of a section, as its analysis describes them.  Numbers with many digits have as many as a page needs. */
void report_columns_of(struct report *r, enum report_id id)
{
    const struct report_section *s = &report_sections[id];
    const char *at = s->columns;
    for (size_t n = 0; n < REPORT_MAX_COLUMNS && *at; n++) {
        bool hidden = *at == '-', label = *at == '*', names = *at == '+', mark = *at == '!';
        size_t len = strcspn(at += hidden || label || names || mark, ",");
        const struct tr_table_column *is = NULL;
        size_t c = 0;
        for (; (is = tr_table_column_at(r->tables[id], c)) != NULL; c++)
            if (strlen(is->name) == len && memcmp(is->name, at, len) == 0)
                break;
        at += len + (at[len] == ',');
        if (!is)
            continue;
        bool percent = is->unit && strcmp(is->unit, "%") == 0;
        enum tr_column_role role = is->role == TR_ROLE_SHARE ? TR_ROLE_SUM : is->role; /* the page has no bars */
        r->places[id][n] = c;
        r->columns[id][n] = (struct tr_table_column){ .name = is->name,
                                                      .type = is->type,
                                                      .role = s->n_keys ? role : TR_ROLE_TEXT,
                                                      .decimals = is->type != TR_CELL_RATIO ? 0
                                                                  : percent                 ? 2
                                                                                            : 3,
                                                      .names = is->names || names,
                                                      .label = label,
                                                      .wide = is->wide,
                                                      .extra = hidden,
                                                      .quiet = mark ? TR_QUIET_0 : TR_QUIET_NEVER,
                                                      .main = mark,
                                                      .unit = percent ? is->unit : NULL,
                                                      .of = is->of,
                                                      .per = is->per };
    }
}

const struct tr_table_column *report_columns(const struct report *r, const struct report_section *s)
{
    return r->columns[s - report_sections];
}

size_t report_n_columns(const struct report *r, const struct report_section *s)
{
    size_t n = 0;
    while (n < REPORT_MAX_COLUMNS && report_columns(r, s)[n].name)
        n++;
    return !s->n_arch || has_peaks(r->tables[s - report_sections]) ? n : n - s->n_arch;
}
