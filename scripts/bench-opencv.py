#!/usr/bin/python3
"""Filters beside OpenCV's, call by call in one process, each on one thread, in processor time.

    PYTHONPATH=src/python ESKER_LIBRARY=build/libesker.so.1 /usr/bin/python3 scripts/bench-opencv.py [NAME…]
        [--sides=2048,4096] [--pairs=15]

Rows are those whose name contains one of the words NAME; all of them without any. A pair is a call of each, the first
one taking turns; `times` is the median of OpenCV's time divided by Esker's over all pairs, with its quartiles. OpenCV
writes into an array that is there already, where it can: a new one would cost it page faults. Esker has its own freed
memory. Edges do not meet. `~`: the two do not compute the same, only about as much.
"""

import os
import statistics
import sys
import threading
import time

import cv2
import numpy

import esker

cv2.setNumThreads(1)
BORDER = cv2.BORDER_REFLECT_101


def square(side):
    return numpy.ones((side, side), numpy.uint8)


def disk(radius):
    at = numpy.arange(-radius, radius + 1)
    return (at[:, None] ** 2 + at ** 2 <= radius ** 2).astype(numpy.uint8)


class Side:
    """What all rows of one size use."""

    def __init__(self, side):
        random = numpy.random.default_rng(1)
        self.side = side
        self.a = cv2.GaussianBlur(random.random((side, side), numpy.float32), (0, 0), 2)
        cv2.normalize(self.a, self.a, 0, 1, cv2.NORM_MINMAX)
        self.b = cv2.GaussianBlur(random.random((side, side), numpy.float32), (0, 0), 40)
        numpy.maximum(self.a, 0, out=self.a)
        cv2.normalize(self.b, self.b, 0, 1, cv2.NORM_MINMAX)
        self.out, self.other = numpy.empty_like(self.a), numpy.empty_like(self.a)
        self.bytes, self.counts = (self.a * 255).astype(numpy.uint8), {}
        self.land, self.second = esker.field(self.a), esker.field(self.b)
        self.turned = cv2.getRotationMatrix2D((side / 2, side / 2), 30, 1)
        y, x = numpy.indices((side, side), numpy.float32)
        self.x, self.y = x, y
        self.places = (x + 0.1 * side * (self.b - 0.5), y + 0.1 * side * (self.b.T - 0.5))
        self.across, self.along = esker.field(self.b), esker.field(numpy.ascontiguousarray(self.b.T))

    def array(self, shape, kind=numpy.float32):
        """An array to write into, the same for each call."""
        return self.counts.setdefault((shape, kind), numpy.empty(shape, kind))


def resized(s, side, how):
    return cv2.resize(s.a, (side, side), dst=s.array((side, side)), interpolation=how)


def gradient(s):
    dx, dy = cv2.Sobel(s.a, cv2.CV_32F, 1, 0, s.out), cv2.Sobel(s.a, cv2.CV_32F, 0, 1, s.other)
    return cv2.magnitude(dx, dy, dx)


def angles(s):
    dx, dy = cv2.Sobel(s.a, cv2.CV_32F, 1, 0, s.out), cv2.Sobel(s.a, cv2.CV_32F, 0, 1, s.other)
    return cv2.phase(dx, dy, dx, True)


def displaced(s):
    """With places that are added, as from two fields."""
    right = cv2.addWeighted(s.x, 1, s.b, 0.1 * s.side, -0.05 * s.side, s.out)
    down = cv2.addWeighted(s.y, 1, s.along.array, 0.1 * s.side, -0.05 * s.side, s.other)
    return cv2.remap(s.a, right, down, cv2.INTER_LINEAR, s.array(s.a.shape), cv2.BORDER_REFLECT)


def morphology(s, kind, element):
    return cv2.morphologyEx(s.a, kind, element, s.out, borderType=cv2.BORDER_REPLICATE)


# Name, Esker's call, OpenCV's.
ROWS = [
    ("add", lambda s: s.land + s.second, lambda s: cv2.add(s.a, s.b, s.out)),
    ("add a number", lambda s: s.land + 0.25, lambda s: cv2.add(s.a, 0.25, s.out)),
    ("subtract", lambda s: s.land - s.second, lambda s: cv2.subtract(s.a, s.b, s.out)),
    ("multiply", lambda s: s.land * s.second, lambda s: cv2.multiply(s.a, s.b, s.out)),
    ("multiply by a number", lambda s: s.land * 3, lambda s: cv2.multiply(s.a, 3, s.out)),
    ("divide", lambda s: s.land / (s.plus), lambda s: cv2.divide(s.a, s.positive, s.out)),
    ("min", lambda s: s.land.min(s.second), lambda s: cv2.min(s.a, s.b, s.out)),
    ("max of a number", lambda s: s.land.max(0.5), lambda s: cv2.max(s.a, 0.5, s.out)),
    ("negate", lambda s: s.land.negate(), lambda s: cv2.subtract(0, s.a, s.out)),
    ("abs", lambda s: s.land.abs(), lambda s: cv2.absdiff(s.a, 0, s.out)),
    ("power 2", lambda s: s.land.power(2), lambda s: cv2.pow(s.a, 2, s.out)),
    ("power 0.5", lambda s: s.land.power(0.5), lambda s: cv2.sqrt(s.a, s.out)),
    ("power 1.5", lambda s: s.land.power(1.5), lambda s: cv2.pow(s.a, 1.5, s.out)),
    ("power 2.2", lambda s: s.land.power(2.2), lambda s: cv2.pow(s.a, 2.2, s.out)),
    ("clamp", lambda s: s.land.clamp(low=0.2, high=0.7), lambda s: cv2.min(cv2.max(s.a, 0.2, s.out), 0.7, s.out)),
    ("lerp", lambda s: s.land.lerp(s.second, 0.3), lambda s: cv2.addWeighted(s.a, 0.7, s.b, 0.3, 0, s.out)),
    ("lerp by a field", lambda s: s.land.lerp(s.second, s.second),
     lambda s: cv2.blendLinear(s.a, s.b, s.positive, s.b, s.out)),
    ("blend normal", lambda s: s.land.blend(s.second, opacity=0.3), lambda s: cv2.addWeighted(s.a, 0.7, s.b, 0.3, 0, s.out)),
    ("blend multiply", lambda s: s.land.blend(s.second, mode="multiply"), lambda s: cv2.multiply(s.a, s.b, s.out)),
    ("blend darken", lambda s: s.land.blend(s.second, mode="darken"), lambda s: cv2.min(s.a, s.b, s.out)),
    ("blend difference", lambda s: s.land.blend(s.second, mode="difference"), lambda s: cv2.absdiff(s.a, s.b, s.out)),
    ("normalize", lambda s: s.land.normalize(), lambda s: cv2.normalize(s.a, s.out, 0, 1, cv2.NORM_MINMAX)),
    ("threshold ~", lambda s: s.land.remap(from_=[0.5, 0.5001]),
     lambda s: cv2.threshold(s.a, 0.5, 1, cv2.THRESH_BINARY, s.out)),
    ("select ~", lambda s: s.land.select(height=[0.4, 0.6]), lambda s: cv2.inRange(s.a, 0.4, 0.6, s.array(s.a.shape, numpy.uint8))),
    ("statistics", lambda s: s.land.statistics(), lambda s: (cv2.meanStdDev(s.a), cv2.minMaxLoc(s.a))),
    ("histogram", lambda s: s.land.histogram(bins=64, low=0, high=1), lambda s: cv2.calcHist([s.a], [0], None, [64], [0, 1])),
    ("blur, sigma 1", lambda s: s.land.blur(sigma=1 / s.side), lambda s: cv2.GaussianBlur(s.a, (0, 0), 1, s.out)),
    ("blur, sigma 2", lambda s: s.land.blur(sigma=2 / s.side), lambda s: cv2.GaussianBlur(s.a, (0, 0), 2, s.out)),
    ("blur, sigma 3", lambda s: s.land.blur(sigma=3 / s.side), lambda s: cv2.GaussianBlur(s.a, (0, 0), 3, s.out)),
    ("blur, sigma 5", lambda s: s.land.blur(sigma=5 / s.side), lambda s: cv2.GaussianBlur(s.a, (0, 0), 5, s.out)),
    ("blur, sigma 10", lambda s: s.land.blur(sigma=10 / s.side), lambda s: cv2.GaussianBlur(s.a, (0, 0), 10, s.out)),
    ("blur, sigma 40", lambda s: s.land.blur(sigma=40 / s.side), lambda s: cv2.GaussianBlur(s.a, (0, 0), 40, s.out)),
    ("blur, exact, sigma 2", lambda s: s.land.blur(sigma=2 / s.side, exact=True),
     lambda s: cv2.GaussianBlur(s.a, (21, 21), 2, s.out)),
    ("blur, exact, sigma 10", lambda s: s.land.blur(sigma=10 / s.side, exact=True),
     lambda s: cv2.GaussianBlur(s.a, (101, 101), 10, s.out)),
    ("sharpen", lambda s: s.land.sharpen(sigma=2 / s.side),
     lambda s: cv2.addWeighted(s.a, 2, cv2.GaussianBlur(s.a, (0, 0), 2, s.out), -1, 0, s.out)),
    ("relative_height 3 × 3", lambda s: s.land.relative_height(radius=1 / s.side),
     lambda s: cv2.subtract(s.a, cv2.blur(s.a, (3, 3), s.out), s.out)),
    ("relative_height 21 × 21", lambda s: s.land.relative_height(radius=10 / s.side),
     lambda s: cv2.subtract(s.a, cv2.blur(s.a, (21, 21), s.out), s.out)),
    ("median 3 × 3", lambda s: s.land.median(), lambda s: cv2.medianBlur(s.a, 3, s.out)),
    ("median 5 × 5", lambda s: s.land.median(radius=2), lambda s: cv2.medianBlur(s.a, 5, s.out)),
    ("bilateral", lambda s: s.land.bilateral(), lambda s: cv2.bilateralFilter(s.a, 11, 0.05, 2, s.out)),
    ("laplacian", lambda s: s.land.laplacian(), lambda s: cv2.Laplacian(s.a, cv2.CV_32F, s.out, 3)),
    ("laplacian, beside five cells ~", lambda s: s.land.laplacian(), lambda s: cv2.Laplacian(s.a, cv2.CV_32F, s.out, 1)),
    ("slope ~", lambda s: s.land.slope(), gradient),
    ("gradient_angle, beside a gradient ~", lambda s: s.land.gradient_angle(), gradient),
    ("aspect", lambda s: s.land.aspect(), angles),
    ("dilate, square of 3", lambda s: s.land.morphology(radius=1 / s.side, element="square"),
     lambda s: cv2.dilate(s.a, square(3), s.out)),
    ("dilate, square of 5", lambda s: s.land.morphology(radius=2 / s.side, element="square"),
     lambda s: cv2.dilate(s.a, square(5), s.out)),
    ("dilate, square of 21", lambda s: s.land.morphology(radius=10 / s.side, element="square"),
     lambda s: cv2.dilate(s.a, square(21), s.out)),
    ("dilate, square of 61", lambda s: s.land.morphology(radius=30 / s.side, element="square"),
     lambda s: cv2.dilate(s.a, square(61), s.out)),
    ("erode, square of 5", lambda s: s.land.morphology(radius=2 / s.side, element="square", kind="erode"),
     lambda s: cv2.erode(s.a, square(5), s.out)),
    ("open, square of 21", lambda s: s.land.morphology(radius=10 / s.side, element="square", kind="open"),
     lambda s: morphology(s, cv2.MORPH_OPEN, square(21))),
    ("morphological gradient, square of 5",
     lambda s: s.land.morphology(radius=2 / s.side, element="square") -
     s.land.morphology(radius=2 / s.side, element="square", kind="erode"),
     lambda s: morphology(s, cv2.MORPH_GRADIENT, square(5))),
    ("dilate, disk of 1", lambda s: s.land.morphology(radius=1 / s.side), lambda s: cv2.dilate(s.a, disk(1), s.out)),
    ("dilate, disk of 2", lambda s: s.land.morphology(radius=2 / s.side), lambda s: cv2.dilate(s.a, disk(2), s.out)),
    ("dilate, disk of 3", lambda s: s.land.morphology(radius=3 / s.side), lambda s: cv2.dilate(s.a, disk(3), s.out)),
    ("dilate, disk of 10", lambda s: s.land.morphology(radius=10 / s.side), lambda s: cv2.dilate(s.a, disk(10), s.out)),
    ("resize to double, linear", lambda s: s.land.resize(scale=2), lambda s: resized(s, 2 * s.side, cv2.INTER_LINEAR)),
    ("resize to double, cubic", lambda s: s.land.resize(scale=2, interpolation="cubic"),
     lambda s: resized(s, 2 * s.side, cv2.INTER_CUBIC)),
    ("resize to double, nearest", lambda s: s.land.resize(scale=2, interpolation="nearest"),
     lambda s: resized(s, 2 * s.side, cv2.INTER_NEAREST)),
    ("resize by 1.46, linear", lambda s: s.land.resize(size=s.side * 1500 // 1024),
     lambda s: resized(s, s.side * 1500 // 1024, cv2.INTER_LINEAR)),
    ("resize by 1.46, cubic", lambda s: s.land.resize(size=s.side * 1500 // 1024, interpolation="cubic"),
     lambda s: resized(s, s.side * 1500 // 1024, cv2.INTER_CUBIC)),
    ("resize by 1.46, nearest", lambda s: s.land.resize(size=s.side * 1500 // 1024, interpolation="nearest"),
     lambda s: resized(s, s.side * 1500 // 1024, cv2.INTER_NEAREST)),
    ("resize to half", lambda s: s.land.resize(scale=0.5), lambda s: resized(s, s.side // 2, cv2.INTER_AREA)),
    ("resize to a quarter", lambda s: s.land.resize(scale=0.25), lambda s: resized(s, s.side // 4, cv2.INTER_AREA)),
    ("resize by 0.68", lambda s: s.land.resize(size=s.side * 700 // 1024),
     lambda s: resized(s, s.side * 700 // 1024, cv2.INTER_AREA)),
    ("resize by 0.68, nearest", lambda s: s.land.resize(size=s.side * 700 // 1024, interpolation="nearest"),
     lambda s: resized(s, s.side * 700 // 1024, cv2.INTER_NEAREST)),
    ("crop", lambda s: s.land.crop(x=8, y=8, width=s.side - 16, height_=s.side - 16)
     if False else esker.run("crop", s.land, x=8, y=8, width=s.side - 16, height=s.side - 16),
     lambda s: cv2.copyTo(s.a[8:-8, 8:-8], None, s.array((s.side - 16, s.side - 16)))),
    ("flip", lambda s: s.land.flip(), lambda s: cv2.flip(s.a, 1, s.out)),
    ("flip upside down", lambda s: s.land.flip(axis="y"), lambda s: cv2.flip(s.a, 0, s.out)),
    ("flip diagonal", lambda s: s.land.flip(axis="diagonal"), lambda s: cv2.transpose(s.a, s.out)),
    ("transform", lambda s: s.land.transform(angle=30),
     lambda s: cv2.warpAffine(s.a, s.turned, (s.side, s.side), s.out, borderMode=cv2.BORDER_REFLECT)),
    ("warp", lambda s: s.land.warp(s.across, s.along), displaced),
    ("warp, to places that are there", lambda s: s.land.warp(s.across, s.along),
     lambda s: cv2.remap(s.a, *s.places, cv2.INTER_LINEAR, s.out, cv2.BORDER_REFLECT)),
    ("perturb, beside the same with noise that is there ~", lambda s: s.land.perturb(), displaced),
    ("distance", lambda s: s.mask.distance(),
     lambda s: cv2.distanceTransform(s.marks, cv2.DIST_L2, cv2.DIST_MASK_PRECISE, s.out)),
    ("equalize, beside numpy's argsort ~", lambda s: s.land.equalize(), lambda s: numpy.argsort(s.a, axis=None)),
    ("match, beside numpy", lambda s: s.land.match(s.second),
     lambda s: numpy.interp(s.a.ravel(), numpy.sort(s.a.ravel()), numpy.sort(s.b.ravel()))),
    ("colorize", lambda s: s.land.colorize(),
     lambda s: cv2.applyColorMap(cv2.convertScaleAbs(s.a, s.array(s.a.shape, numpy.uint8), 255), 2)),
]


def versions():
    """Which vectors each of the two uses."""
    with open("/proc/cpuinfo") as file:
        flags = next(line for line in file if line.startswith("flags")).split()
    with open(os.environ.get("ESKER_LIBRARY", "build/libesker.so.1"), "rb") as file:
        library = file.read()
    levels = [("v4", "AVX-512", "avx512vl"), ("v3", "AVX2", "avx2")]
    own = next((name for level, name, flag in levels
                if flag in flags and b"blend_row.arch_x86_64_" + level.encode() in library), "SSE2")
    cv = [line.strip() for line in cv2.getBuildInformation().split("\n") if "Baseline" in line or "requested" in line and "SSE" in line]
    return own, cv2.getCPUFeaturesLine(), cv


def clocked(call, side):
    begin = time.process_time_ns()
    made = call(side)
    taken = time.process_time_ns() - begin
    del made
    return taken


def measure(row, side, pairs):
    name, own, other = row
    clocked(own, side), clocked(other, side)
    times = []
    longest = max(clocked(own, side), clocked(other, side))
    for i in range(max(3, min(pairs, int(8e9 / longest / 2)))):
        order = (own, other) if i % 2 else (other, own)
        taken = {call: clocked(call, side) for call in order}
        times.append((taken[own], taken[other]))
    ratios = sorted(other / own for own, other in times)
    quarter = len(ratios) // 4
    print("%-52s %5d %9.2f %9.2f %7.2f  %5.2f to %5.2f" % (
        name, side.side, statistics.median(own for own, _ in times) / 1e6,
        statistics.median(other for _, other in times) / 1e6, statistics.median(ratios), ratios[quarter], ratios[-1 - quarter]),
        flush=True)


def main(words):
    options = dict(word[2:].split("=") for word in words if word.startswith("--"))
    names = [word for word in words if not word.startswith("--")]
    rows = [row for row in ROWS if not names or any(name in row[0] for name in names)]
    own, line, cv = versions()
    print("Esker: %s. OpenCV %s: %s" % (own, cv2.__version__, line))
    print("%-52s %5s %9s %9s %7s  %s" % ("", "side", "Esker ms", "OpenCV ms", "times", "quartiles"))
    with esker.task(threads=1):
        for width in map(int, options.get("sides", "2048,4096").split(",")):
            side = Side(width)
            side.positive = cv2.add(side.b, 0.5)
            side.plus = esker.field(side.positive)
            side.marks = (side.b < 0.5).astype(numpy.uint8)
            side.mask = esker.field(1 - side.marks.astype(numpy.float32))
            for row in rows:
                measure(row, side, int(options.get("pairs", 15)))


# Not in the main thread, where each of Esker's calls would start a thread, so that Control-C stops it.
thread = threading.Thread(target=main, args=(sys.argv[1:],))
thread.start()
thread.join()
