/* SPDX-License-Identifier: MIT */
/*
 * Files of rules about operators and devices: every way in which a line can be wrong, with its place; what may stand
 * between lines; numbers at their limits; and what is read from good ones.
 */
#include "harness/tap.h"

#include "lang/tr_value.h"
#include "vendor/tr_ideal.h"
#include "vendor/tr_models.h"
#include "vendor/tr_peaks.h"
#include "vendor/tr_schemas.h"
#include "vendor/tr_step_sums.h"

#include <math.h>
#include <pthread.h>
#include <stdarg.h>

#define N(array) (sizeof(array) / sizeof *(array))

static char shown[4096];

static void show(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void show(const char *format, ...)
{
    size_t n = strlen(shown);
    va_list ap;
    va_start(ap, format);
    vsnprintf(shown + n, sizeof shown - n, format, ap);
    va_end(ap);
}

static void show_str(struct tr_str s)
{
    show("%.*s", s.s ? (int)s.len : 6, s.s ? s.s : "(none)");
}

static void show_value(const struct tr_value *v)
{
    struct tr_buf text = { 0 };
    CHECK(tr_value_print(v, &text));
    show("%.*s", (int)text.len, (const char *)text.data);
    tr_buf_free(&text);
}

/* "place: what" of a refusal that names the file. */
static const char *refusal(enum tr_status st, const struct tr_error *err)
{
    static char text[1024];
    if (st == TR_OK || st == TR_NO)
        return st == TR_OK ? "ok" : "no";
    CHECK(st == TR_USAGE);
    CHECK_STR(err->input, "f");
    snprintf(text, sizeof text, "%s: %s", err->place, err->what);
    return text;
}

/* A copy that ends where the text ends: what reads on is found by sanitizers. */
static char *exact(const char *text, size_t n)
{
    char *copy = malloc(n + !n);
    memcpy(copy, text, n);
    return copy;
}

/*
 * The text of a file as others write it: lines end with \r\n, the last one is not ended, blanks and remarks stand
 * around lines, empty lines between.
 */
enum { AS_IT_IS, CARRIAGE_RETURNS, LAST_NOT_ENDED, BLANKS_AFTER, REMARKS_AFTER, EMPTY_LINES, N_SPELLINGS };

static char *spelled(const char *text, unsigned how)
{
    static const char *const ends[] = { "\n", "\r\n", "\n", " \t \n", " # a remark\n", "\n \t \n\n# a remark\n" };
    char *out = calloc(1, strlen(text) * 16 + 1), *to = out;
    for (; *text; text++)
        if (*text == '\n')
            to = stpcpy(to, ends[how]);
        else
            *to++ = *text;
    if (how == LAST_NOT_ENDED && to > out && to[-1] == '\n')
        to[-1] = '\0';
    return out;
}

/* ---- models ---- */

static const char *read_models(const char *text, size_t len)
{
    struct tr_models *m = tr_models_new();
    struct tr_error err = TR_ERROR_INIT;
    char *copy = exact(text, len);
    const char *said = refusal(tr_models_read(m, "f", copy, len, &err), &err);
    free(copy);
    tr_models_free(m);
    return said;
}

static void test_models_refused(void)
{
    static const char *const cases[][2] = {
        { "", ": there is no model in it" },
        { "# a remark\n", ": there is no model in it" },
        { "flops = 1\n", "line 1: a section such as [gemm] is expected first" },
        { "\n[a\n", "line 2: a section such as [gemm] is expected first" },
        { "[]\n", "line 1: a name of a family is expected between '[' and ']'" },
        { "[ \t ]\n", "line 1: a name of a family is expected between '[' and ']'" },
        { "[a]\nflop = 1\n", "line 2: a line begins with ops =, own =, kernels =~, let, when, flops =, bytes =, "
                             "spec =, param =, source = or why =" },
        { "[a]\nops\n", "line 2: names with commas between are expected" },
        { "[a]\nops =\n", "line 2: names with commas between are expected" },
        { "[a]\nops = x,,y\n", "line 2: names with commas between are expected" },
        { "[a]\nlet flops = 1\nlet = 2\n", "line 3: a name and '=' are expected after 'let'" },
        { "[a]\nlet 1x = 2\n", "line 2: a name and '=' are expected after 'let'" },
        { "[a]\nlet a.b = 2\n", "line 2: a name and '=' are expected after 'let'" },
        { "[a]\nlet dims = 2\n", "line 2: 'dims' is given by the call" },
        { "[a]\nlet op = 2\n", "line 2: 'op' is given by the call" },
        { "[a]\nlet arg = 2\n", "line 2: 'arg' is given by the call" },
        { "[a]\nparam = m\n", "line 2: no variable 'm'" },
        { "[a]\nlet m = 1\nparam = m,\nparam = m, n, m\n", "line 4: no variable 'n'" },
        { "[a]\nwhen\n", "line 2: a line begins with ops =, own =, kernels =~, let, when, flops =, bytes =, spec =, param =, "
                         "source = or why =" },
    };
    for (size_t i = 0; i < N(cases); i++)
        CHECK_STR(read_models(cases[i][0], strlen(cases[i][0])), cases[i][1]);
    CHECK_STR(read_models("[a]\nflops = 1\0\n", 15), "line 2: holds a zero byte: not a text");
    CHECK(strstr(read_models("[a]\n\nflops = 1 +\n", 17), "line 3, formula, "));
    CHECK(strstr(read_models("[a]\nflops = nothing\n", 20), "line 2, formula, "));
    CHECK(strstr(read_models("[a]\nlet b = \n", 13), "line 2, formula, "));
}

/* A section with n lines after its title: "flops = 1", or as format says, with their numbers. */
static const char *many(const char *title, unsigned n, const char *format)
{
    struct tr_buf text = { 0 };
    char line[200];
    tr_buf_add_str(&text, title);
    for (unsigned i = 0; i < n; i++) {
        snprintf(line, sizeof line, format, i); // NOLINT(clang-diagnostic-format-nonliteral)
        tr_buf_add_str(&text, line);
    }
    const char *said = read_models((const char *)text.data, text.len);
    tr_buf_free(&text);
    return said;
}

static void test_models_limits(void)
{
    CHECK_STR(many("[a]\n", 60, "flops = %u\n"), "ok");
    CHECK_STR(many("[a]\n", 61, "flops = %u\n"), "line 62: more than 60 formulas in a section");
    CHECK_STR(many("[a]\nlet v0 = 1\n", 32, "param = v0 # %u\n"), "ok");
    CHECK_STR(many("[a]\nlet v0 = 1\n", 33, "param = v0 # %u\n"), "line 35: too many parameters at 'v0'");
    CHECK_STR(many("", 10000, "[a%u]\n"), "ok");
    CHECK_STR(many("", 10001, "[a%u]\n"), "line 10001: more than 10000 models");
    char name[100] = "[";
    for (unsigned n = 59; n <= 61; n++) {
        memset(name + 1, 'f', n);
        memcpy(name + 1 + n, "]\n", 3);
        CHECK_STR(read_models(name, n + 3),
                  n <= 60 ? "ok" : "line 1: a name of a family is expected between '[' and ']'");
    }
    char let[100] = "[a]\nlet ";
    for (unsigned n = 58; n <= 60; n++) {
        memset(let + 8, 'v', n);
        memcpy(let + 8 + n, "=1\n", 4);
        CHECK_STR(read_models(let, n + 11), n < 60 ? "ok" : "line 2: a name and '=' are expected after 'let'");
    }
}

/* What a model makes of the call that most tests use. */
static const char *applied(const struct tr_model *m, const struct tr_model_args *args)
{
    struct tr_model_result r;
    struct tr_buf params = { 0 };
    struct tr_error err = TR_ERROR_INIT;
    shown[0] = '\0';
    CHECK(tr_model_apply(m, args, &r, &params, &err) == TR_OK);
    show("%s", r.known ? "known" : "unknown");
    if (r.has_flops)
        show(" flops %.17g", r.flops);
    if (r.has_bytes)
        show(" bytes %.17g", r.bytes);
    show(" '%s' %.*s", r.spec, (int)params.len, (const char *)params.data);
    tr_buf_free(&params);
    return shown;
}

static const struct tr_model_args mm = {
    .op = { "aten::mm", 8 },
    .dims = { "[[2, 3], [3, 5], []]", 20 },
    .types = { "[\"float\", \"float\", \"Scalar\"]", 28 },
    .strides = { "[[3, 1], [5, 1], []]", 20 },
    .concrete = { "[\"\", \"\", \"7\"]", 13 },
    .step = { "decode[bs=2 tok=0 sk=9 sqsq=1.5 sqsk=3]", 39 },
};

static void test_models_applied(void)
{
    static const char *const cases[][2] = {
        { "flops = 2 * dims(0)[0] * dims(0)[1] * dims(1)[1]\n", "known flops 60 '' {}" },
        { "flops = 0\n", "known flops 0 '' {}" },
        { "flops = -1\n", "unknown '' {}" },
        { "bytes = -1\nflops = 0.5\n", "known flops 0.5 '' {}" },
        { "bytes = 8\n", "known bytes 8 '' {}" },
        { "flops = \"a\"\nbytes = none\n", "unknown '' {}" },
        { "spec = \"vector\"\n", "unknown 'vector' {}" },
        { "flops = 1\nspec = 5\n", "known flops 1 '' {}" },
        { "flops = 1\nspec = \"0123456789012345678901234567890\"\n",
          "known flops 1 '0123456789012345678901234567890' {}" },
        { "flops = 1\nspec = \"01234567890123456789012345678901\"\n", "known flops 1 '' {}" },
        { "flops = 1\nwhen op == \"aten::mm\"\nbytes = 4\n", "known flops 1 bytes 4 '' {}" },
        { "flops = 1\nwhen op == \"aten::bmm\"\nbytes = 4\n", "unknown flops 1 '' {}" },
        { "flops = 1\nwhen 1\nbytes = 4\n", "unknown flops 1 '' {}" },
        { "let a = 1\nlet a = a + 1\nflops = a\nparam = a, op\n", "known flops 2 '' {\"a\":2,\"op\":\"aten::mm\"}" },
        { "let c = arg(2)\nlet t = type(c)\nflops = c\nparam = c, t\n", "known flops 7 '' {\"c\":7,\"t\":\"int\"}" },
        { "let t = precision(types(0))\nflops = size(types(1))\nparam = t\n", "known flops 4 '' {\"t\":\"fp32\"}" },
        { "flops = size(3)\nbytes = size(\"nothing\")\n", "unknown '' {}" },
        /* a sum of 0 and other whole ones are whole numbers; others are real */
        { "let t = type(step.g_sq) + type(step.c_sq) + type(step.g_sqsq) + type(step.g_sk)\nflops = step.g_sk\n"
          "param = t\n",
          "known flops 9 '' {\"t\":\"intintintint\"}" },
        { "flops = 1 # a remark\nspec = \"a#b\" # another\n", "known flops 1 'a#b' {}" },
    };
    for (size_t i = 0; i < N(cases); i++)
        for (unsigned how = 0; how < N_SPELLINGS; how++) {
            struct tr_models *m = tr_models_new();
            struct tr_error err = TR_ERROR_INIT;
            char text[500];
            snprintf(text, sizeof text, "[first]\nops = other\nflops = 5\n[gemm]\nops = aten::mm, x*\n%s", cases[i][0]);
            char *as = spelled(text, how), *copy = exact(as, strlen(as));
            CHECK_STR(refusal(tr_models_read(m, "f", copy, strlen(as), &err), &err), "ok");
            free(copy);
            const struct tr_model *model = tr_models_find(m, tr_str_of("aten::mm"));
            CHECK(model && tr_models_find(m, tr_str_of("xyz")) == model && tr_models_find(m, tr_str_of("x")) == model);
            CHECK(!tr_models_find(m, tr_str_of("")) && !tr_models_find(m, tr_str_of("aten::m")));
            CHECK(!tr_models_find(m, tr_str_of(NULL)) && tr_models_find(m, tr_str_of("other")) != model);
            if (model) {
                CHECK_STR(tr_model_family(model), "gemm");
                CHECK_STR(tr_model_file(model), "f");
                CHECK(tr_model_line(model) == (how == EMPTY_LINES ? 13 : 4));
                CHECK(tr_model_needs_step(model) == (strstr(cases[i][0], "step.") != NULL));
                CHECK_STR(applied(model, &mm), cases[i][1]);
            }
            tr_models_free(m);
            free(as);
        }
}

/* The later file counts, the text of a section starts with its title, and a call without arguments is not known. */
static void test_models_several(void)
{
    static const char one[] = "[a]\nops = x, p*\nflops = 1\n\n# b follows\n[b]\nops = y\nflops = 2\n",
                      two[] = "[c]\nops=x,pq*\nflops=3";
    struct tr_models *m = tr_models_new();
    struct tr_error err = TR_ERROR_INIT;
    CHECK(tr_models_read(m, "f", one, strlen(one), &err) == TR_OK);
    CHECK(tr_models_read(m, "g", two, strlen(two), &err) == TR_OK);
    static const char *const ops[][2] = { { "x", "c" },  { "y", "b" },   { "p", "a" },
                                          { "pz", "a" }, { "pqr", "c" }, { "pq", "c" } };
    for (size_t i = 0; i < N(ops); i++) {
        const struct tr_model *model = tr_models_find(m, tr_str_of(ops[i][0]));
        CHECK(model != NULL);
        CHECK_STR(model ? tr_model_family(model) : "", ops[i][1]);
    }
    static const char *const texts[] = { "[a]\nops = x, p*\nflops = 1", "[b]\nops = y\nflops = 2",
                                         "[c]\nops=x,pq*\nflops=3" };
    for (size_t i = 0; i < 3; i++) {
        const struct tr_model *model = tr_models_find(m, tr_str_of(i == 0 ? "p" : i == 1 ? "y" : "x"));
        shown[0] = '\0';
        show_str(tr_model_text(model));
        CHECK_STR(shown, texts[i]);
    }
    struct tr_model_args none = { .op = tr_str_of("x") };
    CHECK_STR(applied(tr_models_find(m, none.op), &none), "unknown '' {}");
    none.dims = tr_str_of("[]");
    CHECK_STR(applied(tr_models_find(m, none.op), &none), "known flops 3 '' {}");
    tr_models_free(m);
}

/* A model is applied as the same one whose formulas were read at once.  Returns whether it is valid for the call. */
static bool same_as(const struct tr_model *model, const struct tr_model *other, const struct tr_model_args *args)
{
    char want[sizeof shown];
    CHECK(!model == !other);
    if (!model || !other)
        return false;
    snprintf(want, sizeof want, "%s", applied(other, args));
    CHECK_STR(applied(model, args), want);
    CHECK_STR(tr_model_family(model), tr_model_family(other));
    CHECK(tr_model_needs_step(model) == tr_model_needs_step(other));
    return strncmp(want, "known", 5) == 0;
}

/* Models of the library, whose formulas are read when they are needed: each is good. */
static void test_models_builtin(void)
{
    struct tr_models *m = tr_models_new(), *checked = tr_models_new();
    struct tr_error err = TR_ERROR_INIT;
    unsigned names = 0, known = 0, parts = 0;
    CHECK(tr_models_read_builtin(m, &err) == TR_OK);
    for (const struct tr_models_builtin *b = tr_models_builtins; b->name; b++)
        CHECK(tr_models_read(checked, b->name, b->text, strlen(b->text), &err) == TR_OK);
    CHECK(tr_models_mark(m) == tr_models_mark(checked));
    for (const struct tr_models_builtin *b = tr_models_builtins; b->name; b++)
        for (const char *line = b->text; line; line = strchr(line, '\n')) {
            line += *line == '\n';
            const char *at = strncmp(line, "ops = ", 6) == 0 || strncmp(line, "own = ", 6) == 0 ? line + 6 : NULL;
            while (at) {
                size_t n = strcspn(at, ",*\n"), n_parts, n_checked;
                struct tr_model_args args = mm;
                args.op = (struct tr_str){ at, n };
                known += same_as(tr_models_find(m, args.op), tr_models_find(checked, args.op), &args);
                const struct tr_model *const *of = tr_models_parts(m, args.op, &n_parts),
                                             *const *want = tr_models_parts(checked, args.op, &n_checked);
                CHECK(n_parts == n_checked);
                for (size_t i = 0; i < n_parts && i < n_checked; i++, parts++)
                    (void)same_as(of[i], want[i], &args);
                names++;
                at += n + (at[n] == '*');
                at = *at == ',' ? at + 1 + strspn(at + 1, " ") : NULL;
            }
        }
    CHECK(names > 500 && known > 20 && parts > 0);
    tr_models_free(m);
    tr_models_free(checked);
}

/* ---- schemas ---- */

static const char *read_schemas(const char *text, size_t len)
{
    struct tr_schemas *s = tr_schemas_new();
    struct tr_error err = TR_ERROR_INIT;
    char *copy = exact(text, len);
    const char *said = refusal(tr_schemas_read(s, "f", copy, len, &err), &err);
    free(copy);
    tr_schemas_free(s);
    return said;
}

#define TITLE "a::b(Tensor self, int dim, Tensor index, float p)\n "
#define ASKING 4u

struct asking {
    const struct tr_models *models;
    pthread_barrier_t *begin;
    unsigned wrong;
};

/* Apply models whose formulas nobody has read yet, when the others begin, too. */
static void *ask(void *arg)
{
    static const char *const ops[] = { "aten::sum", "aten::mm", "aten::convolution", "aten::_softmax" };
    struct asking *a = arg;
    pthread_barrier_wait(a->begin);
    for (size_t i = 0; i < N(ops); i++) {
        const struct tr_model *m = tr_models_find(a->models, tr_str_of(ops[i]));
        struct tr_model_result r;
        const struct tr_model_args args = { .op = tr_str_of(ops[i]),
                                            .dims = tr_str_of("[[8,4],[4,2]]"),
                                            .types = tr_str_of("[\"float\",\"float\"]") };
        a->wrong += !m || tr_model_apply(m, &args, &r, NULL, NULL) != TR_OK;
    }
    return NULL;
}

static void test_models_shared(void)
{
    for (unsigned round = 0; round < 200; round++) {
        struct tr_models *m = tr_models_new();
        pthread_barrier_t begin;
        pthread_t threads[ASKING];
        struct asking asking[ASKING];
        CHECK(m && tr_models_read_builtin(m, NULL) == TR_OK);
        pthread_barrier_init(&begin, NULL, ASKING);
        for (unsigned i = 0; i < ASKING; i++) {
            asking[i] = (struct asking){ m, &begin, 0 };
            CHECK(pthread_create(&threads[i], NULL, ask, &asking[i]) == 0);
        }
        for (unsigned i = 0; i < ASKING; i++)
            CHECK(pthread_join(threads[i], NULL) == 0 && asking[i].wrong == 0);
        pthread_barrier_destroy(&begin);
        tr_models_free(m);
    }
}

static void test_schemas_refused(void)
{
    static const char *const cases[][2] = {
        { "", "there is no schema in it" },
        { " \n\t# nothing\n", "there is no schema in it" },
        { "mm()\n", "line 1: an operator such as aten::mm is expected at '()'" },
        { "\n1a::b()\n", "line 2: an operator such as aten::mm is expected at '1a::b()'" },
        { "a::b", "line 1: '(' is expected at ''" },
        { "a::b.(", "line 1: a name of an overload is expected at '('" },
        { "a::b.1(", "line 1: a name of an overload is expected at '1('" },
        { "a::b(", "line 1: a type of an argument is expected at ''" },
        { "a::b(Matrix m)", "line 1: a type of an argument is expected at 'Matrix m)'" },
        { "a::b(Tensor", "line 1: a name of an argument is expected at ''" },
        { "a::b(Tensor)", "line 1: a name of an argument is expected at ')'" },
        { "a::b(Tensor(a!", "line 1: ')' is expected at 'a!'" },
        { "a::b(int[", "line 1: ']' is expected at ''" },
        { "a::b(int[x] y)", "line 1: ']' is expected at 'x] y)'" },
        { "a::b(int[12", "line 1: ']' is expected at ''" },
        { "a::b(int x, int x)", "line 1: another name of an argument is expected at ')'" },
        { "a::b(int x=)", "line 1: a default is expected at ')'" },
        { "a::b(int x=", "line 1: a default is expected at ''" },
        { "a::b(int x=y)", "line 1: 'y' is no number, list, True, False, None or text in quotes" },
        { "a::b(str x='a b')", "line 1: a text that is a default has letters, digits and '_' only" },
        { "a::b(str x='a)", "line 1: ''a' is no number, list, True, False, None or text in quotes" },
        { "a::b(int x", "line 1: ',' or ')' is expected at ''" },
        { "a::b(int x int y)", "line 1: ',' or ')' is expected at 'int y)'" },
        { "a::b(int x,", "line 1: a type of an argument is expected at ''" },
        { "a::b(int x,)", "line 1: a type of an argument is expected at ')'" },
        { "a::b() = Tensor", "line 1: '->' is expected at '= Tensor'" },
        { "a::b() -", "line 1: '->' is expected at '-'" },
        { " index < self\n",
          "line 1: an indented line is about a tensor of the schema above it, such as index < self[dim]" },
        { TITLE "none < self[0]\n",
          "line 2: an indented line is about a tensor of the schema above it, such as index < self[dim]" },
        { TITLE "dim < self[0]\n",
          "line 2: an indented line is about a tensor of the schema above it, such as index < self[dim]" },
        { TITLE "index", "line 2: '<' is expected at ''" },
        { TITLE "index > self[0]", "line 2: '<' is expected at '> self[0]'" },
        { TITLE "index < none", "line 2: after '<', a number of the schema or a dimension of a tensor is expected" },
        { TITLE "index < self", "line 2: after '<', a number of the schema or a dimension of a tensor is expected" },
        { TITLE "index < dim[0]", "line 2: after '<', a number of the schema or a dimension of a tensor is expected" },
        { TITLE "index < self[]",
          "line 2: a dimension, by number or by argument, with ']' after it, is expected at ']'" },
        { TITLE "index < self[0",
          "line 2: a dimension, by number or by argument, with ']' after it, is expected at ''" },
        { TITLE "index < self[0.5]",
          "line 2: a dimension, by number or by argument, with ']' after it, is expected at '.5]'" },
        { TITLE "index < self[other]",
          "line 2: a dimension, by number or by argument, with ']' after it, is expected at ''" },
    };
    for (size_t i = 0; i < N(cases); i++) {
        const char *said = read_schemas(cases[i][0], strlen(cases[i][0]));
        CHECK_STR(*said == ':' ? said + 2 : said, cases[i][1]);
    }
}

static void test_schemas_limits(void)
{
    for (unsigned n = 63; n <= 65; n++) {
        char text[4000] = "a::b(";
        for (unsigned i = 0; i < n; i++)
            sprintf(text + strlen(text), "%sint a%u", i ? ", " : "", i);
        strcat(text, ")\n");
        CHECK_STR(read_schemas(text, strlen(text)), n <= 64 ? "ok" : "line 1: more than 64 arguments");
    }
    for (unsigned n = 20000; n <= 20001; n++) {
        struct tr_buf text = { 0 };
        for (unsigned i = 0; i < n; i++)
            tr_buf_add_str(&text, "a::b()\n");
        CHECK_STR(read_schemas((const char *)text.data, text.len),
                  n <= 20000 ? "ok" : "line 20001: more than 20000 schemas");
        tr_buf_free(&text);
    }
}

static const char *schema_shown(const struct tr_schema *s)
{
    static const char *const kinds[] = { "tensor", "tensors", "number", "real",   "int",  "bool",
                                         "text",   "dtype",   "layout", "format", "other" };
    shown[0] = '\0';
    for (; s; s = s->next) {
        show("%.*s.%.*s@%u(", (int)s->op.len, s->op.s, (int)s->overload.len, s->overload.s, s->line);
        for (size_t i = 0; i < s->n; i++) {
            const struct tr_schema_arg *a = &s->args[i];
            show("%s%.*s:%s:%.*s%s%s%s%s", i ? ", " : "", (int)a->name.len, a->name.s, kinds[a->kind], (int)a->type.len,
                 a->type.s, a->list ? ":list" : "", a->optional ? ":optional" : "", a->keyword ? ":keyword" : "",
                 a->written ? ":written" : "");
            if (a->has_preset) {
                show("=");
                show_value(&a->preset);
            }
            if (a->below.s) {
                show(" < ");
                show_str(a->below);
                if (a->dim.s) {
                    show("[");
                    show_str(a->dim);
                    show("]");
                }
            }
        }
        show(")");
    }
    return shown;
}

static void test_schemas_read(void)
{
    static const char *const cases[][2] = {
        { "a::b()\n", "a::b.@1()" },
        { "a::b.c ( ) -> Tensor\n", "a::b.c@1()" },
        { "a::b(Tensor x, Tensor? y, Tensor(a!) z, Tensor[] l, Tensor?[] o, Tensor(a!)[2]? w) -> ()\n",
          "a::b.@1(x:tensor:Tensor, y:tensor:Tensor?:optional, z:tensor:Tensor(a!):written, l:tensors:Tensor[]:list, "
          "o:tensors:Tensor?[]:list, w:tensors:Tensor(a!)[2]?:list:optional:written)" },
        { "a::b(Tensor(a) x, int [2 ] ? y)\n", "a::b.@1(x:tensor:Tensor(a), y:int:int [2 ] ?:list:optional)" },
        { "a::b(Scalar a, float b, int c, SymInt d, bool e, SymBool f, str g)\n",
          "a::b.@1(a:number:Scalar, b:real:float, c:int:int, d:int:SymInt, e:bool:bool, f:bool:SymBool, g:text:str)" },
        { "a::b(ScalarType a, Layout b, MemoryFormat c, Device d, Generator e, Dimname f, Storage g, Stream h)\n",
          "a::b.@1(a:dtype:ScalarType, b:layout:Layout, c:format:MemoryFormat, d:other:Device, e:other:Generator, "
          "f:other:Dimname, g:other:Storage, h:other:Stream)" },
        { "a::b(int[1]? k=None, *, int[] l=[1, [2]], float m=-0.5, bool n=True, str o='mean', str p=\"a_1\", int q = 3 "
          ")\n",
          "a::b.@1(k:int:int[1]?:list:optional=null, l:int:int[]:list:keyword=[1,[2]], m:real:float:keyword=-0.5, "
          "n:bool:bool:keyword=true, o:text:str:keyword=\"mean\", p:text:str:keyword=\"a_1\", q:int:int:keyword=3)" },
        { "a::b(Tensor self, int dim, Tensor index)\n index < self[dim]\n",
          "a::b.@1(self:tensor:Tensor, dim:int:int, index:tensor:Tensor < self[dim])" },
        { "a::b(Tensor self, int dim, Tensor index)\n\t index<self [ -1 ]\n",
          "a::b.@1(self:tensor:Tensor, dim:int:int, index:tensor:Tensor < self[-1])" },
        { "a::b(Tensor self, int dim, Tensor index)\n index < dim\n",
          "a::b.@1(self:tensor:Tensor, dim:int:int, index:tensor:Tensor < dim)" },
        { "a::b()\nc::d()\na::b.e()\n", "a::b.@1()a::b.e@3()" },
    };
    for (size_t i = 0; i < N(cases); i++)
        for (unsigned how = 0; how < EMPTY_LINES; how++) {
            struct tr_schemas *s = tr_schemas_new();
            struct tr_error err = TR_ERROR_INIT;
            char *as = spelled(cases[i][0], how), *copy = exact(as, strlen(as));
            enum tr_status st = tr_schemas_read(s, "f", copy, strlen(as), &err);
            free(copy);
            CHECK_STR(st == TR_OK ? schema_shown(tr_schemas_find(s, tr_str_of("a::b"))) : refusal(st, &err),
                      cases[i][1]);
            CHECK(!tr_schemas_find(s, tr_str_of("a::")) && !tr_schemas_find(s, tr_str_of(NULL)));
            free(as);
            tr_schemas_free(s);
        }
}

/* Schemas of a later file come before those of an earlier one, in their order. */
static void test_schemas_several(void)
{
    static const char one[] = "a::b.x()\n\n  \t\na::b.y()\n", two[] = "a::b.z()\nc::d.z()\na::b.w()\n";
    struct tr_schemas *s = tr_schemas_new();
    struct tr_error err = TR_ERROR_INIT;
    CHECK(tr_schemas_read(s, "f", one, strlen(one), &err) == TR_OK);
    CHECK(tr_schemas_read(s, "g", two, strlen(two), &err) == TR_OK);
    CHECK_STR(schema_shown(tr_schemas_find(s, tr_str_of("a::b"))), "a::b.z@1()a::b.w@3()a::b.x@1()a::b.y@4()");
    CHECK_STR(tr_schemas_find(s, tr_str_of("a::b"))->file, "g");
    CHECK_STR(schema_shown(tr_schemas_find(s, tr_str_of("c::d"))), "c::d.z@2()");
    tr_schemas_free(s);
}

/* What the call of a::b becomes. */
static const char *bound(const char *schema, const char *dims, const char *types, const char *strides,
                         const char *values)
{
    static const char *const inits[] = { "none", "normal", "ones", "bool", "index" };
    struct tr_schemas *s = tr_schemas_new();
    struct tr_arena *arena = tr_arena_new(4096);
    struct tr_error err = TR_ERROR_INIT;
    struct tr_bound b;
    struct tr_model_args call = { .op = tr_str_of("a::b"),
                                  .dims = tr_str_of(dims),
                                  .types = tr_str_of(types),
                                  .strides = tr_str_of(strides),
                                  .concrete = tr_str_of(values) };
    CHECK_STR(refusal(tr_schemas_read(s, "f", schema, strlen(schema), &err), &err), "ok");
    CHECK(tr_schemas_bind(s, &call, arena, &b, &err) == TR_OK);
    shown[0] = '\0';
    show("%s", tr_refusal_text(b.refused));
    for (size_t i = 0; i < b.n && b.refused == TR_REFUSED_NOT; i++) {
        const struct tr_bound_arg *a = &b.args[i];
        show("%s", i ? ", " : "");
        if (a->tensor) {
            show("%s", a->torch);
            show_value(&a->shape);
            show_value(&a->strides);
            CHECK_STR(tr_tensor_init_name(a->init) ? tr_tensor_init_name(a->init) : "none", inits[a->init]);
            show(":%s", inits[a->init]);
            if (a->init == TR_INIT_INDEX)
                show("<%lld", (long long)a->below);
        } else {
            show_value(&a->value);
        }
        show("%s%s", a->assumed ? ":assumed" : "", a->host ? ":host" : "");
    }
    show("%s", b.assumed ? " assumed" : "");
    tr_arena_free(arena);
    tr_schemas_free(s);
    return shown;
}

static void test_schemas_bound(void)
{
    static const struct {
        const char *schema, *dims, *types, *strides, *values, *made;
    } cases[] = {
        { "a::c()", "[]", "[]", NULL, NULL, "no schema" },
        { "a::b()", "[]", "[]", NULL, NULL, "" },
        { "a::b()", NULL, "[]", NULL, NULL, "no types of arguments" },
        { "a::b()", "[]", NULL, NULL, NULL, "no types of arguments" },
        { "a::b()", "[]", "7", NULL, NULL, "no types of arguments" },
        { "a::b()", "{", "[]", NULL, NULL, "no types of arguments" },
        { "a::b()", "[[]]", "[\"Scalar\"]", NULL, NULL, "no schema fits" },
        { "a::b(Tensor x)", "[[2, 3]]", "[\"float\"]", NULL, NULL, "float32[2,3][3,1]:normal" },
        { "a::b(Tensor x)", "[[2, 3]]", "[\"float\"]", "[[]]", NULL, "float32[2,3][3,1]:normal" },
        { "a::b(Tensor x)", "[[2, 0, 3]]", "[\"float\"]", NULL, NULL, "float32[2,0,3][3,3,1]:normal" },
        { "a::b(Tensor x)", "[[2, 3]]", "[\"c10::BFloat16\"]", "[[1, 2]]", NULL, "bfloat16[2,3][1,2]:normal" },
        { "a::b(Tensor x)", "[[2, 3]]", "[\"float\"]", "[[1]]", NULL, "an impossible shape" },
        { "a::b(Tensor x)", "[[2, -3]]", "[\"float\"]", NULL, NULL, "an impossible shape" },
        { "a::b(Tensor x)", "[[2, 3]]", "[\"float\"]", "[[1, -1]]", NULL, "an impossible shape" },
        { "a::b(Tensor x)", "[2]", "[\"float\"]", NULL, NULL, "an impossible shape" },
        { "a::b(Tensor x)", "[]", "[\"float\"]", NULL, NULL, "an impossible shape" },
        { "a::b(Tensor x)", "[[2]]", "[\"float\"]", "[7]", NULL, "an impossible shape" },
        { "a::b(Tensor x)", "[[2.5]]", "[\"float\"]", NULL, NULL, "an impossible shape" },
        { "a::b(Tensor x)", "[[2305843009213693951]]", "[\"float\"]", NULL, NULL,
          "float32[2305843009213693951][1]:normal" },
        { "a::b(Tensor x)", "[[2305843009213693952]]", "[\"float\"]", NULL, NULL, "too large" },
        { "a::b(Tensor x)", "[[4294967296, 4294967296]]", "[\"bool\"]", NULL, NULL, "too large" },
        { "a::b(Tensor x)", "[[4294967296, 4294967296, 0]]", "[\"bool\"]", NULL, NULL, "too large" },
        { "a::b(Tensor x)", "[[4294967296, 4294967296, 0]]", "[\"bool\"]", "[[1, 1, 1]]", NULL,
          "bool[4294967296,4294967296,0][1,1,1]:bool" },
        { "a::b(Tensor x)", "[[9, 4611686018427387904]]", "[\"bool\"]", "[[4611686018427387904, 1]]", NULL,
          "too large" },
        { "a::b(Tensor x)", "[[2]]", "[\"bool\"]", NULL, NULL, "bool[2][1]:bool" },
        { "a::b(Tensor x)", "[[2]]", "[\"long int\"]", NULL, NULL, "int64[2][1]:ones" },
        { "a::b(Tensor x)", "[[2]]", "[\"unsigned char\"]", NULL, NULL, "uint8[2][1]:ones" },
        { "a::b(Tensor x)", "[[2]]", "[\"nothing\"]", NULL, NULL, "no schema fits" },
        { "a::b(int x)", "[[2]]", "[\"float\"]", NULL, NULL, "no schema fits" },
        { "a::b(Tensor x)", "[[]]", "[\"\"]", NULL, NULL, "no schema fits" },
        { "a::b(Tensor? x)", "[[]]", "[\"\"]", NULL, NULL, "null" },
        { "a::b(Tensor[] x)", "[[]]", "[\"\"]", NULL, NULL, "a list of tensors" },
        { "a::b(Tensor[] x)", "[[]]", "[\"TensorList\"]", NULL, NULL, "a list of tensors" },
        { "a::b(int x)", "[[]]", "[\"TensorList\"]", NULL, NULL, "no schema fits" },
        { "a::b(int x)", "[[]]", "[\"\"]", NULL, "[\"\"]", "a value that is not in the trace" },
        { "a::b(int x=4)", "[[]]", "[\"\"]", NULL, "[\"\"]", "4:assumed assumed" },
        { "a::b(int? x=4)", "[[]]", "[\"\"]", NULL, "[\"\"]", "null" },
        { "a::b(str? x=None)", "[[]]", "[\"\"]", NULL, "[\"\"]", "null:assumed assumed" },
        { "a::b(int[]? x=None)", "[[]]", "[\"\"]", NULL, NULL, "null:assumed assumed" },
        { "a::b(int[]? x=None)", "[[]]", "[\"\"]", NULL, "[\"\"]", "null" },
        { "a::b(int x)", "[[]]", "[\"Scalar\"]", NULL, NULL, "a value that is not in the trace" },
        { "a::b(int x)", "[[]]", "[\"Scalar\"]", NULL, "[\"5\"]", "5" },
        { "a::b(int x)", "[[]]", "[\"Scalar\"]", NULL, "[5]", "5" },
        { "a::b(int x)", "[[]]", "[\"Scalar\"]", NULL, "[\"5.5\"]", "no schema fits" },
        { "a::b(int x)", "[[]]", "[\"Scalar\"]", NULL, "[]", "a value that is not in the trace" },
        { "a::b(float x)", "[[]]", "[\"Scalar\"]", NULL, "[\"5\"]", "5" },
        { "a::b(float x)", "[[]]", "[\"Scalar\"]", NULL, "[\"inf\"]", "\"inf\"" },
        { "a::b(float x)", "[[]]", "[\"Scalar\"]", NULL, "[\"-inf\"]", "\"-inf\"" },
        { "a::b(float x)", "[[]]", "[\"Scalar\"]", NULL, "[\"nan\"]", "\"nan\"" },
        { "a::b(float x)", "[[]]", "[\"Scalar\"]", NULL, "[\"True\"]", "no schema fits" },
        { "a::b(Scalar x)", "[[]]", "[\"Scalar\"]", NULL, "[\"True\"]", "true" },
        { "a::b(bool x)", "[[]]", "[\"Scalar\"]", NULL, "[\"False\"]", "false" },
        { "a::b(bool x)", "[[]]", "[\"Scalar\"]", NULL, "[\"1\"]", "no schema fits" },
        { "a::b(str x)", "[[]]", "[\"Scalar\"]", NULL, "[\"1\"]", "no schema fits" },
        { "a::b(Tensor x)", "[[]]", "[\"Scalar\"]", NULL, "[\"1\"]", "no schema fits" },
        { "a::b(int[] x)", "[[]]", "[\"ScalarList\"]", NULL, "[\"[1, 2]\"]", "[1,2]" },
        { "a::b(int[] x)", "[[]]", "[\"ScalarList\"]", NULL, "[\"[1, 2.5]\"]", "no schema fits" },
        { "a::b(int[] x)", "[[]]", "[\"Scalar\"]", NULL, "[\"3\"]", "3" },
        { "a::b(int x)", "[[]]", "[\"ScalarList\"]", NULL, "[\"[1]\"]", "no schema fits" },
        { "a::b(Layout x)", "[[]]", "[\"Scalar\"]", NULL, "[\"0\"]", "0" },
        { "a::b(Layout x)", "[[]]", "[\"Scalar\"]", NULL, "[\"1\"]", "no schema fits" },
        { "a::b(Device x)", "[[]]", "[\"Scalar\"]", NULL, "[\"1\"]", "no schema fits" },
        /* the first that fits, or the reason of one that has these types */
        { "a::b(int x)\na::b.n(bool x)", "[[]]", "[\"Scalar\"]", NULL, "[\"True\"]", "true" },
        { "a::b(int x)\na::b.n(Tensor x)", "[[-1]]", "[\"float\"]", NULL, NULL, "an impossible shape" },
        { "a::b(Tensor x)\na::b.n(int x)", "[[-1]]", "[\"float\"]", NULL, NULL, "an impossible shape" },
        /* what tensors hold */
        { "a::b(Tensor self, Tensor i)\n i < self[0]", "[[4, 5], [2]]", "[\"float\", \"long int\"]", NULL, NULL,
          "float32[4,5][5,1]:normal, int64[2][1]:index<4" },
        { "a::b(Tensor self, Tensor i)\n i < self[-1]", "[[4, 5], [2]]", "[\"float\", \"int\"]", NULL, NULL,
          "float32[4,5][5,1]:normal, int32[2][1]:index<5" },
        { "a::b(Tensor self, Tensor i)\n i < self[-2]", "[[4, 5], [2]]", "[\"float\", \"int\"]", NULL, NULL,
          "float32[4,5][5,1]:normal, int32[2][1]:index<4" },
        { "a::b(Tensor self, Tensor i)\n i < self[-3]", "[[4, 5], [2]]", "[\"float\", \"int\"]", NULL, NULL,
          "float32[4,5][5,1]:normal, int32[2][1]:ones" },
        { "a::b(Tensor self, Tensor i)\n i < self[2]", "[[4, 5], [2]]", "[\"float\", \"int\"]", NULL, NULL,
          "float32[4,5][5,1]:normal, int32[2][1]:ones" },
        { "a::b(Tensor self, Tensor i)\n i < self[0]", "[[0], [2]]", "[\"float\", \"int\"]", NULL, NULL,
          "float32[0][1]:normal, int32[2][1]:ones" },
        { "a::b(Tensor self, Tensor i)\n i < self[0]", "[[4], [2]]", "[\"float\", \"float\"]", NULL, NULL,
          "float32[4][1]:normal, float32[2][1]:normal" },
        { "a::b(Tensor self, int d, Tensor i)\n i < self[d]", "[[4, 5], [], [2]]",
          "[\"float\", \"Scalar\", \"long int\"]", NULL, "[\"\", \"1\", \"\"]",
          "float32[4,5][5,1]:normal, 1, int64[2][1]:index<5" },
        { "a::b(int n, Tensor i)\n i < n", "[[], [2]]", "[\"Scalar\", \"long int\"]", NULL, "[\"9\", \"\"]",
          "9, int64[2][1]:index<9" },
        { "a::b(float n, Tensor i)\n i < n", "[[], [2]]", "[\"Scalar\", \"long int\"]", NULL, "[\"9.5\", \"\"]",
          "9.5, int64[2][1]:ones" },
        { "a::b(Tensor x, *, Tensor(a!) out)", "[[2], [2]]", "[\"float\", \"float\"]", NULL, NULL,
          "float32[2][1]:normal, float32[2][1]:none" },
        { "a::b(Tensor(a!) x)", "[[2]]", "[\"float\"]", NULL, NULL, "float32[2][1]:normal" },
        { "a::b(Tensor x, Tensor other)", "[[2], []]", "[\"float\", \"double\"]", NULL, NULL,
          "float32[2][1]:normal, float64[][]:normal:host" },
        { "a::b(Tensor x, Tensor other)", "[[2], []]", "[\"float\", \"long int\"]", NULL, NULL,
          "float32[2][1]:normal, int64[][]:ones:host" },
        { "a::b(Tensor x, Tensor other)", "[[2], []]", "[\"float\", \"float\"]", NULL, NULL,
          "float32[2][1]:normal, float32[][]:normal" },
        { "a::b(Tensor x, Tensor y)", "[[2], []]", "[\"float\", \"double\"]", NULL, NULL,
          "float32[2][1]:normal, float64[][]:normal" },
        { "a::b(Tensor x, Tensor other)", "[[], []]", "[\"float\", \"double\"]", NULL, NULL,
          "float32[][]:normal, float64[][]:normal" },
        { "a::b(Tensor x, Tensor other)", "[[2], [1]]", "[\"float\", \"double\"]", NULL, NULL,
          "float32[2][1]:normal, float64[1][1]:normal" },
    };
    for (size_t i = 0; i < N(cases); i++)
        CHECK_STR(bound(cases[i].schema, cases[i].dims, cases[i].types, cases[i].strides, cases[i].values),
                  cases[i].made);
}

/* Numbers of types and memory formats: those that PyTorch has, up to both ends of each range. */
static void test_schemas_numbers(void)
{
    for (int i = -1; i < 30; i++) {
        char value[20];
        snprintf(value, sizeof value, "[\"%d\"]", i);
        bool type = (i >= 0 && i <= 11) || i == 15 || (i >= 23 && i <= 26);
        CHECK(!strcmp(bound("a::b(ScalarType x)", "[[]]", "[\"Scalar\"]", NULL, value), "no schema fits") == !type);
        CHECK(!strcmp(bound("a::b(MemoryFormat x)", "[[]]", "[\"Scalar\"]", NULL, value), "no schema fits") ==
              !(i >= 0 && i <= 3));
    }
}

/* ---- peaks ---- */

static const char *peaks_shown(enum tr_status st, const struct tr_peaks *p, const struct tr_error *err)
{
    if (st != TR_OK)
        return refusal(st, err);
    shown[0] = '\0';
    show("%s: %g %g", p->name, p->bandwidth, p->l3_bandwidth);
    for (size_t i = 0; i < p->n; i++) {
        show(" %s %g", p->of[i].spec, p->of[i].tflops);
        CHECK(tr_peaks_of(p, p->of[i].spec) == p->of[i].tflops);
    }
    CHECK(tr_peaks_of(p, "nothing") == 0);
    return shown;
}

static void test_peaks_text(void)
{
    static const char *const cases[][3] = {
        { NULL, "", "line 0: a section such as [H100] is expected" },
        { NULL, "\n# nothing\n", "line 2: a section such as [H100] is expected" },
        { "H1", "", "no" },
        { "H1", "[H2]\nbandwidth = 1\n", "no" },
        { NULL, "bandwidth = 1\n[A]\nbandwidth = 2\n", "A: 2 0" },
        { NULL,
          "[A]\nbandwidth = 1\nl3_bandwidth = 2\nmatrix_bf16 = 3\nvector = 0.25\nmatrix_bf16 = 4\n[B]\nvector = 5\n",
          "A: 1 2 matrix_bf16 4 vector 0.25" },
        { "b", "[A]\nbandwidth = x\n[ B ]\nvector=5\n", "B: 0 0 vector 5" },
        { "B", "[b]\nvector = 5\n[B]\nvector = 6\n", "b: 0 0 vector 5" },
        { "h-1 z", "[H-1 Z]\nvector = 5\n", "H-1 Z: 0 0 vector 5" },
        { "H-1", "[H-1 Z]\nvector = 5\n", "no" },
        { NULL, "[A]\n", "line 1: a device without a figure" },
        { NULL, "\n[A]\n\n[B]\nvector = 1\n", "line 2: a device without a figure" },
        { NULL, "[A]\nl3_bandwidth = 1\n", "line 1: a device without a figure" },
        { NULL, "[]\nvector = 1\n", "line 1: a name of a device is expected between '[' and ']'" },
        { NULL, "[A]\nvector\n", "line 2: a name, '=' and a figure are expected" },
        { NULL, "[A]\nvector =\n", "line 2: a figure is expected after '='" },
        { NULL, "[A]\nvector = 1x\n", "line 2: a figure is expected after '='" },
        { NULL, "[A]\nvector = 0\n", "line 2: 'vector': a figure above 0 is expected" },
        { NULL, "[A]\nvector = -1\n", "line 2: 'vector': a figure above 0 is expected" },
        { NULL, "[A]\nvector = 999999999999\n", "A: 0 0 vector 1e+12" },
        { NULL, "[A]\nvector = 1e12\n", "line 2: 'vector': a figure above 0 is expected" },
        { NULL, "[A]\n= 1\n", "line 2: '' is no name of a figure, as matrix_bf16 is" },
        { NULL, "[A]\n0123456789012345678901234567890 = 1\n", "A: 0 0 0123456789012345678901234567890 1" },
        { NULL, "[A]\n01234567890123456789012345678901 = 1\n",
          "line 2: '01234567890123456789012345678901' is no name of a figure, as matrix_bf16 is" },
        { NULL, "[A]\nvector = 000000000000000000000000000000000000000000000000000000000000001\n", "A: 0 0 vector 1" },
        { NULL, "[A]\nvector = 0000000000000000000000000000000000000000000000000000000000000001\n",
          "line 2: a figure is expected after '='" },
    };
    for (size_t i = 0; i < N(cases); i++)
        for (unsigned how = 0; how < EMPTY_LINES; how++) {
            struct tr_peaks p;
            struct tr_error err = TR_ERROR_INIT;
            char *as = spelled(cases[i][1], how), *text = exact(as, strlen(as));
            CHECK_STR(peaks_shown(tr_peaks_text(&p, cases[i][0], "f", text, strlen(as), &err), &p, &err), cases[i][2]);
            free(text);
            free(as);
        }
    for (unsigned n = 39; n <= 41; n++) {
        struct tr_peaks p;
        struct tr_error err = TR_ERROR_INIT;
        char text[2000] = "[A]\n";
        for (unsigned i = 0; i < n; i++)
            sprintf(text + strlen(text), "v%u = 1\n", i);
        strcat(text, "v0 = 2\nbandwidth = 3\n");
        enum tr_status st = tr_peaks_text(&p, NULL, "f", text, strlen(text), &err);
        CHECK(st == (n <= 40 ? TR_OK : TR_USAGE) && (n > 40 || (p.n == n && p.of[0].tflops == 2 && p.bandwidth == 3)));
    }
    for (unsigned n = 62; n <= 64; n++) {
        struct tr_peaks p;
        struct tr_error err = TR_ERROR_INIT;
        char text[200];
        snprintf(text, sizeof text, "[%0*d]\nvector = 1\n", (int)n, 0);
        CHECK(tr_peaks_text(&p, NULL, "f", text, strlen(text), &err) == (n <= 63 ? TR_OK : TR_USAGE));
        CHECK(n > 63 || strlen(p.name) == n);
    }
}

static void test_peaks_csv(void)
{
    static const char *const cases[][2] = {
        { "", "no" },
        { "\n \n", "no" },
        { "FP32_GFLOPS\n", "no" },
        { "Other,1\n", "no" },
        { "FP32_GFLOP,1\n", "no" },
        { "PlatformName,Max\nFP32_GFLOPS,32000\nOther,1\nnothing\nL3_BW_in_GB_per_sec,7\n", "Max: 0 7 vector_fp32 32" },
        { "PlatformName, \"Max 2\"\nGPU_MEMORY_BW_in_GB_per_sec , \"12.5\"\n", "Max 2: 12.5 0" },
        { "FP16_GFLOPS,1\nFP32_GFLOPS,2\nFP64_GFLOPS,3\nFP16_XMX_GFLOPS,4\nBF16_XMX_GFLOPS,5\n",
          ": 0 0 vector_fp16 0.001 vector_fp32 0.002 vector_fp64 0.003 matrix_fp16 0.004 matrix_bf16 0.005" },
        { "PlatformName,\n", ": 0 0" },
        { "PlatformName,\"\n", "\": 0 0" },
        { "PlatformName,012345678901234567890123456789012345678901234567890123456789\n",
          "012345678901234567890123456789012345678901234567890123456789: 0 0" },
        { "PlatformName,0123456789012345678901234567890123456789012345678901234567891\n",
          "012345678901234567890123456789012345678901234567890123456789: 0 0" },
        { "\nFP32_GFLOPS,\n", "line 2: a figure is expected after ','" },
        { "FP32_GFLOPS,0\n", "line 1: 'vector_fp32': a figure above 0 is expected" },
        { "PlatformName,x\nFP32_GFLOPS,a\nFP32_GFLOPS,1\n", "line 2: a figure is expected after ','" },
    };
    for (size_t i = 0; i < N(cases); i++)
        for (unsigned how = 0; how < EMPTY_LINES; how++) {
            struct tr_peaks p;
            struct tr_error err = TR_ERROR_INIT;
            char *as = spelled(cases[i][0], how), *text = exact(as, strlen(as));
            CHECK_STR(peaks_shown(tr_peaks_csv(&p, "f", text, strlen(as), &err), &p, &err), cases[i][1]);
            free(text);
            free(as);
        }
}

/* ---- ideal cycles ---- */

#define START "~~~~ Ideal/Total Cycles ~~~~\n"
#define END   "====== Perf Summary End ======\n"

static void test_ideal(void)
{
    static const char *const cases[][2] = {
        { "", "none" },
        { "a-opCatX 1\n" END, "none" },
        { START, "UNKN 0:" },
        { START END "a-opCatX 1\n", "UNKN 0:" },
        { START "a-opCatX 1\nb-NA\t2 \nTotal 9\nTotal 8\n" END, "UNKN 9: a X 1, b NotAvailable 2, Total 9, Total 8," },
        { START "a-opCatX 1\na-opCatY 5\nb-opCat 2\n", "UNKN 3: a X 1, a Y 5, b  2," },
        { START "b-NA 1\na-NA 1\n-NA 1\nx-na 1\n", "UNKN 1: b NotAvailable 1, a NotAvailable 1, -NA 1, x-na 1," },
        { START "aPrecompute-NA 1\na-LxPreload-opCatX 1\na-NA 3\n", "UNKN 3: a NotAvailable 3," },
        { START "a-NA1\na-NA\n 5\na-NA 5x\na-NA 5 x\na.b-NA 5\na-NA.\na-NA/\na_9-Z-NA 5\r\n", "UNKN 5: a_9-Z NotAvailable 5," },
        { START "a-NA 9007199254740992\nb-NA 9007199254740993\n",
          "UNKN 18014398509481984: a NotAvailable 9007199254740992, b NotAvailable 9007199254740992," },
        { " PREFILL \n" START "a-NA 1\n" END "\tDECODING\t\r\n" START "b-NA 2\n" START "c-NA 3",
          "PREFILL 1: a NotAvailable 1,DECODING 2: b NotAvailable 2,DECODING 3: c NotAvailable 3," },
        { "PREFILL \n PREFIL \n DECODE \n x PREFILL \n" START, "UNKN 0:" },
        { START "a-NA 1\n" END "DSM-AutoPilot BEGIN\n" START "b-NA 2\n",
          "UNKN 1: a NotAvailable 1,UNKN auto 2: b NotAvailable 2," },
    };
    for (size_t i = 0; i < N(cases); i++)
        for (unsigned how = 0; how < BLANKS_AFTER; how++) {
            struct tr_ideal ideal = { 0 };
            struct tr_error err = TR_ERROR_INIT;
            char *as = spelled(cases[i][0], how), *text = exact(as, strlen(as));
            enum tr_status st = tr_ideal_log(&ideal, text, strlen(as), &err);
            shown[0] = '\0';
            for (size_t t = 0; t < ideal.n_tables; t++) {
                const struct tr_ideal_table *of = &ideal.tables[t];
                show("%s %s%lld:", of->phase, of->autopilot ? "auto " : "", (long long)of->total);
                for (size_t r = 0; r < of->n_rows; r++) {
                    const struct tr_ideal_row *row = &of->rows[r];
                    show(" %s%s%s %lld,", row->kernel, row->category ? " " : "", row->category ? row->category : "",
                         (long long)row->cycles);
                    const struct tr_ideal_row *found = tr_ideal_find(of, tr_str_of(row->kernel));
                    CHECK(!found == !row->category && found <= row);
                }
                CHECK(!tr_ideal_find(of, tr_str_of("A")) && !tr_ideal_find(of, tr_str_of("zz")));
            }
            CHECK_STR(st == TR_NO ? "none" : shown, cases[i][1]);
            CHECK(ideal.n_files == 1 && (st == TR_OK || st == TR_NO));
            tr_ideal_free(&ideal);
            free(text);
            free(as);
        }
}

/* ---- annotations of steps ---- */

static const char *step_shown(const char *text, size_t n)
{
    struct tr_step_sums sums;
    struct tr_step_about about;
    char *copy = exact(text, n);
    shown[0] = '\0';
    bool any = tr_step_sums_read((struct tr_str){ copy, n }, &sums),
         is = tr_step_about_read((struct tr_str){ copy, n }, &about);
    for (unsigned i = 0; any && i < TR_N_STEP_SUMS; i++)
        if (!isnan(sums.of[i]))
            show("%s=%g ", tr_step_sum_names[i], sums.of[i]);
    show("%s%s phase %d", any && sums.all ? "all " : "", is ? "step" : "none", (int)about.phase);
    for (unsigned i = 0; i < TR_N_STEP_NUMBERS; i++)
        if (about.known >> i & 1)
            show(" %u:%lld", i, (long long)about.of[i]);
    free(copy);
    return shown;
}

static void test_steps(void)
{
    static const char *const cases[][2] = {
        { "", "none phase 0" },
        { "execute_64_context_1(sq64sk65sqsq4096sqsk4097)_generation_2(sq2sk300sqsq2sqsk301)",
          "c_sq=64 c_sk=65 c_sqsq=4096 c_sqsk=4097 g_sq=2 g_sk=300 g_sqsq=2 g_sqsk=301 all step phase 3 0:3 1:64 2:1 "
          "3:2 4:64 5:65 6:4096 7:4097 8:2 9:300 10:2 11:301" },
        { "execute_context_1(64)_generation_2(2)", "step phase 3 0:3 1:66 2:1 3:2 4:64 8:2" },
        { "execute_7_context_1(64)_generation_2(2)", "step phase 3 0:3 1:7 2:1 3:2 4:64 8:2" },
        { "execute_context_0()_generation_2(2)", "step phase 2 0:2 2:0 3:2 8:2" },
        { "execute_context_3(5)_generation_0(0)", "step phase 1 0:3 1:5 2:3 3:0 4:5 8:0" },
        { "execute_context_0(0)_generation_0(0)", "step phase 0 0:0 1:0 2:0 3:0 4:0 8:0" },
        { "execute_context_1(64)_generation_2(2", "none phase 0 2:1 3:2 4:64 8:2" },
        { "execute_context_1(64)_generation_2", "none phase 0 2:1 4:64" },
        { "execute_context_1(64)_generation_(2)", "none phase 0 2:1 4:64" },
        { "execute_context_1(64)generation_2(2)", "none phase 0 2:1 4:64" },
        { "execute_context_1(64", "none phase 0 2:1 4:64" },
        { "execute_7context_1(64)_generation_2(2)", "none phase 0" },
        { "execute_context_1(sq64sk65sqsq4096)_generation_2(sq2sk300sqsq2sqsk300)",
          "c_sq=64 c_sk=65 c_sqsq=4096 g_sq=2 g_sk=300 g_sqsq=2 g_sqsk=300 step phase 3 0:3 2:1 3:2" },
        { "execute_context_1(sq64sksqsq4096sqsk3)_generation_2(sq2sk300sqsq2sqsk300)",
          "c_sq=64 c_sqsq=4096 c_sqsk=3 g_sq=2 g_sk=300 g_sqsq=2 g_sqsk=300 step phase 3 0:3 2:1 3:2" },
        { "execute_context_1(64)_generation_9007199254740991(9007199254740992)",
          "step phase 3 2:1 3:9007199254740991 4:64" },
        { "execute_diffusion_2_1024x768", "step phase 4 0:2" },
        { "execute_diffusion_2_1024x", "none phase 0" },
        { "execute_diffusion_2_x768", "none phase 0" },
        { "execute_diffusion__1024x768", "none phase 0" },
        { "execute_diffusion_2-1024x768", "none phase 0" },
        { "execute_diffusion_2_1024y768", "none phase 0" },
        { "step[MIXED bs=3 toks=66 c_sq=64 c_sk=65 c_sqsq=4096 c_sqsk=4097 g_sq=2 g_sk=300 g_sqsq=2 g_sqsk=301]",
          "c_sq=64 c_sk=65 c_sqsq=4096 c_sqsk=4097 g_sq=2 g_sk=300 g_sqsq=2 g_sqsk=301 all step phase 3 0:3 1:66 4:64 "
          "5:65 6:4096 7:4097 8:2 9:300 10:2 11:301" },
        { "step[MIXED bs=3 toks=66 c_sq=64]", "c_sq=64 step phase 3 0:3 1:66" },
        { "step[EXTEND bs=2 toks=8]",
          "c_sq=8 c_sk=8 c_sqsq=32 c_sqsk=32 g_sq=0 g_sk=0 g_sqsq=0 g_sqsk=0 step phase 1 0:2 1:8 2:2 3:0 4:8 8:0" },
        { "step[EXTEND bs=2]", "step phase 1 0:2 2:2 3:0 8:0" },
        { "step[EXTEND bs=2 toks=0]", "step phase 1 0:2 1:0 2:2 3:0 4:0 8:0" },
        { "step[EXTEND bs=0 toks=8]", "step phase 1 0:0 1:8 2:0 3:0 4:8 8:0" },
        { "step[DECODE bs=5]", "c_sq=0 c_sk=0 c_sqsq=0 c_sqsk=0 g_sq=5 step phase 2 0:5 2:0 3:5 4:0" },
        { "step[DECODE bs=5 toks=6]", "c_sq=0 c_sk=0 c_sqsq=0 c_sqsk=0 g_sq=5 step phase 2 0:5 1:6 2:0 3:5 4:0 8:6" },
        { "step[PREFILL bs=5 toks=6]", "step phase 1 0:5 1:6 2:5 3:0 4:6 8:0" },
        { "step[TARGET_VERIFY bs=5 toks=6]", "step phase 2 0:5 1:6 2:0 3:5 4:0 8:6" },
        { "step[IDLE bs=5 toks=6]", "step phase 0 0:5 1:6" },
        { "step[DECODE]", "none phase 0" },
        { "step[decode bs=5]", "none phase 0" },
        { "step[ bs=5]", "none phase 0" },
        { "step[DECODE bs=]", "none phase 0" },
        { "prefill[bs=1 tok=64 sk=65 sqsq=4096 sqsk=4097]",
          "c_sq=64 c_sk=65 c_sqsq=4096 c_sqsk=4097 g_sq=0 g_sk=0 g_sqsq=0 g_sqsk=0 all step phase 1 0:1 1:64 2:1 3:0 "
          "4:64 5:65 6:4096 7:4097 8:0 9:0 10:0 11:0" },
        { "decode[bs=2 tok=64 sk=65 sqsq=4096 sqsk=4097]",
          "c_sq=0 c_sk=0 c_sqsq=0 c_sqsk=0 g_sq=64 g_sk=65 g_sqsq=4096 g_sqsk=4097 all step phase 2 0:2 1:64 2:0 3:2 "
          "4:0 5:0 6:0 7:0 8:64 9:65 10:4096 11:4097" },
        { "decode[bs=2 tok=64 sk=65 sqsq=4096]",
          "c_sq=0 c_sk=0 c_sqsq=0 c_sqsk=0 g_sq=64 g_sk=65 g_sqsq=4096 step phase 2 0:2 2:0 3:2" },
        { "decode[bs=2]", "c_sq=0 c_sk=0 c_sqsq=0 c_sqsk=0 step phase 2 0:2 2:0 3:2" },
        { "decode[bs=0]", "c_sq=0 c_sk=0 c_sqsq=0 c_sqsk=0 step phase 0 0:0 2:0 3:0" },
        { "decode[tok=2]", "c_sq=0 c_sk=0 c_sqsq=0 c_sqsk=0 none phase 0" },
        { "decode", "none phase 0" },
        { "execute", "none phase 0" },
    };
    for (size_t i = 0; i < N(cases); i++)
        CHECK_STR(step_shown(cases[i][0], strlen(cases[i][0])), cases[i][1]);
}

int main(void)
{
    static const struct tap_test tests[] = {
        { "models: lines that are wrong", test_models_refused },
        { "models: limits", test_models_limits },
        { "models: applied, however the file is spelled", test_models_applied },
        { "models: several sections and files", test_models_several },
        { "models: those of the library are read when they are needed", test_models_builtin },
        { "models: threads may share them", test_models_shared },
        { "schemas: lines that are wrong", test_schemas_refused },
        { "schemas: limits", test_schemas_limits },
        { "schemas: what is read, however the file is spelled", test_schemas_read },
        { "schemas: several files", test_schemas_several },
        { "schemas: calls", test_schemas_bound },
        { "schemas: numbers of types and formats", test_schemas_numbers },
        { "peaks: sections of devices", test_peaks_text },
        { "peaks: files of unitrace", test_peaks_csv },
        { "ideal cycles", test_ideal },
        { "annotations of steps", test_steps },
    };
    return tap_run(tests, N(tests));
}
