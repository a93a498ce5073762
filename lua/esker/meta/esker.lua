---@meta
-- For editors: the Lua language server reads this. Written from the declarations by `make docs`.

---@class esker.arguments.diamond_square
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field seed? integer any whole number; the same seed gives the same bytes (default 0)
---@field persistence? number by how much the range of offsets falls from level to level; higher is rougher (default 0.5)
---@field distribution? "uniform"|"gaussian" how the offsets are distributed inside their range (default "uniform")
---@field smooth? boolean multiplies the offsets with the local height, so that low ground is smooth (default false)
---@field lattice? integer points of the first lattice along the shorter side; more give smaller hills (default 8)

---@class esker.arguments.spectral
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field seed? integer any whole number; the same seed gives the same bytes (default 0)
---@field persistence? number amplitude of an octave against the one before; higher is rougher (default 0.5)
---@field octaves? integer octaves to add; 0 or too many: until the lattice is as fine as the field (default 0)
---@field lattice? integer points of the first octave's lattice along the shorter side; more give smaller hills (default 4)
---@field interpolation? "linear"|"cubic"|"spline" linear shows faint horizontal and vertical marks; spline is the smoothest, lattices do not show (default "cubic")

---@class esker.arguments.voronoi
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field seed? integer any whole number; the same seed gives the same bytes (default 0)
---@field regions? integer regions along the shorter side (default 4)
---@field points_per_region? integer feature points in each region (default 1)
---@field coefficients? number[] factors of the distances to the nearest point, the second nearest and so on, up to 8 (default {-1, 1})
---@field metric? "squared"|"euclidean" dx² + dy², or its square root (default "squared")
---@field hill_coverage? number the share of hills that are kept (default 1)
---@field offset? number added to all heights, which are then clipped at 0; below 0 it widens the passages (default 0)
---@field domain? "none"|"random"|"binary" random multiplies each hill by its domain's value; binary makes the domain map 0 or 1 (default "none")

---@class esker.arguments.perturb
---@field seed? integer any whole number; the same seed gives the same bytes (default 0)
---@field wrap? boolean whether opposite edges meet, as those of a terrain that tiles do; by default as the field says (height.wraps)
---@field magnitude? number no cell is displaced further, as a share of N, the longer side (default 0.25)
---@field lattice? integer points of the noise's first lattice along the shorter side; more crumple finer (default 16)

---@class esker.arguments.normalize
---@field low? number what the lowest height becomes (default 0)
---@field high? number what the highest height becomes (default 1)

---@class esker.arguments.clamp
---@field low? number lower heights become this (default 0)
---@field high? number higher heights become this (default 1)

---@class esker.arguments.blur
---@field wrap? boolean whether opposite edges meet, as those of a terrain that tiles do; by default as the field says (height.wraps)
---@field sigma? number the blur's standard deviation (default 2)

---@class esker.arguments.curve
---@field points? number[][] points { height, new height }, rising (default {{0, 0}, {1, 1}})
---@field interpolation? "cubic"|"linear" between the points (default "cubic")

---@class esker.arguments.resize
---@field wrap? boolean whether opposite edges meet, as those of a terrain that tiles do; by default as the field says (height.wraps)
---@field size? integer new width and height (default 128)
---@field width? integer new width, instead of size
---@field height? integer new height, instead of size
---@field interpolation? "linear"|"cubic"|"nearest" between cells, where the new field is finer (default "linear")

---@class esker.arguments.crop
---@field wrap? boolean whether opposite edges meet, as those of a terrain that tiles do; by default as the field says (height.wraps)
---@field x? integer left column (default 0)
---@field y? integer top row (default 0)
---@field width? integer columns; 0: all, or up to the edge where edges do not meet
---@field height? integer rows; 0: all, or up to the edge where edges do not meet

---@class esker.arguments.thermal_erosion
---@field wrap? boolean whether opposite edges meet, as those of a terrain that tiles do; by default as the field says (height.wraps)
---@field method? "fast"|"reference" "fast": slopes face every way alike; "reference": as the paper's (default "fast")
---@field iterations? integer passes over the field (default 50)
---@field talus? number height differences up to this are stable (default 4)
---@field c? number the share of what exceeds the talus that slides in a pass; ripples may stay above 0.25 (default 0.25)
---@field mask? esker.Field how easily each cell erodes, 0 to 1: at 0 it gives nothing away, but still receives; 1 everywhere when not given

---@class esker.arguments.hydraulic_erosion
---@field wrap? boolean whether opposite edges meet, as those of a terrain that tiles do; by default as the field says (height.wraps)
---@field method? "fast"|"reference" the paper's optimized method, or the one it is measured against (default "fast")
---@field iterations? integer showers of rain (default 100)
---@field rain? number water on each cell in a shower (default 0.01)
---@field solubility? number ground that a unit of water dissolves (default 0.01)
---@field evaporation? number the share of the water that evaporates after a shower (default 0.5)
---@field capacity? number sediment that a unit of water can carry; reference only, fast uses the solubility (default 1)
---@field mask? esker.Field how easily each cell erodes, 0 to 1: at 0 it gives nothing away, but still receives; 1 everywhere when not given

---@class esker.arguments.olsen_erosion
---@field wrap? boolean whether opposite edges meet, as those of a terrain that tiles do; by default as the field says (height.wraps)
---@field iterations? integer passes over the field (default 50)
---@field talus? number the greatest height difference that is levelled (default 16)
---@field mask? esker.Field how easily each cell erodes, 0 to 1: at 0 it gives nothing away, but still receives; 1 everywhere when not given

---@class esker.arguments.slope
---@field wrap? boolean whether opposite edges meet, as those of a terrain that tiles do; by default as the field says (height.wraps)

---@class esker.arguments.erosion_score
---@field wrap? boolean whether opposite edges meet, as those of a terrain that tiles do; by default as the field says (height.wraps)

---@class esker.arguments.playability
---@field wrap? boolean whether opposite edges meet, as those of a terrain that tiles do; by default as the field says (height.wraps)
---@field unit_slope? number units go where the slope is below this (default 8)
---@field building_slope? number buildings stand where the slope is below this (default 2)
---@field unit_size? integer side of the square that a unit takes (default 1)
---@field building_size? integer side of the square that a building takes (default 9)
---@field rivers? esker.Field barriers: nobody walks or builds where this is at least 0.5, such as render's river; set a cell to 0 for a ford

---@class esker.arguments.histogram
---@field bins? integer intervals of equal width (default 64)
---@field low? number where the first begins (default 0)
---@field high? number where the last ends; with low 0: from the lowest to the highest height (default 0)

---@class esker.arguments.relative_height
---@field wrap? boolean whether opposite edges meet, as those of a terrain that tiles do; by default as the field says (height.wraps)
---@field radius? integer how far the surroundings reach: a square of 2 × radius + 1 (default 8)

---@class esker.arguments.river_map
---@field seed? integer any whole number; the same seed gives the same bytes (default 0)
---@field tiling? "right"|"penrose"|"scalene"|"sphere"|"tetrahedra" how triangles cover the map; right: right-angled triangles, the fastest and deepest; penrose: Penrose tiles, without a grid's directions; scalene: scalene triangles, without a grid's directions; sphere: a planet of scalene triangles; tetrahedra: a planet of tetrahedra, without rivers (default "right")
---@field rivers? boolean false: land and sea only (default true)
---@field islands? boolean islands in fjords, and straits (section 4) (default false)
---@field wide? boolean rivers as wide as what they drain makes them (section 7), not lines (default false)
---@field river_width? number of wide rivers, in map units: that of one that drains the whole map; others go by the root of the area (default 0.004)
---@field rules? "mended"|"paper" the paper's rules let a few rivers split downstream; mended ones do not (default "mended")
---@field sea_level? number the sea rises by so much: altitudes of corners and guide count from it (default 0)
---@field corners? number[] altitudes of the map's four corners in reading order; from the seed when not given (default {})
---@field guide? esker.Field altitudes -1 to 1 of the whole map, of any size: followed down to its resolution, then refined
---@field k1? number how much altitude varies with distance (default 0.32)
---@field k2? number how much altitude varies with differences of altitude (default 0.55)
---@field k3? number rivers begin above this altitude (default 0.1)
---@field k4? number and lead to ground below this one (default -0.1)
---@field k5? number probability that a river is extended upwards (default 0.7)
---@field k6? number probability that a river branches, a unit of length of the edge at hand (default 2)
---@field k7? number islands lie in fjords whose river is below this altitude (default -0.1)
---@field k8? number probability of an island (default 0.15)

---@class esker.arguments.render
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field x? number|string the window's centre, 0 at the map's left; a string of digits names a place more exactly (default 0.5)
---@field y? number|string the same, 0 at the top (default 0.5)
---@field zoom? number the window's longer side is the map's divided by this (default 1)
---@field style? "smooth"|"paper" rivers as antialiased lines, or as whole pixels, as published (default "smooth")
---@field projection? "equirectangular"|"orthographic"|"cube" of planets: a map; what one sees from far away, with the deepest sea around it; or a face of a cube around it (default "equirectangular")
---@field face? "front"|"right"|"back"|"left"|"top"|"bottom" of the cube (default "front")
---@field rotation? number[] of planets: longitude and latitude that lie in the middle of the whole map (default {})
---@field relative? boolean altitudes count from that of the window's centre: deep inside the land, where pixels differ in digits that an altitude does not have room for (default false)

---@class esker.arguments.rivers
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field x? number|string the window, as in render (default 0.5)
---@field y? number|string the same (default 0.5)
---@field zoom? number the same (default 1)

---@class esker.arguments.squig_curve
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field seed? integer any whole number; the same seed gives the same bytes (default 0)
---@field levels? integer how often the triangle is subdivided (default 7)
---@field entry? "left"|"right"|"bottom" the edge where the river enters (default "left")
---@field exit? "left"|"right"|"bottom" and where it leaves (default "right")
---@field tributaries? number the chance of a triangle to get one when it is subdivided (default 0)
---@field branch_levels? integer at so many levels, from the first, tributaries begin (default 5)
---@field river_width? number where the river leaves, in sides of the window; others by the square root of what they drain (default 0.006)

---@class esker.arguments.squig_mountain
---@field seed? integer any whole number; the same seed gives the same bytes (default 0)
---@field levels? integer how often the triangles are subdivided; the grid has 2^levels + 1 vertices a side (default 9)
---@field size? integer width and height of the fields; 0: a cell for each vertex (default 0)
---@field entry? "left"|"top"|"right"|"bottom" the side where the river enters (default "left")
---@field exit? "left"|"top"|"right"|"bottom" and where it leaves (default "right")
---@field persistence? number displacements of each level, in those of the one before; the more, the rougher (default 0.5)
---@field smoothness? number 1: middles of edges also follow the corners that face them, which leaves fewer creases; 0: as published (default 0)
---@field slope? number how much lower the river leaves than it enters, in heights; 0: level, as published (default 0)
---@field waterfalls? number how much of its fall the river makes at few places, 0: none (default 0)
---@field symmetry? number 1: both sides of the valley are alike; 0: as published, one often almost vertical (default 0)
---@field valley_width? number to each side of the river, in sides; with symmetry (default 0.15)
---@field tributaries? number the chance of a triangle on the river to get one when it is subdivided (default 0)
---@field river_width? number of the river where it leaves, in sides; others by the square root of what they drain, and a cell at least (default 0.003)
---@field branch_levels? integer at so many levels, from the first, tributaries begin (default 6)

---@class esker.arguments.river_network
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field seed? integer any whole number; the same seed gives the same bytes (default 0)
---@field points? integer attraction points; the more, the more tributaries (default 8000)
---@field rivers? integer at most so many rivers; the points closest to the boundary become their mouths (default 4)
---@field mouths? number[][] the mouths by hand instead, a list of { x, y } (default {})
---@field mouth_spacing? number how far mouths keep apart, where there is room (default 0.2)
---@field reach? number points farther from a tributary do not pull it; 0: 1.8 mean distances between points, and more where none is so close (default 0)
---@field kill? number a point so close to a tributary is reached; 0: half of reach (default 0)
---@field step? number how far a tributary grows at once; 0: as kill (default 0)
---@field max_steps? integer stop after so many steps; 0: when no point pulls any more (default 0)
---@field boundary? "rectangle"|"ellipse" where rivers grow: in the window, or on an oval island in it (default "rectangle")
---@field polygon? number[][] the coast by hand instead, a list of corners { x, y } (default {})
---@field mask? esker.Field the land instead: cells over 0.5
---@field ridges? integer random ridges, which no tributary crosses (default 0)
---@field ridge_lines? number[][] ridges by hand: places { ridge, x, y }, those of one number in a row (default {})
---@field ridge_resolution? integer straight lines of a ridge between two places (default 10)
---@field concavity? number how much steeper rivers are upstream: gradients go with area^-concavity; 0: all alike (default 0.35)
---@field steepest? number how much higher than another river beside it one may lie, in heights a side: from half of this at the sea to one and a half times at the top (default 3)
---@field floodplain? number how far from its banks a river keeps others low, in its widths (default 3)
---@field meander? number how much rivers wind, the more the wider and the lower they are; 0: straight from point to point (default 1)
---@field river_width? number of the largest river at its mouth; others by the square root of what they drain (default 0.01)

---@class esker.arguments.terrain
---@field seed? integer any whole number; the same seed gives the same bytes (default 0)
---@field style? "valleys"|"paper" the lowest of all valleys, or the blended disks of the paper (default "valleys")
---@field scale? number cells for each cell of the network's window (default 1)
---@field slope? number of the land beside rivers, in heights a side; twice the network's steepest or more keeps every river in its bed (default 10)
---@field upstream? number how much steeper land is beside high rivers: 0 all alike, 1 from half to one and a half times (default 1)
---@field floodplain? number how far from its banks a river has levelled the land, in its widths; as in the network (default 3)
---@field roughness? number how much slopes vary from place to place (default 0.3)
---@field radius? number of disks, in sides (style "paper") (default 0.025)

---@class esker.arguments.fill
---@field slope? number how steeply every way out falls at least, which raises flatter ground outside pits as well; 0: filled ground is flat (default 0)
---@field sea_level? number lower ground is sea, into which water drains (default 0)

---@class esker.arguments.flow_accumulation
---@field method? "d8"|"dinf" all water of a cell into its steepest neighbour, or parted between two by the slope's direction (default "d8")
---@field sea_level? number lower ground is sea, into which water drains (default 0)
---@field rain? esker.Field what falls on each cell, 0 or more; without it 1

---@class esker.arguments.rivers_from_flow
---@field threshold? number a river begins where so much drains, as a share of all cells (default 0.001)
---@field sea_level? number lower ground is sea, where rivers end (default 0)
---@field river_width? number of the largest river, in sides; others by the square root of what they drain (default 0.01)

---@class esker.arguments.relief
---@field wrap? boolean whether opposite edges meet, as those of a terrain that tiles do; by default as the field says (height.wraps)
---@field palette? string|table[] colours for heights -1 (deepest) to 1 (highest), 0 at the shore (default "hypsometric")
---@field light? number[] where light comes from: azimuth clockwise from north, altitude above the horizon (default {315, 45})
---@field sea_level? number lower ground is sea (default 0)
---@field exaggeration? number how steep the ground is shaded; 1: the range of heights is N/16 cells (default 1)
---@field contrast? number strength of light and shade (default 0.85)
---@field low? number the lowest height that has a colour (default 0)
---@field high? number the highest; without low and high: 0 to 1, farther where heights go beyond, but the field's own range where all lie above 1 or below -1 (default 0)
---@field rivers? esker.Field where rivers are drawn, down to the sea: 0 none, 1 water; in the palette's colour for -0.4, or blue where it has no sea
---@field projection? "plane"|"equirectangular"|"orthographic"|"cube" of a planet's heights: as they were rendered, which is how far apart cells lie; orthographic heights become a globe in space (default "plane")
---@field latitudes? number[] of an equirectangular map's upper and lower edge (default {90, -90})
---@field face? "front"|"right"|"back"|"left"|"top"|"bottom" of the cube (default "front")
---@field air? number how thick the air around a globe is (default 1)

---@class esker.arguments.perspective
---@field size? integer width and height (default 512)
---@field width? integer width, with height instead of size
---@field height? integer height, with width instead of size
---@field azimuth? number where the camera looks, clockwise from north (default 330)
---@field pitch? number how far it looks down (default 30)
---@field distance? number from the target, in sides of the field (default 1.35)
---@field target? number[] what is in the middle, { x, y, z } in sides, z above the sea; without it the field's middle (default {})
---@field camera? number[] where the camera is, likewise; without it as azimuth, pitch and distance say (default {})
---@field field_of_view? number from the picture's lower to its upper edge (default 30)
---@field vertical_scale? number how high the ground is; 1: the range of heights is N/16 cells, as relief shades it (default 1)
---@field light? number[] where the sun is: azimuth clockwise from north, altitude above the horizon (default {290, 32})
---@field sea_level? number lower ground is under water, which goes on to the horizon; none where nothing is lower (default 0)
---@field rivers? esker.Field where rivers are: how much of each cell is water, 0 to 1; of the height's size. They have the palette's colour for -0.4, blue where it has no sea
---@field palette? string|table[] colours for heights -1 (deepest) to 1 (highest), 0 at the shore; rock and the sea go with it (default "alpine")
---@field drape? esker.Image an image that covers the ground instead, of the height's size; where it is clear, the palette shows
---@field rock? number how soon steep ground is bare rock; 0: never (default 1)
---@field haze? number how soon distant ground fades into the air (default 0.35)
---@field low? number the lowest height that has a colour (default 0)
---@field high? number the highest; without low and high: 0 to 1, farther where heights go beyond, but the field's own range where all lie above 1 or below -1 (default 0)

---@class esker.arguments.draw
---@field scale? number pixels for each cell of the network's window (default 1)
---@field line? number the least width of a line, in pixels; below 1 it is fainter instead (default 0.4)

---@class esker.arguments.join
---@field direction? "right"|"below" where the second image goes (default "right")
---@field gap? integer white pixels between them (default 4)

---@class esker.arguments.mesh
---@field error? number in heights: no point of the field lies farther above or below the mesh; 0: all points are in it (default 0)
---@field side? number the map's longer side: 100 for 100 mm where a printer reads mm (default 1)
---@field vertical_scale? number how high the ground is; 1: the range of heights is a sixteenth of the side, as in perspective (default 1)
---@field base? number how thick the ground is below its lowest point, in the unit of side, closed by walls and a floor; 0: a surface (default 0)

---@class esker.arguments.load
---@field low? number the height of the file's 0 (default 0)
---@field high? number the height of the file's largest number; with low 0: as the file says, or 0 to 1 (default 0)
---@field width? integer of a .r16, which does not tell
---@field height? integer of a .r16, which does not tell
---@field max_pixels? number larger pictures are refused (default 268435456)
---@field wrap? boolean true: opposite edges of the heights meet, as those of a terrain that tiles do (default false)

---@class esker.arguments.save
---@field bits? "16"|"8" bits a height, in .png and .pgm (default "16")
---@field low? number the height that becomes 0 (default 0)
---@field high? number the height that becomes the largest number; with low 0: the field's highest, and low its lowest (default 0)

---heights: a grid of 32-bit floats, all of them finite
---@class esker.Field
---@field width integer cells from left to right
---@field height integer cells from top to bottom
---@field wraps boolean whether opposite edges meet; may be set
---@field get fun(self: esker.Field, x: integer, y: integer): number the height of one cell; (0, 0) is at the top left
---@field set fun(self: esker.Field, x: integer, y: integer, height: number) changes the height of one cell
---@field hash fun(self: esker.Field): string 16 hex digits, the same wherever all bits are
---@field show fun(self: esker.Field) shows it in the terminal
---@operator add(number|esker.Field): esker.Field
---@operator sub(number|esker.Field): esker.Field
---@operator mul(number|esker.Field): esker.Field
---@operator div(number|esker.Field): esker.Field
---@operator pow(number|esker.Field): esker.Field
---@operator unm: esker.Field
local Field = {}

---Crumples a terrain: every cell is displaced a random way in a random direction
---@param arguments? esker.arguments.perturb
---@return esker.Field height displaced heights
function Field:perturb(arguments) end

---Scales heights so that they span 0 to 1, or another range
---@param arguments? esker.arguments.normalize
---@return esker.Field height scaled heights
function Field:normalize(arguments) end

---Cuts heights off at a lower and an upper bound
---@param arguments? esker.arguments.clamp
---@return esker.Field height heights from low to high
function Field:clamp(arguments) end

---Blends two fields: a where the weight is 0, b where it is 1
---@param b esker.Field|number heights for weight 1
---@param weight esker.Field|number the share of b, 0 to 1
---@return esker.Field height blended heights
function Field:lerp(b, weight) end

---Smooths a field, nearly as a gaussian does
---@param arguments? esker.arguments.blur
---@return esker.Field height smoothed heights
function Field:blur(arguments) end

---Sends heights through a curve: terraces, plateaus, shelves
---@param arguments? esker.arguments.curve
---@return esker.Field height new heights
function Field:curve(arguments) end

---Gives a terrain another resolution
---@param arguments? esker.arguments.resize
---@return esker.Field height the same terrain with more or fewer cells
function Field:resize(arguments) end

---Cuts out a rectangle, or moves a terrain that tiles
---@param arguments? esker.arguments.crop
---@return esker.Field height the rectangle
function Field:crop(arguments) end

---Adds; a + b does the same
---@param b esker.Field|number right side
---@return esker.Field result cell by cell
function Field:add(b) end

---Subtracts; a - b does the same
---@param b esker.Field|number right side
---@return esker.Field result cell by cell
function Field:subtract(b) end

---Multiplies; a * b does the same
---@param b esker.Field|number right side
---@return esker.Field result cell by cell
function Field:multiply(b) end

---Divides; a / b does the same
---@param b esker.Field|number right side
---@return esker.Field result cell by cell
function Field:divide(b) end

---Raises to a power; a ^ b does the same
---@param b esker.Field|number right side
---@return esker.Field result cell by cell
function Field:power(b) end

---Turns the sign; -a does the same
---@return esker.Field result cell by cell
function Field:negate() end

---Takes the lower of the two
---@param b esker.Field|number right side
---@return esker.Field result cell by cell
function Field:min(b) end

---Takes the higher of the two
---@param b esker.Field|number right side
---@return esker.Field result cell by cell
function Field:max(b) end

---Takes the magnitude
---@return esker.Field result cell by cell
function Field:abs() end

---Lets material slide down slopes that are steeper than the talus
---@param arguments? esker.arguments.thermal_erosion
---@return esker.Field height eroded heights
function Field:thermal_erosion(arguments) end

---Lets rain dissolve the ground, carry it down and leave it in the valleys
---@param arguments? esker.arguments.hydraulic_erosion
---@return esker.Field height eroded heights
function Field:hydraulic_erosion(arguments) end

---Levels what is flatter than the talus and leaves steeper slopes alone
---@param arguments? esker.arguments.olsen_erosion
---@return esker.Field height eroded heights
function Field:olsen_erosion(arguments) end

---Gives the greatest height difference between each cell and its four neighbours
---@param arguments? esker.arguments.slope
---@return esker.Field slope height differences, 0 or more
function Field:slope(arguments) end

---Tells how eroded a terrain is: the slope map's standard deviation divided by its mean
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

---Counts the cells by height
---@param arguments? esker.arguments.histogram
---@return number[] counts cells in each interval
function Field:histogram(arguments) end

---Tells how far each cell lies above the average of its surroundings
---@param arguments? esker.arguments.relative_height
---@return esker.Field relative above 0 on ridges, below 0 in valleys
function Field:relative_height(arguments) end

---Fills the pits of a terrain, so that water runs off from everywhere
---@param arguments? esker.arguments.fill
---@return esker.Field filled heights without pits
function Field:fill(arguments) end

---Gives what drains through each cell: its own rain, and that of all cells above it
---@param arguments? esker.arguments.flow_accumulation
---@return esker.Field flow what drains through, in cells
function Field:flow_accumulation(arguments) end

---Finds the rivers of a terrain: where enough water runs down
---@param arguments? esker.arguments.rivers_from_flow
---@return esker.RiverNetwork network the rivers
function Field:rivers_from_flow(arguments) end

---Draws a shaded relief map: colours by height, sea, light and shade
---@param arguments? esker.arguments.relief
---@return esker.Image image the map
function Field:relief(arguments) end

---Shows a terrain as a camera sees it: sun and shadows, water, haze
---@param arguments? esker.arguments.perspective
---@return esker.Image image the view
function Field:perspective(arguments) end

---Makes a mesh of triangles from heights, with as few as an error allows
---@param arguments? esker.arguments.mesh
---@return esker.Mesh mesh the triangles
function Field:mesh(arguments) end

---Writes heights (.png, .r16, .asc, .pgm), an image (.png), a river network (.geojson, .svg) or a mesh (.obj, .ply, .stl)
---@param path string the file, its ending the format
---@param arguments? esker.arguments.save
function Field:save(path, arguments) end

---a grid of 8-bit RGBA pixels
---@class esker.Image
---@field width integer pixels from left to right
---@field height integer pixels from top to bottom
---@field hash fun(self: esker.Image): string 16 hex digits, the same wherever all bits are
---@field show fun(self: esker.Image) shows it in the terminal
local Image = {}

---Puts two images side by side, or one below the other
---@param second esker.Image another, of any size
---@param arguments? esker.arguments.join
---@return esker.Image image both
function Image:join(second, arguments) end

---Writes heights (.png, .r16, .asc, .pgm), an image (.png), a river network (.geojson, .svg) or a mesh (.obj, .ply, .stl)
---@param path string the file, its ending the format
---@param arguments? esker.arguments.save
function Image:save(path, arguments) end

---a zoomable map
---@class esker.RiverMap
---@field show fun(self: esker.RiverMap) shows it in the terminal
local RiverMap = {}

---Draws a window of a zoomable map, at any zoom in about the same time
---@param arguments? esker.arguments.render
---@return esker.Field altitude -1 to 1, the sea at 0
---@return esker.Field river the width in cells of a river that covers the pixel; below 1, how much is covered
function RiverMap:render(arguments) end

---Gives the rivers in a window of a zoomable map as lines, with what flows into what
---@param arguments? esker.arguments.rivers
---@return esker.RiverNetwork network the rivers
function RiverMap:rivers(arguments) end

---rivers: reaches from springs and confluences down to mouths
---@class esker.RiverNetwork
---@field width integer cells of the window from left to right
---@field height integer cells of the window from top to bottom
---@field reaches fun(self: esker.RiverNetwork): table[] lists of points, each from a spring or confluence downstream; with order, downstream and mouth
---@field walk fun(self: esker.RiverNetwork, reach: integer): (fun(): table?) goes over the points from a reach's first down to where the river ends
---@field ridges fun(self: esker.RiverNetwork): table[] the ridges as lists of points
---@field place fun(self: esker.RiverNetwork, x: number, y: number): string, string where a place of the window lies on the map, as river_map's views take it
---@field hash fun(self: esker.RiverNetwork): string 16 hex digits, the same wherever all bits are
---@field show fun(self: esker.RiverNetwork) shows it in the terminal
local RiverNetwork = {}

---Shapes the land around a river network, every valley by its river
---@param arguments? esker.arguments.terrain
---@return esker.Field height heights, rivers in their valleys
---@return esker.Field river 0 where none, a river's width in cells, at its banks the share of the cell
function RiverNetwork:terrain(arguments) end

---Measures a river network: Horton's ratios, Hack's exponent, drainage density
---@return { reaches: number, mouths: number, order: number, length: number, density: number, number_ratio: number, length_ratio: number, area_ratio: number, hack: number, sinuosity: number }
function RiverNetwork:network_statistics() end

---Draws a river network: rivers as wide as they are, ridges, and the sea around
---@param arguments? esker.arguments.draw
---@return esker.Image image the drawing
function RiverNetwork:draw(arguments) end

---Writes heights (.png, .r16, .asc, .pgm), an image (.png), a river network (.geojson, .svg) or a mesh (.obj, .ply, .stl)
---@param path string the file, its ending the format
---@param arguments? esker.arguments.save
function RiverNetwork:save(path, arguments) end

---a surface of triangles
---@class esker.Mesh
---@field points integer how many points
---@field triangles integer how many triangles
---@field hash fun(self: esker.Mesh): string 16 hex digits, the same wherever all bits are
local Mesh = {}

---Writes heights (.png, .r16, .asc, .pgm), an image (.png), a river network (.geojson, .svg) or a mesh (.obj, .ply, .stl)
---@param path string the file, its ending the format
---@param arguments? esker.arguments.save
function Mesh:save(path, arguments) end

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

---Crumples a terrain: every cell is displaced a random way in a random direction
---@param height esker.Field heights
---@param arguments? esker.arguments.perturb
---@return esker.Field height displaced heights
function esker.perturb(height, arguments) end

---Scales heights so that they span 0 to 1, or another range
---@param height esker.Field heights
---@param arguments? esker.arguments.normalize
---@return esker.Field height scaled heights
function esker.normalize(height, arguments) end

---Cuts heights off at a lower and an upper bound
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

---Smooths a field, nearly as a gaussian does
---@param height esker.Field heights
---@param arguments? esker.arguments.blur
---@return esker.Field height smoothed heights
function esker.blur(height, arguments) end

---Sends heights through a curve: terraces, plateaus, shelves
---@param height esker.Field heights
---@param arguments? esker.arguments.curve
---@return esker.Field height new heights
function esker.curve(height, arguments) end

---Gives a terrain another resolution
---@param height esker.Field heights
---@param arguments? esker.arguments.resize
---@return esker.Field height the same terrain with more or fewer cells
function esker.resize(height, arguments) end

---Cuts out a rectangle, or moves a terrain that tiles
---@param height esker.Field heights
---@param arguments? esker.arguments.crop
---@return esker.Field height the rectangle
function esker.crop(height, arguments) end

---Adds; a + b does the same
---@param a esker.Field|number left side
---@param b esker.Field|number right side
---@return esker.Field result cell by cell
function esker.add(a, b) end

---Subtracts; a - b does the same
---@param a esker.Field|number left side
---@param b esker.Field|number right side
---@return esker.Field result cell by cell
function esker.subtract(a, b) end

---Multiplies; a * b does the same
---@param a esker.Field|number left side
---@param b esker.Field|number right side
---@return esker.Field result cell by cell
function esker.multiply(a, b) end

---Divides; a / b does the same
---@param a esker.Field|number left side
---@param b esker.Field|number right side
---@return esker.Field result cell by cell
function esker.divide(a, b) end

---Raises to a power; a ^ b does the same
---@param a esker.Field|number left side
---@param b esker.Field|number right side
---@return esker.Field result cell by cell
function esker.power(a, b) end

---Turns the sign; -a does the same
---@param a esker.Field any field
---@return esker.Field result cell by cell
function esker.negate(a) end

---Takes the lower of the two
---@param a esker.Field|number left side
---@param b esker.Field|number right side
---@return esker.Field result cell by cell
function esker.min(a, b) end

---Takes the higher of the two
---@param a esker.Field|number left side
---@param b esker.Field|number right side
---@return esker.Field result cell by cell
function esker.max(a, b) end

---Takes the magnitude
---@param a esker.Field any field
---@return esker.Field result cell by cell
function esker.abs(a) end

---Lets material slide down slopes that are steeper than the talus
---@param height esker.Field heights, 0 to 1
---@param arguments? esker.arguments.thermal_erosion
---@return esker.Field height eroded heights
function esker.thermal_erosion(height, arguments) end

---Lets rain dissolve the ground, carry it down and leave it in the valleys
---@param height esker.Field heights, 0 to 1
---@param arguments? esker.arguments.hydraulic_erosion
---@return esker.Field height eroded heights
function esker.hydraulic_erosion(height, arguments) end

---Levels what is flatter than the talus and leaves steeper slopes alone
---@param height esker.Field heights, 0 to 1
---@param arguments? esker.arguments.olsen_erosion
---@return esker.Field height eroded heights
function esker.olsen_erosion(height, arguments) end

---Gives the greatest height difference between each cell and its four neighbours
---@param height esker.Field heights
---@param arguments? esker.arguments.slope
---@return esker.Field slope height differences, 0 or more
function esker.slope(height, arguments) end

---Tells how eroded a terrain is: the slope map's standard deviation divided by its mean
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

---Counts the cells by height
---@param height esker.Field heights
---@param arguments? esker.arguments.histogram
---@return number[] counts cells in each interval
function esker.histogram(height, arguments) end

---Tells how far each cell lies above the average of its surroundings
---@param height esker.Field heights
---@param arguments? esker.arguments.relative_height
---@return esker.Field relative above 0 on ridges, below 0 in valleys
function esker.relative_height(height, arguments) end

---Makes a map with rivers and fjords that can be drawn at any zoom
---@param arguments? esker.arguments.river_map
---@return esker.RiverMap map the map
function esker.river_map(arguments) end

---Draws a window of a zoomable map, at any zoom in about the same time
---@param map esker.RiverMap a map made by river_map
---@param arguments? esker.arguments.render
---@return esker.Field altitude -1 to 1, the sea at 0
---@return esker.Field river the width in cells of a river that covers the pixel; below 1, how much is covered
function esker.render(map, arguments) end

---Gives the rivers in a window of a zoomable map as lines, with what flows into what
---@param map esker.RiverMap a map made by river_map
---@param arguments? esker.arguments.rivers
---@return esker.RiverNetwork network the rivers
function esker.rivers(map, arguments) end

---A river's course by the subdivision of triangles: Mandelbrot's squig curve, with branches
---@param arguments? esker.arguments.squig_curve
---@return esker.RiverNetwork network the river: one reach without tributaries
function esker.squig_curve(arguments) end

---A mountain and its river in one subdivision: midpoint displacement and a squig curve
---@param arguments? esker.arguments.squig_mountain
---@return esker.Field height heights, 0 to 1
---@return esker.Field river 1 where the river is, 0 elsewhere, in between on the edge
---@return esker.RiverNetwork network the river and its tributaries as lines
function esker.squig_mountain(arguments) end

---Grows rivers from their mouths into the land, by space colonisation
---@param arguments? esker.arguments.river_network
---@return esker.RiverNetwork network the rivers
function esker.river_network(arguments) end

---Shapes the land around a river network, every valley by its river
---@param network esker.RiverNetwork rivers
---@param arguments? esker.arguments.terrain
---@return esker.Field height heights, rivers in their valleys
---@return esker.Field river 0 where none, a river's width in cells, at its banks the share of the cell
function esker.terrain(network, arguments) end

---Fills the pits of a terrain, so that water runs off from everywhere
---@param height esker.Field heights
---@param arguments? esker.arguments.fill
---@return esker.Field filled heights without pits
function esker.fill(height, arguments) end

---Gives what drains through each cell: its own rain, and that of all cells above it
---@param height esker.Field heights
---@param arguments? esker.arguments.flow_accumulation
---@return esker.Field flow what drains through, in cells
function esker.flow_accumulation(height, arguments) end

---Finds the rivers of a terrain: where enough water runs down
---@param height esker.Field heights
---@param arguments? esker.arguments.rivers_from_flow
---@return esker.RiverNetwork network the rivers
function esker.rivers_from_flow(height, arguments) end

---Measures a river network: Horton's ratios, Hack's exponent, drainage density
---@param network esker.RiverNetwork rivers
---@return { reaches: number, mouths: number, order: number, length: number, density: number, number_ratio: number, length_ratio: number, area_ratio: number, hack: number, sinuosity: number }
function esker.network_statistics(network) end

---Draws a shaded relief map: colours by height, sea, light and shade
---@param height esker.Field heights
---@param arguments? esker.arguments.relief
---@return esker.Image image the map
function esker.relief(height, arguments) end

---Shows a terrain as a camera sees it: sun and shadows, water, haze
---@param height esker.Field heights
---@param arguments? esker.arguments.perspective
---@return esker.Image image the view
function esker.perspective(height, arguments) end

---Draws a river network: rivers as wide as they are, ridges, and the sea around
---@param network esker.RiverNetwork rivers
---@param arguments? esker.arguments.draw
---@return esker.Image image the drawing
function esker.draw(network, arguments) end

---Puts two images side by side, or one below the other
---@param first esker.Image an image
---@param second esker.Image another, of any size
---@param arguments? esker.arguments.join
---@return esker.Image image both
function esker.join(first, second, arguments) end

---Makes a mesh of triangles from heights, with as few as an error allows
---@param height esker.Field heights
---@param arguments? esker.arguments.mesh
---@return esker.Mesh mesh the triangles
function esker.mesh(height, arguments) end

---Reads heights (PNG in grey, .r16, .asc, .pgm) or an image (PNG in colour)
---@param path string the file
---@param arguments? esker.arguments.load
---@return esker.Field|esker.Image
function esker.load(path, arguments) end

---Writes heights (.png, .r16, .asc, .pgm), an image (.png), a river network (.geojson, .svg) or a mesh (.obj, .ply, .stl)
---@param picture esker.Field|esker.Image|esker.RiverNetwork|esker.Mesh a field, an image, a river network or a mesh
---@param path string the file, its ending the format
---@param arguments? esker.arguments.save
function esker.save(picture, path, arguments) end

---Gives the texts in a PNG file: what made it, and how to make it again
---@param path string the file
---@return table<string, string> labels a table from name to text
function esker.info(path) end

---Makes a field from a number, a function or a table. values is a number for all cells, a function of the cell's x and y (from 0), or a list of rows. size, or width and height; a list of rows needs neither. The field does not wrap, unless wrap = true says that its opposite edges meet.
function esker.field(...) end

---Sets how many threads operations use, and gives the number. 0 is one for each processor. At most as many as -j says, or as there are processors; one in the runs of a sweep. Results do not depend on it.
function esker.threads(...) end

---Gives the bytes that fields and images use, now and at most. With true, the most is counted afresh.
function esker.memory(...) end

---Tells the terminal how far a loop in a recipe has come. Shown with the time left once the work has taken a second, on a terminal only.
function esker.progress(...) end

---Gives the seconds of a clock that only goes forward. For measuring how long something takes.
function esker.seconds(...) end

---Gives every operation's declaration as a table. Name, category, inputs, outputs, and parameters with kind, default and range.
function esker.operations(...) end

---Gives every value type's declaration as a table. Name, kind, properties, methods, file formats, and the Lua text that makes a picture of one.
function esker.values(...) end

---The palettes by name, each a list of { height, "#rrggbb" }. hypsometric, alpine, desert, arctic, volcanic, mars, grey and heights. Wherever an operation takes a palette it takes a list of your own, too: { { 0, "#202020" }, { 1, "#ffffff" } }; colours between two stops blend in linear light.
function esker.palettes(...) end

---Runs a recipe over parameters and gives its table as a list of rows. In the session and in trusted recipes. Also draw = { name = { low, high } } with samples, design, where, output, workers, time_limit, memory_limit, pictures = false, as in esker sweep. A row has parameters, results, status, seconds, memory (bytes), message and key. All of the folder's runs are in the list.
function esker.sweep(...) end

---Declares a recipe's parameters with their defaults.
---@param declarations table<string, any>
---@return table<string, any>
function params(declarations) end

return esker
