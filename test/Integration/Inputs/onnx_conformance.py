"""Runs ONNX's own conformance cases of convolutions and samples through convoy-run.

The cases are all those with a Conv, a ConvTranspose, a DeformConv or a GridSample
in ONNX's registry of node tests and among the models that it took over from PyTorch. ONNX's
reference evaluator runs the graph, except that each of these nodes becomes an input
of `convoy-run --check`, with its operands in .npy files. A convolution alone must
match the expected output within the error bounds of docs/Numerics.md; samples,
deformable convolutions and graphs with other nodes within the tolerance that ONNX sets for the case. Cases of
other ops that convolve are listed with the reason why they are not run. Prints, for
each op and target, how many cases agree and how many differ.

usage: onnx_conformance.py FOLDER TARGET...
"""

import collections
import pathlib
import subprocess
import sys
import warnings

import numpy as np
import onnx
from onnx.backend.test.case.node import collect_testcases
from onnx.backend.test.loader import load_model_tests
from onnx.reference import ReferenceEvaluator
from onnx.reference.op_run import OpRun

TYPES = {"float16": "f16", "float32": "f32", "float64": "f64"}
OPS = ["Conv", "ConvTranspose", "DeformConv", "GridSample"]
CONVOLUTIONS = [["Conv"], ["ConvTranspose"]]
REASONS = {
    "CausalConvWithState": "a function, run in its expanded form",
    "ConvInteger": "its elements are integers",
    "QLinearConv": "its elements are integers",
}
TRANSPOSED_WITH_BIAS = """\
func.func @conv_transpose(%input: {input}, %filter: {filter}, %bias: {bias}) -> {result} {{
  %empty = tensor.empty() : {result}
  %init = linalg.broadcast ins(%bias : {bias}) outs(%empty : {result}) dimensions = {others}
  %result = convoy.conv_transpose ins(%input, %filter : {input}, {filter})
      outs(%init : {result}) layout(nc{dims} x cf{dims} -> nf{dims})
      window(stride = {strides}, dilation = {dilations}, pad = {pads})
      output_pad({output_pad})
  return %result : {result}
}}
"""


class Window:
    """An op's attributes, one value for each spatial dimension."""

    def __init__(self, filter_sizes, strides, dilations, pads):
        self.filter = np.array(filter_sizes)
        self.strides = np.array(strides or np.ones_like(self.filter))
        self.dilations = np.array(dilations or np.ones_like(self.filter))
        low, high = np.split(np.array(pads or [0] * 2 * len(self.filter)), 2)
        self.pad_low, self.pad_sum = low, low + high
        self.reach = (self.filter - 1) * self.dilations + 1
        self.dims = "dhw"[-len(self.filter) :]

    def divide_pads(self, total, auto_pad):
        """Pads with `total`; the odd element goes where `auto_pad` says."""
        self.pad_sum = np.maximum(total, 0)
        half = self.pad_sum // 2
        self.pad_low = half if auto_pad == "SAME_UPPER" else self.pad_sum - half


class Runner:
    """Runs convoy-run on `target`, with operands in files of `folder`."""

    def __init__(self, folder, target):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.target = target

    def run_problem(self, direction, channels, window, inputs, outputs, operands, more=()):
        """Runs a problem of the forward convolution's sizes, with `more` flags."""
        fields = [f"{name}{value}" for name, value in channels.items()]
        columns = {
            "i": inputs,
            "o": outputs,
            "k": window.filter,
            "s": window.strides,
            "d": window.dilations - 1,
            "p": window.pad_low,
        }
        for name, values in columns.items():
            fields += [f"{name}{dim}{value}" for dim, value in zip(window.dims, values)]
        flags = [
            *more,
            f"--dir={direction}",
            f"--type={TYPES[operands[0].dtype.name]}",
            f"--input-layout=nc{window.dims}",
            f"--filter-layout=fc{window.dims}",
            f"--output-layout=nf{window.dims}",
        ]
        return self.run(["_".join(fields), *flags], operands)

    def run_samples(self, flags, image, grid):
        """Runs a problem of samples."""
        sizes = {"i": image.shape[2:], "o": grid.shape[1:-1]}
        dims = "dhw"[-len(sizes["i"]) :]
        fields = [f"mb{image.shape[0]}", f"ic{image.shape[1]}"]
        for name, values in sizes.items():
            fields += [f"{name}{dim}{value}" for dim, value in zip(dims, values)]
        flags = [
            "--grid-sample",
            *flags,
            f"--type={TYPES[image.dtype.name]}",
            f"--grid-type={TYPES[grid.dtype.name]}",
            f"--input-layout=nc{dims}",
            f"--grid-layout=n{dims}c",
            f"--output-layout=nf{dims}",
        ]
        return self.run([*flags, "_".join(fields)], [image, grid])

    def run_transposed_with_bias(self, window, output_pad, results, operands):
        """Transposed problems have no bias, but IR has."""
        x, w, b = operands
        element = TYPES[x.dtype.name]
        sizes = {"input": x.shape, "filter": w.shape, "bias": b.shape}
        sizes["result"] = (x.shape[0], b.size, *results)
        types = {
            name: f"tensor<{''.join(f'{size}x' for size in shape)}{element}>"
            for name, shape in sizes.items()
        }
        reach = (np.array(x.shape[2:]) - 1) * window.strides + window.reach
        pads_high = reach + output_pad - results - window.pad_low
        path = self.folder / "conv_transpose.mlir"
        path.write_text(
            TRANSPOSED_WITH_BIAS.format(
                **types,
                others=[0, *range(2, x.ndim)],
                dims=window.dims,
                strides=window.strides.tolist(),
                dilations=window.dilations.tolist(),
                pads=np.stack([window.pad_low, pads_high], axis=1).tolist(),
                output_pad=output_pad.tolist(),
            )
        )
        return self.run([path], operands)

    def run(self, arguments, operands):
        command = ["convoy-run", "--check", f"--target={self.target}", *arguments]
        for number, operand in enumerate(operands):
            path = self.folder / f"{number}.npy"
            np.save(path, np.ascontiguousarray(operand))
            command.append(f"--input=@{path}")
        result = self.folder / "result.npy"
        result.unlink(missing_ok=True)
        command.append(f"--output=@{result}")
        done = subprocess.run(command, capture_output=True, text=True, timeout=120)
        if done.returncode != 0:
            raise RuntimeError(f"{command}\n{done.stdout}{done.stderr}")
        return np.load(result)


def make_deformed_op(runner):
    """The same for deformable convolutions."""

    class DeformConv(OpRun):
        def _run(self, x, w, offset, b=None, mask=None, dilations=None, group=1,
                 kernel_shape=None, offset_group=1, pads=None, strides=None):  # fmt: skip
            window = Window(kernel_shape or w.shape[2:], strides, dilations, pads)
            channels = {"g": group, "mb": x.shape[0], "ic": x.shape[1], "oc": len(w)}
            flags = ["--deform-conv", f"--offset-groups={offset_group}"]
            flags += ["--mask"] if mask is not None else []
            operands = [one for one in (x, w, offset, mask, b) if one is not None]
            return (
                runner.run_problem(
                    "FWD_D" if b is None else "FWD_B",
                    channels,
                    window,
                    np.array(x.shape[2:]),
                    np.array(offset.shape[2:]),
                    operands,
                    flags,
                ),
            )

    return DeformConv


def make_ops(runner):
    """The ops as classes for ONNX's evaluator, which finds them by name."""

    class Conv(OpRun):
        def _run(self, x, w, b=None, auto_pad=None, dilations=None, group=1,
                 kernel_shape=None, pads=None, strides=None):  # fmt: skip
            window = Window(kernel_shape or w.shape[2:], strides, dilations, pads)
            inputs = np.array(x.shape[2:])
            if auto_pad in ("SAME_UPPER", "SAME_LOWER"):
                outputs = -(-inputs // window.strides)
                padded = (outputs - 1) * window.strides + window.reach
                window.divide_pads(padded - inputs, auto_pad)
            outputs = (inputs + window.pad_sum - window.reach) // window.strides + 1
            channels = {"g": group, "mb": x.shape[0], "ic": x.shape[1], "oc": len(w)}
            direction = "FWD_D" if b is None else "FWD_B"
            operands = [x, w] if b is None else [x, w, b]
            return (
                runner.run_problem(
                    direction, channels, window, inputs, outputs, operands
                ),
            )

    class ConvTranspose(OpRun):
        """The gradient of the input of a forward convolution, whose output has
        the sizes of `x`."""

        def _run(self, x, w, b=None, auto_pad=None, dilations=None, group=1,
                 kernel_shape=None, output_padding=None, output_shape=None,
                 pads=None, strides=None):  # fmt: skip
            window = Window(kernel_shape or w.shape[2:], strides, dilations, pads)
            outputs = np.array(x.shape[2:])
            full = (outputs - 1) * window.strides + window.reach
            output_pad = np.array(output_padding or 0 * outputs)
            full += output_pad
            inputs = full - window.pad_sum
            if output_shape or auto_pad in ("SAME_UPPER", "SAME_LOWER"):
                inputs = np.array(output_shape or outputs * window.strides)
                window.divide_pads(full - inputs, auto_pad)
            if b is not None and group == 1:
                return (
                    runner.run_transposed_with_bias(
                        window, output_pad, inputs, [x, w, b]
                    ),
                )
            if b is not None:
                raise RuntimeError("a transposed convolution with groups and a bias")
            channels = {"g": group, "mb": x.shape[0], "ic": w.shape[1] * group}
            channels["oc"] = x.shape[1]
            return (
                runner.run_problem("BWD_D", channels, window, inputs, outputs, [x, w]),
            )

    class GridSample(OpRun):
        def _run(self, x, grid, align_corners=None, mode=None, padding_mode=None):
            flags = [f"--alg={mode}", f"--padding-mode={padding_mode}"]
            flags += ["--align-corners"] if align_corners else []
            return (runner.run_samples(flags, x, grid),)

    return [Conv, ConvTranspose, GridSample]


def collect_cases():
    """Each case as its name, model, data sets and tolerances."""
    for case in collect_testcases(None):
        if case.model:
            yield case.name, case.model, case.data_sets, (case.rtol, case.atol)
    for kind in ("pytorch-converted", "pytorch-operator"):
        for case in sorted(load_model_tests(kind=kind), key=lambda case: case.name):
            folder = pathlib.Path(case.model_dir)
            model = onnx.load(folder / "model.onnx")
            data_sets = [
                (load_tensors(path, "input"), load_tensors(path, "output"))
                for path in sorted(folder.glob("test_data_set_*"))
            ]
            yield case.name, model, data_sets, (case.rtol, case.atol)


def load_tensors(folder, kind):
    """The inputs or the outputs of a data set, in their order."""
    count = len(list(folder.glob(f"{kind}_*.pb")))
    tensors = [onnx.load_tensor(folder / f"{kind}_{i}.pb") for i in range(count)]
    return [onnx.numpy_helper.to_array(tensor) for tensor in tensors]


def evaluate(model, inputs, ops=()):
    initialized = {tensor.name for tensor in model.graph.initializer}
    names = [v.name for v in model.graph.input if v.name not in initialized]
    evaluator = ReferenceEvaluator(model, new_ops=list(ops))
    return evaluator.run(None, dict(zip(names, inputs, strict=True)))


def evaluate_changed(model, inputs, change):
    """The results in f64 where `change` was applied to all values."""
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    for tensor in changed.graph.initializer:
        values = change(onnx.numpy_helper.to_array(tensor).astype(np.float64))
        tensor.CopyFrom(onnx.numpy_helper.from_array(values, tensor.name))
    return evaluate(changed, [change(value.astype(np.float64)) for value in inputs])


def find_bounds(model, inputs):
    """How far two right results of a node in f32 may lie apart: each is off by
    at most gamma S + L eta."""
    (sums,) = evaluate_changed(model, inputs, np.abs)
    (lengths,) = evaluate_changed(model, inputs, np.ones_like)
    unit, smallest = 2.0**-24, 2.0**-149
    gamma = lengths * unit / (1 - lengths * unit)
    return 2 * (gamma * sums + lengths * smallest)


def find_fault(model, inputs, expected, tolerances, ops):
    """What is wrong with the results, or nothing."""
    try:
        results = evaluate(model, inputs, ops)
    except RuntimeError as error:
        return str(error)
    for result, right in zip(results, expected, strict=True):
        if (result.shape, result.dtype) != (right.shape, right.dtype):
            return (
                f"expected {right.dtype}{right.shape}, "
                f"but got {result.dtype}{result.shape}"
            )
        is_convolution = [node.op_type for node in model.graph.node] in CONVOLUTIONS
        if is_convolution and right.dtype == np.float32:
            bounds = find_bounds(model, inputs)
        else:
            relative, absolute = tolerances
            bounds = absolute + relative * np.abs(right.astype(np.float64))
        errors = np.abs(result.astype(np.float64) - right)
        if not np.all(errors <= bounds):
            return f"expected\n{right}\nbut got\n{result}"
    return None


def main(folder, *targets):
    warnings.filterwarnings("ignore")  # of other cases, whose inputs overflow
    runners = [Runner(folder, target) for target in targets]
    ops = {
        runner.target: [*make_ops(runner), make_deformed_op(runner)]
        for runner in runners
    }
    agree, differ = collections.Counter(), collections.Counter()
    for name, model, data_sets, tolerances in collect_cases():
        kinds = {node.op_type for node in model.graph.node}
        if not kinds & set(OPS):
            for kind in sorted(kind for kind in kinds if "Conv" in kind):
                print(f"{name}: not run, {REASONS[kind]}")
            continue
        op = next(op for op in OPS if op in kinds)
        for target, own in ops.items():
            faults = [find_fault(model, *data, tolerances, own) for data in data_sets]
            fault = next(filter(None, faults), None)
            (differ if fault else agree)[op, target] += 1
            print(f"{name} on {target}: {fault or 'agrees'}", flush=True)
    for op in OPS:
        for target in targets:
            counts = f"{agree[op, target]} agree, {differ[op, target]} differ"
            print(f"{op} on {target}: {counts}")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
