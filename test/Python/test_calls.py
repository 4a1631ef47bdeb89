"""What kernels take and give: memory, errors, threads."""

import concurrent.futures
import re

import numpy as np
import pytest

import convoy

PROBLEM = "mb2_ic3ih9iw7oc5kh3kw2"


@pytest.fixture(scope="module")
def kernel():
    return convoy.compile(PROBLEM)


@pytest.fixture(scope="module")
def arrays(kernel):
    x, w = kernel.generate()
    return x, w, kernel(x, w)


class Tensor:
    """What another library has: an array behind DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


def misalign(array):
    """A dense copy whose address is no multiple of the elements' size."""
    memory = np.empty(array.nbytes + 1, np.uint8)[1:]
    copy = memory.view(array.dtype).reshape(array.shape)
    copy[...] = array
    assert not copy.flags.aligned
    return copy


def test_arguments(kernel):
    names = [(a.name, a.layout, a.shape, a.dtype.name) for a in kernel.arguments]
    assert names == [
        ("input", "nhwc", (2, 9, 7, 3), "float32"),
        ("filter", "hwcf", (3, 2, 3, 5), "float32"),
        ("output", "nhwf", (2, 7, 6, 5), "float32"),
    ]


def test_out_is_the_result(kernel, arrays):
    x, w, y = arrays
    out = np.full_like(y, 99)
    assert kernel(x, w, out=out) is out
    np.testing.assert_array_equal(out, y)


def test_out_of_another_library(kernel, arrays):
    x, w, y = arrays
    out = np.full_like(y, 99)
    kernel(Tensor(x), Tensor(w), out=Tensor(out))
    np.testing.assert_array_equal(out, y)


@pytest.mark.parametrize(
    "change",
    (
        lambda x: np.asfortranarray(x),
        lambda x: np.repeat(x, 2, axis=1)[:, ::2],
        lambda x: x[:, ::-1].copy()[:, ::-1],
        misalign,
        Tensor,
    ),
    ids=("fortran", "strided", "reversed", "misaligned", "dlpack"),
)
def test_inputs_of_any_form(kernel, arrays, change):
    x, w, y = arrays
    np.testing.assert_array_equal(kernel(change(x), w), y)


def test_inputs_that_are_read_only(kernel, arrays):
    x, w, y = (array.copy() for array in arrays)
    x.flags.writeable = w.flags.writeable = False
    np.testing.assert_array_equal(kernel(x, w), y)


def read_only(array):
    array.flags.writeable = False
    return array


class Elsewhere(Tensor):
    """An array that NumPy cannot reach."""

    def __dlpack__(self, **options):
        raise ValueError("the array is on a GPU\nand stays there")


WRONG = {
    "count": (lambda x, w, y: (x,), "expected 2 operands (input, filter), but got 1"),
    "list": (
        lambda x, w, y: (x.tolist(), w),
        "expected an array with __dlpack__ for 'input', but got list",
    ),
    "device": (
        lambda x, w, y: (Elsewhere(x), w),
        "expected an array that NumPy can read for 'input', but got Elsewhere "
        "(the array is on a GPU)",
    ),
    "mask": (
        lambda x, w, y: (np.ma.array(x), w),
        "expected an array without a mask for 'input', but got one with it",
    ),
    "type": (
        lambda x, w, y: (x.astype(np.float64), w),
        "expected float32 for 'input', but got float64",
    ),
    "byte order": (
        lambda x, w, y: (x.astype(">f4"), w),
        "expected float32 for 'input', but got >f4",
    ),
    "rank": (
        lambda x, w, y: (x[0], w),
        "expected 4 dimensions (nhwc) for 'input', but got 3",
    ),
    "shape": (
        lambda x, w, y: (x, w.transpose(1, 0, 2, 3)),
        "expected shape (3, 2, 3, 5) (hwcf) for 'filter', but got (2, 3, 3, 5)",
    ),
}

WRONG_OUT = {
    "type": (lambda x, y: y.astype(np.int32), "expected float32 for 'output', but got int32"),
    "shape": (
        lambda x, y: y[:1],
        "expected shape (2, 7, 6, 5) (nhwf) for 'output', but got (1, 7, 6, 5)",
    ),
    "strides": (
        lambda x, y: np.asfortranarray(y),
        "expected dense rows for 'out', but got strides (4, 8, 56, 336)",
    ),
    "alignment": (lambda x, y: misalign(y), "expected an address aligned to 4 for 'out'"),
    "read only": (
        lambda x, y: read_only(y.copy()),
        "expected an array to write to for 'out', but got one to read only",
    ),
    "overlap": (
        lambda x, y: np.frombuffer(x.data, np.float32)[: y.size].reshape(y.shape),
        "expected memory of its own for 'out', but got that of an operand",
    ),
    "list": (
        lambda x, y: y.tolist(),
        "expected an array with __dlpack__ for 'out', but got list",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_wrong_operands(kernel, arrays, name):
    make, sentence = WRONG[name]
    with pytest.raises(convoy.Error, match="^" + re.escape(sentence)):
        kernel(*make(*arrays))


@pytest.mark.parametrize("name", WRONG_OUT)
def test_wrong_out(name):
    # The operands are as long as the result, to share memory with it.
    kernel = convoy.compile("mb2_ic5ih9iw7oc5kh3kw2")
    x, w = kernel.generate()
    y = kernel(x, w)
    make, sentence = WRONG_OUT[name]
    with pytest.raises(convoy.Error, match="^" + re.escape(sentence)):
        kernel(x, w, out=make(x, y))


def test_bf16_needs_ml_dtypes(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "ml_dtypes", None)
    with pytest.raises(convoy.Error, match="^expected the package ml_dtypes for arrays of bf16"):
        convoy.compile(PROBLEM, type="bf16")


def test_threads_call_one_kernel_at_once(kernel, arrays):
    x, w, y = arrays

    def call(number):
        return kernel(x * number, w)

    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for number, result in enumerate(pool.map(call, range(200))):
            np.testing.assert_array_equal(result, y * number)


def test_threads_compile_at_once(arrays):
    x, w, y = arrays
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for kernel in pool.map(convoy.compile, [PROBLEM] * 8):
            np.testing.assert_array_equal(kernel(x, w), y)


@pytest.mark.parametrize("target", ("rocm-sim",))
def test_threads_take_turns_on_a_device(target):
    kernel = convoy.compile("mb1_ic2ih4oc3kh2", target=target)
    x, w = kernel.generate()
    y = kernel(x, w)
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        for result in pool.map(lambda _: kernel(x, w), range(8)):
            np.testing.assert_array_equal(result, y)
