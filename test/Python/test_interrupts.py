"""Ctrl-C: long work ends soon, and the interpreter goes on as ever."""

import os
import signal
import threading
import time

import numpy as np
import pytest

import convoy

LARGE = "mb16_ic256ih56oc256oh56kh3ph1"
SMALL = "mb1_ic3ih8oc4kh3"

#: A convolution that an interpreter takes long for.
LAYER = """\
func.func @layer(%x: tensor<8x58x58x64xf32>, %w: tensor<3x3x64x64xf32>, %init: tensor<8x56x56x64xf32>) -> tensor<8x56x56x64xf32> {
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<8x58x58x64xf32>, tensor<3x3x64x64xf32>)
      outs(%init : tensor<8x56x56x64xf32>) -> tensor<8x56x56x64xf32>
  return %r : tensor<8x56x56x64xf32>
}
"""

#: The same, of which nothing is known but that it is an op of linalg.
GENERIC = """\
func.func @sum(%x: tensor<3000x3000xf32>, %init: tensor<3000xf32>) -> tensor<3000xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<3000x3000xf32>) outs(%init : tensor<3000xf32>) {
    ^bb0(%a: f32, %b: f32):
      %s = math.sqrt %a : f32
      %c = arith.addf %s, %b : f32
      linalg.yield %c : f32
  } -> tensor<3000xf32>
  return %r : tensor<3000xf32>
}
"""


def interrupt(work, seconds=0.3):
    """Sends what Ctrl-C does while `work` is done again and again; returns the time on
    CPUs, which other processes do not change, when that ended."""
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            signal.setitimer(signal.ITIMER_REAL, seconds)
            while True:
                work()
    finally:
        end = time.process_time()
        left = signal.setitimer(signal.ITIMER_REAL, 0)[0]
        signal.signal(signal.SIGALRM, before)
    assert left == 0
    return end


def expect_soon(work, seconds=0.3):
    """Where a machine is slow, all of the work would take longer."""
    start = time.process_time()
    assert interrupt(work, seconds) - start < (seconds + 5) * os.cpu_count()


@pytest.fixture(scope="module")
def large():
    return convoy.compile(LARGE)


def test_compiling():
    for number in range(20):
        expect_soon(lambda: convoy.compile(SMALL), 0.02 + 0.013 * number)
    assert convoy.compile(SMALL).check("int").verdict == "exact"


def test_checking(large):
    expect_soon(lambda: large.check("int"), 2)
    assert convoy.compile(SMALL).check("int").verdict == "exact"


def test_bench():
    expect_soon(lambda: convoy.bench(LARGE, repetitions=100000), 1)


def test_reference(large):
    x, w = large.generate("int")
    expect_soon(lambda: convoy.reference(large, x, w), 2)


@pytest.mark.parametrize("text", (LAYER, GENERIC))
def test_interpreting(text):
    function = convoy.Module.parse(text).compile()
    operands = function.generate("int")
    result = function(*operands)
    expect_soon(lambda: function.compare(operands, (result,)))
    np.testing.assert_array_equal(function(*operands), result)


def test_certificates():
    kernel = convoy.compile("mb1_ic64ih56oc64oh56kh3ph1", target="rocm-sim")

    expect_soon(lambda: kernel._native.certify())
    assert kernel.certificate.verdict == "certified"


def test_passes_leave_the_module():
    module = convoy.Module.parse(LAYER)
    before = str(module)
    after = str(convoy.Module.parse(LAYER).run("convoy-to-llvm-pipeline"))

    def work():
        module.run("builtin.module(convoy-to-llvm-pipeline)")
        assert str(module) == after
        module._native = convoy.Module.parse(LAYER)._native

    for number in range(20):
        expect_soon(work, 0.02 + 0.013 * number)
        assert str(module) in (before, after)
        module = convoy.Module.parse(LAYER)


def test_saving(tmp_path):
    """A file is written whole, or not at all."""
    kernel = convoy.compile(SMALL)
    x, w = kernel.generate("int")
    expected = kernel(x, w)

    def work():
        for name in ("conv.so", "conv.json"):
            (tmp_path / name).unlink(missing_ok=True)
        kernel.save(tmp_path / "conv.so", manifest=tmp_path / "conv.json")

    for number in range(20):
        expect_soon(work, 0.02 + 0.013 * number)
        if (tmp_path / "conv.so").exists() and (tmp_path / "conv.json").exists():
            library = convoy.load(tmp_path / "conv.so", tmp_path / "conv.json")
            np.testing.assert_array_equal(library("conv", x, w), expected)


def test_other_threads_go_on():
    """A signal is the main thread's alone."""
    results = []
    kernel = convoy.compile("mb4_ic64ih56oc64oh56kh3ph1")
    thread = threading.Thread(target=lambda: results.append(kernel.check("int").verdict))
    thread.start()
    interrupt(lambda: time.sleep(10), 0.1)
    thread.join()
    assert results == ["exact"]


def test_handlers_that_do_not_raise():
    calls = []
    before = signal.signal(signal.SIGALRM, lambda *_: calls.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05, 0.05)
        assert convoy.compile("mb2_ic64ih56oc64oh56kh3ph1").check("int").verdict == "exact"
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert calls
