/* SPDX-License-Identifier: MIT */
/* Any bytes as a native trace of Perfetto: see fuzz_format.h. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format("perfetto", data, size);
}
