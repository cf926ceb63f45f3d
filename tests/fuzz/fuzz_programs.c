/* SPDX-License-Identifier: MIT */
/*
 * A trace read by a program, any of them, with any of their tables or in any format they write: the first byte is the
 * number of the table, the second that of the format, the rest is the trace.  The program ends by itself, within time,
 * with a status that its page knows; when it fails it says why; what it prints as text is valid UTF-8.
 *
 * The programs run as processes of their own.  The fuzzer learns what they do from their status and the size of
 * what they print.  With libFuzzer a trace in JSON is changed as such: values are replaced, events are repeated,
 * removed and change places, so that most of it still is a trace.
 *
 * From outside: TR_BIN, folder of the programs; TR_VIEWS, the list of tables (rules/views.tsv).
 */
#include "fuzz_text.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/wait.h>

#define MAX_VIEWS 256
#define MAX_WORDS 16
#define CPU_SECONDS 30 /* a trace of some kilobytes takes milliseconds, with sanitizers as well */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct command {
    char line[256]; /* program and options, "\t" and " " between them, "~" for a blank */
    bool formats;   /* it has tables: -O goes with it */
};

/* What is no table: streams, and what viewers read. */
static const char *const others[] = {
    "tr-view -O text",   "tr-view -O tsv",      "tr-view -O csv",      "tr-view -O md",
    "tr-view -O json",   "tr-view -O jsonl",    "tr-view -O chrome",   "tr-view -O perfetto",
    "tr-parse",          "tr-parse --no-sort",  "tr-info -O text",     "tr-info -O json",
    "tr-report -O text", "tr-report -O md",     "tr-report -O json",   "tr-merge",
    "tr-align",          "tr-filter dur>0",     "tr-categorize",       "tr-critpath --mark",
    "tr-patterns --mark",  "tr-replay -O json",   "tr-replay -O python",
    "tr-diff --by tree --fail-if diff_us>1s", "tr-diff --by conditions,tree --fail-if total.points>0" };
static const char *const formats[] = { "text", "tsv", "csv", "json", "md" };

static struct command commands[MAX_VIEWS];
static size_t n_commands;

static const char *outside(const char *name)
{
    const char *value = getenv(name);
    if (!value || !*value) {
        fprintf(stderr, "fuzz_programs: %s is not set\n", name);
        exit(1);
    }
    return value;
}

static void read_commands(void)
{
    char line[512];
    FILE *f = fopen(outside("TR_VIEWS"), "r");
    must(f != NULL);
    while (fgets(line, sizeof line, f)) {
        char *tab = strchr(line, '\t'), *end = tab ? strchr(tab + 1, '\t') : NULL;
        if (*line == '#' || !end)
            continue;
        *end = '\0';
        must(n_commands < MAX_VIEWS);
        struct command *c = &commands[n_commands++];
        c->formats = true;
        int n = snprintf(c->line, sizeof c->line, "%s", line);
        must(n > 0 && (size_t)n < sizeof c->line);
    }
    fclose(f);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        must(n_commands < MAX_VIEWS);
        snprintf(commands[n_commands++].line, sizeof commands->line, "%s", others[i]);
    }
}

/* The words of a command, in line, which is changed. */
static size_t split(char *line, char **words)
{
    size_t n = 0;
    for (char *w = strtok(line, " \t"); w; w = strtok(NULL, " \t")) {
        must(n < MAX_WORDS - 8);
        if (!strcmp(w, "-"))
            continue;
        for (char *p = w; *p; p++)
            if (*p == '~')
                *p = ' ';
        words[n++] = w;
    }
    return n;
}

/* Start the program in a child, with its output in two files; its status as wait() says it. */
static int run_program(char **words, int out, int err)
{
    char path[600];
    int status;
    snprintf(path, sizeof path, "%s/%s", outside("TR_BIN"), words[0]);
    pid_t pid = fork();
    must(pid >= 0);
    if (pid == 0) {
        const struct rlimit cpu = { CPU_SECONDS, CPU_SECONDS + 5 };
        int in = open("/dev/null", O_RDONLY);
        setrlimit(RLIMIT_CPU, &cpu);
        for (int s = 1; s < 32; s++)
            signal(s, SIG_DFL);
        setenv("ASAN_OPTIONS", "abort_on_error=1:detect_leaks=1:allocator_may_return_null=1", 1);
        setenv("UBSAN_OPTIONS", "abort_on_error=1:print_stacktrace=1", 1);
        if (in >= 0 && dup2(in, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0)
            execv(path, words);
        _exit(127);
    }
    while (waitpid(pid, &status, 0) < 0)
        ;
    return status;
}

static char part_name[200]; /* of the file that part_of uses */

static void remove_part(void)
{
    unlink(part_name);
}

/* The lines of a trace, but those of its middle third: the second operand of tr-diff, so that its runs differ. */
static const char *part_of(const uint8_t *data, size_t size)
{
    static FILE *f;
    size_t from = size / 3, to = size - size / 3;
    if (!f) {
        const char *dir = getenv("TMPDIR");
        snprintf(part_name, sizeof part_name, "%s/tr-fuzz.XXXXXX", dir && *dir ? dir : "/tmp");
        int fd = mkstemp(part_name);
        must(fd >= 0 && (f = fdopen(fd, "w")) != NULL && atexit(remove_part) == 0);
    }
    while (from > 0 && data[from - 1] != '\n')
        from--;
    while (to > 0 && to < size && data[to - 1] != '\n')
        to++;
    rewind(f);
    must(ftruncate(fileno(f), 0) == 0);
    must(fwrite(data, 1, from, f) == from && fwrite(data + to, 1, size - to, f) == size - to && fflush(f) == 0);
    return part_name;
}

/* A file without a name, empty. */
static int empty_file(int fd)
{
    if (fd < 0) {
        FILE *f = tmpfile();
        must(f != NULL);
        fd = fileno(f);
    }
    must(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
    return fd;
}

static uint8_t *content(int fd, size_t *n)
{
    off_t len = lseek(fd, 0, SEEK_END);
    must(len >= 0);
    uint8_t *p = malloc((size_t)len + 1);
    must(p && pread(fd, p, (size_t)len, 0) == (ssize_t)len);
    p[len] = '\0';
    *n = (size_t)len;
    return p;
}

/* RFC 3629: no surrogates, nothing longer than it must be, nothing past U+10FFFF. */
static bool is_utf8(const uint8_t *p, size_t n)
{
    for (size_t i = 0; i < n;) {
        size_t more = p[i] < 0x80 ? 0 : p[i] < 0xc2 ? 9 : p[i] < 0xe0 ? 1 : p[i] < 0xf0 ? 2 : p[i] < 0xf5 ? 3 : 9;
        if (more > n - i - 1)
            return false;
        for (size_t k = 1; k <= more; k++)
            if ((p[i + k] & 0xc0) != 0x80)
                return false;
        if ((p[i] == 0xe0 && p[i + 1] < 0xa0) || (p[i] == 0xed && p[i + 1] > 0x9f) ||
            (p[i] == 0xf0 && p[i + 1] < 0x90) || (p[i] == 0xf4 && p[i + 1] > 0x8f))
            return false;
        i += more + 1;
    }
    return true;
}

#ifdef TR_FUZZER
/* libFuzzer takes these for counters of code that ran. */
__attribute__((section("__libfuzzer_extra_counters"))) static uint8_t seen[MAX_VIEWS * 5 * 32];
#endif

static void count_result(size_t command, int status, size_t n)
{
#ifdef TR_FUZZER
    size_t bits = 0;
    while (n >> bits && bits < 31)
        bits++;
    seen[(command * 5 + (size_t)status) * 32 + bits] = 1;
#else
    (void)command;
    (void)status;
    (void)n;
#endif
}

static void fail(char **words, const char *why, const char *message)
{
    fprintf(stderr, "fuzz_programs:");
    for (; *words; words++)
        fprintf(stderr, " %s", *words);
    fprintf(stderr, ": %s\n%s", why, message);
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int out = -1, err = -1;
    char line[256], *words[MAX_WORDS] = { NULL };
    size_t n_out, n_err;
    if (!n_commands)
        read_commands();
    if (size < 2)
        return 0;
    size_t number = data[0] % n_commands;
    const struct command *c = &commands[number];
    memcpy(line, c->line, sizeof line);
    size_t n = split(line, words);
    char *path = (char *)text_file(data + 2, size - 2);
    if (c->formats) {
        words[n++] = "-O";
        words[n++] = (char *)formats[data[1] % (sizeof formats / sizeof *formats)];
    }
    words[n++] = "-j1";
    words[n++] = "-M64M";
    words[n++] = path;
    if (!strcmp(words[0], "tr-diff"))
        words[n++] = (char *)part_of(data + 2, size - 2);
    out = empty_file(out);
    err = empty_file(err);
    int status = run_program(words, out, err);
    uint8_t *printed = content(out, &n_out), *message = content(err, &n_err);
    if (!WIFEXITED(status))
        fail(words, WTERMSIG(status) == SIGXCPU ? "no end in time" : "ended by a signal", (char *)message);
    if (WEXITSTATUS(status) > 4)
        fail(words, "a status that no page knows", (char *)message);
    if (WEXITSTATUS(status) > 1 && !n_err)
        fail(words, "failed without a reason", "");
    if (!is_utf8(message, n_err))
        fail(words, "a message that is not UTF-8", (char *)message);
    if ((c->formats || strstr(c->line, "-O")) && !strstr(c->line, "perfetto") && !is_utf8(printed, n_out))
        fail(words, "output that is not UTF-8", (char *)message);
    count_result(number, WEXITSTATUS(status), n_out);
    free(printed);
    free(message);
    return 0;
}

#ifdef TR_FUZZER
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

static unsigned draw(unsigned *seed, size_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (unsigned)((*seed >> 8) % below);
}

/* Replace n bytes at `at` by others, if they fit. */
static size_t replace(uint8_t *data, size_t size, size_t max, size_t at, size_t n, const void *by, size_t n_by)
{
    if (size - n + n_by > max)
        return size;
    memmove(data + at + n_by, data + at + n, size - at - n);
    if (n_by)
        memcpy(data + at, by, n_by);
    return size - n + n_by;
}

/* A value, from after a colon to a comma or a bracket. */
static size_t change_value(uint8_t *data, size_t size, size_t max, unsigned *seed)
{
    static const char *const values[] = {
        "0", "-1", "1", "7", "0.001", "100", "100.5", "1e308", "-1e308", "9223372036854775807", "-9223372036854775808",
        "18446744073709551615", "9223372036854775.807", "1e-9", "null", "true", "\"\"", "\"7\"", "[]", "{}", "\"X\"",
        "\"B\"", "\"E\"", "\"i\"", "\"C\"", "\"s\"", "\"f\"", "\"b\"", "\"M\"", "\"kernel\"", "\"cuda_runtime\"",
        "\"cpu_op\"", "\"gpu_memcpy\"", "\"user_annotation\"", "\"ProfilerStep#1\"", "\"ncclDevKernel_AllReduce\"",
        "\"cudaGraphLaunch\"", "\"[memory]\"", "\"a\\u0000\\u202e\\tb\"", "\"\xc2\x9b=1\"", "[1,[2,\"x\"]]" };
    size_t at = draw(seed, size), end;
    while (at < size && data[at] != ':')
        at++;
    if (at++ >= size)
        return size;
    for (end = at; end < size && !strchr(",}]\n", data[end]);)
        end++;
    const char *v = values[draw(seed, sizeof values / sizeof *values)];
    return replace(data, size, max, at, end - at, v, strlen(v));
}

/* Lines are events in the traces of the corpus: one is removed, or comes once more elsewhere. */
static size_t move_line(uint8_t *data, size_t size, size_t max, unsigned *seed)
{
    uint8_t copy[2048];
    size_t at = draw(seed, size), end, to = draw(seed, size);
    while (at > 2 && data[at - 1] != '\n')
        at--;
    for (end = at; end < size && data[end] != '\n';)
        end++;
    if (at < 2 || end >= size || end - at + 1 > sizeof copy)
        return size;
    size_t n = end + 1 - at;
    memcpy(copy, data + at, n);
    if (draw(seed, 3) == 0)
        return replace(data, size, max, at, n, NULL, 0);
    while (to > 2 && data[to - 1] != '\n')
        to--;
    return to < 2 ? size : replace(data, size, max, to, 0, copy, n);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    if (size < 3)
        return LLVMFuzzerMutate(data, size, max);
    data[0] = (uint8_t)draw(&seed, 256);
    data[1] = (uint8_t)draw(&seed, 256);
    if (draw(&seed, 16) == 0)
        return 2 + LLVMFuzzerMutate(data + 2, size - 2, max - 2);
    for (unsigned k = 1 + draw(&seed, 8); k > 0 && size > 2; k--)
        size = draw(&seed, 3) ? change_value(data, size, max, &seed) : move_line(data, size, max, &seed);
    return size;
}
#endif
