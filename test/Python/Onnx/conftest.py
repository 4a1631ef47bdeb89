"""What all tests of models share."""

import pytest

import convoy.onnx._session


def pytest_configure(config):
    config.addinivalue_line("markers", "threshold: leaves small kernels in one thread")


@pytest.fixture(autouse=True)
def shared_kernels(request, monkeypatch):
    """Lets threads share small kernels, too, of which tests are made."""
    if "threshold" not in request.keywords:
        monkeypatch.setattr(convoy.onnx._session, "_LEAST_SHARED", 0)
