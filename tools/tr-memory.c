/* tr-memory: device memory over time, from allocation events.  Manual: tr-memory(1). */
#include <config.h>

#include "analysis/tr_memory.h"
#include "cli/cli_analysis.h"

#include <stdio.h>

static const char *const by_names[] = { "category",   "operator", "top-operator",
                                        "annotation", "all",      NULL };

struct memory {
    struct cli_analysis a;
    int by;
    bool peak, end, summary;
    uint64_t top;
    /* while changes are written */
    struct tr_table *table;
};

static const struct cli_opt memory_opts[] = {
    { 0, "by", "WHAT", CLI_CHOICE, offsetof(struct memory, by), .choices = by_names,
      .help = "category, or operator, top-operator, annotation that allocated, or all [category]" },
    { 0, "peak", NULL, CLI_FLAG, offsetof(struct memory, peak),
      .help = "what was allocated when it was most" },
    { 0, "end", NULL, CLI_FLAG, offsetof(struct memory, end),
      .help = "what is still allocated at the end" },
    { 0, "summary", NULL, CLI_FLAG, offsetof(struct memory, summary),
      .help = "allocations, frees, growth, peak, unused reserve of each device" },
    { 0, "top", "N", CLI_U64, offsetof(struct memory, top),
      .help = "with --peak and --end: only the N largest of each device [all]" },
    CLI_ANALYSIS_OPTS(struct memory, a),
    { 0 },
};

static const struct cli_tool memory_tool = {
    .name = "tr-memory",
    .brief = "say how much memory was allocated, when, and for what",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_REPORT,
    .max_operands = CLI_ANY,
    .opts = memory_opts,
};

/* ---- cells ---- */

static void int_cell(struct tr_table *t, int64_t value, bool known)
{
    if (known)
        tr_table_int(t, value);
    else
        tr_table_absent(t);
}

static void count_cell(struct tr_table *t, uint64_t value, bool known)
{
    if (known)
        tr_table_count(t, value);
    else
        tr_table_absent(t);
}

static void time_cell(struct tr_table *t, const struct tr_dict *d, uint32_t source, int64_t ts)
{
    if (ts == TR_TIME_NONE)
        tr_table_absent(t);
    else
        tr_table_time(t, tr_source_to_file(&d->sources[source], ts));
}

static void device_cell(struct tr_table *t, const struct tr_memory_pool *p)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)p->device);
    tr_table_string(t, p->host ? "host" : p->device == TR_MEMORY_NONE ? NULL : text);
}

/* ---- one time: changes, peak, end ---- */

static void row_columns(struct tr_table *t, bool shares)
{
    tr_table_column(t, "rank", TR_CELL_INT, 0);
    tr_table_column(t, "ts", TR_CELL_TIME, 0);
    tr_table_column(t, "device", TR_CELL_STRING, 0);
    tr_table_column(t, "category", TR_CELL_STRING, 0);
    tr_table_column(t, "allocated_bytes", TR_CELL_INT, 0);
    tr_table_column(t, "reserved_bytes", TR_CELL_INT, 0);
    tr_table_column(t, "total_bytes", TR_CELL_INT, 0);
    if (!shares)
        return;
    tr_table_column(t, "pct", TR_CELL_RATIO, 2);
    tr_table_column(t, "allocations", TR_CELL_COUNT, 0);
}

static void row_cells(struct tr_table *t, const struct tr_dict *d, const struct tr_memory_row *r,
                      bool shares)
{
    int_cell(t, r->pool.rank, r->pool.rank >= 0);
    time_cell(t, d, r->pool.source, r->ts);
    device_cell(t, &r->pool);
    tr_table_string(t, r->category == TR_NO_STR ? NULL : tr_dict_str(d, r->category));
    tr_table_int(t, r->allocated);
    int_cell(t, r->reserved, r->reserved != TR_MEMORY_NONE);
    tr_table_int(t, r->total);
    if (!shares)
        return;
    tr_table_pct(t, r->allocated, r->total);
    tr_table_count(t, r->n_allocations);
}

static enum tr_status write_change(void *self, const struct tr_memory_row *row,
                                   struct tr_error *err)
{
    struct memory *o = self;
    row_cells(o->table, o->a.in->dict, row, false);
    return tr_table_status(o->table, err);
}

static bool same_pool(const struct tr_memory_pool *a, const struct tr_memory_pool *b)
{
    return a->source == b->source && a->host == b->host && a->device == b->device;
}

static enum tr_status moment_table(struct memory *o, struct tr_memory *m, struct tr_error *err)
{
    const struct tr_memory_row *rows;
    size_t n, place = 0;
    enum tr_status st =
        o->peak ? tr_memory_peak(m, &rows, &n, err) : tr_memory_end(m, &rows, &n, err);
    for (size_t i = 0; st == TR_OK && i < n; i++) {
        place = i > 0 && same_pool(&rows[i].pool, &rows[i - 1].pool) ? place + 1 : 0;
        if (!o->top || place < o->top)
            row_cells(o->table, o->a.in->dict, &rows[i], true);
    }
    return st;
}

/* ---- sums ---- */

static void sum_columns(struct tr_table *t, bool per_step)
{
    tr_table_column(t, "rank", TR_CELL_INT, 0);
    tr_table_column(t, "device", TR_CELL_STRING, 0);
    if (per_step)
        tr_table_column(t, "step", TR_CELL_INT, 0);
    tr_table_column(t, "allocations", TR_CELL_COUNT, 0);
    tr_table_column(t, "frees", TR_CELL_COUNT, 0);
    tr_table_column(t, "allocated_bytes", TR_CELL_INT, 0);
    tr_table_column(t, "freed_bytes", TR_CELL_INT, 0);
    tr_table_column(t, "largest_bytes", TR_CELL_INT, 0);
    tr_table_column(t, "start_bytes", TR_CELL_INT, 0);
    tr_table_column(t, "end_bytes", TR_CELL_INT, 0);
    tr_table_column(t, "growth_bytes", TR_CELL_INT, 0);
    tr_table_column(t, "peak_bytes", TR_CELL_INT, 0);
    tr_table_column(t, "peak", TR_CELL_TIME, 0);
    tr_table_column(t, "max_reserved_bytes", TR_CELL_INT, 0);
    tr_table_column(t, "max_unused_bytes", TR_CELL_INT, 0);
    tr_table_column(t, "live", TR_CELL_COUNT, 0);
    tr_table_column(t, "live_bytes", TR_CELL_INT, 0);
    tr_table_column(t, "unmatched_frees", TR_CELL_COUNT, 0);
}

static void sum_cells(struct tr_table *t, const struct tr_dict *d, const struct tr_memory_sum *s,
                      bool per_step)
{
    int_cell(t, s->pool.rank, s->pool.rank >= 0);
    device_cell(t, &s->pool);
    if (per_step)
        int_cell(t, s->step, s->step != TR_MEMORY_NONE);
    tr_table_count(t, s->n_allocs);
    tr_table_count(t, s->n_frees);
    tr_table_int(t, s->allocated);
    tr_table_int(t, s->freed);
    tr_table_int(t, s->largest);
    tr_table_int(t, s->start);
    tr_table_int(t, s->end);
    tr_table_int(t, s->growth);
    tr_table_int(t, s->peak);
    time_cell(t, d, s->pool.source, s->peak_ts);
    int_cell(t, s->reserved, s->reserved != TR_MEMORY_NONE);
    int_cell(t, s->unused, s->unused != TR_MEMORY_NONE);
    count_cell(t, s->n_live, s->addresses);
    int_cell(t, s->live, s->addresses);
    count_cell(t, s->n_unmatched, s->addresses);
}

static enum tr_status sum_table(struct memory *o, struct tr_memory *m, bool per_step,
                                struct tr_error *err)
{
    const struct tr_memory_sum *rows;
    size_t n;
    enum tr_status st = tr_memory_sums(m, &rows, &n, err);
    for (size_t i = 0; st == TR_OK && i < n; i++)
        sum_cells(o->table, o->a.in->dict, &rows[i], per_step);
    return st;
}

/* ---- the run ---- */

static enum tr_status check_options(const struct memory *o, struct tr_error *err)
{
    if (o->peak + o->end + o->summary > 1)
        return tr_fail(err, TR_USAGE, "options --peak, --end and --summary exclude each other");
    if (o->top && !o->peak && !o->end)
        return tr_fail(err, TR_USAGE, "option --top is for --peak and --end");
    if (o->summary && o->by != TR_MEMORY_CATEGORY)
        return tr_fail(err, TR_USAGE,
                       "option --by is not for --summary, which knows no categories");
    if (o->a.per == TR_PER_STEP && !o->summary)
        return tr_fail(err, TR_USAGE, "option --per step is for --summary");
    if (o->a.per >= 0 && o->a.per != TR_PER_DEVICE && o->a.per != TR_PER_STEP)
        return tr_fail(err, TR_USAGE, "memory is that of devices: --per %s means nothing here",
                       cli_analysis_per[o->a.per]);
    return TR_OK;
}

/* Why a table has no rows. */
static const char *why_empty(const struct memory *o)
{
    const struct tr_summary *s = o->a.in->summary;
    for (size_t i = 0; s && i < s->n; i++)
        if (s->sources[i].n_activity[TR_ACT_MEMORY_INSTANT])
            return "no event about memory is selected";
    return "no event about memory: PyTorch's profiler writes them with profile_memory=True";
}

static enum tr_status work(struct cli *cli, struct memory *o, struct tr_error *err)
{
    const struct tr_batch *b;
    const uint8_t *keep;
    const struct tr_select_opts *s = &o->a.select;
    bool changes = !o->peak && !o->end && !o->summary, per_step = o->a.per == TR_PER_STEP;
    const struct tr_memory_opts opts = { .by = (enum tr_memory_by)o->by,
                                         .per_step = per_step,
                                         .suspect = o->a.suspect,
                                         .timed = s->has_steps || s->has_time || s->has_host_time,
                                         .change = changes ? write_change : NULL,
                                         .change_self = o };
    struct tr_memory *m = tr_memory_new(&opts, o->a.in->dict, o->a.in->summary);
    enum tr_status st = m ? TR_OK : tr_fail_memory(err);
    if (o->summary)
        sum_columns(o->table, per_step);
    else
        row_columns(o->table, !changes);
    while (st == TR_OK && (st = cli_analysis_next(&o->a, &b, &keep, err)) == TR_OK)
        st = tr_memory_feed(m, b, keep, err);
    if (st == TR_END)
        st = tr_memory_finish(m, err);
    if (st == TR_OK && !changes)
        st = o->summary ? sum_table(o, m, per_step, err) : moment_table(o, m, err);
    if (st == TR_OK)
        st = cli_analysis_write(cli, &o->a, o->table, why_empty(o), err);
    tr_memory_free(m);
    return st;
}

static enum tr_status memory_run(struct cli *cli, void *arg, struct tr_error *err)
{
    static const char *const keys[] = { "Bytes",          "Addr",        "Total Allocated",
                                        "Total Reserved", "Device Type", "Device Id",
                                        "Category" };
    struct memory *o = arg;
    o->a.host = true;
    o->a.want = (struct tr_want){ .fixed = TR_WORK_FIXED | TR_WANT(NAME),
                                  .keys = keys,
                                  .n_keys = sizeof keys / sizeof keys[0] };
    enum tr_status st = check_options(o, err);
    if (st == TR_OK && !(o->table = cli_table_new(cli)))
        st = tr_fail_memory(err);
    if (st == TR_OK)
        st = cli_analysis_open(cli, &o->a, 0, err);
    if (st == TR_OK)
        st = work(cli, o, err);
    tr_table_free(o->table);
    cli_analysis_close(&o->a);
    return st;
}

int main(int argc, char **argv)
{
    return cli_main(argc, argv, &memory_tool, &(struct memory){ .a = CLI_ANALYSIS_INIT },
                    memory_run);
}
