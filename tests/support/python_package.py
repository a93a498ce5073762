"""Tries the installed package and prints TAP. The argument is the build's folder."""

import inspect
import os
import pickle
import signal
import subprocess
import sys
import threading
import time
import warnings

import esker
import numpy

count = 0


def check(name, well):
    """Prints a line of TAP."""
    global count
    count += 1
    print(f"{'ok' if well else 'not ok'} {count} - {name}", flush=True)


def error_of(kind, function, *arguments, **named):
    """The text of the error that a call raises."""
    try:
        function(*arguments, **named)
    except kind as error:
        return str(error)
    return "none"


def native_hash(text):
    """The hash of a value by the program."""
    with open("one.lua", "w", encoding="utf-8") as file:
        file.write(f"return {{ it = {text} }}")
    found = subprocess.run([os.path.join(sys.argv[1], "esker"), "one.lua", "--hash", "-q"], capture_output=True, text=True, check=True)
    return found.stdout.split()[-1]


noise = esker.noise(size=96, seed=7)
check("the package's own library is loaded", os.path.dirname(esker.__file__) in open("/proc/self/maps", encoding="utf-8").read())
check("the same bytes as the program: noise", noise.hash() == native_hash("esker.noise{ size = 96, seed = 7 }"))
check("and erosion and pictures", noise.stream_erosion(age=0.3).height.relief().hash()
      == native_hash("esker.noise{ size = 96, seed = 7 }:stream_erosion{ age = 0.3 }:relief{}"))
check("and windows", esker.river_map(seed=2).render(size=64, zoom=8).altitude.hash()
      == native_hash("(esker.river_map{ seed = 2 }:render{ size = 64, zoom = 8 })"))

check("words of Python's end in _", esker.river_map(seed=2).raise_(along=[[0.42, 0.57]], width=6000, height=600)
      .render(size=16, zoom=64, x=0.42, y=0.57).altitude.hash() == native_hash("(esker.river_map{ seed = 2 }:raise{ "
      "along = { { 0.42, 0.57 } }, width = 6000, height = 600 }:render{ size = 16, zoom = 64, x = 0.42, y = 0.57 })"))

view = noise.array
check("cells are shown without a copy", view.dtype == numpy.float32 and view.base is not None and noise.array.ctypes.data == view.ctypes.data)
mean = float(view.mean())
del noise
check("an array keeps its field alive", float(view.mean()) == mean)
given = numpy.linspace(0, 1, 64 * 48, dtype=numpy.float32).reshape(48, 64)
check("rows of floats are used in place", esker.field(given).array.ctypes.data == given.ctypes.data)
for name, part in {"columns": given[:, ::2], "rows": given[::3], "backwards": given[::-1], "turned": given.T,
                   "doubles": given.astype(float), "a part": given[4:20, 8:40]}.items():
    check(f"arrays of other strides: {name}", numpy.array_equal(esker.field(part).array, part.astype(numpy.float32)))
check("an array is an argument as it is", esker.blur(given, sigma=0.02).shape == (48, 64))

holed = given.copy()
holed[3, 5] = numpy.nan
field = esker.field(holed)
check("cells that are NaN have no data", field.gaps.sum() == 1 and field.gaps[3, 5] and field.masked.mask[3, 5])
masked = esker.field(numpy.ma.masked_less(given, 0.25))
check("and masked ones", masked.gaps.sum() == (given < 0.25).sum())
field.frame = {"x": 500000, "y": 4000000, "cell": 30, "system": "EPSG:32632", "unit": "m"}
check("a frame comes back", field.frame["down_y"] == -30 and field.frame["system"] == "EPSG:32632" and field.frame["unit"] == "m")
placed, changed = esker.field(holed), []
for ending in "npy", "tif", "exr", "png", "r32", "asc":
    for kind in {"sealess": True}, {"sealess": True, "top": 900}, {"sea": 12, "top": 900}, {"no_heights": True, "unit": None}, {"sea": 0}:
        placed.frame = {"x": 5, "y": 6, "cell": 30, "system": "EPSG:32632", "unit": "m", **kind}
        placed.save("placed." + ending)
        changed += [(ending, kind)] if esker.load("placed." + ending).frame != placed.frame else []
check(f"frames come back from files {changed}", not changed)
bowl = (numpy.hypot(*numpy.mgrid[-9:10, -9:10]) - 4).astype(numpy.float32)
for name, more, wanted in (("no system: the sea is at 0", {"system": None}, -4), ("a system: no sea", {}, 5),
                           ("a sea that is given", {"sea": 0}, -4), ("a map's top", {"top": 900}, -4)):
    filled = esker.field(bowl, frame={"x": 0, "y": 0, "cell": 30, "system": "EPSG:32632", "unit": "m", **more}).fill()
    check(f"the sea of a frame: {name}", abs(filled.array.min() - wanted) < 0.1)
check("a wrong member of a frame is named", "'sistem'" in error_of(ValueError, setattr, field, "frame", {"sistem": "x"}))
for name, wrong, text in (("a text", "x", "must be a dict"), ("a text as a number", {"x": "a"}, "x must be a number, got 'a'"),
                          ("a number as a system", {"system": 4326}, "system must be a text, got 4326")):
    check(f"a frame that is {name} is refused", text in error_of(TypeError, setattr, field, "frame", wrong))
again = pickle.loads(pickle.dumps(field))
check("a field goes through pickle", again.hash() == field.hash() and again.frame == field.frame and again.gaps.sum() == 1)

fixed = given.copy()
fixed.flags.writeable = False
field_of_fixed = esker.field(fixed)
check("cells of a read-only array stay read-only", not field_of_fixed.array.flags.writeable and numpy.shares_memory(field_of_fixed.array, fixed)
      and "read-only" in error_of(ValueError, setattr, field_of_fixed, "gaps", fixed > 1) and field_of_fixed.blur().array.flags.writeable)
check("places may be an array", esker.catchment(given, at=numpy.array([[0.5, 0.5]])).hash() == esker.catchment(given, at=[[0.5, 0.5]]).hash())
check("a number may be an array without dimensions", esker.blur(given, sigma=numpy.array(0.02)).hash() == esker.blur(given, sigma=0.02).hash())
check("large whole numbers are exact", esker.noise(size=16, seed=2**60 + 1).hash() == esker.noise(size=16, seed=str(2**60 + 1)).hash()
      and esker.noise(size=16, seed=numpy.int64(2**60)).hash() == esker.noise(size=16, seed=str(2**60)).hash())

for name, text, call in (
        ("no input", "blur: height: takes", lambda: esker.blur(None)),
        ("None in a list", "distances: takes", lambda: field.scatter(distances=[None])),
        ("a complex number", "sigma: takes", lambda: field.blur(sigma=1j)),
        ("complex cells", "real numbers, got an array of complex128", lambda: esker.field(numpy.ones((4, 4), complex))),
        ("inputs too many", "height is taken); parameters are given by name", lambda: esker.blur(given, 0.1)),
        ("half a thread", "threads must be a whole number, got 1.5", lambda: esker.task(threads=1.5).__enter__()),
        ("a limit of memory that is a text", "bytes must be a whole number, got 'a'", lambda: esker.set_memory_limit("a")),
        ("cells of text", "real numbers", lambda: esker.field(numpy.array([["a"]])))):
    check(f"refused: {name}", text in error_of(TypeError, call))
large = numpy.ones((4, 8))
large[1, 5] = 1e300
check("refused: cells that 32-bit floats cannot hold", "cell (5, 1) is 1e+300" in error_of(ValueError, esker.field, large))
check("refused: an array of three dimensions", error_of(ValueError, esker.fill, numpy.ones((5, 5, 3))).startswith("fill: height: a field has rows"))
check("refused: gaps of another shape", "gaps must be (48, 64)" in error_of(ValueError, esker.field, given, numpy.zeros((3, 3))))
check("a file that is missing is an OSError", "nowhere.png" in error_of(OSError, esker.load, "nowhere.png")
      and "nowhere.lua" in error_of(OSError, esker.recipe, "nowhere.lua"))


def fail_after_a_while(share):
    """A callback with an error."""
    raise LookupError(f"at {share}")


with esker.task(progress=fail_after_a_while):
    check("an error of a progress callback ends the operation", "at 0" in error_of(
        LookupError, lambda: esker.noise(size=256).stream_erosion()))
    check("each time", "at 0" in error_of(LookupError, lambda: esker.noise(size=256).stream_erosion()))

one, two = esker.field(given), esker.field(given * 2 + 1)
check("arithmetic", numpy.allclose((two - one).array, given + 1) and numpy.allclose((1 - one).array, 1 - given)
      and numpy.allclose((one * two / two + 3).array, given + 3) and numpy.allclose((-one).array, -given))
check("numbers of numpy beside a field give fields", isinstance(numpy.float32(2) * one, esker.Field)
      and numpy.allclose((numpy.float64(1) - one).array, 1 - given) and type(numpy.sqrt(one)) is type(given + one) is numpy.ndarray)
check("several results have names", esker.statistics(given).max == 1.0)
check("builtins are not shadowed", not any(name in vars(esker) for name in ("min", "max", "abs")) and esker.field(given).min(0.5).statistics().max == 0.5)
check("a name of an input and of a parameter", esker.field(given).crop(x=2, y=3, width=8, height=4).shape == (4, 8))
check("fields as a list", len(esker.field(given).scatter(distances=[0.1, 0.05], density=[given, given]).records) > 10)
network = esker.river_map(seed=2).rivers(size=256)
check("networks are arrays", len(network.reaches) > 5 and network.points["x"].max() <= 256)
check("meshes are arrays", esker.field(given).mesh().triangles.shape[1] == 3)
check("an image shows itself", esker.field(given)._repr_png_()[:4] == b"\x89PNG" and esker.Map._repr_png_(esker.river_map(seed=2))[:4] == b"\x89PNG")
ways = [[[2, 3], [20.5, 9]], {"parts": [[[1, 1, 5], [4, 1, 6]], [[4, 4], [9, 9], [9, 12]]], "attributes": {"lanes": 2, "name": "Ost"}}]
drawn = esker.lines(ways, size=32)
again = esker.lines(drawn.shapes, width=drawn.width or 32, height=drawn.height or 32)
check("the same bytes as the program: lines", drawn.hash() == native_hash("esker.lines{ size = 32, list = { { { 2, 3 }, "
      "{ 20.5, 9 } }, { parts = { { { 1, 1, 5 }, { 4, 1, 6 } }, { { 4, 4 }, { 9, 9 }, { 9, 12 } } }, attributes = { name = 'Ost', "
      "lanes = 2 } } } }"))
check("lines in and out", drawn.hash() == again.hash() and [len(way["parts"]) for way in drawn.shapes] == [1, 2]
      and drawn.shapes[1]["attributes"] == {"name": "Ost", "lanes": 2.0} and drawn.shapes[0]["attributes"] == {}
      and drawn.shapes[1]["parts"][0].tolist() == [[1, 1, 5], [4, 1, 6]])
ring, hole = [[2, 2], [12, 2], [12, 12], [2, 12]], [[5, 5], [8, 5], [8, 8], [5, 8], [5, 5]]
fields = esker.polygons([{"parts": [ring, hole], "holes": [False, True]}], size=16)
mask = fields.rasterize()
check("polygons with a hole", len(fields.shapes[0]["parts"][0]) == 5 and fields.shapes[0]["holes"] == [False, True]
      and mask.array[10, 10] > 0 and mask.array[6, 6] == 0 and mask.array[14, 14] == 0)
trees = esker.points([[4, 5], [6.5, 7]], size=16, attributes=[{"kind": "oak"}, {"age": 80}])
check("points in and out", trees.records["x"].tolist() == [4, 6.5] and trees.attributes == [{"kind": "oak"}, {"age": 80.0}]
      and esker.points(trees.records, size=16, attributes=trees.attributes).hash() == trees.hash())
check("shapes that are wrong", "part 0: it must have 2" in error_of(ValueError, esker.lines, [[[1, 2]]], size=8)
      and "cross" in error_of(ValueError, esker.polygons, [[[0, 0], [9, 9], [9, 0], [0, 9]]], size=16)
      and "give size" in error_of(ValueError, esker.lines, [[[1, 2], [3, 4]]])
      and "within 1e30" in error_of(ValueError, esker.lines, [[[1, 2], [numpy.nan, 4]]], size=8)
      and "'name'" in error_of(TypeError, esker.points, [[1, 2]], size=8, attributes=[{"name": None}]))
given_pixels = numpy.zeros((8, 9, 3), numpy.uint8)
given_pixels[..., 1] = 200
check("pixels in and out", numpy.array_equal(esker.pixels(given_pixels).array[..., :3], given_pixels) and esker.pixels(given_pixels).shape == (8, 9, 4))

check("wrong arguments are ValueErrors of one line", error_of(ValueError, esker.noise, size=-3) == "noise: size must be 2 to 65536, got -3")
check("unknown names as well", "sise" in error_of(ValueError, esker.noise, sise=3))
check("a missing file is an OSError", "no.png" in error_of(OSError, esker.load, "no.png"))
check("arrays of one dimension are refused", "rows and columns" in error_of(ValueError, esker.field, [1, 2, 3]))
check("infinite cells are refused", "none" != error_of(ValueError, esker.field, [[1, numpy.inf], [0, 0]]))
signature = inspect.signature(esker.thermal_erosion)
check("functions have signatures and documentation", "iterations" in signature.parameters and "talus" in esker.thermal_erosion.__doc__)
check("documentation fits a terminal", max(map(len, esker.load.__doc__.splitlines())) <= 100 and "by default )" not in esker.load.__doc__
      and 'by default "d8"' in esker.flow_accumulation.__doc__)

told = []
with esker.task(threads=1, progress=told.append):
    one = esker.noise(size=256, seed=3).hydraulic_erosion(iterations=20).hash()
with esker.task(threads=3):
    check("threads change no bit, progress is told", esker.noise(size=256, seed=3).hydraulic_erosion(iterations=20).hash() == one and told)
hashes = []
workers = [threading.Thread(target=lambda: hashes.append(esker.noise(size=96, seed=7).hash())) for _ in range(4)]
for worker in workers:
    worker.start()
for worker in workers:
    worker.join()
check("several threads compute at once", len(set(hashes)) == 1 and len(hashes) == 4)
signal.signal(signal.SIGINT, signal.default_int_handler)  # which a background process ignores
land, begun = esker.noise(size=1024), threading.Event()
threading.Thread(target=lambda: (begun.wait(), os.kill(os.getpid(), signal.SIGINT)), daemon=True).start()
with esker.task(progress=lambda share: begun.set()):
    check("Control-C stops an operation", error_of(KeyboardInterrupt, land.hydraulic_erosion, iterations=100000) != "none")
late = time.monotonic() + 60  # a busy machine
while "esker" in [thread.name for thread in threading.enumerate()] and time.monotonic() < late:
    time.sleep(0.05)
check("and it has ended then", "esker" not in [thread.name for thread in threading.enumerate()])
check("a path with a zero byte is refused", "zero byte" in error_of(ValueError, esker.load, "a.png\0b.tif"))
check("and the next one runs", esker.noise(size=96, seed=7).hash() == hashes[0])

with open("recipe.lua", "w", encoding="utf-8") as file:
    file.write("""local p = params{ seed = 1, size = 48, on = false }
        local land = esker.noise{ size = p.size, seed = p.seed }
        land.frame = { x = 0, y = 480, cell = 10, unit = "m" }
        return { land = land, relief = land:relief{}, mean = land:statistics().mean, on = p.on }""")
results = esker.recipe("recipe.lua", seed=3, on=True)
check("a recipe's results come with all bits", results["land"].hash() == esker.recipe("recipe.lua", seed=3)["land"].hash()
      and abs(results["land"].array.mean() - results["mean"]) < 1e-6 and results["land"].frame["right_x"] == 10)
check("its pictures and parameters", results["relief"].shape == (48, 48, 4) and results["on"] is True)
with open("peaks.lua", "w", encoding="utf-8") as file:
    file.write("""local land = esker.noise{ size = 48, seed = 3, wrap = false }
        land.frame = { x = 0, y = 480, cell = 10, unit = "m" }
        return { land = land, peaks = land:peaks{} }""")
results = esker.recipe("peaks.lua")
check("its points can be put into the cells of a field", esker.reproject(results["peaks"], like=results["land"]).records["x"].tolist()
      == results["land"].peaks().points.records["x"].tolist())
with open("map.lua", "w", encoding="utf-8") as file:
    file.write("""local p = params{ seed = 1 }
        local map = esker.river_map{ seed = p.seed }:raise{ along = { { 0.42, 0.57 } }, width = 6000, height = 600 }
        local window = map:render{ size = 32, zoom = 64, x = 0.42, y = 0.57 }
        return { map = map, hash = window:hash(), high = window:statistics().max, nested = { map = map } }""")
results = esker.recipe("map.lua", seed=3)
window = results["map"].render(size=32, zoom=64, x=0.42, y=0.57).altitude
check("a map comes with its edits, to the bit, and its windows with their place", window.hash() == results["hash"]
      and window.array.max() == results["high"] and window.frame["right_x"] > 0 and isinstance(results["nested.map"], esker.Map))
with open("mesh.lua", "w", encoding="utf-8") as file:
    file.write("print('hello') params{} local land = esker.noise{ size = 8 } return { mesh = land:mesh{}, high = land:statistics().max }")
with warnings.catch_warnings(record=True) as warned:
    check("a mesh among them is a warning", list(esker.recipe("mesh.lua")) == ["high"] and "mesh is a mesh" in str(warned[-1].message))
with open("wrong.lua", "w", encoding="utf-8") as file:
    file.write("print('hello')\nreturn { land = esker.noise{ size = -1 } }")
check("an error is without what was printed before", error_of(ValueError, esker.recipe, "wrong.lua") == "wrong.lua:2: noise: size must be 2 to 65536, got -1")
check("refused: an array as a recipe's parameter", "seed must be a number, a text" in error_of(TypeError, esker.recipe, "recipe.lua", seed=given))
for command in [sys.executable, "-m", "esker"], [os.path.join(os.path.dirname(sys.executable), "esker")]:
    done = subprocess.run([*command, "mesh.lua", "--json", "--hash"], capture_output=True, text=True, check=False)
    check(f"the program: {' '.join(command[1:] or ['esker'])}", done.returncode == 0 and "high" in done.stdout)
check("its errors", "sead" in error_of(ValueError, esker.recipe, "recipe.lua", sead=3))

try:
    import xarray
except ImportError:
    print(f"ok {count + 1} - xarray # SKIP not installed")
else:
    there = field.to_xarray("height")
    back = esker.field(there)
    check("xarray and back", there.dims == ("y", "x") and numpy.isnan(there.values).sum() == 1 and float(there.x[0]) == 500015
          and back.hash() == field.hash() and back.frame["right_x"] == 30 and back.frame["down_y"] == -30)
    check("a DataArray is an argument", esker.slope(there).shape == (48, 64))
    check("uneven coordinates are refused", "equal steps" in error_of(
        ValueError, esker.field, xarray.DataArray(numpy.zeros((3, 3)), {"x": [0, 1, 3], "y": [0, 1, 2]}, ("y", "x"))))
