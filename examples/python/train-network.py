"""A network of PyTorch learns to tell stripes by their direction; Convoy computes its
convolutions and their gradients, and checks these in the last step."""

import torch
from torch import nn

import convoy.torch


def make_batch(count: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Images of stripes with noise, and the direction of these."""
    labels = torch.randint(2, (count,))
    waves = torch.sin(torch.arange(16) * 1.5).expand(count, 1, 16, 16)
    turned = torch.where(labels.view(-1, 1, 1, 1) == 1, waves.transpose(2, 3), waves)
    return turned + 0.5 * torch.randn(count, 1, 16, 16), labels


torch.manual_seed(0)
model = nn.Sequential(
    nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.Conv2d(8, 16, 3, stride=2), nn.BatchNorm2d(16),
    nn.ReLU(), nn.Conv2d(16, 2, 7),
)
compiled = torch.compile(model, backend="convoy", options={"threads": 1})
optimizer = torch.optim.SGD(model.parameters(), lr=0.05)


def train(count: int) -> float:
    """One step; returns the loss."""
    images, labels = make_batch(count)
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(compiled(images).flatten(1), labels)
    loss.backward()
    optimizer.step()
    return float(loss)


losses = [train(count) for count in (8, 12, 10, 9, 15, 14, 11, 13) * 5]
with convoy.torch.record_checks() as reports:
    losses.append(train(4))
print(*convoy.torch.plans()[-2:], sep="\n")
print(f"{len(convoy.torch.plans())} graphs for 9 sizes of batches")
print(f"the loss fell from {losses[0]:.2f} to {losses[-1]:.2f}")
print(f"{sum(report.passed for report in reports)} of {len(reports)} calls are right")
