"""Writes a module with VGG19, its loss and the gradient in all weights, as front ends write models: vgg19.py [OPTION ...]

    --image=224 --channels=64 --dense=4096 --classes=1000 --type=f32    the sizes of the model, by default the real ones
    --channels-first                                                    images as channels of rows, not rows of channels
    --inputs=FOLDER                                                     instead writes an input for each argument of
                                                                        @loss, and prints the flags that name them

Sixteen convolutions in five groups, each with a bias and followed by relu, each group followed by a maximum over 2x2;
three dense layers; the cross entropy of the softmax. Layers are named linalg operations on tensors of static size. The
weights are arguments.
"""

import argparse
import math
import os
import random
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "..", "driver", "Inputs"))
import npy  # noqa: E402

# How many convolutions a group has, and how many times the channels of the first group.
GROUPS = ((2, 1), (2, 2), (4, 4), (4, 8), (4, 8))


class Module:
    """The body of @loss, as it grows."""

    def __init__(self, options):
        self.type = options.type
        self.first = options.channels_first
        self.lines = []
        self.arguments = []
        self.values = 0

    def tensor(self, shape):
        return "tensor<%sx%s>" % ("x".join(map(str, shape)), self.type)

    def argument(self, name, shape):
        self.arguments.append((name, shape))
        return "%" + name

    def emit(self, text):
        self.values += 1
        self.lines.append("  %%%d = %s" % (self.values, text))
        return "%%%d" % self.values

    def shape(self, channels, size):
        """Of an image."""
        return (1, channels, size, size) if self.first else (1, size, size, channels)

    def empty(self, shape):
        return self.emit("tensor.empty() : %s" % self.tensor(shape))

    def filled(self, value, shape):
        tensor = self.tensor(shape)
        return self.emit("linalg.fill ins(%s : %s) outs(%s : %s) -> %s" % (value, self.type, self.empty(shape), tensor, tensor))

    def broadcast(self, vector, length, shape, axis):
        """A vector for every point of a larger array."""
        others = [d for d in range(len(shape)) if d != axis]
        source, target = self.tensor((length,)), self.tensor(shape)
        empty = self.empty(shape)
        return self.emit("linalg.broadcast ins(%s : %s) outs(%s : %s) dimensions = %s" % (vector, source, empty, target, others))

    def relu(self, x, shape):
        tensor, rank = self.tensor(shape), len(shape)
        points = ", ".join("d%d" % d for d in range(rank))
        identity = "affine_map<(%s) -> (%s)>" % (points, points)
        return self.emit(
            "linalg.generic {indexing_maps = [%s, %s], iterator_types = [%s]}\n"
            "      ins(%s : %s) outs(%s : %s) {\n"
            "  ^bb0(%%in: %s, %%out: %s):\n"
            "    %%more = arith.cmpf ugt, %%in, %%zero : %s\n"
            "    %%relu = arith.select %%more, %%in, %%zero : %s\n"
            "    linalg.yield %%relu : %s\n"
            "  } -> %s"
            % (identity, identity, ", ".join(['"parallel"'] * rank), x, tensor, self.empty(shape), tensor,
               *[self.type] * 5, tensor))

    def convolution(self, name, x, source, target, size):
        """With a window of 3x3 and a border of zeros."""
        around = self.shape(source, size + 2)
        image, weights = self.shape(target, size), (target, source, 3, 3) if self.first else (3, 3, source, target)
        w, b = self.argument("w" + name, weights), self.argument("b" + name, (target,))
        border = "0, 0, 1, 1" if self.first else "0, 1, 1, 0"
        padded = self.emit(
            "tensor.pad %s low[%s] high[%s] {\n"
            "  ^bb0(%%i: index, %%j: index, %%k: index, %%l: index):\n"
            "    tensor.yield %%zero : %s\n"
            "  } : %s to %s" % (x, border, border, self.type, self.tensor(self.shape(source, size)), self.tensor(around)))
        start = self.broadcast(b, target, image, 1 if self.first else 3)
        operation = "conv_2d_nchw_fchw" if self.first else "conv_2d_nhwc_hwcf"
        y = self.emit(
            "linalg.%s {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>}\n"
            "      ins(%s, %s : %s, %s) outs(%s : %s) -> %s"
            % (operation, padded, w, self.tensor(around), self.tensor(weights), start, self.tensor(image), self.tensor(image)))
        return self.relu(y, image)

    def pooling(self, x, channels, size):
        image, half = self.tensor(self.shape(channels, size)), self.tensor(self.shape(channels, size // 2))
        least = self.filled("%least", self.shape(channels, size // 2))
        window = self.empty((2, 2))
        operation = "pooling_nchw_max" if self.first else "pooling_nhwc_max"
        return self.emit(
            "linalg.%s {dilations = dense<1> : tensor<2xi64>, strides = dense<2> : tensor<2xi64>}\n"
            "      ins(%s, %s : %s, %s) outs(%s : %s) -> %s"
            % (operation, x, window, image, self.tensor((2, 2)), least, half, half))

    def dense(self, name, x, source, target):
        w, b = self.argument("w" + name, (source, target)), self.argument("b" + name, (target,))
        row = self.tensor((1, target))
        zeros = self.filled("%zero", (1, target))
        product = self.emit(
            "linalg.matmul ins(%s, %s : %s, %s) outs(%s : %s) -> %s"
            % (x, w, self.tensor((1, source)), self.tensor((source, target)), zeros, row, row))
        bias = self.broadcast(b, target, (1, target), 1)
        return self.emit("linalg.add ins(%s, %s : %s, %s) outs(%s : %s) -> %s"
                         % (product, bias, row, row, self.empty((1, target)), row, row))

    def reduction(self, operation, x, start, classes):
        return self.emit(
            "linalg.reduce { %s } ins(%s : %s) outs(%s : tensor<1x%s>) dimensions = [1]"
            % (operation, x, self.tensor((1, classes)), start, self.type))

    def cross_entropy(self, x, classes):
        """log(sum(exp(x))) - x[label], with the largest x taken out."""
        row = self.tensor((1, classes))
        largest = self.reduction("arith.maximumf", x, self.filled("%least", (1,)), classes)
        spread = self.broadcast(largest, 1, (1, classes), 0)
        below = self.emit("linalg.sub ins(%s, %s : %s, %s) outs(%s : %s) -> %s"
                          % (x, spread, row, row, self.empty((1, classes)), row, row))
        exps = self.emit("linalg.exp ins(%s : %s) outs(%s : %s) -> %s" % (below, row, self.empty((1, classes)), row, row))
        total = self.reduction("arith.addf", exps, self.filled("%zero", (1,)), classes)
        sum_of_exps = self.emit("tensor.extract %s[%%first] : tensor<1x%s>" % (total, self.type))
        logarithm = self.emit("math.log %s : %s" % (sum_of_exps, self.type))
        chosen = self.emit("tensor.extract %s[%%first, %%label] : %s" % (below, row))
        return self.emit("arith.subf %s, %s : %s" % (logarithm, chosen, self.type))


def model(options):
    """@loss as a module, and what the loss is called."""
    module = Module(options)
    size, channels = options.image, 3
    x = module.argument("image", module.shape(channels, size))
    for group, (layers, factor) in enumerate(GROUPS):
        for layer in range(layers):
            name = "%d_%d" % (group + 1, layer + 1)
            x = module.convolution(name, x, channels, options.channels * factor, size)
            channels = options.channels * factor
        x = module.pooling(x, channels, size)
        size //= 2
    flat = channels * size * size
    rows = [(1, flat), (1, options.dense), (1, options.dense), (1, options.classes)]
    x = module.emit("tensor.collapse_shape %s [[0], [1, 2, 3]] : %s into %s"
                    % (x, module.tensor(module.shape(channels, size)), module.tensor((1, flat))))
    for layer in range(3):
        x = module.dense("%d" % (layer + 6), x, rows[layer][1], rows[layer + 1][1])
        if layer < 2:
            x = module.relu(x, rows[layer + 1])
    return module, module.cross_entropy(x, options.classes)


def write_module(options):
    module, loss = model(options)
    t = module.type
    types = ["index"] + [module.tensor(shape) for _, shape in module.arguments]
    names = ["%label"] + ["%" + name for name, _ in module.arguments]
    parameters = ", ".join("%s: %s" % pair for pair in zip(names, types))
    weights = ", ".join(types[2:])
    print("// VGG19, written by vgg19.py.")
    print("func.func @loss(%s) -> %s {" % (parameters, t))
    print("  %%zero = arith.constant 0.0 : %s" % t)
    print("  %%least = arith.constant 0x%s : %s" % ("FF800000" if t == "f32" else "FFF0000000000000", t))
    print("  %first = arith.constant 0 : index")
    print("\n".join(module.lines))
    print("  return %s : %s\n}" % (loss, t))
    print("// The loss, and its gradient in the weights and biases of all layers.")
    print("func.func @gradient(%s) -> (%s, %s) {" % (parameters, t, weights))
    print("  %%one = arith.constant 1.0 : %s" % t)
    count = len(types) - 2
    print("  %%r:%d = ad.vjp @loss(%s) seed(%%one) {wrt = array<i64: %s>}"
          % (count + 1, ", ".join(names), ", ".join(str(i + 2) for i in range(count))))
    print("      : (%s), (%s) -> (%s, %s)" % (", ".join(types), t, t, weights))
    results = ", ".join("%%r#%d" % i for i in range(count + 1))
    print("  return %s : %s, %s\n}" % (results, t, weights))


def write_inputs(options):
    module, _ = model(options)
    os.makedirs(options.inputs, exist_ok=True)
    draw = random.Random(1)
    print("--input=%d" % (options.classes // 3))
    for name, shape in module.arguments:
        # What keeps the size of activations from layer to layer.
        inputs = math.prod(shape[1:] if options.channels_first and len(shape) == 4 else shape[:-1])
        scale = math.sqrt(6 / inputs) if name[0] == "w" else 0.1 if name[0] == "b" else 1.0
        path = os.path.join(options.inputs, name + ".npy")
        numbers = [scale * (2 * draw.random() - 1) for _ in range(math.prod(shape))]
        npy.main([path, "<f4" if options.type == "f32" else "<f8", str(shape), *numbers])
        print("--input=%s" % path)


def main():
    parser = argparse.ArgumentParser()
    for name, real in ("image", 224), ("channels", 64), ("dense", 4096), ("classes", 1000):
        parser.add_argument("--" + name, type=int, default=real)
    parser.add_argument("--type", default="f32", choices=["f32", "f64"])
    parser.add_argument("--channels-first", action="store_true")
    parser.add_argument("--inputs")
    options = parser.parse_args()
    if options.inputs:
        write_inputs(options)
    else:
        write_module(options)


if __name__ == "__main__":
    sys.exit(main())
