/* SPDX-License-Identifier: MIT */
/*
 * Which instructions of kernels are stalled, by what, and what do they wait for?
 *
 * A row of a metric file with an arg IP[Address] counts, for the instruction at this address of its kernel, the samples
 * in which it was active, and those in which it was stalled, by cause: args NAMEStall[Events].  Rows of one rank,
 * kernel and address are added up, also of several devices.  Causes that have no column of their own count as other.
 *
 * With dumps of shaders (vendor/tr_asm.h), rows have the instruction and its line of source; and an instruction that
 * waits for an entry of the scoreboard has the earlier instructions that set it, on all paths to it.
 *
 * Memory: 140 bytes for each instruction with a row, and one dump at a time.
 */
#include "analysis/counters/tr_metric_values.h"
#include "analysis/roofline/tr_roofline_analyses.h"
#include "base/tr_sort.h"
#include "base/tr_strtab.h"
#include "model/tr_eventmap.h"
#include "stream/tr_args.h"
#include "vendor/tr_asm.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SBID, CONTROL, PIPE, SEND, DIST, SYNC, INSTR_FETCH, OTHER, N_CAUSES, ACTIVE = N_CAUSES, NO_CAUSE };
static const struct {
    const char *name, *metric;
} causes[N_CAUSES + 1] = {
    [SBID] = { "sbid", "SbidStall" },
    [CONTROL] = { "control", "ControlStall" },
    [PIPE] = { "pipe", "PipeStall" },
    [SEND] = { "send", "SendStall" },
    [DIST] = { "dist", "DistStall" },
    [SYNC] = { "sync", "SyncStall" },
    [INSTR_FETCH] = { "instr_fetch", "InstrFetchStall" },
    [OTHER] = { "other", "OtherStall" },
    [ACTIVE] = { "active", "Active" },
};

/* An instruction. */
struct ip {
    uint32_t kernel, place; /* place: in the order of rows */
    uint64_t address;
    uint64_t n[N_CAUSES + 1]; /* samples; at ACTIVE those without a stall */
};

struct kernel {
    struct tr_group_key group;
    uint32_t name;
    uint64_t n[N_CAUSES + 1], stalls, instructions;
    size_t first, count; /* in ips, once they are sorted */
};

enum view { BY_KERNEL, BY_INSTRUCTION, BY_CAUSE, BY_WAIT };

struct stalls_state {
    struct tr_analysis_in in;
    const struct tr_stalls_options *options;
    enum view view;
    struct tr_metric_values *values;
    struct tr_arg address;
    uint8_t *cause_of; /* by metric; NO_CAUSE: none */
    size_t n_cause_of, cap_cause_of;
    struct tr_strtab *keys; /* of kernels: rank and name */
    struct kernel *kernels;
    size_t n_kernels, cap_kernels;
    struct tr_eventmap ip_of; /* by kernel and address */
    struct ip *ips;
    size_t n_ips, cap_ips;
    uint64_t bad; /* rows without an address */
    /* the dump of the kernel whose rows are made */
    struct tr_buf dump, text, waiting; /* text, waiting: of instructions */
    struct tr_asm code;
    bool has_code;
    uint64_t no_dump;
};

/* ---- columns ---- */

/* A row of any view. */
struct row {
    struct tr_group_key group;
    uint32_t name;
    const char *cause;
    struct tr_str address, waits_for, file, source, instruction, waiting;
    int64_t line;                             /* TR_I64_NONE: unknown */
    uint64_t instructions, stalls, whole;     /* whole: of which stalls are a share */
    uint64_t n[N_CAUSES + 1];
    char address_text[24], waits_for_text[24];
};

#define NAME(role_of) \
    { "name", TR_CELL_STRING, role_of, TR_OF(struct row, name), .names = true, .label = role_of == TR_ROLE_KEY, \
      .meaning = "the kernel" }
#define CAUSE(title, which, what)                                                          \
    { title, TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, n[which]), .quiet = TR_QUIET_0, \
      .meaning = "samples in which it " what }
#define ALL_CAUSES                                                                                                \
    CAUSE("active", ACTIVE, "was not stalled"), CAUSE("sbid", SBID, "waited for an entry of the scoreboard"),     \
        CAUSE("control", CONTROL, "waited for a branch"), CAUSE("pipe", PIPE, "waited for a pipeline"),           \
        CAUSE("send", SEND, "waited to send a message"),                                                          \
        CAUSE("dist", DIST, "waited for an instruction some way before"),                                         \
        CAUSE("sync", SYNC, "waited for other threads"),                                                          \
        CAUSE("instr_fetch", INSTR_FETCH, "waited for the instruction itself"),                                   \
        CAUSE("other", OTHER, "was stalled by something else")
#define STALLS(title, role_of, what) \
    { title, TR_CELL_COUNT, role_of, TR_OF(struct row, stalls), .main = true, .meaning = "samples " what }
#define PCT(title, what) \
    { "pct", TR_CELL_RATIO, TR_ROLE_SHARE, 2, TR_OF(struct row, whole), .unit = "%", .of = title, .meaning = what }
#define ALL_STALLS STALLS("stalls", TR_ROLE_COUNT, "with a stall of any cause")
#define TEXT(title, of, ...) { title, TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, of), .wide = true, __VA_ARGS__ }
#define WHERE(of_file)                                                                                   \
    TEXT("file", file, .meaning = of_file),                                                              \
        { "line", TR_CELL_INT, TR_ROLE_TEXT, TR_OF(struct row, line), .meaning = "line in that file" },  \
        TEXT("source", source, .extra = true, .meaning = "text of that line")
#define INSTRUCTION \
    WHERE("file of its source, from the dump"), \
        TEXT("instruction", instruction, .meaning = "the instruction, from the dump")
#define ADDRESS                                                           \
    { "address", TR_CELL_STRING, TR_ROLE_KEY, TR_OF(struct row, address), \
      .meaning = "of the instruction, from the start of its kernel" }

static const struct tr_table_column kernel_columns[] = {
    NAME(TR_ROLE_KEY),
    { "instructions", TR_CELL_COUNT, TR_ROLE_COUNT, TR_OF(struct row, instructions),
      .meaning = "instructions with a stall" },
    ALL_STALLS,
    PCT("stalls", "share of all stalls of the group"),
    ALL_CAUSES,
};
static const struct tr_table_column instruction_columns[] = {
    NAME(TR_ROLE_GROUP), ADDRESS, ALL_STALLS, PCT("stalls", "share of all stalls of the kernel"),
    ALL_CAUSES, INSTRUCTION,
};
static const struct tr_table_column cause_columns[] = {
    NAME(TR_ROLE_GROUP),
    { "cause", TR_CELL_STRING, TR_ROLE_GROUP, TR_OF(struct row, cause), .meaning = "cause of the stalls" },
    ADDRESS,
    STALLS("events", TR_ROLE_COUNT, "in which the instruction was stalled by it"),
    PCT("events", "share of all stalls of the kernel by this cause"),
    INSTRUCTION,
};
static const struct tr_table_column wait_columns[] = {
    NAME(TR_ROLE_GROUP),
    ADDRESS,
    STALLS("events", TR_ROLE_MAX, "in which it waited for the scoreboard"),
    { "waits_for", TR_CELL_STRING, TR_ROLE_TEXT, TR_OF(struct row, waits_for),
      .meaning = "address of an instruction that sets what it waits for; empty: none was found" },
    WHERE("file of the source of that one"),
    TEXT("setter", instruction, .meaning = "that instruction"),
    TEXT("instruction", waiting, .extra = true, .meaning = "the one that waits"),
};

/* ---- the run ---- */

static void release(void *state)
{
    struct stalls_state *s = state;
    tr_metric_values_free(s->values);
    tr_arg_free(&s->address);
    tr_strtab_free(s->keys);
    tr_eventmap_free(&s->ip_of);
    tr_asm_free(&s->code);
    tr_buf_free(&s->dump);
    tr_buf_free(&s->text);
    tr_buf_free(&s->waiting);
    free(s->cause_of);
    free(s->kernels);
    free(s->ips);
}

static enum tr_status start(const struct tr_analysis_in *in, const void *options, enum view view, void *state,
                            struct tr_error *err)
{
    struct stalls_state *s = state;
    s->in = *in;
    s->options = options;
    s->view = view;
    s->values = tr_metric_values_new(in->dict, NULL);
    s->keys = tr_strtab_new();
    return s->values && s->keys ? TR_OK : tr_fail_memory(err);
}

#define START(name, view)                                                                         \
    static enum tr_status name(const struct tr_analysis_in *in, const void *options, void *state, \
                               struct tr_error *err)                                              \
    {                                                                                             \
        return start(in, options, view, state, err);                                              \
    }
START(start_kernel, BY_KERNEL)
START(start_instruction, BY_INSTRUCTION)
START(start_cause, BY_CAUSE)
START(start_wait, BY_WAIT)

static uint8_t cause_of_name(const char *name)
{
    struct tr_str base = tr_metric_base(name);
    for (uint8_t c = 0; c <= N_CAUSES; c++)
        if (tr_str_is(base, causes[c].metric))
            return c;
    return base.len > 5 && !memcmp(base.s + base.len - 5, "Stall", 5) ? OTHER : NO_CAUSE;
}

/* The cause that a metric counts, or NO_CAUSE; *ok false: out of memory. */
static uint8_t cause_of(struct stalls_state *s, uint32_t metric, bool *ok)
{
    *ok = tr_grow(&s->cause_of, &s->cap_cause_of, (size_t)metric + 1, sizeof *s->cause_of);
    for (; *ok && s->n_cause_of <= metric; s->n_cause_of++)
        s->cause_of[s->n_cause_of] = cause_of_name(tr_metric_values_name(s->values, (uint32_t)s->n_cause_of));
    return *ok ? s->cause_of[metric] : (uint8_t)NO_CAUSE;
}

/* The number of the kernel of an event; UINT32_MAX: out of memory. */
static uint32_t kernel_of(struct stalls_state *s, const struct tr_batch *b, size_t i)
{
    const struct tr_source *source = &s->in.dict->sources[s->in.dict->tracks[b->track[i]].source];
    const int64_t key[] = { source->rank, b->name[i] };
    uint32_t number = tr_strtab_add(s->keys, key, sizeof key);
    if (number == TR_NO_STR || !tr_grow(&s->kernels, &s->cap_kernels, (size_t)number + 1, sizeof *s->kernels))
        return UINT32_MAX;
    if (number == s->n_kernels)
        s->kernels[s->n_kernels++] = (struct kernel){
            .group = { .rank = source->rank >= 0 ? source->rank : TR_GROUP_NONE, .device = TR_GROUP_NONE,
                       .stream = TR_GROUP_NONE, .step = TR_GROUP_NONE, .capture = source->capture },
            .name = b->name[i] };
    return number;
}

/* A hexadecimal address of up to 16 digits.  False: it is none. */
static bool read_address(struct tr_str text, uint64_t *address)
{
    static const char digits[] = "0123456789abcdef";
    size_t at = text.len > 2 && text.s[0] == '0' && (text.s[1] == 'x' || text.s[1] == 'X') ? 2 : 0;
    *address = 0;
    if (!text.s || text.len == at || text.len - at > 16)
        return false;
    for (; at < text.len; at++) {
        const char *digit = text.s[at] ? memchr(digits, text.s[at] | 0x20, 16) : NULL;
        if (!digit)
            return false;
        *address = *address << 4 | (uint64_t)(digit - digits);
    }
    return true;
}

static struct ip *ip_of(struct stalls_state *s, uint32_t kernel, uint64_t address)
{
    uint32_t at = tr_eventmap_get(&s->ip_of, kernel, address);
    if (at != TR_EVENTMAP_NONE)
        return &s->ips[at];
    if (s->n_ips >= TR_EVENTMAP_NONE || !tr_grow(&s->ips, &s->cap_ips, s->n_ips + 1, sizeof *s->ips) ||
        !tr_eventmap_put(&s->ip_of, kernel, address, (uint32_t)s->n_ips))
        return NULL;
    s->ips[s->n_ips] = (struct ip){ .kernel = kernel, .place = (uint32_t)s->n_ips, .address = address };
    return &s->ips[s->n_ips++];
}

static void add(uint64_t *sum, uint64_t more)
{
    *sum = *sum > UINT64_MAX - more ? UINT64_MAX : *sum + more;
}

static bool add_row(struct stalls_state *s, const struct tr_batch *b, size_t i)
{
    const struct tr_metric_value *of;
    uint64_t address;
    size_t n;
    bool ok;
    uint32_t text = tr_arg_text(&s->address, i);
    if (!read_address(tr_dict_text_if(s->in.dict, text), &address)) {
        s->bad++;
        return true;
    }
    if (!tr_metric_values_of(s->values, i, &of, &n))
        return false;
    uint32_t kernel = kernel_of(s, b, i);
    struct ip *ip = kernel == UINT32_MAX ? NULL : ip_of(s, kernel, address);
    if (!ip)
        return false;
    for (size_t k = 0; k < n; k++) {
        uint8_t cause = cause_of(s, of[k].metric, &ok);
        double value = tr_metric_number(of[k].m);
        if (!ok)
            return false;
        if (cause == NO_CAUSE || !(value > 0) || value >= 9e18)
            continue;
        uint64_t events = of[k].m.is == TR_METRIC_INT ? (uint64_t)of[k].m.v.i : (uint64_t)value;
        add(&ip->n[cause], events);
        add(&s->kernels[kernel].n[cause], events);
        if (cause != ACTIVE)
            add(&s->kernels[kernel].stalls, events);
    }
    return true;
}

static enum tr_status feed(void *state, const struct tr_batch *b, const uint8_t *keep, struct tr_table *t,
                           struct tr_error *err)
{
    struct stalls_state *s = state;
    uint32_t category = tr_metric_file_category(s->in.dict);
    (void)t;
    bool ok = tr_arg_read(&s->address, b, TR_PLACE_ARGS, "IP[Address]");
    tr_metric_values_batch(s->values, b);
    for (size_t i = 0; ok && i < b->n; i++)
        if (tr_metric_is_row(b, i, category) && (!keep || keep[i]) && tr_arg_at(&s->address, i).type)
            ok = add_row(s, b, i);
    return ok ? TR_OK : tr_fail_memory(err);
}

/* ---- rows ---- */

static uint64_t stalls_of(const struct ip *ip)
{
    uint64_t sum = 0;
    for (unsigned c = 0; c < N_CAUSES; c++)
        add(&sum, ip->n[c]);
    return sum;
}

TR_ORDER(by_place, struct ip, TR_UP(kernel), TR_UP(place))

struct sorted {
    const struct stalls_state *s;
    uint32_t number;
    uint64_t events;
};

/* Ranks in order; then the most stalls first; then as in the file. */
static int by_stalls(const void *a, const void *b)
{
    const struct sorted *x = a, *y = b;
    const struct kernel *p = &x->s->kernels[x->number], *q = &y->s->kernels[y->number];
    if (p->group.rank != q->group.rank)
        return p->group.rank < q->group.rank ? -1 : 1;
    if (x->events != y->events)
        return x->events > y->events ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

TR_ORDER(by_events, struct sorted, TR_DOWN(events), TR_UP(number))

/* Read the dump of a kernel, if there is one. */
static enum tr_status load(struct stalls_state *s, const struct kernel *k, struct tr_error *err)
{
    const struct tr_stalls_options *o = s->options;
    tr_asm_free(&s->code);
    s->has_code = false;
    s->dump.len = 0;
    if (!o || !o->load)
        return TR_OK;
    struct tr_str name = tr_dict_text_if(s->in.dict, k->name);
    enum tr_status st = name.s ? o->load(o->self, name, &s->dump, err) : TR_NO;
    if (st == TR_NO) {
        s->no_dump++;
        return TR_OK;
    }
    if (st != TR_OK)
        return st;
    s->has_code = tr_asm_read(&s->code, s->dump.data ? (const char *)s->dump.data : "", s->dump.len);
    return s->has_code ? TR_OK : tr_fail_memory(err);
}

static struct tr_str address_of(char text[24], uint64_t address)
{
    snprintf(text, 24, "0x%" PRIx64, address);
    return tr_str_of(text);
}

static struct tr_str squeezed(struct tr_buf *room, struct tr_table *t, struct tr_str text)
{
    room->len = 0;
    if (!tr_asm_squeeze(room, text))
        tr_table_no_memory(t);
    return (struct tr_str){ room->data ? (const char *)room->data : "", room->len };
}

/* What all rows of a kernel have, and where an instruction of it is; op SIZE_MAX: unknown. */
static void start_row(struct stalls_state *s, struct tr_table *t, const struct kernel *k, size_t op, struct row *row)
{
    *row = (struct row){ .group = k->group, .name = k->name, .line = TR_I64_NONE };
    if (op == SIZE_MAX)
        return;
    const struct tr_asm_op *o = &s->code.ops[op];
    row->file = o->file;
    row->line = o->line >= 0 ? o->line : TR_I64_NONE;
    row->source = o->source;
    row->instruction = squeezed(&s->text, t, o->text);
}

/* A row of an instruction: of its stalls, or of those by a cause. */
static void instruction_row(struct stalls_state *s, struct tr_table *t, const struct kernel *k, const struct ip *ip,
                            const char *cause, uint64_t stalls, uint64_t whole)
{
    struct row row;
    start_row(s, t, k, s->has_code ? tr_asm_at(&s->code, ip->address) : SIZE_MAX, &row);
    row.address = address_of(row.address_text, ip->address);
    row.cause = cause;
    row.stalls = stalls;
    row.whole = whole;
    memcpy(row.n, ip->n, sizeof row.n);
    tr_table_grouped_rows(t, &row, 1, sizeof row);
}

static void instruction_rows(struct stalls_state *s, struct tr_table *t, const struct kernel *k)
{
    for (size_t i = k->first; i < k->first + k->count; i++)
        if (stalls_of(&s->ips[i]))
            instruction_row(s, t, k, &s->ips[i], NULL, stalls_of(&s->ips[i]), k->stalls);
}

/* The instructions of a kernel with stalls of a cause, most first.  NULL: out of memory. */
static struct sorted *sort_cause(const struct stalls_state *s, const struct kernel *k, unsigned cause, size_t *n)
{
    struct sorted *sorted = calloc(k->count + 1, sizeof *sorted);
    *n = 0;
    for (size_t i = k->first; sorted && i < k->first + k->count; i++)
        if (s->ips[i].n[cause])
            sorted[(*n)++] = (struct sorted){ s, (uint32_t)i, s->ips[i].n[cause] };
    if (sorted)
        qsort(sorted, *n, sizeof *sorted, by_events);
    return sorted;
}

static bool cause_rows(struct stalls_state *s, struct tr_table *t, const struct kernel *k)
{
    for (unsigned c = 0; c < N_CAUSES; c++) {
        size_t n;
        struct sorted *sorted = k->n[c] ? sort_cause(s, k, c, &n) : NULL;
        if (k->n[c] && !sorted)
            return false;
        for (size_t i = 0; sorted && i < n; i++) {
            const struct ip *ip = &s->ips[sorted[i].number];
            instruction_row(s, t, k, ip, causes[c].name, ip->n[c], k->n[c]);
        }
        free(sorted);
    }
    return true;
}

static void wait_row(struct stalls_state *s, struct tr_table *t, const struct kernel *k, const struct ip *ip, size_t op,
                     size_t setter)
{
    struct row row;
    start_row(s, t, k, setter, &row);
    row.address = address_of(row.address_text, ip->address);
    row.stalls = ip->n[SBID];
    if (setter != SIZE_MAX)
        row.waits_for = address_of(row.waits_for_text, s->code.ops[setter].address);
    if (op != SIZE_MAX)
        row.waiting = squeezed(&s->waiting, t, s->code.ops[op].text);
    tr_table_grouped_rows(t, &row, 1, sizeof row);
}

static bool wait_rows(struct stalls_state *s, struct tr_table *t, const struct kernel *k)
{
    size_t n, n_setters = 0;
    struct sorted *sorted = sort_cause(s, k, SBID, &n);
    size_t *setters = calloc(s->code.n_ops + 1, sizeof *setters);
    bool ok = sorted && setters;
    for (size_t i = 0; ok && i < n; i++) {
        const struct ip *ip = &s->ips[sorted[i].number];
        size_t op = s->has_code ? tr_asm_at(&s->code, ip->address) : SIZE_MAX;
        n_setters = 0;
        ok = op == SIZE_MAX || tr_asm_setters(&s->code, op, setters, &n_setters);
        for (size_t x = 0; ok && x < n_setters; x++)
            wait_row(s, t, k, ip, op, setters[x]);
        if (ok && !n_setters)
            wait_row(s, t, k, ip, op, SIZE_MAX);
    }
    free(sorted);
    free(setters);
    return ok;
}

static void kernel_row(struct stalls_state *s, struct tr_table *t, const struct kernel *k, uint64_t whole)
{
    struct row row;
    start_row(s, t, k, SIZE_MAX, &row);
    row.instructions = k->instructions;
    row.stalls = k->stalls;
    row.whole = whole;
    memcpy(row.n, k->n, sizeof row.n);
    tr_table_grouped_rows(t, &row, 1, sizeof row);
}

/* The instructions of each kernel, in the order of their rows. */
static void arrange(struct stalls_state *s)
{
    if (s->n_ips)
        qsort(s->ips, s->n_ips, sizeof *s->ips, by_place);
    for (size_t i = 0; i < s->n_ips; i++) {
        struct kernel *k = &s->kernels[s->ips[i].kernel];
        if (!k->count++)
            k->first = i;
        k->instructions += stalls_of(&s->ips[i]) > 0;
    }
}

/* Rows of one kernel. */
static enum tr_status make_rows(struct stalls_state *s, struct tr_table *t, const struct kernel *k,
                                struct tr_error *err)
{
    bool ok = true;
    enum tr_status st = load(s, k, err);
    if (st != TR_OK)
        return st;
    if (s->view == BY_INSTRUCTION)
        instruction_rows(s, t, k);
    else
        ok = s->view == BY_CAUSE ? cause_rows(s, t, k) : wait_rows(s, t, k);
    return ok ? tr_table_status(t, err) : tr_fail_memory(err);
}

static void remark(const struct stalls_state *s)
{
    if (s->bad)
        tr_analysis_remark(&s->in, TR_REMARK_WARN, "", "rows whose IP[Address] is no hexadecimal number: %" PRIu64,
                           s->bad);
    if (s->no_dump)
        tr_analysis_remark(&s->in, TR_REMARK_WARN, "", "kernels without a dump: %" PRIu64 " of %zu", s->no_dump,
                           s->n_kernels);
}

static enum tr_status finish(void *state, struct tr_table *t, struct tr_error *err)
{
    struct stalls_state *s = state;
    struct sorted *sorted = calloc(s->n_kernels + 1, sizeof *sorted);
    enum tr_status st = sorted ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        arrange(s);
    for (uint32_t k = 0; st == TR_OK && k < s->n_kernels; k++)
        sorted[k] = (struct sorted){ s, k, s->kernels[k].stalls };
    if (st == TR_OK)
        qsort(sorted, s->n_kernels, sizeof *sorted, by_stalls);
    for (size_t i = 0, end; st == TR_OK && i < s->n_kernels; i = end) { /* a rank at a time */
        uint64_t whole = 0;
        int64_t rank = s->kernels[sorted[i].number].group.rank;
        for (end = i; end < s->n_kernels && s->kernels[sorted[end].number].group.rank == rank; end++)
            add(&whole, sorted[end].events);
        for (size_t k = i; st == TR_OK && k < end; k++) {
            if (s->view == BY_KERNEL)
                kernel_row(s, t, &s->kernels[sorted[k].number], whole);
            else
                st = make_rows(s, t, &s->kernels[sorted[k].number], err);
        }
    }
    if (st == TR_OK)
        remark(s);
    free(sorted);
    return st;
}

static const struct tr_stalls_options defaults = { .load = NULL };

#define STALL_ANALYSIS(id, name_of, question_of, columns_of, start_of, ...)                                           \
    const struct tr_analysis id = { .name = name_of,                                                                  \
                                    .question = question_of,                                                          \
                                    .nothing = "no stall is selected",                                                \
                                    .groups = TR_PER_BIT(TR_PER_RANK),                                                \
                                    .group = TR_PER_RANK,                                                             \
                                    TR_OPTIONS(NULL, defaults),                                                       \
                                    /* which keys are causes is known only from the rows */                           \
                                    .needs = { .want = { .fixed = TR_FIXED_ALL, .all_packed = true }, .host = true }, \
                                    TR_OWN_COLUMNS(columns_of),                                                       \
                                    .state_size = sizeof(struct stalls_state),                                        \
                                    .start = start_of,                                                                \
                                    .feed = feed,                                                                     \
                                    .finish = finish,                                                                 \
                                    .free = release,                                                                  \
                                    .saving = &tr_saving_ranks,                                                       \
                                    __VA_ARGS__ }

STALL_ANALYSIS(tr_analysis_stall_kernel, "stall-kernel", "Which kernels are stalled, and by what?", kernel_columns,
               start_kernel,
               .chart = &(const struct tr_chart){ TR_CHART_STACKED, .x = "name", .facet = "rank",
                                                  .y = { "sbid", "control", "pipe", "send", "sync", "instr_fetch" } });
STALL_ANALYSIS(tr_analysis_stall_instruction, "stall-instruction", "Which instructions are stalled?",
               instruction_columns, start_instruction,
               .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "address", .y = { "stalls" }, .facet = "name" });
STALL_ANALYSIS(tr_analysis_stall_cause, "stall-cause", "Which instructions does each cause stall most?", cause_columns,
               start_cause,
               .chart = &(const struct tr_chart){ TR_CHART_BAR, .x = "address", .y = { "events" },
                                          .series = "cause", .facet = "name" });
STALL_ANALYSIS(tr_analysis_stall_wait, "stall-wait", "Which earlier instructions are waited for?", wait_columns,
               start_wait, .chart = NULL);
