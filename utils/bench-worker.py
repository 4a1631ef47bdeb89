#!/usr/bin/env python3
"""Runs convolutions in ONNX Runtime, IREE or cuDNN for convoy-bench to time.

usage: bench-worker.py onnxruntime|iree|cudnn

Reads a JSON object from each line of standard input and answers with one on a
line of standard output, {"error": SENTENCE} where it cannot do what is asked:

- {"prepare": PROBLEM, "target": "cpu" or "vulkan", "threads": N,
  "files": {"input": .npy, "filter": .npy}}
  with "bias" among the files where there is one makes the convolution ready and
  answers {"implementation": TEXT}. PROBLEM has the "layouts" and "shapes" of all
  operands, their "groups", and "strides", "dilations", "pad_low" and "pad_high".
  cuDNN "computes" the output, or else the input or the filter, which then has no
  file, and the output has one; in "type", on the "device" of Vulkan's, in turn on
  copies that together have "rotated_bytes".
- {"run": N} runs it N times in a row and answers {"seconds": OF ALL}.
- {"result": .npy} stores the result in the layout of the output, and answers {}.
"""

import ctypes
import importlib.metadata
import json
import math
import os
import sys
import time

import numpy as np
from bench_operands import Refusal, order_of, settle_sizes, split_groups


def keep_memory():
    """Lets glibc keep freed memory: a library that allocates its result in each
    run shall not pay for new pages every time."""
    trim_threshold, mmap_max = -1, -4
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except AttributeError:
        return
    mallopt(mmap_max, 0)
    mallopt(trim_threshold, (1 << 31) - 1)


class OnnxRuntime:
    """ONNX Runtime has one layout, nchw with fchw, into which operands are
    brought before the clock starts. The filter is a constant, to be packed."""

    def __init__(self, problem, arrays, target, threads):
        import onnxruntime
        from onnx import TensorProto, helper, numpy_helper

        if target != "cpu":
            raise Refusal("runs on the CPU only")
        if arrays["input"].dtype != np.float32:
            raise Refusal("only f32 is timed")
        self.layout = problem["layouts"]["output"]
        groups = problem["groups"]
        self.space = [letter for letter in "dhw" if letter in self.layout]
        images = self.flatten(arrays["input"], problem["layouts"]["input"], "n", "c", groups)
        filters = self.flatten(arrays["filter"], problem["layouts"]["filter"], "", "f", groups)
        sizes = settle_sizes(problem, images.shape[2:], filters.shape[2:])
        self.shape = [images.shape[0], groups, filters.shape[0] // groups, *sizes]
        constants = {"w": filters}
        if "bias" in arrays:
            constants["b"] = arrays["bias"]
        node = helper.make_node(
            "Conv",
            ["x", *constants],
            ["y"],
            strides=problem["strides"],
            dilations=problem["dilations"],
            pads=problem["pad_low"] + problem["pad_high"],
            group=groups,
        )
        flat = [images.shape[0], filters.shape[0], *sizes]
        graph = helper.make_graph(
            [node],
            "conv",
            [helper.make_tensor_value_info("x", TensorProto.FLOAT, images.shape)],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, flat)],
            [numpy_helper.from_array(array, name) for name, array in constants.items()],
        )
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
        model.ir_version = 8
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Threads that wait for more work would do so in the others' turns.
        options.add_session_config_entry("session.force_spinning_stop", "1")
        self.session = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )
        self.binding = self.session.io_binding()
        value = onnxruntime.OrtValue.ortvalue_from_numpy(images)
        self.output = onnxruntime.OrtValue.ortvalue_from_shape_and_type(flat, np.float32)
        self.binding.bind_ortvalue_input("x", value)
        self.binding.bind_ortvalue_output("y", self.output)
        self.implementation = "onnxruntime " + onnxruntime.__version__

    def flatten(self, array, layout, first, grouped, groups):
        """The operand in ONNX's order, where `grouped` holds the groups."""
        array, layout = split_groups(array, layout, grouped, groups)
        other = ["c"] if grouped == "f" else []
        order = [*first, "g", grouped, *other, *self.space]
        array = array.transpose(order_of(layout, order))
        place = len(first)
        shape = array.shape
        flat = (shape[place] * shape[place + 1],)
        return np.ascontiguousarray(array.reshape(shape[:place] + flat + shape[place + 2 :]))

    def run(self, count):
        start = time.perf_counter()
        for _ in range(count):
            self.session.run_with_iobinding(self.binding)
        return time.perf_counter() - start

    def result(self):
        array = self.output.numpy().reshape(self.shape)
        order = ["n", "g", "f", *self.space]
        if "g" in self.layout:
            return array.transpose(order_of(order, self.layout))
        flat = self.layout.replace("f", "gf")
        array = array.transpose(order_of(order, flat))
        place = flat.index("g")
        shape = array.shape
        return array.reshape(shape[:place] + (shape[place] * shape[place + 1],) + shape[place + 2 :])


def tensor(shape):
    return "tensor<" + "".join(f"{size}x" for size in shape) + "f32>"


def index_tuple(layout, replaced=None):
    """The dimensions of a layout as an affine map has them, some `replaced`."""
    return "(" + ", ".join((replaced or {}).get(letter, letter) for letter in layout) + ")"


def conv_maps(problem, images, filters, output):
    """Loops of a convolution, in the order of the output, then of the filter, as
    in named ops, and what each operand reads of them."""
    space = [letter for letter in "dhw" if letter in images]
    taps = dict(zip(space, map(str.upper, space)))
    windows = zip(space, problem["strides"], problem["dilations"])
    positions = {o: f"{o} * {s} + {taps[o]} * {d}" for o, s, d in windows}
    summed = [taps.get(letter, letter) for letter in filters if letter not in "gf"]
    loops = index_tuple([*output, *summed])
    reads = [
        index_tuple(images, positions),
        index_tuple(filters, taps),
        index_tuple(output),
    ]
    kinds = ["parallel"] * len(output) + ["reduction"] * len(summed)
    return [f"affine_map<{loops} -> {read}>" for read in reads], kinds


def filled(output, bias):
    """What a convolution adds to: zeros, or a bias in each place."""
    if not bias:
        return "%filled = linalg.fill ins(%zero : f32) outs(%empty : {0}) -> {0}".format(
            tensor(output[1])
        )
    loops = index_tuple(output[0])
    kinds = ", ".join(['"parallel"'] * len(output[0]))
    return f"""%filled = linalg.generic {{indexing_maps = [affine_map<{loops} -> {
        index_tuple(bias[0])}>, affine_map<{loops} -> {loops}>], iterator_types = [{kinds}]}}
      ins(%bias : {tensor(bias[1])}) outs(%empty : {tensor(output[1])}) {{
  ^bb0(%b: f32, %o: f32):
    linalg.yield %b : f32
  }} -> {tensor(output[1])}"""


def conv_module(problem, images, filters, output, bias, padded):
    """A convolution as linalg, whose operands are pairs of layout and shape."""
    pads = {letter: place for place, letter in enumerate(x for x in "dhw" if x in images[0])}

    def amounts(side):
        return ", ".join(str(problem[side][pads[x]]) if x in pads else "0" for x in images[0])

    maps, kinds = conv_maps(problem, images[0], filters[0], output[0])
    bias_argument = ", %bias: " + tensor(bias[1]) if bias else ""
    return f"""
func.func @conv(%images: {tensor(images[1])}, %filters: {tensor(filters[1])}{
    bias_argument}) -> {tensor(output[1])} {{
  %zero = arith.constant 0.0 : f32
  %padded = tensor.pad %images low[{amounts("pad_low")}] high[{amounts("pad_high")}] {{
  ^bb0({", ".join(f"%i{place}: index" for place in range(len(images[0])))}):
    tensor.yield %zero : f32
  }} : {tensor(images[1])} to {tensor(padded)}
  %empty = tensor.empty() : {tensor(output[1])}
  {filled(output, bias)}
  %result = linalg.generic {{indexing_maps = [{", ".join(maps)}], iterator_types = [{
      ", ".join(f'"{kind}"' for kind in kinds)}]}}
      ins(%padded, %filters : {tensor(padded)}, {tensor(filters[1])})
      outs(%filled : {tensor(output[1])}) {{
  ^bb0(%x: f32, %w: f32, %sum: f32):
    %product = arith.mulf %x, %w : f32
    %next = arith.addf %sum, %product : f32
    linalg.yield %next : f32
  }} -> {tensor(output[1])}
  return %result : {tensor(output[1])}
}}
"""


class Iree:
    """IREE compiles the convolution in the problem's own layouts."""

    devices = {}  # by their target and threads, each with its name
    instance = None
    last = None, None, None  # module, code, compile time

    def __init__(self, problem, arrays, target, threads):
        import iree.runtime

        self.runtime = iree.runtime
        if arrays["input"].dtype != np.float32:
            raise Refusal("only f32 is timed")
        module, operands = self.describe(problem, arrays)
        code = self.compile(module, target)
        device, name = self.device_of(target, threads)
        instance = self.instance_of()
        vm_module = iree.runtime.VmModule.copy_buffer(instance, code)
        self.context = iree.runtime.VmContext(
            instance, [iree.runtime.create_hal_module(instance, device), vm_module]
        )
        self.function = vm_module.lookup_function("conv")
        self.arguments = iree.runtime.VmVariantList(len(operands))
        for array in operands:
            view = iree.runtime.asdevicearray(device, array)
            self.arguments.push_ref(view._buffer_view)
        self.device = device
        version = importlib.metadata.version("iree-base-compiler")
        self.implementation = f"iree {version} on {name}, compiled in {self.compile_ms:.0f} ms"

    def compile(self, module, target):
        """The code of `module`. The last one's is kept: the number of threads is
        no matter of the compiler's."""
        from iree.compiler import CompilerToolError, compile_str

        flags = ["--iree-hal-target-device=vulkan", "--iree-opt-level=O3"]
        if target == "cpu":
            flags = [
                "--iree-hal-target-backends=llvm-cpu",
                "--iree-llvmcpu-target-cpu=host",
                "--iree-opt-level=O3",
            ]
        if Iree.last[0] != module:
            start = time.perf_counter()
            try:
                code = compile_str(module, extra_args=flags)
            except CompilerToolError as error:
                lines = [line for line in str(error).splitlines() if "error: " in line]
                raise Refusal("cannot compile: " + (lines or ["unknown"])[0].split("error: ")[-1])
            Iree.last = module, code, 1e3 * (time.perf_counter() - start)
        self.compile_ms = Iree.last[2]
        return Iree.last[1]

    def instance_of(self):
        if Iree.instance is None:
            Iree.instance = self.runtime.VmInstance()
        return Iree.instance

    def device_of(self, target, threads):
        """A device for each target and number of threads, which stays: its flag
        holds for devices that are made after it."""
        if (target, threads) not in Iree.devices:
            self.runtime.flags.parse_flags(f"--task_topology_max_group_count={threads}")
            name = "local-sync" if threads == 1 else "local-task"
            driver = self.runtime.get_driver("vulkan" if target == "vulkan" else name)
            if target == "vulkan":
                name = driver.query_available_devices()[0]["name"]
            Iree.devices[target, threads] = driver.create_default_device(), name
        return Iree.devices[target, threads]

    def describe(self, problem, arrays):
        """The module, and its arguments in the shapes that it takes."""
        groups, layouts = problem["groups"], problem["layouts"]
        images, image_layout = split_groups(arrays["input"], layouts["input"], "c", groups)
        filters, filter_layout = split_groups(arrays["filter"], layouts["filter"], "f", groups)
        self.layout = layouts["output"]
        output_layout = self.layout if "g" in self.layout else self.layout.replace("f", "gf")
        space = [letter for letter in "dhw" if letter in image_layout]
        before = dict(zip(image_layout, images.shape))
        size = dict(zip(filter_layout, filters.shape)) | {"n": before["n"], "g": groups}
        sizes = settle_sizes(problem, [before[x] for x in space], [size[x] for x in space])
        pads = [sum(pair) for pair in zip(problem["pad_low"], problem["pad_high"])]
        after = before | {x: before[x] + pad for x, pad in zip(space, pads)}
        size |= dict(zip(space, sizes))
        # IREE is faster on what it knows by name, which has no dimension of size
        # 1 for groups, nor for the channels of a depthwise convolution.
        is_depthwise = groups > 1 and size["f"] == size["c"] == 1
        unit = "g" if groups == 1 else "fc" if is_depthwise else ""

        def squeeze(layout, sizes):
            kept = [letter for letter in layout if letter not in unit]
            return "".join(kept), [sizes[letter] for letter in kept]

        images_kept = squeeze(image_layout, before)
        filters_kept = squeeze(filter_layout, dict(zip(filter_layout, filters.shape)))
        self.shape = [size[letter] for letter in output_layout]
        operands = [images.reshape(images_kept[1]), filters.reshape(filters_kept[1])]
        bias = None
        if "bias" in arrays:
            letters = [letter for letter in "gf" if letter not in unit]
            bias = letters, [size[letter] for letter in letters]
            operands.append(arrays["bias"].reshape(bias[1]))
        padded = squeeze(image_layout, after)[1]
        module = conv_module(
            problem, images_kept, filters_kept, squeeze(output_layout, size), bias, padded
        )
        return module, operands

    def run(self, count):
        start = time.perf_counter()
        for _ in range(count):
            self.results = self.runtime.VmVariantList(1)
            self.context.invoke(self.function, self.arguments, self.results)
        return time.perf_counter() - start

    def copy_to_host(self, source):
        """What f32 elements `source` has. IREE's own way would import memory,
        which Vulkan takes in whole pages only."""
        runtime, size = self.runtime, source.byte_length()
        target = self.device.allocator.allocate_buffer(
            memory_type=int(runtime.MemoryType.HOST_LOCAL | runtime.MemoryType.DEVICE_VISIBLE),
            allowed_usage=int(
                runtime.BufferUsage.TRANSFER_TARGET | runtime.BufferUsage.MAPPING_SCOPED
            ),
            allocation_size=size,
        )
        semaphore = self.device.create_semaphore(0)
        done = runtime.HalFence.create_at(semaphore, 1)
        self.device.queue_copy(
            source,
            target,
            wait_semaphores=runtime.HalFence.create_at(semaphore, 0),
            signal_semaphores=done,
        )
        done.wait()
        return target.map().asarray([size // 4], np.dtype("f4")).copy()

    def result(self):
        view = self.results.get_as_object(0, self.runtime.HalBufferView)
        array = self.copy_to_host(view.get_buffer()).reshape(self.shape)
        if "g" in self.layout:
            return array
        place = self.layout.index("f")
        shape = array.shape
        return array.reshape(shape[:place] + (shape[place] * shape[place + 1],) + shape[place + 2 :])


def cudnn(*arguments):
    from bench_cudnn import CuDnn

    return CuDnn(*arguments)


LIBRARIES = {"onnxruntime": OnnxRuntime, "iree": Iree, "cudnn": cudnn}


class Worker:
    def __init__(self, library):
        self.library = library
        self.convolution = None

    def answer(self, request):
        if "prepare" in request:
            self.convolution = None  # frees the one before
            arrays = {name: np.load(path) for name, path in request["files"].items()}
            if not math.prod(math.prod(array.shape) for array in arrays.values()):
                raise Refusal("empty operands are not timed")
            self.convolution = self.library(
                request["prepare"], arrays, request["target"], request["threads"]
            )
            return {"implementation": self.convolution.implementation}
        if "run" in request:
            return {"seconds": self.convolution.run(request["run"])}
        np.save(request["result"], np.ascontiguousarray(self.convolution.result()))
        return {}


def main(arguments):
    if len(arguments) != 1 or arguments[0] not in LIBRARIES:
        print(__doc__.split("\n\n")[1], file=sys.stderr)
        return 1
    keep_memory()
    worker = Worker(LIBRARIES[arguments[0]])
    # What libraries print is no answer.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        try:
            answer = worker.answer(json.loads(line))
        except Refusal as refusal:
            answer = {"error": str(refusal)}
        except Exception as error:  # what a library throws is its answer
            text = " ".join(str(error).split())[:200]
            answer = {"error": f"{type(error).__name__}: {text}"}
        print(json.dumps(answer), file=answers, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
