# SPDX-License-Identifier: MIT
"""What models compute: layers forward and backward, optimizers, decoding, as operators and kernels."""
from . import names
from .build import COMPUTE, REDUCE, elementwise_name, op_args
from .sim import GRAPH, Work

CHAIN = (("aten::pow", names.POW, 1),
         ("aten::mul", names.MUL_SCALAR, 1),
         ("aten::add", names.ADD, 2),
         ("aten::mul", names.MUL_SCALAR, 1),
         ("aten::tanh", names.TANH, 1),
         ("aten::add", "CUDAFunctorOnSelf_add<c10::BFloat16>", 1),
         ("aten::mul", names.MUL_SCALAR, 1),
         ("aten::mul", names.MUL, 2))
TINY = (("aten::mul_", names.MUL_SCALAR_FLOAT, 1),
        ("aten::add_", "CUDAFunctor_add<float>", 2),
        ("aten::addcmul_", names.ADDCMUL, 3),
        ("aten::sqrt", names.SQRT, 1),
        ("aten::div", names.DIV_FLOAT, 2),
        ("aten::addcdiv_", names.ADDCDIV, 3))


class Layers:
    """A stack of transformer layers with `tokens` of sequence `seq`; `tp` ranks share each layer."""

    def __init__(self, b, tokens, seq, hidden, ffn, tp=1):
        self.b, self.tokens, self.seq, self.hidden, self.ffn = b, tokens, seq, hidden, ffn
        self.tp, self.attn_rate = tp, 1.0

    # ---- parts ----

    def norm(self, n):
        b, h = self.b, self.hidden
        b.module("nn.Module: LayerNorm_%d" % n)
        args = op_args([(self.tokens, h), None, (h,), (h,), None], None, ["", "[%d]" % h, "", "", "1e-05"])
        b.op("aten::layer_norm", args)
        b.op("aten::native_layer_norm", args, 4000)
        b.kernel(names.LAYER_NORM, b.bytes_ns(4.0 * self.tokens * h), (self.tokens, 1, 1), (32, 4, 1), 40, 48)
        b.end()
        b.end()
        b.end_module()

    def linear(self, module, where, m, n, k):
        b = self.b
        b.module("nn.Module: %s" % module)
        b.op("aten::linear", op_args([(m, k), (n, k), (n,)]), 3000)
        b.plain_op("aten::t", op_args([(n, k)]), 1800)
        b.where = where
        b.gemm("aten::addmm", m, n, k)
        b.where = ""
        b.end()
        b.end_module()

    def heads(self):
        return max(1, self.hidden // 128 // self.tp)

    def attention(self):
        b, h = self.b, self.hidden // self.tp
        batch = max(1, self.tokens // self.seq)
        shape = (batch, self.heads(), self.seq, 128)
        args = op_args([shape, shape, shape, None, None], None, ["", "", "", "0.", "True"])
        b.op("aten::scaled_dot_product_attention", args)
        b.op("aten::_scaled_dot_product_flash_attention", args)
        b.op("aten::_flash_attention_forward", args, 5000)
        flop = 2.0 * self.tokens * self.seq * h
        b.kernel(names.FLASH, flop / (b.dev.tflops * 0.70) / 1e3 * self.attn_rate + 2000,
                 ((self.seq + 127) // 128, batch, self.heads()),
                 (128, 1, 1), 255, 81920)
        b.end()
        b.end()
        b.end()

    def gelu(self, chain):
        b, shape = self.b, (self.tokens, self.ffn // self.tp)
        if not chain:
            b.module("nn.Module: GELU_0")
            b.pointwise("aten::gelu", names.GELU, shape)
            b.end_module()
            return
        b.module("nn.Module: NewGELU_0")
        for op, functor, reads in CHAIN:
            b.pointwise(op, functor, shape, reads)
        b.end_module()

    def tiny(self, count, fused, width):
        """Small tensors, one after another; fused, one kernel does all."""
        b = self.b
        if fused:
            b.op("aten::_foreach_add_", "", 9000)
            b.kernel(names.FOREACH, 2500 + b.bytes_ns(8.0 * width * count), (64, 1, 1), (512, 1, 1), 48)
            b.end()
            return
        for i in range(count):
            op, functor, reads = TINY[i % len(TINY)]
            b.op(op, op_args([(width,)] * reads, ["float"] * reads), 2200)
            b.kernel(elementwise_name(functor, reads + 1), 1500 + b.bytes_ns(4.0 * width * (reads + 1)),
                     (max(1, width // 512), 1, 1),
                     (128, 1, 1), 24)
            b.end(900)

    # ---- a layer ----

    def attention_part(self, i):
        """From the norm before attention to the product after it."""
        b, n, h, tp = self.b, self.tokens, self.hidden, self.tp
        self.norm(2 * i)
        b.module("nn.Module: Attention_%d" % i)
        self.linear("Linear_%d" % (4 * i), ".qkv", n, 3 * h // tp, h)
        self.attention()
        self.linear("Linear_%d" % (4 * i + 1), ".proj", n, h, h // tp)
        b.end_module()

    def feed_part(self, i, chain=False):
        b, n, h, f, tp = self.b, self.tokens, self.hidden, self.ffn, self.tp
        b.module("nn.Module: MLP_%d" % i)
        self.linear("Linear_%d" % (4 * i + 2), ".up", n, f // tp, h)
        self.gelu(chain)
        self.linear("Linear_%d" % (4 * i + 3), ".down", n, h, f // tp)
        b.end_module()

    def residual(self):
        self.b.pointwise("aten::add", names.ADD, (self.tokens, self.hidden), 2)

    def activations(self):
        """Bytes that a layer keeps for its backward pass."""
        return 2.0 * self.tokens * (8 * self.hidden + 2 * self.ffn) / self.tp

    def forward(self, i, chain=False, moe=None, save=True):
        b = self.b
        b.module("nn.Module: DecoderLayer_%d" % i)
        if save:
            b.alloc(("act", i), self.activations())
        self.attention_part(i)
        self.residual()
        self.norm(2 * i + 1)
        if moe:
            moe.forward(self, i)
        else:
            self.feed_part(i, chain)
        self.residual()
        b.end_module()

    def node(self, name, inside):
        """A node of the backward graph."""
        b = self.b
        b.sequence += 1
        args = '"Sequence number": %d, "Fwd thread id": 1' % b.sequence
        b.op("autograd::engine::evaluate_function: " + name, args, 4000)
        b.op(name, args, 2500)
        inside()
        b.end()
        b.end(1500)

    def linear_backward(self, where, m, n, k):
        b = self.b

        def inside():
            b.where = where + ".dgrad"
            b.gemm("aten::mm", m, k, n)
            b.where = where + ".wgrad"
            b.gemm("aten::mm", n, k, m)
            b.where = ""
        self.node("AddmmBackward0", inside)
        self.node("torch::autograd::AccumulateGrad", lambda: None)

    def norm_backward(self):
        b, n, h = self.b, self.tokens, self.hidden

        def inside():
            b.op("aten::native_layer_norm_backward", op_args([(n, h), (n, h), None, (n, 1), (n, 1), (h,), (h,), None]),
                 5000)
            b.kernel(names.LAYER_NORM_BACKWARD, b.bytes_ns(6.0 * n * h), (n, 1, 1), (128, 1, 1), 40, 24)
            b.kernel(names.LAYER_NORM_WEIGHTS_BACKWARD, b.bytes_ns(4.0 * n * h), (max(1, h // 32), 1, 1), (32, 32, 1),
                     40, 8448)
            b.end()
        self.node("NativeLayerNormBackward0", inside)

    def attention_backward(self):
        b, h = self.b, self.hidden // self.tp
        batch = max(1, self.tokens // self.seq)
        shape = (batch, self.heads(), self.seq, 128)

        def inside():
            b.op("aten::_scaled_dot_product_flash_attention_backward", op_args([shape] * 5), 4000)
            b.op("aten::_flash_attention_backward", op_args([shape] * 5), 6000)
            b.kernel(names.FLASH_BACKWARD_DOT, b.bytes_ns(4.0 * self.tokens * h),
                     ((self.seq + 63) // 64, batch, self.heads()), (256, 1, 1), 70)
            b.kernel(names.FLASH_BACKWARD,
                     5.0 * self.tokens * self.seq * h / (b.dev.tflops * 0.66) / 1e3 * self.attn_rate + 2000,
                     ((self.seq + 127) // 128, batch, self.heads()), (256, 1, 1), 255, 147456)
            b.end()
            b.end()
        self.node("ScaledDotProductFlashAttentionBackward0", inside)

    def feed_backward(self, chain=False):
        b, n, h, f = self.b, self.tokens, self.hidden, self.ffn // self.tp
        self.linear_backward(".down", n, h, f)

        def act():
            if chain:
                for op, functor, reads in CHAIN:
                    b.pointwise(op, functor, (n, f), reads)
            else:
                b.pointwise("aten::gelu_backward", names.GELU_BACKWARD, (n, f), 2)
        self.node("GeluBackward0", act)
        self.linear_backward(".up", n, f, h)

    def residual_backward(self):
        b = self.b
        self.node("AddBackward0", lambda: b.pointwise("aten::add_", names.ADD, (self.tokens, self.hidden), 2))

    def attention_part_backward(self, ready=lambda part: None):
        n, h, tp = self.tokens, self.hidden, self.tp
        self.linear_backward(".proj", n, h, h // tp)
        ready("proj")
        self.attention_backward()
        self.linear_backward(".qkv", n, 3 * h // tp, h)

    def backward(self, i, chain=False, recompute=False, moe=None, ready=lambda part: None):
        """`ready` hears of each part whose gradients are there."""
        if recompute:
            self.recompute(i, moe)
        self.node("AddBackward0", lambda: None)
        if moe:
            moe.backward(self, i)
        else:
            self.feed_backward(chain)
        ready("mlp")
        self.norm_backward()
        self.residual_backward()
        self.attention_part_backward(ready)
        self.norm_backward()
        self.b.free(("act", i))

    def recompute(self, i, moe=None):
        """Activation checkpointing: the layer's forward once more, in the backward pass."""
        b = self.b
        b.sequence += 1
        args = '"Sequence number": %d, "Fwd thread id": 1' % b.sequence
        b.op("autograd::engine::evaluate_function: CheckpointFunctionBackward", args, 4000)
        b.op("CheckpointFunctionBackward", args, 2500)
        b.begin("python_function", "torch/utils/checkpoint.py(1511): recompute_fn", "", 6000)
        b.block("recompute", i)
        self.forward(i, moe=moe, save=False)
        b.end(1000)
        b.end()
        b.end()
        b.block("backward", i)

    # ---- ends ----

    def embed(self, vocabulary):
        b = self.b
        b.op("aten::embedding", op_args([(vocabulary, self.hidden), (self.tokens,), None, None, None],
                                        ["c10::BFloat16", "long int", "Scalar", "Scalar", "Scalar"],
                                        ["", "", "-1", "False", "False"]), 4000)
        b.op("aten::index_select", op_args([(vocabulary, self.hidden), None, (self.tokens,)], ["c10::BFloat16",
                                                                                               "Scalar", "long int"],
                                           ["", "0", ""]), 4000)
        b.kernel(names.INDEX_SELECT, b.bytes_ns(4.0 * self.tokens * self.hidden), (1056, 1, 1), (128, 1, 1), 32)
        b.end()
        b.end()

    def head_loss(self, vocabulary):
        b, n = self.b, self.tokens
        self.linear("Linear_head", ".head", n, vocabulary // self.tp, self.hidden)
        b.op("aten::cross_entropy_loss", op_args([(n, vocabulary), (n,)], ["c10::BFloat16", "long int"], ["", ""]),
             3000)
        b.op("aten::log_softmax", op_args([(n, vocabulary // self.tp), None]), 2000)
        b.op("aten::_log_softmax", op_args([(n, vocabulary // self.tp), None, None]), 3000)
        b.kernel(names.SOFTMAX, b.bytes_ns(4.0 * n * vocabulary / self.tp), (n, 1, 1), (1024, 1, 1), 32, 16384)
        b.end()
        b.end()
        b.op("aten::nll_loss", op_args([(n, vocabulary // self.tp), (n,)], ["c10::BFloat16", "long int"], ["", ""]),
             3000)
        b.kernel(names.NLL_LOSS, 6500, (1, 1, 1), (32, 1, 1), 36)
        b.end()
        b.end()

    def head_backward(self, vocabulary):
        b, n = self.b, self.tokens

        def softmax():
            b.op("aten::_log_softmax_backward_data", op_args([(n, vocabulary // self.tp)] * 2), 4000)
            b.kernel(names.SOFTMAX_BACKWARD, b.bytes_ns(6.0 * n * vocabulary / self.tp), (n, 1, 1),
                     (1024, 1, 1), 32, 16384)
            b.end()
        self.node("LogSoftmaxBackward0", softmax)
        self.linear_backward(".head", n, vocabulary // self.tp, self.hidden)

    def embed_backward(self, vocabulary):
        b = self.b

        def inside():
            b.op("aten::embedding_dense_backward",
                 op_args([(self.tokens, self.hidden), (self.tokens,)], ["c10::BFloat16", "long int"], ["", ""]), 5000)
            b.kernel(names.EMBEDDING_BACKWARD,
                     b.bytes_ns(8.0 * self.tokens * self.hidden), (self.hidden // 32, 1, 1), (32, 32, 1), 36, 16640)
            b.end()
        self.node("EmbeddingBackward0", inside)


def optimizer(b, params, kernels=4):
    """AdamW, fused over all parameters of this rank: weight, gradient and two moments are read and written."""
    b.begin("user_annotation", "Optimizer.step#AdamW.step", "", 15000)
    b.op("aten::_fused_adamw_", "", 30000)
    for _ in range(kernels):
        b.kernel(names.FUSED_ADAM, b.bytes_ns(20.0 * params / kernels), (1200, 1, 1), (512, 1, 1), 64)
    b.end()
    b.end()
    b.begin("user_annotation", "Optimizer.zero_grad#AdamW.zero_grad", "", 9000)
    b.end()


class Experts:
    """Experts on the ranks of a group: tokens go to them by an all-to-all and come back by another."""

    def __init__(self, group, share, ffn):
        """share: what part of all tokens this rank's experts get, times the number of ranks."""
        self.group, self.share, self.ffn = group, share, ffn

    def exchange(self, layers, back):
        b, size = layers.b, len(self.group.members)
        n, h = layers.tokens, layers.hidden
        if size < 2:
            return
        out = [int(n * self.share[r] / size) for r in range(size)]
        sent, got = (out, [out[b.rank % size]] * size)
        if back:
            sent, got = got, sent
        text = lambda xs: "[" + ", ".join(str(x) for x in xs[:29]) + ("]" if len(xs) <= 29 else ", ...]")
        b.collective("all_to_allv", self.group, sum(sent) * h, sum(got) * h, REDUCE, (text(got), text(sent)),
                     cost_in=max(int(n * max(self.share)), n) * h)

    def tokens(self, layers):
        size = max(1, len(self.group.members))
        return max(16, int(layers.tokens * self.share[layers.b.rank % size]))

    def shared(self, layers, where, m, n, k):
        """A part of the expert that all tokens go through: it runs while tokens are on their way."""
        b = layers.b
        b.where = where
        b.gemm("aten::mm", m, n, k)
        b.where = ""

    def forward(self, layers, i):
        b, h, f = layers.b, layers.hidden, self.ffn
        n, mine = layers.tokens, self.tokens(layers)
        b.module("nn.Module: MoE_%d" % i)
        layers.linear("Linear_router_%d" % i, ".router", n, 64, h)
        b.op("aten::topk", op_args([(n, 64), None, None, None, None]), 5000)
        b.kernel(names.TOPK, b.bytes_ns(2.0 * n * 128), (n, 1, 1), (64, 1, 1), 46)
        b.end()
        b.pointwise("aten::index", "index_elementwise_kernel", (n, h))
        self.exchange(layers, False)
        self.shared(layers, ".shared", n, f, h)
        b.join(COMPUTE, REDUCE)
        self.shared(layers, ".expert", mine, f, h)
        b.pointwise("aten::silu", names.SILU, (mine, f))
        self.shared(layers, ".expert", mine, h, f)
        self.exchange(layers, True)
        self.shared(layers, ".shared", n, h, f)
        b.join(COMPUTE, REDUCE)
        b.pointwise("aten::index_put_", "index_put_kernel", (n, h), 2)
        b.end_module()

    def backward(self, layers, i):
        b, h, f = layers.b, layers.hidden, self.ffn
        n, mine = layers.tokens, self.tokens(layers)

        def combine():
            b.pointwise("aten::index", "index_elementwise_kernel", (n, h))
            self.exchange(layers, False)
        layers.node("_AllToAllBackward", combine)
        layers.linear_backward(".shared", n, h, f)
        b.join(COMPUTE, REDUCE)
        layers.linear_backward(".expert", mine, h, f)
        layers.node("SiluBackward0", lambda: b.pointwise("aten::silu_backward", names.SILU_BACKWARD, (mine, f), 2))
        layers.linear_backward(".expert", mine, f, h)
        layers.node("_AllToAllBackward", lambda: self.exchange(layers, True))
        layers.linear_backward(".shared", n, f, h)
        b.join(COMPUTE, REDUCE)
        layers.node("IndexBackward0", lambda: b.pointwise("aten::index_put_", "index_put_kernel", (n, h), 2))


class Convolutions:
    """Blocks of convolution, batch normalization and relu."""

    def __init__(self, b, batch):
        self.b, self.batch = b, batch
        self.dims = [(64, 56, 64), (64, 56, 128), (128, 28, 128), (128, 28, 256), (256, 14, 256), (256, 14, 512),
                     (512, 7, 512)]

    def _at(self, i):
        c, hw, k = self.dims[i % len(self.dims)]
        return c, hw, k, (self.batch, c, hw, hw), (self.batch, k, hw, hw)

    def forward(self, i):
        b = self.b
        c, hw, k, x, y = self._at(i)
        flop = 2.0 * self.batch * hw * hw * c * k * 9
        b.module("nn.Module: ConvBlock_%d" % i)
        b.alloc(("act", i), 2.0 * self.batch * hw * hw * (c + 2 * k))
        args = op_args([x, (k, c, 3, 3), None, None, None, None, None], None,
                       ["", "", "", "[1, 1]", "[1, 1]", "[1, 1]", "1"])
        b.module("nn.Module: Conv2d_%d" % i)
        for name in ("aten::conv2d", "aten::convolution", "aten::_convolution"):
            b.op(name, args, 1800)
        b.op("aten::cudnn_convolution", args, 9000)
        b.kernel(names.CONV_FORWARD,
                 b.gemm_ns(flop, 2.0 * self.batch * hw * hw * (c + k)) * b.gemm_rate.get("conv.fprop", 1.0),
                 (b.dev.sms * 4, 1, 1), (128, 1, 1), 232, 98304)
        for _ in range(4):
            b.end()
        b.end_module()
        b.module("nn.Module: BatchNorm2d_%d" % i)
        for name in ("aten::batch_norm", "aten::_batch_norm_impl_index"):
            b.op(name, op_args([y, (k,), (k,), (k,), (k,)]), 2200)
        b.op("aten::cudnn_batch_norm", op_args([y, (k,), (k,), (k,), (k,)]), 7000)
        b.kernel(names.BATCH_NORM, b.bytes_ns(6.0 * self.batch * hw * hw * k), (k, 1, 1), (512, 1, 1), 40, 400)
        for _ in range(3):
            b.end()
        b.end_module()
        b.module("nn.Module: ReLU_%d" % i)
        b.op("aten::relu_", op_args([y]), 2000)
        b.pointwise("aten::clamp_min_", names.CLAMP, y)
        b.end()
        b.end_module()
        b.end_module()

    def backward(self, i, layers):
        b = self.b
        c, hw, k, x, y = self._at(i)
        flop = 2.0 * self.batch * hw * hw * c * k * 9
        layers.node("ReluBackward0", lambda: b.pointwise("aten::threshold_backward", names.THRESHOLD, y, 2))

        def norm():
            b.op("aten::cudnn_batch_norm_backward", op_args([y, y, (k,)]), 7000)
            b.kernel(names.BATCH_NORM_BACKWARD, b.bytes_ns(8.0 * self.batch * hw * hw * k),
                     (k, 1, 1), (512, 1, 1), 40, 400)
            b.end()
        layers.node("CudnnBatchNormBackward0", norm)

        def conv():
            b.op("aten::convolution_backward", op_args([y, x, (k, c, 3, 3)]), 9000)
            for what in ("dgrad", "wgrad"):
                b.kernel(names.CONV_BACKWARD % what,
                         b.gemm_ns(flop, 2.0 * self.batch * hw * hw * (c + k)) * b.gemm_rate.get("conv." + what, 1.0),
                         (b.dev.sms * 4, 1, 1), (128, 1, 1), 232, 98304)
            b.end()
        layers.node("ConvolutionBackward0", conv)
        b.free(("act", i))


def decode_graph(b, layers, count):
    """The kernels of a decoding step, launched as one graph: bound by memory, as they read all weights once."""
    out, h, f, tp = [], layers.hidden, layers.ffn, layers.tp

    def add(name, ns, grid, block, registers):
        w = Work("kernel", name, b.d(ns * b.rate), (grid, block, registers, 0), slow=b.slow)
        w.gap = 500 + (b.state >> 40) % 300
        out.append(w)

    def product(n, k):
        add("nvjet_tst_64x8_64x16_4x1_v_bz_TNT",
            b.bytes_ns(2.0 * n * k) * b.gemm_rate.get("decode", 1.0), (b.dev.sms, 1, 1), (384, 1, 1), 168)

    for _ in range(count):
        add(names.RMS_NORM_0, b.bytes_ns(6.0 * layers.tokens * h), (layers.tokens, 1, 1), (256, 1, 1), 32)
        product(3 * h // tp, h)
        add(names.CACHE_WRITE, 1900, (layers.tokens, 1, 1), (512, 1, 1), 32)
        add(names.FLASH_DECODE,
            b.bytes_ns(4.0 * layers.tokens * layers.seq * h / tp) * layers.attn_rate, (1, 4, layers.heads()),
            (128, 1, 1), 255)
        product(h, h // tp)
        add(names.RMS_NORM_1, b.bytes_ns(6.0 * layers.tokens * h), (layers.tokens, 1, 1), (256, 1, 1), 32)
        product(2 * f // tp, h)
        add("triton_poi_fused_mul_silu_2", b.bytes_ns(6.0 * layers.tokens * f / tp),
            (max(1, layers.tokens * f // 1024), 1, 1), (128, 1, 1), 24)
        product(h, f // tp)
    b.out.append((GRAPH, "cudaGraphLaunch", COMPUTE, out, b.h(9000 + 90 * len(out))))
    return out
