/* SPDX-License-Identifier: MIT */
/*
 * NVIDIA's NVTX, version 3.  At its first call, a program opens the library that NVTX_INJECTION64_PATH names, and calls
 * InitializeInjectionNvtx2 in it.  That asks for tables of pointers to functions, one for each module of the interface,
 * and puts its own functions in; numbers of tables and functions, and the layout of attributes, are those of nvtx3.
 *
 * Not recorded: names of devices, streams and the like, resources, synchronisation, and extended payloads.
 */
#include "capture.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct attributes {
    uint16_t version, size;
    uint32_t category;
    int32_t colour_type;
    uint32_t colour;
    int32_t payload_type, reserved;
    union {
        uint64_t u64;
        int64_t i64;
        double f64;
        uint32_t u32;
        int32_t i32;
        float f32;
    } payload;
    int32_t message_type;
    union {
        const char *ascii;
        const void *wide;
        const struct registered *registered;
    } message;
};

/* A text that the program gave a handle, or the name of a domain; stays. */
struct registered {
    char *text;
};

enum { MESSAGE_ASCII = 1, MESSAGE_WIDE = 2, MESSAGE_REGISTERED = 3 };
enum { PAYLOAD_U64 = 1, PAYLOAD_I64 = 2, PAYLOAD_F64 = 3, PAYLOAD_U32 = 4, PAYLOAD_I32 = 5, PAYLOAD_F32 = 6 };

/* ---- texts ---- */

static void *keep(const char *text)
{
    struct registered *r = text ? malloc(sizeof *r) : NULL;
    if (r && !(r->text = strdup(text))) {
        free(r);
        return NULL;
    }
    return r;
}

static void *keep_wide(const void *text)
{
    char narrow[TR_REC_TEXT];
    return text ? keep(capture_wide(text, narrow, sizeof narrow)) : NULL;
}

static struct capture_text domain_text(const struct registered *d)
{
    return d ? (struct capture_text){ d->text, CAPTURE_STRING, d } : CAPTURE_NONE;
}

static struct capture_text message(const struct attributes *a, char narrow[TR_REC_TEXT])
{
    if (a->message_type == MESSAGE_REGISTERED && a->message.registered)
        return (struct capture_text){ a->message.registered->text, CAPTURE_STRING, a->message.registered };
    if (a->message_type == MESSAGE_ASCII && a->message.ascii)
        return capture_text(a->message.ascii);
    if (a->message_type == MESSAGE_WIDE && a->message.wide)
        return capture_text(capture_wide(a->message.wide, narrow, TR_REC_TEXT));
    return capture_kept("range");
}

/* A payload and a category are args. */
static void add_about(struct capture *c, const struct attributes *a)
{
    uint64_t real;
    double f = a->payload_type == PAYLOAD_F32 ? (double)a->payload.f32 : a->payload.f64;
    memcpy(&real, &f, sizeof real);
    const struct capture_text key = capture_kept("payload");
    switch (a->payload_type) {
    case PAYLOAD_U64:
        capture_arg(c, TR_REC_NVTX, CAPTURE_BEFORE, key, TR_REC_UINT, a->payload.u64);
        break;
    case PAYLOAD_U32:
        capture_arg(c, TR_REC_NVTX, CAPTURE_BEFORE, key, TR_REC_UINT, a->payload.u32);
        break;
    case PAYLOAD_I64:
        capture_arg(c, TR_REC_NVTX, CAPTURE_BEFORE, key, TR_REC_INT, (uint64_t)a->payload.i64);
        break;
    case PAYLOAD_I32:
        capture_arg(c, TR_REC_NVTX, CAPTURE_BEFORE, key, TR_REC_INT, (uint64_t)a->payload.i32);
        break;
    case PAYLOAD_F64:
    case PAYLOAD_F32:
        capture_arg(c, TR_REC_NVTX, CAPTURE_BEFORE, key, TR_REC_REAL, real);
        break;
    default:
        break;
    }
    if (a->category)
        capture_arg_int(c, "category", a->category);
}

static struct attributes plain(const char *text)
{
    return (struct attributes){ .message_type = MESSAGE_ASCII, .message.ascii = text };
}

static struct attributes plain_wide(const void *text)
{
    return (struct attributes){ .message_type = MESSAGE_WIDE, .message.wide = text };
}

/* ---- marks and ranges ---- */

static void domain_mark(const struct registered *d, const struct attributes *a)
{
    char narrow[TR_REC_TEXT];
    struct capture *c = a ? capture_in() : NULL;
    if (!c)
        return;
    if (capture_mark(c, TR_REC_NVTX, domain_text(d), message(a, narrow), capture_now()))
        add_about(c, a);
    capture_out(c);
}

/* What a push and a pop return is how deep the range is, for each domain; -1: not known. */
static int domain_push(const struct registered *d, const struct attributes *a)
{
    char narrow[TR_REC_TEXT];
    struct capture *c = a ? capture_in() : NULL;
    if (!c)
        return -1;
    int depth = (int)capture_depth(c, TR_REC_NVTX, domain_text(d));
    if (capture_begin(c, TR_REC_NVTX, domain_text(d), message(a, narrow)))
        add_about(c, a);
    capture_out(c);
    return depth;
}

static int domain_pop(const struct registered *d)
{
    struct capture *c = capture_in();
    if (!c)
        return -1;
    capture_end(c, TR_REC_NVTX, domain_text(d));
    int depth = (int)capture_depth(c, TR_REC_NVTX, domain_text(d));
    capture_out(c);
    return depth;
}

static uint64_t domain_start(const struct registered *d, const struct attributes *a)
{
    char narrow[TR_REC_TEXT];
    uint64_t id = capture_number();
    struct capture *c = a ? capture_in() : NULL;
    if (!c)
        return id;
    if (capture_open(c, TR_REC_NVTX, domain_text(d), message(a, narrow), id, capture_now()))
        add_about(c, a);
    capture_out(c);
    return id;
}

static void range_end(uint64_t id)
{
    struct capture *c = capture_in();
    if (!c)
        return;
    capture_close(c, TR_REC_NVTX, id, capture_now());
    capture_out(c);
}

static void domain_range_end(const struct registered *d, uint64_t id)
{
    (void)d;
    range_end(id);
}

/* The same without a domain: for attributes, a text, and a text of wide characters. */
#define WITHOUT_DOMAIN(result, name)                        \
    static result name##_ex(const struct attributes *a)     \
    {                                                       \
        return domain_##name(NULL, a);                      \
    }                                                       \
    static result name##_a(const char *text)                \
    {                                                       \
        struct attributes a = plain(text);                  \
        return domain_##name(NULL, &a);                     \
    }                                                       \
    static result name##_w(const void *text)                \
    {                                                       \
        struct attributes a = plain_wide(text);             \
        return domain_##name(NULL, &a);                     \
    }
WITHOUT_DOMAIN(void, mark)
WITHOUT_DOMAIN(uint64_t, start)
WITHOUT_DOMAIN(int, push)

static int pop(void)
{
    return domain_pop(NULL);
}

/* Only the calling thread can be named here. */
static void name_thread(uint32_t thread, const char *name)
{
    struct capture *c = name ? capture_in() : NULL;
    if (!c)
        return;
    if (capture_is_thread(c, thread))
        capture_thread_name(c, name);
    capture_out(c);
}

static void name_thread_w(uint32_t thread, const void *name)
{
    char narrow[256];
    if (name)
        name_thread(thread, capture_wide(name, narrow, sizeof narrow));
}

static void *register_text(const struct registered *d, const char *text)
{
    (void)d;
    return keep(text);
}

static void *register_wide(const struct registered *d, const void *text)
{
    (void)d;
    return keep_wide(text);
}

/* ---- the tables ---- */

typedef void (*function)(void);
struct callbacks {
    size_t size;
    int (*table)(int module, function ***table, unsigned *n);
};
enum { EXPORT_CALLBACKS = 1, MODULE_CORE = 1, MODULE_CORE2 = 5 };

#define AT(number, name) { number, (function)(name) }
static const struct slot {
    unsigned number;
    function at;
} core[] = { AT(1, mark_ex),  AT(2, mark_a),  AT(3, mark_w),  AT(4, start_ex),     AT(5, start_a),
             AT(6, start_w),  AT(7, range_end), AT(8, push_ex), AT(9, push_a),     AT(10, push_w),
             AT(11, pop),     AT(14, name_thread), AT(15, name_thread_w) },
  core2[] = { AT(1, domain_mark),    AT(2, domain_start),   AT(3, domain_range_end), AT(4, domain_push),
              AT(5, domain_pop),     AT(10, register_text), AT(11, register_wide),   AT(12, keep),
              AT(13, keep_wide) };

static void put_in(const struct callbacks *from, int module, const struct slot *slots, size_t n_slots)
{
    function **table = NULL;
    unsigned n = 0;
    if (!from->table(module, &table, &n))
        return;
    for (size_t i = 0; table && i < n_slots; i++)
        if (slots[i].number < n && table[slots[i].number])
            *table[slots[i].number] = slots[i].at;
}

int InitializeInjectionNvtx2(const void *(*exported)(uint32_t));

__attribute__((visibility("default"))) int InitializeInjectionNvtx2(const void *(*exported)(uint32_t))
{
    const struct callbacks *from = exported ? exported(EXPORT_CALLBACKS) : NULL;
    if (!from || from->size < sizeof *from || !from->table)
        return 0;
    put_in(from, MODULE_CORE, core, sizeof core / sizeof *core);
    put_in(from, MODULE_CORE2, core2, sizeof core2 / sizeof *core2);
    return 1;
}
