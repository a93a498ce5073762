"""What mypy checks: the package's types, as programs use them."""

from typing import Any

import esker
import numpy

land: esker.Field = esker.noise(size=64, seed=3).stream_erosion(age=0.4).height
higher: esker.Field = land + 0.5 - land * 2
mean: float = land.statistics().mean
cells: "numpy.ndarray[Any, Any]" = land.array
window = esker.river_map(seed=2).render(zoom=8, x=0.4, y="0x.8", size=64)
picture: esker.Image = window.altitude.relief(rivers=window.river, palette=[(-1, "#000000"), (1, "#ffffff")])
picture.save("picture.png")

basin: esker.Field = esker.catchment(land, at=numpy.array([[0.5, 0.5]]), coordinates="shares")
ways: esker.Lines = esker.lines([[[1, 2], [3, 4]]], size=8)
mask: esker.Field = ways.rasterize()
names: "list[dict[str, Any]]" = esker.points([[1, 2]], size=8, attributes=[{"name": "Ost"}]).attributes
