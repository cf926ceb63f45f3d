/* SPDX-License-Identifier: MIT */
/* Text escaped, and JSON values: what comes out is valid, and equal to what went in where that was. */
#include "base/tr_escape.h"
#include "json/tr_json_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n_tests, n_failed;
static struct tr_buf out;

static void is(const char *expected, const char *what)
{
    bool good = out.len == strlen(expected) && (!out.len || !memcmp(out.data, expected, out.len));
    printf("%sok %d - %s\n", good ? "" : "not ", ++n_tests, what);
    if (!good)
        printf("# got:      %.*s\n# expected: %s\n", (int)out.len, (const char *)out.data,
               expected);
    n_failed += !good;
    out.len = 0;
}

static void strings(void)
{
    tr_escape_json(&out, "plain", 5);
    is("\"plain\"", "a plain string");
    tr_escape_json(&out, "a\"b\\c\n\t\r\b\f\v\x01\x7f", 13);
    is("\"a\\\"b\\\\c\\n\\t\\r\\b\\f\\u000b\\u0001\x7f\"", "quote, backslash, control characters");
    tr_escape_json(&out, "a\0b", 3);
    is("\"a\\u0000b\"", "a zero byte");
    tr_escape_json(&out, "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9);
    is("\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"", "UTF-8 of two, three and four bytes");
    tr_escape_json(&out, "\x80x\xff", 3);
    is("\"\xef\xbf\xbdx\xef\xbf\xbd\"", "stray bytes");
    tr_escape_json(&out, "\xe2\x82", 2);
    is("\"\xef\xbf\xbd\"", "a character cut short is replaced once");
    tr_escape_json(&out, "\xe2\x82(\xf0\x9f\x98", 6);
    is("\"\xef\xbf\xbd(\xef\xbf\xbd\"",
       "one replacement for each part that could have begun a character");
    tr_escape_json(&out, "\xed\xa0\x80", 3);
    is("\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"", "a surrogate is no character");
    tr_escape_json(&out, "\xc0\xaf\xf4\x90\x80\x80", 6);
    is("\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
       "overlong forms and what is beyond U+10FFFF");
}

/* Every code point, as UTF-8 says to write it. */
static size_t encode(uint32_t c, char s[4])
{
    size_t n = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    static const unsigned char first[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
    for (size_t i = n - 1; i > 0; i--, c >>= 6)
        s[i] = (char)(0x80 | (c & 0x3f));
    s[0] = (char)(first[n] | c);
    return n;
}

static void utf8(void)
{
    size_t wrong = 0, pairs = 0;
    char s[4];
    for (uint32_t c = 0; c < 0x200000; c++) {
        size_t bad, n = encode(c, s);
        bool good = c <= 0x10ffff && (c < 0xd800 || c > 0xdfff);
        wrong += tr_utf8_valid(s, n) != good || (tr_utf8_char(s, n, &bad) == n) != good;
        wrong += n > 1 && (tr_utf8_valid(s, n - 1) || tr_utf8_char(s, n - 1, &bad));
    }
    for (unsigned k = 0x8000; k < 0x10000; k++) { /* two bytes, the first of them not ASCII */
        char two[2] = { (char)(k >> 8), (char)k };
        pairs += tr_utf8_valid(two, 2);
    }
    printf("%sok %d - UTF-8: all code points, whole and cut, and nothing else\n",
           wrong || pairs != 1920 ? "not " : "", ++n_tests);
    n_failed += wrong || pairs != 1920;
    tr_utf8_add(&out, "a\xe2\x82z\xff\"\n", 7);
    is("a\xef\xbf\xbdz\xef\xbf\xbd\"\n", "plain text is repaired, and not escaped");
}

static void terminal(void)
{
    static const char text[] = "a\xc3\xa9\xc2\x85\xff\n\x7f";
    size_t width;
    tr_escape_text(&out, text, sizeof text - 1, SIZE_MAX, &width);
    is("a\xc3\xa9\\xc2\\x85\\xff\\x0a\\x7f", "for a terminal: controls and what is no UTF-8 in digits");
    tr_json_add_u64(&out, width);
    is("22", "its width counts characters");
    tr_escape_text(&out, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 8, 4, &width);
    is("\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", "as many characters as fit");
    tr_escape_text(&out, "\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9\xc3\xa9", 10, 4, &width);
    is("\xc3\xa9...", "one more: it is cut");
    tr_escape_tsv(&out, "a\tb\\c\n\r\x01\x7f\xff", 10);
    is("a\\tb\\\\c\\n\\r\\x01\\x7f\\xff", "for TSV: no tab, no line break");
}

/* Every code point: is it shown as it is? */
static void plain(void)
{
    static const struct {
        uint32_t first, last;
    } not[] = { { 0, 0x1f },         { 0x7f, 0x9f },     { 0x61c, 0x61c },   { 0x200b, 0x200f },  { 0x2028, 0x202e },
                { 0x2060, 0x206f }, { 0xfeff, 0xfeff }, { 0xfff9, 0xfffb }, { 0xe0000, 0xe007f } };
    unsigned wrong = 0;
    for (uint32_t c = 0; c < 0x110000; c++) {
        char s[4];
        bool want = true;
        size_t n, len = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
        for (size_t i = 0; i < sizeof not / sizeof *not; i++)
            want = want && (c < not[i].first || c > not[i].last);
        for (size_t i = len; i-- > 0;)
            s[i] = (char)(len == 1  ? c
                          : i == 0 ? (0xf00u >> len & 0xff) | c >> 6 * (len - 1)
                                   : 0x80 | (c >> 6 * (len - 1 - i) & 0x3f));
        bool is_surrogate = c >= 0xd800 && c < 0xe000;
        bool have = tr_escape_plain(s, len, &n);
        wrong += is_surrogate ? have || n != 1 : have != want || n != len;
    }
    printf("%sok %u - plain: each code point\n", wrong ? "not " : "", ++n_tests);
    n_failed += wrong != 0;
    size_t n;
    bool cut = tr_escape_plain("\xe2\x80", 2, &n);
    tr_escape_tsv(&out, cut || n != 1 ? "no" : "yes", 3 - cut);
    is("yes", "plain: a character that is cut off is not");
    tr_escape_tsv(&out, "a\xe2\x80\xae" "b\xc2\x9b", 7);
    is("a\\xe2\\x80\\xaeb\\xc2\\x9b", "what turns text, byte by byte");
}

static void integers(void)
{
    static const int64_t values[] = { 0, 7, 10, 99, 100, 12345, -1, -100, INT64_MAX, INT64_MIN };
    char text[32];
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        snprintf(text, sizeof text, "%lld", (long long)values[i]);
        tr_json_add_i64(&out, values[i]);
        is(text, text);
    }
    tr_json_add_u64(&out, UINT64_MAX);
    is("18446744073709551615", "the largest unsigned integer");
}

static void decimals(void)
{
    tr_json_add_scaled(&out, 1234, 2);
    is("12.34", "decimal 12.34");
    tr_json_add_scaled(&out, 1230, 2);
    is("12.30", "zeros at the end stay");
    tr_json_add_scaled(&out, 5, 3);
    is("0.005", "zeros before");
    tr_json_add_scaled(&out, -5, 1);
    is("-0.5", "negative");
    tr_json_add_scaled(&out, 42, 0);
    is("42", "scale 0");
    tr_json_add_scaled(&out, 1, 63);
    is("0.000000000000000000000000000000000000000000000000000000000000001", "scale 63");
    tr_json_add_scaled(&out, INT64_MIN, 3);
    is("-9223372036854775.808", "the smallest mantissa");
    tr_json_add_us(&out, 1500);
    is("1.5", "1500 ns");
    tr_json_add_us(&out, 1234567);
    is("1234.567", "1234567 ns");
    tr_json_add_us(&out, 2000);
    is("2", "2000 ns");
    tr_json_add_us(&out, 30);
    is("0.03", "30 ns");
    tr_json_add_us(&out, -1);
    is("-0.001", "-1 ns");
    tr_json_add_us(&out, 0);
    is("0", "0 ns");
    tr_json_add_us(&out, INT64_MIN);
    is("-9223372036854775.808", "the smallest time");
}

static void doubles(void)
{
    static const double values[] = { 0.1, 1e-7, 1.0 / 3, 1e308, 5e-324, 123456.789, 2.5, 1e22 };
    bool good = true;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        out.len = 0;
        good = good && tr_json_add_double(&out, values[i]) && tr_buf_add(&out, "", 1) &&
               strtod((const char *)out.data, NULL) == values[i];
    }
    out.len = 0;
    tr_buf_add_str(&out, good ? "yes" : "no");
    is("yes", "doubles read back");
    tr_json_add_double(&out, 0.1);
    is("0.1", "the short form");
    tr_json_add_double(&out, -0.0);
    is("-0", "negative zero");
    tr_json_add_double(&out, NAN);
    is("\"NaN\"", "NaN is a string");
    tr_json_add_double(&out, -INFINITY);
    is("\"-Infinity\"", "so is infinity");
}

static void text_case(const char *text, const char *expected, bool one_line)
{
    tr_json_add_text(&out, text, strlen(text), one_line);
    is(expected, strpbrk(text, "\n\xff") ? "text with line breaks or odd bytes" : text);
}

static void numbers(void)
{
    static const char *const cases[][2] = {
        { "1", "1" },
        { "-1.50", "-1.50" },
        { "1e5", "1e5" },
        { "0", "0" },
        { "-0", "-0" },
        { "1E+400", "1E+400" },
        { "03", "3" },
        { "+1", "1" },
        { ".5", "0.5" },
        { "1.", "1" },
        { "-.5", "-0.5" },
        { "000", "0" },
        { "-1.-22", "-1.022" },
        { "0.-5", "-0.005" },
        { "+.5e3", "0.5e3" },
        { "NaN", "\"NaN\"" },
        { "-Infinity", "\"-Infinity\"" },
        { "1e", "\"1e\"" },
        { "", "\"\"" },
        { ".", "\".\"" },
        { "12,5", "\"12,5\"" },
        { "1.-2222", "\"1.-2222\"" },
        { "0x1f", "\"0x1f\"" },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tr_json_add_number(&out, cases[i][0], strlen(cases[i][0]));
        is(cases[i][1], cases[i][0]);
    }
}

static void texts(void)
{
    text_case("[[1, 2], [3, 4]]", "[[1, 2], [3, 4]]", true);
    text_case("{\"a\": {\"b\": [true,false,null]}, \"c\": \"x\\u00e9\\n\"}",
              "{\"a\": {\"b\": [true,false,null]}, \"c\": \"x\\u00e9\\n\"}", true);
    text_case("[\n  1,\n\t2\n]", "[\n  1,\n\t2\n]", false);
    text_case("[\n  1,\n\t2\n]", "[  1,2]", true);
    text_case("[]", "[]", true);
    text_case("7", "7", true);
    text_case("\"C:\\path\"", "\"C:\\\\path\"", true);
    text_case("\"\\u12\"", "\"\\\\u12\"", true);
    text_case("[\"a\nb\", \"\xff\"]", "[\"a\\nb\", \"\xef\xbf\xbd\"]", true);
    text_case("[1 2]", "[1 ,2]", true);
    text_case("[1,,2,]", "[1,2]", true);
    text_case("[,1]", "[1]", true);
    text_case("{\"a\":1 \"b\":2,}", "{\"a\":1 ,\"b\":2}", true);
    text_case("{\"a\":NaN,\"b\":03}", "{\"a\":\"NaN\",\"b\":3}", true);
    text_case("[1, 2", "\"[1, 2\"", true);
    text_case("[1}", "\"[1}\"", true);
    text_case("{\"a\"}", "\"{\\\"a\\\"}\"", true);
    text_case("{\"a\":}", "\"{\\\"a\\\":}\"", true);
    text_case("{1:2}", "\"{1:2}\"", true);
    text_case("1 2", "\"1 2\"", true);
    text_case("1,", "\"1,\"", true);
    text_case("", "\"\"", true);
    text_case("\"open", "\"\\\"open\"", true);
}

static void documents(void)
{
    struct tr_json_doc j = { .out = &out };
    tr_json_doc_open(&j, '{');
    tr_json_doc_key(&j, tr_str_of("a"));
    tr_json_doc_i64(&j, 1);
    tr_json_doc_key(&j, tr_str_of("b"));
    tr_json_doc_open(&j, '[');
    tr_json_doc_str(&j, tr_str_of("x"));
    tr_json_doc_null(&j);
    tr_json_doc_bool(&j, true);
    tr_json_doc_close(&j);
    tr_json_doc_key(&j, tr_str_of("c"));
    tr_json_doc_open(&j, '{');
    tr_json_doc_close(&j);
    tr_json_doc_close(&j);
    is("{\"a\":1,\"b\":[\"x\",null,true],\"c\":{}}", "a document in one line");
    j = (struct tr_json_doc){ .out = &out, .indent = 2, .flat_below = 2 };
    tr_json_doc_open(&j, '{');
    tr_json_doc_key(&j, tr_str_of("a"));
    tr_json_doc_open(&j, '[');
    tr_json_doc_i64(&j, 1);
    tr_json_doc_i64(&j, 2);
    tr_json_doc_close(&j);
    tr_json_doc_key(&j, tr_str_of("b"));
    tr_json_doc_double(&j, 0.5);
    tr_json_doc_close(&j);
    is("{\n  \"a\": [1, 2],\n  \"b\": 0.5\n}", "an indented document whose second level is flat");
    j = (struct tr_json_doc){ .out = &out };
    bool all = true;
    for (int i = 0; i < TR_JSON_DEPTH; i++)
        all = all && tr_json_doc_open(&j, '[');
    bool one_more = tr_json_doc_open(&j, '[');
    out.len = 0;
    tr_buf_add_str(&out, all && !one_more ? "yes" : "no");
    is("yes", "depth is limited");
}

int main(void)
{
    strings();
    utf8();
    terminal();
    plain();
    integers();
    decimals();
    doubles();
    numbers();
    texts();
    documents();
    tr_buf_free(&out);
    printf("1..%d\n", n_tests);
    return n_failed != 0;
}
