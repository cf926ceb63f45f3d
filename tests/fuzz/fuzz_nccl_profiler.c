/* SPDX-License-Identifier: MIT */
/* Any bytes as a trace of NCCL's example profiler: see fuzz_format.h. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format("nccl-profiler", data, size);
}
