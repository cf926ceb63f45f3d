/* SPDX-License-Identifier: MIT */
/* Reader of Perfetto's traces: numbered data of a sequence of packets. */
#include "formats/perfetto/tr_perfetto_read_int.h"

enum { ENTRY_ID = 1, ENTRY_TEXT = 2 };

static bool add_entry(struct tr__perfetto_reader *r, struct tr__sequence *s, enum tr__interned table,
                      struct tr__proto m)
{
    uint64_t id = 0;
    struct tr__span text = { NULL, 0 };
    while (tr__proto_next(&m)) {
        if (tr__proto_is(&m, ENTRY_ID, TR__WIRE_VARINT))
            id = m.v;
        else if (tr__proto_is(&m, ENTRY_TEXT, TR__WIRE_BYTES))
            text = (struct tr__span){ m.data, m.len };
    }
    if (!id)
        return true;
    uint32_t string = tr__perfetto_string(r, text.data, text.len);
    return string != TR_NO_STR && tr__perfetto_set(r, s, table, id, string);
}

bool tr__perfetto_interned_data(struct tr__perfetto_reader *r, struct tr__sequence *s, struct tr__span data)
{
    static const struct {
        uint32_t field;
        enum tr__interned table;
    } tables[] = { { 1, TR__TEXT_CATEGORY }, { 2, TR__TEXT_NAME }, { 3, TR__TEXT_KEY }, { 29, TR__TEXT_VALUE },
                 { 1001, TR__TEXT_LAUNCH_ARG } };
    struct tr__proto m = tr__proto_of(data.data, data.len);
    bool ok = true;
    while (ok && tr__proto_next(&m)) {
        size_t k = 0, n = sizeof tables / sizeof *tables;
        while (k < n && !tr__proto_is(&m, tables[k].field, TR__WIRE_BYTES))
            k++;
        ok = k < n ? add_entry(r, s, tables[k].table, tr__proto_inner(&m)) : tr__perfetto_gpu_entry(r, s, &m);
    }
    return ok;
}
