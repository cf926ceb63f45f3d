/* SPDX-License-Identifier: MIT */
/* The texts of ranges, and the time of sources. */
#include "model/selection/tr_select.h"

#include <stdio.h>
#include <string.h>

static int n_tests, n_failed;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++n_tests, what);
    n_failed += !good;
}

static void steps(const char *text, bool good, int64_t from, int64_t to)
{
    struct tr_select_opts o = TR_SELECT_ALL;
    struct tr_error err = TR_ERROR_INIT;
    enum tr_status st = tr_select_parse_steps(&o, text, &err);
    ok(good ? st == TR_OK && o.has_steps && o.steps.from == from && o.steps.to == to
            : st == TR_USAGE && !o.has_steps && err.what[0],
       text);
}

static void times(const char *text, bool good, int64_t from, int64_t to)
{
    struct tr_select_opts o = TR_SELECT_ALL, h = TR_SELECT_ALL;
    struct tr_error err = TR_ERROR_INIT;
    enum tr_status st = tr_select_parse_time(&o, text, &err),
                   hst = tr_select_parse_host_time(&h, text, &err);
    ok(st == hst && (good ? st == TR_OK && o.has_time && o.time.from == from && o.time.to == to &&
                                h.has_host_time && h.host_time.from == from && h.host_time.to == to
                          : st == TR_USAGE && !o.has_time && !h.has_host_time),
       text);
}

static void test_ranks(void)
{
    struct tr_select_opts o = TR_SELECT_ALL;
    ok(tr_select_parse_ranks(&o, "0,3,8..15,20-22,30..", NULL) == TR_OK && o.n_ranks == 5 &&
           o.ranks[1].from == 3 && o.ranks[1].to == 3 && o.ranks[2].from == 8 &&
           o.ranks[2].to == 15 && o.ranks[3].to == 22 && o.ranks[4].from == 30 &&
           o.ranks[4].to == INT64_MAX,
       "a list of ranks");
    static const char *const bad[] = { "", ",", "1,", "-1", "3..2", "a", "1..2..3", "1x", "3-" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct tr_error err = TR_ERROR_INIT;
        enum tr_status st = tr_select_parse_ranks(&o, bad[i], &err);
        ok(st == TR_USAGE && err.what[0], bad[i]);
    }
    char many[2048] = "0";
    for (unsigned i = 0; i < TR_SELECT_MAX_RANKS; i++)
        strcat(many, ",1");
    ok(tr_select_parse_ranks(&o, many, NULL) == TR_USAGE, "too many ranks are refused");
}

static void test_time_of_sources(void)
{
    struct tr_source s = { .base_ns = 1000, .file_base_ns = 400 };
    ok(tr_source_to_stream(&s, 700) == 100 && tr_source_to_file(&s, 100) == 700,
       "file and stream time");
    struct tr_source far = { .base_ns = INT64_MIN, .file_base_ns = INT64_MAX };
    ok(tr_source_to_stream(&far, 5) == INT64_MAX, "beyond the range it is cut");
}

/* Ranks 1, 2 and 5; steps 3 and 4 of the first, 9 of the last; from 100 to 300 us, and from 200 to 400 us. */
static struct tr_summary *make_three(struct tr_dict *dict)
{
    static const int64_t ranks[] = { 1, 2, 5 };
    static const struct tr_step steps[] = { { .number = 3, .start = 100000, .end = 150000 },
                                            { .number = 4, .start = 160000, .end = 200000 },
                                            { .number = 9, .start = 200000, .end = 250000 } };
    struct tr_summary *sum = tr_summary_new(3);
    for (size_t i = 0; sum && i < 3; i++) {
        struct tr_source source = { .rank = ranks[i], .name = TR_NO_STR, .host = TR_NO_STR };
        tr_dict_add_source(dict, &source);
        sum->sources[i].first_ts = i == 1 ? TR_TIME_NONE : i == 0 ? 100000 : 200000;
        sum->sources[i].last_end = i == 1 ? TR_TIME_NONE : i == 0 ? 300000 : 400000;
        for (size_t k = i == 0 ? 0 : 2; i != 1 && k < (i == 0 ? 2u : 3u); k++)
            tr_summary_add_step(&sum->sources[i], &steps[k]);
    }
    return sum;
}

static void count(void *n, const char *option, const char *text)
{
    *(int *)n += option[0] == 'o' && text[0];
}

/* What is asked for, the status, and how often something is reported. */
static void test_found(void)
{
    static const struct {
        const char *ranks, *steps, *time, *host_time, *place;
        int reported;
    } cases[] = {
        { "1", NULL, NULL, NULL, NULL, 0 },
        { "1,2,5", "3..9", "100..400", "100..400", NULL, 0 },
        { "3", NULL, NULL, NULL, "option --rank", 0 },
        { "1,3..4", NULL, NULL, NULL, "option --rank", 0 },
        { "1..5", NULL, NULL, NULL, NULL, 1 },
        { "1..2", NULL, NULL, NULL, NULL, 0 },
        { "4..", NULL, NULL, NULL, NULL, 0 },
        { "6..", NULL, NULL, NULL, "option --rank", 0 },
        { NULL, "5", NULL, NULL, "option --step", 0 },
        { NULL, "5..9", NULL, NULL, NULL, 0 },
        { NULL, "2..3", NULL, NULL, NULL, 1 },
        { NULL, "9..10", NULL, NULL, NULL, 1 },
        { NULL, "..3", NULL, NULL, NULL, 0 },
        { NULL, "10..", NULL, NULL, "option --step", 0 },
        { "5", "3", NULL, NULL, "option --step", 0 },
        { "2", "3", NULL, NULL, "option --step", 0 },
        { NULL, NULL, "50..100", NULL, "option --time", 0 },
        { NULL, NULL, "50..100.001", NULL, NULL, 1 },
        { NULL, NULL, "400..500", NULL, NULL, 1 }, /* what has no length may stand at the end */
        { NULL, NULL, "400.001..", NULL, "option --time", 0 },
        { NULL, NULL, "150..", NULL, NULL, 0 },
        { NULL, NULL, "..400", NULL, NULL, 0 },
        { NULL, NULL, NULL, "1..2", "option --host-time", 0 },
        { NULL, NULL, NULL, "1..200", NULL, 1 },
        { "5", NULL, "100..200", NULL, "option --time", 0 },
        { "2", NULL, "100..200", NULL, "option --time", 0 },
    };
    struct tr_dict *dict = tr_dict_new();
    struct tr_summary *sum = dict ? make_three(dict) : NULL;
    ok(sum && dict->n_sources == 3, "three sources");
    for (size_t i = 0; sum && i < sizeof cases / sizeof *cases; i++) {
        struct tr_select_opts o = TR_SELECT_ALL;
        struct tr_error err = TR_ERROR_INIT;
        struct tr_select *s = NULL;
        int reported = 0;
        bool good = (!cases[i].ranks || tr_select_parse_ranks(&o, cases[i].ranks, NULL) == TR_OK) &&
                    (!cases[i].steps || tr_select_parse_steps(&o, cases[i].steps, NULL) == TR_OK) &&
                    (!cases[i].time || tr_select_parse_time(&o, cases[i].time, NULL) == TR_OK) &&
                    (!cases[i].host_time || tr_select_parse_host_time(&o, cases[i].host_time, NULL) == TR_OK) &&
                    tr_select_new(&o, dict, sum, true, &s, NULL) == TR_OK;
        enum tr_status st = good ? tr_select_found(s, sum, count, &reported, &err) : TR_SYSTEM;
        bool same = cases[i].place ? st == TR_ABSENT && strcmp(err.place, cases[i].place) == 0
                                   : st == TR_OK && reported == cases[i].reported;
        printf("# case %zu: status %d, told %d: %s\n", i, st, reported, err.what);
        ok(good && same, "what is asked for is there, in part or not");
        tr_select_free(s);
    }
    tr_summary_free(sum);
    tr_dict_free(dict);
}

/* Where times are impossible, what a source spans is not certain. */
static void test_vague(void)
{
    struct tr_dict *dict = tr_dict_new();
    struct tr_summary *sum = dict ? make_three(dict) : NULL;
    struct tr_select_opts o = TR_SELECT_ALL;
    struct tr_select *s = NULL;
    int reported = 0;
    bool good = sum && tr_select_parse_time(&o, "500..600", NULL) == TR_OK &&
                tr_select_new(&o, dict, sum, true, &s, NULL) == TR_OK;
    if (good)
        sum->sources[2].n_suspect[TR_SUSPECT_LONG_DUR] = 1;
    ok(good && tr_select_found(s, sum, count, &reported, NULL) == TR_OK && reported == 1, "a window outside is told then");
    tr_select_free(s);
    tr_summary_free(sum);
    tr_dict_free(dict);
}

/* What cannot be made is not there. */
static void test_refused(void)
{
    struct tr_dict *dict = tr_dict_new();
    struct tr_summary *summary = tr_summary_new(0);
    struct tr_error err = TR_ERROR_INIT;
    struct tr_select_opts all[4] = { TR_SELECT_ALL, TR_SELECT_ALL, TR_SELECT_ALL, TR_SELECT_ALL };
    all[1].has_steps = all[2].drop_last_step = all[3].has_host_time = true;
    for (int i = 0; dict && summary && i < 4; i++) {
        struct tr_select *s = (struct tr_select *)&err; /* what stood there before */
        enum tr_status st = tr_select_new(&all[i], dict, summary, false, &s, &err);
        ok(i ? st == TR_DAMAGED && !s : st == TR_OK && s, "not sorted: only what needs no order can be selected");
        tr_select_free(s);
        ok(tr_select_new(&all[i], dict, summary, true, &s, &err) == TR_OK && s, "sorted: all can");
        tr_select_free(s);
    }
    tr_summary_free(summary);
    tr_dict_free(dict);
}

int main(void)
{
    steps("3", true, 3, 3);
    steps("3..5", true, 3, 5);
    steps("..5", true, INT64_MIN, 5);
    steps("3..", true, 3, INT64_MAX);
    steps("..", false, 0, 0);
    steps("", false, 0, 0);
    steps("5..3", false, 0, 0);
    steps("3.", false, 0, 0);
    steps("99999999999999999999", false, 0, 0);
    times("..3743411293161.409", true, INT64_MIN, 3743411293161409);
    times("1.5..2ms", true, 1500, 2000000);
    times("-3..10ns", true, -3000, 10);
    times("1s..", true, 1000000000, INT64_MAX);
    times("5", false, 0, 0);
    times("..", false, 0, 0);
    times("3..3", false, 0, 0);
    times("1..2q", false, 0, 0);
    times("0.0001..1", false, 0, 0);
    test_ranks();
    test_time_of_sources();
    test_found();
    test_vague();
    test_refused();
    printf("1..%d\n", n_tests);
    return n_failed != 0;
}
