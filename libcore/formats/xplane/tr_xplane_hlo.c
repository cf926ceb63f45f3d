/* SPDX-License-Identifier: MIT */
/*
 * Reader of XPlane: programs of XLA, from the plane /host:metadata.
 *
 * What does the hlo_op of an event compute?  The instructions of a program have the operands, their shapes and types,
 * and the devices that take part in a collective.  They become a table, hlo, and args of the events.  Numbers of
 * fields: the published HloProto, HloModuleProto, HloComputationProto, HloInstructionProto, ShapeProto and OpMetadata.
 */
#include "formats/xplane/tr_xplane_int.h"

#include "json/tr_json_write.h"

#include <stdlib.h>

enum { PROTO_MODULE = 1, MODULE_NAME = 1, MODULE_COMPUTATION = 3, MODULE_ASSIGNMENT = 15 };
enum { COMPUTATION_NAME = 1, COMPUTATION_INSTRUCTION = 2, COMPUTATION_ID = 5 };
enum {
    INSTRUCTION_NAME = 1, INSTRUCTION_OPCODE = 2, INSTRUCTION_SHAPE = 3, INSTRUCTION_METADATA = 7,
    INSTRUCTION_TARGET = 28, INSTRUCTION_ID = 35, INSTRUCTION_OPERANDS = 36, INSTRUCTION_CALLED = 38,
    INSTRUCTION_BACKEND = 43
};
enum { METADATA_OP_NAME = 2, METADATA_FILE = 3, METADATA_LINE = 4 };

#define MAX_TABLE  ((size_t)64 << 20) /* bytes of rows */

/* An instruction as in the file. */
struct instruction {
    struct tr_str name, opcode, op_name, file, target, backend;
    struct tr__proto shape;
    int64_t line, id;
    struct tr__proto whole;
    struct tr__proto operands, called; /* the part of it with these fields; others may be between them */
    bool grouped;                      /* it has groups of participants */
};

/* Those of a computation. */
struct instructions {
    struct instruction *v;
    size_t n, cap;
};

enum { COL_PROGRAM, COL_MODULE, COL_COMPUTATION, COL_NAME, COL_OPCODE, COL_TARGET, COL_TYPE, COL_DIMS, COL_IN_TYPES,
       COL_IN_DIMS, COL_GROUPS, COL_OP_NAME, COL_FILE, COL_LINE, COL_BACKEND, N_COLS };

static const struct {
    const char *name;
    unsigned type;
} columns[N_COLS] = {
    [COL_PROGRAM] = { "program_id", TR_T_INT },    [COL_MODULE] = { "module", TR_T_STRING },
    [COL_COMPUTATION] = { "computation", TR_T_STRING }, [COL_NAME] = { "name", TR_T_STRING },
    [COL_OPCODE] = { "opcode", TR_T_STRING },      [COL_TARGET] = { "target", TR_T_STRING },
    [COL_TYPE] = { "type", TR_T_STRING },          [COL_DIMS] = { "dims", TR_T_JSON },
    [COL_IN_TYPES] = { "operand_types", TR_T_JSON }, [COL_IN_DIMS] = { "operand_dims", TR_T_JSON },
    [COL_GROUPS] = { "replica_groups", TR_T_JSON }, [COL_OP_NAME] = { "op_name", TR_T_STRING },
    [COL_FILE] = { "source_file", TR_T_STRING },   [COL_LINE] = { "source_line", TR_T_INT },
    [COL_BACKEND] = { "backend_config", TR_T_STRING },
};

void tr__hlo_free(struct tr__xplane_reader *r)
{
    tr_strtab_free(r->places);
    tr_strtab_free(r->modules);
    free(r->instructions);
    free(r->programs);
    tr__numbers_free(&r->part.of);
    free(r->part.shapes);
    tr__numbers_free(&r->part.bodies);
    tr__numbers_free(&r->part.costs);
    tr_json_tokens_free(&r->part.tokens);
    free(r->part.assigned);
    free(r->part.ids);
    tr_strtab_free(r->shapes);
    tr_strtab_free(r->operand_lists);
    free(r->shape_of);
    free(r->operands_of);
    tr_side_table_free(r->table);
}

size_t tr__hlo_bytes(const struct tr__xplane_reader *r)
{
    return tr_strtab_bytes(r->places) + tr_strtab_bytes(r->modules) + tr_strtab_bytes(r->shapes) +
           tr_strtab_bytes(r->operand_lists) + r->cap_shape_of * sizeof *r->shape_of +
           r->cap_operands_of * sizeof *r->operands_of + tr__numbers_bytes(&r->part.of) +
           tr__numbers_bytes(&r->part.bodies) + tr__numbers_bytes(&r->part.costs) +
           r->part.cap_ids * sizeof *r->part.ids +
           r->cap_instructions * sizeof *r->instructions + r->part.cap_shapes * sizeof *r->part.shapes +
           (r->table ? r->table->rows.cap : 0);
}

static struct tr_str bytes_of(const struct tr__proto *m)
{
    return (struct tr_str){ m->len ? (const char *)m->data : "", m->len };
}

/* ---- instructions ---- */

/* A field from `from` to `to` is in this part of a message, too. */
static void widen(struct tr__proto *part, const unsigned char *from, const unsigned char *to)
{
    if (!part->p)
        part->p = from;
    part->end = to;
}

static struct instruction read_instruction(struct tr__proto m)
{
    struct instruction i = { .whole = m };
    for (const unsigned char *from = m.p; tr__proto_next(&m); from = m.p) {
        if (m.field == INSTRUCTION_OPERANDS)
            widen(&i.operands, from, m.p);
        else if (m.field == INSTRUCTION_CALLED)
            widen(&i.called, from, m.p);
        else if (tr__proto_is(&m, INSTRUCTION_ID, TR__WIRE_VARINT))
            i.id = tr__proto_int(&m);
        i.grouped |= m.field == TR__INSTRUCTION_GROUP || m.field == TR__INSTRUCTION_DEVICES;
        if (m.wire != TR__WIRE_BYTES)
            continue;
        struct tr__proto in = tr__proto_inner(&m);
        switch (m.field) {
        case INSTRUCTION_NAME:
            i.name = bytes_of(&m);
            break;
        case INSTRUCTION_OPCODE:
            i.opcode = bytes_of(&m);
            break;
        case INSTRUCTION_SHAPE:
            i.shape = in;
            break;
        case INSTRUCTION_TARGET:
            i.target = bytes_of(&m);
            break;
        case INSTRUCTION_BACKEND:
            i.backend = bytes_of(&m);
            break;
        case INSTRUCTION_METADATA:
            while (tr__proto_next(&in))
                if (tr__proto_is(&in, METADATA_OP_NAME, TR__WIRE_BYTES))
                    i.op_name = bytes_of(&in);
                else if (tr__proto_is(&in, METADATA_FILE, TR__WIRE_BYTES))
                    i.file = bytes_of(&in);
                else if (tr__proto_is(&in, METADATA_LINE, TR__WIRE_VARINT))
                    i.line = tr__proto_int(&in);
            break;
        default:
            break;
        }
    }
    return i;
}

/* All instructions of a computation, and their shapes; operands usually come before their users, but not always. */
static bool read_instructions(struct tr__xplane_reader *r, struct tr__proto computation, struct instructions *all)
{
    struct tr__hlo_part *part = &r->part;
    while (tr__proto_next(&computation)) {
        if (!tr__proto_is(&computation, COMPUTATION_INSTRUCTION, TR__WIRE_BYTES))
            continue;
        if (part->n_shapes >= UINT32_MAX - 1 ||
            !tr_grow(&part->shapes, &part->cap_shapes, part->n_shapes + 1, sizeof *part->shapes) ||
            !tr_grow(&all->v, &all->cap, all->n + 1, sizeof *all->v))
            return false;
        struct instruction *i = &all->v[all->n++];
        *i = read_instruction(tr__proto_inner(&computation));
        if (!tr__hlo_shape(r, i->shape, &part->shapes[part->n_shapes]) ||
            !tr__numbers_set(&part->of, (uint64_t)i->id, (uint32_t)part->n_shapes++))
            return false;
    }
    return true;
}

/* Shapes (dims) or types of the operands m, as a list. */
static bool operands_of(struct tr__xplane_reader *r, struct tr__proto m, bool dims, uint32_t *to)
{
    struct tr_json_doc j = { .out = &r->json };
    uint64_t id;
    r->json.len = 0;
    bool ok = tr_json_doc_open(&j, '['), any = false;
    while (ok && tr__proto_next(&m)) {
        if (m.field != INSTRUCTION_OPERANDS)
            continue;
        for (const unsigned char *p = NULL; ok && tr__proto_element(&m, &p, TR__WIRE_VARINT, &id);) {
            uint32_t at = tr__numbers_get(&r->part.of, id);
            struct tr_str s = { NULL, 0 };
            if (at != UINT32_MAX)
                s = tr__xplane_str(r, dims ? r->part.shapes[at].dims : r->part.shapes[at].type);
            any = true;
            ok = !s.s ? tr_json_doc_null(&j)
                 : dims ? tr_json_doc_next(&j) && tr_buf_add(&r->json, s.s, s.len)
                        : tr_json_doc_str(&j, s);
        }
    }
    ok = ok && tr_json_doc_close(&j);
    *to = TR_NO_STR;
    return ok && (!any || (*to = tr__xplane_string(r, r->json.data, r->json.len)) != TR_NO_STR);
}

/* Elements of all operands m together, if they are of one type. */
static void count_operands(const struct tr__xplane_reader *r, struct tr__proto m, struct tr__hlo_instruction *h)
{
    uint64_t id;
    h->elements = 0;
    h->element = TR_NO_STR;
    while (tr__proto_next(&m)) {
        if (m.field != INSTRUCTION_OPERANDS)
            continue;
        for (const unsigned char *p = NULL; tr__proto_element(&m, &p, TR__WIRE_VARINT, &id);) {
            uint32_t at = tr__numbers_get(&r->part.of, id);
            const struct tr__hlo_shape *s = at == UINT32_MAX ? NULL : &r->part.shapes[at];
            bool fits = h->elements >= 0 && s && s->elements >= 0 && s->elements <= INT64_MAX - h->elements &&
                        (h->element == TR_NO_STR || h->element == s->element);
            h->elements = fits ? h->elements + s->elements : -1;
            h->element = fits ? s->element : TR_NO_STR;
        }
    }
}

/* The numbers of the shapes of the operands m, as bytes of r->text.  *known: each has one, and they are few. */
static bool list_shapes(struct tr__xplane_reader *r, struct tr__proto m, bool *known)
{
    uint64_t id;
    bool ok = true;
    r->text.len = 0;
    *known = true;
    while (ok && *known && tr__proto_next(&m)) {
        if (m.field != INSTRUCTION_OPERANDS)
            continue;
        for (const unsigned char *p = NULL; ok && *known && tr__proto_element(&m, &p, TR__WIRE_VARINT, &id);) {
            uint32_t at = tr__numbers_get(&r->part.of, id);
            uint32_t number = at == UINT32_MAX ? TR_NO_STR : r->part.shapes[at].number;
            *known = number != TR_NO_STR && r->text.len < TR__LONGEST_KEPT_SHAPE;
            ok = !*known || tr_buf_add(&r->text, &number, sizeof number);
        }
    }
    return ok;
}

/* What follows from the shapes of the operands; it is found once for the same shapes. */
static bool take_operands(struct tr__xplane_reader *r, struct tr__proto m, struct tr__hlo_instruction *h)
{
    bool known;
    uint32_t at = TR_NO_STR, n = tr_strtab_count(r->operand_lists);
    if (!list_shapes(r, m, &known))
        return false;
    if (known)
        at = tr__hlo_keep(r, r->operand_lists, r->text.data, r->text.len);
    if (at != TR_NO_STR && !tr_grow(&r->operands_of, &r->cap_operands_of, (size_t)at + 1, sizeof *r->operands_of))
        return false;
    if (at != TR_NO_STR && at < n) {
        const struct tr__hlo_operands *o = &r->operands_of[at];
        h->in_dims = o->dims;
        h->in_types = o->types;
        h->element = o->element;
        h->elements = o->elements;
        return true;
    }
    if (!operands_of(r, m, true, &h->in_dims) || !operands_of(r, m, false, &h->in_types))
        return false;
    count_operands(r, m, h);
    if (at != TR_NO_STR)
        r->operands_of[at] = (struct tr__hlo_operands){ h->in_dims, h->in_types, h->element, h->elements };
    return true;
}

/* The name of a collective without "-start"; "wait" for "all-reduce-done"; no text: it is none. */
static struct tr_str collective_name(struct tr_str opcode)
{
    static const char *const names[] = { "all-reduce", "all-gather", "reduce-scatter", "all-to-all",
                                         "ragged-all-to-all",
                                         "collective-broadcast", "collective-permute" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (opcode.len < n || memcmp(opcode.s, names[i], n) != 0)
            continue;
        struct tr_str rest = { opcode.s + n, opcode.len - n };
        if (!rest.len || tr_str_is(rest, "-start"))
            return tr_str_of(names[i]);
        if (tr_str_is(rest, "-done"))
            return tr_str_of("wait");
    }
    return (struct tr_str){ NULL, 0 };
}

/* An instruction of what a fusion or an asynchronous operation calls (m): bodies or costs of a part; NULL: none. */
static const struct tr__hlo_instruction *called(const struct tr__xplane_reader *r, const struct tr__numbers *of,
                                                struct tr__proto m)
{
    uint64_t id;
    while (tr__proto_next(&m)) {
        if (m.field != INSTRUCTION_CALLED)
            continue;
        for (const unsigned char *p = NULL; tr__proto_element(&m, &p, TR__WIRE_VARINT, &id);) {
            uint32_t at = tr__numbers_get(of, id);
            if (at != UINT32_MAX)
                return &r->instructions[at];
        }
    }
    return NULL;
}

/* Does one of the operands m start a collective?  For the end of an asynchronous operation. */
static bool ends_collective(const struct tr__xplane_reader *r, struct tr__proto m)
{
    uint64_t id;
    while (tr__proto_next(&m)) {
        if (m.field != INSTRUCTION_OPERANDS)
            continue;
        for (const unsigned char *p = NULL; tr__proto_element(&m, &p, TR__WIRE_VARINT, &id);) {
            uint32_t at = tr__numbers_get(&r->part.of, id);
            if (at != UINT32_MAX && r->part.shapes[at].collective != TR_NO_STR)
                return true;
        }
    }
    return false;
}

/* What a collective does, and among which devices. */
static bool take_collective(struct tr__xplane_reader *r, const struct instruction *i, uint32_t at,
                            struct tr__hlo_instruction *h)
{
    struct tr_str name = collective_name(i->opcode);
    bool wraps = tr_str_is(i->opcode, "fusion") || tr_str_is(i->opcode, "async-start");
    const struct tr__hlo_instruction *body = wraps ? called(r, &r->part.bodies, i->called) : NULL;
    h->collective = h->sets = TR_NO_STR;
    if (tr_str_is(i->opcode, "async-done") && ends_collective(r, i->operands))
        name = tr_str_of("wait");
    if (body) {
        h->collective = body->collective;
        h->sets = body->sets;
        h->elements = body->elements;
        h->element = body->element;
    } else if (name.s) {
        h->collective = tr__xplane_string(r, (const unsigned char *)name.s, name.len);
        if (h->collective == TR_NO_STR || !tr__hlo_groups(r, i->whole, true, &h->sets))
            return false;
    }
    if (at != UINT32_MAX)
        r->part.shapes[at].collective = h->collective;
    return true;
}

static bool take_cost(struct tr__xplane_reader *r, const struct instruction *i, struct tr__hlo_instruction *h)
{
    const struct tr__hlo_cost_in in = { i->opcode, i->target, i->backend, h->dims, h->type, i->whole };
    const struct tr__hlo_instruction *body =
        tr_str_is(i->opcode, "fusion") ? called(r, &r->part.costs, i->called) : NULL;
    if (!body)
        return tr__hlo_cost(r, &in, &h->operation, &h->values);
    h->operation = body->operation;
    h->values = body->values;
    return true;
}

static void set_text(struct tr_side_value *v, struct tr_str s)
{
    v->present = s.s != NULL && s.len > 0;
    v->text = s.s;
    v->len = s.len;
}

static bool add_row(struct tr__xplane_reader *r, int64_t program, struct tr_str module, struct tr_str computation,
                    const struct instruction *i, const struct tr__hlo_instruction *h)
{
    struct tr_side_value row[N_COLS] = { [COL_PROGRAM] = { true, program }, [COL_LINE] = { i->line > 0, i->line } };
    if (r->table_too_large)
        return true;
    if (!r->table) {
        r->table = tr_side_table_new("hlo", 0);
        for (size_t k = 0; k < N_COLS; k++)
            if (!r->table || !tr_side_table_column(r->table, columns[k].name, columns[k].type))
                return false;
    }
    set_text(&row[COL_MODULE], module);
    set_text(&row[COL_COMPUTATION], computation);
    set_text(&row[COL_NAME], i->name);
    set_text(&row[COL_OPCODE], i->opcode);
    set_text(&row[COL_TARGET], i->target);
    set_text(&row[COL_TYPE], tr__xplane_str(r, h->type));
    set_text(&row[COL_DIMS], tr__xplane_str(r, h->dims));
    set_text(&row[COL_IN_TYPES], tr__xplane_str(r, h->in_types));
    set_text(&row[COL_IN_DIMS], tr__xplane_str(r, h->in_dims));
    set_text(&row[COL_GROUPS], tr__xplane_str(r, h->groups));
    set_text(&row[COL_OP_NAME], i->op_name);
    set_text(&row[COL_FILE], i->file);
    set_text(&row[COL_BACKEND], i->backend);
    if (!tr_side_table_add(r->table, row))
        return false;
    if (r->table->rows.len > MAX_TABLE) {
        tr_side_table_free(r->table);
        r->table = NULL;
        r->table_too_large = true;
        if (r->warn)
            r->warn(r->warn_ctx, r->name, "", "the table hlo is left out: its programs are too large");
    }
    return true;
}

/* The key of an instruction: its program and its name. */
static bool place_of(struct tr__xplane_reader *r, int64_t program, struct tr_str name)
{
    r->text.len = 0;
    return tr_buf_add(&r->text, &program, sizeof program) && tr_buf_add_text(&r->text, name);
}

static bool take_instruction(struct tr__xplane_reader *r, int64_t program, struct tr_str module,
                             struct tr_str computation, const struct instruction *i)
{
    struct tr__hlo_instruction h;
    uint32_t at = tr__numbers_get(&r->part.of, (uint64_t)i->id);
    h.type = at == UINT32_MAX ? TR_NO_STR : r->part.shapes[at].type;
    h.dims = at == UINT32_MAX ? TR_NO_STR : r->part.shapes[at].dims;
    h.opcode = tr__xplane_string(r, (const unsigned char *)i->opcode.s, i->opcode.len);
    h.op_name = i->op_name.len ? tr__xplane_string(r, (const unsigned char *)i->op_name.s, i->op_name.len) : TR_NO_STR;
    h.groups = TR_NO_STR;
    if ((i->op_name.len && h.op_name == TR_NO_STR) || h.opcode == TR_NO_STR ||
        !take_operands(r, i->operands, &h) ||
        (i->grouped && !tr__hlo_groups(r, i->whole, false, &h.groups)) ||
        !take_collective(r, i, at, &h) || !take_cost(r, i, &h) || !place_of(r, program, i->name))
        return false;
    uint32_t number = tr_strtab_add(r->places, r->text.data, r->text.len);
    if (number == TR_NO_STR)
        return false;
    if (number == r->n_instructions) { /* the first of equal names counts */
        if (!tr_grow(&r->instructions, &r->cap_instructions, r->n_instructions + 1, sizeof *r->instructions))
            return false;
        r->instructions[r->n_instructions++] = h;
    }
    return add_row(r, program, module, computation, i, &h);
}

/* Remember where the first collective of a computation is, and the only instruction with a cost. */
static bool note_computation(struct tr__xplane_reader *r, int64_t id, size_t first)
{
    size_t collective = SIZE_MAX, cost = SIZE_MAX, n_costs = 0;
    for (size_t i = r->n_instructions; i-- > first;) {
        collective = r->instructions[i].collective != TR_NO_STR ? i : collective;
        cost = r->instructions[i].operation != TR_NO_STR ? i : cost;
        n_costs += r->instructions[i].operation != TR_NO_STR;
    }
    return (collective == SIZE_MAX || tr__numbers_set(&r->part.bodies, (uint64_t)id, (uint32_t)collective)) &&
           (n_costs != 1 || tr__numbers_set(&r->part.costs, (uint64_t)id, (uint32_t)cost));
}

static bool take_computation(struct tr__xplane_reader *r, int64_t program, struct tr_str module, struct tr__proto m)
{
    struct tr_str name = { NULL, 0 };
    struct instructions all = { NULL, 0, 0 };
    int64_t id = 0;
    size_t first = r->n_instructions;
    for (struct tr__proto k = m; tr__proto_next(&k);)
        if (tr__proto_is(&k, COMPUTATION_NAME, TR__WIRE_BYTES))
            name = bytes_of(&k);
        else if (tr__proto_is(&k, COMPUTATION_ID, TR__WIRE_VARINT))
            id = tr__proto_int(&k);
    bool ok = read_instructions(r, m, &all);
    for (size_t k = 0; ok && k < all.n; k++)
        ok = take_instruction(r, program, module, name, &all.v[k]);
    free(all.v);
    return ok && note_computation(r, id, first);
}

bool tr__hlo_program(struct tr__xplane_reader *r, int64_t id, struct tr_str name, struct tr__proto hlo)
{
    struct tr__proto module = tr__proto_of(NULL, 0);
    bool ok = true;
    while (tr__proto_next(&hlo))
        if (tr__proto_is(&hlo, PROTO_MODULE, TR__WIRE_BYTES))
            module = tr__proto_inner(&hlo);
    r->part.n_assigned = 0;
    for (struct tr__proto m = module; ok && tr__proto_next(&m);)
        if (tr__proto_is(&m, MODULE_NAME, TR__WIRE_BYTES))
            name = bytes_of(&m);
        else if (tr__proto_is(&m, MODULE_ASSIGNMENT, TR__WIRE_BYTES))
            ok = tr__hlo_assign(r, tr__proto_inner(&m));
    uint32_t number = tr_strtab_add(r->modules, name.s ? name.s : "", name.len);
    if (number == TR_NO_STR || !tr_grow(&r->programs, &r->cap_programs, (size_t)number + 1, sizeof *r->programs))
        return false;
    if (number == r->n_programs)
        r->programs[r->n_programs++] = id;
    tr__numbers_clear(&r->part.of);
    tr__numbers_clear(&r->part.bodies);
    tr__numbers_clear(&r->part.costs);
    r->part.n_shapes = 0;
    while (ok && tr__proto_next(&module))
        if (tr__proto_is(&module, MODULE_COMPUTATION, TR__WIRE_BYTES))
            ok = take_computation(r, id, name, tr__proto_inner(&module));
    return ok;
}

const struct tr__hlo_instruction *tr__hlo_find(struct tr__xplane_reader *r, int64_t program, struct tr_str module,
                                               struct tr_str name)
{
    uint32_t at;
    if (program == TR_I64_NONE) {
        at = module.s ? tr_strtab_find(r->modules, module.s, module.len) : TR_NO_STR;
        if (at == TR_NO_STR)
            return NULL;
        program = r->programs[at];
    }
    if (!place_of(r, program, name))
        return NULL;
    at = tr_strtab_find(r->places, r->text.data, r->text.len);
    return at == TR_NO_STR ? NULL : &r->instructions[at];
}
