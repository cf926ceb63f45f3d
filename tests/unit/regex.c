/* SPDX-License-Identifier: MIT */
/* Regular expressions of bounded cost: what is refused before the system sees it, and what still matches. */
#include "base/tr_regex.h"

#include "harness/tap.h"

/* The reason why a pattern is refused; "" if it is taken. */
static const char *why(const char *pattern)
{
    static char text[TR_REGEX_WHY];
    regex_t re;
    text[0] = '\0';
    enum tr_status st = tr_regex_compile(&re, pattern, text);
    CHECK((st == TR_OK && !text[0]) || (st == TR_USAGE && text[0]));
    if (st == TR_OK)
        regfree(&re);
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

#define COPIES "its repetitions stand for more than 1000 characters"
#define FORKS  "more than 5000 choices (| * + ? and repetitions)"

static void test_copies(void)
{
    CHECK_STR(why("((a{1,100}){1,100}){1,100}"), COPIES);
    CHECK_STR(why("((((a{9}){9}){9}){9}){9}"), COPIES);
    CHECK_STR(why("a{1001}b{2}"), COPIES);
    CHECK_STR(why("a{1,1001}{1}b{2}"), COPIES);
    CHECK_STR(why("(ab){600}"), COPIES);
    CHECK_STR(why("[[:alpha:]]{600}[^]]{600}"), COPIES);
    CHECK_STR(why("((()){999}){999}"), COPIES);
    CHECK_STR(why("(|){999}{999}"), COPIES);
    CHECK_STR(why("(a{30000,}){30000,}"), COPIES);
    CHECK_STR(why("a{99999999999999999999}{99999999999999999999}"), COPIES);
    CHECK_STR(why(many("a", "+", 20, "")), COPIES);
    CHECK_STR(why("((((((((((((a+)+)+)+)+)+)+)+)+)+)+)+)+"), COPIES);
    CHECK_STR(why("a{1000}"), "");
    CHECK_STR(why("([a][^]b]){334}"), ""); /* a bracket counts once, and its end not */
    CHECK_STR(why("([a][^]b]){335}"), COPIES);
    CHECK_STR(why("([a-z_]{1,30}::){0,16}[a-z]+"), "");
    CHECK_STR(why("((a+)+)+"), "");
    CHECK_STR(why("[+{9999}*]\\{9999}\\+"), "");
    CHECK_STR(why("[](a{1001}b{2})]"), ""); /* a bracket that stands first does not close */
    CHECK_STR(why("[^](a{1001}b{2})]"), "");
    CHECK_STR(why("[x](a{1001}b{2})]"), COPIES);
    CHECK_STR(why("[[:alpha:](a{1001}b{2})]"), ""); /* nor does the bracket of a class */
    CHECK_STR(why("[[:alpha:]](a{1001}b{2})"), COPIES);
    CHECK_STR(why(many("(", "some_name|", 5000, "x)+")), FORKS);
    CHECK_STR(why(many("(", "some_name|", 2000, "x)+")), ""); /* twice its own length is no danger */
}

static void test_forks(void)
{
    CHECK_STR(why(many("", "x|", 5000, "x")), "");
    CHECK_STR(why(many("", "x|", 5001, "x")), FORKS);
    CHECK_STR(why(many("", "x?", 5001, "")), FORKS);
    CHECK_STR(why(many("x", "*", 5001, "")), FORKS);
    CHECK_STR(why(many("", "letters ", 9000, "")), "");
}

static void test_depth(void)
{
    static const char deep[] = "more than 200 parentheses inside one another";
    static char text[200001];
    memset(text, '(', sizeof text - 1);
    CHECK_STR(why(text), deep);
    memcpy(text + 201, "a", 2);
    CHECK_STR(why(text), deep);
    memcpy(text + 200, "a", 2);
    memset(text + 201, ')', 200);
    text[401] = '\0';
    CHECK_STR(why(text), "");
    CHECK(why(many("(a", ")(b", 5000, ")"))[0] == '\0');
}

static void test_back_references(void)
{
    CHECK(strncmp(why("(a*)*\\1b"), "a back-reference", 16) == 0);
    CHECK(strncmp(why("(a)(b)\\2"), "a back-reference", 16) == 0);
    CHECK_STR(why("[\\1]\\\\1\\.1"), "");
    CHECK_STR(why("a\\0"), "");
}

/* What is no expression at all is left to the system, whatever it makes of it. */
static void test_malformed(void)
{
    static const char *const bad[] = { "(", "[", "[^", "[]", "[[:", "[[:alpha", "[[:alpha:]", "a{2", "a{2,1}", "a{65536}", "x\\" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        CHECK(strcmp(why(bad[i]), COPIES) != 0 || bad[i][1] == '{');
    CHECK(why("(")[0] && why("[")[0] && why("[[:alpha:]")[0]);
}

static enum tr_status has(const char *pattern, const char *text, size_t len)
{
    char reason[TR_REGEX_WHY];
    regex_t re;
    if (tr_regex_compile(&re, pattern, reason) != TR_OK)
        return TR_USAGE;
    enum tr_status st = tr_regex_has(&re, (struct tr_str){ text, len });
    regfree(&re);
    return st;
}

static void test_match(void)
{
    CHECK(has("^g.{1,3}m$", "gemm", 4) == TR_OK);
    CHECK(has("^g.m$", "gemm", 4) == TR_NO);
    CHECK(has("a{3}", "xaaay", 5) == TR_OK);
    CHECK(has("[]x]{2}", "a]x", 3) == TR_OK);
    CHECK(has("(x|y){0,2}z", "z", 1) == TR_OK);
}

static const struct tap_test tests[] = {
    { "repetitions are bounded", test_copies },
    { "choices are bounded", test_forks },
    { "parentheses are bounded", test_depth },
    { "back-references are refused", test_back_references },
    { "malformed expressions", test_malformed },
    { "matching", test_match },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
