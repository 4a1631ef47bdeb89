"""A layer learns the filter of another one, by gradients that Convoy computes."""

import numpy as np

import convoy

LAYER = "mb4_ic3ih12iw12oc8kh3kw3ph1pw1"
RATE = 2e-4

forward = convoy.compile(LAYER)
backward = convoy.compile(LAYER, direction="BWD_W")

images, wanted = forward.generate("normal", seed=1)
target = forward(images, wanted)
weights = np.zeros_like(wanted)
output = np.empty_like(target)
losses = []
for step in range(40):
    forward(images, weights, out=output)
    error = output - target
    losses.append(float(np.mean(error**2)))
    if step % 10 == 0:
        print(f"step {step}: loss {losses[-1]:.4f}")
    weights -= RATE * backward(images, error)

if losses[-1] > losses[0] / 2:
    raise SystemExit(f"the loss is still {losses[-1]:.4f}")
print(f"the loss fell to {100 * losses[-1] / losses[0]:.2f}% of the first")
