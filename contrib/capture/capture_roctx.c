/* SPDX-License-Identifier: MIT */
/*
 * AMD's ROCTX: functions of a library that programs link, libroctx64 or librocprofiler-sdk-roctx.  The recorder is
 * preloaded, so that its functions are found first; those of the library, if it is there, are called after them.  A
 * program that looks them up in the library by name is not seen.
 */
#include "capture.h"

#include <dlfcn.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

static struct {
    void (*mark)(const char *);
    int (*push)(const char *);
    int (*pop)(void);
    uint64_t (*start)(const char *);
    void (*stop)(uint64_t);
    int (*name_thread)(const char *);
    int (*pause)(uint64_t);
    int (*resume)(uint64_t);
} real; /* the functions that would have been called; NULL: there is none */

static void find(const char *name, void *function)
{
    void *at = dlsym(RTLD_NEXT, name);
    memcpy(function, &at, sizeof at);
}

__attribute__((constructor)) static void find_all(void)
{
    find("roctxMarkA", &real.mark);
    find("roctxRangePushA", &real.push);
    find("roctxRangePop", &real.pop);
    find("roctxRangeStartA", &real.start);
    find("roctxRangeStop", &real.stop);
    find("roctxNameOsThread", &real.name_thread);
    find("roctxProfilerPause", &real.pause);
    find("roctxProfilerResume", &real.resume);
}

EXPORT void roctxMarkA(const char *text);
EXPORT int roctxRangePushA(const char *text);
EXPORT int roctxRangePop(void);
EXPORT uint64_t roctxRangeStartA(const char *text);
EXPORT void roctxRangeStop(uint64_t id);
EXPORT int roctxNameOsThread(const char *name);
EXPORT int roctxProfilerPause(uint64_t thread);
EXPORT int roctxProfilerResume(uint64_t thread);

void roctxMarkA(const char *text)
{
    struct capture *c = text ? capture_in() : NULL;
    if (c) {
        capture_mark(c, TR_REC_ROCTX, CAPTURE_NONE, capture_text(text), capture_now());
        capture_out(c);
    }
    if (real.mark)
        real.mark(text);
}

int roctxRangePushA(const char *text)
{
    int depth = -1;
    struct capture *c = text ? capture_in() : NULL;
    if (c) {
        depth = (int)capture_depth(c, TR_REC_ROCTX, CAPTURE_NONE);
        capture_begin(c, TR_REC_ROCTX, CAPTURE_NONE, capture_text(text));
        capture_out(c);
    }
    return real.push ? real.push(text) : depth;
}

int roctxRangePop(void)
{
    int depth = -1;
    struct capture *c = capture_in();
    if (c) {
        capture_end(c, TR_REC_ROCTX, CAPTURE_NONE);
        depth = (int)capture_depth(c, TR_REC_ROCTX, CAPTURE_NONE);
        capture_out(c);
    }
    return real.pop ? real.pop() : depth;
}

uint64_t roctxRangeStartA(const char *text)
{
    uint64_t id = real.start ? real.start(text) : capture_number();
    struct capture *c = text ? capture_in() : NULL;
    if (c) {
        capture_open(c, TR_REC_ROCTX, CAPTURE_NONE, capture_text(text), id + 1, capture_now());
        capture_out(c);
    }
    return id;
}

void roctxRangeStop(uint64_t id)
{
    struct capture *c = capture_in();
    if (c) {
        capture_close(c, TR_REC_ROCTX, id + 1, capture_now());
        capture_out(c);
    }
    if (real.stop)
        real.stop(id);
}

int roctxNameOsThread(const char *name)
{
    struct capture *c = name ? capture_in() : NULL;
    if (c) {
        capture_thread_name(c, name);
        capture_out(c);
    }
    return real.name_thread ? real.name_thread(name) : 0;
}

int roctxProfilerPause(uint64_t thread)
{
    capture_pause(true);
    return real.pause ? real.pause(thread) : 0;
}

int roctxProfilerResume(uint64_t thread)
{
    capture_pause(false);
    return real.resume ? real.resume(thread) : 0;
}
