/* SPDX-License-Identifier: MIT */
/* A program that is instrumented by ROCTX; its library is not there, so that what is preloaded is all there is. */
#include <stdint.h>
#include <stdio.h>

#define WEAK __attribute__((weak))
WEAK void roctxMarkA(const char *text);
WEAK int roctxRangePushA(const char *text);
WEAK int roctxRangePop(void);
WEAK uint64_t roctxRangeStartA(const char *text);
WEAK void roctxRangeStop(uint64_t id);
WEAK int roctxNameOsThread(const char *name);
WEAK int roctxProfilerPause(uint64_t thread);
WEAK int roctxProfilerResume(uint64_t thread);

int main(void)
{
    if (!roctxMarkA) {
        puts("no ROCTX");
        return 9;
    }
    roctxNameOsThread("main of roctx");
    if (roctxRangePushA("outer") != 0 || roctxRangePushA("inner") != 1)
        return 10;
    roctxMarkA("mark");
    if (roctxRangePop() != 1 || roctxRangePop() != 0)
        return 11;
    uint64_t id = roctxRangeStartA("overlaps");
    roctxRangePushA("beside");
    roctxRangeStop(id);
    roctxRangePop();
    roctxProfilerPause(0);
    roctxRangePushA("while paused");
    roctxRangePop();
    roctxProfilerResume(0);
    return 0;
}
