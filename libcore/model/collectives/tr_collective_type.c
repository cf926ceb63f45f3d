/* SPDX-License-Identifier: MIT */
/* Collectives: the type of an operation, by its name. */
#include "model/collectives/tr_collective_int.h"

#include "base/tr_num.h"

#include <ctype.h>
#include <string.h>

/* If a name starts with another one, the longer one comes first. */
static const struct {
    const char *text;
    enum tr_coll_type type;
} rules[] = {
    { "alltoallv", TR_COLL_ALLTOALLV }, { "alltoallw", TR_COLL_ALLTOALLV },
    { "all2allv", TR_COLL_ALLTOALLV },  { "raggedalltoall", TR_COLL_ALLTOALLV },
    { "alltoall", TR_COLL_ALLTOALL },   { "all2all", TR_COLL_ALLTOALL },
    { "collectivepermute", TR_COLL_PERMUTE },
    { "allreduce", TR_COLL_ALLREDUCE }, { "crossdevicereduce", TR_COLL_ALLREDUCE },
    { "allgather", TR_COLL_ALLGATHER }, { "reducescatter", TR_COLL_REDUCESCATTER },
    { "barrier", TR_COLL_BARRIER },     { "broadcast", TR_COLL_BROADCAST },
    { "reeducescatter", TR_COLL_REDUCESCATTER }, /* as unitrace spells a call of MPI */
    { "sendrecv", TR_COLL_SENDRECV },   { "isendirecv", TR_COLL_SENDRECV },
    { "reduce", TR_COLL_REDUCE },
    { "gather", TR_COLL_GATHER },       { "scatter", TR_COLL_SCATTER },
    { "send", TR_COLL_SEND },           { "recv", TR_COLL_RECV },
};

bool tr__coll_is_note(struct tr_str name)
{
    return name.len > TR__COLL_NOTE_LEN && memcmp(name.s, TR__COLL_NOTE, TR__COLL_NOTE_LEN) == 0;
}

enum tr_coll_type tr_coll_type_of(struct tr_str name)
{
    /* Names differ only in case and in what separates words: all_reduce, AllReduce, all-reduce, _allgather_base.
     * Parentheses and angle brackets contain types of arguments. */
    char plain[95];
    size_t n = 0;
    for (size_t i = 0; i < name.len && name.s[i] != '(' && name.s[i] != '<' && n < sizeof plain; i++)
        if (name.s[i] != '_' && name.s[i] != '-')
            plain[n++] = (char)tolower((unsigned char)name.s[i]);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (tr_str_has((struct tr_str){ plain, n }, tr_str_of(rules[i].text))) {
            /* Annotations do not say whether all parts have one size. */
            bool open = rules[i].type == TR_COLL_ALLTOALL && tr__coll_is_note(name);
            return open ? TR_COLL_ALLTOALLV : rules[i].type;
        }
    return TR_COLL_UNKNOWN;
}

const char *tr_coll_type_name(enum tr_coll_type type)
{
    static const char *const names[] = {
        [TR_COLL_UNKNOWN] = "",
        [TR_COLL_ALLREDUCE] = "allreduce",
        [TR_COLL_ALLGATHER] = "allgather",
        [TR_COLL_REDUCESCATTER] = "reducescatter",
        [TR_COLL_ALLTOALL] = "alltoall",
        [TR_COLL_ALLTOALLV] = "alltoallv",
        [TR_COLL_BARRIER] = "barrier",
        [TR_COLL_BROADCAST] = "broadcast",
        [TR_COLL_REDUCE] = "reduce",
        [TR_COLL_GATHER] = "gather",
        [TR_COLL_SCATTER] = "scatter",
        [TR_COLL_PERMUTE] = "permute",
        [TR_COLL_SEND] = "send",
        [TR_COLL_RECV] = "recv",
        [TR_COLL_SENDRECV] = "sendrecv",
    };
    return (unsigned)type < TR_COLL_N_TYPES ? names[type] : "";
}

bool tr_coll_is_sync(enum tr_coll_type type)
{
    return type >= TR_COLL_ALLREDUCE && type <= TR_COLL_BARRIER;
}

/* Of a list of types the first: ["c10::Half", "int"]. */
static struct tr_str first_type(struct tr_str dtype)
{
    static const char space[] = "c10::";
    while (dtype.len && (*dtype.s == '[' || *dtype.s == '"'))
        dtype = (struct tr_str){ dtype.s + 1, dtype.len - 1 };
    if (dtype.len >= sizeof space - 1 && memcmp(dtype.s, space, sizeof space - 1) == 0)
        dtype = (struct tr_str){ dtype.s + sizeof space - 1, dtype.len - (sizeof space - 1) };
    for (size_t i = 0; i < dtype.len; i++)
        if (dtype.s[i] == '"' || dtype.s[i] == ']')
            dtype.len = i;
    return dtype;
}

int64_t tr__coll_dims_elems(struct tr_str dims)
{
    uint64_t sum = 0, n = 0, one = 0; /* one: of the current tensor; 0: it has no dimensions yet */
    for (size_t i = 0, len; i <= dims.len; i += len ? len : 1) {
        len = i < dims.len ? tr_num_digits(dims.s + i, dims.len - i, INT64_MAX, &n, NULL) : 0;
        if (len) {
            one = one ? one : 1;
            if (n == INT64_MAX || (n && one > INT64_MAX / n))
                return -1;
            one *= n;
            if (!n) /* an empty tensor */
                while (i + len < dims.len && dims.s[i + len] != ']')
                    len++;
        } else if (i == dims.len || dims.s[i] == ']') {
            if (one > INT64_MAX - sum)
                return -1;
            sum += one;
            one = 0;
        }
    }
    return sum ? (int64_t)sum : -1;
}

unsigned tr_coll_elem_size(struct tr_str dtype)
{
    static const struct {
        const char *name;
        unsigned size;
    } sizes[] = {
        { "Float", 4 },        { "BFloat16", 2 },       { "Half", 2 },   { "Long", 8 },
        { "Int", 4 },          { "Byte", 1 },           { "Char", 1 },   { "Bool", 1 },
        { "Double", 8 },       { "Short", 2 },          { "UInt16", 2 }, { "UInt32", 4 },
        { "UInt64", 8 },       { "ComplexHalf", 4 },    { "QInt8", 1 },  { "QUInt8", 1 },
        { "ComplexFloat", 8 }, { "ComplexDouble", 16 },
        /* of operators */
        { "float", 4 },        { "double", 8 },         { "int", 4 },    { "long int", 8 },
        { "long", 8 },         { "short int", 2 },      { "short", 2 },  { "unsigned char", 1 },
        { "signed char", 1 },  { "char", 1 },           { "bool", 1 },
        /* of oneCCL */
        { "float16", 2 },      { "bfloat16", 2 },       { "float32", 4 }, { "float64", 8 },
        { "int8", 1 },         { "int16", 2 },          { "int32", 4 },   { "int64", 8 },
        { "uint8", 1 },        { "uint16", 2 },         { "uint32", 4 },  { "uint64", 8 },
        /* of XLA */
        { "f32", 4 },          { "bf16", 2 },           { "f16", 2 },    { "f64", 8 },
        { "s8", 1 },           { "s16", 2 },            { "s32", 4 },    { "s64", 8 },
        { "u8", 1 },           { "u16", 2 },            { "u32", 4 },    { "u64", 8 },
        { "pred", 1 },         { "c64", 8 },            { "c128", 16 },
    };
    dtype = first_type(dtype);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (tr_str_is(dtype, sizes[i].name))
            return sizes[i].size;
    bool eight =
        (dtype.len >= 7 && memcmp(dtype.s, "Float8_", 7) == 0) || (dtype.len > 2 && memcmp(dtype.s, "f8", 2) == 0);
    return eight ? 1 : 0;
}

static int64_t bytes_of(const struct tr_dict *dict, uint32_t dtype, int64_t elems)
{
    unsigned size = dtype == TR_NO_STR ? 0 : tr_coll_elem_size(tr_dict_text(dict, dtype));
    return !size || elems < 0 || elems > INT64_MAX / size ? -1 : elems * (int64_t)size;
}

int64_t tr_coll_side_bytes(const struct tr_dict *dict, const struct tr_coll_call *call, bool out)
{
    return call->bytes >= 0 ? call->bytes : bytes_of(dict, call->dtype, out ? call->out_elems : call->in_elems);
}

int64_t tr_coll_call_bytes(const struct tr_dict *dict, const struct tr_coll_call *call,
                           enum tr_coll_type type)
{
    int64_t in = tr_coll_side_bytes(dict, call, false), out = tr_coll_side_bytes(dict, call, true);
    switch (type) {
    case TR_COLL_ALLREDUCE:
    case TR_COLL_REDUCESCATTER:
    case TR_COLL_ALLTOALL:
    case TR_COLL_REDUCE:
    case TR_COLL_SCATTER:
    case TR_COLL_PERMUTE:
    case TR_COLL_SEND:
        return in;
    case TR_COLL_ALLGATHER:
    case TR_COLL_GATHER:
    case TR_COLL_RECV:
        return out;
    case TR_COLL_BROADCAST:
        return in > out ? in : out;
    default:
        return -1;
    }
}

double tr_coll_bus_factor(enum tr_coll_type type, int64_t n)
{
    switch (type) {
    case TR_COLL_ALLREDUCE:
        return n > 0 ? 2.0 * (double)(n - 1) / (double)n : 0;
    case TR_COLL_ALLGATHER:
    case TR_COLL_REDUCESCATTER:
    case TR_COLL_ALLTOALL:
    case TR_COLL_GATHER:
    case TR_COLL_SCATTER:
        return n > 0 ? (double)(n - 1) / (double)n : 0;
    case TR_COLL_BROADCAST:
    case TR_COLL_REDUCE:
    case TR_COLL_PERMUTE:
    case TR_COLL_SEND:
    case TR_COLL_RECV:
        return 1;
    default:
        return 0;
    }
}

int64_t tr_coll_size(const struct tr_colls *c, const struct tr_coll *coll)
{
    int64_t size = c->groups[coll->group].size;
    return size < 0 && c->calls[c->members[coll->first].call].bytes >= 0 ? (int64_t)coll->n : size;
}

bool tr_coll_list_next(struct tr_str *list, int64_t *rank)
{
    uint64_t n = 0;
    size_t len = 0;
    for (; list->len && !len; list->s += len ? len : 1, list->len -= len ? len : 1)
        len = tr_num_digits(list->s, list->len, INT64_MAX, &n, NULL);
    *rank = (int64_t)n;
    return len > 0;
}

struct tr_str tr_coll_label(const struct tr_dict *dict, const struct tr_colls *c,
                          const struct tr_coll *coll)
{
    const struct tr_coll_member *m = &c->members[coll->first];
    uint32_t name = c->calls[m->call].name;
    if (name != TR_NO_STR) {
        struct tr_str text = tr_dict_text(dict, name);
        return tr__coll_is_note(text) ? (struct tr_str){ text.s + TR__COLL_NOTE_LEN, text.len - TR__COLL_NOTE_LEN }
                                      : text;
    }
    const char *type = tr_coll_type_name((enum tr_coll_type)m->type);
    return *type ? tr_str_of(type) : tr_dict_text(dict, m->name);
}

/* Elements that all members of a collective must agree on; -1: nothing that must be equal. */
int64_t tr__coll_common_elems(const struct tr_coll_call *call, unsigned type)
{
    if (call->bytes >= 0) /* of the largest message: ranks may have parts */
        return -1;
    switch (type) {
    case TR_COLL_ALLREDUCE:
    case TR_COLL_REDUCESCATTER:
    case TR_COLL_ALLTOALL:
    case TR_COLL_REDUCE:
    case TR_COLL_PERMUTE:
    case TR_COLL_SEND:
        return call->in_elems;
    case TR_COLL_ALLGATHER:
    case TR_COLL_RECV:
        return call->out_elems;
    case TR_COLL_BROADCAST:
        return call->in_elems > call->out_elems ? call->in_elems : call->out_elems;
    default:
        return -1;
    }
}

/* The kind of a member's collective, as a number: by type, else by name. */
int64_t tr__coll_kind(const struct tr_colls *c, const struct tr_coll_member *m)
{
    uint32_t name = c->calls[m->call].name;
    if (m->type == TR_COLL_RECV)
        return TR_COLL_SEND;
    return m->type != TR_COLL_UNKNOWN ? m->type
                                      : TR_COLL_N_TYPES + (name == TR_NO_STR ? m->name : name);
}
