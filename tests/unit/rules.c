/* SPDX-License-Identifier: MIT */
/* Rules: which one takes a name, what a file may say, and the column that they are written to. */
#include "analysis/sums/tr_class_sums.h"
#include "formats/tr_rules_json.h"
#include "model/calls/tr_api_role.h"
#include "model/tr_rules.h"
#include "stream/tr_class_rewrite.h"

#include "harness/tap.h"

static struct tr_rules *read_rules(const char *text, enum tr_rule_order order)
{
    const struct tr_rules_opts opts = { order, false };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_rules *r = NULL;
    if (tr_rules_new(&r, &err) != TR_OK ||
        tr_rules_read(r, "f", text, strlen(text), &opts, &err) != TR_OK) {
        printf("# %s: %s\n", err.place, err.what);
        tap_failed = true;
    }
    return r;
}

/* The class of a name; "-": none. */
static const char *class_of(struct tr_rules *r, enum tr_rule_target target, const char *name)
{
    struct tr_error err = TR_ERROR_INIT;
    uint32_t number;
    if (tr_rules_match(r, target, name, strlen(name), &number, &err) != TR_OK)
        return "-";
    const char *label = tr_rules_get(r, number)->label;
    return label ? label : "kind only";
}

static void takes(struct tr_rules *r, const char *name, const char *want)
{
    CHECK_STR(class_of(r, TR_RULE_DEVICE, name), want);
}

/* What is said about a file that cannot be read: "PLACE: WHAT". */
static void refused(const char *text, enum tr_rule_order order, const char *want)
{
    const struct tr_rules_opts opts = { order, false };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_rules *r = NULL;
    char message[900];
    CHECK(tr_rules_new(&r, &err) == TR_OK);
    CHECK(tr_rules_read(r, "my.rules", text, strlen(text), &opts, &err) == TR_USAGE);
    CHECK_STR(err.input, "my.rules");
    snprintf(message, sizeof message, "%s: %s", err.place, err.what);
    CHECK_STR(message, want);
    tr_rules_free(r);
}

static void test_first(void)
{
    struct tr_rules *r =
        read_rules("[a if contains]\ngemm\n[b if equals to]\ngemm\n[c.x if matches]\n^v[0-9]+$\n"
                   "[- (comm) if ends with]\nReduce\n[d if operator equals to]\ngemm\n",
                   TR_RULES_BY_CONTENT);
    CHECK(tr_rules_order(r, 0) == TR_RULES_IN_ORDER);
    takes(r, "gemm", "a");
    takes(r, "sgemm_nn", "a");
    takes(r, "ge mm", "a");
    takes(r, "v12", "c");
    takes(r, "v 12", "-");
    takes(r, "AllReduce", "kind only");
    CHECK_STR(class_of(r, TR_RULE_OPERATOR, "gemm"), "d");
    CHECK_STR(class_of(r, TR_RULE_OPERATOR, "gemm2"), "-");
    CHECK(tr_rules_get(r, 3)->kind == TR_KIND_COMM && tr_rules_get(r, 3)->line == 8);
    tr_rules_free(r);
}

static const char schema[] = "[exact if equalsto]\ngemm\n[p if starts with]\ngemm\ngemm_kernel\n[q "
                             "if starts with]\ngemm_kernel\n"
                             "[e if ends with]\nkernel\n::SYNC\n[f if ends with]\nSYNC\n";

static void test_longest(void)
{
    struct tr_rules *r = read_rules(schema, TR_RULES_BY_CONTENT);
    CHECK(tr_rules_order(r, 0) == TR_RULES_LONGEST);
    takes(r, "gemm", "exact");    /* of equal length: the whole name */
    takes(r, "gemm_kernel", "q"); /* of equal texts: the last; an ending never beats a start */
    takes(r, "gemm_k", "p");
    takes(r, "a_kernel", "e");
    takes(r, "a::SYNC", "e");
    takes(r, "aSYNC", "f");
    takes(r, "none", "-");
    tr_rules_free(r);
    r = read_rules(schema, TR_RULES_IN_ORDER);
    takes(r, "gemm_kernel", "p");
    takes(r, "a::SYNC", "e");
    tr_rules_free(r);
}

static void test_json(void)
{
    static const char json[] =
        "{\"ignore_spaces\": true, \"direct\": {\"length\": 4, \"next\": {\"gemm\": {\"category\": "
        "\"g\", \"length\": 2, "
        "\"next\": {\"_k\": {\"category\": \"k\"}, \"\": {\"category\": \"whole\"}}}}}, "
        "\"reverse\": {\"length\": 3, \"next\": {\"\\u00e9yx\": {\"category\": \"end\"}}}}";
    struct tr_rules *r = read_rules(json, TR_RULES_BY_CONTENT);
    takes(r, "gemm", "whole");
    takes(r, "ge mm", "whole");
    takes(r, "gemm_kernel", "k");
    takes(r, "gemm_x", "g");
    takes(r, "a xy\xc3\xa9", "end"); /* spelt backwards by characters, not by bytes */
    tr_rules_free(r);
}

static void test_refused(void)
{
    refused("", TR_RULES_BY_CONTENT, ": holds no rules");
    refused("# nothing\n\n[a if contains]\n", TR_RULES_BY_CONTENT, ": holds no rules");
    refused("gemm\n", TR_RULES_BY_CONTENT,
            "line 1: a text before the first section: [CLASS if starts with]");
    refused("[a]\nx\n", TR_RULES_BY_CONTENT, "line 1: '[a]' has no ' if ': [CLASS if starts with]");
    refused("\n[a if contians]\nx\n", TR_RULES_BY_CONTENT,
            "line 2: '[a if contians]': after 'if', perhaps 'operator', then equals to, starts "
            "with, ends with, contains, "
            "matches, function contains or function has word");
    refused("[a if contains] # x\n", TR_RULES_BY_CONTENT,
            "line 1: '[' begins a section, but no ']' ends the line");
    refused("[a (fast) if contains]\nx\n", TR_RULES_BY_CONTENT,
            "line 1: kind 'fast': there are compute, comm, memory, other");
    refused("[ if contains]\nx\n", TR_RULES_BY_CONTENT,
            "line 1: '[if contains]' has no ' if ': [CLASS if starts with]");
    refused("[.x if contains]\nx\n", TR_RULES_BY_CONTENT,
            "line 1: '[.x if contains]': a class has 1 to 255 bytes");
    refused("[- if contains]\nx\n", TR_RULES_BY_CONTENT,
            "line 2: a rule without a class needs a kind");
    refused("[a (comm) if operator contains]\nx\n", TR_RULES_BY_CONTENT,
            "line 2: a kind for operators: only device work has one");
    refused("[a if contains]\nx\n", TR_RULES_LONGEST,
            "line 2: 'contains' cannot be used in a file in which the longest rule wins");
    refused("{\"direct\": {", TR_RULES_BY_CONTENT, ": begins like JSON, but is cut short");
    refused("{\"direct\": {}} and more", TR_RULES_BY_CONTENT,
            "byte 14: begins like JSON, but is not");
    refused("{\"other\": 1}", TR_RULES_BY_CONTENT,
            ": JSON, but no schema: neither 'direct' nor 'reverse'");
    refused("{\"direct\": {\"next\": {\"a\": 1}}}", TR_RULES_BY_CONTENT,
            "tree 'direct': a node is not an object");
    refused("{\"reverse\": {\"next\": {\"a\": {\"category\": 1}}}}", TR_RULES_BY_CONTENT,
            "tree 'reverse': a category is not a string");
}

/* Whatever regular expressions the system has, an unpaired bracket is none. */
static void test_max(void)
{
    const struct tr_rules_opts opts = { TR_RULES_IN_ORDER, false };
    const struct tr_rule rule = { .condition = TR_RULE_EQUALS, .text = "gemm", .label = "a" };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_rules *r = NULL;
    CHECK(tr_rules_new(&r, &err) == TR_OK && tr_rules_start(r, "f", &opts, &err) == TR_OK);
    bool taken = true;
    for (unsigned i = 0; i < TR_RULES_MAX; i++)
        taken = taken && tr_rules_add(r, &rule, 4, &err) == TR_OK;
    CHECK(taken);
    CHECK(tr_rules_add(r, &rule, 4, &err) == TR_USAGE);
    CHECK_STR(err.what, "more than 100000 rules");
    tr_rules_free(r);
}

static void test_bad_regex(void)
{
    const struct tr_rules_opts opts = { TR_RULES_BY_CONTENT, false };
    static const char text[] = "[a if matches]\nfine\n(broken\n";
    struct tr_error err = TR_ERROR_INIT;
    struct tr_rules *r = NULL;
    CHECK(tr_rules_new(&r, &err) == TR_OK);
    CHECK(tr_rules_ini(r, "f", text, sizeof text - 1, &opts, &err) == TR_USAGE);
    CHECK_STR(err.place, "line 3");
    CHECK(strncmp(err.what, "'(broken' is not a regular expression: ", 36) == 0);
    tr_rules_free(r);
}

static void test_builtin(void)
{
    const struct tr_rules_opts opts = { TR_RULES_IN_ORDER, false };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_rules *r = NULL, *checked = NULL;
    size_t n = 0;
    CHECK(tr_rules_new(&r, &err) == TR_OK && tr_rules_new(&checked, &err) == TR_OK);
    for (const struct tr_rules_builtin *b = tr_rules_builtins; b->name; b++, n++) {
        /* their expressions are compiled when they are needed; here they are compiled at once, so all are good */
        CHECK(tr_rules_add_builtin(r, b, TR_RULES_IN_ORDER, &err) == TR_OK);
        CHECK(tr_rules_ini(checked, b->name, b->text, strlen(b->text), &opts, &err) == TR_OK);
    }
    CHECK(n == 6 && tr_rules_count(r) == tr_rules_count(checked));
    takes(r, "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "comm");
    takes(r, "sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nhwc", "conv");
    takes(r, "void cutlass::Kernel<cutlass_80_tensorop_s1688gemm_256x128_32x3_nt_align1>(Params)",
          "gemm");
    takes(r, "Cijk_Alik_Bljk_BBS_BH_Bias_HA_S_SAV_UserArgs_MT128x256x32", "gemm");
    takes(r, "void fbgemm_gpu::permute_2D_lengths_kernel<int>(int, int, int const*)", "copy");
    takes(r, "Memcpy HtoD (Pinned -> Device)", "memcpy");
    CHECK_STR(class_of(r, TR_RULE_OPERATOR, "aten::addmm"), "gemm");
    CHECK_STR(class_of(r, TR_RULE_OPERATOR, "aten::view"), "-");
    for (uint32_t i = 0; i < tr_rules_count(checked); i++) { /* the texts of the rules, as names */
        const struct tr_rule *rule = tr_rules_get(checked, i);
        char want[300];
        snprintf(want, sizeof want, "%s", class_of(checked, rule->target, rule->text));
        CHECK_STR(class_of(r, rule->target, rule->text), want);
    }
    tr_rules_free(r);
    tr_rules_free(checked);
}

/* ---- roles of calls ---- */

static void test_api_roles(void)
{
    static const struct { const char *name; enum tr_api_role role; } of[] = {
        { "cudaLaunchKernelExC_v11060", TR_API_LAUNCH }, { "cudaGraphLaunch", TR_API_LAUNCH },
        { "cuGraphLaunch", TR_API_LAUNCH },              { "hipGraphLaunch", TR_API_LAUNCH },
        { "hipExtModuleLaunchKernel", TR_API_LAUNCH },   { "hipMemcpyWithStream", TR_API_LAUNCH },
        { "cudaMemsetAsync", TR_API_MEMSET },            { "clEnqueueNDRangeKernel", TR_API_LAUNCH },
        { "zeCommandQueueExecuteCommandLists", TR_API_LAUNCH },
        { "zeCommandListAppendMemoryCopy(M2D)[4096]", TR_API_APPEND },
        { "urEnqueueKernelLaunch", TR_API_APPEND },      { "cudaLaunchHostFunc", TR_API_OTHER },
        { "cudaStreamBeginCapture_ptsz", TR_API_BEGIN_CAPTURE }, { "hipStreamEndCapture", TR_API_END_CAPTURE },
        { "cudaMalloc", TR_API_OTHER },                  { "zeCommandListAppendBarrier", TR_API_OTHER },
        { "hipGraphInstantiate", TR_API_OTHER },         { "", TR_API_OTHER },
    };
    struct tr_error err = TR_ERROR_INIT;
    struct tr_api_roles *roles;
    struct tr_dict *d = tr_dict_new();
    enum tr_api_role role;
    CHECK(d && tr_api_roles_new(&roles, &err) == TR_OK);
    for (size_t i = 0; i < 2 * sizeof of / sizeof *of; i++) { /* the second time it is known */
        const char *name = of[i / 2].name;
        CHECK(tr_api_role_of(roles, d, tr_strtab_add(d->strings, name, strlen(name)), &role, &err) == TR_OK);
        CHECK(role == of[i / 2].role);
    }
    CHECK(tr_api_role_of(roles, d, TR_NO_STR, &role, &err) == TR_OK && role == TR_API_OTHER);
    tr_api_roles_free(roles);
    tr_api_roles_free(NULL);
    tr_dict_free(d);
}

/* ---- over ranks ---- */

static void typical(enum tr_across across, const char *label, double count, double sum)
{
    static const char a[] = "a", b[] = "b";
    const struct tr_class_sum sums[] = {
        { { 0, 0, 0, 0, 0 }, a, 2, 100, 130 },
        { { 0, 0, 0, 0, 0 }, b, 1, 30, 130 },
        { { 1, 0, 0, 0, 0 }, a, 4, 500, 500 },
        { { 2, 0, 0, 0, 0 }, a, 1, 10, 10 },
    };
    struct tr_class_across *rows = NULL;
    struct tr_error err = TR_ERROR_INIT;
    size_t n = 0, found = 0;
    CHECK(tr_class_across(sums, 4, across, false, &rows, &n, &err) == TR_OK && n == 2);
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].label, label) == 0) {
            found++;
            CHECK(rows[i].count > count - 1e-9 && rows[i].count < count + 1e-9);
            CHECK(rows[i].sum > sum - 1e-9 && rows[i].sum < sum + 1e-9);
        }
    CHECK(found == 1);
    free(rows);
}

static void test_across(void)
{
    typical(TR_ACROSS_SUM, "a", 7, 610);
    typical(TR_ACROSS_MEAN, "a", 7.0 / 3, 610.0 / 3);
    typical(TR_ACROSS_MEDIAN, "a", 2, 100);
    typical(TR_ACROSS_SECOND_MIN, "a", 2, 100);
    typical(TR_ACROSS_MAX, "a", 4, 500);
    typical(TR_ACROSS_MEAN, "b", 1.0 / 3, 10); /* two ranks have none of it */
    typical(TR_ACROSS_MIN, "b", 0, 0);
    typical(TR_ACROSS_MEDIAN, "b", 0, 0);
    typical(TR_ACROSS_SECOND_MAX, "b", 0, 0);
}

/* ---- the column ---- */

#define N 4u

/* Names a, gemm, a, late; the second has a class; the last name enters the dictionary late. */
static struct tr_batch *make_batch(struct tr_dict *d)
{
    struct tr_batch *b = tr_batch_new();
    static const char *const names[N] = { "a", "gemm", "a", "late" };
    if (!b || !tr_batch_reserve(b, N) || !tr_batch_reserve_cols(b, TR_N_DERIVED) ||
        !tr_col_reserve(&b->cols[TR_COL_CLASS], 1, TR_T_STRING))
        exit(1);
    b->n = N;
    b->dict = d;
    for (uint32_t i = 0; i < N; i++) {
        b->ts[i] = i;
        b->dur[i] = 1;
        b->record[i] = i;
        b->track[i] = b->shape[i] = 0;
        b->name[i] = tr_strtab_add(d->strings, names[i], strlen(names[i]));
        b->cat[i] = TR_NO_STR;
        b->phase[i] = b->kind[i] = b->suspect[i] = 0;
        b->activity[i] = TR_ACT_KERNEL;
        b->flags[i] = i == 1 ? TR_HAS_CLASS : 0;
    }
    b->cols[TR_COL_CLASS].v.str[0] = tr_strtab_add(d->strings, "old", 3);
    b->cols[TR_COL_CLASS].n = 1;
    return b;
}

static void test_relabel(void)
{
    static const char *const labels[] = { "gemm", "comm" };
    static const uint32_t label[N] = { 1, TR_CLASS_KEEP, TR_CLASS_NONE, 0 };
    static const uint8_t kind[N] = { TR_KIND_COMM, TR_KIND_COMPUTE, TR_KIND_NONE, TR_KIND_NONE };
    static const char *const want_name[N] = { "a", "gemm", "a", "late" };
    static const char *const want_class[N] = { "comm", "old", "", "gemm" };
    struct tr_dict *d = tr_dict_new();
    struct tr_error err = TR_ERROR_INIT;
    struct tr_class_rewrite *r = NULL;
    const struct tr_batch *out = NULL;
    uint32_t have[N];
    if (!d)
        exit(1);
    CHECK(tr_class_rewrite_new(&r, d, true, labels, 2, &err) == TR_OK);
    struct tr_batch *b = make_batch(d);
    CHECK(tr_class_rewrite_batch(r, b, label, kind, &out, &err) == TR_OK);
    tr_batch_expand_str(out, TR_COL_CLASS, have);
    for (uint32_t i = 0; i < N; i++) {
        CHECK_STR(tr_dict_str(out->dict, out->name[i]), want_name[i]);
        CHECK_STR(tr_dict_str(out->dict, have[i]), want_class[i]);
        CHECK(out->kind[i] == kind[i] && out->cat[i] == TR_NO_STR);
        CHECK(((out->flags[i] & TR_HAS_CLASS) != 0) == (*want_class[i] != '\0'));
    }
    tr_class_rewrite_free(r);
    tr_batch_free(b);
    tr_dict_free(d);
}

static const struct tap_test tests[] = {
    { "in order: the first rule that takes a name wins", test_first },
    { "schemas: the longest text wins, beginnings before endings", test_longest },
    { "a schema in JSON", test_json },
    { "what cannot be read is refused, with line and cause", test_refused },
    { "so many rules as there may be, and one more", test_max },
    { "a bad regular expression is refused in its line", test_bad_regex },
    { "the rules that come along", test_builtin },
    { "roles of API calls", test_api_roles },
    { "statistics over ranks count a rank without a class as nothing", test_across },
    { "labels: new, kept, taken away; the dictionary grows", test_relabel },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
