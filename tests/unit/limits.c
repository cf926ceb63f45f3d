/* SPDX-License-Identifier: MIT */
/* Memory limits of control groups, versions 1 and 2, from folders that the test makes. */
#include "cli/cli_priv.h"

#include "harness/tap.h"

#include <limits.h>
#include <sys/stat.h>

static char top[256];

static void put(const char *name, const char *text)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", top, name);
    for (char *p = path + strlen(top) + 1; (p = strchr(p, '/')) != NULL; p++) {
        *p = '\0';
        mkdir(path, 0700);
        *p = '/';
    }
    FILE *f = fopen(path, "w");
    CHECK(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static uint64_t limit(void)
{
    char groups[PATH_MAX], root[PATH_MAX];
    snprintf(groups, sizeof groups, "%s/groups", top);
    snprintf(root, sizeof root, "%s/fs", top);
    return cli__cgroup_limit(groups, root);
}

static void start(void)
{
    const char *dir = getenv("TMPDIR");
    snprintf(top, sizeof top, "%s/tr-limits.XXXXXX", dir && *dir ? dir : "/tmp");
    CHECK(mkdtemp(top) != NULL);
}

static void end(void)
{
    char command[PATH_MAX];
    snprintf(command, sizeof command, "rm -rf '%s'", top);
    CHECK(system(command) == 0);
}

static void test_version_2(void)
{
    start();
    put("groups", "0::/slice/job\n");
    put("fs/slice/job/memory.max", "3000\n");
    put("fs/slice/memory.max", "max\n");
    CHECK(limit() == 3000);
    put("fs/slice/memory.max", "2000\n"); /* a group above sets less */
    CHECK(limit() == 2000);
    end();
}

static void test_version_1(void)
{
    start();
    put("groups", "9:cpu,cpuacct:/x\n5:hugetlb,memory:/batch/7\n0::/\n");
    put("fs/memory/batch/7/memory.limit_in_bytes", "5000\n");
    put("fs/memory/memory.limit_in_bytes", "9223372036854771712\n");
    CHECK(limit() == 5000);
    end();
}

static void test_container(void)
{
    start();
    put("groups", "0::/names/that/exist/outside/only\n");
    put("fs/memory.max", "7000\n");
    CHECK(limit() == 7000);
    end();
}

static void test_none(void)
{
    start();
    CHECK(limit() == UINT64_MAX); /* no such system */
    put("groups", "0::/\ngarbage\n4:memory\n");
    CHECK(limit() == UINT64_MAX);
    put("fs/memory.max", "12x\n");
    CHECK(limit() == UINT64_MAX);
    end();
}

static void test_defaults(void)
{
    CHECK(cli__default_threads() >= 1);
    CHECK(cli__default_memory() >= 16 << 20);
    CHECK(cli__default_memory() <= SIZE_MAX / 8 + 1); /* with 32 bits: a quarter of the 2 GiB that every system gives */
    setenv("TMPDIR", "/somewhere", 1);
    CHECK_STR(cli__default_temp_dir(), "/somewhere");
    setenv("TMPDIR", "", 1);
    CHECK_STR(cli__default_temp_dir(), "/var/tmp");
}

static const struct tap_test tests[] = {
    { "version 2: the least of a group and those above", test_version_2 },
    { "version 1: the memory controller", test_version_1 },
    { "in a container: the top folder", test_container },
    { "no limit", test_none },
    { "defaults", test_defaults },
};

int main(void)
{
    return tap_run(tests, sizeof tests / sizeof tests[0]);
}
