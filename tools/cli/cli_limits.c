/* SPDX-License-Identifier: MIT */
/* The parts of the machine that this process may use. */
#include "base/tr_num.h"
#include "cli/cli_priv.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef HAVE_SCHED_GETAFFINITY
#include <sched.h>
#endif
#if HAVE_DECL_M_ARENA_MAX
#include <malloc.h>
#endif

#define MAX_THREADS 1024
#define ARENA_SHARE (UINT64_C(1) << 30) /* of a limited address space, for each arena of glibc */

unsigned cli__default_threads(void)
{
    long n = 0;
#ifdef HAVE_SCHED_GETAFFINITY
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        n = CPU_COUNT(&set);
#endif
    if (n < 1)
        n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : n > MAX_THREADS ? MAX_THREADS : (unsigned)n;
}

/* The number in a file; UINT64_MAX if there is none ("max"). */
static uint64_t read_limit(const char *path)
{
    char text[64] = "";
    uint64_t value = UINT64_MAX;
    FILE *f = fopen(path, "r");
    if (!f)
        return UINT64_MAX;
    if (fgets(text, sizeof text, f)) {
        text[strcspn(text, "\n")] = '\0';
        if (tr_num_u64(text, 0, UINT64_MAX, &value, NULL) != TR_OK)
            value = UINT64_MAX;
    }
    fclose(f);
    return value;
}

/*
 * The smallest limit of a group and of all groups above it.  Inside a container, the path may have folders that exist
 * only outside.  These are skipped, and the top folder is then the one of the container.
 */
static uint64_t group_limit(const char *root, const char *controller, const char *group,
                            const char *file)
{
    char path[PATH_MAX], at[PATH_MAX];
    uint64_t min = UINT64_MAX;

    if (snprintf(at, sizeof at, "%s", group) >= (int)sizeof at)
        return min;
    for (;;) {
        size_t len = strlen(at);
        while (len > 0 && at[len - 1] == '/')
            at[--len] = '\0';
        int n = snprintf(path, sizeof path, "%s%s%s/%s", root, controller, at, file);
        uint64_t limit = n > 0 && n < (int)sizeof path ? read_limit(path) : UINT64_MAX;
        min = limit < min ? limit : min;
        char *slash = strrchr(at, '/');
        if (!slash)
            return min;
        *slash = '\0';
    }
}

/* Is word one of the words of a comma-separated list of len bytes? */
static bool in_list(const char *list, size_t len, const char *word)
{
    size_t word_len = strlen(word);
    for (size_t at = 0; at < len;) {
        size_t n = 0;
        while (at + n < len && list[at + n] != ',')
            n++;
        if (n == word_len && memcmp(list + at, word, n) == 0)
            return true;
        at += n + 1;
    }
    return false;
}

uint64_t cli__cgroup_limit(const char *groups, const char *root)
{
    char line[PATH_MAX + 128];
    uint64_t min = UINT64_MAX;
    FILE *f = fopen(groups, "r");
    if (!f)
        return min;
    while (fgets(line, sizeof line, f)) { /* ID:CONTROLLERS:PATH, no controllers for version 2 */
        line[strcspn(line, "\n")] = '\0';
        char *controllers = strchr(line, ':');
        char *group = controllers ? strchr(controllers + 1, ':') : NULL;
        uint64_t limit = UINT64_MAX;
        if (!group)
            continue;
        size_t len = (size_t)(group - controllers) - 1;
        if (len == 0)
            limit = group_limit(root, "", group + 1, "memory.max");
        else if (in_list(controllers + 1, len, "memory"))
            limit = group_limit(root, "/memory", group + 1, "memory.limit_in_bytes");
        min = limit < min ? limit : min;
    }
    fclose(f);
    return min;
}

/* The limit of ulimit -v, or what a program has everywhere with 32 bits; in bytes.  UINT64_MAX: none. */
static uint64_t address_limit(void)
{
    struct rlimit rl;
    uint64_t all = sizeof(void *) < 8 ? UINT64_C(1) << 31 : UINT64_MAX;
    return getrlimit(RLIMIT_AS, &rl) == 0 && rl.rlim_cur != RLIM_INFINITY && rl.rlim_cur < all ? rl.rlim_cur : all;
}

void cli__fit_address_space(void)
{
#if HAVE_DECL_M_ARENA_MAX
    uint64_t limit = address_limit();
    if (limit / ARENA_SHARE < MAX_THREADS)
        mallopt(M_ARENA_MAX, limit < ARENA_SHARE ? 1 : (int)(limit / ARENA_SHARE));
#endif
}

uint64_t cli__default_memory(void)
{
    uint64_t memory = cli__cgroup_limit("/proc/self/cgroup", "/sys/fs/cgroup"), limit = address_limit();
    if (limit < memory)
        memory = limit;
    uint64_t physical = UINT64_C(1) << 30;
#ifdef _SC_PHYS_PAGES
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    if (pages > 0 && page > 0)
        physical = (uint64_t)pages * (uint64_t)page;
#endif
    if (physical < memory)
        memory = physical;
    memory /= 4;
    return memory < (16 << 20) ? 16 << 20 : memory;
}

const char *cli__default_temp_dir(void)
{
    const char *dir = getenv("TMPDIR");
    return dir && *dir ? dir : "/var/tmp";
}
