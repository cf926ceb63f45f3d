/* SPDX-License-Identifier: MIT */
/* tr-flame: stacks of calls and what they cost, as flame graphs and for viewers of profiles.  Manual: tr-flame(1). */
#include "analysis/stacks/tr_stacks_analyses.h"
#include "cli/cli_partial.h"
#include "cli/cli_picture.h"
#include "cli/cli_view.h"

#include <string.h>

enum format { TEXT, TSV, CSV, JSON, MD, SQLITE, XLSX, FOLDED, SPEEDSCOPE, PPROF, SVG, HTML };
static const char *const formats[] = { "text",   "tsv",        "csv",   "json", "md",   "sqlite", "xlsx",
                                       "folded", "speedscope", "pprof", "svg",  "html", NULL };

struct flame {
    struct cli_analysis a;
    int format; /* enum format, or -1 */
    struct tr_option_list base;
};

static const struct tr_option flame_opts[] = {
    { 'O', "output-format", "FORMAT", TR_OPTION_CHOICE, offsetof(struct flame, format), .choices = formats,
      .help = "a table: text, tsv, csv, json, md, sqlite, xlsx; a flame graph: svg, html; for viewers: folded, "
              "speedscope, pprof [$TR_FORMAT, else text on a terminal, else tsv]" },
    { 0, "base", "FILE", TR_OPTION_LIST, offsetof(struct flame, base), .many = true,
      .help = "traces to compare with, up to the next option: red has more, blue has less" },
    CLI_ANALYSIS_OPTS(struct flame, a),
    { 0 },
};

static const struct cli_tool flame_tool = {
    .name = "tr-flame",
    .brief = "show which stacks of calls cost the time, as a flame graph",
    .operands = "[FILE]...",
    .uses = CLI_INPUT | CLI_OUTPUT | CLI_UNIT | CLI_ARRANGE | CLI_PARTIAL,
    .max_operands = CLI_ANY,
    .opts = flame_opts,
    .views = tr_flame_views,
    .examples = { "tr-flame -O html -o flame.html rank0.json.gz",
                  "tr-flame --by operator,kernel --weight device -O folded rank0.json.gz" },
};

/* ---- the profile ---- */

/* Where the stacks of a run go. */
struct side {
    struct tr_profile *profile;
    enum tr_profile_side is;
};

static enum tr_status take(void *side, const struct tr_profile *p, struct tr_error *err)
{
    const struct side *s = side;
    return tr_profile_merge(s->profile, s->is, p) ? TR_OK : tr_fail_memory(err);
}

static enum tr_status feed_base(struct cli *cli, struct cli_analysis *a, struct tr_runner *runner, struct tr_error *err)
{
    struct cli_listener listener = { cli, a };
    struct tr_analysis_in in = cli_view_in(&listener);
    const struct tr_batch *b;
    const uint8_t *keep;
    enum tr_status st = tr_runner_start(runner, &in, err);
    while (st == TR_OK && (st = cli_analysis_next(a, &b, &keep, err)) == TR_OK)
        st = tr_runner_feed(runner, b, keep, err);
    return st == TR_END ? tr_runner_finish(runner, err) : st;
}

/* The base, with the options and the selection of the test. */
static enum tr_status read_base(struct cli *cli, const struct flame *o, struct tr_error *err)
{
    struct cli_analysis a = o->a;
    struct tr_runner *runner = tr_runner_new();
    struct tr_table *t = cli_table_held(cli);
    a.want = (struct tr_projection){ .fixed = 0 };
    enum tr_status st = runner && t ? TR_OK : tr_fail_memory(err);
    if (st == TR_OK)
        st = tr_runner_add(runner, cli_view(cli)->analysis, cli_view_options(cli), a.per, t, err);
    if (st == TR_OK)
        st = tr_runner_needs(runner, &a.want, &a.host, err);
    if (st == TR_OK)
        st = cli_analysis_open_paths(cli, &a, o->base.items, o->base.n, err);
    if (st == TR_OK)
        st = feed_base(cli, &a, runner, err);
    tr_runner_free(runner);
    tr_table_free(t);
    cli_analysis_close(&a);
    if (st == TR_OK)
        cli_input_close(cli, a.in);
    return st;
}

static enum tr_status read_runs(struct cli *cli, struct flame *o, struct tr_profile *p, struct tr_error *err)
{
    struct tr_stack_options *options = cli_view_options(cli);
    struct side side = { p, TR_PROFILE_BASE };
    options->take = take;
    options->self = &side;
    enum tr_status st = o->base.n ? read_base(cli, o, err) : TR_OK;
    side.is = TR_PROFILE_TEST;
    if (st == TR_OK)
        st = cli_view_feed(cli, &o->a, err);
    return st == TR_OK && !tr_profile_end(p) ? tr_fail_memory(err) : st;
}

/* ---- writing ---- */

static const char *question(const struct flame *o, enum tr_profile_weight w)
{
    static const char *const of_one[TR_N_PROFILE_WEIGHTS] = {
        [TR_PROFILE_HOST] = "Which calls of the host take the time?",
        [TR_PROFILE_DEVICE] = "Which calls of the host cause the device work?",
        [TR_PROFILE_LAUNCHES] = "Which calls of the host launch the most?",
        [TR_PROFILE_BYTES] = "Which calls of the host allocate memory of devices?",
    };
    static const char *const of_two[TR_N_PROFILE_WEIGHTS] = {
        [TR_PROFILE_HOST] = "Which calls of the host take more time than before, and which less?",
        [TR_PROFILE_DEVICE] = "Which calls of the host cause more device work than before, and which less?",
        [TR_PROFILE_LAUNCHES] = "Which calls of the host launch more than before, and which less?",
        [TR_PROFILE_BYTES] = "Which calls of the host allocate more than before, and which less?",
    };
    return o->base.n ? of_two[w] : of_one[w];
}

/* "rank0.json", or "rank0.json, … (64 files)"; nothing without a base. */
static bool name_base(const struct flame *o, struct tr_buf *text)
{
    if (!o->base.n)
        return true;
    const char *slash = strrchr(o->base.items[0], '/');
    return tr_buf_print(text, "%s", slash && slash[1] ? slash + 1 : o->base.items[0]) &&
           (o->base.n == 1 || tr_buf_print(text, ", \xe2\x80\xa6 (%zu files)", o->base.n));
}

static enum tr_status write_profile(struct cli *cli, const struct flame *o, const struct tr_profile *p,
                                    struct tr_error *err)
{
    static tr_profile_writer *const writers[] = {
        [FOLDED] = tr_profile_folded, [SPEEDSCOPE] = tr_profile_speedscope, [PPROF] = tr_profile_pprof,
        [SVG] = tr_profile_svg,       [HTML] = tr_profile_html,
    };
    const struct tr_stack_options *options = cli_view_options(cli);
    struct tr_profile_about about = { .weight = (enum tr_profile_weight)options->weight, .compared = o->base.n > 0 };
    struct tr_buf out = { 0 }, base = { 0 };
    enum tr_status st = name_base(o, &base) ? TR_OK : tr_fail_memory(err);
    about.base = base.len ? tr_buf_text(&base) : NULL;
    if (st == TR_OK)
        st = cli_picture_about(cli, question(o, about.weight), &o->a.select, &about.picture, err);
    if (st == TR_OK && !tr_profile_total(p, TR_PROFILE_ROOT, TR_PROFILE_TEST, about.weight) && !cli_quiet(cli))
        cli_remark(cli, "no selected stack has any %s", tr_profile_says(about.weight));
    if (st == TR_OK)
        st = writers[o->format](p, &about, &out, err);
    if (st == TR_OK)
        st = cli_write(cli, out.data, out.len, err);
    tr_buf_free(&out);
    tr_buf_free(&base);
    return st;
}

static enum tr_status run_profile(struct cli *cli, struct flame *o, struct tr_error *err)
{
    struct tr_profile *p = tr_profile_new();
    int fd;
    enum tr_status st = p ? cli_output(cli, o->format == PPROF, &fd, err) : tr_fail_memory(err);
    if (st == TR_OK)
        st = read_runs(cli, o, p, err);
    if (st == TR_OK)
        st = write_profile(cli, o, p, err);
    tr_profile_free(p);
    return st;
}

/* A list of --base without an end takes the inputs, too. */
static enum tr_status check_base(const struct cli *cli, const struct flame *o, bool profile, struct tr_error *err)
{
    size_t n;
    cli_operands(cli, &n);
    if (o->base.n && !profile)
        return tr_fail(err, TR_USAGE, "--base goes with -O folded, speedscope, pprof, svg and html; tr-diff --by path "
                                      "compares tables");
    return o->base.n < 2 || n
               ? TR_OK
               : tr_fail(err, TR_USAGE, "--base took all files: end its list with --, as in --base A -- B");
}

static enum tr_status flame_run(struct cli *cli, void *arg, struct tr_error *err)
{
    struct flame *o = arg;
    bool saved = cli_partial(cli)->save, profile = !saved && o->format >= FOLDED;
    enum tr_status st = profile ? cli_arrange_none(cli, "-O text, tsv, csv, json and md", err) : TR_OK;
    if (st == TR_OK)
        st = check_base(cli, o, profile, err);
    if (st == TR_OK)
        st = cli_view_choose(cli, err);
    if (st == TR_OK && o->format >= 0 && !profile && !saved)
        cli_report_as(cli, formats[o->format]);
    if (st != TR_OK)
        return st;
    return profile ? run_profile(cli, o, err) : cli_view_run(cli, &o->a, err);
}

int tr_flame_main(int argc, char **argv)
{
    return cli_main(argc, argv, &flame_tool, &(struct flame){ .a = CLI_ANALYSIS_INIT, .format = -1 }, flame_run);
}
