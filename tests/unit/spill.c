/* SPDX-License-Identifier: MIT */
/* Tables that go to files when memory is short are the same tables: base/tr_spill.h, io/tr_spill_dir.h. */
#include "io_tap.h"

#include "base/tr_hash.h"
#include "base/tr_mem.h"
#include "base/tr_strtab.h"
#include "io/tr_copy.h"
#include "io/tr_spill_dir.h"
#include "stream/tr_number_map.h"

#include <stdio.h>

#define N 200000u

/* How often a spill is asked for what. */
static struct {
    struct tr_spill seen, *of;
    unsigned n_files, n_refused;
    uint64_t taken;
} counts;

static bool take(struct tr_spill *s, uint64_t bytes)
{
    (void)s;
    bool ok = counts.of->take(counts.of, bytes);
    counts.taken += ok ? bytes : 0;
    counts.n_refused += !ok;
    return ok;
}

static void give(struct tr_spill *s, uint64_t bytes)
{
    (void)s;
    counts.taken -= bytes;
    counts.of->give(counts.of, bytes);
}

static struct tr_spill_file *open_file(struct tr_spill *s)
{
    (void)s;
    counts.n_files++;
    return counts.of->open(counts.of);
}

static void close_file(struct tr_spill_file *f)
{
    counts.n_files--;
    counts.of->close(f);
}

static void touched(struct tr_spill *s)
{
    (void)s;
    counts.of->touched(counts.of);
}

static size_t text(char *s, size_t size, uint32_t i)
{
    return (size_t)snprintf(s, size, "%u of many names, of which no two are the same%.*s", i, (int)(i % 7), "_______");
}

static bool same_strings(struct tr_strtab *a, struct tr_strtab *b)
{
    char s[100];
    bool same = true;
    for (uint32_t i = 0; i < N; i++) {
        size_t len = text(s, sizeof s, i);
        same &= tr_strtab_add(a, s, len) == i && tr_strtab_add(b, s, len) == i;
        len = text(s, sizeof s, i / 2); /* one that is there */
        same &= tr_strtab_add(a, s, len) == i / 2 && tr_strtab_find(b, s, len) == i / 2;
    }
    for (uint32_t i = 0; i < N && same; i++)
        same = tr_strtab_len(a, i) == tr_strtab_len(b, i) &&
               memcmp(tr_strtab_get(a, i), tr_strtab_get(b, i), tr_strtab_len(a, i) + 1) == 0;
    return same && tr_strtab_count(a) == N && tr_strtab_find(a, "none", 4) == TR_NO_STR;
}

static void test_strings(void)
{
    struct tr_strtab *in_memory = tr_strtab_new(), *spilled = tr_strtab_new_in(&counts.seen);
    if (!in_memory || !spilled)
        bail("no memory");
    ok(same_strings(spilled, in_memory), "%u strings have their numbers, in files as in memory", N);
    ok(counts.n_files == 3 && counts.n_refused > 0, "%u files hold them", counts.n_files);
    tr_strtab_free(spilled);
    tr_strtab_free(in_memory);
    ok(counts.n_files == 0 && counts.taken == 0, "files and memory are given back");
}

static void test_map(void)
{
    struct tr_number_map map = { .in = { .spill = &counts.seen } };
    bool same = true;
    for (uint32_t i = 0; i < 2 * N; i += 2)
        same &= tr_number_map_set(&map, i, 3 * i);
    for (uint32_t i = 0; i < 2 * N; i++)
        same &= tr_number_of(&map, i) == (i % 2 ? TR_NUMBER_UNKNOWN : 3 * i);
    ok(same && counts.n_files == 1, "numbers are found in a file, and unknown ones are unknown there");
    tr_number_map_free(&map);
    ok(counts.n_files == 0 && counts.taken == 0, "it is given back");
}

static uint64_t hash_of(uint32_t i)
{
    static const uint64_t ends[] = { 0, (uint64_t)0xf174d0af << 32, (uint64_t)0xe2e9a15e << 32 }; /* first, last slot */
    return i % 5000 < 3 ? ends[i % 5000] : tr_mix64(i, 0x9e3779b97f4a7c15u);
}

/* An index that was written to its file several times, and has grown there: entries of a hash come in their order. */
static void test_index(void)
{
    struct tr_hash_index x = { .spill = &counts.seen };
    const uint32_t n = 5 * N;
    bool same = true;
    for (uint32_t i = 0; i < n; i++)
        same &= tr_hash_index_add(&x, hash_of(i), i);
    ok(same && counts.n_files == 1 && tr_hash_index_bytes(&x) < n * sizeof *x.slots, "%u entries go to a file", n);
    for (uint32_t i = 0; i < n; i += i % 5000 < 2 ? 1 : 7) {
        struct tr_hash_walk walk = tr_hash_index_walk(&x, hash_of(i));
        uint32_t last = 0, seen = 0, found = 0;
        for (uint32_t k; (k = tr_hash_index_next(&walk)) != TR_HASH_NONE; last = k, seen++) {
            same &= !seen || k > last;
            found += k == i;
        }
        same &= found == 1 && (i % 5000 >= 3 || seen == n / 5000);
    }
    ok(same, "each is found once, and those of a hash in the order in which they were added");
    tr_hash_index_free(&x);
    ok(counts.n_files == 0 && counts.taken == 0, "its file and memory are given back");
}

static unsigned until; /* so many reads and writes of files succeed */

static bool read_some(struct tr_spill_file *f, void *to, size_t n, uint64_t at)
{
    return until && until-- && counts.of->read(f, to, n, at);
}

static bool write_some(struct tr_spill_file *f, const void *from, size_t n, uint64_t at)
{
    return until && until-- && counts.of->write(f, from, n, at);
}

/* Whichever read or write of an index's file fails, adding fails: no entry is lost without a word. */
static void test_index_fails(void)
{
    struct tr_spill failing = counts.seen;
    unsigned n_failed = 0, tries = 0;
    bool whole = true;
    failing.read = read_some;
    failing.write = write_some;
    for (unsigned calls = 0; n_failed == tries; calls = calls * 5 / 4 + 1, tries++) {
        struct tr_hash_index x = { .spill = &failing };
        uint32_t i = 0;
        until = calls;
        while (i < N && tr_hash_index_add(&x, hash_of(i), i))
            i++;
        n_failed += i < N;
        for (uint32_t k = 0; i == N && k < N; k += 997) {
            struct tr_hash_walk walk = tr_hash_index_walk(&x, hash_of(k));
            uint32_t found;
            until = 1000;
            while ((found = tr_hash_index_next(&walk)) != TR_HASH_NONE && found != k)
                continue;
            whole &= found == k;
        }
        tr_hash_index_free(&x);
    }
    ok(n_failed > 3 && whole && counts.n_files == 0 && counts.taken == 0,
       "an index whose file fails after a while, %u times: it says so, or has all entries", n_failed);
}

/* A folder that is not there: what no longer fits is refused, and what is there stays. */
static void test_no_folder(void)
{
    struct tr_spill *s = tr_spill_dir_new(1u << 20, "nowhere");
    struct tr_strtab *t = s ? tr_strtab_new_in(s) : NULL;
    char name[100];
    uint32_t n = 0;
    if (!t)
        bail("no memory");
    while (n < N && tr_strtab_add(t, name, text(name, sizeof name, n)) == n)
        n++;
    ok(n > 1000 && n < N, "without a folder, %u strings fit in memory", n);
    ok(tr_strtab_find(t, name, text(name, sizeof name, n - 1)) == n - 1 && tr_strtab_count(t) == n, "and they stay");
    struct tr_error err = TR_ERROR_INIT;
    ok(tr_spill_dir_failed(s, &err) && strcmp(err.input, "nowhere") == 0 && err.sys_errno, "why: %s: %s", err.input,
       err.what);
    ok(!tr_spill_dir_failed(counts.of, &err) && !tr_spill_dir_failed(NULL, &err), "nothing else has failed");
    tr_strtab_free(t);
    tr_spill_dir_free(s);
}

/* In a copy of the process: entries of its own, in the same slots as those that come here later. */
static enum tr_status add_others(void *self, struct tr_buf *out, struct tr_error *err)
{
    char text[32];
    bool same = true;
    (void)err;
    for (uint32_t i = 0; i < N; i++) {
        int n = snprintf(text, sizeof text, "other %u", i);
        same &= tr_strtab_add(self, text, (size_t)n) == N + i;
    }
    for (uint32_t i = 0; i < 2 * N; i++) {
        int n = snprintf(text, sizeof text, "%s %u", i < N ? "text" : "other", i % N);
        same &= tr_strtab_find(self, text, (size_t)n) == i;
    }
    return same && tr_buf_add_str(out, "same") ? TR_OK : TR_DAMAGED;
}

static void test_copy(void)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_spill *s = tr_spill_dir_new(0, ".");
    struct tr_strtab *t = tr_strtab_new_in(s);
    struct tr_buf out = { NULL, 0, 0 };
    char text[32];
    bool same = t != NULL;
    for (int round = 0; round < 2; round++) {
        for (uint32_t i = 0; i < N && same; i++) {
            int n = snprintf(text, sizeof text, "%s %u", round ? "late" : "text", i);
            same &= tr_strtab_add(t, text, (size_t)n) == (round ? N : 0) + i;
        }
        if (!round) {
            ok(same && tr_in_copy(s, add_others, t, &out, &err) == TR_OK && out.len == 4,
               "a copy of the process has the texts, and adds to them: %s", err.what);
        }
    }
    for (uint32_t i = 0; i < N && same; i++) {
        int n = snprintf(text, sizeof text, "late %u", i);
        same &= tr_strtab_find(t, text, (size_t)n) == N + i;
        n = snprintf(text, sizeof text, "other %u", i);
        same &= tr_strtab_find(t, text, (size_t)n) == TR_NO_STR;
    }
    ok(same, "nothing of that is here");
    tr_buf_free(&out);
    tr_strtab_free(t);
    tr_spill_dir_free(s);
}

int main(void)
{
    counts.of = tr_spill_dir_new(1u << 20, ".");
    if (!counts.of)
        bail("no memory");
    counts.seen = (struct tr_spill){ take, give, open_file, counts.of->grow, counts.of->read, counts.of->write,
                                     close_file, touched,
                                     NULL, NULL };
    test_strings();
    test_map();
    test_index();
    test_index_fails();
    test_no_folder();
    test_copy();
    tr_spill_dir_free(counts.of);
    return done_testing();
}
