/* SPDX-License-Identifier: MIT */
/*
 * Reader of XPlane: what of a message is not understood.
 *
 * The messages of XPlane are few, and all their fields are known: a field of another number, or of another wire type,
 * is counted, because what it holds is lost.  The programs of XLA have many fields, and get more.  Of these, only the
 * ones that this reader uses are looked at.
 */
#include "formats/xplane/tr_xplane_int.h"

#define DEEPEST 32u /* levels of messages */

/* How a field is written: beside the wire types, numbers that may be packed in one field. */
enum { NUMBERS = 8 };

struct type;

struct part {
    uint32_t field;
    uint8_t wire;
    const struct type *inner; /* a message; NULL: it is none, or its reader looks at it */
};

struct type {
    const struct part *parts; /* up to field 0 */
    bool open;                /* it has fields beside these */
};

#define V TR__WIRE_VARINT
#define B TR__WIRE_BYTES

/* ---- XPlane ---- */

static const struct part space_parts[] = {
    { 1, B, NULL }, { 2, B, NULL }, { 3, B, NULL }, { 4, B, NULL }, { 0, 0, NULL }
};
static const struct part plane_parts[] = { { 1, V, NULL }, { 2, B, NULL }, { 3, B, NULL }, { 4, B, NULL },
                                           { 5, B, NULL }, { 6, B, NULL }, { 0, 0, NULL } };
static const struct part line_parts[] = { { 1, V, NULL }, { 2, B, NULL },  { 3, V, NULL },  { 4, B, NULL },
                                          { 9, V, NULL }, { 10, V, NULL }, { 11, B, NULL }, { 0, 0, NULL } };
static const struct part stat_parts[] = { { STAT_NAME, V, NULL }, { STAT_DOUBLE, TR__WIRE_64, NULL },
                                          { STAT_UINT, V, NULL }, { STAT_INT, V, NULL },
                                          { STAT_TEXT, B, NULL }, { STAT_BYTES, B, NULL },
                                          { STAT_REF, V, NULL },  { STAT_COMPRESSED, B, NULL },
                                          { 0, 0, NULL } };
static const struct type space = { space_parts, false }, plane = { plane_parts, false }, line = { line_parts, false },
                         stat = { stat_parts, false };

static const struct part kind_parts[] = { { 1, V, NULL },  { 2, B, NULL },       { 3, B, NULL }, { 4, B, NULL },
                                          { 5, B, &stat }, { 6, NUMBERS, NULL }, { 0, 0, NULL } };
static const struct type kind = { kind_parts, false };
static const struct part name_parts[] = { { 1, V, NULL }, { 2, B, NULL }, { 3, B, NULL }, { 0, 0, NULL } };
static const struct type name = { name_parts, false };

/* ---- programs of XLA ---- */

static const struct part ids_parts[] = { { 1, NUMBERS, NULL }, { 0, 0, NULL } };
static const struct type ids = { ids_parts, true };
static const struct part pair_parts[] = { { 1, V, NULL }, { 2, V, NULL }, { 0, 0, NULL } };
static const struct type pair = { pair_parts, true };
static const struct part rule_parts[] = {
    { 1, V, NULL }, { 2, V, NULL }, { 3, NUMBERS, NULL }, { 4, NUMBERS, NULL }, { 0, 0, NULL }
};
static const struct type rule = { rule_parts, true };
static const struct part devices_parts[] = { { 1, B, &ids }, { 2, B, &rule }, { 0, 0, NULL } };
static const struct type devices = { devices_parts, true };
static const struct type shape;
static const struct part shape_parts[] = { { 2, V, NULL }, { 3, NUMBERS, NULL }, { 4, B, &shape }, { 0, 0, NULL } };
static const struct type shape = { shape_parts, true };
static const struct part source_parts[] = { { 2, B, NULL }, { 3, B, NULL }, { 4, V, NULL }, { 0, 0, NULL } };
static const struct type source = { source_parts, true };
static const struct part dim_parts[] = { { 1, V, NULL }, { 2, V, NULL }, { 3, V, NULL }, { 4, V, NULL },
                                         { 5, V, NULL }, { 6, V, NULL }, { 0, 0, NULL } };
static const struct type dim = { dim_parts, true };
static const struct part window_parts[] = { { 1, B, &dim }, { 0, 0, NULL } };
static const struct type window = { window_parts, true };
static const struct part places_parts[] = { { 3, V, NULL },  { 4, V, NULL },        { 6, NUMBERS, NULL },
                                            { 7, V, NULL },  { 8, V, NULL },        { 9, V, NULL },
                                            { 10, V, NULL }, { 11, NUMBERS, NULL }, { 12, NUMBERS, NULL },
                                            { 0, 0, NULL } };
static const struct type places = { places_parts, true };
static const struct part product_parts[] = {
    { 1, NUMBERS, NULL }, { 2, NUMBERS, NULL }, { 3, NUMBERS, NULL }, { 4, NUMBERS, NULL }, { 0, 0, NULL }
};
static const struct type product = { product_parts, true };
static const struct part instruction_parts[] = { { 1, B, NULL },
                                                 { 2, B, NULL },
                                                 { 3, B, &shape },
                                                 { 7, B, &source },
                                                 { 15, B, &window },
                                                 { 16, B, &places },
                                                 { 28, B, NULL },
                                                 { 30, B, &product },
                                                 { 35, V, NULL },
                                                 { 36, NUMBERS, NULL },
                                                 { 38, NUMBERS, NULL },
                                                 { 43, B, NULL },
                                                 { TR__INSTRUCTION_GROUP, B, &ids },
                                                 { 50, V, NULL },
                                                 { TR__INSTRUCTION_PAIR, B, &pair },
                                                 { 58, V, NULL },
                                                 { TR__INSTRUCTION_DEVICES, B, &devices },
                                                 { 0, 0, NULL } };
static const struct type instruction = { instruction_parts, true };
static const struct part computation_parts[] = {
    { 1, B, NULL }, { 2, B, &instruction }, { 5, V, NULL }, { 0, 0, NULL }
};
static const struct type computation = { computation_parts, true };
static const struct part assignment_parts[] = { { 1, V, NULL }, { 2, V, NULL }, { 3, B, &ids }, { 0, 0, NULL } };
static const struct type assignment = { assignment_parts, true };
static const struct part module_parts[] = {
    { 1, B, NULL }, { 3, B, &computation }, { 15, B, &assignment }, { 0, 0, NULL }
};
static const struct type module = { module_parts, true };
static const struct part hlo_parts[] = { { 1, B, &module }, { 0, 0, NULL } };
static const struct type hlo = { hlo_parts, true };

/* Each kind of event in their plane is a program, which is a stat of bytes. */
static const struct part code_parts[] = { { STAT_NAME, V, NULL }, { STAT_DOUBLE, TR__WIRE_64, NULL },
                                          { STAT_UINT, V, NULL }, { STAT_INT, V, NULL },
                                          { STAT_TEXT, B, NULL }, { STAT_BYTES, B, &hlo },
                                          { STAT_REF, V, NULL },  { STAT_COMPRESSED, B, NULL },
                                          { 0, 0, NULL } };
static const struct type code = { code_parts, false };
static const struct part program_parts[] = { { 1, V, NULL },  { 2, B, NULL },       { 3, B, NULL }, { 4, B, NULL },
                                             { 5, B, &code }, { 6, NUMBERS, NULL }, { 0, 0, NULL } };
static const struct type program = { program_parts, false };

/* ---- the check ---- */

static bool numbers_end(const struct tr__proto *m)
{
    const unsigned char *p = m->data, *end = p + m->len;
    uint64_t v;
    while (p && p < end)
        p = tr__proto_varint(p, end, &v);
    return p || !m->len;
}

static const struct part *find(const struct type *of, uint32_t field)
{
    const struct part *p = of->parts;
    while (p->field && p->field != field)
        p++;
    return p->field ? p : NULL;
}

static bool as_written(const struct part *p, const struct tr__proto *m)
{
    return p->wire == NUMBERS ? m->wire == V || (m->wire == B && numbers_end(m)) : m->wire == p->wire;
}

/* The sum of enum tr__xplane_doubt of a message and those in it. */
static unsigned doubts(struct tr__proto m, const struct type *of, unsigned depth)
{
    unsigned all = 0;
    while (tr__proto_next(&m)) {
        const struct part *p = find(of, m.field);
        if (!p)
            all |= of->open ? 0u : TR__DOUBT_FIELD;
        else if (!as_written(p, &m))
            all |= TR__DOUBT_PART;
        else if (p->inner)
            all |= depth ? doubts(tr__proto_inner(&m), p->inner, depth - 1) : TR__DOUBT_PART;
    }
    return all | (m.bad ? TR__DOUBT_PART : 0u);
}

unsigned tr__xplane_doubt_field(unsigned depth, const struct tr__proto *m)
{
    const struct part *p = find(depth == 0 ? &space : depth == 1 ? &plane : &line, m->field);
    return !p ? TR__DOUBT_FIELD : as_written(p, m) ? 0u : TR__DOUBT_PART;
}

void tr__xplane_look_at(struct tr__xplane_reader *r, enum tr__xplane_message what, struct tr__proto m)
{
    static const struct part of_kind[] = { { 1, V, NULL }, { 2, B, &kind }, { 0, 0, NULL } };
    static const struct part of_name[] = { { 1, V, NULL }, { 2, B, &name }, { 0, 0, NULL } };
    static const struct part of_program[] = { { 1, V, NULL }, { 2, B, &program }, { 0, 0, NULL } };
    static const struct type types[] = {
        [TR__ENTRY_KIND] = { of_kind, false },
        [TR__ENTRY_NAME] = { of_name, false },
        [TR__ENTRY_PROGRAM] = { of_program, false },
    };
    tr__xplane_doubted(r, doubts(m, &types[what], DEEPEST));
}
