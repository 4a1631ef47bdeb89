"""What is wrong with a model is told in one line."""

import re

import numpy as np
import onnx
import pytest
from google.protobuf.message import EncodeError
from graphs import draw_integers, make_model
from onnx import helper

import convoy
import convoy.onnx

W = {"w": draw_integers((2, 3, 3, 3))}


def make(shape=(1, 3, 6, 7), reads=("x", "w"), made="y", extra=(), **options):
    nodes = [helper.make_node("Conv", list(reads), [made], "layer"), *extra]
    return make_model(nodes, {"x": shape}, W, ["y"], **options)


def expect(sentence, call, *arguments, **options):
    with pytest.raises(convoy.Error, match=sentence) as caught:
        call(*arguments, **options)
    assert "\n" not in str(caught.value)


def test_files(tmp_path):
    expect("^cannot read 'none.onnx': No such file or directory$", convoy.onnx.load, "none.onnx")
    path = tmp_path / "model.onnx"
    onnx.save(make(), path)
    whole = path.read_bytes()
    assert convoy.onnx.load(path).inputs == {"x": (1, 3, 6, 7)}
    for size in range(len(whole)):
        path.write_bytes(whole[:size])
        expect("^expected ", convoy.onnx.load, path)


@pytest.mark.parametrize("suffix", (".json", ".onnxtxt", ".pbtxt", ".textproto", ""))
def test_names_of_files_do_not_matter(tmp_path, suffix):
    path = tmp_path / f"model{suffix}"
    path.write_bytes(make().SerializeToString())
    assert convoy.onnx.load(path).inputs == {"x": (1, 3, 6, 7)}
    path.write_text("graph {")
    sentence = f"^expected a model of ONNX, but '{re.escape(str(path))}' is none, or was cut short$"
    expect(sentence, convoy.onnx.load, path)


def test_damaged_files(tmp_path):
    whole = make().SerializeToString()
    path = tmp_path / "model.onnx"
    generator = np.random.default_rng(0)
    for _ in range(500):
        bytes_ = bytearray(whole)
        for place in generator.integers(0, len(whole), 3):
            bytes_[place] = generator.integers(0, 256)
        path.write_bytes(bytes_)
        try:
            convoy.onnx.load(path).plan
        except convoy.Error as error:
            assert "\n" not in str(error)


def test_tensors_in_other_files(tmp_path):
    path = tmp_path / "model.onnx"
    onnx.save(make(), path, save_as_external_data=True, location="tensors", size_threshold=0)
    assert convoy.onnx.load(path).plan.kernels[0].operands[1].constant is not None
    (tmp_path / "tensors").unlink()
    expect(f"^cannot read '{re.escape(str(path))}': .*tensors", convoy.onnx.load, path)


@pytest.mark.parametrize("opset", (1, 6, convoy.onnx.OPSETS[-1] + 1, 999))
def test_opsets(opset):
    model = make()
    model.opset_import[0].version = opset
    newest = convoy.onnx.OPSETS[-1]
    expect(f"^expected an opset from 7 to {newest}, but got {opset}$", convoy.onnx.load, model)


def test_cycles():
    extra = [helper.make_node("Relu", ["y"], ["a"], "relu")]
    model = make(reads=("a", "w"), extra=extra)
    expect("^expected a graph without cycles, but 'layer', 'relu' wait for each other$", convoy.onnx.load, model)


def test_values_that_are_missing():
    expect("^expected a value for 'z', which 'layer' reads$", convoy.onnx.load, make(reads=("z", "w")))


def test_tensors_that_were_not_loaded(tmp_path):
    nodes = [helper.make_node("Conv", ["x", "w"], ["y"])]
    proto = make_model(nodes, {"x": (1, 3, 6, 7)}, {"w": draw_integers((40, 3, 3, 3))}, ["y"])
    onnx.save_model(proto, tmp_path / "m.onnx", save_as_external_data=True, location="m.bin", size_threshold=0)
    model = onnx.load(tmp_path / "m.onnx", load_external_data=False)
    expect("^cannot read the tensor 'w': ", convoy.onnx.compile, model)


def test_models_that_are_wrong():
    expect("^expected a model that is right, but ", convoy.onnx.load, make(reads=("x", "w", "w", "w")))


@pytest.mark.parametrize(
    "attributes",
    ({"strides": [1]}, {"strides": [0, 1]}, {"pads": [1, 1]}, {"group": 2}, {"kernel_shape": [2, 2]}, {"auto_pad": "FULL"}),
)
def test_convolutions_that_do_not_fit(attributes):
    model = make()
    model.graph.node[0].attribute.extend(helper.make_attribute(*one) for one in attributes.items())
    try:
        refusals = convoy.onnx.load(model).plan.refusals
    except convoy.Error as error:
        assert "\n" not in str(error)
    else:
        assert refusals == {"layer": "its operands and attributes do not fit each other"}


def test_operands_that_do_not_fit():
    model = make(shape=(1, 4, 6, 7))
    reason = "its operands and attributes do not fit each other"
    assert convoy.onnx.load(model).plan.refusals == {"layer": reason}
    expect("^ONNX Runtime ", lambda: convoy.onnx.compile(model).run({"x": draw_integers((1, 4, 6, 7))}))


def test_shapes():
    model = make(shape=("n", 3, None, 7))
    load = convoy.onnx.load
    sentence = r"^expected sizes for the input 'x' of shape \(n, 3, \?, 7\), as in shapes={.*} or --shape x=1x"
    expect(sentence, load, model)
    for shape in ((1, 3, 6), (1, 4, 6, 7), (1, 3, 6, 8)):
        sentence = rf"^expected a shape that fits \(n, 3, \?, 7\) for 'x', but got {re.escape(str(shape))}$"
        expect(sentence, load, model, shapes={"x": shape})
    expect(r"^expected sizes of at least 0 for 'x', but got \(-1, 3, 6, 7\)$", load, model, shapes={"x": (-1, 3, 6, 7)})
    expect("^expected one of the inputs x, but got 'z'$", load, model, shapes={"z": (1,)})


@pytest.mark.parametrize(
    "shapes, sentence",
    (
        ({"x": 5}, "expected sizes for 'x', but got 5"),
        ({"x": None}, "expected sizes for 'x', but got None"),
        ({"x": "1x3x6x7"}, "expected sizes for 'x', but got '1x3x6x7'"),
        ({"x": (1, 3, 6.0, 7)}, "expected sizes for 'x', but got (1, 3, 6.0, 7)"),
        ({"x": np.zeros((9, 9))}, "expected sizes for 'x', but got "),
        ([("x", (1, 3, 6, 7))], "expected a dict of shapes for 'shapes', but got list"),
        (7, "expected a dict of shapes for 'shapes', but got int"),
        ({5: (1, 3, 6, 7)}, "expected one of the inputs x, but got '5'"),
    ),
    ids=str,
)
def test_what_is_no_shape(shapes, sentence):
    model = make(shape=("n", 3, None, 7))
    expect("^" + re.escape(sentence), convoy.onnx.load, model, shapes=shapes)


def test_shapes_of_numpy():
    model = make(shape=("n", 3, None, 7))
    for shape in (np.array([1, 3, 6, 7]), [np.int32(size) for size in (1, 3, 6, 7)]):
        assert convoy.onnx.load(model, shapes={"x": shape}).inputs == {"x": (1, 3, 6, 7)}


@pytest.mark.parametrize("model", (None, 3, make().SerializeToString(), ["model.onnx"]), ids=type)
def test_what_is_no_model(model):
    sentence = f"^expected a path for 'model', but got {type(model).__name__}$"
    expect(sentence, convoy.onnx.load, model)
    expect(sentence, convoy.onnx.compile, model)


def test_what_is_no_folder():
    expect("^expected a path for 'folder', but got NoneType$", convoy.onnx.load(make()).export, None)


def test_what_are_no_inputs():
    session = convoy.onnx.compile(make())
    for call in (session.run, session.run_reference, session.check):
        expect("^expected a dict of arrays, but got NoneType$", call, None)
        expect("^expected a dict of arrays, but got ndarray$", call, draw_integers((1, 3, 6, 7)))
        expect("^expected the inputs x, but got 5$", call, {5: None})
        expect("^expected an array with __dlpack__ for 'x', but got NoneType$", call, {"x": None})
    sentence = "^expected a tuple of names for 'kernels', but got 'layer'$"
    expect(sentence, session.check, {"x": draw_integers((1, 3, 6, 7))}, kernels="layer")


def test_inputs():
    session = convoy.onnx.compile(make())
    x = draw_integers((1, 3, 6, 7))
    expect("^expected the inputs x, but got none$", session.run, {})
    expect("^expected the inputs x, but got x, z$", session.run, {"x": x, "z": x})
    expect("^expected float32 for 'x', but got float64$", session.run, {"x": x.astype(np.float64)})
    expect(r"^expected shape \(1, 3, 6, 7\) for 'x', but got \(1, 3, 7, 6\)$", session.run, {"x": x.reshape(1, 3, 7, 6)})
    expect("^expected 4 dimensions for 'x', but got 1$", session.run, {"x": x.ravel()})


def test_what_the_runtime_refuses():
    model = make(made="a", extra=[helper.make_node("None", ["a"], ["y"], domain="none")], domains=("none",))
    expect("^ONNX Runtime refuses what is left to it: ", convoy.onnx.compile, model)


def test_what_the_runtime_cannot_run():
    extra = [helper.make_node("Gather", ["a", "i"], ["y"])]
    model = make(made="a", extra=extra)
    info = helper.make_tensor_value_info("i", onnx.TensorProto.INT64, (1,))
    model.graph.input.append(info)
    session = convoy.onnx.compile(model)
    inputs = {"x": draw_integers((1, 3, 6, 7)), "i": np.array([9])}
    expect("^ONNX Runtime fails: ", session.run, inputs)


def test_targets():
    expect("^layer: ", convoy.onnx.compile, make(), target="none")
    expect("^layer: ", convoy.onnx.compile, make(), cpu="none")
    expect("^expected a number from 1 to ", convoy.onnx.compile, make(), threads=0)


@pytest.mark.parametrize("place", ("input", "output"))
def test_types_that_are_none(place):
    model = make()
    (value,) = getattr(model.graph, place)
    value.type.tensor_type.elem_type = 127
    expect(f"^expected a type of ONNX for '{value.name}', but got 127$", convoy.onnx.load, model)


def test_outputs_of_another_type():
    model = make()
    model.graph.output[0].type.tensor_type.elem_type = onnx.TensorProto.DOUBLE
    expect("^expected FLOAT for the output 'y', but got DOUBLE$", convoy.onnx.load, model)
    for change in (lambda value: value.type.tensor_type.ClearField("elem_type"), lambda value: value.ClearField("type")):
        change(model.graph.output[0])
        assert len(convoy.onnx.load(model).plan.kernels) == 1


@pytest.mark.parametrize("name", ("x\ny", "x\n", "x\r"))
def test_names_of_several_lines(name):
    expect(f"^expected names of one line, but got {re.escape(repr(name))}$", convoy.onnx.load, make(reads=(name, "w")))


@pytest.mark.parametrize("pad", (2**20, 2**31, 2**40))
def test_results_that_are_too_large(pad):
    model = make()
    model.graph.node[0].attribute.append(helper.make_attribute("pads", [pad] * 4))
    shape = re.escape(str((1, 2, 4 + 2 * pad, 5 + 2 * pad)))
    sentence = f"^expected results that memory has room for, but 'layer' has one of shape {shape}$"
    expect(sentence, convoy.onnx.compile, model)


def test_tensors_that_are_too_large():
    """Their sizes count, for which they need no elements."""
    model = make(made="a", extra=[helper.make_node("MatMul", ["a", "v"], ["y"])])
    model.graph.initializer.add(name="v", data_type=onnx.TensorProto.FLOAT, dims=[5, 2**27])
    loaded = convoy.onnx.load(model)
    assert str(loaded.plan).splitlines()[1] == "left: MatMul"
    sentence = r"^expected a tensor below 2 GiB for 'v', which is left to ONNX Runtime, but got \(5, 134217728\)$"
    expect(sentence, loaded.compile)


def test_models_that_are_too_large(monkeypatch):
    class Large:
        def CopyFrom(self, _):
            raise EncodeError("Failed to serialize proto")

    monkeypatch.setattr(onnx, "ModelProto", Large)
    expect("^expected a model below 2 GiB, or the name of its file$", convoy.onnx.load, Large())
