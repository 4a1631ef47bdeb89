"""convoy.bench: times of problems as rows."""

import math

import pytest

import convoy

FAST = {"repetitions": 2}
SMALL = "mb1_ic3ih8oc4kh3"


def test_row():
    found = convoy.bench(SMALL, **FAST)
    (row,) = found.rows
    assert row.problem == convoy.compile(SMALL).problem
    assert (row.target, row.threads, row.error) == ("cpu", 1, "")
    assert 0 < row.seconds <= row.median_seconds
    multiply_adds = 6 * 6 * 4 * 3 * 3 * 3
    assert math.isclose(row.gflops, 2e-9 * multiply_adds / row.seconds, rel_tol=1e-6)
    assert 0 < row.peak_fraction and row.compile_seconds > 0 and row.code_bytes > 0
    assert row.peers == {} and row.candidates == () and found.ratios == {}
    assert "convoy-bench" in row.reproduce


def test_options():
    found = convoy.bench(
        [SMALL, "mb2_ic5iw9oc7kw2"], direction="BWD_D", type="f64", cpu="haswell", threads=[1, 2], **FAST
    )
    assert [row.threads for row in found.rows] == [1, 2, 1, 2]
    assert all("--dir=BWD_D --type=f64" in row.problem for row in found.rows)
    assert all("--cpu=haswell" in row.reproduce for row in found.rows)


def test_layouts_and_tile():
    (row,) = convoy.bench(SMALL, layouts="nchw,fchw,nfhw", tile="2x1", precision="high", algorithm="auto", **FAST).rows
    assert "--algorithm=auto" in row.reproduce
    assert "--input-layout=nchw --filter-layout=fchw --output-layout=nfhw" in row.problem
    assert "--tile=2x1" in row.reproduce and "--precision=high" in row.reproduce


def test_candidates():
    (row,) = convoy.bench("mb1_ic16ih10oc32kh3", candidates=2, **FAST).rows
    assert len(row.candidates) == 2
    assert all(c.tiles.startswith("tile: ") and c.cycles_per_lane > 0 for c in row.candidates)


def test_samples_have_no_multiply_adds():
    (row,) = convoy.bench("--grid-sample mb1_ic3ih9iw7_oh5ow4", **FAST).rows
    assert math.isnan(row.gflops) and row.gbs > 0 and row.bandwidth_fraction > 0


def test_peer_that_cannot_be_timed():
    (row,) = convoy.bench("mb1_ic3iw8oc4kw3 --type=f64", peers=["onednn"], **FAST).rows
    peer = row.peers["onednn"]
    assert peer.reason and math.isnan(peer.seconds) and math.isnan(peer.ratio)


def test_shown_as_text_and_html():
    row = convoy.bench(SMALL, **FAST).rows[0]
    peers = {"onednn": convoy.BenchPeer(2 * row.seconds, 2 * row.seconds, 2.0)}
    fields = {**vars(row), "peers": peers}
    wrong = convoy.BenchRow(**{**vars(row), "error": "wrong <numbers>"})
    found = convoy.Bench((convoy.BenchRow(**fields), wrong))
    head, first, second = str(found).splitlines()
    assert head.split() == ["problem", "threads", "ms", "GF/s", "%", "peak", "GB/s", "x", "onednn"]
    assert first.startswith(row.problem) and first.endswith("2.00")
    assert second.endswith("wrong <numbers>")
    assert '<td colspan="5">wrong &lt;numbers&gt;</td>' in found._repr_html_()
    assert found.ratios == {"onednn": pytest.approx(2)}


@pytest.mark.parametrize(
    "arguments, text",
    [
        ((["mb1"],), "expected 'ic' in descriptor 'mb1'"),
        (([],), "expected a problem for 'problem', but got none"),
        ((3,), "expected a text for 'problem', but got 3"),
    ],
)
def test_bad_problems(arguments, text):
    with pytest.raises(convoy.Error, match=text):
        convoy.bench(*arguments)


@pytest.mark.parametrize(
    "options, text",
    [
        ({"threads": 0}, "expected a number from 1 to"),
        ({"threads": [1, "2"]}, "for 'threads', but got '2'"),
        ({"threads": []}, "expected a number of threads for 'threads', but got none"),
        ({"peers": "onednn"}, "expected a list for 'peers', but got 'onednn'"),
        ({"peers": ["cudnn"]}, "'cudnn'"),
        ({"candidates": 0}, "expected a number from 1 to 1000 for 'candidates', but got 0"),
        ({"repetitions": 0}, "for 'repetitions', but got 0"),
        ({"cpu": "pentium9"}, "pentium9"),
        ({"tile": "0x9"}, "0x9"),
        ({"target": "tpu"}, "tpu"),
    ],
)
def test_bad_options(options, text):
    with pytest.raises(convoy.Error, match=text) as caught:
        convoy.bench(SMALL, **{**FAST, **options})
    assert "\n" not in str(caught.value)


def test_missing_device():
    with pytest.raises(convoy.DeviceError, match="there is no Vulkan device '97'"):
        convoy.bench(SMALL, target="vulkan:97", **FAST)


def test_missing_program(monkeypatch):
    monkeypatch.setattr("convoy._bench._PROGRAM", "convoy-benchless")
    with pytest.raises(convoy.Error, match="expected the program 'convoy-benchless' beside the package or on the PATH"):
        convoy.bench(SMALL)
