#!/bin/sh
# Installs what `make bench` measures Esker beside, from Debian: OpenCV, GDAL, SAGA and GRASS.
set -eu
apt-get install -y --no-install-recommends python3-opencv gdal-bin saga grass-core
