/* SPDX-License-Identifier: MIT */
/* tr_reopened_files.h, and inputs that are opened again. */
#include "io_tap.h"

#include "formats/tr_open.h"
#include "io/tr_reopened_files.h"

#include <fcntl.h>
#include <sys/stat.h>

static const char event[] =
    "{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"a\", \"pid\": 1, \"tid\": 1, \"ts\": 1, \"dur\": 1}]}";

static void put(const char *path, const char *text, int flags)
{
    int fd = open(path, O_WRONLY | O_CREAT | flags, 0600);
    struct tr_error err = TR_ERROR_INIT;
    if (fd < 0 || tr_write_full(fd, text, strlen(text), &err) != TR_OK || close(fd) != 0)
        bail("cannot write");
}

static void set_time(const char *path, time_t s)
{
    const struct timespec times[2] = { { .tv_sec = s }, { .tv_sec = s } };
    if (utimensat(AT_FDCWD, path, times, 0) != 0)
        bail("cannot set the time");
}

/* Open a path, compare, close. */
static enum tr_status look(struct tr_reopened_files *s, const char *path, struct tr_error *err)
{
    struct tr_reopened_file *file;
    int fd = open(path, O_RDONLY);
    enum tr_status st = tr_reopened_files_open(s, path, fd, &file, err);
    tr_reopened_files_close(s, file);
    close(fd);
    return st;
}

static void files(void)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_reopened_files *s = tr_reopened_files_new();
    struct tr_reopened_file *file, *again;
    put("a", "one", O_TRUNC);
    set_time("a", 1000);
    ok(look(s, "a", &err) == TR_OK && look(s, "a", &err) == TR_OK, "a file is the same when opened again");
    put("b", "one", O_TRUNC);
    set_time("b", 1000);
    rename("b", "a");
    ok(look(s, "a", &err) == TR_DAMAGED && strstr(err.what, "changed while it was read"),
       "another file under its name, equal in size, time and bytes");
    tr_reopened_files_free(s);

    s = tr_reopened_files_new();
    ok(look(s, "a", &err) == TR_OK, "seen for the first time");
    put("a", "two", 0);
    ok(look(s, "a", &err) == TR_DAMAGED, "written over, equal in size");
    tr_reopened_files_free(s);

    s = tr_reopened_files_new();
    int fd = open("a", O_RDONLY);
    ok(tr_reopened_files_open(s, "a", fd, &file, &err) == TR_OK && file, "opened");
    put("a", "and more", O_APPEND);
    ok(tr_reopened_files_still(s, file, fd, &err) == TR_OK, "what is opened once may grow");
    tr_reopened_files_free(s);
    ok(tr_reopened_files_still(s, file, fd, &err) == TR_OK, "what is open is still known when its owner has gone");
    tr_reopened_files_close(s, file);
    close(fd);

    s = tr_reopened_files_new();
    fd = open("a", O_RDONLY);
    tr_reopened_files_open(s, "a", fd, &file, &err);
    tr_reopened_files_open(s, "a", fd, &again, &err);
    ok(tr_reopened_files_still(s, again, fd, &err) == TR_OK, "what is opened twice is still the same");
    put("a", "and more", O_APPEND);
    ok(tr_reopened_files_still(s, again, fd, &err) == TR_DAMAGED, "and may not grow");
    tr_reopened_files_close(s, file);
    tr_reopened_files_close(s, again);
    close(fd);
    ok(tr_reopened_files_open(s, "/dev/null", fd = open("/dev/null", O_RDONLY), &file, &err) == TR_OK && !file &&
           tr_reopened_files_still(s, NULL, fd, &err) == TR_OK,
       "what is no regular file is not compared");
    close(fd);
    tr_reopened_files_free(s);
}

static void inputs(void)
{
    struct tr_error err = TR_ERROR_INIT;
    struct tr_open_opts opts = TR_OPEN_OPTS_INIT;
    struct tr_input *in;
    opts.seen = tr_reopened_files_new();
    put("t.json", event, O_TRUNC);
    set_time("t.json", 1000);
    for (int i = 0; i < 2; i++) {
        if (!ok(tr_open(&in, "t.json", &opts, &err) == TR_OK, "an input is opened, time %d", i + 1))
            bail(err.what);
        tr_input_close(in);
    }
    put("u.json", event, O_TRUNC);
    set_time("u.json", 1000);
    rename("u.json", "t.json");
    ok(tr_open(&in, "t.json", &opts, &err) == TR_DAMAGED && strstr(err.what, "changed while it was read"),
       "but not when another file has its name");
    tr_reopened_files_free(opts.seen);
}

int main(void)
{
    char dir[] = "/tmp/tr-seen.XXXXXX";
    if (!mkdtemp(dir) || chdir(dir) != 0)
        bail("no folder");
    files();
    inputs();
    remove("a");
    remove("t.json");
    if (chdir("/") == 0)
        rmdir(dir);
    return done_testing();
}
