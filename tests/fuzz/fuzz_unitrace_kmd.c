/* SPDX-License-Identifier: MIT */
/* Any bytes as lines of unitrace's script for the operating system: see fuzz_format.h. */
#include "fuzz_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_format("unitrace-kmd", data, size);
}
