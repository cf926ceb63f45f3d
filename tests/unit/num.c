/* SPDX-License-Identifier: MIT */
/* The number parser: what it takes, what it refuses, and what it says. */
#include "base/tr_num.h"

#include "harness/tap.h"

#include <inttypes.h>
#include <locale.h>

/* Results as text, so that a table of cases says everything. */
static const char *u64_of(const char *s, uint64_t lo, uint64_t hi)
{
    static char text[700];
    struct tr_error err = TR_ERROR_INIT;
    uint64_t v = 4711;
    enum tr_status st = tr_num_u64(s, lo, hi, &v, &err);
    if (st == TR_OK)
        snprintf(text, sizeof text, "%" PRIu64, v);
    else
        snprintf(text, sizeof text, "%s%s", v == 4711 && st == TR_USAGE ? "" : "?", err.what);
    return text;
}

static const char *i64_of(const char *s, int64_t lo, int64_t hi)
{
    static char text[700];
    struct tr_error err = TR_ERROR_INIT;
    int64_t v = 4711;
    enum tr_status st = tr_num_i64(s, lo, hi, &v, &err);
    if (st == TR_OK)
        snprintf(text, sizeof text, "%" PRId64, v);
    else
        snprintf(text, sizeof text, "%s%s", v == 4711 && st == TR_USAGE ? "" : "?", err.what);
    return text;
}

static const char *size_of(const char *s, uint64_t lo, uint64_t hi)
{
    static char text[700];
    struct tr_error err = TR_ERROR_INIT;
    uint64_t v = 4711;
    enum tr_status st = tr_num_size(s, lo, hi, &v, &err);
    if (st == TR_OK)
        snprintf(text, sizeof text, "%" PRIu64, v);
    else
        snprintf(text, sizeof text, "%s%s", v == 4711 && st == TR_USAGE ? "" : "?", err.what);
    return text;
}

static const char *time_of(const char *s, int64_t lo, int64_t hi)
{
    static char text[700];
    struct tr_error err = TR_ERROR_INIT;
    int64_t v = 4711;
    enum tr_status st = tr_num_time(s, lo, hi, &v, &err);
    if (st == TR_OK)
        snprintf(text, sizeof text, "%" PRId64, v);
    else
        snprintf(text, sizeof text, "%s%s", v == 4711 && st == TR_USAGE ? "" : "?", err.what);
    return text;
}

static void test_unsigned(void)
{
    CHECK_STR(u64_of("0", 0, 10), "0");
    CHECK_STR(u64_of("+10", 0, 10), "10");
    CHECK_STR(u64_of("007", 0, 10), "7");
    CHECK_STR(u64_of("18446744073709551615", 0, UINT64_MAX), "18446744073709551615");
    CHECK_STR(u64_of("18446744073709551616", 5, UINT64_MAX),
              "'18446744073709551616' is not a whole number from 5 to 18446744073709551615");
    static const char *const bad[] = { "",
                                       "-1",
                                       "-0",
                                       "12x",
                                       "x12",
                                       " 1",
                                       "1 ",
                                       "0x10",
                                       "1e1",
                                       "1.0",
                                       "++1",
                                       "11",
                                       "99999999999999999999999" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char want[128];
        snprintf(want, sizeof want, "'%s' is not a whole number from 0 to 10", bad[i]);
        CHECK_STR(u64_of(bad[i], 0, 10), want);
    }
}

static void test_signed(void)
{
    CHECK_STR(i64_of("-0", -5, 5), "0");
    CHECK_STR(i64_of("-5", -5, 5), "-5");
    CHECK_STR(i64_of("+5", -5, 5), "5");
    CHECK_STR(i64_of("-6", -5, 5), "'-6' is not a whole number from -5 to 5");
    CHECK_STR(i64_of("-9223372036854775808", INT64_MIN, INT64_MAX), "-9223372036854775808");
    CHECK_STR(i64_of("9223372036854775807", INT64_MIN, INT64_MAX), "9223372036854775807");
    CHECK_STR(i64_of("9223372036854775808", 0, INT64_MAX),
              "'9223372036854775808' is not a whole number from 0 to 9223372036854775807");
    CHECK_STR(i64_of("-9223372036854775809", -1, INT64_MAX),
              "'-9223372036854775809' is not a whole number from -1 to 9223372036854775807");
    CHECK_STR(i64_of("- 1", -5, 5), "'- 1' is not a whole number from -5 to 5");
    CHECK_STR(i64_of("-", -5, 5), "'-' is not a whole number from -5 to 5");
}

static void test_sizes(void)
{
    CHECK_STR(size_of("4096", 0, UINT64_MAX), "4096");
    CHECK_STR(size_of("4096B", 0, UINT64_MAX), "4096");
    CHECK_STR(size_of("64K", 0, UINT64_MAX), "65536");
    CHECK_STR(size_of("64KiB", 0, UINT64_MAX), "65536");
    CHECK_STR(size_of("64kB", 0, UINT64_MAX), "64000");
    CHECK_STR(size_of("64KB", 0, UINT64_MAX), "64000");
    CHECK_STR(size_of("3M", 0, UINT64_MAX), "3145728");
    CHECK_STR(size_of("3MB", 0, UINT64_MAX), "3000000");
    CHECK_STR(size_of("1.5GiB", 0, UINT64_MAX), "1610612736");
    CHECK_STR(size_of("2T", 0, UINT64_MAX), "2199023255552");
    CHECK_STR(size_of("2TB", 0, UINT64_MAX), "2000000000000");
    CHECK_STR(size_of("0.1GiB", 0, UINT64_MAX), "107374182"); /* 107374182.4, the rest is dropped */
    CHECK_STR(size_of("0.00000000000000000000000001GiB", 0, UINT64_MAX), "0");
    CHECK_STR(size_of("0.99999999999999999999999999K", 0, UINT64_MAX), "1023");
    CHECK_STR(size_of("16777215.999999999999999999999999T", 0, UINT64_MAX), "18446744073709551615");
    CHECK_STR(size_of("16777216T", 0, UINT64_MAX),
              "'16777216T' is not a size (such as 512MiB) of at most 18446744073709551615B");
    CHECK_STR(size_of("1K", 1 << 20, UINT64_MAX),
              "'1K' is not a size (such as 512MiB) of at least 1MiB");
    CHECK_STR(size_of("1K", 1 << 20, 3 << 20),
              "'1K' is not a size (such as 512MiB) from 1MiB to 3MiB");
    static const char *const bad[] = { "",    "K",   "-1K", "1k",    "1 K",
                                       "1Kb", "1.K", ".5K", "1KiBB", "1e3" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char want[128];
        snprintf(want, sizeof want, "'%s' is not a size (such as 512MiB)", bad[i]);
        CHECK_STR(size_of(bad[i], 0, UINT64_MAX), want);
    }
}

static void test_times(void)
{
    CHECK_STR(time_of("30us", INT64_MIN, INT64_MAX), "30000");
    CHECK_STR(time_of("1.5ms", INT64_MIN, INT64_MAX), "1500000");
    CHECK_STR(time_of("-2s", INT64_MIN, INT64_MAX), "-2000000000");
    CHECK_STR(time_of("1min", INT64_MIN, INT64_MAX), "60000000000");
    CHECK_STR(time_of("1h", INT64_MIN, INT64_MAX), "3600000000000");
    CHECK_STR(time_of("0.001us", INT64_MIN, INT64_MAX), "1");
    CHECK_STR(time_of("0.0010000us", INT64_MIN, INT64_MAX), "1");
    CHECK_STR(time_of("0", INT64_MIN, INT64_MAX), "0");
    CHECK_STR(time_of("-0.0", INT64_MIN, INT64_MAX), "0");
    CHECK_STR(time_of("9223372036854775807ns", INT64_MIN, INT64_MAX), "9223372036854775807");
    CHECK_STR(time_of("-9223372036.854775808s", INT64_MIN, INT64_MAX), "-9223372036854775808");
    CHECK_STR(time_of("0.0001us", INT64_MIN, INT64_MAX), "'0.0001us' is finer than a nanosecond");
    CHECK_STR(time_of("1.5ns", INT64_MIN, INT64_MAX), "'1.5ns' is finer than a nanosecond");
    CHECK_STR(time_of("3h", 0, INT64_C(90000000000)),
              "'3h' is not a time with its unit (such as 30us) from 0ns to 90s");
    CHECK_STR(time_of("-5us", -1500, INT64_MAX),
              "'-5us' is not a time with its unit (such as 30us) of at least -1500ns");
    CHECK_STR(time_of("9223372036854775808ns", INT64_MIN, INT64_MAX),
              "'9223372036854775808ns' is not a time with its unit (such as 30us) of at most "
              "9223372036854775807ns");
    static const char *const bad[] = { "",   "5",   "us",    "5 us", "5US",
                                       "5m", "0.5", "1e3us", "us5",  "--5us" };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        char want[128];
        snprintf(want, sizeof want, "'%s' is not a time with its unit (such as 30us)", bad[i]);
        CHECK_STR(time_of(bad[i], INT64_MIN, INT64_MAX), want);
    }
}

static void test_doubles(void)
{
    static const struct {
        const char *text;
        double value;
    } good[] = {
        { "0.95", 0.95 }, { "-3", -3 }, { "1e-6", 1e-6 }, { "+2.5E+2", 250 }, { "00.5", 0.5 }
    };
    static const char *const bad[] = { "",   "nan", "inf", "0x1", "1.",   ".5",
                                       "1e", "1,5", " 1",  "1 ",  "1e999" };
    double v;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        v = 0;
        CHECK(tr_num_double(good[i].text, -1e300, 1e300, &v, NULL) == TR_OK && v == good[i].value);
    }
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        v = 17;
        CHECK(tr_num_double(bad[i], -1e300, 1e300, &v, NULL) == TR_USAGE && v == 17);
    }
    struct tr_error err = TR_ERROR_INIT;
    CHECK(tr_num_double("1.5", 0, 1, &v, &err) == TR_USAGE);
    CHECK_STR(err.what, "'1.5' is not a number from 0 to 1");
    CHECK(tr_num_decimal("1e999", &v) && v > 1e308);
    CHECK(!tr_num_decimal("1.5x", &v));
    /* a comma locale, where there is one, changes nothing */
    setlocale(LC_ALL, "de_DE.UTF-8");
    CHECK(tr_num_double("2.25", 0, 9, &v, NULL) == TR_OK && v == 2.25);
    CHECK(tr_num_double("2,25", 0, 9, &v, NULL) == TR_USAGE);
    CHECK(tr_num_decimal("-0.125e1", &v) && v == -1.25);
}

static void test_print(void)
{
    static const struct { double v; const char *text; } cases[] = {
        { 0, "0" }, { -0.0, "-0" }, { 0.1, "0.1" }, { 1.0 / 3, "0.3333333333333333" }, { 1e300, "1e+300" },
        { 374.22412562455389, "374.2241256245539" }, { 5e-324, "4.94065645841247e-324" },
        { -1.7976931348623157e308, "-1.7976931348623157e+308" },
    };
    char text[TR_NUM_TEXT];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double back = 1;
        tr_num_print(cases[i].v, text);
        CHECK_STR(text, cases[i].text);
        CHECK(tr_num_decimal(text, &back) && back == cases[i].v);
    }
    setlocale(LC_ALL, "de_DE.UTF-8");
    tr_num_print(2.5, text);
    CHECK_STR(text, "2.5");
}

static void test_units(void)
{
    CHECK(tr_num_time_unit("us)", 2) == 1000);
    CHECK(tr_num_time_unit("u", 1) == 0);
    CHECK(tr_num_size_unit("MiB", 3) == 1 << 20);
    CHECK(tr_num_size_unit("", 0) == 0);
}

static void test_fronts(void)
{
    static const struct {
        const char *text;
        size_t len, number, digits;
    } cases[] = {
        { "-1.5e3us", 8, 6, 0 }, { "1..5", 4, 1, 1 },   { "x", 1, 0, 0 },     { "", 0, 0, 0 },    { "-", 1, 0, 0 },
        { "+7", 2, 2, 0 },       { "12.", 3, 2, 2 },    { "12.34", 4, 4, 2 }, { "1e", 2, 1, 1 },  { "1e+", 3, 1, 1 },
        { "1e+2", 4, 4, 1 },     { "1e-25", 4, 4, 1 },  { "123", 2, 2, 2 },   { ".5", 2, 0, 0 },  { "1E5e5", 5, 3, 1 },
        { "0x10", 4, 1, 1 },     { "007", SIZE_MAX, 3, 3 },
    };
    uint64_t v = 1;
    bool over = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(tr_num_scan(cases[i].text, cases[i].len) == cases[i].number);
        CHECK(tr_num_digits(cases[i].text, cases[i].len, INT64_MAX, &v, NULL) == cases[i].digits);
    }
    CHECK(v == 7);
    CHECK(tr_num_digits("x", 1, INT64_MAX, &v, &over) == 0 && v == 7 && !over);
    CHECK(tr_num_digits("9223372036854775807", 19, INT64_MAX, &v, &over) == 19 && v == INT64_MAX && !over);
    CHECK(tr_num_digits("9223372036854775808", 19, INT64_MAX, &v, &over) == 19 && v == INT64_MAX && over);
    CHECK(tr_num_digits("18446744073709551615", 20, UINT64_MAX, &v, &over) == 20 && v == UINT64_MAX && !over);
    CHECK(tr_num_digits("18446744073709551616", 20, UINT64_MAX, &v, &over) == 20 && v == UINT64_MAX && over);
    CHECK(tr_num_digits("99999999999999999999999", 23, INT64_MAX, &v, NULL) == 23 && v == INT64_MAX);
    CHECK(tr_num_digits("12x", 3, 11, &v, &over) == 2 && v == 11 && over);
}

/* Hexadecimal digits as programs write addresses: "" where they are not. */
static const char *hex_of(const char *text)
{
    static char s[32];
    int64_t v = 4711;
    if (!tr_num_plain_hex(text, strlen(text), &v))
        return v == 4711 ? "" : "?";
    snprintf(s, sizeof s, "%" PRId64, v);
    return s;
}

static void test_hex(void)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "0x0", "0" },   { "0x9", "9" },   { "0xa", "10" },
        { "0xf", "15" },  { "0xg", "" },    { "0x`", "" },
        { "0x/", "" },    { "0x:", "" },    { "0xA", "" },
        { "0X1", "" },    { "1x1", "" },    { "0x", "" },
        { "0x01", "" },   { "0x10", "16" }, { "0x7fffffffffffffff", "" },
        { "0x7fffffffffffffe", "576460752303423486" },
        { "0xfffffffffffffff", "1152921504606846975" },
        { "0x1000000000000000", "" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_STR(hex_of(cases[i].text), cases[i].want);
}

static const struct tap_test tests[] = {
    { "unsigned whole numbers", test_unsigned },
    { "signed whole numbers", test_signed },
    { "sizes", test_sizes },
    { "times", test_times },
    { "numbers", test_doubles },
    { "numbers as text", test_print },
    { "units by name", test_units },
    { "numbers at the front of a text", test_fronts },
    { "hexadecimal digits", test_hex },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
