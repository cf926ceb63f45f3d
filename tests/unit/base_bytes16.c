/* SPDX-License-Identifier: MIT */
/* Sixteen bytes at a time: the vectors of this processor say what a loop over the bytes says. */
#include "harness/tap.h"

#include "base/tr_bytes16_int.h"

#ifdef TR_HAVE_BYTES16

/* Sixteen times a, but b at one place; the first place of which marks is true, in a loop. */
static void compare(unsigned char a, unsigned char b, unsigned at)
{
    char text[17]; /* not aligned */
    memset(text, a, sizeof text);
    text[1 + at] = (char)b;
    const tr_bytes16 v = tr_load16(text + 1);
    const unsigned near[] = {
        0, 255, a, a ? a - 1u : 0, a < 255 ? a + 1u : 255, b, b ? b - 1u : 0, b < 255 ? b + 1u : 255
    };
    for (size_t i = 0; i < sizeof near / sizeof *near; i++) {
        const unsigned c = near[i];
        const tr_bytes16 each = tr_each16((char)c);
        const unsigned equal = a == c ? at == 0 && b != c ? 1 : 0 : b == c ? at : 16;
        const unsigned low = a <= c ? at == 0 && b > c ? 1 : 0 : b <= c ? at : 16;
        CHECK(tr_first16(tr_equal16(v, each)) == equal);
        CHECK(tr_first16(tr_at_most16(v, each)) == low);
        CHECK(tr_first16(tr_or16(tr_equal16(v, each), tr_at_most16(v, each))) == low);
    }
}

static void test_places(void)
{
    for (unsigned at = 0; at < 16; at++)
        for (unsigned a = 0; a < 256; a += 5)
            for (unsigned b = 0; b < 256; b += 3)
                compare((unsigned char)a, (unsigned char)b, at);
}

static void test_first(void)
{
    for (unsigned first = 0; first < 16; first++)
        for (unsigned second = first; second < 16; second++) {
            char text[16] = { 0 };
            text[first] = text[second] = (char)0xff;
            CHECK(tr_first16(tr_load16(text)) == first);
        }
    CHECK(tr_first16(tr_each16(0)) == 16);
}

#else

static void test_places(void)
{
}

static void test_first(void)
{
}

#endif

int main(void)
{
    static const struct tap_test tests[] = {
        { "comparisons, at every place", test_places },
        { "the first of several", test_first },
    };
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
