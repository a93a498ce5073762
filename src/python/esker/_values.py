"""The values that operations take and give, and what numpy and xarray make of them."""

import collections
import ctypes as c
import os
import tempfile

import numpy

from esker import _library as library

_FRAME_NAMES = ("x", "y", "right_x", "right_y", "down_x", "down_y", "system", "unit", "sea", "top", "sealess", "no_heights")


class Value:
    """A result of the engine. Arguments are never changed; a value is freed when nothing refers to it."""

    _kind = None

    def __init__(self, at, keep=None):
        self._at, self._keep = at, keep

    def __del__(self):
        if getattr(self, "_at", None) and library:  # at the interpreter's end there may be no modules left
            library.free(self._at)

    def hash(self):
        """16 hexadecimal digits, the same on every machine; of maps "0000000000000000"."""
        return f"{library.hash_of(self._at):016x}"

    @property
    def width(self):
        """Columns."""
        return self._sides()[1]

    @property
    def height(self):
        """Rows."""
        return self._sides()[0]

    def _sides(self):
        width, height = c.c_int(), c.c_int()
        library.size(self._at, c.byref(width), c.byref(height))
        return height.value, width.value

    @property
    def frame(self):
        """Where it lies: a dict of x, y, right_x, right_y, down_x, down_y, system, unit, sea, top, sealess and no_heights;
        None: nowhere.

        Set it to such a dict, or to one of x, y and cell, the side of a square cell. With a system, but neither sea, top nor
        sealess, no ground is sea, however low it lies."""
        frame = library.Frame()
        if not library.frame(self._at, c.byref(frame)):
            return None
        found = {name: getattr(frame, name) for name in _FRAME_NAMES}
        return {name: value.decode() if isinstance(value, bytes) else value for name, value in found.items()}

    @frame.setter
    def frame(self, given):
        error = library.error_text()
        library.check(library.set_frame(self._at, _frame_of(given), error), error)

    def __repr__(self):
        height, width = self._sides()
        return f"<esker.{type(self).__name__}{f' {width} × {height}' if width else ''}>"


def _frame_of(given):
    if given is None:
        return None
    if not hasattr(given, "keys"):
        raise TypeError(f"frame must be a dict, as {{'x': 0, 'y': 0, 'cell': 30}}, or None, got {given!r}")
    given = dict(given)
    unknown = set(given) - {"cell", *_FRAME_NAMES}
    if unknown:
        raise ValueError(f"frame: there is no {unknown.pop()!r}; it has {', '.join(_FRAME_NAMES)} or cell")
    for name, value in given.items():
        wants_text = name in ("system", "unit")
        kinds = (str, type(None)) if wants_text else (int, float, numpy.number, numpy.bool_)
        if not isinstance(value, kinds):
            raise TypeError(f"frame: {name} must be a {'text' if wants_text else 'number'}, got {value!r}")
    cell = given.pop("cell", None)
    if cell is not None:
        given = {"right_x": cell, "down_y": -cell, **given}
    if given.get("system") and not {"sea", "sealess"} & set(given) and not given.get("top") and not given.get("no_heights"):
        given["sealess"] = True  # a model of real ground, as in georeference
    texts = {name: given[name].encode() for name in ("system", "unit") if given.get(name)}
    return c.byref(library.Frame(**{**given, **dict.fromkeys(("system", "unit")), **texts}))


class _Grid(Value):
    @property
    def shape(self):
        """As of the array: rows, columns and, of an image, 4."""
        return self._sides()

    @property
    def array(self):
        """Its cells or pixels as a numpy array, without a copy. The array keeps the value alive."""
        return numpy.asarray(self)

    def _repr_png_(self):
        picture = self if isinstance(self, Image) else self.relief()
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "picture.png")
            picture.save(path)
            with open(path, "rb") as file:
                return file.read()


class Field(_Grid):
    """Heights or other numbers of cells. numpy.asarray(field) shows them without a copy."""

    _kind = "field"

    @property
    def __array_interface__(self):
        return {"version": 3, "shape": self._sides(), "typestr": "<f4", "data": (library.cells(self._at), self._is_read_only())}

    def _is_read_only(self):
        """Whether its cells are those of an array that must not be changed, perhaps of a file in read-only memory."""
        return self._keep is not None and not self._keep.flags.writeable

    @property
    def wraps(self):
        """Whether opposite edges meet."""
        return library.wraps(self._at)

    @wraps.setter
    def wraps(self, wraps):
        library.set_wraps(self._at, bool(wraps))

    @property
    def gaps(self):
        """An array of booleans: which cells have no data; None: all have. Set it the same way."""
        found = library.gaps(self._at, None)
        return numpy.ctypeslib.as_array(found, self._sides()).astype(bool) if found else None

    @gaps.setter
    def gaps(self, gaps):
        if self._is_read_only():
            raise ValueError("gaps: the cells are those of a read-only array; make the field of a copy")
        error = library.error_text()
        given = None if gaps is None else numpy.ascontiguousarray(gaps, bool)
        if given is not None and given.shape != self._sides():
            raise ValueError(f"gaps must be {self._sides()} booleans, got {given.shape}")
        library.check(library.set_gaps(self._at, None if given is None else given.ctypes.data, error), error)

    @property
    def masked(self):
        """Its cells as a masked array: those without data are masked."""
        gaps = self.gaps
        return numpy.ma.masked_array(self.array, numpy.ma.nomask if gaps is None else gaps)

    def to_xarray(self, name=None):
        """An xarray.DataArray with the centres of cells as coordinates, NaN without data, and the system as attribute crs."""
        import xarray
        frame = self.frame
        cells = self.masked.filled(numpy.nan)
        if not frame:
            return xarray.DataArray(cells, dims=("y", "x"), name=name)
        if frame["right_y"] or frame["down_x"]:
            raise ValueError("a turned frame has no coordinates of rows and columns")
        coordinates = {"y": frame["y"] + (numpy.arange(self.height) + 0.5) * frame["down_y"],
                       "x": frame["x"] + (numpy.arange(self.width) + 0.5) * frame["right_x"]}
        attributes = {"crs": frame["system"], "units": frame["unit"]}
        return xarray.DataArray(cells, coordinates, ("y", "x"), name, {k: v for k, v in attributes.items() if v})

    def __reduce__(self):
        return _again, (numpy.array(self.array), self.gaps, self.frame, self.wraps)


class Image(_Grid):
    """A picture: rows of red, green, blue and alpha, 0 to 255."""

    _kind = "image"

    @property
    def shape(self):
        return self._sides() + (4,)

    @property
    def __array_interface__(self):
        return {"version": 3, "shape": self.shape, "typestr": "|u1", "data": (library.pixels(self._at), False)}


class Map(Value):
    """A zoomable map: map.render(zoom=8, x=0.4, y=0.6) draws a window of it."""

    _kind = "map"

    def _repr_png_(self):
        altitude, river, *_ = self.render(size=512)
        return altitude.relief(rivers=river)._repr_png_()


class Network(Value):
    """Rivers as lines."""

    _kind = "network"

    @property
    def points(self):
        """The points of all reaches: a structured array of x, y, area, altitude, width, distance and water."""
        return _records(library.river_points, self._at)

    @property
    def reaches(self):
        """A structured array of first, count, downstream, order, mouth, wadi and salt."""
        return _records(library.reaches, self._at)


class Mesh(Value):
    """Triangles."""

    _kind = "mesh"

    @property
    def points(self):
        """x (east), y (north) and z (up) of each point."""
        return _rows(library.mesh_points, self._at)

    @property
    def triangles(self):
        """Three points of each triangle."""
        return _rows(library.mesh_triangles, self._at)


class _Listed(Value):
    def _attributes(self, count):
        names = [library.attribute_name(self._at, k).decode() for k in range(library.attribute_count(self._at))]
        number, text = c.c_double(), c.c_char_p()
        found = [{} for _ in range(count)]
        for i, of_one in enumerate(found):
            for k, name in enumerate(names):
                kind = library.attribute(self._at, i, k, c.byref(number), c.byref(text))
                if kind:
                    of_one[name] = number.value if kind == library.KINDS["number"] else text.value.decode()
        return found

    def _set_attributes(self, index, attributes):
        error = library.error_text()
        for name, value in dict(attributes or {}).items():
            is_text = isinstance(value, str)
            if not is_text and not isinstance(value, (bool, int, float, numpy.number, numpy.bool_)):
                raise TypeError(f"attribute {name!r} must be a number or a text, got {value!r}")
            library.check(library.set_attribute(self._at, index, str(name).encode(), 0 if is_text else float(value),
                                                value.encode() if is_text else None, error), error)


class Points(_Listed):
    """Places with attributes. esker.points makes them."""

    _kind = "points"

    @property
    def records(self):
        """A structured array of x, y, altitude, radius, variation and species."""
        return _records(library.points, self._at)

    @property
    def attributes(self):
        """A dict for each point."""
        return self._attributes(len(self.records))


class _Shapes(_Listed):
    @property
    def shapes(self):
        """A dict for each shape: its parts, arrays of rows x, y and altitude in cells; holes, a boolean for each part; and
        attributes, a dict."""
        points = _records(library.shape_points, self._at)
        rows = numpy.stack([points["x"], points["y"], points["altitude"]], 1) if len(points) else numpy.empty((0, 3))
        parts, shapes = _records(library.shape_parts, self._at), _records(library.shapes, self._at)
        attributes = self._attributes(len(shapes))
        found = []
        for (first, count), of_one in zip(shapes.tolist(), attributes):
            own = parts[first:first + count]
            found.append({"parts": [rows[begin:begin + length] for begin, length, _ in own.tolist()],
                          "holes": own["hole"].tolist(), "attributes": of_one})
        return found


class Lines(_Shapes):
    """Lines with attributes. esker.lines makes them."""

    _kind = "lines"


class Polygons(_Shapes):
    """Polygons with attributes. esker.polygons makes them."""

    _kind = "polygons"


CLASSES = {kind._kind: kind for kind in (Field, Image, Map, Network, Mesh, Points, Lines, Polygons)}


def _records(read, at):
    count = c.c_size_t()
    found = read(at, c.byref(count))
    kind = numpy.dtype(found._type_)
    if not count.value:
        return numpy.empty(0, kind)
    return numpy.frombuffer(c.string_at(found, count.value * kind.itemsize), kind)


def _rows(read, at):
    count = c.c_size_t()
    found = read(at, c.byref(count))
    return numpy.array(numpy.ctypeslib.as_array(found, (count.value, 3))) if count.value else numpy.empty((0, 3))


# --- from Python ------------------------------------------------------------------------------------------------------


def _cells_of(given):
    if given.ndim != 2:
        raise ValueError(f"a field has rows and columns, got an array of shape {given.shape}")
    if given.dtype.kind not in "biufO":
        raise TypeError(f"a field has real numbers, got an array of {given.dtype}")
    with numpy.errstate(over="ignore"):
        cells = numpy.asarray(given, numpy.float32)
    if given.dtype.kind == "f" and given.itemsize > 4:
        lost = numpy.isinf(cells) & numpy.isfinite(given)
        if lost.any():
            row, column = numpy.argwhere(lost)[0]
            raise ValueError(f"cell ({column}, {row}) is {given[row, column]}; cells are 32-bit floats, at most 3.4e38")
    return cells


def field(array, gaps=None, frame=None, wraps=False):
    """A field of a two-dimensional array: numpy's, masked, or an xarray.DataArray with its coordinates.

    Rows of 32-bit floats that follow each other are used in place, as long as the field lives; those of a read-only array
    stay read-only. Cells that are NaN or masked
    have no data, as have those where `gaps` is true. `frame` is as of Field.frame; `wraps`: opposite edges meet."""
    if hasattr(array, "dims") and hasattr(array, "coords"):
        frame = frame or _frame_of_coordinates(array)
        array = array.values
    masked = numpy.ma.getmaskarray(array) if isinstance(array, numpy.ma.MaskedArray) else False
    cells = _cells_of(numpy.asarray(numpy.ma.getdata(array)))
    without = masked | numpy.isnan(cells)
    if gaps is not None:
        gaps = numpy.asarray(gaps, bool)
        if gaps.shape != cells.shape:
            raise ValueError(f"gaps must be {cells.shape} booleans, as the field, got {gaps.shape}")
        without = without | gaps
    if without.any():
        cells = numpy.where(without, numpy.float32(0), cells)
    if cells.strides[1] != 4 or cells.strides[0] < 4 * cells.shape[1]: # backwards, or one row for all
        cells = numpy.ascontiguousarray(cells)
    error = library.error_text()
    at = library.wrap_field(cells.ctypes.data, cells.shape[1], cells.shape[0], cells.strides[0], None, None, error)
    if not at:
        raise ValueError(error.value.decode())
    made = Field(at, cells)
    if without.any():
        made.gaps = without
    if frame is not None:
        made.frame = frame
    if wraps:
        made.wraps = True
    return made


def _again(array, gaps, frame, wraps):
    return field(array, gaps, frame, wraps)


def _frame_of_coordinates(array):
    rows, columns = array.dims
    if rows not in array.coords or columns not in array.coords:
        return None
    x, y = (numpy.asarray(array.coords[name].values, float) for name in (columns, rows))
    if min(len(x), len(y)) < 2:
        return None
    across, down = (x[-1] - x[0]) / (len(x) - 1), (y[-1] - y[0]) / (len(y) - 1)
    for name, at, step in ((columns, x, across), (rows, y, down)):
        if abs(numpy.diff(at) - step).max() > 1e-6 * abs(step):
            raise ValueError(f"the coordinates {name!r} are not at equal steps")
    system = array.attrs.get("crs")
    if "spatial_ref" in array.coords:
        system = array.coords["spatial_ref"].attrs.get("crs_wkt", system)
    return {"x": x[0] - across / 2, "y": y[0] - down / 2, "right_x": across, "down_y": down,
            "system": str(system) if system else None, "unit": array.attrs.get("units")}


def pixels(array):
    """An image of an array of rows, columns and 3 or 4 bytes: red, green, blue and alpha."""
    given = numpy.asarray(array)
    if given.dtype != numpy.uint8 or given.ndim != 3 or given.shape[2] not in (3, 4):
        raise ValueError(f"an image has rows, columns and 3 or 4 bytes, got {given.dtype} of shape {given.shape}")
    if given.shape[2] == 3:
        given = numpy.dstack([given, numpy.full(given.shape[:2], 255, numpy.uint8)])
    given = numpy.ascontiguousarray(given)
    error = library.error_text()
    at = library.wrap_image(given.ctypes.data, given.shape[1], given.shape[0], given.strides[0], None, None, error)
    if not at:
        raise ValueError(error.value.decode())
    return Image(at, given)


def _window(size, width, height):
    width, height = (size if side is None else side for side in (width, height))
    if width is None or height is None:
        raise ValueError("give size, or width and height: the window in cells")
    return int(width), int(height)


def _positions(given, what):
    rows = numpy.asarray(given, float)
    if rows.ndim != 2 or rows.shape[1] not in (2, 3):
        raise ValueError(f"{what}: rows of x, y or x, y, altitude are needed, got an array of shape {rows.shape}")
    return rows if rows.shape[1] == 3 else numpy.column_stack([rows, numpy.zeros(len(rows))])


def _finish(at, error, made, frame, attributes):
    if not at:
        raise ValueError(error.value.decode())
    value = made(at)
    for index, of_one in enumerate(attributes or ()):
        value._set_attributes(index, of_one)
    if frame is not None:
        value.frame = frame
    return value


def points(rows, size=None, width=None, height=None, attributes=None, frame=None):
    """Points of rows of x, y and perhaps altitude, in cells of a window, or of records as Points.records gives them.

    `attributes`: a dict for each point."""
    given = numpy.asarray(rows)
    if given.dtype.names:
        records = given.astype(numpy.dtype(library.Point))
    else:
        rows = _positions(rows, "points")
        records = numpy.zeros(len(rows), numpy.dtype(library.Point))
        records["x"], records["y"], records["altitude"] = rows.T
        records["species"] = 1
    if attributes is not None and len(attributes) > len(records):
        raise ValueError(f"attributes are of {len(attributes)} points, there are {len(records)}")
    records = numpy.ascontiguousarray(records)
    error = library.error_text()
    at = library.new_points(*_window(size, width, height), records.ctypes.data, len(records), error)
    return _finish(at, error, Points, frame, attributes)


def _shape(given):
    if hasattr(given, "keys"):
        unknown = set(given) - {"parts", "holes", "attributes"}
        if unknown:
            raise ValueError(f"a shape has parts, holes and attributes, got {unknown.pop()!r}")
        parts = given["parts"]
        return parts, given.get("holes") or [False] * len(parts), given.get("attributes")
    return [given], [False], None


def _shapes(made, given, size, width, height, frame):
    shapes, parts, rows, attributes, room = [], [], [], [], 0
    for number, one in enumerate(given):
        own, holes, of_one = _shape(one)
        if len(holes) != len(own):
            raise ValueError(f"shape {number}: holes must be {len(own)} booleans, got {len(holes)}")
        shapes.append((len(parts), len(own)))
        attributes.append(of_one)
        for part, hole in zip(own, holes):
            points_ = _positions(part, f"shape {number}")
            if made is Polygons and len(points_) and (points_[0, :2] != points_[-1, :2]).any():
                points_ = numpy.vstack([points_, points_[:1]])
            parts.append((room, len(points_), bool(hole)))
            rows.append(points_)
            room += len(points_)
    shapes = numpy.array(shapes, numpy.dtype(library.Shape))
    parts = numpy.array(parts, numpy.dtype(library.ShapePart))
    points_ = numpy.zeros(room, numpy.dtype(library.ShapePoint))
    if room:
        points_["x"], points_["y"], points_["altitude"] = numpy.vstack(rows).T

    def of(array, kind):
        return c.cast(array.ctypes.data, c.POINTER(kind))

    listed = library.ShapeList(of(shapes, library.Shape), of(parts, library.ShapePart),
                               of(points_, library.ShapePoint), len(shapes), len(parts), room)
    error = library.error_text()
    kind = library.KINDS[made._kind]
    at = library.new_shapes(kind, *_window(size, width, height), c.byref(listed), error)
    return _finish(at, error, made, frame, attributes)


def lines(shapes, size=None, width=None, height=None, frame=None):
    """Lines in a window of cells: a list of arrays of rows x, y and perhaps altitude, or of dicts as Lines.shapes gives
    them."""
    return _shapes(Lines, shapes, size, width, height, frame)


def polygons(shapes, size=None, width=None, height=None, frame=None):
    """Polygons in a window of cells: a list of rings, arrays of rows x, y and perhaps altitude, or of dicts as
    Polygons.shapes gives them. Rings are closed where they are not."""
    return _shapes(Polygons, shapes, size, width, height, frame)


def from_python(name, given):
    """What an argument becomes: a Value, a number, a text or a list of numbers."""
    if getattr(given, "shape", None) == () and not isinstance(given, numpy.generic):
        given = numpy.asarray(given)[()]  # one number, of numpy or xarray
    if isinstance(given, (Value, str, bool, int, float, numpy.number, numpy.bool_)):
        return given
    if hasattr(given, "__fspath__"):
        return os.fspath(given)
    if hasattr(given, "dims") or (isinstance(given, numpy.ndarray) and given.ndim == 2):
        return field(given)
    if isinstance(given, numpy.ndarray) and given.ndim > 2:
        if given.ndim > 3 or given.dtype != numpy.uint8:
            raise ValueError(f"{name}: a field has rows and columns, an image also 3 or 4 bytes of each pixel, "
                             f"got {given.dtype} of shape {given.shape}")
        return pixels(given)
    if isinstance(given, (list, tuple, range, numpy.ndarray)):
        flat = numpy.concatenate([numpy.ravel(row) for row in given]) if len(given) else numpy.empty(0)
        if flat.dtype.kind in "biuf":
            return numpy.ascontiguousarray(flat, float)
        given = flat.tolist()
    raise TypeError(f"{name}: takes numbers, a text, an array or a value of esker, got {given!r}")


# --- to Python --------------------------------------------------------------------------------------------------------


def to_python(at):
    """A result as a Value, float, list of floats or dict of texts; None: there is none."""
    if not at:
        return None
    kind = library.kind(at)
    for name, made in CLASSES.items():
        if library.KINDS[name] == kind:
            return made(at)
    try:
        if kind == library.KINDS["number"]:
            return library.number_of(at)
        if kind == library.KINDS["numbers"]:
            count = c.c_size_t()
            found = library.numbers_of(at, c.byref(count))
            return found[:count.value] if count.value else []
        text, labels = c.c_char_p(), {}
        for i in range(library.label_count(at)):
            labels[library.label(at, i, c.byref(text)).decode()] = text.value.decode()
        return labels
    finally:
        library.free(at)


