/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a file that Ascend's profiler writes beside a trace: communication.json if they start with a brace, else
 * kernel_details.csv.  The trace is read, with a table of the file or without, the same in each way of reading; a
 * stream with the table is read back.
 */
#include "fuzz_text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[200], trace[256], beside[256];

static void remove_folder(void)
{
    unlink(beside);
    unlink(trace);
    rmdir(folder);
}

static void put(const char *path, const void *data, size_t size)
{
    FILE *f = fopen(path, "wb");
    must(f && fwrite(data, 1, size, f) == size && fclose(f) == 0);
}

static void make_folder(void)
{
    static const char text[] = "[{\"name\": \"MatMul\", \"pid\": 9, \"tid\": 2, \"ts\": \"17.002\", \"dur\": 5.5, "
                               "\"ph\": \"X\", "
                               "\"args\": {\"Task Type\": \"AI_CORE\", \"Physic Stream Id\": 2}}]";
    const char *dir = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/tr-fuzz.XXXXXX", dir && *dir ? dir : "/tmp");
    must(mkdtemp(folder) != NULL && atexit(remove_folder) == 0);
    snprintf(trace, sizeof trace, "%s/trace_view.json", folder);
    put(trace, text, sizeof text - 1);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct tr_open_opts o = TR_OPEN_OPTS_INIT;
    struct tr_buf first = { 0 }, other = { 0 };
    bool fixed = false;
    if (!folder[0])
        make_folder();
    unlink(beside);
    snprintf(beside, sizeof beside, "%s/%s", folder,
             size && data[0] == '{' ? "communication.json" : "kernel_details.csv");
    put(beside, data, size);
    o.temp_dir = "/tmp";
    must(read_trace(trace, &o, &first, &fixed) == TR_OK && !fixed);
    o.max_memory_bytes = (size_t)1 << 20;
    o.n_threads = 2;
    must(read_trace(trace, &o, &other, &fixed) == TR_OK);
    must(other.len == first.len && !memcmp(other.data, first.data, first.len));
    read_back(&first, &other);
    tr_buf_free(&first);
    tr_buf_free(&other);
    return 0;
}
