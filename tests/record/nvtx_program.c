/* SPDX-License-Identifier: MIT */
/* A program that is instrumented by NVTX: it has the tables of functions that an injected library fills. */
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <wchar.h>

typedef void (*function)(void);

struct attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t colour_type;
    uint32_t colour;
    int32_t payload_type, reserved;
    union {
        uint64_t u64;
        double f64;
        int32_t i32;
    } payload;
    int32_t message_type;
    union {
        const char *ascii;
        const wchar_t *wide;
        void *registered;
    } message;
};

static function core[16], core2[16], *core_table[16], *core2_table[16];

static int table(int module, function ***out, unsigned *n)
{
    *out = module == 1 ? core_table : module == 5 ? core2_table : NULL;
    *n = 16;
    return *out != NULL;
}

static const struct {
    size_t size;
    int (*table)(int, function ***, unsigned *);
} callbacks = { sizeof callbacks, table };

static const void *exported(uint32_t number)
{
    return number == 1 ? &callbacks : NULL;
}

static int load(void)
{
    const char *path = getenv("NVTX_INJECTION64_PATH");
    void *library = path ? dlopen(path, RTLD_LAZY) : NULL;
    int (*init)(const void *(*)(uint32_t)) = NULL;
    for (int i = 0; i < 16; i++) {
        core_table[i] = &core[i];
        core2_table[i] = &core2[i];
    }
    if (library)
        *(void **)&init = dlsym(library, "InitializeInjectionNvtx2");
    return init && init(exported);
}

#define CORE(number, type) ((type)core[number])
#define CORE2(number, type) ((type)core2[number])

int main(void)
{
    char text[32];
    if (!load())
        return 9;
    void *domain = CORE2(12, void *(*)(const char *))("solver");
    void *name = CORE2(10, void *(*)(void *, const char *))(domain, "registered");
    struct attributes a = { .version = 3, .message_type = 3, .message.registered = name, .payload_type = 1,
                            .payload.u64 = 77, .category = 4 };
    struct attributes wide = { .version = 3, .message_type = 2, .message.wide = L"caf\u00e9 \U0001f600",
                               .payload_type = 3, .payload.f64 = 0.5 };
    CORE(14, void (*)(uint32_t, const char *))((uint32_t)syscall(SYS_gettid), "main of nvtx");
    for (int i = 0; i < 3; i++) {
        snprintf(text, sizeof text, "step %d", i); /* the same place, another text */
        int depth = CORE(9, int (*)(const char *))(text), inner = CORE2(4, int (*)(void *, void *))(domain, &a);
        int deeper = CORE(8, int (*)(void *))(&wide);
        if (depth != 0 || inner != 0 || deeper != 1)
            return 10;
        CORE(11, int (*)(void))();
        CORE2(5, int (*)(void *))(domain);
        if (CORE(11, int (*)(void))() != 0)
            return 11;
    }
    uint64_t first = CORE(5, uint64_t(*)(const char *))("overlaps"),
             second = CORE2(2, uint64_t(*)(void *, void *))(domain, &a);
    CORE(2, void (*)(const char *))("a mark");
    CORE(7, void (*)(uint64_t))(first);
    CORE2(3, void (*)(void *, uint64_t))(domain, second);
    if (core[12] || core2[6]) /* nothing is known of these */
        return 12;
    return 0;
}
