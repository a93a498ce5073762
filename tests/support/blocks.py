"""examples/python/blocks.py gives the bytes that the model in one piece has, whatever the side of blocks:
python3 blocks.py FOLDER_OF_EXAMPLES"""

import importlib.util
import os
import sys

import esker
import numpy

spec = importlib.util.spec_from_file_location("example", os.path.join(sys.argv[1], "blocks.py"))
example = importlib.util.module_from_spec(spec)
spec.loader.exec_module(example)
model = esker.noise(width=300, height=200, seed=3).array * 2000
numpy.save("model.npy", model)
whole = example.slopes(model)
assert whole.max() > 1
for side in 64, 101, 512:
    example.main("model.npy", "slopes.npy", side)
    differing = int((numpy.load("slopes.npy") != whole).sum())
    assert differing == 0, f"{differing} cells differ in blocks of {side}"
