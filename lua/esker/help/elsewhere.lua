-- What other programs have and Esker has not, for `esker help`: the words by which people ask, and what to use instead.
-- tests/words.txt lists the words that must be found, here or among the keywords of operations.

return {
    { words = "cave caves overhang overhangs arch arches voxel voxels vdb volume",
        text = "Esker has one height per cell: no caves, overhangs or voxels. Instead, `canyon` and `mesa` of "
            .. "docs/wishes.md make steep walls, and export or a mesh takes the land to a program that carves." },
    { words = "gpu cuda opencl opengl vulkan shader glsl",
        text = "Esker computes on the processor only, with its vector units and all its threads, so that every "
            .. "machine gives the same bytes. `-j` and esker.threads set the number of threads; large fields and "
            .. "windows of endless maps need little memory." },
    { words = "gdalwarp reprojection reprojected proj utm",
        text = "Esker reprojects points, lines and polygons, not fields: those keep the coordinates of their file. "
            .. "Instead, `gdalwarp -t_srs EPSG:… in.tif out.tif` before `load`. render draws planets in several "
            .. "projections, and `esker tiles` makes tiles of web maps." },
    { words = "gdal2tiles tiled-build tiles tile-split tile tileset retile xyz pmtiles mbtiles wmts slippy pyramid",
        text = "Esker makes tiles by a command, no operation: `esker tiles RECIPE.lua` draws the maps, fields or "
            .. "images that a recipe returns (docs/tiles.md). For a game engine, "
            .. "export writes one file, and `esker tiles --engine` tiles (docs/game-engines.md)." },
    { words = "clump label labels connected components regions cc",
        text = "Esker does not number connected areas. Instead, basins numbers drainage basins; scipy.ndimage.label "
            .. "takes a mask that was saved as .npy, and `load` reads the result." },
    { words = "cross crosstab crosstabulation",
        text = "Esker makes no table of categories. Instead, multiply masks: a * b is 1 where both are, and (a * "
            .. "b):statistics().mean is the share." },
    { words = "log exp sin cos tan log10 arctan hypot sign",
        text = "Esker has no such function of a whole field. Instead, esker.field{ width = h.width, height = "
            .. "h.height, values = function(x, y) return math.log(h:get(x, y)) end }; curve and power are faster, "
            .. "and a ^ 0.5 is the root." },
    { words = "corrcoef cov covariance correlation regression matmul dot einsum linalg histogram2d",
        text = "Esker has no linear algebra and compares no two fields cell by cell. Instead, in Python land.array is "
            .. "an array of NumPy (docs/python.md); a recipe can multiply: (a * b):statistics().mean." },
    { words = "ndimage scipy numpy skimage opencv generic-filter",
        text = "Esker has fields, not arrays; in Python, land.array and esker.field(array) are the bridge to NumPy and "
            .. "SciPy (docs/python.md). Filters: blur, median, morphology, laplacian." },
    { words = "series time-series temporal r.series",
        text = "Esker has no series of fields. Instead, a loop in a recipe adds them or takes their min and max, and "
            .. "`esker sweep` runs a recipe for a list of values." },
    { words = "pansharpen pan-sharpening",
        text = "Esker works on heights, not on bands of satellites. Instead, gdal_pansharpen.py does it before." },
    { words = "ls-factor usle rusle soil-loss",
        text = "Esker computes no loss of soil. Instead, multiply powers of flow_accumulation and slope for a factor "
            .. "of length and slope; stream_power and hydraulic_erosion move the ground." },
    { words = "hdri environment-map sky",
        text = "Esker draws no skies. Instead, perspective has sun and haze, and a mesh takes the land to others." },
    { words = "abrasion coastal-erosion waves glacial-erosion wind-erosion wind aeolian",
        text = "Esker simulates neither wind, waves nor ice. Instead, `dunes`, `island` and `fjords` of "
            .. "docs/wishes.md shape such land; thermal_erosion, hydraulic_erosion and stream_erosion wear it down." },
    { words = "project pyro solver simulation gwflow groundwater fluid fire smoke particles",
        text = "Esker makes ground, and simulates neither gas, fire nor single drops. Instead, perspective draws "
            .. "haze, hydraulic_erosion moves water over ground, and stamp and drape lay fields and pictures on "
            .. "land." },
    { words = "bevel extrude sculpt brush boolean",
        text = "Esker has no tools for single faces of a mesh: mesh makes triangles of heights. Instead, flatten, "
            .. "stamp, ridge_line and polygon shape the heights before." },
    { words = "argsort sort sorted",
        text = "Esker does not sort cells. Instead, equalize gives each cell its rank among all, from 0 to 1, and "
            .. "peaks lists summits from the highest on." },
    { words = "convolve convolution kernel correlate",
        text = "Esker has no convolution with a kernel of one's own. Instead, blur, sharpen, laplacian, slope and "
            .. "relative_height are the usual ones; a sum of crop{ x = …, y = … } of a field that wraps shifts and "
            .. "adds." },
    { words = "cumsum cumulative prefix-sum scan",
        text = "Esker has no cumulative sums. Instead, flow_accumulation adds along the water's way, and histogram "
            .. "counts heights." },
    { words = "fft ifft fourier spectrum frequency-domain wavelet",
        text = "Esker has no Fourier transform. Instead, spectral makes land of a given persistence, blur and "
            .. "sharpen keep low and high frequencies, and realism measures the slope of the spectrum." },
    { words = "pad padding border",
        text = "Esker does not pad fields. Instead, stamp it onto a larger one, larger:stamp(land, { mode = "
            .. "\"replace\", feather = 0 }); crop with wrap = true repeats a field that tiles." },
    { words = "reshape ravel squeeze expand-dims",
        text = "Esker has no fields but of width × height. Instead, resize changes the number of cells, crop cuts, "
            .. "and flip with axis = \"diagonal\" transposes; esker.field takes a list of rows." },
    { words = "node-graph nodes node graph geometry-nodes shader-nodes cop sop vop",
        text = "Esker has no node editor: a recipe is a text. Instead, `esker explore RECIPE.lua` shows its results "
            .. "with sliders, and the session's undo takes back a statement." },
}
