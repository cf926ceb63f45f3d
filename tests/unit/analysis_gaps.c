/* SPDX-License-Identifier: MIT */
/* Why a device was idle: each gap cut into parts by cause, which add up to it. */
#include "analysis/time/tr_idle.h"
#include "analysis/time/tr_idle_hosts.h"
#include "unit/analysis_build.h"

static struct build t;
static struct tr_summary *sum;
static struct tr_error err = TR_ERROR_INIT;
static uint32_t host, a7, a9;

static void one_rank(void)
{
    start_stream(&t);
    uint32_t zero = source(&t, 0);
    host = track(&t, zero, 1, 1, TR_I64_NONE, TR_I64_NONE);
    a7 = track(&t, zero, 0, 7, 0, 7);
    a9 = track(&t, zero, 0, 9, 0, 9);
    sum = tr_summary_new(1);
    need(sum != NULL);
    sum->sources[0].n_activity[TR_ACT_KERNEL] = 5; /* what the host did is kept while device work is to come */
}

static void end(void)
{
    tr_summary_free(sum);
    build_end(&t);
}

/* ---- idle ---- */

struct seen {
    struct tr_idle_gap gaps[4];
    int64_t parts[4][TR_N_IDLE_CAUSES];
    uint32_t during[4][TR_N_IDLE_CAUSES];
    size_t n;
};

static bool see(void *self, const struct tr_idle_gap *gap)
{
    struct seen *s = self;
    int64_t all = 0;
    if (s->n == 4)
        return false;
    s->gaps[s->n] = *gap;
    for (size_t i = 0; i < gap->n_parts; i++) {
        CHECK(gap->parts[i].ns > 0 && (!i || gap->parts[i - 1].cause < gap->parts[i].cause));
        s->parts[s->n][gap->parts[i].cause] = gap->parts[i].ns;
        s->during[s->n][gap->parts[i].cause] = gap->parts[i].during;
        all += gap->parts[i].ns;
    }
    CHECK(all == gap->end - gap->start); /* they add up to the gap */
    s->n++;
    return true;
}

static void feed(struct seen *s, int64_t threshold)
{
    const struct tr_group_by_opts opts = { .per = TR_PER_RANK };
    struct tr_idle *a = NULL;
    memset(s, 0, sizeof *s);
    CHECK(tr_idle_new(&opts, threshold, t.dict, sum, true, NULL, see, s, &a, &err) == TR_OK);
    CHECK(tr_idle_feed(a, t.batch, NULL, &err) == TR_OK && tr_idle_finish(a, &err) == TR_OK);
    tr_idle_free(a);
}

static void test_idle(void)
{
    struct seen s;
    struct tr_idle *a = NULL;
    const struct tr_group_by_opts opts = { .per = TR_PER_RANK };
    one_rank();
    feed(&s, 5); /* no events */
    CHECK(s.n == 0);
    kernel(&t, a7, "first", -20, 20);
    kernel(&t, a9, "on another stream", -10, 20); /* until 10 */
    span(&t, host, TR_ACT_CPU_OP, "op", 5, 25);
    span(&t, host, TR_ACT_RUNTIME_API, "cudaLaunchKernel", 30, 8);
    kernel(&t, a7, "second", 40, 10);
    launched(&t, "cudaLaunchKernel", 30, 8, 3, host);
    kernel(&t, a7, "at once", 50, 10);
    kernel(&t, a7, "its launch is not known", 70, 5);
    feed(&s, 5);
    CHECK(s.n == 2 && s.gaps[0].start == 10 && s.gaps[0].end == 40 && s.gaps[0].before == str(&t, "on another stream"));
    CHECK(s.gaps[0].after == str(&t, "second") && s.parts[0][TR_IDLE_HOST_BUSY] == 20);
    CHECK(s.during[0][TR_IDLE_HOST_BUSY] == str(&t, "op"));
    CHECK(s.parts[0][TR_IDLE_LAUNCH_OVERHEAD] == 8);
    CHECK(s.parts[0][TR_IDLE_DEVICE_OVERHEAD] == 2 && s.gaps[0].n_parts == 3);
    CHECK(s.gaps[1].n_parts == 1 && s.parts[1][TR_IDLE_UNKNOWN] == 10);
    feed(&s, 2); /* not shorter than the threshold */
    CHECK(s.n == 2 && s.parts[0][TR_IDLE_DEPENDENCY] == 2 && s.parts[0][TR_IDLE_DEVICE_OVERHEAD] == 0);
    CHECK(tr_idle_new(&opts, 5, t.dict, sum, false, NULL, see, &s, &a, &err) == TR_DAMAGED);
    tr_idle_free(NULL);
    CHECK_STR(tr_idle_cause_name(TR_IDLE_HOST_BUSY), "host_busy");
    end();
}

/* ---- what hosts did, for several readers ---- */

static size_t no_group(const void *self)
{
    (void)self;
    return 0;
}

static int64_t oldest(const void *self, uint32_t source, int64_t now)
{
    const int64_t *at = self;
    CHECK(source == 0);
    return *at < now ? *at : now;
}

static bool add_ns(void *self, const struct tr_host_moment *m, int64_t ns)
{
    *(int64_t *)self += m->name == TR_NO_STR ? 0 : ns;
    return true;
}

/* The time in which the host was in a span, of the first 8000 times 10 ns. */
static int64_t in_spans(struct tr_idle_hosts *h, int64_t from)
{
    int64_t ns = 0;
    CHECK(tr_host_history_walk(h->history, host, from, 80000, add_ns, &ns));
    return ns;
}

static void test_hosts(void)
{
    static const int64_t early = 10000, late = 70000;
    const struct tr_idle_reader first = { .self = &early, .n_groups = no_group, .oldest = oldest };
    const struct tr_idle_reader second = { .self = &late, .n_groups = no_group, .oldest = oldest };
    one_rank();
    struct tr_idle_hosts *h = tr_idle_hosts_new(t.dict, sum);
    need(h != NULL);
    CHECK(tr_idle_hosts_join(h, &first) && tr_idle_hosts_join(h, &second));
    for (int i = 0; i < 8000; i++)
        span(&t, host, TR_ACT_CPU_OP, i % 2 ? "op" : "another", 10 * i, 6);
    for (int i = 0; i < 5; i++)
        kernel(&t, a7, "work", 80000 + i, 1);
    launched(&t, "op", 79990, 6, 3, host);
    span(&t, host, TR_ACT_CPU_OP, "after all work", 80010, 6);
    CHECK(tr_idle_hosts_feed(h, t.batch) && h->entered == 8000);
    CHECK(h->launch_ts[8004] == 79990 && h->launch_dur[8004] == 6 && h->launch_track[8004] == host);
    CHECK(h->launch_ts[8003] == TR_TIME_NONE && h->launch_ts[0] == TR_TIME_NONE);
    CHECK(in_spans(h, 0) == 48000);
    CHECK(tr_idle_hosts_feed(h, t.batch) && h->entered == 0); /* by now, only the time from early on is kept */
    CHECK(in_spans(h, 0) == in_spans(h, early) && in_spans(h, early) == 42000);
    tr_idle_hosts_leave(h, &early);
    h->entered = 8000;
    CHECK(tr_idle_hosts_feed(h, t.batch) && in_spans(h, 0) == in_spans(h, late) && in_spans(h, late) == 6000);
    tr_idle_hosts_free(h);
    tr_idle_hosts_free(NULL);
    end();
}

static const struct tap_test tests[] = {
    { "gaps of a group in parts by cause", test_idle },
    { "what hosts did is kept for all readers", test_hosts },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
