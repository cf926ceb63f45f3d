/* SPDX-License-Identifier: MIT */
/*
 * Utilization of devices: the cycles that kernels take according to a compiler (tr_ideal.h), divided by the time that
 * they took.
 *
 * A kernel is found by its name without " Cmpt Exec"; "[N]" in it is the arg fn_idx.  Several files of ideal cycles
 * belong to the ranks in their order, a single one to all ranks.  If a file has several tables, each job (a source)
 * uses the one that names most of its kernels.  If several do, it uses the one with the fewest kernels that are faster
 * than their ideal time; then the one with the most ideal time.
 *
 * No kernel can be faster than its ideal time: if it seems so, the frequency or the table is wrong.  Such kernels have
 * a utilization above 100 %.  They are counted, but are not in the sums of ideal time.
 *
 * Memory: 48 bytes for each kernel, until the end.
 */
#include "analysis/roofline/tr_roofline_analyses.h"
#include "base/tr_hash.h"
#include "base/tr_int128.h"
#include "base/tr_mem.h"
#include "base/tr_num.h"
#include "base/tr_sort.h"
#include "stream/tr_args.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNKNOWN, PREFILL, DECODING, N_PHASES };
static const char *const phases[N_PHASES] = { "UNKN", "PREFILL", "DECODING" };

#define OTHER 0u /* the category of kernels that no table names; others by name, from 1 */

struct ran {
    int64_t ts, dur, index; /* index: fn_idx, TR_I64_NONE: none */
    uint64_t record;
    uint32_t source, name;
};

struct sums {
    uint64_t calls, over; /* over: faster than their ideal time */
    int64_t ns, cycles;   /* cycles: without those */
    bool known;
};

/* A job's table, and its index among ranks and phases. */
struct job {
    const struct tr_ideal_table *table; /* NULL: none for its rank */
    size_t rank, phase;
};

struct ideal {
    struct tr_analysis_in in;
    const struct tr_ideal_options *o;
    struct tr_arg index;
    struct ran *kernels;
    size_t n_kernels, cap_kernels;
    /* After the last batch. */
    int64_t *ranks; /* ranks that have kernels, in order; -1: unknown */
    size_t n_ranks;
    struct job *jobs; /* by source */
    const char **categories; /* by number; NULL at 0 */
    size_t n_categories;
};

/* A check before the start has no error here: columns are described without tables, too. */
static enum tr_status start(const struct tr_analysis_in *in, const void *options, void *state, struct tr_error *err)
{
    const struct tr_ideal_options *o = options;
    if (!o->tables || !o->tables->n_files)
        return tr_fail(err, TR_USAGE, "this table needs ideal cycles: --attach");
    struct ideal *p = state;
    p->in = *in;
    p->o = o;
    return TR_OK;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *table,
                           struct tr_error *err)
{
    struct ideal *p = state;
    (void)table;
    if (!tr_arg_read(&p->index, b, TR_PLACE_ARGS, "fn_idx"))
        return tr_fail_memory(err);
    for (size_t i = 0; i < b->n; i++) {
        bool kernel = b->activity[i] == TR_ACT_KERNEL && b->kind[i] != TR_KIND_COMM && b->phase[i] == TR_SPAN &&
                      b->suspect[i] == TR_SUSPECT_NO && b->ts[i] != TR_TIME_NONE && b->dur[i] >= 0;
        if (!kernel || (keep && !keep[i]))
            continue;
        if (!tr_grow(&p->kernels, &p->cap_kernels, p->n_kernels + 1, sizeof *p->kernels))
            return tr_fail_memory(err);
        p->kernels[p->n_kernels++] = (struct ran){ b->ts[i], b->dur[i], tr_arg_int(&p->index, i), b->record[i],
                                                   b->dict->tracks[b->track[i]].source, b->name[i] };
    }
    return TR_OK;
}

static void release(void *state)
{
    struct ideal *p = state;
    tr_arg_free(&p->index);
    free(p->kernels);
    free(p->ranks);
    free(p->jobs);
    free(p->categories);
}

/* ---- a kernel and its ideal cycles ---- */

static const struct tr_ideal_row *row_of(const struct ideal *p, const struct tr_ideal_table *t, const struct ran *k)
{
    static const char after[] = " Cmpt Exec", any[] = "[N]";
    char name[512];
    struct tr_str s = tr_dict_text(p->in.dict, k->name);
    size_t n = sizeof after - 1, at = 0;
    if (s.len > n && !memcmp(s.s + s.len - n, after, n))
        s.len -= n;
    if (k->index != TR_I64_NONE && s.len < sizeof name - 32) {
        while (at + 3 <= s.len && memcmp(s.s + at, any, 3) != 0)
            at++;
        if (at + 3 <= s.len) {
            int len = snprintf(name, sizeof name, "%.*s%lld%.*s", (int)at, s.s, (long long)k->index,
                               (int)(s.len - at - 3), s.s + at + 3);
            s = (struct tr_str){ name, (size_t)len };
        }
    }
    return tr_ideal_find(t, s);
}

/* Is this time shorter than this number of cycles takes? */
static bool faster(const struct ideal *p, int64_t ns, int64_t cycles)
{
    return tr_i128_cmp(tr_i128_mul(cycles, 1000000000), tr_i128_mul(ns, p->o->hz)) > 0;
}

static double ideal_ns(const struct ideal *p, int64_t cycles)
{
    return (double)cycles * 1e9 / (double)p->o->hz;
}

static double util_pct(const struct ideal *p, int64_t cycles, int64_t ns)
{
    return ns > 0 ? 100 * ideal_ns(p, cycles) / (double)ns : NAN;
}

/* ---- jobs ---- */

static bool find_ranks(struct ideal *p)
{
    const struct tr_dict *d = p->in.dict;
    p->ranks = malloc((p->n_kernels + 1) * sizeof *p->ranks);
    p->jobs = calloc(d->n_sources + 1, sizeof *p->jobs);
    if (!p->ranks || !p->jobs)
        return false;
    for (size_t k = 0; k < p->n_kernels; k++)
        p->ranks[k] = d->sources[p->kernels[k].source].rank;
    qsort(p->ranks, p->n_kernels, sizeof *p->ranks, tr_by_i64);
    for (size_t k = 0; k < p->n_kernels; k++)
        if (!p->n_ranks || p->ranks[p->n_ranks - 1] != p->ranks[k])
            p->ranks[p->n_ranks++] = p->ranks[k];
    for (size_t s = 0; s < d->n_sources; s++)
        TR_BOUND(p->jobs[s].rank, p->n_ranks, mid, p->ranks[mid] < d->sources[s].rank);
    return true;
}

static bool of_rank(const struct ideal *p, const struct tr_ideal_table *t, size_t rank)
{
    return p->o->tables->n_files == 1 || t->file == rank;
}

/* How well does a table fit each job? */
struct match {
    uint64_t named, over;
    int64_t cycles, ns;
};

static bool better(const struct match *a, const struct match *b)
{
    if (a->named != b->named)
        return a->named > b->named;
    return a->over != b->over ? a->over < b->over : a->cycles > b->cycles;
}

/* Choose the table of each job. */
static bool find_tables(struct ideal *p)
{
    size_t n = p->in.dict->n_sources;
    struct match *best = calloc(n + 1, sizeof *best), *now = calloc(n + 1, sizeof *now);
    bool ok = best && now;
    for (size_t i = 0; i < p->o->tables->n_tables && ok; i++) {
        const struct tr_ideal_table *t = &p->o->tables->tables[i];
        memset(now, 0, n * sizeof *now);
        for (size_t k = 0; k < p->n_kernels; k++) {
            struct match *m = &now[p->kernels[k].source];
            const struct tr_ideal_row *r = t->autopilot ? NULL : row_of(p, t, &p->kernels[k]);
            m->named += r || t->autopilot;
            m->over += r && faster(p, p->kernels[k].dur, r->cycles);
            m->cycles += r ? r->cycles : 0;
            m->ns += p->kernels[k].dur;
        }
        for (size_t s = 0; s < n; s++) {
            struct job *j = &p->jobs[s];
            if (t->autopilot) {
                now[s].cycles = t->total;
                now[s].over = faster(p, now[s].ns, t->total);
            }
            if (!of_rank(p, t, j->rank) || (j->table && !better(&now[s], &best[s])))
                continue;
            best[s] = now[s];
            j->table = t;
            j->phase = !strcmp(t->phase, phases[PREFILL])    ? PREFILL
                       : !strcmp(t->phase, phases[DECODING]) ? DECODING
                                                             : UNKNOWN;
        }
    }
    free(best);
    free(now);
    return ok;
}

static enum tr_status prepare(struct ideal *p, struct tr_error *err)
{
    if (!find_ranks(p) || !find_tables(p))
        return tr_fail_memory(err);
    size_t files = p->o->tables->n_files;
    if (files > 1 && files != p->n_ranks)
        tr_analysis_remark(&p->in, TR_REMARK_WARN, NULL,
                           "files of ideal cycles: %zu, ranks: %zu; they belong to the first ranks, "
                           "in order",
                           files, p->n_ranks);
    return TR_OK;
}

static void remark_over(const struct ideal *p, uint64_t over)
{
    if (over)
        tr_analysis_remark_sum(&p->in, TR_REMARK_WARN, NULL, over,
                               "# of the kernels are faster than their ideal time: --core-freq or the "
                               "table is wrong, and their ideal time is left out of sums");
}

/* The group of a rank, with which its rows start; a negative rank is unknown. */
static struct tr_group_key group_of(int64_t rank)
{
    return (struct tr_group_key){ .rank = rank < 0 ? TR_GROUP_NONE : rank };
}

/* Ideal cycles of a row in a table; NULL: none. */
static int64_t cycles_of(const struct tr_ideal_row *r)
{
    return r ? r->cycles : TR_I64_NONE;
}

/* ---- the tables themselves ---- */

struct list_row {
    struct tr_group_key key;
    uint64_t table;
    const char *phase, *kernel, *category;
    int64_t cycles;
};

static const struct tr_table_column list_columns[] = {
    { "table", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct list_row, table), .extra = true,
      .meaning = "number of the table, from 0" },
    { "phase", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct list_row, phase),
      .meaning = "PREFILL, DECODING, or UNKN: the log does not say" },
    { "kernel", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct list_row, kernel), .names = true,
      .meaning = "the kernel; Total: the sum, as the log says it" },
    { "category", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct list_row, category), .meaning = "its category" },
    { "ideal_cycles", TR_CELL_COUNT, TR_ROLE_SUM, TR_OF(struct list_row, cycles), .main = true,
      .meaning = "cycles that it should take" },
};

static enum tr_status list_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct ideal *p = state;
    const struct tr_ideal *of = p->o->tables;
    enum tr_status st = prepare(p, err);
    for (size_t i = 0; i < of->n_tables && st == TR_OK; i++) {
        const struct tr_ideal_table *table = &of->tables[i];
        bool ranked = of->n_files > 1 && table->file < p->n_ranks;
        for (size_t r = 0; r < table->n_rows; r++) {
            struct list_row row = { group_of(ranked ? p->ranks[table->file] : TR_GROUP_NONE), i, table->phase,
                                    table->rows[r].kernel, table->rows[r].category, table->rows[r].cycles };
            tr_table_grouped_rows(t, &row, 1, sizeof row);
        }
    }
    return st == TR_OK ? tr_table_status(t, err) : st;
}

/* ---- each kernel ---- */

struct kernel_row {
    struct tr_group_key key;
    uint64_t source, record;
    uint32_t name;
    int64_t start, dur, cycles;
    const char *phase, *category;
    double util;
};

static const struct tr_table_column kernel_columns[] = {
    { "source", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct kernel_row, source), .extra = true,
      .meaning = "number of its file, from 0" },
    { "record", TR_CELL_COUNT, TR_ROLE_KEY, TR_OF(struct kernel_row, record), .extra = true,
      .meaning = "index of the kernel in its file" },
    { "name", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct kernel_row, name), .names = true, .meaning = "the kernel" },
    { "start", TR_CELL_TIME, TR_ROLE_MIN, TR_OF(struct kernel_row, start), .meaning = "its start" },
    { "dur", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct kernel_row, dur), .meaning = "its duration" },
    { "phase", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct kernel_row, phase), .extra = true,
      .meaning = "the phase of its job" },
    { "category", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct kernel_row, category),
      .meaning = "its category; other: the log does not have it" },
    { "ideal_cycles", TR_CELL_COUNT, TR_ROLE_SUM, TR_OF(struct kernel_row, cycles),
      .meaning = "cycles that it should take" },
    { "util_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 6, TR_OF(struct kernel_row, util), .unit = "%", .main = true,
      .meaning = "time of its ideal cycles, as a share of its duration" },
};

static enum tr_status kernel_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct ideal *p = state;
    enum tr_status st = prepare(p, err);
    uint64_t over = 0;
    for (size_t i = 0; i < p->n_kernels && st == TR_OK; i++) {
        const struct ran *k = &p->kernels[i];
        const struct job *j = &p->jobs[k->source];
        const struct tr_ideal_row *r = j->table && !j->table->autopilot ? row_of(p, j->table, k) : NULL;
        bool relative = p->in.relative;
        struct kernel_row row = {
            .key = group_of(p->ranks[j->rank]),
            .source = k->source,
            .record = k->record,
            .name = k->name,
            .start = relative ? tr_source_to_file(&p->in.dict->sources[k->source], k->ts) : k->ts,
            .dur = k->dur,
            .phase = j->table ? j->table->phase : NULL,
            .category = r ? r->category : "other",
            .cycles = cycles_of(r),
            .util = r ? util_pct(p, r->cycles, k->dur) : NAN,
        };
        tr_table_grouped_rows(t, &row, 1, sizeof row);
        over += r && faster(p, k->dur, r->cycles);
    }
    remark_over(p, over);
    return st == TR_OK ? tr_table_status(t, err) : st;
}

/* ---- by category ---- */

static int by_text(const void *x, const void *y)
{
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

static bool find_categories(struct ideal *p)
{
    size_t n = 1;
    for (size_t t = 0; t < p->o->tables->n_tables; t++)
        n += p->o->tables->tables[t].n_rows;
    p->categories = calloc(n, sizeof *p->categories);
    if (!p->categories)
        return false;
    p->n_categories = 1;
    for (size_t t = 0; t < p->o->tables->n_tables; t++)
        for (size_t r = 0; r < p->o->tables->tables[t].n_rows; r++)
            if (p->o->tables->tables[t].rows[r].category)
                p->categories[p->n_categories++] = p->o->tables->tables[t].rows[r].category;
    n = p->n_categories;
    qsort(p->categories + 1, n - 1, sizeof *p->categories, by_text);
    p->n_categories = 1;
    for (size_t i = 1; i < n; i++)
        if (i == 1 || strcmp(p->categories[i], p->categories[p->n_categories - 1]) != 0)
            p->categories[p->n_categories++] = p->categories[i];
    return true;
}

static size_t category_of(const struct ideal *p, const struct tr_ideal_row *r)
{
    const char **found =
        r ? bsearch(&r->category, p->categories + 1, p->n_categories - 1, sizeof *found, by_text) : NULL;
    return found ? (size_t)(found - p->categories) : OTHER;
}

static void count(const struct ideal *p, struct sums *s, int64_t ns, int64_t cycles)
{
    bool over = faster(p, ns, cycles);
    s->calls++;
    s->over += over;
    s->ns += ns;
    s->cycles += over ? 0 : cycles;
}

/* The sums of all kernels: by rank, phase and category. */
static void add_kernels(const struct ideal *p, struct sums *sums, struct sums *total)
{
    for (size_t i = 0; i < p->n_kernels; i++) {
        const struct ran *k = &p->kernels[i];
        const struct job *j = &p->jobs[k->source];
        size_t at = j->rank * N_PHASES + j->phase;
        bool apart = !j->table || !j->table->autopilot;
        const struct tr_ideal_row *r = j->table && apart ? row_of(p, j->table, k) : NULL;
        if (apart)
            count(p, &sums[at * p->n_categories + category_of(p, r)], k->dur, r ? r->cycles : 0);
        else
            count(p, &total[at], k->dur, 0);
    }
}

/*
 * Autopilot jobs, whose kernels cannot be distinguished: add their sums.  All jobs: mark the categories of their
 * tables.
 */
static bool add_jobs(const struct ideal *p, struct sums *sums, struct sums *total)
{
    size_t n = p->in.dict->n_sources;
    int64_t *ns = calloc(n + 1, sizeof *ns);
    for (size_t i = 0; ns && i < p->n_kernels; i++)
        ns[p->kernels[i].source] += p->kernels[i].dur;
    for (size_t s = 0; ns && s < n; s++) {
        const struct job *j = &p->jobs[s];
        size_t at = j->rank * N_PHASES + j->phase;
        if (!ns[s])
            continue;
        sums[at * p->n_categories + OTHER].known = true;
        for (size_t r = 0; j->table && r < j->table->n_rows; r++)
            if (j->table->rows[r].category)
                sums[at * p->n_categories + category_of(p, &j->table->rows[r])].known = true;
        if (j->table && j->table->autopilot && faster(p, ns[s], j->table->total))
            total[at].over++;
        else if (j->table && j->table->autopilot)
            total[at].cycles += j->table->total;
    }
    free(ns);
    return ns;
}

struct category_row {
    struct tr_group_key key;
    const char *phase, *category;
    struct sums s;
    double ideal, util, pct, ideal_pct;
};

static double share(int64_t part, int64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : NAN;
}

static void category_row(const struct ideal *p, struct tr_table *t, size_t at, const char *name, const struct sums *s,
                         const struct sums *all)
{
    const struct category_row row = { .key = group_of(p->ranks[at / N_PHASES]),
                                      .phase = phases[at % N_PHASES],
                                      .category = name,
                                      .s = *s,
                                      .ideal = ideal_ns(p, s->cycles),
                                      .util = util_pct(p, s->cycles, s->ns),
                                      .pct = share(s->ns, all->ns),
                                      .ideal_pct = share(s->cycles, all->cycles) };
    tr_table_grouped_rows(t, &row, 1, sizeof row);
}

struct placed {
    const struct sums *s;
    const char *name;
};

TR_ORDER(by_time, struct placed, TR_DOWN(s->ns), strcmp(a->name, b->name))

static bool category_rows(const struct ideal *p, struct tr_table *t, size_t at, const struct sums *sums,
                          struct sums *total)
{
    struct placed *v = calloc(p->n_categories, sizeof *v);
    size_t n = 0;
    for (size_t c = 0; v && c < p->n_categories; c++) {
        const struct sums *s = &sums[at * p->n_categories + c];
        if (!s->known)
            continue;
        v[n++] = (struct placed){ s, c == OTHER ? "other" : p->categories[c] };
        total[at].calls += s->calls;
        total[at].over += s->over;
        total[at].ns += s->ns;
        total[at].cycles += s->cycles;
    }
    if (v)
        qsort(v, n, sizeof *v, by_time);
    for (size_t i = 0; v && i < n; i++)
        category_row(p, t, at, v[i].name, v[i].s, &total[at]);
    if (v && n)
        category_row(p, t, at, TR_IDEAL_TOTAL, &total[at], &total[at]);
    free(v);
    return v;
}

static enum tr_status category_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct ideal *p = state;
    enum tr_status st = prepare(p, err);
    if (st != TR_OK || !find_categories(p))
        return st == TR_OK ? tr_fail_memory(err) : st;
    size_t n = p->n_ranks * N_PHASES;
    struct sums *sums = calloc(n * p->n_categories + 1, sizeof *sums), *total = calloc(n + 1, sizeof *total);
    bool ok = sums && total;
    uint64_t over = 0;
    if (ok)
        add_kernels(p, sums, total);
    ok = ok && add_jobs(p, sums, total);
    for (size_t at = 0; ok && at < n; at++) {
        ok = category_rows(p, t, at, sums, total);
        over += total[at].over;
    }
    remark_over(p, over);
    free(sums);
    free(total);
    return ok ? tr_table_status(t, err) : tr_fail_memory(err);
}

static const struct tr_table_column category_columns[] = {
    { "phase", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct category_row, phase),
      .meaning = "PREFILL, DECODING, or UNKN: the log does not say" },
    { "category", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct category_row, category),
      .meaning = "category of kernels; other: the log does not have them; Total: all" },
    { "calls", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct category_row, s.calls), .meaning = "number of kernels" },
    { "sum", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct category_row, s.ns), .meaning = "time that they took" },
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, TR_OF(struct category_row, pct), .unit = "%",
      .meaning = "share of the time of all kernels" },
    { "ideal_cycles", TR_CELL_COUNT, TR_ROLE_SUM, TR_OF(struct category_row, s.cycles), .extra = true,
      .meaning = "cycles that they should take" },
    { "ideal", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct category_row, ideal), .meaning = "time of these cycles" },
    { "ideal_pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, TR_OF(struct category_row, ideal_pct), .unit = "%",
      .extra = true, .meaning = "share of the ideal cycles of all kernels" },
    { "util_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 6, TR_OF(struct category_row, util), .unit = "%", .main = true,
      .meaning = "ideal time as a share of the time" },
    { "over", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct category_row, s.over),
      .meaning = "kernels faster than their ideal time, which is left out" },
};

/* ---- by rank ---- */

struct rank_row {
    struct tr_group_key key;
    uint64_t kernels, over;
    int64_t modelled, other;
    double modelled_util, util;
};

static const struct tr_table_column rank_columns[] = {
    { "kernels", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct rank_row, kernels), .meaning = "number of kernels" },
    { "modelled", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct rank_row, modelled),
      .meaning = "time of kernels with ideal cycles" },
    { "other", TR_CELL_TIME, TR_ROLE_SUM, TR_OF(struct rank_row, other), .meaning = "time of the other kernels" },
    { "modelled_util_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 6, TR_OF(struct rank_row, modelled_util), .unit = "%",
      .meaning = "ideal time as a share of modelled" },
    { "util_pct", TR_CELL_RATIO, TR_ROLE_RATIO, 6, TR_OF(struct rank_row, util), .unit = "%", .main = true,
      .meaning = "ideal time as a share of the time of all kernels" },
    { "over", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct rank_row, over),
      .meaning = "kernels faster than their ideal time, which is left out" },
};

static enum tr_status rank_finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct ideal *p = state;
    enum tr_status st = prepare(p, err);
    struct sums *sums = st == TR_OK ? calloc(2 * p->n_ranks + 1, sizeof *sums) : NULL; /* modelled, and not */
    uint64_t over = 0;
    if (st == TR_OK && !sums)
        return tr_fail_memory(err);
    for (size_t i = 0; i < p->n_kernels && st == TR_OK; i++) {
        const struct ran *k = &p->kernels[i];
        const struct job *j = &p->jobs[k->source];
        const struct tr_ideal_row *r = j->table && !j->table->autopilot ? row_of(p, j->table, k) : NULL;
        count(p, &sums[2 * j->rank + !(r && r->cycles)], k->dur, r ? r->cycles : 0);
    }
    for (size_t r = 0; r < p->n_ranks && st == TR_OK; r++) {
        const struct sums *yes = &sums[2 * r], *no = yes + 1;
        const struct rank_row row = { .key = group_of(p->ranks[r]),
                                      .kernels = yes->calls + no->calls,
                                      .over = yes->over,
                                      .modelled = yes->ns,
                                      .other = no->ns,
                                      .modelled_util = util_pct(p, yes->cycles, yes->ns),
                                      .util = util_pct(p, yes->cycles, yes->ns + no->ns) };
        tr_table_grouped_rows(t, &row, 1, sizeof row);
        over += yes->over;
    }
    remark_over(p, over);
    free(sums);
    return st == TR_OK ? tr_table_status(t, err) : st;
}

/* ---- descriptions ---- */

static enum tr_status parse_mhz(void *hz, const char *value, struct tr_error *err)
{
    double mhz;
    enum tr_status st = tr_num_double(value, -1e300, 1e300, &mhz, err);
    if (st == TR_OK && !(mhz >= 1e-6 && mhz <= 1e6))
        return tr_fail(err, TR_USAGE, "not above 0 and at most 1000000 MHz");
    if (st == TR_OK)
        *(int64_t *)hz = (int64_t)(mhz * 1e6 + 0.5);
    return st;
}

/* A mark of the tables: with others, sums are others. */
static bool say_tables(const void *field, struct tr_buf *text)
{
    const struct tr_ideal *of = *(struct tr_ideal *const *)field;
    uint64_t mark = 0;
    for (size_t t = 0; of && t < of->n_tables; t++) {
        mark = tr_mix64(mark, (uint64_t)of->tables[t].total);
        for (size_t r = 0; r < of->tables[t].n_rows; r++) {
            const struct tr_ideal_row *row = &of->tables[t].rows[r];
            mark = tr_mix64(mark ^ tr_hash(row->kernel, strlen(row->kernel)), (uint64_t)row->cycles);
        }
    }
    char s[24];
    snprintf(s, sizeof s, "%" PRIx64, mark);
    return tr_buf_add_str(text, s);
}

static const char *refuses(const void *options)
{
    const struct tr_ideal *of = ((const struct tr_ideal_options *)options)->tables;
    return of && of->n_files > 1
               ? "files of ideal cycles belong to the ranks in their order, which only all ranks give"
               : NULL;
}

static const struct tr_saving saving = {
    .version = 1, .whole_ranks = true, .kept = TR_KEPT_BY_RANK, .refuses = refuses
};

static const struct tr_ideal_options defaults = TR_IDEAL_DEFAULTS;
static const struct tr_option kernel_options[] = {
    { 0, "core-freq", "MHZ", TR_OPTION_CALL, offsetof(struct tr_ideal_options, hz), .call = parse_mhz,
      .help = "frequency of the cores, of which ideal cycles are [1100]" },
    { 0, "attach", "FILE", TR_OPTION_CALL, offsetof(struct tr_ideal_options, tables), .say = say_tables,
      .hidden = true },
    { 0 },
};

#define IDEAL(which, asked, settings, cols, end, ...)                                                     \
    const struct tr_analysis which = {                                                                    \
        .name = asked,                                                                                    \
        .question = "How much of what a device can do did kernels use?",                                  \
        .nothing = "no kernel is selected",                                                               \
        .groups = TR_PER_BIT(TR_PER_RANK),                                                                \
        .group = TR_PER_RANK,                                                                             \
        TR_OPTIONS(settings, defaults),                                                                   \
        .needs = { .want = { .fixed = TR_GROUP_BY_FIXED | TR_FIXED_BIT(NAME) | TR_FIXED_BIT(RECORD) |     \
                                      TR_FIXED_BIT(SHAPE), TR_KEYS("fn_idx") } },                         \
        TR_OWN_COLUMNS(cols),                                                                             \
        .state_size = sizeof(struct ideal),                                                               \
        .start = start,                                                                                   \
        .feed = feed,                                                                                     \
        .finish = end,                                                                                    \
        .free = release,                                                                                  \
        __VA_ARGS__                                                                                       \
    }
IDEAL(tr_analysis_ideal, "ideal", NULL, list_columns, list_finish,
      .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "kernel", .y = { "ideal_cycles" }, .facet = "phase" },
      .unsaved = "its rows are those of the files of --attach, not of traces");
IDEAL(tr_analysis_utilization, "utilization", kernel_options, kernel_columns, kernel_finish,
      .chart = &(const struct tr_chart){ TR_CHART_SCATTER, .x = "dur", .y = { "util_pct" }, .series = "category",
                                 .facet = "rank", .log_x = true },
      .unsaved = "its rows have the numbers of files among those of all ranks");
IDEAL(tr_analysis_utilization_category, "utilization-category", kernel_options, category_columns, category_finish,
      .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "category", .y = { "sum", "ideal" }, .facet = "phase" },
      .saving = &saving);
IDEAL(tr_analysis_utilization_rank, "utilization-rank", kernel_options, rank_columns, rank_finish,
      .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "rank", .y = { "modelled_util_pct", "util_pct" } },
      .saving = &saving);
