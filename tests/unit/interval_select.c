/* The texts of ranges, and the time of sources. */
#include "model/tr_select.h"

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
    test_refused();
    printf("1..%d\n", n_tests);
    return n_failed != 0;
}
