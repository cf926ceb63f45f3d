/* SPDX-License-Identifier: MIT */
/*
 * Runs a fuzz target over the files named, one TAP line each: the corpus as an ordinary test, without
 * the fuzzer.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
    printf("1..%d\n", argc - 1);
    for (int i = 1; i < argc; i++) {
        static uint8_t data[1 << 20];
        FILE *f = fopen(argv[i], "rb");
        if (!f) {
            printf("Bail out! cannot open %s\n", argv[i]);
            return 1;
        }
        size_t size = fread(data, 1, sizeof data, f);
        fclose(f);
        fflush(stdout);
        LLVMFuzzerTestOneInput(data, size); /* aborts when something is wrong */
        printf("ok %d - %s\n", i, argv[i]);
    }
    return 0;
}
