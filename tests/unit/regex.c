/* SPDX-License-Identifier: MIT */
/* Regular expressions of bounded cost: what matches, what is refused and why, and that the system's agree. */
#include "base/tr_regex.h"

#include "harness/tap.h"

#include <regex.h>
#include <time.h>

/* The reason why a pattern is refused; "" if it is taken. */
static const char *why(const char *pattern)
{
    static char text[TR_REGEX_WHY];
    struct tr_regex *re;
    text[0] = '\0';
    enum tr_status st = tr_regex_compile(&re, pattern, false, text);
    CHECK((st == TR_OK && re && !text[0]) || (st == TR_USAGE && !re && text[0]));
    tr_regex_free(re);
    return text;
}

/* PART written N times between two texts. */
static const char *many(const char *before, const char *part, size_t n, const char *after)
{
    static char text[1 << 18];
    char *to = text;
    to += sprintf(to, "%s", before);
    for (size_t i = 0; i < n; i++)
        to += sprintf(to, "%s", part);
    sprintf(to, "%s", after);
    return text;
}

static bool has(const char *pattern, const char *text, size_t len)
{
    char reason[TR_REGEX_WHY];
    struct tr_regex *re;
    if (tr_regex_compile(&re, pattern, false, reason) != TR_OK)
        return false;
    bool found = tr_regex_has(re, (struct tr_str){ text, len });
    tr_regex_free(re);
    return found;
}

/* Letters of ASCII match both cases: in texts, sets, ranges and classes, and what a set excludes. */
static void test_any_case(void)
{
    static const struct {
        const char *pattern, *text;
        bool found;
    } cases[] = { { "gemm", "x_GeMM_y", true },    { "GEMM", "gemm", true },         { "\\Gemm", "gEMM", true },
                  { "^[b-d]$", "C", true },         { "^[^b-d]$", "C", false },       { "^[^a]$", "b", true },
                  { "^[[:upper:]]+$", "ab", true }, { "^[^[:upper:]]$", "a", false }, { "a{2}b|x", "AaB", true },
                  { "^[@-`]$", "z", true },         { "^[1_]$", "?", false },         { "\xc3\xa9", "\xc3\x89", false } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char reason[TR_REGEX_WHY];
        struct tr_regex *re;
        CHECK(tr_regex_compile(&re, cases[i].pattern, true, reason) == TR_OK);
        CHECK(tr_regex_has(re, tr_str_of(cases[i].text)) == cases[i].found);
        tr_regex_free(re);
    }
}

/* From a place on, and the longest of those that start first. */
static void test_find(void)
{
    static const struct {
        const char *pattern, *text;
        size_t from;
        bool found;
        size_t start, end;
    } cases[] = { { "[0-9]+", "fusion.123_45", 0, true, 7, 10 }, { "[0-9]+", "fusion.123_45", 8, true, 8, 10 },
                  { "[0-9]+", "fusion.123_45", 10, true, 11, 13 }, { "[0-9]+", "fusion.123_45", 13, false, 0, 0 },
                  { "a|ab|abc", "xabcd", 0, true, 1, 4 },     { "^a", "aa", 1, false, 0, 0 },
                  { "a*", "baa", 0, true, 0, 0 },             { "a*", "baa", 1, true, 1, 3 },
                  { "\\bb", "ab b", 1, true, 3, 4 },        { "b$", "bb", 0, true, 1, 2 } };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char reason[TR_REGEX_WHY];
        struct tr_regex *re;
        size_t start = 0, end = 0;
        CHECK(tr_regex_compile(&re, cases[i].pattern, false, reason) == TR_OK);
        CHECK(tr_regex_find(re, tr_str_of(cases[i].text), cases[i].from, &start, &end) == cases[i].found);
        CHECK(!cases[i].found || (start == cases[i].start && end == cases[i].end));
        tr_regex_free(re);
    }
}

#define TOO_LONG "with its repetitions written out it has more than 10000 characters and choices"

static void test_length(void)
{
    CHECK_STR(why("((a{1,200}){1,200}){1,200}"), TOO_LONG);
    CHECK_STR(why("((((a{9}){9}){9}){9}){9}"), TOO_LONG);
    CHECK_STR(why(".{1,20000}x"), TOO_LONG);
    CHECK_STR(why("a{9999}"), "");
    CHECK_STR(why("a{10000}"), TOO_LONG); /* and the end */
    CHECK_STR(why("(a|b){2499}"), ""); /* two characters, the choice, and the way past the other */
    CHECK_STR(why("(a|b){2500}"), TOO_LONG);
    CHECK_STR(why(many("", "x|", 3332, "x")), "");
    CHECK_STR(why(many("", "x|", 3333, "x")), TOO_LONG);
    CHECK_STR(why(many("", "letters ", 1249, "")), "");
    CHECK_STR(why(many("", "letters ", 1250, "")), TOO_LONG);
    CHECK_STR(why("((()){32767}){32767}"), ""); /* nothing, however often */
    CHECK_STR(why("(|){999}{999}"), TOO_LONG);
    CHECK_STR(why("((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+"), TOO_LONG);
    CHECK_STR(why("a+*?+*?+*?+*?"), "");
    CHECK_STR(why("a{32768}"), "at byte 2: more than 32767 repetitions");
    CHECK_STR(why("a{99999999999999999999}"), "at byte 2: more than 32767 repetitions");
}

static void test_depth(void)
{
    static const char high[] = "more than 200 parentheses and repetitions inside one another";
    static char text[200001];
    memset(text, '(', sizeof text - 1);
    CHECK_STR(why(text), "at byte 201: more than 200 parentheses inside one another");
    memcpy(text + 201, "a", 2);
    CHECK_STR(why(text), "at byte 201: more than 200 parentheses inside one another");
    memcpy(text + 200, "a", 2);
    memset(text + 201, ')', 200);
    text[401] = '\0';
    CHECK(why(text)[0] == '\0' || strstr(why(text), high));
    CHECK(strstr(why(many("a", "{2,3}", 700, "")), high));
    CHECK_STR(why(many("(a", ")(b", 3000, ")")), "");
}

/* What is wrong, and where. */
static void test_malformed(void)
{
    static const char *const bad[][2] = {
        { "ab(c", "at byte 3: ( without )" },
        { "(a(b)", "at byte 1: ( without )" },
        { "a[bc", "at byte 2: [ without ]" },
        { "[]", "at byte 1: [ without ]" },
        { "[^]", "at byte 1: [ without ]" },
        { "[[:alpha", "at byte 2: [ without ]" },
        { "[[:alpha:]", "at byte 1: [ without ]" },
        { "[[:foo:]]", "at byte 2: no such class of characters" },
        { "[[:alp:]]", "at byte 2: no such class of characters" },
        { "[[.ab.]]", "at byte 2: no single character between [. and .]" },
        { "[z-a]", "at byte 2: a range that ends before it starts" },
        { "*a", "at byte 1: nothing to repeat" },
        { "a|+", "at byte 3: nothing to repeat" },
        { "({2})", "at byte 2: nothing to repeat" },
        { "^*", "at byte 2: nothing to repeat" },
        { "a{2", "at byte 2: { without }" },
        { "a{x}", "at byte 2: no {m}, {m,}, {,n} or {m,n}" },
        { "a{}", "at byte 2: no {m}, {m,}, {,n} or {m,n}" },
        { "a{2,1}", "at byte 2: the minimum of repetitions is above the maximum" },
        { "x\\", "at byte 2: a backslash at the end" },
        { "(a)(b)\\2", "at byte 7: a back-reference, which is not supported" },
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK_STR(why(bad[i][0]), bad[i][1]);
    CHECK_STR(why("[\\1]\\\\1\\.1\\0"), "");
    CHECK_STR(why("a)b"), ""); /* as everywhere, one that closes nothing is itself */
    CHECK_STR(why(""), "");
}

static void test_match(void)
{
    static const struct {
        const char *pattern, *text;
        bool found;
    } cases[] = {
        { "^g.{1,3}m$", "gemm", true },     { "^g.m$", "gemm", false },       { "a{3}", "xaaay", true },
        { "a{3}", "xaay", false },          { "[]x]{2}", "a]x", true },       { "(x|y){0,2}z", "z", true },
        { "", "", true },                   { "^$", "", true },               { "^$", "a", false },
        { "a|", "b", true },                { "[^a-c]", "abc", false },       { "[a\\]", "\\", true },
        { "[[=a=]-]", "-", true },          { "[[.-.]a]", "-", true },        { "x{,2}y", "y", true },
        { "\\bmm\\b", "a mm b", true },     { "\\bmm\\b", "gemm", false },    { "\\Bmm", "gemm", true },
        { "\\<ge", "x gemm", true },        { "\\<em", "gemm", false },       { "mm\\>", "gemm(", true },
        { "\\`a\\'", "a", true },           { "\\`a\\'", "ba", false },       { "\\w\\W\\s", "a \t", true },
        { "\\S", " \n", false },            { "_{0}+$", "a_", true },         { "[[:alpha:]]_{0}+$", "a_", false },
        { "(a*)*(b*)*$", "aabbab", true },  { "[\x80-\xff]", "\xc3\xa9", true }, { "^.$", "\xc3\xa9", false },
        { "[[:alpha:]]", "\xc3\xa9", false }, { "a.c", "abc", true },         { "nccl.*AllReduce", "ncclDevKernel_AllReduce", true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool good = has(cases[i].pattern, cases[i].text, strlen(cases[i].text)) == cases[i].found;
        if (!good)
            printf("# '%s' on '%s'\n", cases[i].pattern, cases[i].text);
        CHECK(good);
    }
    CHECK(has("^a[^x]b$", "a\0b", 3)); /* a zero byte is a byte, which a period is not */
    CHECK(!has("a.b", "a\0b", 3));
    CHECK(!has("a$", "a\0b", 3));
}

/* What the pairs of a text exclude. */
static void test_pairs(void)
{
    static const struct {
        const char *pattern, *text;
        bool may;
    } cases[] = {
        { "gemm", "gemm", true },           { "gemm", "sgEMMx", true },         { "gemm", "gem", false },
        { "[Gg]e(mm)v", "gemv", false },    { "a(b|x)cd", "a cd", true },       { "a(b|x)cd", "abdc", false },
        { "ab|cd", "xcd", true },           { "ab|cd", "bcad", false },         { "ab|.", "", true },
        { "(ab)?cd", "cd", true },          { "(ab)+cd", "ab", false },         { "a{2}", "xy", true },
        { "^ab$", "ab", true },             { "a.b", "xy", true },              { "(M|m)at_?mul", "matadd", false },
        { "ab|cd|ef|gh|ij|kl|mn|op", "zz", false }, { "ab|cd|ef|gh|ij|kl|mn|op|qr", "zz", true },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char reason[TR_REGEX_WHY];
        struct tr_regex *re;
        const struct tr_byte_pairs pairs = tr_byte_pairs_of(tr_str_of(cases[i].text));
        CHECK(tr_regex_compile(&re, cases[i].pattern, false, reason) == TR_OK);
        if (tr_regex_may_have(re, &pairs) != cases[i].may)
            printf("# '%s' on '%s'\n", cases[i].pattern, cases[i].text);
        CHECK(tr_regex_may_have(re, &pairs) == cases[i].may);
        tr_regex_free(re);
    }
}

/* Time by the length of the text times that of the program: what doubles elsewhere, here takes no time at all. */
static void test_time(void)
{
    static const char *const slow[] = {
        "a.{900}$", "(a|b)*a(a|b){200}$", "(a*)*(b*)*(a|b)*x", "(((a|b)*)*)*c", "(a?){900}a{900}c", "(a|a)*c", "(a|aa)+$c",
        "((a+)+)+c", "(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)(.*)[^ab]", "(()|a)*(()|b)*c", "(\\b|a)*c", "(^|a)*(b|$)*c",
        "((((((()*)*)*)*)*)*)*c", "(a{0,90}){0,30}c", "[a-z]{1,90}[a-z]{1,90}c",
    };
    static char text[8193];
    uint64_t random = 1;
    for (size_t i = 0; i + 1 < sizeof text; i++) {
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        text[i] = random >> 63 ? 'a' : 'b';
    }
    for (size_t i = 0; i < sizeof slow / sizeof *slow; i++) {
        clock_t from = clock();
        CHECK(why(slow[i])[0] == '\0');
        has(slow[i], text, sizeof text - 1);
        bool soon = (double)(clock() - from) / CLOCKS_PER_SEC < 20; /* seconds where it is bounded, ages where it is not */
        if (!soon)
            printf("# %s\n", slow[i]);
        CHECK(soon);
    }
}

/* ---- beside the system's ---- */

#if defined __GLIBC__ /* others have {,2}, \b beside ^, or a ^ that is repeated, otherwise */
static uint32_t roll(uint64_t *state, uint32_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((*state >> 33) % below);
}

/* Patterns of random parts are taken, refused and matched as the system does. */
static void test_same(void)
{
    static const char *const parts[] = { "a",     "b",   "ab",  "c",   "(",   ")",   "(",   "|",    "*",      "+",     "?",     "{2}",
                                         "{1,3}", "{0,2}", "{2,}", "{,2}", "[ab]", "[^a]", "[a-c]", "[[:alpha:]]", ".", "^", "$",
                                         "\\w",   "\\b", "\\<", "\\>", "\\.", "(a|b)", "(ab)*", "[]a]", "\\B", "-", "_", "\\s",
                                         "[[:punct:]]", "[[:space:]x]" };
    uint64_t state = 20;
    size_t matched = 0, different = 0, excluded = 0;
    for (int i = 0; i < 20000; i++) {
        char pattern[200] = "", reason[TR_REGEX_WHY];
        for (uint32_t n = 1 + roll(&state, 8); n > 0; n--)
            strcat(pattern, parts[roll(&state, sizeof parts / sizeof *parts)]);
        struct tr_regex *re;
        regex_t other;
        bool ours = tr_regex_compile(&re, pattern, false, reason) == TR_OK;
        bool theirs = regcomp(&other, pattern, REG_EXTENDED) == 0;
        for (int k = 0; k < 8 && ours && theirs; k++) {
            char text[12];
            size_t len = roll(&state, 10);
            for (size_t c = 0; c < len; c++)
                text[c] = "aabbc-_ d."[roll(&state, 10)];
            text[len] = '\0';
            const struct tr_byte_pairs pairs = tr_byte_pairs_of((struct tr_str){ text, len });
            bool found = tr_regex_has(re, (struct tr_str){ text, len }), may = tr_regex_may_have(re, &pairs);
            regmatch_t place;
            size_t start, end;
            bool same = found == (regexec(&other, text, 1, &place, 0) == 0) && (may || !found) &&
                        found == tr_regex_find(re, (struct tr_str){ text, len }, 0, &start, &end);
            if (same && found)
                same = start == (size_t)place.rm_so && end == (size_t)place.rm_eo;
            excluded += !may;
            matched++;
            if (!same && different++ < 9)
                printf("# '%s' on '%s'\n", pattern, text);
        }
        if (ours != theirs && different++ < 9)
            printf("# '%s' is %s here\n", pattern, ours ? "taken" : reason);
        if (theirs)
            regfree(&other);
        tr_regex_free(re);
    }
    CHECK(matched > 50000 && excluded > 1000);
    CHECK(different == 0);
}
#endif

static const struct tap_test tests[] = {
    { "case does not matter if so wished", test_any_case },
    { "a match has a place", test_find },
    { "programs are bounded", test_length },
    { "parentheses and repetitions are bounded", test_depth },
    { "malformed expressions", test_malformed },
    { "matching", test_match },
    { "pairs of a text exclude expressions", test_pairs },
    { "time is bounded", test_time },
#if defined __GLIBC__
    { "the system's say the same", test_same },
#endif
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
