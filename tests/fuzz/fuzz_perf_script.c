/* SPDX-License-Identifier: MIT */
/* Any bytes as text of perf script: see fuzz_format.h. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format("perf-script", data, size);
}
