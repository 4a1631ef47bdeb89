"""Convolutions by cuDNN, which PyTorch calls, and CUDA's events time.

For bench-worker.py; its --help says what a problem is.
"""

import math
import time

import numpy as np
from bench_operands import Refusal, order_of, settle_sizes, split_groups

# Calls that are queued together: fewer than a stream of CUDA's takes at once.
MOST_CALLS = 200
# Clock ticks of a second, about; and how often a pause that was too short is
# made twice as long.
TICKS, MOST_PAUSES = 2e9, 8
# The same for tools/convoy-bench/ConvoyKernel.cpp.
MOST_COPIES = 1024


def load_torch():
    """PyTorch, told to let cuDNN choose the fastest of all algorithms, and to
    multiply f32 as f32."""
    try:
        import torch
    except ImportError as error:
        raise Refusal(f"this Python has no PyTorch ({error})")
    if not torch.cuda.is_available():
        built = "" if torch.version.cuda else ", which is built without CUDA"
        raise Refusal(f"there is no CUDA device for PyTorch {torch.__version__}{built}")
    if not torch.backends.cudnn.is_available():
        raise Refusal(f"PyTorch {torch.__version__} has no cuDNN")
    torch.backends.cudnn.enabled = True
    torch.backends.cudnn.benchmark = True
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False
    return torch


def plain_name(device):
    """What CUDA and Vulkan both call a device."""
    return device.lower().removeprefix("nvidia ").split(" mig ")[0].strip()


def find_device(torch, wanted):
    """The number of the device that `wanted`, Vulkan's name and driver, is."""
    names = [torch.cuda.get_device_name(i) for i in range(torch.cuda.device_count())]
    for number, name in enumerate(names):
        if plain_name(wanted).startswith(plain_name(name)):
            return number
    raise Refusal(f"expected Vulkan's device '{wanted}' to be CUDA's, but got {', '.join(names)}")


def from_bits(array):
    """The array; where it holds the bits of bf16, which NumPy lacks, as f32."""
    if array.dtype.kind != "V":
        return array
    bits = array.view(np.uint16).astype(np.uint32) << 16
    return bits.view(np.float32)


def to_bits(array):
    """The bits of an array of f32 that holds numbers of bf16."""
    return (array.view(np.uint32) >> 16).astype(np.uint16).view("V2")


class Arrangement:
    """How an operand lies in a problem's layout, and how PyTorch has it: the
    letters `outer`, of which the last counts through groups as well, then the
    spatial dimensions, two at least. Filters have channels between."""

    def __init__(self, problem, operand):
        outer, self.grouped, inner = {
            "input": (["n"], "c", []),
            "filter": ([], "f", ["c"]),
            "output": (["n"], "f", []),
        }[operand]
        self.layout = problem["layouts"][operand]
        self.shape = problem["shapes"][operand]
        self.groups = problem["groups"]
        self.space = [letter for letter in "dhw" if letter in self.layout]
        self.order = [*outer, "g", self.grouped, *inner, *self.space]
        self.place = len(outer)

    def to_torch(self, array):
        array = array.reshape(self.shape)
        array, layout = split_groups(array, self.layout, self.grouped, self.groups)
        array = array.transpose(order_of(layout, self.order))
        return np.ascontiguousarray(array.reshape(self.torch_shape(array.shape)))

    def torch_shape(self, shape):
        """A shape in `order` without a dimension for groups, and with `h`."""
        place = self.place
        flat = [*shape[:place], shape[place] * shape[place + 1], *shape[place + 2 :]]
        return flat[:-1] + [1, flat[-1]] if self.space == ["w"] else flat

    def from_torch(self, array):
        letters = self.layout if "g" in self.layout else self.grouped_layout()
        sizes = self.split_shape(letters)
        array = array.reshape([sizes[letter] for letter in self.order])
        array = array.transpose(order_of(self.order, letters))
        return np.ascontiguousarray(array.reshape(self.shape))

    def grouped_layout(self):
        return self.layout.replace(self.grouped, "g" + self.grouped)

    def split_shape(self, letters):
        sizes = dict(zip(self.layout, self.shape))
        if "g" not in self.layout:
            sizes["g"] = self.groups
            sizes[self.grouped] //= self.groups
        return {letter: sizes[letter] for letter in letters}


class CuDnn:
    """One convolution, or one of its gradients, on copies of its operands."""

    def __init__(self, problem, arrays, target, threads):
        self.torch = torch = load_torch()
        if target != "vulkan":
            raise Refusal("runs on GPUs only")
        device = find_device(torch, problem["device"])
        torch.cuda.set_device(device)
        torch.cuda.empty_cache()  # the memory of the one before
        self.check_rotation(device, problem["rotated_bytes"])
        self.computes = problem["computes"]
        self.operands = {name: Arrangement(problem, name) for name in problem["shapes"]}
        self.settle_window(problem)
        self.choose_type(problem["type"])
        tensors = {name: self.make_tensor(name, arrays.get(name)) for name in self.operands}
        self.check_backend(tensors)
        self.copy(tensors, problem["rotated_bytes"])
        self.pause = 1e-3  # seconds
        self.next = 0
        for _ in self.copies:  # memory for each result, and cuDNN's choice
            self.call()
        torch.cuda.synchronize()
        self.implementation = (
            f"cuDNN {torch.backends.cudnn.version()} by PyTorch {torch.__version__} on "
            f"{torch.cuda.get_device_name(device)}, {self.kind}, {len(self.copies)} copies"
        )

    def check_rotation(self, device, rotated):
        properties = self.torch.cuda.get_device_properties(device)
        cache = getattr(properties, "L2_cache_size", 0)
        if 0 < rotated <= cache:
            raise Refusal(
                f"expected --rotate of more than the {cache / 2**20:.0f} MiB of the L2 cache"
            )

    def settle_window(self, problem):
        """PyTorch's padding is the same on both sides. Where a stride leaves a
        rest over, what is behind it may be."""
        sizes, taps = (
            [dict(zip(one.layout, one.shape))[letter] for letter in one.space]
            for one in (self.operands["input"], self.operands["filter"])
        )
        outputs = settle_sizes(problem, sizes, taps)
        symmetric = problem | {"pad_high": list(problem["pad_low"])}
        if settle_sizes(symmetric, sizes, taps) != outputs:
            raise Refusal("padding that is not the same before and behind is not timed")
        lone = [1] if len(outputs) == 1 else []
        self.window = {
            "stride": lone + problem["strides"],
            "padding": [0 for _ in lone] + problem["pad_low"],
            "dilation": lone + problem["dilations"],
            "groups": problem["groups"],
        }

    def choose_type(self, name):
        types = {"f64": "float64", "f32": "float32", "f16": "float16", "bf16": "bfloat16"}
        self.is_drawn = name == "i8"
        self.kind = "f16 in the place of i8" if self.is_drawn else name
        self.type = getattr(self.torch, types["f16" if self.is_drawn else name])
        layout = self.operands["input"].layout
        space = len(self.operands["input"].space)
        if not layout.endswith("c"):
            self.format = self.torch.contiguous_format
        elif space == 3:
            self.format = self.torch.channels_last_3d
        else:
            self.format = self.torch.channels_last

    def make_tensor(self, name, array):
        """An operand on the device; of what is computed, zeros."""
        operand = self.operands[name]
        if array is None or self.is_drawn:
            sizes = operand.split_shape(operand.order)
            shape = operand.torch_shape([sizes[letter] for letter in operand.order])
            values = np.random.default_rng(0).standard_normal(shape, dtype=np.float32)
            values = values if self.is_drawn else 0 * values
        else:
            values = operand.to_torch(from_bits(array))
        tensor = self.torch.from_numpy(values).to(device="cuda", dtype=self.type)
        return tensor.contiguous(memory_format=self.format)

    def check_backend(self, tensors):
        """Forward is cuDNN's function. Gradients are by whom PyTorch chooses."""
        select = getattr(self.torch._C, "_select_conv_backend", None)
        if self.computes == "output" or not select:
            return
        window = {"bias": None, **self.window, "transposed": False}
        window["output_padding"] = [0] * len(window["stride"])
        backend = str(
            select(input=tensors["input"], weight=tensors["filter"], bias_sizes=None, **window)
        )
        if "cudnn" not in backend.lower():
            raise Refusal(f"PyTorch leaves this to {backend.split('.')[-1]}, not to cuDNN")

    def copy(self, tensors, rotated):
        size = sum(tensor.numel() * tensor.element_size() for tensor in tensors.values())
        count = max(1, min(math.ceil(rotated / (size + 1)), MOST_COPIES))
        self.copies = [tensors]
        for _ in range(count - 1):
            self.copies.append({name: tensor.clone() for name, tensor in tensors.items()})
        # Results that are kept have memory of their own.
        self.results = [None] * count

    def call(self):
        """Queues one run on the next copy."""
        place = self.next
        self.results[place] = self.convolve(**self.copies[place])
        self.next = (place + 1) % len(self.copies)

    def convolve(self, input, filter, output):
        window, aten = self.window, self.torch.ops.aten
        padding, stride, dilation = window["padding"], window["stride"], window["dilation"]
        if self.computes == "output":
            # Fastest algorithm, not deterministic, no TF32.
            return aten.cudnn_convolution(
                input, filter, padding, stride, dilation, window["groups"], True, False, False
            )
        mask = [self.computes == "input", self.computes == "filter", False]
        none = [0] * len(stride)
        gradients = aten.convolution_backward(
            output, input, filter, None, stride, padding, dilation, False, none,
            window["groups"], mask,
        )  # fmt: skip
        return gradients[mask.index(True)]

    def run(self, count):
        parts = [MOST_CALLS] * (count // MOST_CALLS) + [count % MOST_CALLS]
        return sum(self.time(part) for part in parts if part)

    def time(self, count):
        """Seconds of `count` runs on the device. It is paused until all of them
        are queued, so that none waits for Python."""
        cuda = self.torch.cuda
        for _ in range(MOST_PAUSES):
            start, end = cuda.Event(enable_timing=True), cuda.Event(enable_timing=True)
            cuda._sleep(int(self.pause * TICKS))
            start.record()
            for _ in range(count):
                self.call()
            end.record()
            was_late = start.query()
            end.synchronize()
            if not was_late:
                break
            self.pause *= 2
        return 1e-3 * start.elapsed_time(end)

    def result(self):
        tensor = self.results[self.next - 1]
        is_bf16 = tensor.dtype == self.torch.bfloat16
        array = (tensor.to(dtype=self.torch.float32) if is_bf16 else tensor).cpu().numpy()
        array = self.operands[self.computes].from_torch(np.ascontiguousarray(array))
        return to_bits(array) if is_bf16 else array
