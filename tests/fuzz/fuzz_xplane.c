/* SPDX-License-Identifier: MIT */
/*
 * Any bytes as XPlane, a trace of JAX: see fuzz_format.h.  And nothing is lost without a word: if no damage is counted,
 * all bytes are fields that XPlane has, down to the values of attributes, and each event in a line is an event.
 */
#include "fuzz_format.h"

#include "formats/common/tr_proto_read_int.h"

/* The fields of a message by number: 'n' a number, 'd' eight bytes, 't' a text or bytes, 'l' numbers that may be packed,
 * '-' none; others are messages. */
static const char *const fields[] = {
    ['S'] = "Pttt", ['P'] = "ntLKAV", ['L'] = "ntnE----nnt", ['E'] = "nnnVn", ['V'] = "ndnnttnt",
    ['K'] = "nk",   ['k'] = "ntttVl", ['A'] = "na",          ['a'] = "ntt",
};

struct found {
    uint64_t spans, others;
    bool all; /* every byte is of a field that XPlane has */
};

static bool is_message(char kind)
{
    return kind == 'k' || kind == 'a' || (kind >= 'A' && kind <= 'Z');
}

static bool as_written(char kind, const struct tr__proto *m)
{
    return kind == 'n'   ? m->wire == TR__WIRE_VARINT
           : kind == 'd' ? m->wire == TR__WIRE_64
           : kind == 'l' ? m->wire == TR__WIRE_VARINT || m->wire == TR__WIRE_BYTES
                         : m->wire == TR__WIRE_BYTES;
}

static void look(struct tr__proto m, char kind, struct found *f)
{
    bool aggregated = false;
    while (tr__proto_next(&m)) {
        const char *of = fields[(unsigned char)kind];
        char is = m.field <= strlen(of) ? of[m.field - 1] : '-';
        f->all &= is != '-' && as_written(is, &m);
        aggregated |= kind == 'E' && tr__proto_is(&m, 5, TR__WIRE_VARINT);
        if (is_message(is))
            look(tr__proto_inner(&m), is, f);
    }
    f->all &= !m.bad;
    f->spans += kind == 'E' && !aggregated;
    f->others += kind == 'E' && aggregated;
}

static void nothing_is_lost(const uint8_t *data, size_t size)
{
    struct tr_open_opts o = TR_OPEN_OPTS_INIT;
    struct tr_error err = TR_ERROR_INIT;
    struct tr_input *in;
    struct found f = { .all = true };
    o.temp_dir = "/tmp";
    o.input_format = "xplane";
    if (tr_open(&in, text_file(data, size), &o, &err) != TR_OK)
        return;
    look(tr__proto_of(data, size), 'S', &f);
    const struct tr_source_summary *s = &in->summary->sources[0];
    must(s->n_damage || f.all);
    must(s->n_damage || s->n_phase[TR_SPAN] == f.spans);
    must(s->n_damage || s->n_phase[TR_META] == f.others);
    tr_input_close(in);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    nothing_is_lost(data, size);
    return fuzz_format("xplane", data, size);
}
