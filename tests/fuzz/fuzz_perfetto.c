/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as a native trace of Perfetto: see fuzz_format.h.  And nothing is lost without a word: if no damage is
 * counted, all bytes are packets, each packet is counted, also those compressed in others, and each instant is an event.
 */
#include "fuzz_format.h"

#include "formats/common/tr_proto_read_int.h"
#include "io/tr_unpack.h"

#include <string.h>

enum { EVENT = 11, TIME = 8, DEFLATED = 50, ZSTD = 133 };
enum { EVENT_TYPE = 9, INSTANT = 3, LEGACY = 6, DELTA_US = 1, TIME_US = 16 };
#define LEVELS 4

struct found {
    uint64_t packets, instants;
    bool all; /* every byte is of a packet that can be read */
};

/* Is it an instant with nothing that gives it another time or phase? */
static bool is_instant(struct tr__proto m)
{
    uint64_t type = 0;
    while (tr__proto_next(&m)) {
        if (m.field == LEGACY || m.field == DELTA_US || m.field == TIME_US)
            return false;
        type = tr__proto_is(&m, EVENT_TYPE, TR__WIRE_VARINT) ? m.v : type;
    }
    return type == INSTANT && !m.bad;
}

static void look(const void *data, size_t size, unsigned level, struct found *f)
{
    struct tr__proto file = tr__proto_of(data, size);
    while (tr__proto_next(&file)) {
        struct tr__proto m = tr__proto_inner(&file);
        unsigned events = 0, timed = 0, instants = 0;
        f->packets++;
        f->all &= file.field == 1 && file.wire == TR__WIRE_BYTES;
        while (tr__proto_next(&m)) {
            events += m.field == EVENT;
            timed += tr__proto_is(&m, TIME, TR__WIRE_VARINT);
            instants += m.field == EVENT && is_instant(tr__proto_inner(&m));
            if ((m.field != DEFLATED && m.field != ZSTD) || m.wire != TR__WIRE_BYTES)
                continue;
            struct tr_buf inner = { 0 };
            struct tr_error why = TR_ERROR_INIT;
            f->all &= level < LEVELS || !m.len;
            if (level < LEVELS && m.len)
                f->all &= tr_unpack(m.data, m.len, (size_t)64 << 20, &inner, &why) == TR_OK;
            look(inner.data, inner.len, level + 1, f);
            tr_buf_free(&inner);
        }
        f->instants += events == 1 && timed && instants;
        f->all &= !m.bad;
    }
    f->all &= !file.bad;
}

/* The sum of the numbers in {"11":5,"60":2}. */
static uint64_t sum_of(struct tr_str counts)
{
    uint64_t sum = 0, v = 0;
    bool inside = false;
    for (size_t i = 0; i < counts.len; i++) {
        char c = counts.s[i];
        inside = c == ':' || (inside && c >= '0' && c <= '9');
        if (inside)
            v = c == ':' ? 0 : 10 * v + (uint64_t)(c - '0');
        else if (c == ',' || c == '}')
            sum += v;
    }
    return sum;
}

static uint64_t counted_packets(const struct tr_input *in)
{
    const struct tr_source *s = &in->dict->sources[0];
    for (uint32_t i = 0; i < s->n_header; i++) {
        struct tr_str key = tr_dict_text(in->dict, s->header_keys[i]);
        if (key.len == 16 && !memcmp(key.s, "perfetto_packets", 16))
            return sum_of(tr_dict_text(in->dict, s->header_values[i]));
    }
    return 0;
}

static void nothing_is_lost(const uint8_t *data, size_t size)
{
    struct tr_open_opts o = TR_OPEN_OPTS_INIT;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_input *in;
    struct found f = { .all = true };
    o.temp_dir = "/tmp";
    o.input_format = "perfetto";
    if (tr_open(&in, text_file(data, size), &o, &err) != TR_OK)
        return;
    look(data, size, 0, &f);
    const struct tr_source_summary *s = &in->summary->sources[0];
    must(s->n_damage || f.all);
    must(s->n_damage || counted_packets(in) == f.packets);
    must(s->n_damage || s->n_phase[TR_INSTANT] >= f.instants);
    tr_input_close(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    nothing_is_lost(data, size);
    return fuzz_format("perfetto", data, size);
}
