"""Slopes of an elevation model that need not fit into memory, block by block with dask, in the bytes that the whole
model would have: python3 blocks.py DEM.npy SLOPES.npy

The cells are squares of 30 m; other models need their own frame. Each block brings two cells of its neighbours, as many
as a slope looks at; `boundary="none"` leaves the model's edges as they are."""

import sys

import dask.array
import esker
import numpy

FRAME = {"cell": 30, "unit": "m"}


def slopes(block):
    return esker.field(block, frame=FRAME).gradient_angle().array


def main(source, target, side=512):
    model = dask.array.from_array(numpy.load(source, mmap_mode="r"), chunks=side)
    result = numpy.lib.format.open_memmap(target, mode="w+", dtype=numpy.float32, shape=model.shape)
    model.map_overlap(slopes, depth=2, boundary="none", dtype=numpy.float32).store(result)
    result.flush()


if __name__ == "__main__":
    main(*sys.argv[1:3])
