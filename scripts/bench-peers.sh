#!/bin/sh
# Installs what `make bench` measures Esker beside, from Debian: OpenCV, which has the same filters, and gdaldem.
set -eu
apt-get install -y --no-install-recommends python3-opencv gdal-bin
