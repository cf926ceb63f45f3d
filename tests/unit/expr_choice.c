/* SPDX-License-Identifier: MIT */
/* What several expressions choose: one of them or none, the first of them, and which sources they can choose from. */
#include "expr/tr_choice.h"

#include "expr_build.h"

#define N 12u

static struct tr_dict *dict;
static struct tr_batch *batch;

/* Two ranks whose events take turns; each lasts as many ns as its number. */
static void make(void)
{
    dict = must(tr_dict_new());
    batch = must(tr_batch_new());
    batch->dict = dict;
    for (int64_t rank = 0; rank < 2; rank++) {
        const struct tr_track t = host_track(add_source(dict, rank, "h"), 1, 1);
        tr_dict_add_track(dict, &t);
    }
    for (uint32_t i = 0; i < N; i++) {
        const struct event e = { .ts = i, .dur = i, .record = i, .track = i % 2, .name = i < 4 ? "a" : "b" };
        add_event(dict, batch, &e);
    }
}

/* The choice of expressions, separated by commas, "" for none. */
static struct tr_choice choice(const char *texts, bool invert)
{
    struct tr_choice c = { .invert = invert };
    struct tr_error err = TR_ERROR_INIT;
    char all[200], *next = all;
    snprintf(all, sizeof all, "%s", texts);
    while (*next) {
        char *end = next + strcspn(next, ",");
        bool more = *end != '\0';
        struct tr_expr *e;
        *end = '\0';
        if (tr_expr_compile(&e, next, &err) != TR_OK || !tr_choice_add(&c, e))
            ok(false, "%s: %s", next, err.what);
        next = end + more;
    }
    struct tr_input in = { .dict = dict, .sorted = true };
    if (tr_choice_bind(&c, &in, &err) != TR_OK)
        ok(false, "%s: %s", texts, err.what);
    return c;
}

static const char *chosen(const struct tr_choice *c)
{
    static char text[N + 1];
    for (uint32_t i = 0; i < N; i++)
        text[i] = c->mask[i] == 1 ? '1' : c->mask[i] == 0 ? '.' : '?';
    return text;
}

static void test_eval(void)
{
    static const struct {
        const char *texts;
        bool invert;
        const char *mask;
    } cases[] = {
        { "", false, "111111111111" },
        { "", true, "............" },
        { "name == 'a'", false, "1111........" },
        { "name == 'a'", true, "....11111111" },
        { "name == 'a',rank == 1", false, "1111.1.1.1.1" },
        { "name == 'a',rank == 1", true, "....1.1.1.1." },
        { "dur < 2ns,dur > 9ns,dur == 5ns", false, "11...1....11" },
        { "rank == 0,rank == 1", true, "............" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct tr_choice c = choice(cases[k].texts, cases[k].invert);
        struct tr_error err = TR_ERROR_INIT;
        for (unsigned again = 0; again < 2; again++) {
            enum tr_status st = tr_choice_eval(&c, batch, &err);
            ok(st == TR_OK && !strcmp(chosen(&c), cases[k].mask), "%s'%s': %s", cases[k].invert ? "none of " : "",
               cases[k].texts, chosen(&c));
        }
        tr_choice_free(&c);
    }
}

/* Tracks of a stream that is not in order may get their names later. */
static void test_named_later(void)
{
    struct tr_error err = TR_ERROR_INIT;
    for (unsigned sorted = 0; sorted < 2; sorted++) {
        struct tr_choice c = { .invert = false };
        struct tr_expr *e;
        struct tr_input in = { .dict = dict, .sorted = sorted };
        bool good = tr_expr_compile(&e, "thread == worker", &err) == TR_OK && tr_choice_add(&c, e) &&
                    tr_choice_bind(&c, &in, &err) == TR_OK;
        ok(good && tr_choice_eval(&c, batch, &err) == TR_OK && !strcmp(chosen(&c), "............"), "no track has a name");
        dict->tracks[1].thread_name = str(dict, "worker");
        ok(tr_choice_eval(&c, batch, &err) == TR_OK && !strcmp(chosen(&c), sorted ? "............" : ".1.1.1.1.1.1"),
           "then one has: %s", chosen(&c));
        dict->tracks[1].thread_name = TR_NO_STR;
        tr_choice_free(&c);
    }
}

static void test_limit(void)
{
    static const struct {
        uint64_t max, kept;
        const char *mask;
    } cases[] = {
        { 100, 6, "11...1.1.1.1" }, { 6, 6, "11...1.1.1.1" }, { 5, 5, "11...1.1.1.." },
        { 1, 1, "1..........." },   { 0, 0, "............" },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct tr_choice c = choice("dur < 2ns,rank == 1 && dur > 4ns", false);
        struct tr_error err = TR_ERROR_INIT;
        bool good = tr_choice_eval(&c, batch, &err) == TR_OK;
        uint64_t kept = tr_choice_limit(&c, N, cases[k].max);
        ok(good && kept == cases[k].kept && !strcmp(chosen(&c), cases[k].mask), "the first %u: %s",
           (unsigned)cases[k].max, chosen(&c));
        tr_choice_free(&c);
    }
}

static void test_source(void)
{
    static const struct {
        const char *texts;
        bool invert, of[2];
    } cases[] = {
        { "", false, { true, true } },
        { "", true, { false, false } },
        { "rank == 1", false, { false, true } },
        { "rank == 1", true, { true, false } },
        { "rank == 1,name == 'a'", false, { true, true } },
        { "rank == 1,name == 'a'", true, { true, false } },
        { "rank == 1 && name == 'a'", false, { false, true } },
        { "rank == 1 && name == 'a'", true, { true, true } },
        { "rank == 7,rank == 8", false, { false, false } },
        { "rank == 0,rank == 1", true, { false, false } },
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct tr_choice c = choice(cases[k].texts, cases[k].invert);
        for (uint32_t source = 0; source < 2; source++)
            ok(tr_choice_source(&c, source) == cases[k].of[source], "%s'%s': rank %u %s", cases[k].invert ? "none of " : "",
               cases[k].texts, source, cases[k].of[source] ? "may have some" : "has none");
        tr_choice_free(&c);
    }
}

int main(void)
{
    make();
    test_eval();
    test_named_later();
    test_limit();
    test_source();
    tr_batch_free(batch);
    tr_dict_free(dict);
    return tap_end();
}
