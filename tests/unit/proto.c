/* SPDX-License-Identifier: MIT */
/* Fields of protocol buffers where they stand: each kind, and that no length leads out of its message. */
#include "formats/common/tr_proto_read_int.h"

#include "harness/tap.h"

/* The fields of a message as text: number, kind and value of each; "!" where the rest is none. */
static const char *fields(const char *bytes, size_t n)
{
    static char text[512];
    size_t len = 0;
    struct tr__proto m = tr__proto_of(bytes, n);
    text[0] = '\0';
    while (tr__proto_next(&m) && len < sizeof text - 100) {
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%u", len ? " " : "", (unsigned)m.field);
        if (m.wire == TR__WIRE_BYTES)
            len += (size_t)snprintf(text + len, sizeof text - len, "'%.*s'", (int)m.len, (const char *)m.data);
        else
            len += (size_t)snprintf(text + len, sizeof text - len, "=%llx", (unsigned long long)m.v);
    }
    if (m.bad)
        snprintf(text + len, sizeof text - len, "!");
    return text;
}
#define FIELDS(bytes) fields(bytes, sizeof bytes - 1)

static void test_kinds(void)
{
    CHECK_STR(FIELDS(""), "");
    CHECK_STR(FIELDS("\x08\x01"), "1=1");
    CHECK_STR(FIELDS("\x08\x80\x01\x12\x02hi"), "1=80 2'hi'");
    CHECK_STR(FIELDS("\x0a\x00\x08\x00"), "1'' 1=0");
    CHECK_STR(FIELDS("\x09\x01\x02\x03\x04\x05\x06\x07\x08"), "1=807060504030201");
    CHECK_STR(FIELDS("\x0d\x01\x02\x03\xff"), "1=ff030201");
    CHECK_STR(FIELDS("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "1=ffffffffffffffff");
    CHECK_STR(FIELDS("\xf8\xff\xff\xff\x0f\x05"), "536870911=5");
    CHECK_STR(FIELDS("\x80\x01\x7f\xf8\x7f\xff\x7f\x08\x80\x80\x01"), "16=7f 2047=3fff 1=4000");
}

static void test_short(void)
{
    struct tr__proto m = tr__proto_of("\x22\x02hi\x22\x00\x2a\x00\x22\x03hi", 12);
    CHECK(tr__proto_short(&m, 4) && m.len == 2 && !memcmp(m.data, "hi", 2));
    CHECK(tr__proto_short(&m, 4) && m.len == 0);
    CHECK(!tr__proto_short(&m, 4) && tr__proto_next(&m) && m.field == 5);
    CHECK(!tr__proto_short(&m, 4) && !tr__proto_next(&m) && m.bad); /* longer than the message */
    m = tr__proto_of("\x22", 1);
    CHECK(!tr__proto_short(&m, 4));
}

static void test_damage(void)
{
    CHECK_STR(FIELDS("\x08"), "!");                 /* no value */
    CHECK_STR(FIELDS("\x08\x80"), "!");             /* half of one */
    CHECK_STR(FIELDS("\x00\x01"), "!");             /* field 0 */
    CHECK_STR(FIELDS("\x08\x01\x12\x03hi"), "1=1!"); /* longer than the message */
    CHECK_STR(FIELDS("\x12\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "!");
    CHECK_STR(FIELDS("\x09\x01\x02\x03\x04\x05\x06\x07"), "!");
    CHECK_STR(FIELDS("\x0d\x01\x02\x03"), "!");
    CHECK_STR(FIELDS("\x0b\x0c"), "!");             /* a group */
    CHECK_STR(FIELDS("\x0e\x01"), "!");             /* no wire type */
    CHECK_STR(FIELDS("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"), "!"); /* 11 bytes */
    CHECK_STR(FIELDS("\xf8\xff\xff\xff\x1f\x05"), "!"); /* a number beyond all */
}

/* The elements of the first field, in its own kind. */
static const char *elements(const char *bytes, size_t n, unsigned wire)
{
    static char text[256];
    const unsigned char *p = NULL;
    struct tr__proto m = tr__proto_of(bytes, n);
    size_t len = 0;
    text[0] = '\0';
    CHECK(tr__proto_next(&m));
    for (uint64_t v = 0; tr__proto_element(&m, &p, wire, &v) && len < sizeof text - 40;)
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%llx", len ? " " : "", (unsigned long long)v);
    return text;
}
#define ELEMENTS(bytes, wire) elements(bytes, sizeof bytes - 1, wire)

static void test_elements(void)
{
    CHECK_STR(ELEMENTS("\x08\x07", TR__WIRE_VARINT), "7");
    CHECK_STR(ELEMENTS("\x0a\x04\x07\x80\x01\x09", TR__WIRE_VARINT), "7 80 9");
    CHECK_STR(ELEMENTS("\x0a\x02\x07\x80", TR__WIRE_VARINT), "7");
    CHECK_STR(ELEMENTS("\x09\x01\x02\x03\x04\x05\x06\x07\x08", TR__WIRE_64), "807060504030201");
    CHECK_STR(ELEMENTS("\x0a\x0a\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a", TR__WIRE_64), "807060504030201");
    CHECK_STR(ELEMENTS("\x08\x07", TR__WIRE_64), ""); /* of another kind */
    CHECK_STR(ELEMENTS("\x0a\x00", TR__WIRE_VARINT), "");
}

static void test_reals(void)
{
    struct tr__proto m = tr__proto_of("\x09\0\0\0\0\0\0\xf8\x3f\x0d\0\0\x20\x40", 14);
    CHECK(tr__proto_next(&m) && tr__proto_real(&m) == 1.5);
    CHECK(tr__proto_next(&m) && tr__proto_real(&m) == 2.5);
    CHECK(!tr__proto_next(&m) && !m.bad);
}

static const struct tap_test tests[] = {
    { "each kind of field", test_kinds },
    { "fields of few bytes", test_short },
    { "what is no field", test_damage },
    { "repeated numbers", test_elements },
    { "real numbers", test_reals },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
