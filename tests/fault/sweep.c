/* SPDX-License-Identifier: MIT */
/*
 * Run a program again and again, each time with another call failing, and judge how it takes it.
 *
 * usage: sweep [-a ALL] [-g GROWTH] [-i STDIN] [-o TARGET [-b BEFORE]] LIBRARY FAULT[=ERRNO]... -- PROGRAM ARGUMENT...
 *
 * FAULT is a kind of inject.h, with `+' if all later calls fail, too; or short=N, eintr, signal=NUMBER.
 * The calls 1 to ALL are taken one by one, of the others every n + n / GROWTH.  In the current folder,
 * `tmp' becomes $TMPDIR; it and the folder of TARGET have to hold what they held before.  Before each run, TARGET is a
 * copy of the file BEFORE, or a line of text.
 *
 * A run is good if its status is 0 and its output that of a run without fault, or, where a call failed, its
 * status is 4, one line on standard error starts with the program's name and ends with the reason, and
 * TARGET is as it was.  Prints what is wrong, and for each fault the line "FAULT calls runs noticed".
 */
#include "fault/inject.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define MAX_SHOWN 3   /* of what is wrong with a fault */
#define PATIENCE  120 /* s; a program that takes longer hangs */

struct text {
    char *bytes;
    size_t len;
};

struct run {
    int status; /* of wait */
    struct text out, err, target;
};

struct sweep {
    unsigned long all, growth;
    const char *library, *input, *target, *name;
    char **argv;
    struct text before; /* of TARGET */
    struct report *report;
    struct run good;
    unsigned long n_runs, n_noticed, n_wrong;
};

struct fault {
    char kind[16]; /* without the `+' */
    bool lasting;
    int value;
    enum fault_kind counted; /* FAULT_NONE: no such calls */
};

static void die(const char *what)
{
    perror(what);
    exit(99);
}

static struct text slurp(const char *path)
{
    struct text t = { NULL, 0 };
    FILE *f = fopen(path, "r");
    if (!f)
        return t;
    for (size_t cap = 0, n = 1; n > 0; t.len += n) {
        if (cap - t.len < 65536 && !(t.bytes = realloc(t.bytes, cap = 2 * cap + 65536)))
            die(path);
        n = fread(t.bytes + t.len, 1, cap - t.len - 1, f);
    }
    t.bytes[t.len] = '\0';
    fclose(f);
    return t;
}

static bool same(const struct text *a, const struct text *b)
{
    return a->len == b->len && (a->len == 0 || memcmp(a->bytes, b->bytes, a->len) == 0);
}

static void put(const char *path, const struct text *t)
{
    FILE *f = fopen(path, "w");
    if (!f || fwrite(t->bytes, 1, t->len, f) != t->len || fclose(f) != 0)
        die(path);
}

/* How many files are in a folder; what is there beside `but' is removed, and its name printed. */
static unsigned clean(const char *dir, const char *but)
{
    unsigned n = 0;
    DIR *d = opendir(dir);
    if (!d)
        die(dir);
    for (struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.' && (!e->d_name[1] || strcmp(e->d_name, "..") == 0))
            continue;
        if (but && strcmp(e->d_name, but) == 0)
            continue;
        printf("%s/%s is left behind\n", dir, e->d_name);
        unlinkat(dirfd(d), e->d_name, 0);
        n++;
    }
    closedir(d);
    return n;
}

static void redirect(const char *path, int flags, int fd)
{
    int opened = open(path, flags, 0600);
    if (opened < 0 || dup2(opened, fd) < 0)
        die(path);
    close(opened);
}

static void run_free(struct run *r)
{
    free(r->out.bytes);
    free(r->err.bytes);
    free(r->target.bytes);
}

static struct run run_with(const struct sweep *s, const char *fault)
{
    struct run r = { 0 };
    if (s->target)
        put(s->target, &s->before);
    s->report->fired = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child < 0)
        die("fork");
    if (child == 0) {
        redirect(s->input ? s->input : "/dev/null", O_RDONLY, 0);
        redirect("sweep.out", O_WRONLY | O_CREAT | O_TRUNC, 1);
        redirect("sweep.err", O_WRONLY | O_CREAT | O_TRUNC, 2);
        setenv("TR_FAULT", fault, 1);
        setenv("TR_FAULT_REPORT", "sweep.report", 1);
        setenv("LD_PRELOAD", s->library, 1);
        alarm(PATIENCE);
        execvp(s->argv[0], s->argv);
        _exit(127);
    }
    while (waitpid(child, &r.status, 0) < 0)
        if (errno != EINTR)
            die("waitpid");
    r.out = slurp("sweep.out");
    r.err = slurp("sweep.err");
    if (s->target)
        r.target = slurp(s->target);
    return r;
}

static bool is_one_line(const struct sweep *s, const struct text *err, const char *reason)
{
    size_t n = strlen(s->name);
    return err->len > n + 1 && strncmp(err->bytes, s->name, n) == 0 && err->bytes[n] == ':' &&
           strchr(err->bytes, '\n') == err->bytes + err->len - 1 && strstr(err->bytes, reason);
}

/* What is wrong with a run; NULL: nothing. */
static const char *judge(struct sweep *s, const struct fault *f, const struct run *r)
{
    bool whole = same(&r->target, &s->good.target), untouched = same(&r->target, &s->before);
    bool signalled = strcmp(f->kind, "signal") == 0;

    if (WIFSIGNALED(r->status)) {
        if (!signalled || WTERMSIG(r->status) != f->value)
            return WTERMSIG(r->status) == SIGALRM ? "it hangs" : "ended by a signal";
        s->n_noticed++;
        return s->target && !whole && !untouched ? "half an output file" : NULL;
    }
    if (WEXITSTATUS(r->status) == 0) {
        if (!whole || !same(&r->out, &s->good.out))
            return "status 0, but other output";
        return same(&r->err, &s->good.err) ? NULL : "status 0, but a message";
    }
    if (f->counted == FAULT_NONE)
        return "not status 0";
    if (WEXITSTATUS(r->status) != 4)
        return "neither status 0 nor 4";
    s->n_noticed++;
    if (!s->report->fired)
        return "fails without a fault";
    if (s->target && !untouched)
        return "the output file is not as it was";
    if (f->counted == FAULT_ALLOC && is_one_line(s, &r->err, strerror(EAGAIN)))
        return NULL; /* it failed in pthread_create */
    return is_one_line(s, &r->err, strerror(f->value)) ? NULL : "not one line with the reason";
}

/* One run, judged.  False: the fault came too late. */
static bool try_one(struct sweep *s, const struct fault *f, unsigned long n)
{
    char text[64];
    snprintf(text, sizeof text, "%s%s %lu %d", f->kind, f->lasting ? "+" : "", n, f->value);
    struct run r = run_with(s, text);
    unsigned left = 0;
    const char *wrong = judge(s, f, &r);
    bool fired = s->report->fired;
    s->n_runs++;
    if (s->target) {
        char *slash = strrchr(s->target, '/');
        char *dir = strndup(s->target, (size_t)(slash - s->target));
        left += clean(dir, slash + 1);
        free(dir);
    }
    left += clean("tmp", NULL);
    if (left)
        wrong = "files are left behind";
    if (wrong && s->n_wrong++ < MAX_SHOWN)
        printf("%s: %s: status %d, signal %d: %.4000s\n", text, wrong,
               WIFEXITED(r.status) ? WEXITSTATUS(r.status) : -1,
               WIFSIGNALED(r.status) ? WTERMSIG(r.status) : 0, r.err.bytes ? r.err.bytes : "");
    run_free(&r);
    return fired;
}

static struct fault read_fault(const char *text)
{
    static const char *const names[] = FAULT_NAMES;
    static const int values[] = { 0,      ENOMEM, EMFILE, EIO,    ENOSPC, EIO,
                                  EACCES, EPERM,  EIO,    ENOSPC, ENOMEM, EAGAIN };
    struct fault f = { .value = 0 };
    size_t len = strcspn(text, "+=");
    snprintf(f.kind, sizeof f.kind, "%.*s", (int)len, text);
    for (int k = 1; k < FAULT_KINDS; k++)
        if (strcmp(f.kind, names[k]) == 0) {
            f.counted = (enum fault_kind)k;
            f.value = values[k];
        }
    f.lasting = text[len] == '+';
    const char *value = strchr(text, '=');
    if (value)
        f.value = atoi(value + 1);
    return f;
}

static void sweep(struct sweep *s, const char *text, const unsigned long *calls)
{
    struct fault f = read_fault(text);
    unsigned long n_calls = calls[f.counted];
    bool once = f.counted == FAULT_NONE && strcmp(f.kind, "signal") != 0;
    s->n_runs = s->n_noticed = s->n_wrong = 0;
    if (once)
        try_one(s, &f, 0);
    else if (n_calls > 0)
        for (unsigned long n = 1; try_one(s, &f, n); n += 1 + (n > s->all ? n / s->growth : 0))
            continue;
    if (s->n_wrong > MAX_SHOWN)
        printf("%s: %lu more\n", text, s->n_wrong - MAX_SHOWN);
    printf("= %s %lu %lu %lu\n", text, n_calls, s->n_runs, s->n_noticed);
}

static void map_report(struct sweep *s)
{
    int fd = open("sweep.report", O_RDWR | O_CREAT | O_TRUNC, 0600);
    if (fd < 0 || ftruncate(fd, sizeof *s->report) != 0)
        die("sweep.report");
    s->report = mmap(NULL, sizeof *s->report, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (s->report == MAP_FAILED)
        die("mmap");
    close(fd);
}

int main(int argc, char **argv)
{
    struct sweep s = { .all = 16, .growth = 8 };
    const char *before = NULL;
    int option, first, last;
    while ((option = getopt(argc, argv, "+a:b:g:i:o:")) != -1)
        switch (option) {
        case 'a':
            s.all = strtoul(optarg, NULL, 10);
            break;
        case 'b':
            before = optarg;
            break;
        case 'g':
            s.growth = strtoul(optarg, NULL, 10);
            break;
        case 'i':
            s.input = optarg;
            break;
        case 'o':
            s.target = optarg;
            break;
        default:
            return 99;
        }
    s.library = argv[optind];
    first = last = optind + 1;
    while (last < argc && strcmp(argv[last], "--") != 0)
        last++;
    if (last + 1 >= argc || s.growth == 0 || (s.target && !strchr(s.target, '/')))
        return 99;
    s.argv = argv + last + 1;
    s.name = strrchr(s.argv[0], '/') ? strrchr(s.argv[0], '/') + 1 : s.argv[0];
    s.before = before ? slurp(before) : (struct text){ strdup("what stood there\n"), 17 };
    if (!s.before.bytes)
        die(before ? before : "strdup");
    map_report(&s);
    char *here = getcwd(NULL, 0), tmp[4096];
    snprintf(tmp, sizeof tmp, "%s/tmp", here ? here : ".");
    setenv("TMPDIR", tmp, 1);
    free(here);
    s.good = run_with(&s, "none 0 0");
    if (s.good.status != 0) {
        printf("without a fault: status %#x: %s\n", (unsigned)s.good.status, s.good.err.bytes);
        return 1;
    }
    unsigned long calls[FAULT_KINDS];
    memcpy(calls, s.report->calls, sizeof calls);
    for (; first < last; first++)
        sweep(&s, argv[first], calls);
    run_free(&s.good);
    free(s.before.bytes);
    return 0;
}
