#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Models of operators against loops that count: usage: models.py BIN

Each call is given to tr-roofline --shape, all of them at once.  What it needs is found by doing it: loops visit what
the operator computes, as its definition says, and count an operation wherever there is one.  Bytes are those of the
tensors that are read and written, element by element where not all of them are.  The sources of the definitions are
named beside them; the text of the models is not used.
"""
import itertools
import json
import subprocess
import sys

SIZE = {"float32": 4, "float64": 8, "bf16": 2, "fp16": 2, "fp8": 1, "uint8": 1, "int8": 1, "bool": 1, "int32": 4,
        "int64": 8}


class T:
    """A tensor that is an argument."""
    def __init__(self, dtype, *shape):
        self.dtype, self.shape = dtype, list(shape)

    def text(self):
        return "%s[%s]" % (self.dtype, ",".join(map(str, self.shape)))

    def elements(self):
        n = 1
        for d in self.shape:
            n *= d
        return n

    def bytes(self):
        return self.elements() * SIZE[self.dtype]


def places(*shape):
    return itertools.product(*map(range, shape))


def moved(*tensors):
    return sum(t.bytes() for t in tensors)


CASES = []


def case(name, args, flop, bytes):
    """args: tensors, lists of tensors, None, and values; what a value is stands in arg(N), so lists are values, too."""
    CASES.append((name, args, flop, bytes))


# ---- products of matrices: each result is a sum of products

def products(m, n, k):
    return sum(2 for _ in places(m, n, k))  # a multiply and an add


def gemms():
    a, b = T("bf16", 5, 7), T("bf16", 7, 3)
    case("aten::mm", [a, b], products(5, 3, 7), moved(a, b, T("bf16", 5, 3)))
    c = T("float32", 3)
    a, b = T("float32", 5, 7), T("float32", 7, 3)
    case("aten::addmm", [c, a, b], products(5, 3, 7) + sum(1 for _ in places(5, 3)), moved(c, a, b, T("float32", 5, 3)))
    a, b = T("fp16", 4, 5, 7), T("fp16", 4, 7, 3)
    case("aten::bmm", [a, b], sum(products(5, 3, 7) for _ in range(4)), moved(a, b, T("fp16", 4, 5, 3)))
    a, b = T("float32", 6, 9), T("float32", 9)
    case("aten::mv", [a, b], products(6, 1, 9), moved(a, b, T("float32", 6)))
    a, b = T("int8", 6, 8), T("int8", 8, 10)
    case("aten::_int_mm", [a, b], products(6, 10, 8), moved(a, b, T("int32", 6, 10)))
    a, b = T("int8", 2, 3, 8), T("int8", 10, 8)
    case("bitsandbytes::int8_linear_matmul", [a, b], products(2 * 3, 10, 8), moved(a, b, T("int32", 2, 3, 10)))
    a, b = T("fp8", 6, 8), T("fp8", 8, 10)
    case("aten::_scaled_mm", [a, b], products(6, 10, 8), moved(a, b, T("bf16", 6, 10)))
    # Rows of a belong to one of three matrices: each row is multiplied with one.
    a, b = T("bf16", 11, 4), T("bf16", 3, 4, 6)
    case("aten::_grouped_mm", [a, b, T("int32", 3)], sum(products(1, 6, 4) for _ in range(11)), moved(a, b, T("bf16", 11, 6)))
    # NVFP4: a byte has two numbers; blocks of 16 have a scale of one byte (NVIDIA, "Introducing NVFP4", 2025).
    nibbles = [(row, byte, half) for row, byte, half in places(8, 16, 2)]
    k = len(nibbles) // 8
    a, b, sa, sb = T("uint8", 8, 16), T("uint8", 12, 16), T("uint8", 8, k // 16), T("uint8", 12, k // 16)
    case("trtllm::nvfp4_gemm", [a, b, sa, sb], products(8, 12, k), moved(a, b, sa, sb, T("bf16", 8, 12)))


# ---- convolutions: each result is a sum over a window of the padded input, or each input is spread over one

def convolution(x, w, stride, padding, dilation, groups):
    ops, out = 0, []
    for size, kernel, s, p, d in zip(x.shape[2:], w.shape[2:], stride, padding, dilation):
        starts = [at for at in range(-p, size + p) if (at + p) % s == 0 and at + d * (kernel - 1) < size + p]
        out.append(len(starts))
    for _ in places(x.shape[0], w.shape[0], *out):
        for _ in places(x.shape[1] // groups, *w.shape[2:]):
            ops += 2
    return ops, [x.shape[0], w.shape[0]] + out


def convolutions():
    x, w = T("float32", 2, 4, 9, 7), T("float32", 6, 2, 3, 2)
    ops, out = convolution(x, w, (2, 1), (1, 0), (1, 2), 2)
    case("aten::convolution", [x, w, None, [2, 1], [1, 0], [1, 2], False, [0, 0], 2], ops, moved(x, w, T("float32", *out)))
    x, w, b = T("bf16", 2, 3, 8), T("bf16", 5, 3, 3), T("bf16", 5)
    ops, out = convolution(x, w, (1,), (1,), (1,), 1)
    case("aten::convolution", [x, w, b, [1], [1], [1], False, [0], 1], ops + sum(1 for _ in places(*out)),
         moved(x, w, b, T("bf16", *out)))
    # Transposed: each number of the input times each of its filters; results reach from the first to the last of them.
    x, w = T("float32", 1, 3, 5), T("float32", 3, 4, 4)
    reached = {i * 2 + j for i, j in places(5, 4)}
    case("aten::convolution", [x, w, None, [2], [0], [1], True, [0], 1], sum(2 for _ in places(1, 3, 5, 4, 4)),
         moved(x, w, T("float32", 1, 4, len(reached))))
    # Its gradients: by the input and by the filters, each as many products as forward; the bias is a sum.
    x, w, dy = T("float32", 2, 3, 6), T("float32", 4, 3, 3), T("float32", 2, 4, 4)
    ops, out = convolution(x, w, (1,), (0,), (1,), 1)
    assert out == dy.shape
    case("aten::convolution_backward", [dy, x, w, [4], [1], [0], [1], False, [0], 1, [True, True, True]],
         2 * ops + sum(1 for _ in places(*dy.shape)), 2 * moved(dy, x, w) + moved(T("float32", 4)))


# ---- attention: a product of a query and a key, and one of the weight and the value, for each pair that is not masked

def attention():
    q, k, v = T("bf16", 2, 4, 6, 8), T("bf16", 2, 4, 10, 8), T("bf16", 2, 4, 10, 5)
    ops = sum(sum(2 for _ in range(8)) + sum(2 for _ in range(5)) for _ in places(2, 4, 6, 10))
    case("aten::_scaled_dot_product_efficient_attention", [q, k, v, None, False, 0.0, False], ops,
         moved(q, k, v, T("bf16", 2, 4, 6, 5)))
    # Causal: keys before the query; its own counts half, so that a square of n has n n / 2 (Dao, FlashAttention-2, 2023).
    # The first query has the first key (PyTorch, scaled_dot_product_attention: tril(diagonal=0); cuDNN, diagonal at the top
    # left), or the last query has the last key (FlashAttention, "aligned to the bottom right").
    def masked(queries, keys, last):
        own = {i: i + (keys - queries if last else 0) for i in range(queries)}
        return sum(1 if j < own[i] else 0.5 if j == own[i] else 0 for i, j in places(queries, keys))
    for queries, keys in (12, 12), (6, 10), (11, 4):
        first, last = masked(queries, keys, False), masked(queries, keys, True)
        assert first == last or queries != keys
        q, k, v = T("bf16", 1, 2, queries, 8), T("bf16", 1, 2, keys, 8), T("bf16", 1, 2, keys, 5)
        out = T("bf16", 1, 2, queries, 5)
        for name, pairs, args in (("flash", last, [0.0, True]), ("efficient", first, [None, False, 0.0, True]),
                                  ("cudnn", first, [None, False, 0.0, True])):
            case("aten::_scaled_dot_product_%s_attention" % name, [q, k, v] + args, 2 * 2 * pairs * (8 + 5), moved(q, k, v, out))
        case("aten::_cudnn_attention_forward", [q, k, v] + [None] * 6 + [0.0, True], 2 * 2 * first * (8 + 5), moved(q, k, v, out))
        # Backward: the scores again, and the gradients of scores, queries, keys, values: 3 products by d_qk, 2 by d_v.
        back, gradients = 2 * 2 * (3 * 8 + 2 * 5), moved(q, k, v, out, q, k, v)
        for name, pairs, at in ("flash", last, 11), ("efficient", first, 11), ("cudnn", first, 14):
            case("aten::_scaled_dot_product_%s_attention_backward" % name, [out, q, k, v] + [None] * (at - 4) + [True], pairs * back,
                 gradients)
        # Heads after lengths; the kind of mask is a number: none, from the first, to the last.  A batch of each.
        for kind, pairs in enumerate((queries * keys, first, last)):
            q, k, v, out = (T("bf16", kind + 1, n, 2, d) for n, d in ((queries, 8), (keys, 8), (keys, 5), (queries, 5)))
            pairs *= kind + 1
            case("aten::_efficient_attention_forward", [q, k, v] + [None] * 6 + [kind], 2 * 2 * pairs * (8 + 5), moved(q, k, v, out))
            case("aten::_efficient_attention_backward", [out, q, k, v] + [None] * 10 + [kind], pairs * back,
                 moved(q, k, v, out, q, k, v))
        q, k, v, out = (T("bf16", 1, n, 2, d) for n, d in ((queries, 8), (keys, 8), (keys, 5), (queries, 5)))
        case("aten::_flash_attention_forward", [q, k, v] + [None] * 5 + [True], 2 * 2 * last * (8 + 5), moved(q, k, v, out))
        # Gradient, three inputs, result, logarithms of sums, three gradients, dropout, scale, mask; aiter has no gradients there.
        for name, at in ("flash_attn::_flash_attn_backward", 11), ("aiter::mha_bwd", 8), ("aiter::fmha_v3_bwd", 8):
            case(name, [out, q, k, v] + [None] * (at - 4) + [True], last * back, moved(q, k, v, out, q, k, v))
    # Sparse latent attention: all heads of a query share the listed keys, of which the first 512 numbers are the value
    # (DeepSeek-V3 technical report, 2024, section 2.1.1).  At best each key is read once.
    q, kv, at = T("bf16", 3, 2, 576), T("bf16", 5, 1, 576), T("int32", 3, 1, 4)
    ops = sum(sum(2 for _ in range(576)) + sum(2 for _ in range(512)) for _ in places(3, 2, 4))
    case("sgl_kernel::sparse_prefill_fwd", [q, kv, at, 0.1, 512], ops, moved(q, kv, at, T("bf16", 3, 2, 512)))


# ---- experts: which of them have work is chance; the mean over all choices, one by one

def experts():
    tokens, hidden, inter, n, k = 3, 4, 6, 4, 2
    choices = list(itertools.combinations(range(n), k))
    busy = [len(set(itertools.chain(*picked))) for picked in itertools.product(choices, repeat=tokens)]
    mean = sum(busy) / len(busy)
    ops = 0
    for _ in places(tokens, k):
        ops += products(1, 2 * inter, hidden) + products(1, hidden, inter)  # gate and up, down
    x, w1, w2 = T("float32", tokens, hidden), T("float32", n, 2 * inter, hidden), T("float32", n, hidden, inter)
    each = (w1.bytes() + w2.bytes()) / n
    case("vllm::outplace_fused_experts", [x, w1, w2, T("float32", tokens, k), T("int64", tokens, k)], ops,
         2 * x.bytes() + mean * each)


# ---- elements: what is read is each element once, however often it is used

def elementwise():
    x = T("fp16", 3, 5)
    case("aten::relu", [x], sum(1 for _ in places(3, 5)), moved(x, x))
    a, b = T("float32", 2, 3, 1), T("float32", 4)
    result = {(i, j, k) for i, j, k in places(2, 3, 4)}
    used = {(i, j) for i, j, _ in result}, {k for _, _, k in result}
    case("aten::add", [a, b], len(result), 4 * (len(used[0]) + len(used[1]) + len(result)))
    a, b = T("bf16", 6), T("bf16", 6)
    case("aten::eq", [a, b], sum(1 for _ in range(6)), moved(a, b, T("bool", 6)))
    # where: a condition, two values
    c, a, b = T("bool", 4, 1), T("float32", 4, 5), T("float32", 5)
    case("aten::where", [c, a, b], sum(1 for _ in places(4, 5)), moved(c, a, b, T("float32", 4, 5)))
    # x y / (1 + exp(-x)) of two halves: exp, negation and add as one each, a division, a product
    out, x = T("bf16", 3, 4), T("bf16", 3, 8)
    case("_C::silu_and_mul", [out, x], sum(len(("negate", "exp", "add", "divide", "multiply")) for _ in places(3, 4)),
         moved(out, x))
    x = T("bf16", 7, 2)
    case("aten::native_dropout", [x, 0.5, True], sum(1 for _ in places(7, 2)), moved(x, x, T("bool", 7, 2)))
    # Each pair is turned: x c - y s, y c + x s (Su et al., RoFormer, 2021, equation 34).
    q, k, table = T("bf16", 3, 16), T("bf16", 3, 8), T("float32", 64, 8)
    pairs = sum(1 for _ in places(3, 16 // 2)) + sum(1 for _ in places(3, 8 // 2))
    case("_C::rotary_embedding", [T("int64", 3), q, k, 8, table], 6 * pairs, 2 * moved(q, k))
    # AdamW (Loshchilov, Hutter, 2019, algorithm 2; the fused kernel has the factors without an element ready)
    step = ("decay", "b1 m", "(1 - b1) g", "add", "b2 v", "g g", "(1 - b2) gg", "add", "square root", "correct",
            "add epsilon", "divide", "times rate", "subtract")
    case("aten::_fused_adamw_", [[T("float32", 3, 2), T("float32", 4)]] + [None] * 8 + [0.01],
         sum(len(step) for _ in range(3 * 2 + 4)), None)


# ---- sums, means, norms

def reductions():
    x = T("float32", 2, 3, 4)
    case("aten::sum", [x, [-1], False], sum(1 for _ in places(2, 3, 4)), moved(x, T("float32", 2, 3)))
    x = T("bf16", 6, 5)
    case("aten::argmax", [x, 1], sum(1 for _ in places(6, 5)), moved(x, T("int64", 6)))
    # Softmax of rows: the greatest, minus it, exp, the sum, divided by it.
    x = T("bf16", 6, 5)
    ops = sum(sum(len(("compare", "subtract", "exp", "add", "divide")) for _ in range(5)) for _ in range(6))
    case("aten::_softmax", [x, 1, False], ops, moved(x, x))
    # Its gradient y (dy - sum(dy y)).
    ops = sum(sum(len(("multiply", "add", "subtract", "multiply")) for _ in range(5)) for _ in range(6))
    case("aten::_softmax_backward_data", [x, x], ops, moved(x, x, x))
    # RMSNorm (Zhang, Sennrich, 2019): squares and their sum, the mean, the root; each number by it and by the weight.
    out, x, w = T("bf16", 3, 8), T("bf16", 3, 8), T("bf16", 8)
    ops = 0
    for _ in range(3):
        ops += sum(2 for _ in range(8)) + 2 + sum(2 for _ in range(8))
    case("_C::rms_norm", [out, x, w], ops, moved(out, x, w))
    # With a residual, which is added and kept.
    ops += sum(1 for _ in places(3, 8))
    case("_C::fused_add_rms_norm", [x, T("bf16", 3, 8), w], ops, 2 * moved(x, x) + w.bytes())
    # Of the sum over ranks, which is received; the handle, an older register, and the results are arguments, or are not.
    low = [x, x, x, x, w]
    for name, args in (("aiter::fused_allreduce_rmsnorm", [None] + low), ("aiter::fused_allreduce_rmsnorm", [None, None] + low),
                       ("aiter::fused_allreduce_rmsnorm_", [x, x, w])):
        case(name, args, ops, moved(x, x, x, x, w))
    # Pools: an operation for each place of each window that begins in the input or before it.
    x, ops, out = T("float32", 2, 3, 7, 6), 0, []
    for size in (7, 6):
        out.append(len([at for at in range(-1, size) if (at + 1) % 2 == 0 and at + 2 < size + 1]))
    for _ in places(2, 3, *out):
        ops += sum(1 for _ in places(3, 3))
    y = T("float32", 2, 3, *out)
    case("aten::max_pool2d_with_indices", [x, [3, 3], [2, 2], [1, 1], [1, 1], False], ops,
         moved(x, y, T("int64", *y.shape)))


# ---- moving: rows are read and written, and their numbers read

def indexing():
    table, at = T("float32", 100, 6), T("int64", 2, 5)
    rows = [[c for c in range(6)] for _ in places(2, 5)]
    case("aten::embedding", [table, at], 0, 2 * 4 * sum(map(len, rows)) + at.bytes())
    x, at = T("bf16", 9, 4), T("int64", 3)
    case("aten::index_select", [x, 0, at], 0, 2 * 2 * sum(1 for _ in places(3, 4)) + at.bytes())
    x, at = T("float32", 5, 9), T("int64", 5, 2)
    case("aten::gather", [x, 1, at], 0, 2 * 4 * sum(1 for _ in places(5, 2)) + at.bytes())
    to, source = T("float32", 4, 6), T("float32", 4, 1)
    case("aten::copy_", [to, source], 0, moved(to, source))
    # A scale for 128 numbers of a row, the last of them for the rest.
    x = T("bf16", 3, 300)
    scales = {(i, j // 128) for i, j in places(3, 300)}
    case("trtllm::fp8_quantize_1x128", [x], sum(len(("compare", "divide")) for _ in places(3, 300)),
         moved(x, T("fp8", 3, 300)) + 4 * len(scales))
    # NVFP4: two numbers in a byte, a scale of one byte for 16 of them; the result is new, or the first argument.
    x = T("bf16", 4, 72)
    scales = {(i, j // 16) for i, j in places(4, 72)}
    ops = sum(len(("compare", "divide")) for _ in places(4, 72))
    case("_C::scaled_fp4_quant", [x, T("float32", 1), True], ops, moved(x) + 4 * 72 // 2 + len(scales))
    q, s = T("uint8", 4, 36), T("uint8", 4, 5)
    case("_C::scaled_fp4_quant", [q, x, s, T("float32", 1)], ops, moved(x, q, s))


def word(i, a):
    if isinstance(a, T):
        return a.text()
    if isinstance(a, list) and isinstance(a[0], T):
        return "[%s]" % ",".join("[%s]" % ",".join(map(str, t.shape)) for t in a) + " " + a[0].dtype
    value = a if not isinstance(a, list) else "[%s]" % ",".join(str(v).lower() for v in a)
    return "none" if a is None else "arg(%d)=%s" % (i, str(value).lower())


def shapes(args):
    of = [a.shape if isinstance(a, T) else [t.shape for t in a] if isinstance(a, list) and isinstance(a[0], T) else []
          for a in args]
    while of and not of[-1]:
        of.pop()
    return of


def main():
    for make in (gemms, convolutions, attention, experts, elementwise, reductions, indexing):
        make()
    command = [sys.argv[1] + "/tr-roofline", "-q", "-O", "json", "--columns", "name,shapes,flop,bytes"]
    for name, args, _, _ in CASES:
        command += ["--shape", " ".join([name] + [word(i, a) for i, a in enumerate(args)])]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout
    rows = {}
    for row in json.loads(said):
        of = json.loads(row["shapes"]) if isinstance(row["shapes"], str) else row["shapes"]
        while of and not of[-1]:
            of.pop()
        rows[row["name"], json.dumps(of)] = row
    failed = 0
    for i, (name, args, flop, bytes) in enumerate(CASES, 1):
        row = rows.get((name, json.dumps(shapes(args))), {})
        near = lambda a, b: a == b or (None not in (a, b) and abs(a - b) <= 0.5)  # figures are printed as whole numbers
        good = near(row.get("flop"), flop) and near(row.get("bytes"), bytes)
        failed += not good
        print("%sok %d - %s" % ("" if good else "not ", i, name))
        if not good:
            print("# counted %s operations, %s bytes; the model says %s" % (flop, bytes, row))
    print("1..%d" % len(CASES))
    return 1 if failed else 0


sys.exit(main())
