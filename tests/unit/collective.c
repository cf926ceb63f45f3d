/* SPDX-License-Identifier: MIT */
/* Collectives: names, sizes, factors, lists of ranks; sequences side by side, against plain counting. */
#include "model/collectives/tr_collective_int.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int n_tests, n_failed;

static void ok(bool good, const char *what)
{
    printf("%sok %d - %s\n", good ? "" : "not ", ++n_tests, what);
    n_failed += !good;
}

static uint64_t next_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* ---- names, sizes ---- */

static void names(void)
{
    static const struct {
        const char *name;
        enum tr_coll_type type;
    } cases[] = {
        { "allreduce", TR_COLL_ALLREDUCE },
        { "allreduce_coalesced", TR_COLL_ALLREDUCE },
        { "_allgather_base", TR_COLL_ALLGATHER },
        { "all_gather_into_tensor_coalesced", TR_COLL_ALLGATHER },
        { "_reduce_scatter_base", TR_COLL_REDUCESCATTER },
        { "reduce_scatter_tensor_coalesced", TR_COLL_REDUCESCATTER },
        { "batch_isend_irecv", TR_COLL_SENDRECV },
        { "all_to_all", TR_COLL_ALLTOALL },
        { "all_to_allv", TR_COLL_ALLTOALLV },
        { "broadcast", TR_COLL_BROADCAST },
        { "_broadcast_oop", TR_COLL_BROADCAST },
        { "reduce", TR_COLL_REDUCE },
        { "gather", TR_COLL_GATHER },
        { "scatter", TR_COLL_SCATTER },
        { "all-reduce-start.1", TR_COLL_ALLREDUCE },
        { "all-gather", TR_COLL_ALLGATHER },
        { "reduce-scatter.3", TR_COLL_REDUCESCATTER },
        { "all-to-all", TR_COLL_ALLTOALL },
        { "ragged-all-to-all", TR_COLL_ALLTOALLV },
        { "collective-permute", TR_COLL_PERMUTE },
        { "collective-broadcast", TR_COLL_BROADCAST },
        { "send", TR_COLL_SEND },
        { "recv", TR_COLL_RECV },
        { "barrier", TR_COLL_BARRIER },
        { "wait", TR_COLL_UNKNOWN },
        { "init", TR_COLL_UNKNOWN },
        { "", TR_COLL_UNKNOWN },
        { "ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*, unsigned long)",
          TR_COLL_ALLREDUCE },
        { "ncclDevKernel_ReduceScatter_Sum_bf16_RING_LL(ncclDevKernelArgs)",
          TR_COLL_REDUCESCATTER },
        { "ncclDevKernel_AllGather_RING_LL(ncclDevKernelArgs)", TR_COLL_ALLGATHER },
        { "ncclDevKernel_SendRecv(ncclDevKernelArgs)", TR_COLL_SENDRECV },
        { "ncclKernel_Broadcast_RING_LL_Sum_int8_t(ncclDevComm*)", TR_COLL_BROADCAST },
        { "ncclDevKernel_Generic(ncclDevKernelArgsStorage<4096ul>)", TR_COLL_UNKNOWN },
        { "void vllm::cross_device_reduce_2stage<float, 8>(RankData*)", TR_COLL_ALLREDUCE },
        { "hccl_allreduce_ring", TR_COLL_ALLREDUCE },
        { "oneccl_kernel(reduce)", TR_COLL_UNKNOWN },
        { "oneCCL::allreduce", TR_COLL_ALLREDUCE },
        { "MPI::MPI_Reduce_scatter", TR_COLL_REDUCESCATTER },
        { "MPI::MPI_Reeduce_scatter", TR_COLL_REDUCESCATTER },
        { "MPI::MPI_Waitall", TR_COLL_UNKNOWN },
        { "all_to_all", TR_COLL_ALLTOALL },
        { "all_to_allv", TR_COLL_ALLTOALLV },
        { "all_to_all_vdev_2d", TR_COLL_ALLTOALLV },
        { "All2Allv", TR_COLL_ALLTOALLV },
        { "All2All", TR_COLL_ALLTOALL },
        { "MPI_Alltoallw", TR_COLL_ALLTOALLV },
        { "MPI::Device_put", TR_COLL_UNKNOWN },
    };
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (tr_coll_type_of(tr_str_of(cases[i].name)) != cases[i].type) {
            printf("# %s: %s\n", cases[i].name,
                   tr_coll_type_name(tr_coll_type_of(tr_str_of(cases[i].name))));
            good = false;
        }
    ok(good, "types by name");
}

/* Has a list so many ranks, with this sum? */
static bool list_is(const char *text, size_t n, int64_t sum)
{
    struct tr_str list = tr_str_of(text);
    for (int64_t rank; tr_coll_list_next(&list, &rank); sum -= rank)
        n--;
    return n == 0 && sum == 0;
}

static void sizes(void)
{
    ok(tr_coll_elem_size(tr_str_of("Float")) == 4 && tr_coll_elem_size(tr_str_of("BFloat16")) == 2 &&
           tr_coll_elem_size(tr_str_of("Long")) == 8 && tr_coll_elem_size(tr_str_of("Bool")) == 1 &&
           tr_coll_elem_size(tr_str_of("Float8_e4m3fn")) == 1 && tr_coll_elem_size(tr_str_of("ComplexDouble")) == 16 &&
           tr_coll_elem_size(tr_str_of("[\"float32\"]")) == 4 && tr_coll_elem_size(tr_str_of("uint8")) == 1 &&
           tr_coll_elem_size(tr_str_of("FLOAT")) == 0 && tr_coll_elem_size(tr_str_of("")) == 0,
       "sizes of elements");
    ok(fabs(tr_coll_bus_factor(TR_COLL_ALLREDUCE, 8) - 1.75) < 1e-12 &&
           fabs(tr_coll_bus_factor(TR_COLL_ALLGATHER, 4) - 0.75) < 1e-12 &&
           tr_coll_bus_factor(TR_COLL_BROADCAST, 4) > 0.99 &&
           tr_coll_bus_factor(TR_COLL_ALLREDUCE, 1) < 1e-12 &&
           tr_coll_bus_factor(TR_COLL_ALLREDUCE, -1) < 1e-12 &&
           tr_coll_bus_factor(TR_COLL_ALLTOALLV, 8) < 1e-12,
       "factors of the bus bandwidth");
    ok(list_is("[0, 1, 12]", 3, 0 + 1 + 12) && list_is("[10, 11]", 2, 10 + 11) && list_is("[]", 0, 0) &&
           list_is("", 0, 0) && list_is("7", 1, 7) && list_is("[0, 1, ...]", 2, 0 + 1) &&
           list_is("[0, 1, ..., 9]", 3, 0 + 1 + 9),
       "ranks in a list");
    ok(tr_coll_is_sync(TR_COLL_ALLREDUCE) && tr_coll_is_sync(TR_COLL_BARRIER) &&
           !tr_coll_is_sync(TR_COLL_ALLTOALLV) && !tr_coll_is_sync(TR_COLL_BROADCAST) &&
           !tr_coll_is_sync(TR_COLL_UNKNOWN),
       "what no rank can leave early");
}

/* ---- groups of devices ---- */

static void sets(void)
{
    static const struct {
        const char *sets;
        int64_t device, set, size;
        const char *name;
    } rows[] = {
        { "[[0,1],[2,3]]", 0, 0, 2, "devices 0,1" },
        { "[[0,1],[2,3]]", 3, 1, 2, "devices 2,3" },
        { "[[0,1],[2,3]]", 4, -1, -1, "" },
        { "[[0,1,2,3,8,10,11,12]]", 12, 0, 8, "devices 0..3,8,10..12" },
        { "[[],[7]]", 7, 1, 1, "devices 7" },
        { "[]", 0, -1, -1, "" },
        { "[[12]", 1, -1, -1, "" },
        { "", 0, -1, -1, "" },
    };
    struct tr_buf name = { 0 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        int64_t size, set = tr__coll_set_of(tr_str_of(rows[i].sets), rows[i].device, &size);
        bool named = tr_coll_set_name(tr_str_of(rows[i].sets), set, &name);
        ok(named && set == rows[i].set && size == rows[i].size &&
               tr_str_is((struct tr_str){ name.len ? (const char *)name.data : "", name.len }, rows[i].name),
           rows[i].sets);
    }
    tr_buf_free(&name);
}

/* ---- sequences side by side ---- */

#define MAX_N 4000

static uint64_t a[MAX_N], b[MAX_N];
static size_t at[MAX_N];

/* Pairs that are equal; SIZE_MAX if places do not grow or do not exist. */
static size_t equal_pairs(size_t n_a, size_t n_b)
{
    size_t next = 0, n = 0;
    for (size_t j = 0; j < n_b; j++) {
        if (at[j] == SIZE_MAX)
            continue;
        if (at[j] < next || at[j] >= n_a)
            return SIZE_MAX;
        next = at[j] + 1;
        n += a[at[j]] == b[j];
    }
    return n;
}

static size_t longest_common(size_t n_a, size_t n_b)
{
    static size_t row[64];
    memset(row, 0, sizeof row);
    for (size_t i = 0; i < n_a; i++)
        for (size_t j = 0, diagonal = 0; j < n_b; j++) {
            size_t above = row[j + 1];
            row[j + 1] = a[i] == b[j] ? diagonal + 1 : above > row[j] ? above : row[j];
            diagonal = above;
        }
    return row[n_b];
}

/* What annotations give: dimensions of tensors, types of operators. */
static void notes(void)
{
    static const struct {
        const char *dims;
        int64_t elems;
    } cases[] = {
        { "[[19618307]]", 19618307 },
        { "[[1000, 16], [], [384]]", 16384 },
        { "[[[2, 3], [4]], []]", 10 },
        { "[[0, 7], [5]]", 5 },
        { "[[7, 0, 7], [5]]", 5 },
        { "[[0]]", -1 },
        { "[[]]", -1 },
        { "", -1 },
        { "[[3", 3 },
        { "[[4294967296, 2147483647]]", 4294967296 * 2147483647 },
        { "[[4294967296, 2147483648]]", -1 },
        { "[[9223372036854775806], [1]]", INT64_MAX },
        { "[[9223372036854775806], [2]]", -1 },
        { "[[99999999999999999999]]", -1 },
    };
    bool good = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int64_t have = tr__coll_dims_elems(tr_str_of(cases[i].dims));
        if (have != cases[i].elems)
            printf("# %s: %lld\n", cases[i].dims, (long long)have);
        good = good && have == cases[i].elems;
    }
    ok(good, "elements of lists of dimensions");
    ok(tr_coll_elem_size(tr_str_of("[\"float\"]")) == 4 && tr_coll_elem_size(tr_str_of("[\"c10::Half\", \"int\"]")) == 2 &&
           tr_coll_elem_size(tr_str_of("[\"long int\"]")) == 8 && tr_coll_elem_size(tr_str_of("[\"\"]")) == 0 &&
           tr_coll_elem_size(tr_str_of("[")) == 0,
       "sizes of elements by types of operators");
    ok(tr_coll_type_of(tr_str_of("nccl:all_to_all")) == TR_COLL_ALLTOALLV &&
           tr_coll_type_of(tr_str_of("nccl:_all_gather_base")) == TR_COLL_ALLGATHER &&
           !tr__coll_is_note(tr_str_of("nccl:")) && !tr__coll_is_note(tr_str_of("ncclKernel")),
       "types by names of annotations");
}

static void shortest(void)
{
    uint64_t rng = 7;
    bool good = true;
    for (int t = 0; t < 20000 && good; t++) {
        size_t n_a = (size_t)(next_random(&rng) % 30), n_b = (size_t)(next_random(&rng) % 30);
        uint64_t kinds = 1 + next_random(&rng) % 6;
        for (size_t i = 0; i < n_a; i++)
            a[i] = next_random(&rng) % kinds;
        for (size_t i = 0; i < n_b; i++)
            b[i] = next_random(&rng) % kinds;
        good =
            tr__coll_align(a, n_a, b, n_b, at) && equal_pairs(n_a, n_b) == longest_common(n_a, n_b);
    }
    ok(good, "as many equal ones side by side as possible");
}

static void rest(void)
{
    uint64_t x[] = { 1, 2, 3, 4, 5 }, y[] = { 1, 9, 8, 4, 7, 5 };
    bool good = tr__coll_align(x, 5, y, 6, at);
    ok(good && at[0] == 0 && at[1] == 1 && at[2] == 2 && at[3] == 3 && at[4] == SIZE_MAX &&
           at[5] == 4,
       "as many on either side: side by side; one more: alone");
    ok(tr__coll_align(x, 0, y, 2, at) && at[0] == SIZE_MAX && at[1] == SIZE_MAX &&
           tr__coll_align(x, 2, y, 0, at),
       "empty sequences");
}

/* More differences than are looked at together. */
static void far_apart(void)
{
    size_t n = 0, m = 0;
    for (size_t i = 0; i < 1300; i++)
        a[n++] = i;
    for (size_t i = 0; i < 1299; i++)
        b[m++] = 10000 + i;
    for (size_t i = 0; i < 2000; i++)
        a[n++] = b[m++] = 20000 + i % 7;
    bool good = tr__coll_align(a, n, b, m, at);
    size_t pairs = equal_pairs(n, m);
    ok(good && pairs != SIZE_MAX && pairs >= 1900,
       "beyond a stretch of strangers, equal ones meet again");
    for (size_t i = 0; i < MAX_N; i++) {
        a[i] = i;
        b[i] = i + MAX_N;
    }
    good = tr__coll_align(a, MAX_N, b, MAX_N - 1, at);
    for (size_t i = 0; i < MAX_N - 1 && good; i++)
        good = at[i] == SIZE_MAX;
    ok(good, "nothing in common");
}

/* ---- ends ---- */

#define BURSTS  20
#define N_BURST 6
#define N_ENDS  (BURSTS * N_BURST)

/* A rank's ends: bursts of six 3 us apart, 300 to 900 us between them, each off by up to 2 us, in order. */
static void bursts(struct tr__coll_mark *m, int64_t offset, uint64_t seed, bool regular)
{
    uint64_t plan = 11, rng = seed;
    int64_t t = offset, last = offset - 1;
    for (size_t i = 0; i < N_ENDS; i++) {
        int64_t gap = 300000 + (int64_t)(next_random(&plan) % 600000);
        t += i % N_BURST || regular ? 3000 : gap;
        int64_t end = t + (int64_t)(next_random(&rng) % 4000) - 2000;
        last = end > last ? end : last + 1;
        m[i] = (struct tr__coll_mark){ .end = last, .sig = 1, .kind = 1, .sync = true };
    }
}

/* n of them, less one at a place, if there is such. */
static size_t less(struct tr__coll_mark *m, size_t n, size_t without)
{
    for (size_t i = without; i + 1 < n; i++)
        m[i] = m[i + 1];
    return without < n ? n - 1 : n;
}

static int verdict_of(size_t without_a, size_t without_b, bool regular, double *offset)
{
    static struct tr__coll_mark x[N_ENDS], y[N_ENDS];
    static size_t places[N_ENDS];
    struct tr__coll_clock clock = { 0 };
    bursts(x, 5000000, 3, regular);
    bursts(y, 777000000, 4, regular);
    size_t n_x = less(x, N_ENDS, without_a), n_y = less(y, N_ENDS, without_b);
    if (!tr__coll_vote(x, n_x, y, n_y, &clock, places))
        return -1;
    *offset = (double)(tr__coll_clock_apply(&clock, 777000000) - 5000000);
    return (int)clock.verdict;
}

static void close_ends(void)
{
    double offset = 0;
    ok(verdict_of(N_ENDS, N_ENDS, false, &offset) == TR__COLL_ORDER && offset > -1000 && offset < 1000,
       "bursts of ends closer than they jitter: by order, if none is lost");
    ok(verdict_of(7, 100, false, &offset) == TR__COLL_DISAGREE &&
           verdict_of(1, N_ENDS - 1, false, &offset) == TR__COLL_DISAGREE,
       "one lost on either side, in other bursts: not by order");
    ok(verdict_of(7, N_ENDS, false, &offset) != TR__COLL_ORDER, "one lost on one side: not by order");
    ok(verdict_of(N_ENDS, N_ENDS, true, &offset) == TR__COLL_DISAGREE, "no gaps that would show a loss: not by order");
}

/* Each end is lost with a chance, in percent; which of the whole those that remain are. */
static size_t lose(struct tr__coll_mark *m, size_t *of, uint64_t percent, uint64_t *rng)
{
    size_t n = 0;
    for (size_t i = 0; i < N_ENDS; i++)
        if (next_random(rng) % 100 >= percent) {
            of[n] = i;
            m[n++] = m[i];
        }
    return n;
}

/* Bursts of which ends are lost on both sides: no end beside another than its own. */
static void lossy_bursts(void)
{
    static struct tr__coll_mark x[N_ENDS], y[N_ENDS];
    static size_t of_x[N_ENDS], of_y[N_ENDS], places[N_ENDS];
    for (uint64_t percent = 1; percent < 40; percent = 3 * percent + 2) {
        size_t wrong = 0, right = 0, agreed = 0;
        bool good = true;
        for (uint64_t seed = 1; seed <= 400; seed++) {
            struct tr__coll_clock clock = { .verdict = TR__COLL_DISAGREE };
            uint64_t rng = seed;
            bursts(x, 5000000, 1000 + seed, false);
            bursts(y, 777000000, 5000 + seed, false);
            size_t n_x = lose(x, of_x, percent, &rng), n_y = lose(y, of_y, percent, &rng);
            good = good && tr__coll_vote_bursts(x, n_x, y, n_y, &clock, places);
            agreed += clock.verdict == TR__COLL_BURSTS;
            for (size_t j = 0; j < n_y && clock.verdict == TR__COLL_BURSTS; j++) {
                right += places[j] != SIZE_MAX && of_x[places[j]] == of_y[j];
                wrong += places[j] != SIZE_MAX && of_x[places[j]] != of_y[j];
            }
        }
        printf("# %d %% lost: %zu of 400 jobs agree, %zu pairs right, %zu wrong\n", (int)percent, agreed, right, wrong);
        ok(good && wrong * 1000 <= right, "bursts with losses: no end beside another than its own");
        ok(percent > 5 || agreed > 390, "bursts with few losses: their clocks are found");
    }
}

int main(void)
{
    names();
    sizes();
    notes();
    sets();
    shortest();
    rest();
    far_apart();
    close_ends();
    lossy_bursts();
    printf("1..%d\n", n_tests);
    return n_failed != 0;
}
