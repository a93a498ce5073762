// A worker that reads a GeoTIFF that was dropped onto the page (drop.js).
import { readRaster } from "./dropped.js";
import { CELLS, LARGEST } from "./limits.js";

addEventListener("message", ({ data: file }) =>
  readRaster(file, CELLS, LARGEST).then(
    raster => postMessage({ raster }, [raster.cells.buffer]),
    error => postMessage({ problem: error.message }),
  ),
);
