/* SPDX-License-Identifier: MIT */
/*
 * The list of formats: every format that can be opened has a line here, and defines tr_format_NAME in its folder.
 * Internal to libcore.
 */
#ifndef TR_FORMAT_LIST_INT_H
#define TR_FORMAT_LIST_INT_H

#include "formats/common/tr_format.h"

#define TR__FORMATS(FORMAT)   \
    FORMAT(stream)            \
    FORMAT(chrome)            \
    FORMAT(memory_timeline) \
    FORMAT(memory_snapshot) \
    FORMAT(flight_recorder) \
    FORMAT(nccl_inspector)  \
    FORMAT(nccl_profiler)   \
    FORMAT(pytorch_et)      \
    FORMAT(chakra_json)     \
    FORMAT(chakra)          \
    FORMAT(rocprof_json)    \
    FORMAT(rocprof_csv)     \
    FORMAT(nsys)            \
    FORMAT(rocpd)           \
    FORMAT(rpd)             \
    FORMAT(ascend)          \
    FORMAT(perfetto)        \
    FORMAT(xplane)          \
    FORMAT(unitrace_text)   \
    FORMAT(unitrace_kmd)    \
    FORMAT(unitrace_metrics) \
    FORMAT(perf_script) \
    FORMAT(recording)

#define TR__FORMAT(name) extern const struct tr_format tr_format_##name;
TR__FORMATS(TR__FORMAT)
#undef TR__FORMAT

#endif
