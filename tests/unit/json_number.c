/* SPDX-License-Identifier: MIT */
/* How JSON numbers are kept, at the edges of each way: integers, decimals, doubles that print back, and text. */
#include "harness/tap.h"

#include "json/tr_json.h"

#include <inttypes.h>

#define DIGITS_40 "1234567890123456789012345678901234567891"

static struct tr_number number(const char *text)
{
    struct tr_number v;
    memset(&v, 0, sizeof v);
    tap_check(tr_json_number(text, strlen(text), &v), text, 0, "is a number");
    return v;
}

static void test_integers(void)
{
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {
        { "0", 0 }, { "1", 1 }, { "-1", -1 }, { "10", 10 }, { "-120", -120 },
        { "999999999999999999", INT64_C(999999999999999999) },
        { "9223372036854775807", INT64_MAX },
        { "-9223372036854775807", -INT64_MAX },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tr_number v = number(cases[i].text);
        CHECK(v.cls == TR_NUMBER_INT && v.i == cases[i].value);
    }
    struct tr_number v = number("9223372036854775808");
    CHECK(v.cls == TR_NUMBER_UINT && v.u == UINT64_C(9223372036854775808));
    v = number("18446744073709551615");
    CHECK(v.cls == TR_NUMBER_UINT && v.u == UINT64_MAX);
    CHECK(number("10000000000000000000").u == UINT64_C(10000000000000000000));
    static const char *const beyond[] = { "18446744073709551616", "18446744073709551617", "-9223372036854775809",
                                          "-18446744073709551615", "123456789012345678901" };
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        CHECK(number(beyond[i]).cls != TR_NUMBER_INT && number(beyond[i]).cls != TR_NUMBER_UINT);
    CHECK(number("-0").cls == TR_NUMBER_TEXT); /* no integer has its sign */
}

static void test_decimals(void)
{
    static const struct {
        const char *text;
        int64_t mantissa;
        unsigned scale;
    } cases[] = {
        { "0.5", 5, 1 },
        { "-12.25", -1225, 2 },
        { "0.001", 1, 3 },
        { "14411518807585587.1", INT64_C(144115188075855871), 1 }, /* 2^57 - 1 */
        { "-14411518807585587.1", -INT64_C(144115188075855871), 1 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tr_number v = number(cases[i].text);
        CHECK(v.cls == TR_NUMBER_DECIMAL && v.i == cases[i].mantissa && v.scale == cases[i].scale);
    }
    CHECK(number("14411518807585587.2").cls != TR_NUMBER_DECIMAL);
    CHECK(number("-14411518807585587.2").cls != TR_NUMBER_DECIMAL);
}

static void test_doubles(void)
{
    static const struct {
        const char *text;
        double value;
    } cases[] = {
        { "1e+300", 1e300 },
        { "-2.5e-300", -2.5e-300 },
        { "1e+22", 1e22 },
        { "1e-70", 1e-70 },
        { "1.7976931348623157e+308", 1.7976931348623157e308 },
        { "1e+23", 1e23 },
        { "12000000000e+100", 12000000000e100 },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tr_number v = number(cases[i].text);
        if (v.cls != TR_NUMBER_DOUBLE || v.d != cases[i].value) {
            printf("# '%s': class %d, %.17g\n", cases[i].text, (int)v.cls, v.d);
            CHECK(false);
        }
    }
    static const char *const text[] = {
        DIGITS_40 "e1",    DIGITS_40 "2e1", /* no double prints them back */
        "1e400",           "1e-400",        "1e401",      "1e-401", "1e999999999999",
        "1.79769313486231580e309",          "123456789.123456789012345678",
    };
    for (size_t i = 0; i < sizeof text / sizeof *text; i++)
        CHECK(number(text[i]).cls == TR_NUMBER_TEXT);
}

static void test_none(void)
{
    static const char *const none[] = { "", "-", "a", "1a", "--1", "e5" };
    struct tr_number v;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        if (tr_json_number(none[i], strlen(none[i]), &v)) {
            printf("# '%s'\n", none[i]);
            CHECK(false);
        }
}

/* Half a nanosecond goes up, below 0 as above. */
static void test_times(void)
{
    static const struct {
        const char *us;
        int64_t ns;
        bool exact;
    } cases[] = {
        { "0", 0, true },           { "1", 1000, true },         { "0.001", 1, true },
        { "0.0005", 1, false },     { "0.0004", 0, false },      { "0.00049999", 0, false },
        { "-0.001", -1, true },     { "-0.0004", 0, false },     { "-0.0006", -1, false },
        { "1e3", 1000000, true },   { "1.5e-3", 2, false },      { "25e-4", 3, false },
        { "9223372036854775.807", INT64_MAX, true },
        { "-0.0005", 0, false },    { "-0.00050", 0, false },    { "-0.00051", -1, false },
        { "-0.000510", -1, false }, { "-0.0005010", -1, false }, { "-0.000500", 0, false },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t ns = -77;
        bool exact = !cases[i].exact;
        bool is = tr_json_us_to_ns(cases[i].us, strlen(cases[i].us), &ns, &exact);
        if (!is || ns != cases[i].ns || exact != cases[i].exact) {
            printf("# '%s': %d, %" PRId64 ", %d\n", cases[i].us, is, ns, exact);
            CHECK(false);
        }
    }
    int64_t ns;
    bool exact;
    CHECK(!tr_json_us_to_ns("9223372036854775.808", 20, &ns, &exact));
    CHECK(!tr_json_us_to_ns("1e30", 4, &ns, &exact));
    CHECK(!tr_json_us_to_ns("x", 1, &ns, &exact));
}

int main(void)
{
    static const struct tap_test tests[] = {
        { "integers", test_integers }, { "decimals", test_decimals }, { "doubles and text", test_doubles },
        { "what is no number", test_none }, { "microseconds", test_times },
    };
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
