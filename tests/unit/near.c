/* SPDX-License-Identifier: MIT */
/* Unit tests for tr_near.h: which known word is near, and which none is. */
#include "base/tr_near.h"
#include "harness/tap.h"

#include <string.h>

/* The known word that is near to this one, of some; "" if none is. */
static const char *near_to(const char *word, const char *const *known)
{
    struct tr_near near = { .word = word, .len = strlen(word) };
    for (; *known; known++)
        tr_near_try(&near, *known);
    return near.best ? near.best : "";
}

#define NEAR(word, ...) near_to(word, (const char *const[]){ __VA_ARGS__, NULL })
#define IS(word, want, ...) CHECK(strcmp(NEAR(word, __VA_ARGS__), want) == 0)

static void letters(void)
{
    IS("kernl", "kernel", "idle", "kernel");           /* one is missing */
    IS("kernnel", "kernel", "kernel");                 /* one too many */
    IS("kernal", "kernel", "kernel");                  /* another one */
    IS("kenrel", "kernel", "kernel");                  /* two that changed places */
    IS("kerneln", "kernel", "kernel");
    IS("krnl", "", "kernel");                          /* two, in a word of four */
    IS("krnel", "kernel", "kernel");
    IS("oprtor", "operator", "operator");              /* two, in a longer word */
    IS("oprtr", "", "operator");                       /* three */
    IS("operatro", "operator", "operator");
    IS("Kernel", "kernel", "kernel");                  /* case is a letter, too */
}

static void starts(void)
{
    IS("op", "operator", "operator");                  /* a known word begins with it */
    IS("comm", "command", "kernel", "command");
    IS("stream-i", "stream-idle", "stream-idle");
    IS("idlegap", "", "idle");                         /* but not the other way round */
}

static void nearest(void)
{
    IS("tim", "time", "type", "time", "times");        /* the first of equals */
    IS("kernelx", "kernel", "kernels1", "kernel");     /* one letter before two */
    IS("abcdefg", "abcdefh", "abcdexx", "abcdefh", "abcdefi");
}

static void limits(void)
{
    char longest[41 + 1], longer[42 + 1];
    memset(longest, 'a', 41);
    longest[40] = '\0';
    memset(longer, 'a', 42);
    longer[41] = '\0';
    IS("x", "", "xy");                                 /* one letter says nothing */
    IS("", "", "xy");
    IS("xy", "", "x");
    IS(longest, longest, longest);
    IS(longest, "", longer);                           /* known words are not that long */
    IS(longer, "", longest);
    CHECK(strcmp(near_to("name", (const char *const[]){ NULL }), "") == 0);
    struct tr_near part = { .word = "kerneX", .len = 5 }; /* no zero ends it */
    tr_near_try(&part, "kernel");
    CHECK(part.best && part.distance == 1);
}

static void texts(void)
{
    char text[TR_NEAR_TEXT];
    struct tr_near near = { .word = "operatr", .len = 7 };
    CHECK(strcmp(tr_near_text(&near, text), "") == 0);
    tr_near_try(&near, "operator");
    CHECK(strcmp(tr_near_text(&near, text), " (did you mean 'operator'?)") == 0);
}

int main(void)
{
    static const struct tap_test tests[] = {
        { "words that differ in letters are near", letters },
        { "words that begin with it are near", starts },
        { "the nearest one is taken, the first of equals", nearest },
        { "lengths, and words without an end", limits },
        { "the text", texts },
    };
    return tap_run(tests, sizeof tests / sizeof *tests);
}
