/* SPDX-License-Identifier: MIT */
/* Formulas: values, precedence, what is absent, and limits that hostile text meets. */
#include "harness/tap.h"
#include "lang/tr_formula.h"

#include <string.h>

static const struct tr_formula_function no_functions[] = { { NULL, NULL, 0 } };

/* The value of a formula over x = [2, 3, 4], s = "bf16", as JSON; an error as its text. */
static const char *value_of(const char *text)
{
    static char out[512];
    struct tr_arena *a = tr_arena_new(4096);
    struct tr_formula_names names = { .n = 2, .functions = no_functions };
    struct tr_formula_run run = { .arena = a };
    struct tr_error err = TR_ERROR_INIT;
    const struct tr_formula *f;
    struct tr_buf json = { 0 };
    names.variables[0] = tr_str_of("x");
    names.variables[1] = tr_str_of("s");
    if (tr_formula_parse(a, text, strlen(text), &names, &f, &err) != TR_OK) {
        snprintf(out, sizeof out, "%.100s: %.300s", err.place, err.what);
    } else {
        struct tr_value v;
        tr_value_read(a, tr_str_of("[2, 3, 4]"), &run.variables[0]);
        run.variables[1] = tr_value_text(tr_str_of("bf16"));
        v = tr_formula_eval(f, &run);
        tr_value_print(&v, &json);
        snprintf(out, sizeof out, "%.*s", (int)json.len, (const char *)json.data);
    }
    tr_buf_free(&json);
    tr_arena_free(a);
    return out;
}

static const struct {
    const char *text, *value;
} cases[] = {
    { "1 + 2 * 3", "7" },
    { "(1 + 2) * 3 - -1", "10" },
    { "7 / 2", "3.5" },
    { "8 / 2", "4" },
    { "7 % 4", "3" },
    { "1 / 0", "null" },
    { "9223372036854775807 + 1 > 9e18", "true" },
    { "4611686018427387904 * 4 > 1.8e19", "true" },
    { "-9223372036854775807 - 2 < -9e18", "true" },
    { "1 < 2 && 2 <= 2 && !(3 == 4) || false", "true" },
    { "x", "[2,3,4]" },
    { "x[-1] + x(0)", "6" },
    { "x[3]", "null" },
    { "x[3] + 1", "null" },
    { "default(x[3], 5)", "5" },
    { "has(x[3])", "false" },
    { "type(x[3]) + type(x) + type(1) + type(1.5) + type(s) + type(true)", "\"absentlistintrealtextbool\"" },
    { "none", "null" },
    { "len(x) + prod(x) + sum(x)", "36" },
    { "prod([])", "1" },
    { "min(x) + max(3, 9, 4)", "11" },
    { "floor(3.7) + ceil(3.2)", "7" },
    { "floor(-3.5)", "-4" },
    { "if(len(x) == 3, \"a\" + s, 1 / 0)", "\"abf16\"" },
    { "if(s, 1, 2)", "null" },
    { "slice(x, 1) + [7]", "[3,4,7]" },
    { "slice(x, 0, -1)", "[2,3]" },
    { "slice(x, 4)", "null" },
    { "map(x, a => a * a)", "[4,9,16]" },
    { "zip(x, [1, 1, 2], a, b => a / b)", "[2,3,2]" },
    { "zip(x, [1], a, b => a)", "null" },
    { "flat(map(x, a => [a, 1]))", "[2,1,3,1,4,1]" },
    { "flat([[], x, []])", "[2,3,4]" },
    { "flat([x, 1])", "null" },
    { "flat(1)", "null" },
    { "sum(map(x, a => sum(map(x, b => a * b))))", "81" },
    { "broadcast([5, 1, 4], [3, 1])", "[5,3,4]" },
    { "broadcast([2], [3])", "null" },
    { "match(s, \"^bf\") && !match(s, \"8\")", "true" },
    { "match(s, \"(\")", "null" },
    { "[1, 2] == [1, 2] && [1] != [2] && \"a\" == \"a\"", "true" },
    { "2 + true", "3" },
    { "pow(2, 10) + pow(4, -1)", "1024.25" },
    { "pow(-1, 0.5)", "null" },
    { "pow(10, 400)", "null" },
    { "", "column 1: a number, a text, a name or '(' is expected here, not the end" },
    { "1 +* 2", "column 4: a number, a text, a name or '(' is expected here, not '* 2'" },
    { "y", "column 1: a name that was given before is expected here, not 'y'" },
    { "f(1)", "column 1: a function or a name is expected here, not 'f(1)'" },
    { "(1", "column 3: ')' is expected here, not the end" },
    { "1 2", "column 3: an operator or the end is expected here, not '2'" },
    { "\"a", "column 1: a text that ends with '\"' is expected here, not '\"a'" },
    { "map(x, 1 => 1)", "column 8: a name is expected here, not '1 => 1)'" },
};

/* A text of n times a, then b, then n times c. */
static const char *nest(size_t n, const char *a, const char *b, const char *c)
{
    static char out[8192];
    size_t at = 0;
    for (size_t i = 0; i < n; i++)
        at += (size_t)snprintf(out + at, sizeof out - at, "%s", a);
    at += (size_t)snprintf(out + at, sizeof out - at, "%s", b);
    for (size_t i = 0; i < n; i++)
        at += (size_t)snprintf(out + at, sizeof out - at, "%s", c);
    return out;
}

static void limits(void)
{
    CHECK_STR(value_of(nest(50, "(", "1", ")")), "1");
    CHECK(strstr(value_of(nest(70, "(", "1", ")")), "fewer levels") != NULL);
    CHECK(strstr(value_of(nest(70, "-", "1", "")), "fewer levels") != NULL);
    CHECK(strstr(value_of(nest(3000, "1+", "1", "")), "longer than") != NULL);
    CHECK_STR(value_of(nest(1000, "1+", "1", "")), "1001");
    CHECK_STR(value_of(nest(12, "sum(map(x, a => ", "1", "))")), "null");
    CHECK_STR(value_of("len(map(x + x + x + x, a => x + x))"), "12");
}

/* What traces write as arguments. */
static void texts(void)
{
    static const char *const cases_of[][2] = {
        { "[[8,4],[],[[1]]]", "[[8,4],[],[[1]]]" },
        { "[\"c10::Half\",\"a\\\"b\"]", "[\"c10::Half\",\"a\\\"b\"]" },
        { "True", "true" },
        { "[1, -2]", "[1,-2]" },
        { "0.", "0" },
        { "1e-05", "1e-05" },
        { "", "null" },
        { "cuda:0", "\"cuda:0\"" },
        { "[1,2", "[1,2]" },
        { "]", "\"]\"" },
    };
    for (size_t i = 0; i < sizeof cases_of / sizeof *cases_of; i++) {
        struct tr_arena *a = tr_arena_new(4096);
        struct tr_buf json = { 0 };
        struct tr_value v;
        bool fine = tr_value_read(a, tr_str_of(cases_of[i][0]), &v) && tr_value_print(&v, &json) &&
                    tr_buf_add(&json, "", 1);
        CHECK(fine);
        CHECK_STR(fine ? (const char *)json.data : "", cases_of[i][1]);
        tr_buf_free(&json);
        tr_arena_free(a);
    }
    struct tr_arena *a = tr_arena_new(4096);
    struct tr_value v;
    CHECK(!tr_value_read(a, tr_str_of("[[[[[[[[[[1]]]]]]]]]]"), &v)); /* ten lists in lists */
    tr_arena_free(a);
}

static void formulas(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_STR(value_of(cases[i].text), cases[i].value);
}

static const struct tap_test tests[] = {
    { "formulas have their values, and errors their places", formulas },
    { "what is deep, long or runs long is refused", limits },
    { "arguments as traces write them", texts },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
