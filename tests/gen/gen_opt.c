/* SPDX-License-Identifier: MIT */
/* Options: one table for the command line, the description file and --help. */
#include "gen.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum kind { INT, FLAG, SIZE, WORD, LIST, SHARE, PATH, PLANT, SPEC };

struct opt {
    const char *name;
    enum kind kind;
    size_t at;
    int64_t lo, hi;    /* of INT and SIZE */
    const char *words; /* of WORD: "first second ..." */
    const char *help;
};
#define AT(field) offsetof(struct gen_opts, field)

static const struct opt opts[] = {
    { "output", PATH, AT(out_dir), 0, 0, NULL, "directory for rankN.json and the answers [.]" },
    { "spec", SPEC, 0, 0, 0, NULL, "read options from a file of `name = value` lines" },
    { "ranks", INT, AT(ranks), 1, 1024, NULL, "number of ranks [1]" },
    { "group-size", INT, AT(group_size), 0, 1024, NULL,
      "ranks that share collectives; 0: all [0]" },
    { "sources", INT, AT(sources), 1, 64, NULL,
      "files per rank, each with a part of the steps [1]" },
    { "steps", INT, AT(steps), 1, 100000000, NULL, "training steps [3]" },
    { "first-step", INT, AT(first_step), 0, 1000000, NULL,
      "number of the first ProfilerStep [15]" },
    { "size", SIZE, AT(size), 0, INT64_MAX, NULL,
      "as many steps as make files of about this size (K M G, KiB MiB GiB)" },
    { "layers", INT, AT(layers), 0, 400, NULL, "transformer blocks per step [12]" },
    { "streams", INT, AT(streams), 1, 16, NULL, "compute streams [1]" },
    { "collectives", INT, AT(collectives), 0, 4096, NULL,
      "all-reduces per step [4; 0 with one rank]" },
    { "comm-sizes", INT, AT(comm_sizes), 1, 1000, NULL,
      "different sizes of collectives, in turn [3]" },
    { "seq", WORD, AT(seq), 0, 0, "both record none",
      "who has a collective's sequence number: host record and kernel, one, none [both]" },
    { "graphs", INT, AT(graphs), 0, 10000, NULL, "graph launches per step [0]" },
    { "graph-kernels", INT, AT(graph_kernels), 2, 100000, NULL,
      "kernels of each graph launch [100]" },
    { "python", INT, AT(python), 0, 12, NULL,
      "Python frames around each top-level operator; 0: no Python events [1]" },
    { "shapes", INT, AT(shapes), 0, 2, NULL,
      "operator args: 0 no shapes, 1 dims and types, 2 strides and values too [1]" },
    { "memory", INT, AT(memory), 0, 1, NULL, "[memory] instants [1]" },
    { "counters", INT, AT(counters), 0, 10000, NULL, "counter events per step [0]" },
    { "sync", INT, AT(sync), 0, 1, NULL, "cuda_sync rows [1]" },
    { "devices", INT, AT(devices), 1, 16, NULL, "devices of the host [8]" },
    { "metadata", INT, AT(metadata), 0, 1, NULL, "rows of metadata after the events [1]" },
    { "keep", INT, AT(keep), 1, 1000, NULL, "keep so many of 1000 events, drawn at random [1000]" },
    { "vendor", WORD, AT(vendor), 0, 0, "nvidia amd mtia xpu", "whose names and args [nvidia]" },
    { "layout", WORD, AT(compact), 0, 0, "kineto compact",
      "lines as Kineto writes them, or one line [kineto]" },
    { "order", WORD, AT(random_order), 0, 0, "kineto random",
      "order of events; random keeps all in memory [kineto]" },
    { "grouping", WORD, AT(by_step), 0, 0, "trace step",
      "host events before device events: of the whole trace or of each step [trace]" },
    { "base", WORD, AT(base), 0, 0, "late early absent",
      "place of baseTimeNanoseconds; absent: ts since 1970 [late]" },
    { "base-ns", LIST, AT(base_ns), 0, 0, NULL,
      "baseTimeNanoseconds of each rank [1711964646000000000]" },
    { "container", WORD, AT(bare_array), 0, 0, "object array",
      "array: no header, ts since 1970 [object]" },
    { "epoch-ns", LIST, AT(epoch_ns), 0, 0, NULL,
      "when the job begins, ns since 1970 [1716423322388068751]" },
    { "grid-ns", INT, AT(grid_ns), 0, 1000000000, NULL,
      "a coarse clock, which shows multiples of so much since the job began; 0: an exact one [0]" },
    { "stretch", INT, AT(stretch), 1, 1000, NULL, "clocks run so many times as fast [1]" },
    { "halves", FLAG, AT(halves), 0, 0, NULL,
      "times are printed half a nanosecond too small, which readers round up" },
    { "whole-us", FLAG, AT(whole_us), 0, 0, NULL, "times in whole microseconds, as before 2024" },
    { "offset-ns", LIST, AT(offset_ns), 0, 0, NULL,
      "clock offset of each rank; the last holds for all after it [0]" },
    { "drift-ppb", LIST, AT(drift_ppb), 0, 0, NULL, "clock drift of each rank, parts in 10^9 [0]" },
    { "device-skew-ns", LIST, AT(skew_ns), 0, 0, NULL,
      "device clock against host clock, of each rank [0]" },
    { "jitter-ns", INT, AT(jitter_ns), 0, 1000000000, NULL,
      "random delay of each rank in each step, at most [150000]" },
    { "data-ns", INT, AT(data_ns), 0, 1000000000, NULL,
      "wait for the data loader in each step [350000]" },
    { "stall-every", INT, AT(stall_every), 0, 1000000, NULL,
      "a longer wait in every N-th step; 0: never [0]" },
    { "stall-ns", INT, AT(stall_ns), 0, 4000000000, NULL, "length of that wait [20000000]" },
    { "idle-ns", INT, AT(idle_ns), 0, 1000000000, NULL,
      "plant idle time of each cause at the end of each step but the last, so much of it; 0: none [0]" },
    { "straggler", INT, AT(straggler), -1, 1023, NULL,
      "a rank that is late in each step; -1: none [-1]" },
    { "straggler-ns", INT, AT(straggler_ns), 0, 4000000000, NULL, "by so much [3000000]" },
    { "comm-ns", INT, AT(comm_ns), 1, 1000000000, NULL, "transfer time of a collective [900000]" },
    { "end-jitter-ns", INT, AT(end_jitter_ns), 0, 1000000, NULL,
      "standard deviation of a collective's end on each rank, normal, at most six times that [0]" },
    { "join-step", LIST, AT(join_step), 0, 0, NULL,
      "first step that each rank's profiler records, from 0 [0]" },
    { "device-scale", INT, AT(device_scale), 1, 1000000, NULL,
      "kernel durations in thousandths of the usual [1000]" },
    { "missing", SHARE, AT(missing), 0, 0, NULL,
      "share of collectives whose device event is missing, 0 to 1 [0]" },
    { "pid-collision", FLAG, AT(pid_collision), 0, 0, NULL,
      "same pid, device and numbers of calls on every rank; Python frames on pid 0, as device 0" },
    { "plant", PLANT, 0, 0, 0, NULL,
      "NAME[=N]: plant a defect N times [1]; `all` plants each kind once" },
    { "truncate-at", INT, AT(truncate_at), -1, INT64_MAX, NULL,
      "end each file after so many bytes [-1: no]" },
    { "seed", INT, AT(seed), 0, INT64_MAX, NULL, "of all random draws [1]" },
    { "random", FLAG, AT(random), 0, 0, NULL,
      "a tiny trace with everything else drawn from the seed; later options still hold" },
    { "no-truth", FLAG, AT(no_truth), 0, 0, NULL, "only the traces, no answers" },
};
#define N_OPTS (sizeof opts / sizeof *opts)

void gen_opts_init(struct gen_opts *o)
{
    *o = (struct gen_opts){
        .out_dir = ".",
        .ranks = 1,
        .sources = 1,
        .steps = 3,
        .first_step = 15,
        .layers = 12,
        .streams = 1,
        .collectives = -1,
        .comm_sizes = 3,
        .graph_kernels = 100,
        .python = 1,
        .shapes = 1,
        .memory = 1,
        .sync = 1,
        .devices = 8,
        .metadata = 1,
        .keep = 1000,
        .jitter_ns = 150000,
        .data_ns = 350000,
        .stall_ns = 20000000,
        .straggler = -1,
        .straggler_ns = 3000000,
        .comm_ns = 900000,
        .device_scale = 1000,
        .truncate_at = -1,
        .stretch = 1,
        .seed = 1,
    };
}

int64_t gen_list_at(const struct gen_list *l, int64_t i)
{
    return l->n ? l->v[i < l->n ? i : l->n - 1] : 0;
}

static void *field(struct gen_opts *o, const struct opt *opt)
{
    return (char *)o + opt->at;
}

static int64_t number(const char *name, const char *s, char **end)
{
    errno = 0;
    long long v = strtoll(s, end, 10);
    if (*end == s || errno)
        gen_die(2, "--%s: '%s' is not a number", name, s);
    return v;
}

static void set_size(const struct opt *opt, const char *value, int64_t *out)
{
    static const struct {
        const char *unit;
        int64_t factor;
    } units[] = {
        { "", 1 },           { "K", 1000 },          { "M", 1000000 },
        { "G", 1000000000 }, { "T", 1000000000000 }, { "KiB", 1 << 10 },
        { "MiB", 1 << 20 },  { "GiB", 1 << 30 },
    };
    char *end;
    int64_t v = number(opt->name, value, &end);
    for (size_t i = 0; i < sizeof units / sizeof *units; i++)
        if (!strcmp(end, units[i].unit) && v >= 0 && v <= INT64_MAX / units[i].factor) {
            *out = v * units[i].factor;
            return;
        }
    gen_die(2, "--%s: '%s' is not a size", opt->name, value);
}

static void set_word(const struct opt *opt, const char *value, int64_t *out)
{
    size_t n = strlen(value);
    int i = 0;
    for (const char *w = opt->words; w; w = strchr(w, ' '), w = w ? w + 1 : NULL, i++)
        if (n && !strncmp(w, value, n) && (w[n] == ' ' || !w[n])) {
            *out = i;
            return;
        }
    gen_die(2, "--%s: '%s' is none of: %s", opt->name, value, opt->words);
}

static void set_list(const struct opt *opt, const char *value, struct gen_list *l)
{
    char *end = (char *)(uintptr_t)value;
    l->n = 0;
    do {
        if (l->n == GEN_MAX_LIST)
            gen_die(2, "--%s: more than %d values", opt->name, GEN_MAX_LIST);
        l->v[l->n++] = number(opt->name, value, &end);
        value = end + 1;
    } while (*end == ',');
    if (*end)
        gen_die(2, "--%s: '%s' after a number", opt->name, end);
}

/* A share with up to six decimals, in millionths. */
static void set_share(const struct opt *opt, const char *value, int64_t *out)
{
    int64_t v = 0, unit = 1000000;
    const char *p = value;
    bool any = false;
    for (; *p >= '0' && *p <= '9' && v < 10; p++, any = true)
        v = v * 10 + (*p - '0');
    v *= unit;
    if (*p == '.')
        for (p++; *p >= '0' && *p <= '9'; p++, any = true)
            v += (*p - '0') * (unit /= 10);
    if (*p || !any || v > 1000000)
        gen_die(2, "--%s: '%s' is not a share from 0 to 1", opt->name, value);
    *out = v;
}

static void want(struct gen_opts *o, int plant, int64_t n)
{
    if (o->n_want == sizeof o->want / sizeof *o->want)
        gen_die(2, "--plant: given too often");
    o->want[o->n_want++] = (struct gen_want){ plant, n };
}

static void set_plant(struct gen_opts *o, const char *value)
{
    char name[64], *end;
    const char *eq = strchr(value, '=');
    size_t n = eq ? (size_t)(eq - value) : strlen(value);
    int64_t times = eq ? number("plant", eq + 1, &end) : 1;
    if (eq && (*end || times < 0 || times > 1000000))
        gen_die(2, "--plant: '%s' is not a count up to 1000000", eq + 1);
    snprintf(name, sizeof name, "%.*s", n > 63 ? 63 : (int)n, value);
    if (!strcmp(name, "all")) { /* all that leave the rest of the file readable */
        for (int i = 1; i < GEN_P_TRUNCATE; i++)
            want(o, i, i == GEN_P_REUSED_CORRELATION ? 2 * times : times);
        return;
    }
    int plant = gen_plant_find(name);
    if (!plant)
        gen_die(2, "--plant: '%s' is no defect; --help lists them", name);
    want(o, plant, times);
}

static void read_spec(struct gen_opts *o, const char *path);

static void set(struct gen_opts *o, const char *name, const char *value, bool *took_value)
{
    const struct opt *opt = opts;
    while (opt < opts + N_OPTS && strcmp(opt->name, name))
        opt++;
    if (opt == opts + N_OPTS)
        gen_die(2, "unknown option '%s'", name);
    *took_value = opt->kind != FLAG;
    if (opt->kind != FLAG && !value)
        gen_die(2, "--%s needs a value", name);
    switch (opt->kind) {
    case FLAG:
        *(int64_t *)field(o, opt) = 1;
        if (opt->at == AT(random))
            gen_opts_random(o);
        break;
    case INT: {
        char *end;
        int64_t v = number(name, value, &end);
        if (*end || v < opt->lo || v > opt->hi)
            gen_die(2, "--%s: '%s' is not from %lld to %lld", name, value, (long long)opt->lo,
                    (long long)opt->hi);
        *(int64_t *)field(o, opt) = v;
        break;
    }
    case SIZE: set_size(opt, value, field(o, opt)); break;
    case WORD: set_word(opt, value, field(o, opt)); break;
    case LIST: set_list(opt, value, field(o, opt)); break;
    case SHARE: set_share(opt, value, field(o, opt)); break;
    case PATH: *(const char **)field(o, opt) = value; break;
    case PLANT: set_plant(o, value); break;
    case SPEC: read_spec(o, value); break;
    }
}

static char *trim(char *s)
{
    while (*s == ' ' || *s == '\t')
        s++;
    size_t n = strlen(s);
    while (n && strchr(" \t\r\n", s[n - 1]))
        s[--n] = 0;
    return s;
}

static void read_spec(struct gen_opts *o, const char *path)
{
    FILE *fp = fopen(path, "r");
    char line[1024];
    bool took;

    if (!fp)
        gen_die(4, "cannot read '%s': %s", path, strerror(errno));
    while (fgets(line, sizeof line, fp)) {
        line[strcspn(line, "#")] = 0;
        char *name = trim(line), *eq = strchr(name, '=');
        if (!*name)
            continue;
        if (eq)
            *eq = 0;
        name = trim(name);
        for (char *p = name; *p; p++)
            if (*p == '_')
                *p = '-';
        if (!strcmp(name, "spec") || !strcmp(name, "output"))
            gen_die(2, "%s: '%s' does not belong into a description", path, name);
        set(o, name, eq ? trim(eq + 1) : NULL, &took);
    }
    fclose(fp);
}

static void help(void)
{
    static const char *const classes[] = { "",         "still read",       "event lost",
                                           "no event", "impossible value", "structure",
                                           "file" };
    puts("usage: trgen [option]...\n"
         "Writes DIR/rankN.json, traces as Kineto writes them, and beside each the true answers:\n"
         "rankN.truth.json, rankN.links.tsv, rankN.breakdown.tsv, rankN.collectives.tsv.\n"
         "Equal options give equal bytes on every machine.\n");
    for (size_t i = 0; i < N_OPTS; i++) {
        char left[64];
        static const char *const values[] = { " N",     "",     " SIZE",     " WORD", " N,...",
                                              " SHARE", " DIR", " NAME[=N]", " FILE" };
        snprintf(left, sizeof left, "--%s%s", opts[i].name, values[opts[i].kind]);
        printf("  %-24s %s", left, opts[i].help);
        if (opts[i].words)
            printf("; one of: %s", opts[i].words);
        putchar('\n');
    }
    puts("  --help                   this text\n\nDefects (what becomes of the event):");
    for (int i = 1; i < GEN_N_PLANTS; i++)
        printf("  %-24s %s (%s)\n", gen_plants[i].name, gen_plants[i].help,
               classes[gen_plants[i].cls]);
}

void gen_opts_parse(struct gen_opts *o, int argc, char **argv)
{
    /* The seed comes first: --random draws from it wherever it stands. */
    for (int i = 1; i + 1 < argc; i++)
        if (!strcmp(argv[i], "--seed")) {
            bool took;
            set(o, "seed", argv[i + 1], &took);
        }
    for (int i = 1; i < argc; i++) {
        bool took = false;
        char name[64];
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            help();
            exit(0);
        }
        if (!strcmp(argv[i], "-o")) {
            set(o, "output", argv[i + 1], &took);
            i++;
            continue;
        }
        if (strncmp(argv[i], "--", 2))
            gen_die(2, "'%s' is not an option", argv[i]);
        char *eq = strchr(argv[i], '=');
        size_t n = eq ? (size_t)(eq - argv[i]) - 2 : strlen(argv[i]) - 2;
        snprintf(name, sizeof name, "%.*s", n > 63 ? 63 : (int)n, argv[i] + 2);
        set(o, name, eq ? eq + 1 : argv[i + 1], &took);
        i += took && !eq;
    }
    if (o->collectives < 0)
        o->collectives = o->ranks > 1 ? 4 : 0;
    if (o->sources > o->steps && !o->size)
        gen_die(2, "--sources: more than there are steps");
}

/* ---- --random ---- */

static void random_plants(struct gen_opts *o, struct gen_rng *g)
{
    int n = gen_chance(g, 300) ? 0 : (int)gen_range(g, 1, 6);
    for (int i = 0; i < n; i++) {
        int plant = (int)gen_range(g, 1, GEN_N_PLANTS - 1);
        want(o, plant, plant == GEN_P_REUSED_CORRELATION ? 2 : 1);
    }
}

/*
 * Clocks so coarse that many times are equal and thresholds are met exactly; times around 0, and such as end
 * in half a nanosecond.
 */
static void random_clock(struct gen_opts *o, struct gen_rng *g)
{
    static const int64_t grids[] = { 1000, 2000, 5000, 10000, 10000, 30000 };
    bool slow = gen_chance(g, 600);

    if (gen_chance(g, 350)) {
        o->grid_ns = grids[gen_below(g, sizeof grids / sizeof *grids)];
        o->stretch = slow ? 10 : 1;
        o->skew_ns.v[0] = gen_chance(g, 300) ? -o->stretch * gen_range(g, 0, 9000) : 0;
    }
    if (gen_chance(g, 250)) {
        int64_t grid = o->grid_ns ? o->grid_ns : 1000;
        o->base = GEN_BASE_ABSENT;
        o->epoch_ns =
            (struct gen_list){ .v = { -gen_range(g, 900000, 2500000) * o->stretch / grid * grid },
                               .n = 1 };
        o->offset_ns = (struct gen_list){ .n = 1 };
    }
    o->halves = gen_chance(g, 200);
    if (o->ranks > 1 && gen_chance(g, 600))
        o->pid_collision = 1;
}

void gen_opts_random(struct gen_opts *o)
{
    struct gen_rng g = gen_rng_make((uint64_t)o->seed, 8, 0, 0);

    o->steps = gen_range(&g, 1, 3);
    o->ranks = gen_chance(&g, 700) ? 1 : gen_range(&g, 2, 3);
    o->layers = gen_range(&g, 0, 1);
    o->collectives = gen_chance(&g, 500) ? 0 : gen_range(&g, 1, 2);
    o->graphs = gen_chance(&g, 250);
    o->graph_kernels = gen_range(&g, 2, 9);
    o->streams = gen_range(&g, 1, 3);
    o->python = gen_chance(&g, 400);
    o->shapes = gen_range(&g, 0, 2);
    o->memory = gen_chance(&g, 400);
    o->counters = gen_chance(&g, 200) ? gen_range(&g, 1, 3) : 0;
    o->sync = gen_chance(&g, 500);
    o->devices = gen_range(&g, 1, 2);
    o->metadata = gen_chance(&g, 700);
    o->keep = o->layers             ? gen_range(&g, 20, 330) / o->steps + 1
              : gen_chance(&g, 500) ? 1000 / o->steps
                                    : gen_range(&g, 100, 900) / o->steps;
    o->vendor = gen_chance(&g, 500) ? GEN_NVIDIA : gen_range(&g, 0, 3);
    o->compact = gen_chance(&g, 400);
    o->random_order = gen_chance(&g, 300);
    o->by_step = gen_chance(&g, 300);
    o->base = gen_range(&g, 0, 2);
    o->bare_array = gen_chance(&g, 100);
    o->whole_us = gen_chance(&g, 150);
    o->pid_collision = gen_chance(&g, 200);
    o->data_ns = gen_range(&g, 0, 400000);
    o->missing = gen_chance(&g, 200) ? gen_range(&g, 0, 500000) : 0;
    o->device_scale = gen_range(&g, 20, 2000);
    o->straggler = gen_chance(&g, 200) ? gen_range(&g, 0, o->ranks - 1) : -1;
    o->offset_ns = (struct gen_list){ .n = 3 };
    o->drift_ppb = (struct gen_list){ .n = 3 };
    for (int i = 0; i < 3; i++) {
        o->offset_ns.v[i] = gen_range(&g, -1000000, 1000000);
        o->drift_ppb.v[i] = gen_range(&g, -50000, 50000);
    }
    o->skew_ns = (struct gen_list){ .v = { gen_chance(&g, 200) ? gen_range(&g, -30000, 30000) : 0 },
                                    .n = 1 };
    random_plants(o, &g);
    random_clock(o, &g);
}
