---@meta
-- For editors: the Lua language server reads this. Written from the declarations by `make docs`.

---@class esker.arguments.diamond_square
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field seed? integer the same seed gives the same bytes (default 0)
---@field persistence? number factor by which the range of offsets shrinks at each level; higher is rougher (default 0.5)
---@field distribution? "uniform"|"gaussian" distribution of the offsets within their range (default "uniform")
---@field smooth? boolean multiplies offsets by the local height, which makes low ground smooth (default false)
---@field lattice? integer points of the first lattice along the shorter side; more give smaller hills (default 8)

---@class esker.arguments.spectral
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field seed? integer the same seed gives the same bytes (default 0)
---@field persistence? number amplitude of each octave relative to the one before; higher is rougher (default 0.5)
---@field octaves? integer number of octaves; 0, or more than fit: until the lattice is as fine as the field (default 0)
---@field lattice? integer points of the first octave's lattice along the shorter side; more give smaller hills (default 4)
---@field interpolation? "linear"|"cubic"|"spline" linear shows faint horizontal and vertical lines; spline is the smoothest and hides the lattice (default "cubic")

---@class esker.arguments.voronoi
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field seed? integer the same seed gives the same bytes (default 0)
---@field regions? integer regions along the shorter side (default 4)
---@field points_per_region? integer feature points in each region (default 1)
---@field coefficients? number[] factors of the distances to the nearest feature point, the second nearest and so on, up to 8 (default {-1, 1})
---@field metric? "squared"|"euclidean"|"manhattan"|"chebyshev" dx² + dy², its square root, |dx| + |dy|, or the greater of |dx| and |dy| (default "squared")
---@field jitter? number how far feature points may leave the centre of their region; 0: a square grid, 1: up to its border (default 0.8)
---@field hill_coverage? number share of hills that are kept (default 1)
---@field offset? number added to all heights, which are then clipped at 0; below 0 it widens the passages (default 0)
---@field domain? "none"|"random"|"binary" random multiplies each hill by its domain value; binary makes the domain map 0 or 1 (default "none")

---@class esker.arguments.noise
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field seed? integer the same seed gives the same bytes (default 0)
---@field kind? "gradient"|"simplex"|"value"|"white" gradient is Perlin's improved noise; simplex shows no grid; value has rounder, blockier hills; white is a random number for each cell, without frequency or octaves (default "gradient")
---@field fractal? "none"|"fbm"|"ridged"|"billow" how octaves are added: fbm for hills, ridged for crests, billow (turbulence) for rounded humps with creases; none: one octave (default "fbm")
---@field frequency? number lattice points of the first octave (default 4)
---@field octaves? integer number of octaves; those too fine for the field are left out (default 8)
---@field lacunarity? number frequency of each octave relative to the one before (default 2)
---@field gain? number amplitude of each octave relative to the one before; higher is rougher (default 0.5)
---@field warp? number largest displacement by a noise of the same frequency along each axis, as a share of N (default 0)
---@field warp_octaves? integer octaves of the noise that displaces (default 4)
---@field at? number[] upper left corner of the window { x, y }, in N, the longer side (default {0, 0})
---@field wrap? boolean whether opposite edges meet; frequencies are then rounded to whole lattices (default true)

---@class esker.arguments.shape
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field coordinates? "shares"|"cells"|"map"|"degrees" what places are given in: shares of the width and height; cells; "map": the coordinates of the field's frame; "degrees": longitude and latitude (default "shares")
---@field kind? "cone"|"dome"|"gaussian"|"disk"|"crater"|"volcano"|"ramp" which shape (default "cone")
---@field x? number centre, as a share of the width (default 0.5)
---@field y? number centre, as a share of the height (default 0.5)
---@field radius? number as a share of N, the longer side; of a crater that of its rim, of a gaussian two standard deviations; half the length of a ramp (default 0.4)
---@field azimuth? number direction of the stretch, or in which a ramp rises, clockwise from north; 90: to the right (default 90)
---@field stretch? number makes it longer in that direction (default 1)
---@field edge? number for a disk: how far its edge falls, outside the radius, as a share of N (default 0)
---@field magnitude? number heights are multiplied by this (default 1)

---@class esker.arguments.polygon
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field points? number[][] corners { x, y }, as shares of width and height; the last joins the first (default {{0.2, 0.8}, {0.5, 0.2}, {0.8, 0.8}})
---@field edge? number width of the soft edge, half of it inside, as a share of N, the longer side; at least a cell (default 0)

---@class esker.arguments.ridge_line
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field points? number[][]|number[] points { x, y, height }, as shares of width and height (default {{0.15, 0.7, 0.5}, {0.5, 0.3, 1}, {0.85, 0.6, 0.4}})
---@field radius? number width of the slope on either side, as a share of N, the longer side (default 0.25)
---@field profile? "linear"|"smooth"|"concave" cross-section: straight sides, rounded, or steep at the crest (default "concave")

---@class esker.arguments.perturb
---@field seed? integer the same seed gives the same bytes (default 0)
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field magnitude? number largest displacement, as a share of N, the longer side (default 0.25)
---@field noise? "spline"|"midpoint" spline: bends the terrain evenly; midpoint: one map of diamond_square and its transpose, with spikes, for the scores of the paper's tables (default "spline")
---@field lattice? integer points of the noise's first lattice along the shorter side; more give finer folds; 0: 16 of splines, 8 of midpoint noise (default 0)

---@class esker.arguments.warp
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field magnitude? number displacement where a field is 1 above `still`, as a share of N, the longer side (default 0.1)
---@field still? number the value of the fields that displaces nothing (default 0.5)

---@class esker.arguments.normalize
---@field low? number new value of the lowest height (default 0)
---@field high? number new value of the highest height (default 1)

---@class esker.arguments.clamp
---@field low? number lower bound; lower heights become this (default 0)
---@field high? number upper bound; higher heights become this (default 1)

---@class esker.arguments.blend
---@field mode? "normal"|"add"|"subtract"|"multiply"|"screen"|"overlay"|"hard_light"|"soft_light"|"difference"|"exclusion"|"dodge"|"burn"|"darken"|"lighten" what b does to a (default "normal")
---@field opacity? number how much of it; 0: none (default 1)
---@field mask? esker.Field a field, 0 to 1, that opacity is multiplied by: where to blend

---@class esker.arguments.blur
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field sigma? number standard deviation of the blur, a radius in some programs (default 0.01)
---@field exact? boolean whether to convolve with the Gaussian itself instead, in a time that grows with sigma (default false)

---@class esker.arguments.sharpen
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field sigma? number size of the details that are raised: the standard deviation of a Gaussian (default 0.01)
---@field amount? number how much they are raised; 0: not at all, -1: they are removed, as by blur (default 1)
---@field exact? boolean whether to convolve with the Gaussian itself, in a time that grows with sigma (default false)

---@class esker.arguments.median
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field radius? integer the surroundings are a square of 2 × radius + 1 cells (default 1)

---@class esker.arguments.bilateral
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field sigma? number standard deviation of the distance's Gaussian, which ends at 2.5 of them, where it is 0.04 (default 2)
---@field range? number standard deviation of the Gaussian of differences in height; greater ones stay (default 0.05)

---@class esker.arguments.morphology
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field kind? "dilate"|"erode"|"open"|"close" dilate: the maximum around each cell, erode: the minimum; open removes what is narrower than the element, close fills what is (default "dilate")
---@field radius? number of the disk, or half the square's side (default 0.03)
---@field element? "disk"|"square" shape of the surroundings (default "disk")

---@class esker.arguments.laplacian
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps

---@class esker.arguments.curve
---@field points? number[][] points { height, new height } in order of rising height (default {{0, 0}, {1, 1}})
---@field interpolation? "cubic"|"linear" interpolation between the points (default "cubic")

---@class esker.arguments.remap
---@field from? number[] two heights { a, b }; heights beyond them are clipped. b may be below a (default {0, 1})
---@field to? number[] the new heights of these two (default {0, 1})
---@field shape? "linear"|"smoothstep"|"smootherstep" the curve between the two: smoothstep is level at both ends, smootherstep has no bend there either (default "linear")
---@field bias? number new position of the middle; below 0.5 lowers, above it raises values between the ends (default 0.5)
---@field gain? number contrast around the middle; below 0.5 less, above it more (default 0.5)

---@class esker.arguments.terrace
---@field seed? integer the same seed gives the same bytes (default 0)
---@field steps? number steps from height 0 to 1 (default 8)
---@field sharpness? number share of each step that is flat; the rest is the riser; 1: a cliff (default 0.7)
---@field slope? number slope of the flat part relative to the ground's; 1 leaves the ground as it was (default 0.1)
---@field jitter? number variation of the steps' heights, as a share of their height; depends on seed (default 0)

---@class esker.arguments.resize
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field size? integer new width and height; 0: 128, unless others say it (default 0)
---@field width? integer new width, instead of size; alone, it keeps the proportions
---@field height? integer new height, instead of size; alone, it keeps the proportions
---@field scale? number factor on width and height, instead of size (default 0)
---@field interpolation? "linear"|"cubic"|"nearest" interpolation between cells where the new field is finer (default "linear")

---@class esker.arguments.crop
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field x? integer left column (default 0)
---@field y? integer top row (default 0)
---@field width? integer columns; 0: all, or up to the edge if edges do not meet
---@field height? integer rows; 0: all, or up to the edge if edges do not meet
---@field box? number[] { left, bottom, right, top } on the map, instead: the cells that this touches, as far as the field goes
---@field coordinates? "map"|"degrees" what box is given in: the coordinates of the field's frame, or longitude and latitude (default "map")

---@class esker.arguments.flip
---@field axis? "x"|"y"|"diagonal" x: left and right change places, y: top and bottom, diagonal: rows and columns (default "x")

---@class esker.arguments.transform
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field angle? number rotation, clockwise; multiples of 90 are exact (default 0)
---@field scale? number above 1 makes everything larger (default 1)
---@field stretch? number additional scale to the right, before the rotation (default 1)
---@field x? number shift to the right, as a share of N, the longer side (default 0)
---@field y? number shift down, as a share of N (default 0)

---@class esker.arguments.equalize
---@field low? number the lowest new height (default 0)
---@field high? number the highest new height (default 1)

---@class esker.arguments.seamless
---@field edge? number width of the zone along each edge that is blended, as a share of the side (default 0.15)

---@class esker.arguments.inpaint
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field tension? number 0: a thin plate, which continues slopes into the hole and may overshoot; 1: a membrane, which stays within the heights around it but has edges at the border; 0.3 suits terrain at any resolution (default 0)

---@class esker.arguments.min
---@field blend? number how smooth the bend is: heights that differ by less are blended, by a sixth of this at most; 0: sharp (default 0)

---@class esker.arguments.max
---@field blend? number how smooth the bend is: heights that differ by less are blended, by a sixth of this at most; 0: sharp (default 0)

---@class esker.arguments.distance
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field threshold? number cells above this belong to the mask (default 0.5)
---@field signed? boolean gives the distance to the mask's border, negative inside: that of centres less half a cell, which is exact along rows and columns and up to 0.21 cells too long off corners; otherwise inside is 0 (default false)

---@class esker.arguments.flatten
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field level? number height of the place; by default the mean of its ground, of each site, or the ground along the line
---@field sea_level? number ground below this is sea: sites, and beds of lines, without a level are at least this high
---@field water? esker.Field a mask of water, as render or rivers give: its cells keep their heights, and ground beside it rises or falls by no more than `bank` makes of its distance to water
---@field bank? number with water: how much the slope of its banks may change (default 2)
---@field sloped? boolean for masks: fits a plane to the ground instead of a level (default false)
---@field edge? number width of the slope between the place and untouched ground, as a share of N, the longer side (default 0.03)
---@field width? number width of a line's bed, or of each point's site, as a share of N; by default 0.01, and twice the radius of points that have one
---@field span? number for lines: the bed's heights are means over the ground along the line at most this far away, as a share of N (default 0.05)

---@class esker.arguments.stamp
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field coordinates? "shares"|"cells"|"map"|"degrees" what places are given in: shares of the width and height; cells; "map": the coordinates of the field's frame; "degrees": longitude and latitude (default "shares")
---@field x? number centre, as a share of the width (default 0.5)
---@field y? number centre, as a share of the height (default 0.5)
---@field size? number width of the stamp, as a share of N, the longer side; by default a cell becomes a cell
---@field angle? number rotation, clockwise (default 0)
---@field mode? "add"|"replace"|"max"|"min" what the stamp does (default "add")
---@field magnitude? number the stamp's heights are multiplied by this (default 1)
---@field feather? number how far the soft edge reaches inwards: 0: a hard edge, 1: to the middle (default 0.5)

---@class esker.arguments.path
---@field coordinates? "shares"|"cells"|"map"|"degrees" what places are given in: shares of the width and height; cells; "map": the coordinates of the field's frame; "degrees": longitude and latitude (default "shares")
---@field paths? number[][]|number[] a row for each path: { x, y, x, y }, its start and its end, as shares of width and height (default {{0.1, 0.1, 0.9, 0.9}})
---@field slope? number slope along the path at which it costs twice as much (default 2)
---@field turning? number cost of a bend of 90°, as a length on the flat in N, the longer side; above 0 the search takes eight times the memory and ten times as long (default 0)
---@field cost? esker.Field factor on the cost of each cell, 0 or more
---@field water? esker.Field a field that is above 0 where there is water, as render or rivers give
---@field sea_level? number ground below this is sea, which is crossed like other water
---@field crossing? number additional cost per length of water (default 20)
---@field reuse? number cost along an earlier path, relative to new ground; 1: no difference (default 0.5)
---@field smooth? integer how often corners are cut; 0: straight from cell to cell, in 16 directions (default 2)
---@field width? number of the lines, as a share of N (default 0.005)

---@class esker.arguments.grade
---@field water? esker.Field a mask of water; without it there are no bridges
---@field clearance? number how high a bridge is above the heights in water, at least (default 0)
---@field slope? number of ramps, which lead onto bridges that are higher than their banks (default 1.6)
---@field step? number distance between the points of a road, at most (default 1)
---@field width? number of the roads, as a share of N; by default that of path's lines, or 0.005

---@class esker.arguments.scatter
---@field seed? integer the same seed gives the same bytes (default 0)
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field distances? number[] shortest distance between two points of each species, as a share of N, the longer side; species listed first are placed first (default {0.03})
---@field density? esker.Field|esker.Field[] the share of points that are kept, 0 to 1: one field, or a list with one for each species; by default all
---@field at? number[] upper left corner of the window { x, y } on an endless plane, in N; where edges do not meet (default {0, 0})

---@class esker.arguments.from_points
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field scale? number cells of the field per cell of the points' window (default 1)
---@field tension? number 0: a thin plate, which may overshoot; 1: a membrane, which stays within the points' heights but is pointed there, above about 0.7 visibly; 0.3 suits terrain at any resolution (default 0)

---@class esker.arguments.rasterize
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field scale? number cells of the field per cell of the lines' window, without like (default 1)
---@field line? number smallest width of lines and points; below 1 they are fainter instead (default 1)
---@field like? esker.Field a field whose cells the result has, wherever the lines' window lies
---@field attribute? string a number among the attributes, which cells get instead of a share (default "")

---@class esker.arguments.peaks
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field kind? "peaks"|"pits" peaks: summits; pits: the lowest cells of hollows, whose prominence is their depth (default "peaks")
---@field prominence? number height above the highest saddle to higher ground, at least; 0: a twentieth of the range of heights (default 0)
---@field count? integer how many at most, the most prominent ones; 0: all (default 0)
---@field sea_level? number ground below this is sea, flat and without summits or pits

---@class esker.arguments.sites
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field count? integer how many at most, the best ones (default 5)
---@field size? number width of the level ground, at least, as a share of N, the longer side (default 0.05)
---@field slope? number slope up to which one builds (default 4)
---@field steeper? number where there are fewer places: up to how many times as steep ground is taken, the flattest first (default 1)
---@field near? esker.Field|esker.Field[] a mask of what should be near, such as rivers; or a list, each of which should be near, as in { rivers, coast }
---@field avoid? esker.Field a mask of ground on which nobody builds, such as water or forest
---@field apart? number the least distance between two, as a share of N; by default twice the size
---@field sea_level? number ground below this is sea

---@class esker.arguments.thermal_erosion
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field method? "fast"|"reference" "fast": the same in all directions; "reference": as in the paper (default "fast")
---@field iterations? integer passes over the field (default 50)
---@field talus? number height differences up to this are stable (default 4)
---@field c? number share of the excess over the talus that slides in a pass; above 0.25 ripples may remain (default 0.25)
---@field mask? esker.Field erodibility of each cell, 0 to 1; a cell at 0 loses no material but may receive some; by default 1 everywhere

---@class esker.arguments.hydraulic_erosion
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field method? "fast"|"reference" the paper's optimized method, or its reference method (default "fast")
---@field iterations? integer number of showers (default 100)
---@field rain? number water added to each cell in a shower (default 0.01)
---@field solubility? number ground dissolved by a unit of water (default 0.01)
---@field evaporation? number share of the water that evaporates after a shower (default 0.5)
---@field capacity? number sediment that a unit of water can carry; only for "reference", "fast" uses the solubility (default 1)
---@field mask? esker.Field erodibility of each cell, 0 to 1; a cell at 0 loses no material but may receive some; by default 1 everywhere

---@class esker.arguments.olsen_erosion
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field iterations? integer passes over the field (default 50)
---@field talus? number largest height difference that is levelled (default 16)
---@field mask? esker.Field erodibility of each cell, 0 to 1; a cell at 0 loses no material but may receive some; by default 1 everywhere

---@class esker.arguments.stream_erosion
---@field wrap? boolean whether opposite edges meet and water drains across them (default false)
---@field age? number from 0, untouched, to 1, a mature landscape; erosion and uplift grow with age^1.5 (default 1)
---@field erodibility? number how fast streams cut down (default 1)
---@field uplift? number rise of the land until age 1, in heights (default 0)
---@field uplift_map? esker.Field share of the uplift by which each cell rises, 0 to 1; by default 1
---@field rain? esker.Field rain on each cell, 0 or more; by default 1
---@field talus? number no slope stays steeper at age 1; at age 0.5 none stays steeper than twice this. Sides of valleys are steeper than the given land by at most half of it (default 20)
---@field channel? number drained area at which streams begin, as a share of N²; above that are hillslopes, as steep as the stream's head. The default is a cell of 100², 0: a cell (default 0.0001)
---@field deposition? number share of the sediment that settles, in lakes and on valley floors (default 0.5)
---@field sea_level? number lower ground is sea, in which streams end; it stays as it is
---@field mask? esker.Field erodibility of each cell, 0 to 1; a cell at 0 loses no material but may receive some; by default 1 everywhere

---@class esker.arguments.stream_power
---@field years? number how long, in years (default 1000000)
---@field steps? integer number of steps; any number is stable, more follow waves of erosion more closely (default 100)
---@field uplift? number U, in millimetres a year (default 1)
---@field uplift_map? esker.Field share of the uplift by which each cell rises, 0 to 1; by default 1
---@field erodibility? number K, in m^(1 - 2m) a year: the rate of erosion in metres a year where A^m S^n is 1 (default 5e-06)
---@field m? number exponent of the drained area in m² (default 0.5)
---@field n? number exponent of the slope (default 1)
---@field diffusivity? number D of creeping hillslopes, in m² a year. What creeps into streams has to be carried off: they become steeper (default 0)
---@field outlets? "all"|"left_right"|"top_bottom"|"left"|"right"|"top"|"bottom" sides of the field over which water leaves: their cells keep their height. The others are divides (default "all")
---@field cell? number width of a cell where the field has no frame; then heights are metres (default 100)
---@field rain? esker.Field rain on each cell, 0 or more, by which its area counts; by default 1
---@field sea_level? number lower ground is sea, in which streams end; it stays as it is
---@field mask? esker.Field erodibility of each cell, 0 to 1; a cell at 0 loses no material but may receive some; by default 1 everywhere

---@class esker.arguments.amplify
---@field seed? integer the same seed gives the same bytes (default 0)
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field levels? integer each doubles the cells along a side (default 3)
---@field detail? number strength of the detail; 0: a smooth refinement (default 1)
---@field erodibility? number how deep streams cut (default 3)
---@field roughness? number randomness of the detail (default 0.05)
---@field sea_level? number lower ground is sea, which is not eroded

---@class esker.arguments.slope
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps

---@class esker.arguments.erosion_score
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps

---@class esker.arguments.playability
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field unit_slope? number slope below which units can move (default 8)
---@field building_slope? number slope below which buildings can stand (default 2)
---@field unit_size? integer side of the square that a unit occupies (default 1)
---@field building_size? integer side of the square that a building occupies (default 9)
---@field rivers? esker.Field barriers, such as render's river: no units or buildings where this is at least 0.5; set a cell to 0 for a ford
---@field sea_level? number ground below this is sea: a barrier, too

---@class esker.arguments.histogram
---@field bins? integer intervals of equal width (default 64)
---@field low? number lower end of the first interval (default 0)
---@field high? number upper end of the last interval; low and high 0: from the lowest to the highest height (default 0)

---@class esker.arguments.relative_height
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field radius? number how far the surroundings, a square, reach; at least a cell (default 0.06)

---@class esker.arguments.identify
---@field coordinates? "shares"|"cells"|"map"|"degrees" what places are given in: shares of the width and height; cells; "map": the coordinates of the field's frame; "degrees": longitude and latitude (default "shares")
---@field x? number|string the place, from 0 at the left of the field or map to 1 at its right; of maps digits as in render (default 0.5)
---@field y? number|string the same from top to bottom; on the equirectangular map of a planet 0.25, the north pole, to 0.75 (default 0.5)
---@field zoom? number for maps: the slope, the river and the drained area are those of pixels whose side is the map's divided by 512 times zoom; by default 1024
---@field face? "whole"|"front"|"right"|"back"|"left"|"top"|"bottom" for planets: a face of the cube, on which x and y are; "whole": the equirectangular map (default "whole")
---@field sea_level? number for fields: ground below this is sea, into which water drains

---@class esker.arguments.contours
---@field interval? number height between lines, counted from the sea of the frame, or 0; 0: a round number for 5 to 13, or none if there are levels (default 0)
---@field levels? number[] heights of further lines; without an interval, of all lines (default {})
---@field smooth? integer how often corners are cut; lines at different heights may then touch on rough ground (default 0)
---@field index? integer every index-th level, counted from there or from the lowest of a list, has lines of order 2 and twice the width; 0: none (default 5)
---@field line? number width of other lines (default 0.4)

---@class esker.arguments.realism
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field sea_level? number ground below this is sea and is not measured
---@field cell? number side of a cell in metres, for heights in metres or in the unit of the frame; 0: what the frame says, if its heights have metres, otherwise unknown (default 0)
---@field vertical_scale? number cells per unit of height, where heights have another unit or are exaggerated; 0: what cell and frame say (default 0)
---@field channel? integer drained cells at which a channel begins (default 100)
---@field like? esker.Field compare with this land instead of the real ranges

---@class esker.arguments.realism_ranges
---@field cell? number side of a cell in metres; 0, and outside of 1/3 to 270: the widest range of all sizes (default 0)

---@class esker.arguments.select
---@field seed? integer the same seed gives the same bytes (default 0)
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field height? number[] { low, high, soft }: heights, the mask is 1 from low to high; without high, all above; soft: the width over which it falls to 0 beyond each end
---@field slope? number[] the same for the slope, in degrees, 0 to 90
---@field aspect? number[] the same for the direction in which ground falls, in degrees clockwise from north: { 315, 45 } faces north
---@field curvature? number[] the same for the mean curvature, per side length: above 0 ridges, below 0 valleys
---@field relative_height? number[] the same for the height above the mean of the surroundings: above 0 ridges and tops, below 0 valleys
---@field radius? number how far those surroundings reach, in N, the longer side (default 0.06)
---@field distance_to? esker.Field a mask: cells with 1 are at distance 0. For a network or points use lines:rasterize{}
---@field distance? number[] the range of distances to it, in N: { 0, 0.05, 0.02 }
---@field noise? number[] the same for gradient noise, 0 to 1, half of it above 0.5: patches
---@field frequency? number how many lattice points of that noise lie along N (default 8)
---@field by? esker.Field any other field: flow, insolation, a wetness or position index
---@field range? number[] the range of its values, as for height
---@field combine? "all"|"any" whether all ranges must hold or one (default "all")
---@field invert? boolean whether to select everything else (default false)
---@field exaggeration? number vertical scale; 1: true slopes where heights have a unit (m, ft) and a frame in metres (see georeference), elsewhere a height of 1 stands for N/16 cells, as in relief (default 1)

---@class esker.arguments.gradient_angle
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field exaggeration? number vertical scale; 1: true slopes where heights have a unit (m, ft) and a frame in metres (see georeference), elsewhere a height of 1 stands for N/16 cells, as in relief (default 1)
---@field method? "horn"|"zevenbergen" horn: from all eight neighbours, less noise; zevenbergen: from the four nearest, sharper (default "horn")

---@class esker.arguments.aspect
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field method? "horn"|"zevenbergen" horn: from all eight neighbours, less noise; zevenbergen: from the four nearest, sharper (default "horn")

---@class esker.arguments.curvature
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field kind? "mean"|"profile"|"tangential"|"plan" profile: down the slope, where water speeds up or slows down; tangential: across the slope, where water gathers or spreads; plan: of the contour line; mean: the mean of all directions (default "mean")
---@field method? "evans"|"zevenbergen" evans: of the quadratic nearest to the nine cells, less noise; zevenbergen: of the surface through all nine, sharper (default "evans")
---@field exaggeration? number vertical scale; 1: true slopes where heights have a unit (m, ft) and a frame in metres (see georeference), elsewhere a height of 1 stands for N/16 cells, as in relief (default 1)

---@class esker.arguments.ruggedness
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field measure? "riley"|"wilson" riley: the root of the sum of the eight squared differences; wilson: the mean of their absolute values (default "riley")

---@class esker.arguments.hillshade
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field light? number[][]|number[] direction of the light, { azimuth, altitude }, as in relief: clockwise from north, and above the horizon, in degrees; or several, as rows { azimuth, altitude, weight }, the weights relative to each other (default {{315, 45, 1}})
---@field shadows? boolean whether ground casts shadows, which are found along lines one cell apart (default false)
---@field softness? number width of a shadow's edge, seen from the ground; the sun is 0.5 wide (default 2)
---@field exaggeration? number vertical scale; 1: true slopes where heights have a unit (m, ft) and a frame in metres (see georeference), elsewhere a height of 1 stands for N/16 cells, as in relief (default 1)
---@field method? "horn"|"zevenbergen" horn: from all eight neighbours, less noise; zevenbergen: from the four nearest, sharper (default "horn")

---@class esker.arguments.sky_view
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field directions? integer number of directions in which the horizon is sought (default 16)
---@field exaggeration? number vertical scale; 1: true slopes where heights have a unit (m, ft) and a frame in metres (see georeference), elsewhere a height of 1 stands for N/16 cells, as in relief (default 1)

---@class esker.arguments.openness
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field side? "positive"|"negative" positive: the sky seen from above ground, large on ridges; negative: the same from below, large in valleys (default "positive")
---@field radius? number how far ground counts, rounded to whole steps in each direction, at least one (default 0.1)
---@field exaggeration? number vertical scale; 1: true slopes where heights have a unit (m, ft) and a frame in metres (see georeference), elsewhere a height of 1 stands for N/16 cells, as in relief (default 1)

---@class esker.arguments.insolation
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field latitude? number north of the equator; north is where the frame says, otherwise up (default 45)
---@field day? number day of the year: 80 and 266 equinoxes, 172 and 355 solstices (default 172)
---@field steps? integer positions of the sun between sunrise and sunset (default 24)
---@field transmission? number share of the sunlight that clear air lets through from the zenith (default 0.7)
---@field shadows? boolean whether ground casts shadows, which are found along lines one cell apart (default true)
---@field exaggeration? number vertical scale; 1: true slopes where heights have a unit (m, ft) and a frame in metres (see georeference), elsewhere a height of 1 stands for N/16 cells, as in relief (default 1)

---@class esker.arguments.viewshed
---@field coordinates? "shares"|"cells"|"map"|"degrees" what places are given in: shares of the width and height; cells; "map": the coordinates of the field's frame; "degrees": longitude and latitude (default "shares")
---@field x? number position of the eye: by default as a share of the width (default 0.5)
---@field y? number position of the eye: by default from the top, as a share of the height (default 0.5)
---@field eye? number height of the eye above the ground; by default 1.75 m, or 0.02 without a frame
---@field object? number height of the object that is looked at, above the ground (default 0)
---@field curvature? number share of the earth's curvature that counts, as in gdal_viewshed -cc; 6/7: light is refracted; 0: the earth is flat; by default 6/7 in a coordinate system, elsewhere 0
---@field radius? number how far one looks; ground farther away is a gap in the result; by default as far as the field goes
---@field exact? boolean follow the line of sight to each cell (R3 of the source): exact, and some hundred times slower; otherwise lines are interpolated from ring to ring (XDraw) (default false)

---@class esker.arguments.position_index
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field radius? number[] how far the surroundings, a square, reach at each scale; at least a cell (default {0.01, 0.04, 0.16})

---@class esker.arguments.ridges
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps

---@class esker.arguments.valleys
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps

---@class esker.arguments.wetness_index
---@field min_slope? number flatter ground is treated as this steep; level ground would be infinitely wet (default 0.001)
---@field sea_level? number ground below this is sea, into which water drains
---@field flow? esker.Field drained area in cells; by default that of flow_accumulation by D-infinity
---@field exaggeration? number vertical scale; 1: true slopes where heights have a unit (m, ft) and a frame in metres (see georeference), elsewhere a height of 1 stands for N/16 cells, as in relief (default 1)

---@class esker.arguments.geomorphons
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field radius? number how far the horizon is looked for: cells nearer than this count; by default ten cells
---@field skip? number nearer ground is left out: the whole cells of this length, as many in all directions, as in r.geomorphon (default 0)
---@field flat? number largest angle that still counts as level (default 1)
---@field level? "both"|"difference" what is level: both angles are at most `flat`, as in r.geomorphon; or their difference is, as in the paper (default "both")
---@field exaggeration? number factor on slopes; 16/N a cell is 45° where the unit of heights is not known (default 1)

---@class esker.arguments.river_map
---@field seed? integer the same seed gives the same bytes (default 0)
---@field tiling? "right"|"penrose"|"scalene"|"sphere"|"tetrahedra" how triangles cover the map; right: right-angled triangles, the fastest and deepest; penrose: Penrose tiles, without a grid's directions; scalene: scalene triangles, without a grid's directions; sphere: a planet of scalene triangles; tetrahedra: a planet of tetrahedra; raw ones have no rivers (default "right")
---@field rivers? boolean false: land and sea only (default true)
---@field islands? boolean islands in fjords, and straits (section 4) (default false)
---@field wide? boolean raw land only: rivers whose width grows with the drained area (section 7), instead of lines; rivers of eroded land are always wide (default false)
---@field river_width? number width of rivers divided by the square root of the area that they drain. By default 0.001, as for real rivers: 1 m for 1 km² and 450 m for 200,000 km²; on raw land 0.004
---@field rules? "mended"|"paper" "paper": as printed, with a few rivers that split downstream; "mended": without (default "mended")
---@field sea_level? number rise of the sea: subtracted from the altitudes of corners and guide, on planets from those of the first vertices; the results are limited to -1 to 1 (default 0)
---@field corners? number[] altitudes of the map's four corners in reading order; by default from the seed
---@field guide? esker.Field altitudes of the whole map, -1 to 1 with relief, or heights in the unit of its frame, which also gives side; stretched to the map's square. An elevation model of any resolution, a smooth sketch of 16 to 64 cells; followed down to that resolution, then refined; only with tiling = "right"
---@field land? "raw"|"eroded" "eroded", the default: land eroded by water, drained everywhere, at every zoom. "raw": the land of the paper, and the default with rules = "paper"
---@field side? number for flat maps with eroded land: the length of the side in metres; by default 3,000 km. A map of another side is other land: a river's slope follows from the area in km² that it drains
---@field radius? number for planets with eroded land: the radius in metres; by default the earth's, 6,371 km
---@field relief? number height in metres that summits reach at the finest zoom, at most: the highest reach 0.7 to 1 of it. At most a tenth of the side or radius; by default it follows from the landscape's slopes. With a guide of -1 to 1 the height in metres of its value 1, which must be given
---@field landscape? "mixed"|"plains"|"hills"|"alps"|"mesa"|"islands" how steep eroded land is. mixed, the default: lowlands and ranges; plains, hills, alps: the same everywhere; mesa: tables and cliffs of hard strata; islands: an archipelago with hills, whatever the corners and k1 to k8
---@field concavity? number how much gentler rivers are the more they drain: the exponent of the slope-area law; 0.37
---@field variety? number how much steepness varies from place to place, at every scale; 0.5
---@field talus? number steepest stable slope; 0.8
---@field rounding? number rounding of slopes and crests; 0.1
---@field roughness? number new detail at each level; 0.6
---@field hardness? number hardness of strata, which form cliffs; 0
---@field deposition? number strength of deposition: flat valley floors, deltas, beaches; 0.6
---@field hillslope? number streams begin where the square of this length drains, in metres; smaller forms are smooth soil; 200
---@field lakes? number share of the land that is lakes, at most: depressions of the first heights that have enough inflow stay filled; 0
---@field climate? boolean rivers carry the runoff of the climate's rain (docs/climate.md), and their width follows from it: dry beds in deserts. Always true if latitudes, wind, temperature, rain, seasons or lift is given (default false)
---@field latitudes? number[] { south, north } of flat maps: latitudes of the lower and upper edge, for climate; by default around 45, as many degrees as the side has on the earth
---@field wind? number[] { east, north }: one wind for the climate of the whole map, m/s; by default the belts of winds of the latitudes
---@field temperature? number by how many °C the climate is warmer than the earth's; 0
---@field rain? number factor on the climate's rain; 1
---@field seasons? number tilt of the planet's axis: how far apart summer and winter are; 23.4
---@field lift? number how much of the water that winds lift over mountains rains out there; 0.3
---@field k1? number variation of altitude with distance (default 0.32)
---@field k2? number variation of altitude with altitude differences (default 0.55)
---@field k3? number altitude above which rivers begin (default 0.1)
---@field k4? number rivers lead to ground below this altitude (default -0.1)
---@field k5? number probability that a river is extended upstream (default 0.7)
---@field k6? number probability that a river branches, per unit of length of the edge (default 2)
---@field k7? number altitude of the river below which fjords have islands (default -0.1)
---@field k8? number probability of an island (default 0.15)

---@class esker.arguments.render
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field x? number|string centre of the window, from 0 at the map's left to 1 at its right; a string of digits is more precise, and exact where they are hexadecimal: "0x.8a" or "0x8ap-8". Maps of planets, equirectangular and mercator, go on beyond 180°, as does the frame: around x = 0 below -180, around x = 1 above 180 (default 0.5)
---@field y? number|string the same from top to bottom; on equirectangular maps of planets, which are half as high as wide, from 0.25 at the north pole to 0.75 at the south pole (default 0.5)
---@field zoom? number the window's longer side is the map's side divided by this (default 1)
---@field inside? boolean moves a window that would leave the map to where it lies inside; otherwise that is an error (default false)
---@field border? integer additional cells on each side, on the same grid; fewer at the edge of the map, but not at the edge of a cube's face, nor at 180° of a planet unless cells would show twice (default 0)
---@field side? number for flat maps with raw land: the length of the map's side in metres; then altitudes are metres (1 is 0.055 of the side), and so are the frame's coordinates. Eroded land has its own (river_map)
---@field radius? number for planets with raw land: the radius in metres; then altitudes are metres (1 is 0.055 of the radius), and the frame's coordinate system says how long a degree is. Eroded land has its own (river_map)
---@field style? "smooth"|"paper" rivers as antialiased lines, or as whole pixels, as published (default "smooth")
---@field projection? "equirectangular"|"orthographic"|"cube"|"mercator" for planets: a map; the planet from far away, with the deepest sea around it; one face of a cube; or the square of web maps (default "equirectangular")
---@field face? "front"|"right"|"back"|"left"|"top"|"bottom" face of the cube (default "front")
---@field rotation? number[] for planets: longitude and latitude of the centre of the whole map
---@field relative? boolean measures altitudes from that of the window's centre, which altitude_at gives: in deep zooms on land, pixels differ by less than an absolute altitude can resolve (from zoom 200,000 or so on, shaded ground looks woven). The sea is then at -map:altitude_at of the same window; the frame says so to relief and others, but maps turned by latitude have none (sea_level) (default false)
---@field from_zoom? number with relative: measures altitudes from the centre of another window of this zoom and of the same size, so that several windows have one zero
---@field from_x? number|string centre of that window; by default 0.5
---@field from_y? number|string the same

---@class esker.arguments.set_rivers
---@field like? esker.Field a field that shows the whole map, as its guide does, for lines with coordinates of a system; others are placed as shares of their window
---@field inland? "refuse"|"skip" a line that ends inland; "refuse": is an error; "skip": is left out, with the lines that would end in it (default "refuse")
---@field area? string a number among the attributes: the area that a river drains where it ends, in m². Where the map has less, the rest comes in at its source (default "")

---@class esker.arguments.add_rivers
---@field along? number[][]|number[] places { x, y } in the coordinates of render, 0 to 1, of one river from its source on
---@field width? number of the water where the line ends, at least: where the land that drains there makes it narrower, the rest comes in at its source
---@field like? esker.Field a field that shows the whole map, as its guide does, for lines with coordinates of a system; others are placed as shares of their window
---@field inland? "follow"|"refuse"|"skip" a line that ends inland; "follow": goes on along the streams of the map; "refuse": is an error; "skip": is left out, with the lines that would end in it (default "follow")
---@field area? string a number among the attributes: the area that a river drains where its line ends, in m² (default "")

---@class esker.arguments.set_places
---@field others? "all"|"smaller"|"none" which other places there are: "all"; "smaller": those with fewer people than your smallest town; "none" (default "all")
---@field population? number people of points without the attribute population (default 1000)
---@field ashore? number how far a point in the sea or a lake may move to land; by default three cells of the map's coarsest level, which is a hundredth of the side or less
---@field like? esker.Field a field that shows the whole map, as its guide does, for points with coordinates of a system; others are placed as shares of their window

---@class esker.arguments.add_places
---@field at? number[][]|number[] places { x, y } in the coordinates of render, 0 to 1; on a planet x is longitude / 360 + 0.5, and y 0.5 - latitude / 360
---@field name? string of a single place in at; without one the map names it (default "")
---@field population? number people of places in at, and of points without the attribute population (default 1000)
---@field ashore? number how far a place in the sea or a lake may move to land, as in set_places
---@field like? esker.Field a field that shows the whole map, as its guide does, for points with coordinates of a system; others are placed as shares of their window

---@class esker.arguments.raise
---@field along? number[][]|number[] places { x, y } in the coordinates of render, 0 to 1: one makes a hill, more a ridge along them
---@field outline? number[][]|number[] instead: the corners of an area, which is raised as a whole
---@field width? number from foot to foot; of an area twice the width of its slopes, which lie inside the outline. By default a 64th of the map's side
---@field height? number of the middle above the ground, in the sea above its surface; below 0 a pit, at most 0.4 of the width deep, or a valley; at most the width; by default a twentieth of the width
---@field roughness? number how far an outline wanders off straight lines between its corners: by a quarter of their length at 1, with ever smaller bends between; 0 keeps it straight (default 0.8)
---@field like? esker.Field a field that shows the whole map, for places with coordinates of a system; others are placed as shares of their window

---@class esker.arguments.level
---@field along? number[][]|number[] places { x, y } in the coordinates of render, 0 to 1: one makes a site, more a strip along them
---@field outline? number[][]|number[] instead: the corners of the level ground
---@field width? number of the level ground; beyond, its sides meet the land within a quarter of the width. Of an outline: four times the width of these sides. By default a 64th of the map's side
---@field altitude? number above the sea; by default the mean of the ground that is levelled. More than 16 places at once need it
---@field like? esker.Field a field that shows the whole map, for places with coordinates of a system; others are placed as shares of their window

---@class esker.arguments.lake
---@field outline? number[][]|number[] the corners of the lake { x, y } in the coordinates of render, 0 to 1
---@field altitude? number of the water above the sea; by default what fits: that of the stream where it leaves the outline
---@field roughness? number how far the outline wanders off straight lines between its corners: by a quarter of their length at 1, with ever smaller bends between; 0 keeps it straight (default 0.8)
---@field like? esker.Field a field that shows the whole map, for places with coordinates of a system; others are placed as shares of their window

---@class esker.arguments.coast
---@field outline? number[][]|number[] the corners of the shape { x, y } in the coordinates of render, 0 to 1
---@field kind? "land"|"sea" what the outline becomes: land, where there is sea, or sea, where there is land (default "land")
---@field height? number for land: the height of its middle above the sea; by default a 10,000th of the map's side
---@field roughness? number how far the outline wanders off straight lines between its corners: by a quarter of their length at 1, with ever smaller bends between; 0 keeps it straight (default 0.8)
---@field like? esker.Field a field that shows the whole map, for places with coordinates of a system; others are placed as shares of their window

---@class esker.arguments.crater
---@field at? number[][]|number[] the middles { x, y } of craters in the coordinates of render, 0 to 1
---@field width? number from crest to crest of the rim; by default a 256th of the map's side
---@field depth? number from the crest of the rim to the floor, at most 0.4 of the width; by default as craters of this width have it: 0.2 of the width up to 4 km, then as the power 0.3
---@field rim? number height of the crest above the ground, at most half of the depth; by default in proportion to the depth
---@field peak? number height of a central peak above the floor, with a flat floor and terraces around; 0: none. By default one from 4 km on
---@field lake? number how far a lake fills the bowl, from its floor, 0: it is dry, to the ground around, 1 (default 0)
---@field like? esker.Field a field that shows the whole map, for places with coordinates of a system; others are placed as shares of their window

---@class esker.arguments.imprint
---@field at? number[][]|number[] where its middle is { x, y }, in the coordinates of render, 0 to 1; several add it several times
---@field side? number the length of its side; by default a 256th of the map's
---@field blend? number the share of its side along its border in which its heights fall to 0 (default 0.15)
---@field like? esker.Field a field that shows the whole map, for places with coordinates of a system; others are placed as shares of their window

---@class esker.arguments.carve
---@field along? number[][]|number[] places { x, y } in the coordinates of render, 0 to 1, from where it begins to the river, lake or sea in which it ends
---@field width? number of the water; by default a 32768th of the map's side
---@field depth? number how far its bed lies below the ground beside it, at least, and at most the width; it is cut deeper where the ground rises on its way. By default a twentieth of the width
---@field like? esker.Field a field that shows the whole map, for lines with coordinates of a system; others are placed as shares of their window

---@class esker.arguments.rivers
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field x? number|string centre of the window, as in render (default 0.5)
---@field y? number|string the same (default 0.5)
---@field zoom? number the same (default 1)
---@field inside? boolean moves a window that would leave the map to where it lies inside; otherwise that is an error (default false)
---@field border? integer additional cells on each side, on the same grid; fewer at the edge of the map, but not at the edge of a cube's face, nor at 180° of a planet unless cells would show twice (default 0)
---@field side? number for flat maps with raw land: the length of the map's side in metres; then altitudes are metres (1 is 0.055 of the side), and so are the frame's coordinates. Eroded land has its own (river_map)
---@field radius? number for planets with raw land: the radius in metres; then altitudes are metres (1 is 0.055 of the radius), and the frame's coordinate system says how long a degree is. Eroded land has its own (river_map)

---@class esker.arguments.lake_outlines
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field x? number|string centre of the window, as in render (default 0.5)
---@field y? number|string the same (default 0.5)
---@field zoom? number the same (default 1)
---@field inside? boolean moves a window that would leave the map to where it lies inside; otherwise that is an error (default false)
---@field border? integer additional cells on each side, on the same grid; fewer at the edge of the map, but not at the edge of a cube's face, nor at 180° of a planet unless cells would show twice (default 0)

---@class esker.arguments.altitude_at
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field x? number|string the place, anywhere on the map, in the coordinates of render (default 0.5)
---@field y? number|string the same; on the equirectangular map of a planet 0.25, the north pole, to 0.75 (default 0.5)
---@field zoom? number finer pixels show finer ground: their side is the map's divided by zoom times size; by default by 524,288 (default 1024)
---@field face? "whole"|"front"|"right"|"back"|"left"|"top"|"bottom" for planets: a face of the cube, on which x and y are; "whole": the equirectangular map (default "whole")
---@field from_zoom? number gives the height above another place, at this zoom and the same size; by default above the sea
---@field from_x? number|string that place; by default 0.5
---@field from_y? number|string the same
---@field side? number for flat maps with raw land: the length of the map's side in metres; then altitudes are metres (1 is 0.055 of the side), and so are the frame's coordinates. Eroded land has its own (river_map)
---@field radius? number for planets with raw land: the radius in metres; then altitudes are metres (1 is 0.055 of the radius), and the frame's coordinate system says how long a degree is. Eroded land has its own (river_map)

---@class esker.arguments.climate
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field x? number|string centre of the window, as in render (default 0.5)
---@field y? number|string the same (default 0.5)
---@field zoom? number the same (default 1)
---@field inside? boolean moves a window that would leave the map to where it lies inside; otherwise that is an error (default false)
---@field border? integer additional cells on each side, on the same grid; fewer at the edge of the map, but not at the edge of a cube's face, nor at 180° of a planet unless cells would show twice (default 0)
---@field projection? "equirectangular"|"orthographic"|"cube"|"mercator" for planets: a map; the planet from far away, with the deepest sea around it; one face of a cube; or the square of web maps (default "equirectangular")
---@field face? "front"|"right"|"back"|"left"|"top"|"bottom" face of the cube (default "front")
---@field rotation? number[] for planets: longitude and latitude of the centre of the whole map

---@class esker.arguments.cover
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field x? number|string centre of the window, as in render (default 0.5)
---@field y? number|string the same (default 0.5)
---@field zoom? number the same (default 1)
---@field inside? boolean moves a window that would leave the map to where it lies inside; otherwise that is an error (default false)
---@field border? integer additional cells on each side, on the same grid; fewer at the edge of the map, but not at the edge of a cube's face, nor at 180° of a planet unless cells would show twice (default 0)
---@field projection? "equirectangular"|"orthographic"|"cube"|"mercator" for planets: a map; the planet from far away, with the deepest sea around it; one face of a cube; or the square of web maps (default "equirectangular")
---@field face? "front"|"right"|"back"|"left"|"top"|"bottom" face of the cube (default "front")
---@field rotation? number[] for planets: longitude and latitude of the centre of the whole map
---@field crops? number share of the ground fit for crops that has them, in place of trees and grass; more around places (default 0)
---@field towns? boolean whether places of flat maps cover ground, which is built then, along roads and in quarters, with streets on pixels below 50 m (default false)

---@class esker.arguments.places
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field x? number|string centre of the window, as in render (default 0.5)
---@field y? number|string the same (default 0.5)
---@field zoom? number the same (default 1)
---@field inside? boolean moves a window that would leave the map to where it lies inside; otherwise that is an error (default false)
---@field border? integer additional cells on each side, on the same grid; fewer at the edge of the map, but not at the edge of a cube's face, nor at 180° of a planet unless cells would show twice (default 0)
---@field projection? "equirectangular"|"orthographic"|"cube"|"mercator" for planets: a map; the planet from far away, with the deepest sea around it; one face of a cube; or the square of web maps (default "equirectangular")
---@field face? "front"|"right"|"back"|"left"|"top"|"bottom" face of the cube (default "front")
---@field rotation? number[] for planets: longitude and latitude of the centre of the whole map
---@field spacing? number about the least distance between the places that are shown: a finer window shows smaller ones (default 32)
---@field largest? number people in the largest places of 400 km around; others have fewer by their rank, and the largest cities of a large map more (default 1000000)
---@field smallest? number places with fewer people are left out (default 20)
---@field ports? number how much places by the sea are sought; 0: no more than others (default 1)

---@class esker.arguments.roads
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field x? number|string centre of the window, as in render (default 0.5)
---@field y? number|string the same (default 0.5)
---@field zoom? number the same (default 1)
---@field inside? boolean moves a window that would leave the map to where it lies inside; otherwise that is an error (default false)
---@field border? integer additional cells on each side, on the same grid; fewer at the edge of the map, but not at the edge of a cube's face, nor at 180° of a planet unless cells would show twice (default 0)
---@field projection? "equirectangular"|"orthographic"|"cube"|"mercator" for planets: a map; the planet from far away, with the deepest sea around it; one face of a cube; or the square of web maps (default "equirectangular")
---@field face? "front"|"right"|"back"|"left"|"top"|"bottom" face of the cube (default "front")
---@field rotation? number[] for planets: longitude and latitude of the centre of the whole map
---@field spacing? number about the least distance between the places that are shown: a finer window shows smaller ones (default 32)
---@field largest? number people in the largest places of 400 km around; others have fewer by their rank, and the largest cities of a large map more (default 1000000)
---@field smallest? number places with fewer people are left out (default 20)
---@field ports? number how much places by the sea are sought; 0: no more than others (default 1)
---@field lanes? boolean whether there are sea lanes between harbours, too (default false)

---@class esker.arguments.squig_curve
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field seed? integer the same seed gives the same bytes (default 0)
---@field levels? integer number of subdivisions (default 7)
---@field entry? "left"|"right"|"bottom" edge where the river enters (default "left")
---@field exit? "left"|"right"|"bottom" and where it leaves (default "right")
---@field tributaries? number probability that a triangle gets a tributary when it is subdivided (default 0)
---@field branch_levels? integer number of levels, from the first, at which tributaries begin (default 5)
---@field river_width? number width where the river leaves, in sides of the window; elsewhere proportional to the square root of the drained area (default 0.006)

---@class esker.arguments.squig_mountain
---@field seed? integer the same seed gives the same bytes (default 0)
---@field levels? integer number of subdivisions; the grid has 2^levels + 1 vertices per side (default 9)
---@field size? integer width and height of the fields; 0: one cell per vertex (default 0)
---@field entry? "left"|"top"|"right"|"bottom" side where the river enters (default "left")
---@field exit? "left"|"top"|"right"|"bottom" and where it leaves (default "right")
---@field persistence? number displacement at each level relative to the level before; higher is rougher (default 0.5)
---@field smoothness? number 1: midpoints also follow the corners opposite to them, which leaves fewer creases; 0: as published (default 0)
---@field slope? number height difference between entry and exit; 0: level, as published (default 0)
---@field waterfalls? number share of the fall that is concentrated in a few places (default 0)
---@field symmetry? number 1: both sides of the valley are alike; 0: as published, where one is often almost vertical (default 0)
---@field valley_width? number with symmetry: extent of the valley to each side of the river, in sides (default 0.15)
---@field tributaries? number probability that a triangle on the river gets a tributary when it is subdivided (default 0)
---@field river_width? number width where the river leaves, in sides; elsewhere proportional to the square root of the drained area, and at least one cell (default 0.003)
---@field branch_levels? integer number of levels, from the first, at which tributaries begin (default 6)

---@class esker.arguments.river_network
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field seed? integer the same seed gives the same bytes (default 0)
---@field points? integer number of attraction points; more give more tributaries (default 8000)
---@field rivers? integer largest number of rivers; the points closest to the boundary become their mouths (default 4)
---@field mouths? number[][]|number[] mouths given by hand, a list of { x, y } (default {})
---@field mouth_spacing? number smallest distance between mouths, where there is room (default 0.2)
---@field reach? number points farther than this from a tributary do not pull it; 0: 1.8 times the mean distance between points, and more where none is as close (default 0)
---@field kill? number a point this close to a tributary is reached; 0: half of reach (default 0)
---@field step? number length of a growth step; 0: the same as kill (default 0)
---@field max_steps? integer number of growth steps; 0: until no point pulls (default 0)
---@field boundary? "rectangle"|"ellipse" where rivers grow: in the whole window, or on an oval island in it (default "rectangle")
---@field polygon? number[][]|number[] coast given by hand, a list of corners { x, y }
---@field mask? esker.Field land given by hand: cells above 0.5
---@field ridges? integer number of random ridges, which no tributary crosses (default 0)
---@field ridge_lines? number[][]|number[] ridges given by hand: points { ridge, x, y }; consecutive points with the same number form a ridge (default {})
---@field ridge_resolution? integer straight segments of a ridge between two points (default 10)
---@field concavity? number how much steeper rivers are upstream: gradients are proportional to area^-concavity; 0: the same everywhere (default 0.35)
---@field steepest? number how far a river may be above another beside it, in heights per side: half of this at the sea to 1.5 times at the top (default 3)
---@field floodplain? number distance from its banks within which a river keeps others low, in river widths (default 3)
---@field meander? number how much rivers wind, more where they are wide and low; 0: straight from point to point (default 1)
---@field river_width? number width of the largest river at its mouth, in map units; others proportional to the square root of their discharge (default 0.01)

---@class esker.arguments.terrain
---@field seed? integer the same seed gives the same bytes (default 0)
---@field style? "valleys"|"paper" the lowest of all valleys, or the blended disks of the paper (default "valleys")
---@field scale? number cells of the fields per cell of the network's window (default 1)
---@field slope? number slope of the land beside rivers, in heights per side; at twice the network's steepest or more, every river stays in its bed (default 10)
---@field upstream? number how much steeper land is beside high rivers; 0: not at all, 1: half to 1.5 times the slope (default 1)
---@field floodplain? number width of the level ground beside the banks, in river widths; as in the network (default 3)
---@field roughness? number how much slopes vary from place to place: ranges and lowlands, and single hills (default 0.65)
---@field radius? number radius of the disks, in sides (style "paper") (default 0.025)

---@class esker.arguments.fill
---@field slope? number smallest gradient of every drainage path, which also raises flatter ground outside pits; a step too small for heights to hold is the next that they hold: 0.00024 at heights of 2048 to 4096; 0: filled ground is flat (default 0)
---@field sea_level? number ground below this is sea, into which water drains

---@class esker.arguments.breach
---@field slope? number gradient of channels; a step too small for heights to hold is the next that they hold; 0: as high as the pit's bottom throughout (default 0)
---@field depth? number no channel is deeper below the given ground; pits that need one are filled instead; 0: any depth (default 0)
---@field length? number pits that need a longer channel are filled instead; 0: any length (default 0)
---@field sea_level? number ground below this is sea, into which water drains

---@class esker.arguments.lakes
---@field rain? number height of the water that falls on each cell (default 0.01)
---@field evaporation? number height of the water that lakes lose where they stand (default 0)
---@field sea_level? number ground below this is sea, into which water drains
---@field rain_map? esker.Field factor on `rain` for each cell, 0 or more; by default 1

---@class esker.arguments.flow_direction
---@field unit? "code"|"angle" "code": 1 right, 2 lower right, 4 down and so on clockwise to 128, as GIS programs have it, and 0 where water leaves; "angle": degrees clockwise from north, as aspect has them, and -1 (default "code")
---@field sea_level? number ground below this is sea, into which water drains

---@class esker.arguments.basins
---@field threshold? number 0: one basin for each outlet; above 0: one for each river reach between confluences, where rivers begin with this share of all cells (default 0)
---@field area? number area that must drain through it instead, on the ground of a field with a frame
---@field cells? number cells that must drain through it instead
---@field sea_level? number ground below this is sea, into which water drains

---@class esker.arguments.flow_accumulation
---@field method? "d8"|"dinf" "d8": all water goes to the steepest neighbour; "dinf": divided between two by the direction of the slope (default "d8")
---@field measure? "cells"|"area"|"specific" "cells" that drain; "area": square metres of the ground of a field with a frame; "specific": that over the side of a square of a cell's area, the specific catchment area in metres (default "cells")
---@field sea_level? number ground below this is sea, into which water drains
---@field rain? esker.Field rain on each cell, 0 or more; by default 1

---@class esker.arguments.stream_order
---@field method? "strahler"|"shreve"|"hack" "strahler": one more where two of the same order meet; "shreve": the number of springs above; "hack": 1 for the stream that reaches an outlet, one more for each tributary (default "strahler")
---@field threshold? number share of all cells that must drain through a cell for a river to begin; a crop changes what it means (default 0.001)
---@field area? number area that must drain through it instead, on the ground of a field with a frame
---@field cells? number cells that must drain through it instead
---@field sea_level? number ground below this is sea, into which water drains
---@field rivers? esker.Field rivers are where this is above 0, instead of by threshold

---@class esker.arguments.height_above_river
---@field threshold? number share of all cells that must drain through a cell for a river to begin; a crop changes what it means (default 0.001)
---@field area? number area that must drain through it instead, on the ground of a field with a frame
---@field cells? number cells that must drain through it instead
---@field sea_level? number ground below this is sea, into which water drains
---@field rivers? esker.Field rivers are where this is above 0, instead of by threshold

---@class esker.arguments.distance_to_river
---@field threshold? number share of all cells that must drain through a cell for a river to begin; a crop changes what it means (default 0.001)
---@field area? number area that must drain through it instead, on the ground of a field with a frame
---@field cells? number cells that must drain through it instead
---@field sea_level? number ground below this is sea, into which water drains
---@field rivers? esker.Field rivers are where this is above 0, instead of by threshold

---@class esker.arguments.rivers_from_flow
---@field threshold? number share of all cells that must drain through a cell for a river to begin; a crop changes what it means (default 0.001)
---@field area? number area that must drain through it instead, on the ground of a field with a frame
---@field cells? number cells that must drain through it instead
---@field sea_level? number ground below this is sea, where rivers end
---@field river_width? number width of the largest river, in sides; others proportional to the square root of the drained area (default 0.01)

---@class esker.arguments.reproject
---@field like? esker.Field a field, whose cells and system they get
---@field system? string the coordinate system that they get, "EPSG:26916", without like (default "")

---@class esker.arguments.catchment
---@field coordinates? "shares"|"cells"|"map"|"degrees" what places are given in: shares of the width and height; cells; "map": the coordinates of the field's frame; "degrees": longitude and latitude (default "shares")
---@field at? number[][]|number[] a row { x, y } for each outlet, as shares of width and height (default {{0.5, 0.5}})
---@field snap? number moves each place, by at most this length, to the cell through which most drains (default 0)
---@field sea_level? number ground below this is sea, into which water drains

---@class esker.arguments.catchments
---@field snap? number moves each place, by at most this length, to the cell through which most drains (default 0)
---@field sea_level? number ground below this is sea, into which water drains

---@class esker.arguments.longest_flow_path
---@field coordinates? "shares"|"cells"|"map"|"degrees" what places are given in: shares of the width and height; cells; "map": the coordinates of the field's frame; "degrees": longitude and latitude (default "shares")
---@field at? number[][]|number[] a row { x, y } for each outlet, as shares of width and height; none: the end of the longest way of all
---@field snap? number moves each place, by at most this length, to the cell through which most drains (default 0)
---@field sea_level? number ground below this is sea, into which water drains

---@class esker.arguments.clip
---@field invert? boolean true: cells inside have no data instead (default false)
---@field crop? boolean whether the result has only the rows and columns with cells that remain (default true)

---@class esker.arguments.burn
---@field depth? number how much all cells of lines are lowered before, in the unit of heights (default 0)
---@field direction? "heights"|"drawn" where lines lead: "heights" from the higher end to the lower, "drawn" from the first position to the last, as rivers of a network do (default "heights")

---@class esker.arguments.profile
---@field step? number distance between points (default 1)

---@class esker.arguments.snap
---@field radius? number how far a point is moved at most; by default five cells
---@field threshold? number 0: to the cell with the greatest flow; above: to the nearest cell with at least this flow, or nowhere (default 0)

---@class esker.arguments.align
---@field like? esker.Field a field whose cells the result has; none: its own
---@field method? "nearest"|"linear"|"cubic"|"mean" "nearest" cell, for labels; between 4 cells "linear", or 16 "cubic" (Catmull-Rom); "mean" of the cells below, by area, for larger cells (default "linear")

---@class esker.arguments.river_profiles
---@field concavity? number θ, of area in the steepness (default 0.45)
---@field area? number A0, the area of reference, in m² or cells (default 1)
---@field window? integer points on each side over which a steepness is measured (default 5)
---@field factor? number how many times steeper one side of a knickpoint is than the other (default 2)

---@class esker.arguments.relief
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field palette? string|table[] colours for heights -1 (deepest) to 1 (highest), 0 at the shore (default "hypsometric")
---@field light? number[] direction of the light: azimuth clockwise from north (the top of the picture, unless a frame says otherwise), altitude above the horizon (default {315, 45})
---@field sea_level? number lower ground is sea; 0: the sea of the frame, which is 0 unless heights are relative (render)
---@field exaggeration? number how many times steeper slopes are drawn. Where heights and cells are in metres, and in a window of a zoomable map, 1 is the ground's own; elsewhere the range of heights is N/16 cells. 0: by the metres of a cell, 1 to 50 m, 29 where cells are 1 km, 100 where they are 3 km; 1 where these are not known (default 0)
---@field side? number for a window of a larger map without metres: N, the side of the whole map in cells of the window, so that slopes look the same in windows of any size. Windows with the same side, low and high fit together, beyond 40 cells from their edges. 0: the side of the heights (default 0)
---@field contrast? number strength of the shading (default 0.85)
---@field low? number lowest height of the colour range (default 0)
---@field high? number highest height of the colour range; low and high 0: where heights and cells are in metres, colours by altitude, the same in every picture; in a window of a zoomable map those of the map; otherwise 0 to 1, extended if heights go beyond, or the range of the field if it is less than a quarter of that, or all above 1 or below -1 (default 0)
---@field rivers? esker.Field where rivers are drawn, down to the sea: 0 none, 1 water; in the colour that the palette has for -0.4, or blue if it has no sea
---@field drape? esker.Image an image of the ground's own colours, such as that of cover, instead of the palette's where it is opaque
---@field projection? "plane"|"equirectangular"|"orthographic"|"cube"|"mercator" for planets: the projection of the heights, which determines how far apart cells are; orthographic heights become a globe in space. A plane whose frame is that of a planet's window has the window's (default "plane")
---@field latitudes? number[] latitudes of an equirectangular map's upper and lower edge; by default those of its frame, which windows of a planet have, or 90 and -90
---@field extent? number[] upper and lower edge of a Mercator map, as shares of the whole map's side from its top; by default those of a frame in EPSG:3857, or 0 and 1
---@field face? "front"|"right"|"back"|"left"|"top"|"bottom" face of the cube (default "front")
---@field air? number thickness of the air around a globe (default 1)

---@class esker.arguments.perspective
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field azimuth? number direction in which the camera looks, clockwise from north: the first row, unless a frame says otherwise (default 330)
---@field pitch? number angle by which the camera looks down (default 30)
---@field distance? number distance of the camera from the target, in sides of the field; by default as far as it takes to see the whole field
---@field target? number[] point in the middle of the picture, { x, y, z } in sides, z above the sea; by default the middle of the field
---@field camera? number[] position of the camera, in the same units; by default from azimuth, pitch and distance
---@field field_of_view? number vertical angle of view (default 30)
---@field vertical_scale? number vertical scale; 1: the range of heights is N/16 cells, as in relief (default 1)
---@field light? number[] direction of the sun: azimuth as that of the camera, altitude above the horizon (default {290, 32})
---@field sea_level? number ground below this is under water, which extends to the horizon; no sea if no ground is lower
---@field rivers? esker.Field share of each cell that is water, 0 to 1; of the same size as height; drawn in the palette's colour for -0.4, or blue if it has no sea
---@field palette? string|table[] colours for heights -1 (deepest) to 1 (highest), 0 at the shore; rock and sea use them too (default "alpine")
---@field drape? esker.Image image laid over the ground, of the same size as height; where it is transparent, the palette shows
---@field rock? number amount of bare rock on steep ground; 0: none (default 1)
---@field haze? number how quickly ground fades into the air with distance; without camera and distance only above the field (default 0.35)
---@field low? number lowest height of the colour range (default 0)
---@field high? number highest height of the colour range; low and high 0: 0 to 1, extended if heights go beyond, or the range of the field if it is less than a quarter of that, or all above 1 or below -1. In a window of a zoomable map heights keep the colours of the map; a small range gets half of them (default 0)

---@class esker.arguments.draw
---@field scale? number pixels per cell of the network's window (default 1)
---@field line? number smallest width of a line, in pixels; below 1 lines are fainter instead (default 0.4)
---@field labels? boolean whether bold contours are labelled with their heights (default false)
---@field metres? number metres that a height of 1 stands for, for labels (default 1)
---@field colours? string|string[] colours of points, one for each species, repeated as needed (default "#8a5a2b #3f7d4e #3b6ea5 #b3452c #7a4a8c #c29a2e #2b7f86 #5b5b5b")

---@class esker.arguments.paint
---@field colour? string|string[] the colour; of points a list, a colour for each species, repeated as needed (default "#b3261e")
---@field opacity? number how much the colour covers (default 1)
---@field thickness? number factor on the widths of lines and the radii of points; points without a radius are marks, an 80th of the picture wide (default 1)
---@field line? number smallest width of lines and points, in pixels; below 1 they are fainter instead (default 1)
---@field dash? number length of dashes along lines, and of the gaps between them, in pixels; 0: none (default 0)
---@field labels? string the attribute of points that is written beside them, such as name; none by default (default "")
---@field letters? number height of capitals beside the smallest points, in pixels; larger points have letters up to 1.75 times as high (default 7)
---@field halo? string|string[] the colour around letters (default "#fffdf4b0")

---@class esker.arguments.join
---@field direction? "right"|"below" where the second image goes (default "right")
---@field gap? integer width of the white gap, in pixels (default 4)

---@class esker.arguments.colorize
---@field palette? string|table[] colours from low to high: the palette's from 0 to 1, or from -1 to 1 if it has colours below 0. One with a coast, as "grey" and those of terrain, has it at the value 0: its colours below 0 show negative values only (default "viridis")
---@field low? number value of the first colour (default 0)
---@field high? number value of the last colour; low and high 0: the range of the field (default 0)
---@field legend? boolean whether a bar with the values is added on the right, if the field is at least 27 cells high (default false)

---@class esker.arguments.image
---@field green? esker.Field the green channel; 0 if it is not given
---@field blue? esker.Field the blue channel; 0 if it is not given
---@field alpha? esker.Field the alpha channel; opaque if it is not given
---@field low? number the value that becomes 0 (default 0)
---@field high? number the value that becomes 255 (default 1)
---@field shares? boolean whether the channels are scaled to add up to 255 in each pixel, as shares of materials; alpha counts if it is given; where all are 0, red is 255 (default false)

---@class esker.arguments.normal_map
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field convention? "opengl"|"directx" opengl (Blender, Godot, Unity): green points up the picture; directx (Unreal): down (default "opengl")
---@field exaggeration? number vertical scale; 1: true slopes where heights have a unit (m, ft) and a frame in metres (see georeference), elsewhere a height of 1 stands for N/16 cells, as in relief (default 1)

---@class esker.arguments.texture
---@field seed? integer the same seed gives the same bytes (default 0)
---@field wrap? boolean whether opposite edges meet, as in a terrain that tiles; by default height.wraps
---@field palette? string|table[] colours for heights -1 (deepest) to 1 (highest), 0 at the shore (default "ground")
---@field rock? number[] { degrees, soft }: slopes from which rock shows above the sea, and over how many degrees it takes over; {}: no rock (default {32, 14})
---@field snow? number[] { height, soft, steepest }: the snow line as a share of the highest height above the sea, its width, and the slope in degrees on which snow does not lie; {}: no snow (default {0.75, 0.1, 45})
---@field sea_level? number lower ground is sea
---@field low? number lowest height of the colour range (default 0)
---@field high? number highest height of the colour range; low and high 0: as in relief (default 0)
---@field variation? number how much colours and borders vary from place to place (default 1)
---@field water? esker.Field where there is water, 0 to 1: rivers and lakes
---@field shade? esker.Field brightness, 0 to 1, such as that of hillshade or sky_view; by default 1
---@field ambient? number share of diffuse light from the sky, which shade does not dim (default 0.25)
---@field exaggeration? number vertical scale; 1: true slopes where heights have a unit (m, ft) and a frame in metres (see georeference), elsewhere a height of 1 stands for N/16 cells, as in relief (default 1)

---@class esker.arguments.contour_map
---@field palette? string|table[] colours, as in relief (default "hypsometric")
---@field interval? number height between contours, counted from the sea of the frame, or 0, in the unit of the heights; 0: a round number for 5 to 13 (default 0)
---@field index? integer every index-th contour is bold and labelled with its height above the sea of the frame, or 0; 0: none (default 5)
---@field labels? boolean whether heights are written (default true)
---@field metres? number metres that a height of 1 stands for, for labels (default 1)
---@field cell? number metres from one cell to the next, for the scale bar; 0: those of a frame in metres whose heights have a unit (m, ft; see georeference), elsewhere no bar (default 0)
---@field sea_level? number lower ground is sea
---@field exaggeration? number how many times steeper slopes are drawn, as in relief; the scale bar says so (default 0)
---@field contrast? number strength of the shading (default 0.6)
---@field low? number lowest height of the colour range, as in relief (default 0)
---@field high? number highest height of the colour range; low and high 0: as in relief (default 0)
---@field rivers? esker.Field where rivers are drawn, as in relief
---@field title? string written in the upper left corner, smaller from its second line on ("\n"): ASCII, letters of Western and Central Europe with their marks, dashes and quotes, at most 255 bytes; "": none (default "")

---@class esker.arguments.terrain_rgb
---@field encoding? "terrarium"|"mapbox" terrarium: -32768 to 32768 m in steps of 1/256 m; mapbox: from -10,000 m in steps of 0.1 m (default "terrarium")
---@field metres? number metres that a height of 1 stands for; none: those of the unit that slopes take them in (frame.unit, or that of the system), otherwise 1
---@field step? number rounds elevations to multiples of this many metres, for smaller files; 0: to the steps of the encoding (default 0)

---@class esker.arguments.from_terrain_rgb
---@field encoding? "terrarium"|"mapbox"|"red"|"green"|"blue"|"alpha" what colours stand for: metres of elevation tiles, or one band, 0 to 1 (default "terrarium")

---@class esker.arguments.mesh
---@field error? number largest vertical distance between the points of the field and the mesh, in heights; 0: all points are in the mesh (default 0)
---@field triangles? "right"|"delaunay" with an error: "right" halves right triangles, in parallel; "delaunay" inserts the farthest point into a Delaunay triangulation until none is too far, with fewer triangles (default "right")
---@field side? number length of the map's longer side: 100 for 100 mm if a printer reads mm; 0: metres, where the field's frame is in metres and its heights have a unit, otherwise 1 (default 0)
---@field vertical_scale? number vertical scale; 1: true heights in a mesh in metres or of a zoomable map's window, otherwise heights of 0 to 1 rise by a sixteenth of the side (default 1)
---@field base? number thickness of the ground below its lowest point, in the unit of side or metres, closed by walls and a floor; 0: only the surface (default 0)

---@class esker.arguments.plant
---@field size? number radius of a tree, in radii of its point: half the distance to others of its species (default 0.7)
---@field height? number height of a tree, in its radii (default 3)
---@field tallest? number where the frame tells metres: the height of a tree at most, on average; a quarter of it more for the most vigorous (default 25)

---@class esker.arguments.georeference
---@field x? number x of the upper left corner of the first cell, in map units; by default 0
---@field y? number y of that corner; y grows to the north, so rows go down in y; by default 0
---@field cell? number side of a cell in map units; by default 1
---@field cell_width? number width of a cell; below 0: columns go to the west
---@field cell_height? number height of a cell; below 0: rows go to the north
---@field turn_x? number change of x per row, for rotated cells; by default 0
---@field turn_y? number change of y per column, for rotated cells; by default 0
---@field system? string coordinate system: "EPSG:26916", or WKT; empty: unknown (default "")
---@field unit? string unit of the heights: "m", "ft", "us-ft", "km"; empty: that of the coordinates, in degrees metres (default "")
---@field sea? number height of the sea, for operations without sea_level; by default 0, and in a coordinate system none: ground by the Dead Sea is land
---@field top? number how high the ground of the whole map is above the sea, of which this is a window: pictures colour heights as the map's, and shade the slopes of the ground, as in windows of zoomable maps; by default 0: not known
---@field heights? boolean false: cells are other numbers than heights, such as angles, and no unit is assumed (default true)
---@field like? esker.Field a field of the same ground, whose frame is taken instead
---@field nowhere? boolean true: removes the frame (default false)

---@class esker.arguments.load
---@field low? number height of the file's 0 (.png, .r16, .raw, .pgm) (default 0)
---@field high? number height of the file's largest number; low and high 0: as stored in the file, or 0 to 1 (.png, .r16, .raw, .pgm) (default 0)
---@field width? integer columns, where no .json beside the file says it (.r16, .raw, .r32)
---@field height? integer rows, where no .json beside the file says it (.r16, .raw, .r32)
---@field band? integer band that is read as heights; 0: the colours, or the first (.png, .tif, .tiff, other rasters) (default 0)
---@field channel? string channel, of the first of several parts that has it, or PART.CHANNEL; none: Y, height, R, Z or the first (.exr) (default "")
---@field order? "little"|"big" which byte of raw numbers comes first, the lowest or the highest; none: as the .json beside it says, or the lowest (.r16, .raw, .r32)
---@field geometry? "points"|"lines"|"polygons" what is read of a file that has several of them; none: it has one kind (.geojson, .gpkg, .shp, .fgb)
---@field layer? string table that is read; none: the first (.gpkg, .json) (default "")
---@field system? string coordinate system, "EPSG:26916", where the file names none (.geojson, .gpkg, .shp, .fgb, .csv) (default "")
---@field flip? boolean true: the lowest row of raw numbers comes first (.r16, .raw, .r32) (default false)
---@field max_pixels? number larger files are refused (default 268435456)
---@field wrap? boolean true: opposite edges of the heights meet, as in a terrain that tiles (default false)

---@class esker.arguments.load_world
---@field side? number metres of the map's longer side; by default as the map's scale says
---@field resolution? integer cells along the guide's side, 257, 513 or 1025 as maps have them; 0: three or more to a cell of the map (default 0)
---@field beyond? "sea"|"continued" what is around the map, which lies in the middle of a square: "sea", or its border "continued" (default "sea")

---@class esker.arguments.save
---@field bits? "16"|"8" bits per height (.png, .pgm) (default "16")
---@field type? "float32"|"int16"|"uint16"|"float16"|"uint8" numbers: integers of 16 bits, of GeoTIFF, span low to high, and the file stores how they become heights; uint8, of GeoTIFF, holds masks and labels up to 255 as they are; float16 is of OpenEXR (.tif, .tiff, .exr) (default "float32")
---@field order? "little"|"big" which byte of raw numbers comes first: the lowest or the highest (.r16, .raw, .r32) (default "little")
---@field flip? boolean true: the lowest row of raw numbers comes first (.r16, .raw, .r32) (default false)
---@field low? number height that becomes 0 (.png, .tif, .tiff, .r16, .raw, .pgm) (default 0)
---@field high? number height that becomes the largest number; low and high 0: the lowest and the highest height (.png, .tif, .tiff, .r16, .raw, .pgm) (default 0)
---@field more? esker.Field|esker.Field[] further fields for the same file (.exr)
---@field names? string names of all its channels, as in "height, flow"; of a single one "Y" (.exr) (default "")

---@class esker.arguments.export
---@field engine? "unreal"|"unity"|"godot"|"minetest" what imports it (default "unreal")
---@field size? integer points along a side, one of the engine's sizes; 0: the smallest that keeps all cells, or its largest (default 0)
---@field metres? number metres that a height of 1 stands for; none: those of the frame's unit (m, ft, US survey foot), in a window of a map those that make slopes true for the length of a cell, 1 where heights exceed 1.5, otherwise 1000
---@field cell? number metres along a cell of the field; none: those of its frame, which may be longer than wide, or 1
---@field low? number height that becomes 0; give it and high for neighbouring terrains, except in minetest (default 0)
---@field high? number height that becomes the largest number; low and high 0: the field's range, of a mask 0 to 1 (default 0)
---@field mask? boolean whether this is a layer of 8 bits, such as where grass grows (default false)
---@field control? boolean whether an image becomes the control map of Godot's Terrain3D: red, green, blue and alpha are the shares of textures 0 to 3; of an opaque image red, green and blue those of 0 to 2 (default false)
---@field overlap? integer for a tile of a larger terrain: the rows of points that it shares with its neighbours. It keeps its size, one of the engine's; -1: no tile (default -1)
---@field part? number[] of points, lines, polygons and networks: the square of cells { left, top, side } that this terrain is of a larger one; none: all

---heights: a grid of 32-bit floats, all of them finite
---@class esker.Field
---@field width integer cells from left to right
---@field height integer cells from top to bottom
---@field gaps integer number of cells without data (see find_gaps)
---@field frame table? where it lies: a table with x, y, cell_width, cell_height, system, unit, sea and top, or nil (see georeference); can be set
---@field wraps boolean whether opposite edges meet; can be set
---@field cell_metres number? metres across a cell, in the field's middle; nil where they are not known
---@field get fun(self: esker.Field, x: number, y: number, coordinates: string?): number? the height of one cell, nil if it has no data; (0, 0) is at the top left. With coordinates ("map", "degrees", "shares" or "cells") of the cell that holds that place
---@field bytes fun(self: esker.Field): string all heights row by row as 32-bit floats, little-endian
---@field height_unit fun(self: esker.Field): string? the unit in which slopes take the heights: that of the frame or, where it has none, of its coordinates, in degrees metres; nil: none
---@field set fun(self: esker.Field, x: integer, y: integer, height: number) changes the height of one cell
---@field hash fun(self: esker.Field): string a 64-bit hash as 16 hex digits, the same on every machine
---@field show fun(self: esker.Field) shows the value in the terminal
---@operator add(number|esker.Field): esker.Field
---@operator sub(number|esker.Field): esker.Field
---@operator mul(number|esker.Field): esker.Field
---@operator div(number|esker.Field): esker.Field
---@operator pow(number|esker.Field): esker.Field
---@operator unm: esker.Field
local Field = {}

---Displaces every cell by a random offset, which crumples the terrain
---@param arguments? esker.arguments.perturb
---@return esker.Field height displaced heights
function Field:perturb(arguments) end

---Displaces every cell by two fields: domain warp
---@param right esker.Field displacement to the right
---@param down esker.Field displacement down
---@param arguments? esker.arguments.warp
---@return esker.Field height displaced heights
function Field:warp(right, down, arguments) end

---Scales heights so that they span 0 to 1, or another range
---@param arguments? esker.arguments.normalize
---@return esker.Field height scaled heights
function Field:normalize(arguments) end

---Limits heights to a range
---@param arguments? esker.arguments.clamp
---@return esker.Field height heights from low to high
function Field:clamp(arguments) end

---Blends two fields: a where the weight is 0, b where it is 1
---@param b esker.Field|number heights for weight 1
---@param weight esker.Field|number the share of b, 0 to 1
---@return esker.Field height blended heights
function Field:lerp(b, weight) end

---Blends a field onto another, or an image onto another, as layers of a picture
---@param b esker.Field|esker.Image the upper layer, of the same kind and size
---@param arguments? esker.arguments.blend
---@return esker.Field|esker.Image
function Field:blend(b, arguments) end

---Smooths a field with the Gaussian blur
---@param arguments? esker.arguments.blur
---@return esker.Field height smoothed heights
function Field:blur(arguments) end

---Raises details above their surroundings: unsharp masking
---@param arguments? esker.arguments.sharpen
---@return esker.Field height sharper heights
function Field:sharpen(arguments) end

---Gives each cell the median of its surroundings: removes specks and keeps edges
---@param arguments? esker.arguments.median
---@return esker.Field height medians
function Field:median(arguments) end

---Smooths rough ground and keeps cliffs and edges
---@param arguments? esker.arguments.bilateral
---@return esker.Field height smoothed heights
function Field:bilateral(arguments) end

---Dilates, erodes, opens or closes masks and heights
---@param arguments? esker.arguments.morphology
---@return esker.Field height the result
function Field:morphology(arguments) end

---Gives the Laplacian: above 0 in hollows, below 0 on ridges
---@param arguments? esker.arguments.laplacian
---@return esker.Field laplacian sum of the second derivatives
function Field:laplacian(arguments) end

---Maps heights through a curve: terraces, plateaus, shelves
---@param arguments? esker.arguments.curve
---@return esker.Field height new heights
function Field:curve(arguments) end

---Maps a range of heights onto another, linearly or smoothly, with bias and gain
---@param arguments? esker.arguments.remap
---@return esker.Field height new heights, in no unit
function Field:remap(arguments) end

---Cuts heights into steps with flat treads and steep risers
---@param arguments? esker.arguments.terrace
---@return esker.Field height heights in steps
function Field:terrace(arguments) end

---Changes a terrain's resolution
---@param arguments? esker.arguments.resize
---@return esker.Field height the same terrain with more or fewer cells
function Field:resize(arguments) end

---Cuts out a rectangle, or shifts a terrain that tiles
---@param arguments? esker.arguments.crop
---@return esker.Field height the rectangle
function Field:crop(arguments) end

---Mirrors a field left to right, top to bottom or along the diagonal
---@param arguments? esker.arguments.flip
---@return esker.Field height the same heights, mirrored
function Field:flip(arguments) end

---Rotates, scales, stretches and shifts a field about its centre
---@param arguments? esker.arguments.transform
---@return esker.Field height transformed heights
function Field:transform(arguments) end

---Spreads heights so that each is as frequent as every other
---@param arguments? esker.arguments.equalize
---@return esker.Field height new heights
function Field:equalize(arguments) end

---Gives a field the distribution of heights of another, such as a real elevation model
---@param like esker.Field a field with the wanted heights, of any size
---@return esker.Field height new heights
function Field:match(like) end

---Makes a field tile: its opposite edges meet afterwards
---@param arguments? esker.arguments.seamless
---@return esker.Field height heights that tile
function Field:seamless(arguments) end

---Fills the cells that a mask marks with the smoothest surface through the others
---@param mask esker.Field above 0.5: cells to fill
---@param arguments? esker.arguments.inpaint
---@return esker.Field height heights without holes
function Field:inpaint(mask, arguments) end

---Gives a mask of the cells that have no data
---@return esker.Field mask 1 where there is no data, else 0
function Field:find_gaps() end

---Marks cells as having no data
---@param mask esker.Field above 0.5: no data
---@return esker.Field height the same heights, with gaps
function Field:set_gaps(mask) end

---Adds a and b; the same as a + b
---@param b esker.Field|number right operand
---@return esker.Field result the result for each cell
function Field:add(b) end

---Subtracts b from a; the same as a - b
---@param b esker.Field|number right operand
---@return esker.Field result the result for each cell
function Field:subtract(b) end

---Multiplies a by b; the same as a * b
---@param b esker.Field|number right operand
---@return esker.Field result the result for each cell
function Field:multiply(b) end

---Divides a by b; the same as a / b
---@param b esker.Field|number right operand
---@return esker.Field result the result for each cell
function Field:divide(b) end

---Raises a to the power b; the same as a ^ b
---@param b esker.Field|number right operand
---@return esker.Field result the result for each cell
function Field:power(b) end

---Changes the sign; the same as -a
---@return esker.Field result the result for each cell
function Field:negate() end

---Gives the lower of the two in each cell, with a sharp or a smooth bend between them
---@param b esker.Field|number right operand
---@param arguments? esker.arguments.min
---@return esker.Field result the result for each cell
function Field:min(b, arguments) end

---Gives the higher of the two in each cell, with a sharp or a smooth bend between them
---@param b esker.Field|number right operand
---@param arguments? esker.arguments.max
---@return esker.Field result the result for each cell
function Field:max(b, arguments) end

---Gives the absolute value
---@return esker.Field result the result for each cell
function Field:abs() end

---Gives each cell's distance to a mask, or to the lines of a network
---@param arguments? esker.arguments.distance
---@return esker.Field distance distances
function Field:distance(arguments) end

---Levels a place, such as a town, or the bed of a road, with a smooth edge
---@param place esker.Field|esker.RiverNetwork|esker.Points|esker.Lines|esker.Polygons a mask, a network of lines, or points
---@param arguments? esker.arguments.flatten
---@return esker.Field height heights with the place
---@return esker.Field place the share of the new height, 0 to 1
function Field:flatten(place, arguments) end

---Adds a field to another one or replaces part of it, rotated and scaled, with a soft edge
---@param stamp esker.Field the field to insert, of any size
---@param arguments? esker.arguments.stamp
---@return esker.Field height heights with the stamp
function Field:stamp(stamp, arguments) end

---Finds least-cost paths over a terrain: roads and tracks
---@param arguments? esker.arguments.path
---@return esker.RiverNetwork lines the paths, one line each
function Field:path(arguments) end

---Lays roads on the ground and over water: their altitudes, bridges and ramps
---@param roads esker.RiverNetwork|esker.Lines roads, as path gives them
---@param arguments? esker.arguments.grade
---@return esker.Lines roads the roads, with altitudes
---@return esker.Lines bridges the bridges, with altitudes of their decks
function Field:grade(roads, arguments) end

---Scatters points that keep a distance: trees, rocks, houses
---@param arguments? esker.arguments.scatter
---@return esker.Points points the points
function Field:scatter(arguments) end

---Finds summits or pits with their topographic prominence: where the ground is highest
---@param arguments? esker.arguments.peaks
---@return esker.Points points centres of cells, with altitudes
---@return number[] prominences one for each point
---@return esker.Points saddles the key saddle of each point: passes, and the rims over which pits drain
function Field:peaks(arguments) end

---Finds places to build on: level, wide enough, apart, and near what they need
---@param arguments? esker.arguments.sites
---@return esker.Points points middles of the places, with altitudes
function Field:sites(arguments) end

---Moves material down slopes that are steeper than the talus
---@param arguments? esker.arguments.thermal_erosion
---@return esker.Field height eroded heights
function Field:thermal_erosion(arguments) end

---Simulates rain that dissolves ground, carries it downhill and deposits it in valleys
---@param arguments? esker.arguments.hydraulic_erosion
---@return esker.Field height eroded heights
function Field:hydraulic_erosion(arguments) end

---Levels ground that is flatter than the talus and leaves steeper slopes alone
---@param arguments? esker.arguments.olsen_erosion
---@return esker.Field height eroded heights
function Field:olsen_erosion(arguments) end

---Carves branching valleys into any terrain, which drain all of it once it is mature
---@param arguments? esker.arguments.stream_erosion
---@return esker.Field height eroded heights
---@return esker.Field flow drained area
---@return esker.Field deposit thickness of the sediment that settled
---@return esker.Field eroded thickness of what streams and slopes took away
function Field:stream_erosion(arguments) end

---Lets land rise and wear down for years: stream power and creep in physical units
---@param arguments? esker.arguments.stream_power
---@return esker.Field height heights after these years
---@return esker.Field area drained area in m², times the rain
---@return esker.Field rate erosion by streams in the last step, in millimetres a year
function Field:stream_power(arguments) end

---Gives a terrain at 2, 4, 8 or 16 times its resolution, with eroded detail
---@param arguments? esker.arguments.amplify
---@return esker.Field height heights at the higher resolution
function Field:amplify(arguments) end

---Gives the largest height difference between each cell and its four neighbours
---@param arguments? esker.arguments.slope
---@return esker.Field slope height differences, 0 or more
function Field:slope(arguments) end

---Measures how eroded a terrain is: the slope map's standard deviation divided by its mean
---@param arguments? esker.arguments.erosion_score
---@return number score 0 or more
function Field:erosion_score(arguments) end

---Scores a terrain for strategy games: room to move, room to build, and both together
---@param arguments? esker.arguments.playability
---@return { erosion: number, unit: number, building: number, suitability: number, accessible: esker.Field, units: esker.Field, flat: esker.Field, buildings: esker.Field }
function Field:playability(arguments) end

---Gives minimum, maximum, mean, standard deviation and sum of a field
---@return { min: number, max: number, mean: number, stddev: number, sum: number }
function Field:statistics() end

---Gives the place and the value of the greatest cell
---@return { x: number, y: number, value: number }
function Field:argmax() end

---Counts cells by height
---@param arguments? esker.arguments.histogram
---@return number[] counts cells in each interval
function Field:histogram(arguments) end

---Gives the height of each cell above the mean of its surroundings
---@param arguments? esker.arguments.relative_height
---@return esker.Field relative above 0 on ridges, below 0 in valleys
function Field:relative_height(arguments) end

---Describes one place: altitude, slope, drained area, and where its water leaves the land
---@param arguments? esker.arguments.identify
---@return { altitude: number, slope: number, river: number, drained: number, distance: number, outlet_x: number, outlet_y: number, outlet_drained: number, water: number, lake_level: number, discharge: number }
function Field:identify(arguments) end

---Finds the lines of equal height
---@param arguments? esker.arguments.contours
---@return esker.RiverNetwork lines the lines
function Field:contours(arguments) end

---Measures how closely land resembles real land, or another field
---@param arguments? esker.arguments.realism
---@return { slope: number, slope_variation: number, slope_tail: number, flat: number, spectrum: number, anisotropy: number, grid: number, hypsometric: number, curvature: number, concave: number, hollows: number, bifurcation: number, length_ratio: number, hack: number, concavity: number, density: number, sinuosity: number, coast: number, score: number, cell: number, within: number, judged: number }
function Field:realism(arguments) end

---Makes a mask of the ground within ranges of height, slope, aspect, curvature, relative height, distance or noise
---@param arguments? esker.arguments.select
---@return esker.Field mask 0 outside to 1 inside
function Field:select(arguments) end

---Gives the angle of the steepest slope, in degrees
---@param arguments? esker.arguments.gradient_angle
---@return esker.Field angle 0 to 90
function Field:gradient_angle(arguments) end

---Gives the direction in which the ground falls, in degrees clockwise from north
---@param arguments? esker.arguments.aspect
---@return esker.Field aspect 0 to below 360, or -1
function Field:aspect(arguments) end

---Gives the curvature of the surface: above 0 where it is convex, below 0 where it is concave
---@param arguments? esker.arguments.curvature
---@return esker.Field curvature inverse of the radius
function Field:curvature(arguments) end

---Gives the terrain ruggedness index: how much a cell's height differs from its neighbours'
---@param arguments? esker.arguments.ruggedness
---@return esker.Field ruggedness 0 or more
function Field:ruggedness(arguments) end

---Shades the ground by one or several lights, with or without shadows
---@param arguments? esker.arguments.hillshade
---@return esker.Field shade 0 dark to 1 facing the light
function Field:hillshade(arguments) end

---Gives the visible share of the sky (sky-view factor), for ambient light and occlusion
---@param arguments? esker.arguments.sky_view
---@return esker.Field view share of the sky, 0 to 1
function Field:sky_view(arguments) end

---Gives how open the ground is to the sky, or to below: ridges and valleys in any light
---@param arguments? esker.arguments.openness
---@return esker.Field openness 0 to 180
function Field:openness(arguments) end

---Gives the direct sunlight that the ground receives in a day
---@param arguments? esker.arguments.insolation
---@return esker.Field energy kWh/m² in the day
function Field:insolation(arguments) end

---Computes what is visible from a point: 0 for visible ground, else how far it is below the line of sight
---@param arguments? esker.arguments.viewshed
---@return esker.Field hidden height between the ground and the line of sight, 0 or more
function Field:viewshed(arguments) end

---Gives the topographic position index: ridges above 0, valleys below 0, at several scales
---@param arguments? esker.arguments.position_index
---@return esker.Field index standard deviations above the surroundings
---@return esker.Field radius radius of the scale at which it is largest, in N
function Field:position_index(arguments) end

---Marks the cells that lie on ridges
---@param arguments? esker.arguments.ridges
---@return esker.Field ridges 1 on ridges, 0 elsewhere
function Field:ridges(arguments) end

---Marks the cells that lie in the bottoms of valleys
---@param arguments? esker.arguments.valleys
---@return esker.Field valleys 1 in valley bottoms, 0 elsewhere
function Field:valleys(arguments) end

---Gives the topographic wetness index: high where much water drains over flat ground
---@param arguments? esker.arguments.wetness_index
---@return esker.Field index ln(area / slope)
function Field:wetness_index(arguments) end

---Classifies landforms by which horizons lie above and below
---@param arguments? esker.arguments.geomorphons
---@return esker.Field forms whole numbers, 1 to 10
function Field:geomorphons(arguments) end

---Fills the pits of a terrain, so that water drains from everywhere
---@param arguments? esker.arguments.fill
---@return esker.Field filled heights without pits
function Field:fill(arguments) end

---Opens the pits of a terrain by channels, so that water drains from everywhere
---@param arguments? esker.arguments.breach
---@return esker.Field breached heights without pits
function Field:breach(arguments) end

---Fills the pits of a terrain with the rain that reaches them: lakes that spill, merge or dry up
---@param arguments? esker.arguments.lakes
---@return esker.Field level heights of the water's surface, and of dry ground
---@return esker.Field lakes the number of each lake, from 1; 0 where none is
---@return esker.Field outlets the number of each lake that spills at the cell where it does, or, where another lake spills over the same cell, in its own water in front of it; 0 elsewhere
---@return number stored water in lakes
---@return number evaporated water that lakes lost
---@return number drained water that left over the border or into the sea
---@return esker.Field closed the number of each lake that does not spill; 0 elsewhere
function Field:lakes(arguments) end

---Gives the direction in which each cell drains: its steepest descent, over filled pits
---@param arguments? esker.arguments.flow_direction
---@return esker.Field direction directions, as codes or angles
function Field:flow_direction(arguments) end

---Divides a terrain into drainage basins, and draws them
---@param arguments? esker.arguments.basins
---@return esker.Field basins labels
---@return esker.Image image the basins in colours that differ between neighbours
function Field:basins(arguments) end

---Gives the water that drains through each cell: its own rain and that of all cells upstream
---@param arguments? esker.arguments.flow_accumulation
---@return esker.Field flow what drains: with measure "area" in m², with "specific" in m, by default
function Field:flow_accumulation(arguments) end

---Gives the order of the stream in each cell
---@param arguments? esker.arguments.stream_order
---@return esker.Field order orders, from 1; 0 where no stream is
function Field:stream_order(arguments) end

---Gives the height of each cell above the river into which it drains (HAND)
---@param arguments? esker.arguments.height_above_river
---@return esker.Field above heights above the river, 0 or more; 0 in rivers and the sea
function Field:height_above_river(arguments) end

---Computes the distance along the water's path from each cell to the first river
---@param arguments? esker.arguments.distance_to_river
---@return esker.Field distance lengths; 0 in rivers and the sea
function Field:distance_to_river(arguments) end

---Finds the rivers of a terrain: where enough water drains
---@param arguments? esker.arguments.rivers_from_flow
---@return esker.RiverNetwork network the rivers
function Field:rivers_from_flow(arguments) end

---Makes polygons of the cells that have equal numbers
---@return esker.Polygons polygons the outlines
function Field:polygonize() end

---Marks the cells that drain through given places
---@param arguments? esker.arguments.catchment
---@return esker.Field catchment labels
function Field:catchment(arguments) end

---Marks the cells that drain through each of a list of points
---@param points esker.Points the outlets
---@param arguments? esker.arguments.catchments
---@return esker.Field catchments labels
function Field:catchments(points, arguments) end

---Finds the longest way of water to given places
---@param arguments? esker.arguments.longest_flow_path
---@return esker.Lines lines a line for each place
function Field:longest_flow_path(arguments) end

---Cuts a field along polygons: cells outside have no data
---@param polygons esker.Polygons what remains
---@param arguments? esker.arguments.clip
---@return esker.Field height the heights inside
function Field:clip(polygons, arguments) end

---Carves streams into heights, so that water follows given lines
---@param lines esker.RiverNetwork|esker.Lines streams
---@param arguments? esker.arguments.burn
---@return esker.Field height heights with beds
function Field:burn(lines, arguments) end

---Samples heights along lines
---@param lines esker.RiverNetwork|esker.Lines|esker.Polygons lines, or the outlines of polygons
---@param arguments? esker.arguments.profile
---@return esker.Points points places along the lines
function Field:profile(lines, arguments) end

---Gives count, area, least, greatest, mean, deviation and sum of the heights in each zone
---@param zones esker.Field|esker.Polygons a field of labels, or polygons
---@return { zone: number[], cells: number[], area: number[], min: number[], max: number[], mean: number[], stddev: number[], sum: number[] }
function Field:zonal_statistics(zones) end

---Resamples a field onto the cells of another one
---@param arguments? esker.arguments.align
---@return esker.Field height the heights in other cells
function Field:align(arguments) end

---Draws a shaded relief map: colours by height, sea, light and shade
---@param arguments? esker.arguments.relief
---@return esker.Image image the map
function Field:relief(arguments) end

---Renders a terrain as seen by a camera: sun and shadows, water, haze
---@param arguments? esker.arguments.perspective
---@return esker.Image image the view
function Field:perspective(arguments) end

---Shows any field in the colours of a palette, with a legend if wanted
---@param arguments? esker.arguments.colorize
---@return esker.Image image their colours
function Field:colorize(arguments) end

---Makes an image from one to four fields, one for each channel: a splat map
---@param arguments? esker.arguments.image
---@return esker.Image image the channels
function Field:image(arguments) end

---Gives the surface's normals as colours, for engines that light a terrain themselves
---@param arguments? esker.arguments.normal_map
---@return esker.Image normals the normals
function Field:normal_map(arguments) end

---Colours the ground by height, slope, snow and water: a satellite's view, or a texture to drape
---@param arguments? esker.arguments.texture
---@return esker.Image image the colours
function Field:texture(arguments) end

---Draws a map to print: relief, contours with their heights, rivers, title, scale bar, north arrow
---@param arguments? esker.arguments.contour_map
---@return esker.Image image the map
function Field:contour_map(arguments) end

---Encodes heights as the colours of elevation tiles, from which web maps read metres
---@param arguments? esker.arguments.terrain_rgb
---@return esker.Image image elevations as colours
function Field:terrain_rgb(arguments) end

---Makes a triangle mesh from heights, with as few triangles as an error bound allows
---@param arguments? esker.arguments.mesh
---@return esker.Mesh mesh the triangles
function Field:mesh(arguments) end

---Sets where a field lies: origin, cell size, coordinate system, unit of heights
---@param arguments? esker.arguments.georeference
---@return esker.Field height the same heights
function Field:georeference(arguments) end

---Writes a value to a file, whose ending names the format
---@param path string the file; its extension selects the format
---@param arguments? esker.arguments.save
function Field:save(path, arguments) end

---Writes terrain as a game engine imports it, and what lies on it in the engine's coordinates
---@param path string the files, without an ending
---@param arguments? esker.arguments.export
function Field:export(path, arguments) end

---a grid of 8-bit RGBA pixels
---@class esker.Image
---@field width integer pixels from left to right
---@field height integer pixels from top to bottom
---@field frame table? where it lies: a table with x, y, cell_width, cell_height, system, unit, sea and top, or nil (see georeference)
---@field hash fun(self: esker.Image): string a 64-bit hash as 16 hex digits, the same on every machine
---@field show fun(self: esker.Image) shows the value in the terminal
local Image = {}

---Blends a field onto another, or an image onto another, as layers of a picture
---@param b esker.Field|esker.Image the upper layer, of the same kind and size
---@param arguments? esker.arguments.blend
---@return esker.Field|esker.Image
function Image:blend(b, arguments) end

---Paints a mask, lines or points over an image, in plain colours
---@param shape esker.Field|esker.RiverNetwork|esker.Points|esker.Lines|esker.Polygons a mask of the image's size, lines or points
---@param arguments? esker.arguments.paint
---@return esker.Image image the painted image
function Image:paint(shape, arguments) end

---Puts two images side by side, or one below the other
---@param second esker.Image another, of any size
---@param arguments? esker.arguments.join
---@return esker.Image image both
function Image:join(second, arguments) end

---Reads heights from the colours of elevation tiles, or from one band of a picture
---@param arguments? esker.arguments.from_terrain_rgb
---@return esker.Field height heights in metres, or 0 to 1
function Image:from_terrain_rgb(arguments) end

---Writes a value to a file, whose ending names the format
---@param path string the file; its extension selects the format
---@param arguments? esker.arguments.save
function Image:save(path, arguments) end

---Writes terrain as a game engine imports it, and what lies on it in the engine's coordinates
---@param path string the files, without an ending
---@param arguments? esker.arguments.export
function Image:export(path, arguments) end

---a zoomable map
---@class esker.RiverMap
---@field planet boolean whether it covers a sphere, not a square
---@field eroded boolean whether the land is eroded
---@field watered boolean whether its rivers carry the rain of a climate
---@field levels integer zoom times size of a window is at most 2^levels
---@field side number? metres along a side of a flat map; nil where they are not known
---@field radius number? metres of a planet's radius; nil where they are not known
---@field show fun(self: esker.RiverMap) shows the value in the terminal
local RiverMap = {}

---Describes one place: altitude, slope, drained area, and where its water leaves the land
---@param arguments? esker.arguments.identify
---@return { altitude: number, slope: number, river: number, drained: number, distance: number, outlet_x: number, outlet_y: number, outlet_drained: number, water: number, lake_level: number, discharge: number }
function RiverMap:identify(arguments) end

---Draws a window of a zoomable map; the time hardly depends on the zoom
---@param arguments? esker.arguments.render
---@return esker.Field altitude the sea at 0; of eroded land in metres, of raw land -1 to 1, in metres with side or radius
---@return esker.Field river width in cells of the river that covers the pixel; below 1, the share covered, and in an estuary the river's share of the water
---@return esker.Field flow area drained through the pixel, in pixels; on soil, outside streams, at most that from which a stream begins; eroded land only, otherwise nil
---@return esker.Field water how deep a lake is, in the unit of altitudes: 0 where there is none. The altitude is that of its surface. Of maps with lakes or a climate, otherwise nil
---@return esker.Field discharge what flows through the pixel, m³/s in the mean of the year; 0 in the sea. Of maps with a climate (river_map), otherwise nil
---@return esker.Field wadi the share of the pixel that beds of rivers cover which are dry for most of the year; there are no rivers in them. Of maps with a climate, otherwise nil
function RiverMap:render(arguments) end

---Gives a zoomable map your own rivers, at every zoom
---@param lines esker.RiverNetwork|esker.Lines the rivers
---@param arguments? esker.arguments.set_rivers
---@return esker.RiverMap map the map with these rivers
function RiverMap:set_rivers(lines, arguments) end

---Adds rivers of your own to those of a zoomable map, at every zoom
---@param lines esker.RiverNetwork|esker.Lines the rivers; may be left out where along is given
---@param arguments? esker.arguments.add_rivers
---@return esker.RiverMap map the map with these rivers, too
function RiverMap:add_rivers(lines, arguments) end

---Gives a zoomable map your own towns and villages
---@param points esker.Points the places
---@param arguments? esker.arguments.set_places
---@return esker.RiverMap map the map with these places
function RiverMap:set_places(points, arguments) end

---Adds towns and villages of your own to those of a zoomable map
---@param points esker.Points the places; may be left out where at is given
---@param arguments? esker.arguments.add_places
---@return esker.RiverMap map the map with these places, too
function RiverMap:add_places(points, arguments) end

---Raises a hill, a ridge or an area on a zoomable map, or sinks a valley, at every zoom
---@param places esker.RiverNetwork|esker.Points|esker.Lines|esker.Polygons Points, each a hill, lines, each a ridge, or Polygons, each an area; may be left out where along or outline is given
---@param arguments? esker.arguments.raise
---@return esker.RiverMap map the map with these forms
function RiverMap:raise(places, arguments) end

---Levels ground on a zoomable map, such as a town's, at every zoom
---@param places esker.RiverNetwork|esker.Points|esker.Lines|esker.Polygons Points, each a site, lines, each a strip, or Polygons; may be left out where along or outline is given
---@param arguments? esker.arguments.level
---@return esker.RiverMap map the map with this ground
function RiverMap:level(places, arguments) end

---Makes a lake on a zoomable map, with one level at every zoom
---@param places esker.Polygons Polygons, each a lake; may be left out where outline is given
---@param arguments? esker.arguments.lake
---@return esker.RiverMap map the map with this lake
function RiverMap:lake(places, arguments) end

---Makes an island or a bay of any shape on a zoomable map
---@param places esker.Polygons Polygons, each a shape; may be left out where outline is given
---@param arguments? esker.arguments.coast
---@return esker.RiverMap map the map with this coast
function RiverMap:coast(places, arguments) end

---Makes an impact crater on a zoomable map, at every zoom
---@param places esker.Points Points, each a crater; may be left out where at is given
---@param arguments? esker.arguments.crater
---@return esker.RiverMap map the map with these craters
function RiverMap:crater(places, arguments) end

---Adds the heights of a field to a place of a zoomable map, at every zoom
---@param field esker.Field the heights to add, a square of 16 to 512 cells a side; in metres, or in the unit of its frame
---@param places esker.Points Points, at each of which it is added; may be left out where at is given
---@param arguments? esker.arguments.imprint
---@return esker.RiverMap map the map with these heights
function RiverMap:imprint(field, places, arguments) end

---Carves a canal or a new course of a river on a zoomable map, at every zoom
---@param lines esker.RiverNetwork|esker.Lines lines, each a canal; may be left out where along is given
---@param arguments? esker.arguments.carve
---@return esker.RiverMap map the map with this canal
function RiverMap:carve(lines, arguments) end

---Gives the rivers in a window of a zoomable map as a network of lines
---@param arguments? esker.arguments.rivers
---@return esker.RiverNetwork network the rivers
function RiverMap:rivers(arguments) end

---Gives the lakes in a window of a zoomable map as outlines with level and area
---@param arguments? esker.arguments.lake_outlines
---@return esker.RiverNetwork outlines the lakes
function RiverMap:lake_outlines(arguments) end

---Gives the altitude of one place of a zoomable map, or how far it is above another
---@param arguments? esker.arguments.altitude_at
---@return number altitude as that of render
function RiverMap:altitude_at(arguments) end

---Gives temperature, rain, runoff and Köppen's classes in a window of a zoomable map
---@param arguments? esker.arguments.climate
---@return { temperature: esker.Field, range: esker.Field, rain: esker.Field, evaporation: esker.Field, runoff: esker.Field, koppen: esker.Field }
function RiverMap:climate(arguments) end

---Gives what covers the ground in a window of a zoomable map, and its natural colours
---@param arguments? esker.arguments.cover
---@return { trees: esker.Field, grass: esker.Field, crops: esker.Field, sand: esker.Field, rock: esker.Field, snow: esker.Field, ice: esker.Field, marsh: esker.Field, salt: esker.Field, built: esker.Field, biomes: esker.Field, image: esker.Image }
function RiverMap:cover(arguments) end

---Gives the towns and villages in a window of a zoomable map, with names and population
---@param arguments? esker.arguments.places
---@return esker.Points places the largest first
function RiverMap:places(arguments) end

---Gives the roads between the places in a window of a zoomable map, and their bridges and fords
---@param arguments? esker.arguments.roads
---@return esker.Lines roads the roads
---@return esker.Points crossings bridges and fords
function RiverMap:roads(arguments) end

---Writes a zoomable map with all its edits to a file
---@param path string the file
function RiverMap:save_map(path) end

---rivers: reaches from springs and confluences down to mouths
---@class esker.RiverNetwork
---@field width integer cells of the window from left to right
---@field height integer cells of the window from top to bottom
---@field frame table? where it lies: a table with x, y, cell_width, cell_height, system, unit, sea and top, or nil (see georeference)
---@field reaches fun(self: esker.RiverNetwork): table[] the reaches: lists of points in downstream order, with order, downstream and mouth (see rivers)
---@field walk fun(self: esker.RiverNetwork, reach: integer): (fun(): table?) iterates over the points from a reach's first down to where the river ends
---@field ridges fun(self: esker.RiverNetwork): table[] the ridges as lists of points
---@field place fun(self: esker.RiverNetwork, x: number, y: number): string, string the map coordinates of a point of the window, as x and y of render
---@field hash fun(self: esker.RiverNetwork): string a 64-bit hash as 16 hex digits, the same on every machine
---@field show fun(self: esker.RiverNetwork) shows the value in the terminal
local RiverNetwork = {}

---Gives each cell's distance to a mask, or to the lines of a network
---@param arguments? esker.arguments.distance
---@return esker.Field distance distances
function RiverNetwork:distance(arguments) end

---Makes a mask of lines, points or polygons: the share of each cell that they cover
---@param arguments? esker.arguments.rasterize
---@return esker.Field mask 0 to 1, or the attribute
function RiverNetwork:rasterize(arguments) end

---Shapes the land around a river network, with a valley along every river
---@param arguments? esker.arguments.terrain
---@return esker.Field height heights, rivers in their valleys
---@return esker.Field river width in cells of the river that covers the cell, at its banks the share covered; 0 elsewhere
function RiverNetwork:terrain(arguments) end

---Measures a river network: Horton's ratios, Hack's exponent, drainage density
---@return { reaches: number, mouths: number, order: number, length: number, density: number, number_ratio: number, length_ratio: number, area_ratio: number, hack: number, sinuosity: number }
function RiverNetwork:network_statistics() end

---Gives distance, area, chi, steepness and knickpoints along rivers
---@param arguments? esker.arguments.river_profiles
---@return esker.Points points places along the rivers
function RiverNetwork:river_profiles(arguments) end

---Draws a river network: rivers at their width, ridges, and the sea; or lines or points, contours with their heights
---@param arguments? esker.arguments.draw
---@return esker.Image image the drawing
function RiverNetwork:draw(arguments) end

---Writes a value to a file, whose ending names the format
---@param path string the file; its extension selects the format
---@param arguments? esker.arguments.save
function RiverNetwork:save(path, arguments) end

---Writes terrain as a game engine imports it, and what lies on it in the engine's coordinates
---@param path string the files, without an ending
---@param arguments? esker.arguments.export
function RiverNetwork:export(path, arguments) end

---a surface of triangles
---@class esker.Mesh
---@field points integer number of points
---@field triangles integer number of triangles
---@field hash fun(self: esker.Mesh): string a 64-bit hash as 16 hex digits, the same on every machine
local Mesh = {}

---Lays a picture on a mesh, over the whole map
---@param image esker.Image the picture, of any size
---@return esker.Mesh mesh the mesh with the picture
function Mesh:drape(image) end

---Stands a tree on a mesh at each of a scatter's points
---@param points esker.Points where trees stand
---@param arguments? esker.arguments.plant
---@return esker.Mesh mesh the mesh with trees
function Mesh:plant(points, arguments) end

---Writes a value to a file, whose ending names the format
---@param path string the file; its extension selects the format
---@param arguments? esker.arguments.save
function Mesh:save(path, arguments) end

---places with attributes: trees, rocks, houses. In files, x and y are coordinates of the frame, and radius is in the same unit. Without a frame they are cells from the upper left corner of the window, y down, in .csv, and shares of N from the lower left corner, y up, in .geojson
---@class esker.Points
---@field count integer number of points
---@field width integer cells of the window from left to right
---@field height integer cells of the window from top to bottom
---@field wraps boolean whether opposite edges of the window meet
---@field frame table? where it lies: a table with x, y, cell_width, cell_height, system, unit, sea and top, or nil (see georeference)
---@field list fun(self: esker.Points, coordinates: string?): table[] the points as tables with x, y, altitude, radius, species, variation (see scatter) and attributes. x and y are in cells, or in the coordinates that are given: "shares", "map" or "degrees"
---@field hash fun(self: esker.Points): string a 64-bit hash as 16 hex digits, the same on every machine
---@field show fun(self: esker.Points) shows the value in the terminal
local Points = {}

---Gives each cell's distance to a mask, or to the lines of a network
---@param arguments? esker.arguments.distance
---@return esker.Field distance distances
function Points:distance(arguments) end

---Makes the smoothest terrain through points of known altitude
---@param arguments? esker.arguments.from_points
---@return esker.Field height heights
function Points:from_points(arguments) end

---Makes a mask of lines, points or polygons: the share of each cell that they cover
---@param arguments? esker.arguments.rasterize
---@return esker.Field mask 0 to 1, or the attribute
function Points:rasterize(arguments) end

---Puts points, lines and polygons into another coordinate system, or into the cells of a field
---@param arguments? esker.arguments.reproject
---@return esker.Points|esker.Lines|esker.Polygons
function Points:reproject(arguments) end

---Moves points to the channel beside them
---@param flow esker.Field what drains through each cell
---@param arguments? esker.arguments.snap
---@return esker.Points points places in streams
function Points:snap(flow, arguments) end

---Draws a river network: rivers at their width, ridges, and the sea; or lines or points, contours with their heights
---@param arguments? esker.arguments.draw
---@return esker.Image image the drawing
function Points:draw(arguments) end

---Writes a value to a file, whose ending names the format
---@param path string the file; its extension selects the format
---@param arguments? esker.arguments.save
function Points:save(path, arguments) end

---Writes terrain as a game engine imports it, and what lies on it in the engine's coordinates
---@param path string the files, without an ending
---@param arguments? esker.arguments.export
function Points:export(path, arguments) end

---lines with attributes: roads, streams, borders. Each has one or several parts
---@class esker.Lines
---@field count integer how many there are, each with one or more parts
---@field width integer cells of the window from left to right
---@field height integer cells of the window from top to bottom
---@field frame table? where it lies: a table with x, y, cell_width, cell_height, system, unit, sea and top, or nil (see georeference)
---@field list fun(self: esker.Lines): table[] tables with `parts`, lists of { x, y } or { x, y, altitude } in cells (a hole of a polygon has hole = true), and `attributes`
---@field hash fun(self: esker.Lines): string a 64-bit hash as 16 hex digits, the same on every machine
---@field show fun(self: esker.Lines) shows the value in the terminal
local Lines = {}

---Gives each cell's distance to a mask, or to the lines of a network
---@param arguments? esker.arguments.distance
---@return esker.Field distance distances
function Lines:distance(arguments) end

---Makes a mask of lines, points or polygons: the share of each cell that they cover
---@param arguments? esker.arguments.rasterize
---@return esker.Field mask 0 to 1, or the attribute
function Lines:rasterize(arguments) end

---Puts points, lines and polygons into another coordinate system, or into the cells of a field
---@param arguments? esker.arguments.reproject
---@return esker.Points|esker.Lines|esker.Polygons
function Lines:reproject(arguments) end

---Draws a river network: rivers at their width, ridges, and the sea; or lines or points, contours with their heights
---@param arguments? esker.arguments.draw
---@return esker.Image image the drawing
function Lines:draw(arguments) end

---Writes a value to a file, whose ending names the format
---@param path string the file; its extension selects the format
---@param arguments? esker.arguments.save
function Lines:save(path, arguments) end

---Writes terrain as a game engine imports it, and what lies on it in the engine's coordinates
---@param path string the files, without an ending
---@param arguments? esker.arguments.export
function Lines:export(path, arguments) end

---polygons with attributes: parcels, lakes, catchments. Each has one or several outlines, and holes in them
---@class esker.Polygons
---@field count integer how many there are, each with one or more parts
---@field width integer cells of the window from left to right
---@field height integer cells of the window from top to bottom
---@field frame table? where it lies: a table with x, y, cell_width, cell_height, system, unit, sea and top, or nil (see georeference)
---@field list fun(self: esker.Polygons): table[] tables with `parts`, lists of { x, y } or { x, y, altitude } in cells (a hole of a polygon has hole = true), and `attributes`
---@field hash fun(self: esker.Polygons): string a 64-bit hash as 16 hex digits, the same on every machine
---@field show fun(self: esker.Polygons) shows the value in the terminal
local Polygons = {}

---Gives each cell's distance to a mask, or to the lines of a network
---@param arguments? esker.arguments.distance
---@return esker.Field distance distances
function Polygons:distance(arguments) end

---Makes a mask of lines, points or polygons: the share of each cell that they cover
---@param arguments? esker.arguments.rasterize
---@return esker.Field mask 0 to 1, or the attribute
function Polygons:rasterize(arguments) end

---Puts points, lines and polygons into another coordinate system, or into the cells of a field
---@param arguments? esker.arguments.reproject
---@return esker.Points|esker.Lines|esker.Polygons
function Polygons:reproject(arguments) end

---Draws a river network: rivers at their width, ridges, and the sea; or lines or points, contours with their heights
---@param arguments? esker.arguments.draw
---@return esker.Image image the drawing
function Polygons:draw(arguments) end

---Writes a value to a file, whose ending names the format
---@param path string the file; its extension selects the format
---@param arguments? esker.arguments.save
function Polygons:save(path, arguments) end

---Writes terrain as a game engine imports it, and what lies on it in the engine's coordinates
---@param path string the files, without an ending
---@param arguments? esker.arguments.export
function Polygons:export(path, arguments) end

---@class esker
---@field version string
---@field palettes table<string, table[]>
esker = {}

---Makes fractal terrain by midpoint displacement (the diamond-square algorithm)
---@param arguments? esker.arguments.diamond_square
---@return esker.Field height heights, 0 to 1
function esker.diamond_square(arguments) end

---Makes fractal terrain by adding octaves of interpolated noise
---@param arguments? esker.arguments.spectral
---@return esker.Field height heights, 0 to 1
function esker.spectral(arguments) end

---Makes cells, ridges or hills from the distances to random feature points
---@param arguments? esker.arguments.voronoi
---@return esker.Field height heights, 0 to 1
---@return esker.Field domain each hill's value, 0 to 1
function esker.voronoi(arguments) end

---Makes noise: Perlin's gradient noise, simplex or value noise, and fractal sums of it
---@param arguments? esker.arguments.noise
---@return esker.Field height heights, 0 to 1
function esker.noise(arguments) end

---Makes a cone, dome, Gaussian hill, disk, crater, volcano or ramp
---@param arguments? esker.arguments.shape
---@return esker.Field height heights
function esker.shape(arguments) end

---Makes a mask that is 1 inside a polygon and 0 outside
---@param arguments? esker.arguments.polygon
---@return esker.Field mask the mask, 0 to 1
function esker.polygon(arguments) end

---Makes a range with a crest along a line
---@param arguments? esker.arguments.ridge_line
---@return esker.Field height heights, 0 and up
function esker.ridge_line(arguments) end

---Displaces every cell by a random offset, which crumples the terrain
---@param height esker.Field heights
---@param arguments? esker.arguments.perturb
---@return esker.Field height displaced heights
function esker.perturb(height, arguments) end

---Displaces every cell by two fields: domain warp
---@param height esker.Field heights
---@param right esker.Field displacement to the right
---@param down esker.Field displacement down
---@param arguments? esker.arguments.warp
---@return esker.Field height displaced heights
function esker.warp(height, right, down, arguments) end

---Scales heights so that they span 0 to 1, or another range
---@param height esker.Field heights
---@param arguments? esker.arguments.normalize
---@return esker.Field height scaled heights
function esker.normalize(height, arguments) end

---Limits heights to a range
---@param height esker.Field heights
---@param arguments? esker.arguments.clamp
---@return esker.Field height heights from low to high
function esker.clamp(height, arguments) end

---Blends two fields: a where the weight is 0, b where it is 1
---@param a esker.Field|number heights for weight 0
---@param b esker.Field|number heights for weight 1
---@param weight esker.Field|number the share of b, 0 to 1
---@return esker.Field height blended heights
function esker.lerp(a, b, weight) end

---Blends a field onto another, or an image onto another, as layers of a picture
---@param a esker.Field|esker.Image the lower layer
---@param b esker.Field|esker.Image the upper layer, of the same kind and size
---@param arguments? esker.arguments.blend
---@return esker.Field|esker.Image
function esker.blend(a, b, arguments) end

---Smooths a field with the Gaussian blur
---@param height esker.Field heights
---@param arguments? esker.arguments.blur
---@return esker.Field height smoothed heights
function esker.blur(height, arguments) end

---Raises details above their surroundings: unsharp masking
---@param height esker.Field heights
---@param arguments? esker.arguments.sharpen
---@return esker.Field height sharper heights
function esker.sharpen(height, arguments) end

---Gives each cell the median of its surroundings: removes specks and keeps edges
---@param height esker.Field heights
---@param arguments? esker.arguments.median
---@return esker.Field height medians
function esker.median(height, arguments) end

---Smooths rough ground and keeps cliffs and edges
---@param height esker.Field heights
---@param arguments? esker.arguments.bilateral
---@return esker.Field height smoothed heights
function esker.bilateral(height, arguments) end

---Dilates, erodes, opens or closes masks and heights
---@param height esker.Field heights or a mask
---@param arguments? esker.arguments.morphology
---@return esker.Field height the result
function esker.morphology(height, arguments) end

---Gives the Laplacian: above 0 in hollows, below 0 on ridges
---@param height esker.Field heights
---@param arguments? esker.arguments.laplacian
---@return esker.Field laplacian sum of the second derivatives
function esker.laplacian(height, arguments) end

---Maps heights through a curve: terraces, plateaus, shelves
---@param height esker.Field heights
---@param arguments? esker.arguments.curve
---@return esker.Field height new heights
function esker.curve(height, arguments) end

---Maps a range of heights onto another, linearly or smoothly, with bias and gain
---@param height esker.Field heights
---@param arguments? esker.arguments.remap
---@return esker.Field height new heights, in no unit
function esker.remap(height, arguments) end

---Cuts heights into steps with flat treads and steep risers
---@param height esker.Field heights
---@param arguments? esker.arguments.terrace
---@return esker.Field height heights in steps
function esker.terrace(height, arguments) end

---Changes a terrain's resolution
---@param height esker.Field heights
---@param arguments? esker.arguments.resize
---@return esker.Field height the same terrain with more or fewer cells
function esker.resize(height, arguments) end

---Cuts out a rectangle, or shifts a terrain that tiles
---@param height esker.Field heights
---@param arguments? esker.arguments.crop
---@return esker.Field height the rectangle
function esker.crop(height, arguments) end

---Mirrors a field left to right, top to bottom or along the diagonal
---@param height esker.Field heights
---@param arguments? esker.arguments.flip
---@return esker.Field height the same heights, mirrored
function esker.flip(height, arguments) end

---Rotates, scales, stretches and shifts a field about its centre
---@param height esker.Field heights
---@param arguments? esker.arguments.transform
---@return esker.Field height transformed heights
function esker.transform(height, arguments) end

---Spreads heights so that each is as frequent as every other
---@param height esker.Field heights
---@param arguments? esker.arguments.equalize
---@return esker.Field height new heights
function esker.equalize(height, arguments) end

---Gives a field the distribution of heights of another, such as a real elevation model
---@param height esker.Field heights
---@param like esker.Field a field with the wanted heights, of any size
---@return esker.Field height new heights
function esker.match(height, like) end

---Makes a field tile: its opposite edges meet afterwards
---@param height esker.Field heights
---@param arguments? esker.arguments.seamless
---@return esker.Field height heights that tile
function esker.seamless(height, arguments) end

---Fills the cells that a mask marks with the smoothest surface through the others
---@param height esker.Field heights
---@param mask esker.Field above 0.5: cells to fill
---@param arguments? esker.arguments.inpaint
---@return esker.Field height heights without holes
function esker.inpaint(height, mask, arguments) end

---Gives a mask of the cells that have no data
---@param height esker.Field heights
---@return esker.Field mask 1 where there is no data, else 0
function esker.find_gaps(height) end

---Marks cells as having no data
---@param height esker.Field heights
---@param mask esker.Field above 0.5: no data
---@return esker.Field height the same heights, with gaps
function esker.set_gaps(height, mask) end

---Adds a and b; the same as a + b
---@param a esker.Field|number left operand
---@param b esker.Field|number right operand
---@return esker.Field result the result for each cell
function esker.add(a, b) end

---Subtracts b from a; the same as a - b
---@param a esker.Field|number left operand
---@param b esker.Field|number right operand
---@return esker.Field result the result for each cell
function esker.subtract(a, b) end

---Multiplies a by b; the same as a * b
---@param a esker.Field|number left operand
---@param b esker.Field|number right operand
---@return esker.Field result the result for each cell
function esker.multiply(a, b) end

---Divides a by b; the same as a / b
---@param a esker.Field|number left operand
---@param b esker.Field|number right operand
---@return esker.Field result the result for each cell
function esker.divide(a, b) end

---Raises a to the power b; the same as a ^ b
---@param a esker.Field|number left operand
---@param b esker.Field|number right operand
---@return esker.Field result the result for each cell
function esker.power(a, b) end

---Changes the sign; the same as -a
---@param a esker.Field any field
---@return esker.Field result the result for each cell
function esker.negate(a) end

---Gives the lower of the two in each cell, with a sharp or a smooth bend between them
---@param a esker.Field|number left operand
---@param b esker.Field|number right operand
---@param arguments? esker.arguments.min
---@return esker.Field result the result for each cell
function esker.min(a, b, arguments) end

---Gives the higher of the two in each cell, with a sharp or a smooth bend between them
---@param a esker.Field|number left operand
---@param b esker.Field|number right operand
---@param arguments? esker.arguments.max
---@return esker.Field result the result for each cell
function esker.max(a, b, arguments) end

---Gives the absolute value
---@param a esker.Field any field
---@return esker.Field result the result for each cell
function esker.abs(a) end

---Gives each cell's distance to a mask, or to the lines of a network
---@param mask esker.Field|esker.RiverNetwork|esker.Points|esker.Lines|esker.Polygons a mask, or heights and a threshold; a network; or points
---@param arguments? esker.arguments.distance
---@return esker.Field distance distances
function esker.distance(mask, arguments) end

---Levels a place, such as a town, or the bed of a road, with a smooth edge
---@param height esker.Field heights
---@param place esker.Field|esker.RiverNetwork|esker.Points|esker.Lines|esker.Polygons a mask, a network of lines, or points
---@param arguments? esker.arguments.flatten
---@return esker.Field height heights with the place
---@return esker.Field place the share of the new height, 0 to 1
function esker.flatten(height, place, arguments) end

---Adds a field to another one or replaces part of it, rotated and scaled, with a soft edge
---@param height esker.Field heights
---@param stamp esker.Field the field to insert, of any size
---@param arguments? esker.arguments.stamp
---@return esker.Field height heights with the stamp
function esker.stamp(height, stamp, arguments) end

---Finds least-cost paths over a terrain: roads and tracks
---@param height esker.Field heights
---@param arguments? esker.arguments.path
---@return esker.RiverNetwork lines the paths, one line each
function esker.path(height, arguments) end

---Lays roads on the ground and over water: their altitudes, bridges and ramps
---@param height esker.Field heights
---@param roads esker.RiverNetwork|esker.Lines roads, as path gives them
---@param arguments? esker.arguments.grade
---@return esker.Lines roads the roads, with altitudes
---@return esker.Lines bridges the bridges, with altitudes of their decks
function esker.grade(height, roads, arguments) end

---Scatters points that keep a distance: trees, rocks, houses
---@param height esker.Field heights
---@param arguments? esker.arguments.scatter
---@return esker.Points points the points
function esker.scatter(height, arguments) end

---Makes the smoothest terrain through points of known altitude
---@param points esker.Points points with altitudes
---@param arguments? esker.arguments.from_points
---@return esker.Field height heights
function esker.from_points(points, arguments) end

---Makes a mask of lines, points or polygons: the share of each cell that they cover
---@param lines esker.RiverNetwork|esker.Points|esker.Lines|esker.Polygons lines, points or polygons
---@param arguments? esker.arguments.rasterize
---@return esker.Field mask 0 to 1, or the attribute
function esker.rasterize(lines, arguments) end

---Finds summits or pits with their topographic prominence: where the ground is highest
---@param height esker.Field heights
---@param arguments? esker.arguments.peaks
---@return esker.Points points centres of cells, with altitudes
---@return number[] prominences one for each point
---@return esker.Points saddles the key saddle of each point: passes, and the rims over which pits drain
function esker.peaks(height, arguments) end

---Finds places to build on: level, wide enough, apart, and near what they need
---@param height esker.Field heights
---@param arguments? esker.arguments.sites
---@return esker.Points points middles of the places, with altitudes
function esker.sites(height, arguments) end

---Moves material down slopes that are steeper than the talus
---@param height esker.Field heights, 0 to 1
---@param arguments? esker.arguments.thermal_erosion
---@return esker.Field height eroded heights
function esker.thermal_erosion(height, arguments) end

---Simulates rain that dissolves ground, carries it downhill and deposits it in valleys
---@param height esker.Field heights, 0 to 1
---@param arguments? esker.arguments.hydraulic_erosion
---@return esker.Field height eroded heights
function esker.hydraulic_erosion(height, arguments) end

---Levels ground that is flatter than the talus and leaves steeper slopes alone
---@param height esker.Field heights, 0 to 1
---@param arguments? esker.arguments.olsen_erosion
---@return esker.Field height eroded heights
function esker.olsen_erosion(height, arguments) end

---Carves branching valleys into any terrain, which drain all of it once it is mature
---@param height esker.Field heights, 0 to 1
---@param arguments? esker.arguments.stream_erosion
---@return esker.Field height eroded heights
---@return esker.Field flow drained area
---@return esker.Field deposit thickness of the sediment that settled
---@return esker.Field eroded thickness of what streams and slopes took away
function esker.stream_erosion(height, arguments) end

---Lets land rise and wear down for years: stream power and creep in physical units
---@param height esker.Field heights, in a frame
---@param arguments? esker.arguments.stream_power
---@return esker.Field height heights after these years
---@return esker.Field area drained area in m², times the rain
---@return esker.Field rate erosion by streams in the last step, in millimetres a year
function esker.stream_power(height, arguments) end

---Gives a terrain at 2, 4, 8 or 16 times its resolution, with eroded detail
---@param height esker.Field heights
---@param arguments? esker.arguments.amplify
---@return esker.Field height heights at the higher resolution
function esker.amplify(height, arguments) end

---Gives the largest height difference between each cell and its four neighbours
---@param height esker.Field heights
---@param arguments? esker.arguments.slope
---@return esker.Field slope height differences, 0 or more
function esker.slope(height, arguments) end

---Measures how eroded a terrain is: the slope map's standard deviation divided by its mean
---@param height esker.Field heights
---@param arguments? esker.arguments.erosion_score
---@return number score 0 or more
function esker.erosion_score(height, arguments) end

---Scores a terrain for strategy games: room to move, room to build, and both together
---@param height esker.Field heights, 0 to 1
---@param arguments? esker.arguments.playability
---@return { erosion: number, unit: number, building: number, suitability: number, accessible: esker.Field, units: esker.Field, flat: esker.Field, buildings: esker.Field }
function esker.playability(height, arguments) end

---Gives minimum, maximum, mean, standard deviation and sum of a field
---@param height esker.Field any field
---@return { min: number, max: number, mean: number, stddev: number, sum: number }
function esker.statistics(height) end

---Gives the place and the value of the greatest cell
---@param height esker.Field any field
---@return { x: number, y: number, value: number }
function esker.argmax(height) end

---Counts cells by height
---@param height esker.Field heights
---@param arguments? esker.arguments.histogram
---@return number[] counts cells in each interval
function esker.histogram(height, arguments) end

---Gives the height of each cell above the mean of its surroundings
---@param height esker.Field heights
---@param arguments? esker.arguments.relative_height
---@return esker.Field relative above 0 on ridges, below 0 in valleys
function esker.relative_height(height, arguments) end

---Describes one place: altitude, slope, drained area, and where its water leaves the land
---@param land esker.Field|esker.RiverMap heights, or a map made by river_map
---@param arguments? esker.arguments.identify
---@return { altitude: number, slope: number, river: number, drained: number, distance: number, outlet_x: number, outlet_y: number, outlet_drained: number, water: number, lake_level: number, discharge: number }
function esker.identify(land, arguments) end

---Finds the lines of equal height
---@param height esker.Field heights
---@param arguments? esker.arguments.contours
---@return esker.RiverNetwork lines the lines
function esker.contours(height, arguments) end

---Measures how closely land resembles real land, or another field
---@param height esker.Field heights
---@param arguments? esker.arguments.realism
---@return { slope: number, slope_variation: number, slope_tail: number, flat: number, spectrum: number, anisotropy: number, grid: number, hypsometric: number, curvature: number, concave: number, hollows: number, bifurcation: number, length_ratio: number, hack: number, concavity: number, density: number, sinuosity: number, coast: number, score: number, cell: number, within: number, judged: number }
function esker.realism(height, arguments) end

---Gives the range of each measure of realism on real land
---@param arguments? esker.arguments.realism_ranges
---@return { slope: number[], slope_variation: number[], slope_tail: number[], flat: number[], spectrum: number[], anisotropy: number[], grid: number[], hypsometric: number[], curvature: number[], concave: number[], hollows: number[], bifurcation: number[], length_ratio: number[], hack: number[], concavity: number[], density: number[], sinuosity: number[], coast: number[] }
function esker.realism_ranges(arguments) end

---Makes a mask of the ground within ranges of height, slope, aspect, curvature, relative height, distance or noise
---@param height esker.Field heights
---@param arguments? esker.arguments.select
---@return esker.Field mask 0 outside to 1 inside
function esker.select(height, arguments) end

---Gives the angle of the steepest slope, in degrees
---@param height esker.Field heights
---@param arguments? esker.arguments.gradient_angle
---@return esker.Field angle 0 to 90
function esker.gradient_angle(height, arguments) end

---Gives the direction in which the ground falls, in degrees clockwise from north
---@param height esker.Field heights
---@param arguments? esker.arguments.aspect
---@return esker.Field aspect 0 to below 360, or -1
function esker.aspect(height, arguments) end

---Gives the curvature of the surface: above 0 where it is convex, below 0 where it is concave
---@param height esker.Field heights
---@param arguments? esker.arguments.curvature
---@return esker.Field curvature inverse of the radius
function esker.curvature(height, arguments) end

---Gives the terrain ruggedness index: how much a cell's height differs from its neighbours'
---@param height esker.Field heights
---@param arguments? esker.arguments.ruggedness
---@return esker.Field ruggedness 0 or more
function esker.ruggedness(height, arguments) end

---Shades the ground by one or several lights, with or without shadows
---@param height esker.Field heights
---@param arguments? esker.arguments.hillshade
---@return esker.Field shade 0 dark to 1 facing the light
function esker.hillshade(height, arguments) end

---Gives the visible share of the sky (sky-view factor), for ambient light and occlusion
---@param height esker.Field heights
---@param arguments? esker.arguments.sky_view
---@return esker.Field view share of the sky, 0 to 1
function esker.sky_view(height, arguments) end

---Gives how open the ground is to the sky, or to below: ridges and valleys in any light
---@param height esker.Field heights
---@param arguments? esker.arguments.openness
---@return esker.Field openness 0 to 180
function esker.openness(height, arguments) end

---Gives the direct sunlight that the ground receives in a day
---@param height esker.Field heights
---@param arguments? esker.arguments.insolation
---@return esker.Field energy kWh/m² in the day
function esker.insolation(height, arguments) end

---Computes what is visible from a point: 0 for visible ground, else how far it is below the line of sight
---@param height esker.Field heights
---@param arguments? esker.arguments.viewshed
---@return esker.Field hidden height between the ground and the line of sight, 0 or more
function esker.viewshed(height, arguments) end

---Gives the topographic position index: ridges above 0, valleys below 0, at several scales
---@param height esker.Field heights
---@param arguments? esker.arguments.position_index
---@return esker.Field index standard deviations above the surroundings
---@return esker.Field radius radius of the scale at which it is largest, in N
function esker.position_index(height, arguments) end

---Marks the cells that lie on ridges
---@param height esker.Field heights
---@param arguments? esker.arguments.ridges
---@return esker.Field ridges 1 on ridges, 0 elsewhere
function esker.ridges(height, arguments) end

---Marks the cells that lie in the bottoms of valleys
---@param height esker.Field heights
---@param arguments? esker.arguments.valleys
---@return esker.Field valleys 1 in valley bottoms, 0 elsewhere
function esker.valleys(height, arguments) end

---Gives the topographic wetness index: high where much water drains over flat ground
---@param height esker.Field heights
---@param arguments? esker.arguments.wetness_index
---@return esker.Field index ln(area / slope)
function esker.wetness_index(height, arguments) end

---Classifies landforms by which horizons lie above and below
---@param height esker.Field heights
---@param arguments? esker.arguments.geomorphons
---@return esker.Field forms whole numbers, 1 to 10
function esker.geomorphons(height, arguments) end

---Makes a map with rivers and fjords that can be drawn at any zoom
---@param arguments? esker.arguments.river_map
---@return esker.RiverMap map the map
function esker.river_map(arguments) end

---Draws a window of a zoomable map; the time hardly depends on the zoom
---@param map esker.RiverMap a map made by river_map
---@param arguments? esker.arguments.render
---@return esker.Field altitude the sea at 0; of eroded land in metres, of raw land -1 to 1, in metres with side or radius
---@return esker.Field river width in cells of the river that covers the pixel; below 1, the share covered, and in an estuary the river's share of the water
---@return esker.Field flow area drained through the pixel, in pixels; on soil, outside streams, at most that from which a stream begins; eroded land only, otherwise nil
---@return esker.Field water how deep a lake is, in the unit of altitudes: 0 where there is none. The altitude is that of its surface. Of maps with lakes or a climate, otherwise nil
---@return esker.Field discharge what flows through the pixel, m³/s in the mean of the year; 0 in the sea. Of maps with a climate (river_map), otherwise nil
---@return esker.Field wadi the share of the pixel that beds of rivers cover which are dry for most of the year; there are no rivers in them. Of maps with a climate, otherwise nil
function esker.render(map, arguments) end

---Gives a zoomable map your own rivers, at every zoom
---@param map esker.RiverMap a map with eroded land
---@param lines esker.RiverNetwork|esker.Lines the rivers
---@param arguments? esker.arguments.set_rivers
---@return esker.RiverMap map the map with these rivers
function esker.set_rivers(map, lines, arguments) end

---Adds rivers of your own to those of a zoomable map, at every zoom
---@param map esker.RiverMap a map with eroded land
---@param lines esker.RiverNetwork|esker.Lines the rivers; may be left out where along is given
---@param arguments? esker.arguments.add_rivers
---@return esker.RiverMap map the map with these rivers, too
function esker.add_rivers(map, lines, arguments) end

---Gives a zoomable map your own towns and villages
---@param map esker.RiverMap a map with eroded land
---@param points esker.Points the places
---@param arguments? esker.arguments.set_places
---@return esker.RiverMap map the map with these places
function esker.set_places(map, points, arguments) end

---Adds towns and villages of your own to those of a zoomable map
---@param map esker.RiverMap a map with eroded land
---@param points esker.Points the places; may be left out where at is given
---@param arguments? esker.arguments.add_places
---@return esker.RiverMap map the map with these places, too
function esker.add_places(map, points, arguments) end

---Raises a hill, a ridge or an area on a zoomable map, or sinks a valley, at every zoom
---@param map esker.RiverMap a map with eroded land
---@param places esker.RiverNetwork|esker.Points|esker.Lines|esker.Polygons Points, each a hill, lines, each a ridge, or Polygons, each an area; may be left out where along or outline is given
---@param arguments? esker.arguments.raise
---@return esker.RiverMap map the map with these forms
function esker.raise(map, places, arguments) end

---Levels ground on a zoomable map, such as a town's, at every zoom
---@param map esker.RiverMap a map with eroded land
---@param places esker.RiverNetwork|esker.Points|esker.Lines|esker.Polygons Points, each a site, lines, each a strip, or Polygons; may be left out where along or outline is given
---@param arguments? esker.arguments.level
---@return esker.RiverMap map the map with this ground
function esker.level(map, places, arguments) end

---Makes a lake on a zoomable map, with one level at every zoom
---@param map esker.RiverMap a map with eroded land
---@param places esker.Polygons Polygons, each a lake; may be left out where outline is given
---@param arguments? esker.arguments.lake
---@return esker.RiverMap map the map with this lake
function esker.lake(map, places, arguments) end

---Makes an island or a bay of any shape on a zoomable map
---@param map esker.RiverMap a map with eroded land
---@param places esker.Polygons Polygons, each a shape; may be left out where outline is given
---@param arguments? esker.arguments.coast
---@return esker.RiverMap map the map with this coast
function esker.coast(map, places, arguments) end

---Makes an impact crater on a zoomable map, at every zoom
---@param map esker.RiverMap a map with eroded land
---@param places esker.Points Points, each a crater; may be left out where at is given
---@param arguments? esker.arguments.crater
---@return esker.RiverMap map the map with these craters
function esker.crater(map, places, arguments) end

---Adds the heights of a field to a place of a zoomable map, at every zoom
---@param map esker.RiverMap a map with eroded land
---@param field esker.Field the heights to add, a square of 16 to 512 cells a side; in metres, or in the unit of its frame
---@param places esker.Points Points, at each of which it is added; may be left out where at is given
---@param arguments? esker.arguments.imprint
---@return esker.RiverMap map the map with these heights
function esker.imprint(map, field, places, arguments) end

---Carves a canal or a new course of a river on a zoomable map, at every zoom
---@param map esker.RiverMap a map with eroded land
---@param lines esker.RiverNetwork|esker.Lines lines, each a canal; may be left out where along is given
---@param arguments? esker.arguments.carve
---@return esker.RiverMap map the map with this canal
function esker.carve(map, lines, arguments) end

---Gives the rivers in a window of a zoomable map as a network of lines
---@param map esker.RiverMap a map made by river_map
---@param arguments? esker.arguments.rivers
---@return esker.RiverNetwork network the rivers
function esker.rivers(map, arguments) end

---Gives the lakes in a window of a zoomable map as outlines with level and area
---@param map esker.RiverMap a map made by river_map
---@param arguments? esker.arguments.lake_outlines
---@return esker.RiverNetwork outlines the lakes
function esker.lake_outlines(map, arguments) end

---Gives the altitude of one place of a zoomable map, or how far it is above another
---@param map esker.RiverMap a map made by river_map
---@param arguments? esker.arguments.altitude_at
---@return number altitude as that of render
function esker.altitude_at(map, arguments) end

---Gives temperature, rain, runoff and Köppen's classes in a window of a zoomable map
---@param map esker.RiverMap a map with eroded land
---@param arguments? esker.arguments.climate
---@return { temperature: esker.Field, range: esker.Field, rain: esker.Field, evaporation: esker.Field, runoff: esker.Field, koppen: esker.Field }
function esker.climate(map, arguments) end

---Gives what covers the ground in a window of a zoomable map, and its natural colours
---@param map esker.RiverMap a map with eroded land
---@param arguments? esker.arguments.cover
---@return { trees: esker.Field, grass: esker.Field, crops: esker.Field, sand: esker.Field, rock: esker.Field, snow: esker.Field, ice: esker.Field, marsh: esker.Field, salt: esker.Field, built: esker.Field, biomes: esker.Field, image: esker.Image }
function esker.cover(map, arguments) end

---Gives the towns and villages in a window of a zoomable map, with names and population
---@param map esker.RiverMap a map with eroded land
---@param arguments? esker.arguments.places
---@return esker.Points places the largest first
function esker.places(map, arguments) end

---Gives the roads between the places in a window of a zoomable map, and their bridges and fords
---@param map esker.RiverMap a map with eroded land
---@param arguments? esker.arguments.roads
---@return esker.Lines roads the roads
---@return esker.Points crossings bridges and fords
function esker.roads(map, arguments) end

---Makes a river's course by subdividing triangles: Mandelbrot's squig curve, with branches
---@param arguments? esker.arguments.squig_curve
---@return esker.RiverNetwork network the river; without tributaries, one reach
function esker.squig_curve(arguments) end

---Makes a mountain and its river in one subdivision: midpoint displacement and a squig curve
---@param arguments? esker.arguments.squig_mountain
---@return esker.Field height heights, 0 to 1
---@return esker.Field river 1 on the river, 0 elsewhere, in between at its edges
---@return esker.RiverNetwork network the river and its tributaries as lines
function esker.squig_mountain(arguments) end

---Grows rivers inland from their mouths by space colonisation
---@param arguments? esker.arguments.river_network
---@return esker.RiverNetwork network the rivers
function esker.river_network(arguments) end

---Shapes the land around a river network, with a valley along every river
---@param network esker.RiverNetwork rivers
---@param arguments? esker.arguments.terrain
---@return esker.Field height heights, rivers in their valleys
---@return esker.Field river width in cells of the river that covers the cell, at its banks the share covered; 0 elsewhere
function esker.terrain(network, arguments) end

---Fills the pits of a terrain, so that water drains from everywhere
---@param height esker.Field heights
---@param arguments? esker.arguments.fill
---@return esker.Field filled heights without pits
function esker.fill(height, arguments) end

---Opens the pits of a terrain by channels, so that water drains from everywhere
---@param height esker.Field heights
---@param arguments? esker.arguments.breach
---@return esker.Field breached heights without pits
function esker.breach(height, arguments) end

---Fills the pits of a terrain with the rain that reaches them: lakes that spill, merge or dry up
---@param height esker.Field heights
---@param arguments? esker.arguments.lakes
---@return esker.Field level heights of the water's surface, and of dry ground
---@return esker.Field lakes the number of each lake, from 1; 0 where none is
---@return esker.Field outlets the number of each lake that spills at the cell where it does, or, where another lake spills over the same cell, in its own water in front of it; 0 elsewhere
---@return number stored water in lakes
---@return number evaporated water that lakes lost
---@return number drained water that left over the border or into the sea
---@return esker.Field closed the number of each lake that does not spill; 0 elsewhere
function esker.lakes(height, arguments) end

---Gives the direction in which each cell drains: its steepest descent, over filled pits
---@param height esker.Field heights
---@param arguments? esker.arguments.flow_direction
---@return esker.Field direction directions, as codes or angles
function esker.flow_direction(height, arguments) end

---Divides a terrain into drainage basins, and draws them
---@param height esker.Field heights
---@param arguments? esker.arguments.basins
---@return esker.Field basins labels
---@return esker.Image image the basins in colours that differ between neighbours
function esker.basins(height, arguments) end

---Gives the water that drains through each cell: its own rain and that of all cells upstream
---@param height esker.Field heights
---@param arguments? esker.arguments.flow_accumulation
---@return esker.Field flow what drains: with measure "area" in m², with "specific" in m, by default
function esker.flow_accumulation(height, arguments) end

---Gives the order of the stream in each cell
---@param height esker.Field heights
---@param arguments? esker.arguments.stream_order
---@return esker.Field order orders, from 1; 0 where no stream is
function esker.stream_order(height, arguments) end

---Gives the height of each cell above the river into which it drains (HAND)
---@param height esker.Field heights
---@param arguments? esker.arguments.height_above_river
---@return esker.Field above heights above the river, 0 or more; 0 in rivers and the sea
function esker.height_above_river(height, arguments) end

---Computes the distance along the water's path from each cell to the first river
---@param height esker.Field heights
---@param arguments? esker.arguments.distance_to_river
---@return esker.Field distance lengths; 0 in rivers and the sea
function esker.distance_to_river(height, arguments) end

---Finds the rivers of a terrain: where enough water drains
---@param height esker.Field heights
---@param arguments? esker.arguments.rivers_from_flow
---@return esker.RiverNetwork network the rivers
function esker.rivers_from_flow(height, arguments) end

---Measures a river network: Horton's ratios, Hack's exponent, drainage density
---@param network esker.RiverNetwork rivers
---@return { reaches: number, mouths: number, order: number, length: number, density: number, number_ratio: number, length_ratio: number, area_ratio: number, hack: number, sinuosity: number }
function esker.network_statistics(network) end

---Puts points, lines and polygons into another coordinate system, or into the cells of a field
---@param shapes esker.Points|esker.Lines|esker.Polygons points, lines or polygons
---@param arguments? esker.arguments.reproject
---@return esker.Points|esker.Lines|esker.Polygons
function esker.reproject(shapes, arguments) end

---Makes polygons of the cells that have equal numbers
---@param labels esker.Field whole numbers, or a mask
---@return esker.Polygons polygons the outlines
function esker.polygonize(labels) end

---Marks the cells that drain through given places
---@param height esker.Field heights
---@param arguments? esker.arguments.catchment
---@return esker.Field catchment labels
function esker.catchment(height, arguments) end

---Marks the cells that drain through each of a list of points
---@param height esker.Field heights
---@param points esker.Points the outlets
---@param arguments? esker.arguments.catchments
---@return esker.Field catchments labels
function esker.catchments(height, points, arguments) end

---Finds the longest way of water to given places
---@param height esker.Field heights
---@param arguments? esker.arguments.longest_flow_path
---@return esker.Lines lines a line for each place
function esker.longest_flow_path(height, arguments) end

---Cuts a field along polygons: cells outside have no data
---@param height esker.Field heights
---@param polygons esker.Polygons what remains
---@param arguments? esker.arguments.clip
---@return esker.Field height the heights inside
function esker.clip(height, polygons, arguments) end

---Carves streams into heights, so that water follows given lines
---@param height esker.Field heights
---@param lines esker.RiverNetwork|esker.Lines streams
---@param arguments? esker.arguments.burn
---@return esker.Field height heights with beds
function esker.burn(height, lines, arguments) end

---Samples heights along lines
---@param height esker.Field heights
---@param lines esker.RiverNetwork|esker.Lines|esker.Polygons lines, or the outlines of polygons
---@param arguments? esker.arguments.profile
---@return esker.Points points places along the lines
function esker.profile(height, lines, arguments) end

---Moves points to the channel beside them
---@param points esker.Points places beside streams
---@param flow esker.Field what drains through each cell
---@param arguments? esker.arguments.snap
---@return esker.Points points places in streams
function esker.snap(points, flow, arguments) end

---Gives count, area, least, greatest, mean, deviation and sum of the heights in each zone
---@param height esker.Field heights, or any numbers
---@param zones esker.Field|esker.Polygons a field of labels, or polygons
---@return { zone: number[], cells: number[], area: number[], min: number[], max: number[], mean: number[], stddev: number[], sum: number[] }
function esker.zonal_statistics(height, zones) end

---Resamples a field onto the cells of another one
---@param height esker.Field heights
---@param arguments? esker.arguments.align
---@return esker.Field height the heights in other cells
function esker.align(height, arguments) end

---Gives distance, area, chi, steepness and knickpoints along rivers
---@param network esker.RiverNetwork rivers, as rivers_from_flow gives them
---@param arguments? esker.arguments.river_profiles
---@return esker.Points points places along the rivers
function esker.river_profiles(network, arguments) end

---Draws a shaded relief map: colours by height, sea, light and shade
---@param height esker.Field heights
---@param arguments? esker.arguments.relief
---@return esker.Image image the map
function esker.relief(height, arguments) end

---Renders a terrain as seen by a camera: sun and shadows, water, haze
---@param height esker.Field heights
---@param arguments? esker.arguments.perspective
---@return esker.Image image the view
function esker.perspective(height, arguments) end

---Draws a river network: rivers at their width, ridges, and the sea; or lines or points, contours with their heights
---@param network esker.RiverNetwork|esker.Points|esker.Lines|esker.Polygons rivers or other lines, polygons or points
---@param arguments? esker.arguments.draw
---@return esker.Image image the drawing
function esker.draw(network, arguments) end

---Paints a mask, lines or points over an image, in plain colours
---@param image esker.Image what lies below
---@param shape esker.Field|esker.RiverNetwork|esker.Points|esker.Lines|esker.Polygons a mask of the image's size, lines or points
---@param arguments? esker.arguments.paint
---@return esker.Image image the painted image
function esker.paint(image, shape, arguments) end

---Puts two images side by side, or one below the other
---@param first esker.Image an image
---@param second esker.Image another, of any size
---@param arguments? esker.arguments.join
---@return esker.Image image both
function esker.join(first, second, arguments) end

---Shows any field in the colours of a palette, with a legend if wanted
---@param values esker.Field any values
---@param arguments? esker.arguments.colorize
---@return esker.Image image their colours
function esker.colorize(values, arguments) end

---Makes an image from one to four fields, one for each channel: a splat map
---@param red esker.Field the red channel
---@param arguments? esker.arguments.image
---@return esker.Image image the channels
function esker.image(red, arguments) end

---Gives the surface's normals as colours, for engines that light a terrain themselves
---@param height esker.Field heights
---@param arguments? esker.arguments.normal_map
---@return esker.Image normals the normals
function esker.normal_map(height, arguments) end

---Colours the ground by height, slope, snow and water: a satellite's view, or a texture to drape
---@param height esker.Field heights
---@param arguments? esker.arguments.texture
---@return esker.Image image the colours
function esker.texture(height, arguments) end

---Draws a map to print: relief, contours with their heights, rivers, title, scale bar, north arrow
---@param height esker.Field heights
---@param arguments? esker.arguments.contour_map
---@return esker.Image image the map
function esker.contour_map(height, arguments) end

---Encodes heights as the colours of elevation tiles, from which web maps read metres
---@param height esker.Field heights
---@param arguments? esker.arguments.terrain_rgb
---@return esker.Image image elevations as colours
function esker.terrain_rgb(height, arguments) end

---Reads heights from the colours of elevation tiles, or from one band of a picture
---@param image esker.Image the colours
---@param arguments? esker.arguments.from_terrain_rgb
---@return esker.Field height heights in metres, or 0 to 1
function esker.from_terrain_rgb(image, arguments) end

---Makes a triangle mesh from heights, with as few triangles as an error bound allows
---@param height esker.Field heights
---@param arguments? esker.arguments.mesh
---@return esker.Mesh mesh the triangles
function esker.mesh(height, arguments) end

---Lays a picture on a mesh, over the whole map
---@param mesh esker.Mesh triangles made by mesh
---@param image esker.Image the picture, of any size
---@return esker.Mesh mesh the mesh with the picture
function esker.drape(mesh, image) end

---Stands a tree on a mesh at each of a scatter's points
---@param mesh esker.Mesh triangles made by mesh
---@param points esker.Points where trees stand
---@param arguments? esker.arguments.plant
---@return esker.Mesh mesh the mesh with trees
function esker.plant(mesh, points, arguments) end

---Sets where a field lies: origin, cell size, coordinate system, unit of heights
---@param height esker.Field heights
---@param arguments? esker.arguments.georeference
---@return esker.Field height the same heights
function esker.georeference(height, arguments) end

---Reads heights, an image, or points, lines and polygons from a file, whose ending names the format
---@param path string the file: .png, .tif, .tiff, .exr, .asc, .npy, .r16, .raw, .r32, .pgm, .geojson, .gpkg, .shp, .fgb, .csv or .json, or another raster of GDAL
---@param arguments? esker.arguments.load
---@return esker.Field|esker.Image|esker.Points|esker.Lines|esker.Polygons
function esker.load(path, arguments) end

---Reads a world of Azgaar's Fantasy Map Generator: heights, rivers, lakes, towns and routes
---@param path string the file, .json
---@param arguments? esker.arguments.load_world
---@return { guide: esker.Field, rivers: esker.Lines, lakes: esker.Polygons, places: esker.Points, routes: esker.Lines, biomes: esker.Field, biome_names: table<string, string>, latitudes: number[], about: table<string, string> }
function esker.load_world(path, arguments) end

---Reads a zoomable map that save_map has written
---@param path string the file
---@return esker.RiverMap map the map
function esker.load_map(path) end

---Writes a value to a file, whose ending names the format
---@param picture esker.Field|esker.Image|esker.RiverNetwork|esker.Mesh|esker.Points|esker.Lines|esker.Polygons a field (.png, .tif, .tiff, .exr, .asc, .npy, .r16, .raw, .r32 or .pgm). An image (.png, .tif or .tiff). A RiverNetwork (.geojson, .gpkg, .csv or .svg). A Mesh (.obj, .ply, .stl or .glb). Points (.geojson, .gpkg, .csv or .svg). Lines (.geojson, .gpkg or .svg). Polygons (.geojson, .gpkg or .svg)
---@param path string the file; its extension selects the format
---@param arguments? esker.arguments.save
function esker.save(picture, path, arguments) end

---Writes a zoomable map with all its edits to a file
---@param map esker.RiverMap the map
---@param path string the file
function esker.save_map(map, path) end

---Writes terrain as a game engine imports it, and what lies on it in the engine's coordinates
---@param height esker.Field|esker.Image|esker.RiverNetwork|esker.Points|esker.Lines|esker.Polygons heights or a mask, an image, points, lines, polygons or rivers, of a square
---@param path string the files, without an ending
---@param arguments? esker.arguments.export
function esker.export(height, path, arguments) end

---Gives the texts in a PNG file: what made it and how to make it again
---@param path string the file
---@return table<string, string> labels a table from name to text
function esker.info(path) end

---Makes a field from a number, a function or a table. values is a number for all cells, a function of the cell's x and y (from 0), or a list of rows. Give size, or width and height; a list of rows needs neither. The field wraps only with wrap = true.
function esker.field(...) end

---Makes points from a list of tables. Each has x and y in cells from the upper left corner of the window, and may have altitude, radius, species and variation, as points:list() gives them; { x, y, altitude } is short for these three. Give size, or width and height, of the window; with wrap = true its opposite edges meet. For paint, draw, distance, flatten and from_points.
function esker.points(...) end

---Makes lines from a list of tables. Each is a list of positions, { x, y } or { x, y, altitude }, in cells from the upper left corner of the window. A table with `parts`, a list of such lists, and `attributes` does as well, as lines:list() gives it. Give size, or width and height, of the window.
function esker.lines(...) end

---Makes polygons from a list of tables. As for lines; a part is an outline, which is closed where it is not. A part with hole = true is cut out of the outline before it. An outline may touch, but not cross, itself.
function esker.polygons(...) end

---Makes a field larger than memory, from a function of windows, a file or a field. The function `window` gives the field of width × height cells whose first is at (x, y) of the whole. It is called with up to 2048 × 2048. Instead there may be `file` (.npy, .r32, .tif, .tiff, with width and height where the file does not say them, or another raster that GDAL reads), `mosaic`, a list as esker.mosaic takes it, or `field`. Such a field has the operations that read only cells nearby, those of water (fill, breach, flow, basins, catchments, orders, rivers, heights above them), contours, pictures, statistics, save, export and mesh. Its crop, overview and resize give fields in memory, and keep stores the cells. `rows` is the number of rows that are in memory at once. A recipe may return such a field: it is saved, and tiles are drawn of it.
function esker.large(...) end

---Joins rasters that lie beside each other or overlap, files or fields, into one field. All lie in one coordinate system, on cells that fit: align or gdalwarp -tap brings others onto them. Where several have data, the last in the list counts; where none has, cells have no data. A .vrt stands for the files that it joins, with its own extent. esker.large{ mosaic = { … } } is the same for a whole larger than memory.
function esker.mosaic(...) end

---Sets the number of threads that operations use, and returns it. 0 means one thread per processor. The number is limited by -j and by the number of processors; runs of a sweep use one. Results do not depend on it.
function esker.threads(...) end

---Gives the bytes that fields and images use now, and their peak. esker.memory(true) also resets the peak.
function esker.memory(...) end

---Reports the progress of a loop in a recipe. A terminal shows it, with the time left, after the first second of work.
function esker.progress(...) end

---Gives the time of a monotonic clock, in seconds. Use it to measure durations.
function esker.seconds(...) end

---Gives the declarations of all operations as a table. Name, category, inputs, outputs, and parameters with kind, default and range.
function esker.operations(...) end

---Gives the declarations of all value types as a table. Name, kind, properties, methods, file formats, and the Lua text that makes a picture of one.
function esker.values(...) end

---Gives the declarations of all file formats as a table. Name, endings, what they hold and keep, and the arguments of load and save that they take. PNG (.png). GeoTIFF (.tif, .tiff; needs GDAL). OpenEXR (.exr; needs OpenEXR). ESRI ASCII grid (.asc). numpy (.npy). raw integers (.r16, .raw). raw floats (.r32). PGM (.pgm). another raster (.img, .hgt, .dem, .bil, .bip, .bsq, .flt, .dat, .bt, .jp2, .dt0, .dt1, .dt2, .ter, .grd, .gtx, .rst, .sdat, .kap, .xyz, .grb, .grb2, .grib; needs GDAL). GeoJSON (.geojson). GeoPackage (.gpkg; needs GDAL). Shapefile (.shp; needs GDAL). FlatGeobuf (.fgb; needs GDAL). CSV (.csv). Azgaar's map (.json). SVG (.svg). Wavefront OBJ (.obj). PLY (.ply). STL (.stl). glTF (.glb).
function esker.formats(...) end

---The palettes by name, each a list of { height, "#rrggbb" }. alpine, arctic, atlas, cyclic, desert, diverging, grey, ground, heights, hypsometric, koppen, mars, viridis, volcanic. Arguments that take a palette also take such a list: { { 0, "#202020" }, { 1, "#ffffff" } }, which is an even grey ramp. Colours between two stops are blended in linear light.
function esker.palettes(...) end

---Runs a recipe over parameters and gives the table of runs as a list of rows. Available in the session and in trusted recipes. Further arguments, as in esker sweep: draw = { name = { low, high } } with samples, design, where, output, workers, time_limit, memory_limit, pictures = false. A row has parameters, results, status, seconds, memory (bytes), message and key. The list has all runs of the output folder.
function esker.sweep(...) end

---Declares a recipe's parameters with their defaults.
---@param declarations table<string, any>
---@return table<string, any>
function params(declarations) end

return esker
