"""Packs the wheel: the package, libesker and the program esker, which `make wheel` lays beside it."""

import re

from setuptools import setup
from setuptools.dist import Distribution
from wheel.bdist_wheel import bdist_wheel

with open("esker/_version.txt", encoding="utf-8") as file:
    VERSION = re.fullmatch(r"[\d.]+", file.read().strip()).group()


class Wheel(bdist_wheel):
    """One wheel for every Python 3: nothing of it is compiled against Python."""

    def get_tag(self):
        return "py3", "none", bdist_wheel.get_tag(self)[2]


class Binary(Distribution):
    """With files of one kind of machine."""

    def has_ext_modules(self):
        return True


DESCRIPTION = """Esker makes, erodes and analyses terrain: fractal land, endless maps with rivers, elevation models.
Each operation is a function on numpy arrays; `esker` in a shell runs recipes in Lua.

    import esker
    land, *_ = esker.noise(size=256, seed=7).stream_erosion(age=0.6)
    land.relief().save("land.png")

`help(esker)` and `help(esker.stream_erosion)` say more.
"""

setup(name="esker", version=VERSION, description="Terrain: erosion, rivers, endless maps, analysis, as numpy arrays",
      long_description=DESCRIPTION, long_description_content_type="text/markdown",
      license="MIT", packages=["esker"], python_requires=">=3.9", install_requires=["numpy>=1.20"],
      package_data={"esker": ["libesker.so.1", "esker", "__init__.pyi", "py.typed", "_version.txt"]},
      entry_points={"console_scripts": ["esker = esker.__main__:main"]},
      cmdclass={"bdist_wheel": Wheel}, distclass=Binary)
