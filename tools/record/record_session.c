/* SPDX-License-Identifier: MIT */
/* tr-record: the folder of a session, and the environment of its command. */
#include "record/record.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LIBRARY "libtrcapture.so"

/* ---- the recorder ---- */

/* Beside the programs as they are installed, or built; else where it was to be installed. */
static bool find_library(char *path, size_t n)
{
    static const char *const places[] = { "../lib/tracepipe/", "../contrib/.libs/", "../../contrib/.libs/" };
    char self[PATH_MAX];
    ssize_t len = readlink("/proc/self/exe", self, sizeof self - 1);
    self[len > 0 ? len : 0] = '\0';
    char *slash = strrchr(self, '/');
    for (size_t i = 0; slash && i < sizeof places / sizeof *places; i++) {
        slash[1] = '\0';
        if (snprintf(path, n, "%s%s" LIBRARY, self, places[i]) < (int)n && access(path, R_OK) == 0)
            return true;
    }
    return snprintf(path, n, "%s/" LIBRARY, TR_PKGLIBDIR) < (int)n && access(path, R_OK) == 0;
}

/* Add the library to a list of libraries that a variable has, as the first or the last one. */
static bool add_to_list(const char *variable, const char *library, bool first)
{
    const char *old = getenv(variable);
    struct tr_buf b = { 0 };
    bool more = old && *old;
    bool ok = tr_buf_print(&b, more ? "%s:%s" : "%s", more && !first ? old : library, first ? old : library);
    ok = ok && setenv(variable, tr_buf_text(&b), 1) == 0;
    tr_buf_free(&b);
    return ok;
}

/* Functions of the library are found before those of others; the last layer of OpenCL is the first to be called. */
static bool load_library(const char *library)
{
    return add_to_list("LD_PRELOAD", library, true) && add_to_list("OPENCL_LAYERS", library, false);
}

/* ---- the clock ---- */

/* TR_RECORD_CLOCK: for all processes of this machine one time 0, as the two clocks drift apart. */
static bool set_clock(void)
{
    struct timespec real, mono;
    char host[256] = "", text[300];
    clock_gettime(CLOCK_MONOTONIC, &mono);
    clock_gettime(CLOCK_REALTIME, &real);
    int64_t zero = ((int64_t)real.tv_sec - (int64_t)mono.tv_sec) * 1000000000 + real.tv_nsec - mono.tv_nsec;
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    snprintf(text, sizeof text, "%s:%lld", host, (long long)zero);
    return setenv("TR_RECORD_CLOCK", text, 1) == 0;
}

/* ---- the folder ---- */

static bool is_empty(const char *path)
{
    DIR *d = opendir(path);
    bool empty = d != NULL;
    for (struct dirent *e; empty && (e = readdir(d));)
        empty = strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0;
    if (d)
        closedir(d);
    return empty;
}

enum tr_status record_empty_folder(const char *path, struct tr_error *err)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return tr_fail_sys(err, errno, "cannot make '%.400s'", path);
    return is_empty(path) ? TR_OK : tr_fail(err, TR_USAGE, "'%.400s' is not an empty folder", path);
}

static enum tr_status make_folder(struct record_session *s, struct cli *cli, const char *folder, struct tr_error *err)
{
    char path[sizeof s->path];
    bool fits = folder ? snprintf(path, sizeof path, "%s", folder) < (int)sizeof path
                       : snprintf(path, sizeof path, "%s/tr-record-XXXXXX", cli_temp_dir(cli)) < (int)sizeof path;
    if (!fits)
        return tr_fail(err, TR_USAGE, "the name of the folder is too long");
    enum tr_status st = folder          ? record_empty_folder(path, err)
                        : mkdtemp(path) ? TR_OK
                                        : tr_fail_sys(err, errno, "cannot make '%.400s'", path);
    if (st != TR_OK)
        return st;
    char *full = realpath(path, NULL); /* programs may change theirs */
    if (!full || strlen(full) >= sizeof s->path) {
        free(full);
        return tr_fail_sys(err, full ? ENAMETOOLONG : errno, "cannot find '%.400s'", path);
    }
    strcpy(s->path, full);
    s->temporary = folder == NULL;
    free(full);
    return TR_OK;
}

static enum tr_status make_control(struct record_session *s, const struct record *o, struct tr_error *err)
{
    const struct tr_rec_control control = { .turn = o->paused || o->after, .is_alone = o->name != NULL };
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/" TR_REC_CONTROL, s->path);
    int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    bool ok = fd >= 0 && write(fd, &control, sizeof control) == (ssize_t)sizeof control;
    void *p = ok ? mmap(NULL, sizeof control, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
    int why = errno;
    s->lock = fd;
    if (p == MAP_FAILED)
        return tr_fail_sys(err, why, "cannot write '%.400s'", path);
    s->control = p;
    return TR_OK;
}

/* ---- the environment ---- */

static bool add_patterns(struct tr_buf *b, char sign, const struct tr_option_list *list)
{
    bool ok = true;
    for (size_t i = 0; ok && i < list->n; i++)
        ok = tr_buf_print(b, "%c%s\n", sign, list->items[i]);
    return ok;
}

static bool set_names(const struct record *o)
{
    struct tr_buf b = { 0 };
    bool ok = add_patterns(&b, '+', &o->include) && add_patterns(&b, '-', &o->exclude) && tr_buf_add(&b, "", 1);
    ok = ok && setenv("TR_RECORD_NAMES", (const char *)b.data, 1) == 0;
    tr_buf_free(&b);
    return ok;
}

/* value NULL: the command does not inherit one of an outer session. */
static bool set(const char *name, const char *value)
{
    return value ? setenv(name, value, 1) == 0 : unsetenv(name) == 0;
}

static bool set_choice(const struct record *o)
{
    char ring[32];
    snprintf(ring, sizeof ring, "%lld", (long long)o->ring);
    return set("TR_RECORD_RING", o->ring ? ring : NULL) && set("TR_RECORD_SWITCH", o->switched) &&
           set("TR_RECORD_RANKS", o->ranks) && set("TR_RECORD_PID", NULL);
}

enum tr_status record_session_start(struct record_session *s, struct cli *cli, const struct record *o,
                                    struct tr_error *err)
{
    char library[PATH_MAX];
    if (!find_library(library, sizeof library))
        return tr_fail(err, TR_SYSTEM, "the recorder, " LIBRARY ", is not installed in %s", TR_PKGLIBDIR);
    enum tr_status st = o->results ? record_empty_folder(o->results, err) : TR_OK;
    if (st == TR_OK)
        st = make_folder(s, cli, o->folder, err);
    if (st == TR_OK)
        st = make_control(s, o, err);
    if (st == TR_OK && o->name)
        st = record_name(s, cli, o->name, err);
    if (st != TR_OK)
        return st;
    bool ok = setenv("TR_RECORD_FOLDER", s->path, 1) == 0 && set_clock() && set_names(o) && set_choice(o) &&
              setenv("INTEL_LIBITTNOTIFY64", library, 1) == 0 && setenv("INTEL_LIBITTNOTIFY32", library, 1) == 0 &&
              setenv("NVTX_INJECTION64_PATH", library, 1) == 0 && setenv("NVTX_INJECTION32_PATH", library, 1) == 0 &&
              load_library(library);
    return ok ? TR_OK : tr_fail_memory(err);
}

void record_session_end(struct record_session *s)
{
    record_unname(s);
    if (s->control)
        munmap(s->control, sizeof *s->control);
    if (s->lock >= 0)
        close(s->lock);
    s->control = NULL;
    DIR *d = s->temporary && s->path[0] ? opendir(s->path) : NULL;
    if (!d)
        return;
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.')
            unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
    rmdir(s->path);
}
