"""Makes the backend known to torch.compile by its name."""

import importlib.metadata

from torch._dynamo.backends.registry import register_backend

from convoy.torch._backend import backend


def register() -> None:
    """Registers the backend, unless the package is installed: then PyTorch finds it by
    itself, and registers what it finds."""
    found = importlib.metadata.entry_points(group="torch_dynamo_backends", name="convoy")
    if not found:
        register_backend(backend, name="convoy")
