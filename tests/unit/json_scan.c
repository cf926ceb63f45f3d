/* SPDX-License-Identifier: MIT */
/* JSON text that is cut or broken: where a value ends, what is fixed, what cannot be; and tokens. */
#include "harness/tap.h"
#include "json/tr_json.h"
#include "json/tr_json_tok.h"

static enum tr_json_result scan(const char *p, size_t n, bool last, size_t *len, unsigned *defects)
{
    return tr_json_scan(p, n, last, NULL, len, defects);
}

#define MANY (TR_JSON_MAX_DEPTH + 1)

static const char *clean(const char *p, size_t n, bool keep_nan)
{
    static struct tr_buf out;
    out.len = 0;
    if (!tr_json_clean(p, n, true, keep_nan, &out) || !tr_buf_add(&out, "", 1))
        return "(refused)";
    return (const char *)out.data;
}

struct whole {
    const char *text, *rest; /* the value, and what stands after it */
    const char *clean;
    unsigned defects;
};

static const struct whole wholes[] = {
    { "{}", "", "{}", 0 },
    { "[]", "", "[]", 0 },
    { "{\"a\": [1, true, null, \"\"] , \"b\":{}}", ", 1", "{\"a\":[1,true,null,\"\"],\"b\":{}}", 0 },
    { "{\"a\": \"x\"}", ",", "{\"a\":\"x\"}", 0 },
    { "{\"a\": \"x\"}", " {\"a\": 2}", "{\"a\":\"x\"}", 0 },
    /* quotes inside strings: what follows cannot follow a string */
    { "{\"a\": \"x\"y\", \"b\": 1}", "", "{\"a\":\"x\\\"y\",\"b\":1}", TR_JSON_INNER_QUOTE },
    { "{\"a\": \"x\", y\", \"b\": 1}", "", "{\"a\":\"x\\\", y\",\"b\":1}", TR_JSON_INNER_QUOTE },
    { "{\"a\": \"x\", \"y\", \"b\": 1}", "", "{\"a\":\"x\\\", \\\"y\",\"b\":1}", TR_JSON_INNER_QUOTE },
    { "{\"a\": \"x\" \"b\", \"c\": 1}", "", "{\"a\":\"x\\\" \\\"b\",\"c\":1}", TR_JSON_INNER_QUOTE },
    { "{\"a\": \"x\"}\"b\", \"c\": 1}", "", "{\"a\":\"x\\\"}\\\"b\",\"c\":1}", TR_JSON_INNER_QUOTE },
    { "{\"a\": \"x\"]\", \"c\": 1}", "", "{\"a\":\"x\\\"]\",\"c\":1}", TR_JSON_INNER_QUOTE },
    { "{\"a\"b\": 1}", "", "{\"a\\\"b\":1}", TR_JSON_INNER_QUOTE },
    { "{\"a\": \"\\q \x01 x\"y\"}", "", "{\"a\":\"\\\\q \\u0001 x\\\"y\"}",
      TR_JSON_BAD_ESCAPE | TR_JSON_CONTROL | TR_JSON_INNER_QUOTE },
    { "[\"a\", b\", \"c\"]", "", "[\"a\\\", b\",\"c\"]", TR_JSON_INNER_QUOTE },
    { "[\"a\"} b\", \"c\"]", "", "[\"a\\\"} b\",\"c\"]", TR_JSON_INNER_QUOTE },
    { "[\"a\", \"b\", -1, .5, {}, [], nan]", "", "[\"a\",\"b\",-1,0.5,{},[],NaN]",
      TR_JSON_ODD_NUMBER | TR_JSON_NOT_A_NUMBER },
    /* commas */
    { "{\"a\": \"x\" \"b\": 1}", "", "{\"a\":\"x\",\"b\":1}", TR_JSON_MISSING_COMMA },
    { "{\"a\": {\"b\": \"x\"} \"c\": 1}", "", "{\"a\":{\"b\":\"x\"},\"c\":1}", TR_JSON_MISSING_COMMA },
    { "[1 2]", "", "[1,2]", TR_JSON_MISSING_COMMA },
    { "[1,,2,]", "", "[1,2]", TR_JSON_EXTRA_COMMA },
    { "{,\"a\":1,,}", "", "{\"a\":1}", TR_JSON_EXTRA_COMMA },
    { "[,]", "", "[]", TR_JSON_EXTRA_COMMA },
    /* escapes and control bytes */
    { "[\"\\q\\u12g4\\n\"]", "", "[\"\\\\q\\\\u12g4\\n\"]", TR_JSON_BAD_ESCAPE },
    { "[\"\\u00fF\\\"\"]", "", "[\"\\u00fF\\\"\"]", 0 },
    { "[\"a\x01\x1f\"]", "", "[\"a\\u0001\\u001f\"]", TR_JSON_CONTROL },
    { "[\"\xff\"]", "", "[\"\xff\"]", TR_JSON_BAD_UTF8 },
    { "[\"\xc3\xa9\"]", "", "[\"\xc3\xa9\"]", 0 },
    { "[\"\\q\xff\"]", "", "[\"\\\\q\xff\"]", TR_JSON_BAD_ESCAPE | TR_JSON_BAD_UTF8 },
    { "[\"\x01\xff\"]", "", "[\"\\u0001\xff\"]", TR_JSON_CONTROL | TR_JSON_BAD_UTF8 },
    /* numbers and words */
    { "[0, -0, 10, 1.50, 1e5, -2E-7, 1.0e+2]", "", "[0,-0,10,1.50,1e5,-2E-7,1.0e+2]", 0 },
    { "[03]", "", "[3]", TR_JSON_ODD_NUMBER },
    { "[00]", "", "[0]", TR_JSON_ODD_NUMBER },
    { "[+1]", "", "[1]", TR_JSON_ODD_NUMBER },
    { "[-.5]", "", "[-0.5]", TR_JSON_ODD_NUMBER },
    { "[1.]", "", "[1.0]", TR_JSON_ODD_NUMBER },
    { "[-1.-22]", "", "[-1.022]", TR_JSON_ODD_NUMBER },
    { "[1.-5]", "", "[-1.005]", TR_JSON_ODD_NUMBER },
    { "[1.-1234]", "", "[-1.1234]", TR_JSON_ODD_NUMBER },
    { "[-nan, +INF, -Infinity, inf]", "", "[NaN,Infinity,-Infinity,Infinity]", TR_JSON_NOT_A_NUMBER },
};

static void test_wholes(void)
{
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++) {
        const struct whole *w = &wholes[i];
        char text[200];
        size_t len, n = strlen(w->text);
        unsigned defects;
        int all = snprintf(text, sizeof text, "%s%s", w->text, w->rest);
        CHECK(scan(text, (size_t)all, true, &len, &defects) == TR_JSON_DONE && len == n &&
              defects == w->defects);
        CHECK_STR(clean(text, (size_t)all, true), w->clean);
        for (size_t k = 0; k < n; k++) { /* no piece of it is a value */
            enum tr_json_result r = scan(text, k, false, &len, &defects);
            CHECK(r == TR_JSON_MORE && len <= k);
        }
    }
}

static const char *const bads[] = { "[1}",  "{\"a\": 1]", "{\"a\":}",  "{\"a\":,}", "{1: 2}",   "[1e]",
                                    "[1e+]", "[-]",        "[1.2.3]",   "[.]",       "[infinit]", "[nanx]",   "[True]",
                                    "[tru]", "[truefalse]", "}",       "{\"a\": \"x {\"a\": 1}, " };

static void test_bads(void)
{
    size_t len;
    unsigned defects;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++)
        if (scan(bads[i], strlen(bads[i]), true, &len, &defects) != TR_JSON_BAD)
            tap_check(false, __FILE__, __LINE__, bads[i]);
    CHECK(scan("", 0, true, &len, &defects) == TR_JSON_BAD && len == 0);
    CHECK(scan("", 0, false, &len, &defects) == TR_JSON_MORE);
    CHECK_STR(clean("[nan, -inf, 1]", 14, false), "[null,null,1]");
}

/* Where the text ends in doubt: how far it is good depends on whether more may come. */
static void test_ends(void)
{
    static const struct {
        const char *text;
        size_t last, more; /* how far it is good if no more comes, if more may come */
    } ends[] = {
        { "{\"a\": \"x\", \"b", 11, 6 }, /* a member follows, as far as can be seen */
        { "{\"a\": \"x\" \"b", 6, 6 },   /* without the comma, the string may as well go on */
        { "{\"a\": \"x\"", 9, 6 },
        { "{\"a\": \"x\", ", 11, 6 },
        { "{\"a\": {\"b\": \"x\"} \"c", 12, 12 },
        { "{\"a\": \"x {\"a\"", 13, 6 }, /* perhaps another object starts: not without its colon */
        { "{\"a\": \"x\\", 6, 6 },
        { "{\"a\": 12", 8, 6 },
        { "{\"a", 1, 1 },
        { "{\"a\"", 4, 1 },
    };
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        size_t len, n = strlen(ends[i].text);
        unsigned defects;
        for (int last = 0; last < 2; last++) {
            bool good = scan(ends[i].text, n, last, &len, &defects) == TR_JSON_MORE &&
                        len == (last ? ends[i].last : ends[i].more);
            if (!good)
                printf("# %s, last %d: %zu\n", ends[i].text, last, len);
            CHECK(good);
        }
    }
    size_t len;
    unsigned defects;
    CHECK(scan("{\"a\": \"x\"}", 10, true, &len, &defects) == TR_JSON_DONE && len == 10);
    CHECK(scan("{\"a\": \"x\"}", 10, false, &len, &defects) == TR_JSON_MORE && len == 6);
    CHECK(scan("12", 2, true, &len, &defects) == TR_JSON_DONE && len == 2);
    CHECK(scan("12", 2, false, &len, &defects) == TR_JSON_MORE);
}

static void test_depth(void)
{
    static char text[2 * MANY];
    size_t len;
    unsigned defects;
    memset(text, '[', MANY);
    memset(text + TR_JSON_MAX_DEPTH, ']', TR_JSON_MAX_DEPTH);
    CHECK(scan(text, sizeof text - 2, true, &len, &defects) == TR_JSON_DONE && len == sizeof text - 2);
    memset(text, '[', MANY);
    memset(text + MANY, ']', MANY);
    CHECK(scan(text, sizeof text, true, &len, &defects) == TR_JSON_BAD && len == TR_JSON_MAX_DEPTH);
    /* which bracket is open is kept for each of them */
    for (size_t i = 0; i < 130; i++)
        memcpy(text + 5 * i, i % 3 ? "{\"a\":" : "    [", 5);
    for (size_t i = 0; i < 130; i++)
        text[650 + i] = (129 - i) % 3 ? '}' : ']';
    CHECK(scan(text + 4, 776, true, &len, &defects) == TR_JSON_DONE && len == 776 && defects == 0);
    text[700] = text[700] == '}' ? ']' : '}';
    CHECK(scan(text + 4, 776, true, &len, &defects) == TR_JSON_BAD);
}

static void test_tokens(void)
{
    static const char text[] = "{\"rank\":5,\"x\":\"rank\",\"y\":{\"rank\":7,\"w\":8},\"z\":[1,{\"q\":2}],\"last\":\"\"}";
    struct tr_json_tokens t = { 0 };
    CHECK(tr_json_tokenize(&t, text, sizeof text - 1));
    size_t rank = tr_json_member(&t, text, 0, "rank"), y = tr_json_member(&t, text, 0, "y"),
           z = tr_json_member(&t, text, 0, "z"), last = tr_json_member(&t, text, 0, "last");
    CHECK(rank == 2 && t.tok[rank].kind == TR_JSON_PRIMITIVE && text[t.tok[rank].start] == '5');
    CHECK(y == 6 && tr_json_next(&t, y) == 11 && z == 12 && tr_json_next(&t, z) == 17);
    CHECK(text[t.tok[tr_json_member(&t, text, y, "rank")].start] == '7');
    CHECK(last == 18 && t.n == 19 && tr_json_next(&t, last) == t.n && tr_json_next(&t, 0) == t.n);
    CHECK(tr_json_member(&t, text, 0, "w") == 0 && tr_json_member(&t, text, 0, "q") == 0);
    CHECK(tr_json_member(&t, text, 0, "ran") == 0 && tr_json_member(&t, text, z, "q") == 0);
    CHECK(tr_json_member(&t, text, t.n, "rank") == 0);
    static const char twice[] = "{\"a\":1,\"a\":2}";
    CHECK(tr_json_tokenize(&t, twice, sizeof twice - 1) && tr_json_member(&t, twice, 0, "a") == 4);
    CHECK(!tr_json_tokenize(&t, "1 2", 3) && !t.no_memory);
    CHECK(tr_json_tokenize(&t, "{\"a\"}", 5) && t.n == 2 && tr_json_next(&t, 2) == 2); /* a key without a value */
    tr_json_tokens_free(&t);
}

/* A key that may be among the first ones of an object, as far as it can be seen. */
static void test_starts(void)
{
    static const struct {
        const char *text;
        enum tr_json_result more, last;
    } cases[] = {
        { "\n{\"na", TR_JSON_MORE, TR_JSON_BAD },    { "\n{\"name", TR_JSON_MORE, TR_JSON_BAD },
        { "\n{\"name\"", TR_JSON_MORE, TR_JSON_BAD }, { "\n{\"name\" ", TR_JSON_MORE, TR_JSON_BAD },
        { "\n{\"name\" :", TR_JSON_DONE, TR_JSON_DONE }, { "\n{\"name\" ,", TR_JSON_BAD, TR_JSON_BAD },
        { "\n{\"nam\":", TR_JSON_BAD, TR_JSON_BAD }, { ",{\"name\":", TR_JSON_DONE, TR_JSON_DONE },
        { " {\"name\":", TR_JSON_BAD, TR_JSON_BAD },
    };
    struct tr_json_firsts firsts = { .len = 0 };
    tr_json_firsts_add(&firsts, "name", 4);
    tr_json_firsts_add(&firsts, "ph", 2);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = strlen(cases[i].text);
        CHECK(tr_json_starts(cases[i].text, n, 2, false, &firsts) == cases[i].more);
        CHECK(tr_json_starts(cases[i].text, n, 2, true, &firsts) == cases[i].last);
    }
}

/* Which keys are kept: of letters, digits and `_`, each once, as long as there is room. */
static void test_firsts(void)
{
    static const char *const kept[] = { "a", "z", "A", "Z", "0", "9", "_", "azAZ09_" };
    static const char *const refused[] = { "", "`", "{", "@", "[", "/", ":", "^", "a\"", "\\n", "a b", "\xc3\xa4" };
    char longest[TR_JSON_FIRST_KEY];
    struct tr_json_firsts f = { .len = 0 };
    uint16_t len;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++) {
        tr_json_firsts_add(&f, kept[i], strlen(kept[i]));
        CHECK(tr_json_firsts_has(&f, kept[i], strlen(kept[i])));
    }
    len = f.len;
    tr_json_firsts_add(&f, "azAZ09_", 7);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        tr_json_firsts_add(&f, refused[i], strlen(refused[i]));
    CHECK(f.len == len);
    CHECK(!tr_json_firsts_has(&f, "azAZ09", 6));

    memset(longest, 'x', sizeof longest);
    tr_json_firsts_add(&f, longest, sizeof longest - 1); /* with its quotes, one byte more than may be */
    CHECK(f.len == len);
    for (char c = 'a'; c <= 'd'; c++) {
        longest[0] = c;
        tr_json_firsts_add(&f, longest, sizeof longest - 2);
    }
    CHECK(f.len == len + 3 * (sizeof longest - 1)); /* there is no room for the fourth */
    CHECK(tr_json_firsts_has(&f, "a", 1));
    longest[0] = 'c';
    CHECK(tr_json_firsts_has(&f, longest, sizeof longest - 2));
    longest[0] = 'd';
    CHECK(!tr_json_firsts_has(&f, longest, sizeof longest - 2));
}

/* The inside of a string, decoded: every escape, digits in both cases, halves of pairs, and what is cut. */
static void test_escapes(void)
{
    static const struct {
        const char *text, *decoded;
        unsigned defects;
    } cases[] = {
        { "", "", 0 },
        { "plain \xc3\xa9", "plain \xc3\xa9", 0 },
        { "\\\"\\\\\\/\\b\\f\\n\\r\\t", "\"\\/\b\f\n\r\t", 0 },
        { "\\u0041\\u007f\\u0080\\u07ff\\u0800\\uffff", "A\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf", 0 },
        { "\\u00e9\\u00E9\\uaBcD\\uAbCd", "\xc3\xa9\xc3\xa9\xea\xaf\x8d\xea\xaf\x8d", 0 },
        { "\\uFFfF\\u00g0\\u00G0\\u00`0\\u00@0", "\xef\xbf\xbf\\u00g0\\u00G0\\u00`0\\u00@0", TR_JSON_BAD_ESCAPE },
        { "\\ud83d\\ude00\\uD83D\\uDE00", "\xf0\x9f\x98\x80\xf0\x9f\x98\x80", 0 },
        { "\\ud800\\udc00\\udbff\\udfff", "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf", 0 },
        { "\\ud83d", "\xef\xbf\xbd", TR_JSON_LONE_SURROGATE },
        { "\\ude00\\ud83d", "\xef\xbf\xbd\xef\xbf\xbd", TR_JSON_LONE_SURROGATE },
        { "\\ud83d\\ud83d\\ude00", "\xef\xbf\xbd\xf0\x9f\x98\x80", TR_JSON_LONE_SURROGATE },
        { "\\ud83d\\ue000\\ud7ff", "\xef\xbf\xbd\xee\x80\x80\xed\x9f\xbf", TR_JSON_LONE_SURROGATE },
        { "\\ud83d\\ude0", "\xef\xbf\xbd\\ude0", TR_JSON_LONE_SURROGATE | TR_JSON_BAD_ESCAPE },
        { "\\ud83dxude00", "\xef\xbf\xbdxude00", TR_JSON_LONE_SURROGATE },
        { "\\u123", "\\u123", TR_JSON_BAD_ESCAPE },
        { "\\u", "\\u", TR_JSON_BAD_ESCAPE },
        { "a\\", "a\\", TR_JSON_BAD_ESCAPE },
        { "\\q\\\\", "\\q\\", TR_JSON_BAD_ESCAPE },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tr_buf out = { 0 };
        size_t n = strlen(cases[i].text);
        unsigned defects = 0;
        char *exact = malloc(n + 1); /* what reads on is found by sanitizers */
        memcpy(exact, cases[i].text, n);
        CHECK(tr_json_unescape(exact, n, &out, &defects) && tr_buf_add(&out, "", 1));
        CHECK_STR((const char *)out.data, cases[i].decoded);
        CHECK(defects == cases[i].defects);
        tr_buf_free(&out);
        free(exact);
    }
}

/* Released, it is as new. */
static void test_tokens_again(void)
{
    struct tr_json_tokens t = { 0 };
    for (unsigned i = 0; i < 3; i++) {
        CHECK(tr_json_tokenize(&t, "{\"a\":[1,2]}", 11) && t.n == 5 && tr_json_member(&t, "{\"a\":[1,2]}", 0, "a") == 2);
        tr_json_tokens_free(&t);
        CHECK(!t.tok && !t.raw && !t.n && !t.cap && !t.cap_raw && !t.no_memory);
    }
}

static const struct tap_test tests[] = {
    { "where another object begins", test_starts },
    { "first keys of objects", test_firsts },
    { "values, whole and in pieces", test_wholes },
    { "what is no value", test_bads },
    { "text that ends in doubt", test_ends },
    { "brackets", test_depth },
    { "tokens", test_tokens },
    { "tokens, released and used again", test_tokens_again },
    { "escapes", test_escapes },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof *tests);
}
