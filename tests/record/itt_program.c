/* SPDX-License-Identifier: MIT */
/*
 * A program that is instrumented by ITT: it has what the static part of ITT has of a collector's view, a list of
 * functions that the collector fills.  Its argument says what it does; see main.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct id {
    unsigned long long d1, d2, d3;
};
struct domain {
    int flags;
    const char *name;
    void *wide;
    int extra1;
    void *extra2;
    struct domain *next;
};
struct handle {
    const char *name;
    void *wide;
    int extra1;
    void *extra2;
    struct handle *next;
};

static void (*task_begin)(const struct domain *, struct id, struct id, struct handle *);
static void (*task_end)(const struct domain *);
static void (*overlapped_begin)(const struct domain *, struct id, struct id, struct handle *);
static void (*overlapped_end)(const struct domain *, struct id);
static void (*region_begin)(const struct domain *, struct id, struct id, struct handle *);
static void (*region_end)(const struct domain *, struct id);
static void (*frame_begin)(const struct domain *, struct id *);
static void (*frame_end)(const struct domain *, struct id *);
static void (*frame_submit)(const struct domain *, struct id *, unsigned long long, unsigned long long);
static unsigned long long (*get_timestamp)(void);
static void (*marker)(const struct domain *, struct id, struct handle *, int);
static void (*metadata_add)(const struct domain *, struct id, struct handle *, int, size_t, void *);
static void (*metadata_str_add)(const struct domain *, struct id, struct handle *, const char *, size_t);
static void (*relation_add_to_current)(const struct domain *, int, struct id);
static void *(*counter_create_typed)(const char *, const char *, int);
static void (*counter_set_value)(void *, void *);
static void (*counter_inc_delta_v3)(const struct domain *, struct handle *, unsigned long long);
static int (*event_create)(const char *, int);
static int (*event_start)(int);
static int (*event_end)(int);
static void (*pause_all)(void);
static void (*resume_all)(void);
static void (*thread_set_name)(const char *);
static void (*sync_acquired)(void *);

static void nothing(void)
{
}

static struct function {
    const char *name;
    void **function;
    void *first, *nothing;
    int group;
} functions[] = {
#define F(name, variable, group) { "__itt_" name, (void **)&variable, NULL, (void *)(uintptr_t)nothing, group }
    F("task_begin", task_begin, 1 << 12),
    F("task_end", task_end, 1 << 12),
    F("task_begin_overlapped", overlapped_begin, 1 << 12),
    F("task_end_overlapped", overlapped_end, 1 << 12),
    F("region_begin", region_begin, 1 << 12),
    F("region_end", region_end, 1 << 12),
    F("frame_begin_v3", frame_begin, 1 << 9),
    F("frame_end_v3", frame_end, 1 << 9),
    F("frame_submit_v3", frame_submit, 1 << 9),
    F("get_timestamp", get_timestamp, 1 << 12),
    F("marker", marker, 1 << 12),
    F("metadata_add", metadata_add, 1 << 12),
    F("metadata_str_add", metadata_str_add, 1 << 12),
    F("relation_add_to_current", relation_add_to_current, 1 << 12),
    F("counter_create_typed", counter_create_typed, 1 << 8),
    F("counter_set_value", counter_set_value, 1 << 8),
    F("counter_inc_delta_v3", counter_inc_delta_v3, 1 << 8),
    F("event_create", event_create, 1 << 2),
    F("event_start", event_start, 1 << 2),
    F("event_end", event_end, 1 << 2),
    F("pause", pause_all, 1 << 1),
    F("resume", resume_all, 1 << 1),
    F("thread_set_name", thread_set_name, 1 << 2),
    F("sync_acquired", sync_acquired, 1 << 5),
    { NULL, NULL, NULL, NULL, 0 },
};

static struct {
    unsigned char magic[8];
    unsigned long version[3];
    volatile long state[3];
    pthread_mutex_t mutex;
    void *library, *error_handler;
    const char **path;
    struct function *functions;
} global = { .mutex = PTHREAD_MUTEX_INITIALIZER, .functions = functions };

static struct domain app = { .flags = 1, .name = "app" }, off = { .flags = 0, .name = "off" };
static const struct id none;

/* As the static part does it.  False: no collector is named. */
static int load(void)
{
    const char *path = getenv("INTEL_LIBITTNOTIFY64");
    void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
    void (*init)(void *, int) = NULL;
    if (!library)
        return 0;
    *(void **)&init = dlsym(library, "__itt_api_init");
    if (init)
        init(&global, -1);
    return init != NULL;
}

static void wait_us(long us)
{
    nanosleep(&(struct timespec){ 0, us * 1000 }, NULL);
}

static void task(const struct domain *d, const char *name)
{
    static struct handle handles[8];
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    size_t i = 0;
    pthread_mutex_lock(&lock);
    while (handles[i].name && strcmp(handles[i].name, name) != 0)
        i++;
    if (!handles[i].name)
        handles[i].name = name;
    pthread_mutex_unlock(&lock);
    task_begin(d, none, none, &handles[i]);
}

/* One of everything. */
static void all(void)
{
    static struct handle key_size = { .name = "size" }, key_shape = { .name = "shape" }, key_note = { .name = "note" },
                         inner = { .name = "inner" }, lap = { .name = "lap" }, part = { .name = "part" },
                         mark = { .name = "mark" }, sent = { .name = "sent" }, late = { .name = "late" };
    static struct domain ccl = { .flags = 1, .name = "oneCCL::2021" };
    unsigned long long size = 42;
    int shape[] = { 2, -3 };
    double level = 2.5;
    struct id one = { 16, 1, 0 }, two = { 16, 2, 0 }, frame = { 5, 0, 0 };
    thread_set_name("main thread");
    task(&app, "outer");
    metadata_add(&app, none, &key_size, 1, 1, &size);
    metadata_add(&app, none, &key_shape, 4, 2, shape);
    metadata_str_add(&app, none, &key_note, "a note", 0);
    task_begin(&app, one, two, &inner);
    relation_add_to_current(&app, 1, two);
    marker(&app, none, &mark, 1);
    metadata_add(&app, one, &key_size, 1, 1, &size);
    task(&off, "switched off");
    task_end(&off);
    task_end(&app);
    overlapped_begin(&app, one, none, &lap);
    overlapped_begin(&app, two, one, &lap);
    metadata_str_add(&app, two, &key_note, "late", 4);
    overlapped_end(&app, one);
    overlapped_end(&app, two);
    region_begin(&app, one, none, &part);
    region_end(&app, one);
    frame_begin(&app, &frame);
    frame_end(&app, &frame);
    unsigned long long from = get_timestamp();
    frame_submit(&app, NULL, from, from + 1000);
    void *k = counter_create_typed("level", "app", 8);
    counter_set_value(k, &level);
    counter_inc_delta_v3(&app, &sent, 5);
    counter_inc_delta_v3(&app, &sent, 7);
    int event = event_create("an event", 8);
    event_start(event);
    event_end(event);
    sync_acquired(&size);
    task(&ccl, "allreduce");
    task_end(&ccl);
    pause_all();
    task(&app, "while paused");
    metadata_add(&app, none, &key_size, 1, 1, &size);
    task_end(&app);
    task_end(&app); /* outer, which began before */
    resume_all();
    task_begin(&app, none, none, &late);
    task_end(&app);
}

static void *worker(void *arg)
{
    char name[32];
    snprintf(name, sizeof name, "worker %ld", (long)(intptr_t)arg);
    thread_set_name(name);
    for (int i = 0; i < 1000; i++) {
        task(&app, "outer");
        task(&app, "inner");
        task_end(&app);
        task_end(&app);
    }
    return NULL;
}

/* n threads, one after the other or all at once. */
static void threads(int n, int together)
{
    pthread_t t[64];
    for (int i = 0; i < n; i++) {
        pthread_create(&t[i], NULL, worker, (void *)(intptr_t)i);
        if (!together)
            pthread_join(t[i], NULL);
    }
    for (int i = 0; together && i < n; i++)
        pthread_join(t[i], NULL);
}

static void forks(void)
{
    task(&app, "parent");
    for (int i = 0; i < 3; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            task(&app, "child");
            task_end(&app);
            _exit(0);
        }
        waitpid(pid, NULL, 0);
    }
    task_end(&app);
}

static double cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The cost of a task, with what is written, and of reading the clock, in ns of the thread; the best of some rounds. */
static void cost(void)
{
    enum { N = 20000, ROUNDS = 50 };
    static struct handle h = { .name = "task" };
    struct timespec t;
    double best[2] = { 1e9, 1e9 };
    for (int round = 0; round < ROUNDS; round++) {
        double from = cpu_ns();
        for (int i = 0; i < N; i++) {
            task_begin(&app, none, none, &h);
            task_end(&app);
        }
        double between = cpu_ns();
        for (int i = 0; i < N; i++)
            clock_gettime(CLOCK_MONOTONIC, &t);
        double to = cpu_ns();
        best[0] = (between - from) / N < best[0] ? (between - from) / N : best[0];
        best[1] = (to - between) / N < best[1] ? (to - between) / N : best[1];
    }
    printf("task %.1f clock %.1f ratio %.2f\n", best[0], best[1], best[0] / best[1]);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    if (!load()) {
        puts("no collector");
        return 9;
    }
    if (strcmp(what, "all") == 0)
        all();
    else if (strcmp(what, "threads") == 0)
        threads(8, 1);
    else if (strcmp(what, "turns") == 0)
        threads(20, 0);
    else if (strcmp(what, "fork") == 0)
        forks();
    else if (strcmp(what, "cost") == 0)
        cost();
    else if (strcmp(what, "killed") == 0) {
        threads(2, 1);
        for (int i = 0; i < 5000; i++) {
            task(&app, "done");
            task_end(&app);
        }
        task(&app, "never ends");
        raise(SIGKILL);
    } else if (strcmp(what, "exec") == 0) {
        task(&app, "before");
        task_end(&app);
        execl(argv[0], argv[0], "after", (char *)NULL);
    } else if (strcmp(what, "after") == 0) {
        task(&app, "after");
        task_end(&app);
        return 3;
    } else if (strcmp(what, "switch") == 0) { /* by which it is recorded, in three ways */
        static char put[] = "SWITCH=0";
        task(&app, "at the start");
        task_end(&app);
        setenv("SWITCH", "1", 1);
        task(&app, "set");
        task_end(&app);
        putenv(put);
        task(&app, "put");
        task_end(&app);
        setenv("SWITCH", "", 1);
        setenv("OTHER", "0", 1);
        task(&app, "set again");
        task_end(&app);
        unsetenv("SWITCH");
        task(&app, "unset");
        task_end(&app);
    } else if (strcmp(what, "until") == 0) { /* a task each ms, named as a file says, up to end */
        char name[16] = "";
        while (strcmp(name, "end") != 0) {
            FILE *f = fopen(argv[2], "r");
            if (!f || !fgets(name, sizeof name, f))
                name[0] = '\0';
            name[strcspn(name, "\n")] = '\0';
            if (f)
                fclose(f);
            task(&app, strcmp(name, "1") == 0 ? "one" : strcmp(name, "2") == 0 ? "two" : "three");
            wait_us(1000);
            task_end(&app);
        }
    } else if (strcmp(what, "pause") == 0) { /* what it says of pauses */
        pause_all();
        task(&app, "paused");
        task_end(&app);
        resume_all();
        task(&app, "resumed");
        task_end(&app);
    } else if (strcmp(what, "wait") == 0) { /* a task each millisecond, until the time is over */
        for (int i = 0, n = argc > 2 ? atoi(argv[2]) : 100; i < n; i++) {
            task(&app, "tick");
            wait_us(1000);
            task_end(&app);
        }
    } else
        return 8;
    return 0;
}
