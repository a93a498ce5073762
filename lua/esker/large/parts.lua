-- What large fields give in memory: a part, the whole in fewer cells, and for those who need them meshes and what game
-- engines import.

local esker = require "esker"
local planes = require "esker.planes"

local mesh_cells <const> = 2048 -- along the longer side of what a mesh is made of

-- Adds the methods to `Large`; `rows_of(large, first, rows)` gives rows of it, `rows_around` rows beyond
-- edges that meet, too, `moved_frame` their frames.
return function(Large, rows_of, rows_around, moved_frame)
    -- A part of it, in memory.
    function Large:crop(options)
        options = options or {}
        local x, y, width, height = options.x or 0, options.y or 0, options.width, options.height
        local left, top = math.tointeger(x) or 0, math.tointeger(y) or 0 -- what is none is told before
        for _, each in ipairs{ { "x", x, 0, self.width - 1 }, { "y", y, 0, self.height - 1 },
            { "width", width, 1, self.width - left }, { "height", height, 1, self.height - top } } do
            if math.type(each[2]) ~= "integer" or each[2] < each[3] or each[2] > each[4] then
                error(("crop: %s must be a whole number, %d to %d, got %s"):format(each[1], each[3], each[4],
                    tostring(each[2])), 0)
            end
        end
        if self.plane then
            local part = self.plane:part(x, y, width, height)
            part.frame = moved_frame(self.frame, x, y)
            part.wraps = self.wraps and width == self.width and height == self.height
            return part
        end
        local field = planes.blank(width, height)
        for first = y, y + height - 1, self.rows do
            local rows = math.min(self.rows, y + height - first)
            local part = rows_of(self, first, rows):crop{ x = x, y = 0, width = width, height = rows, wrap = false }
            planes.put(field, part, 0, first - y)
        end
        planes.finish(field)
        field.frame = moved_frame(self.frame, x, y)
        field.wraps = self.wraps and width == self.width and height == self.height
        return field
    end

    -- The whole in fewer cells, in memory: each is the mean of a square of cells, or of all cells along a shorter side.
    function Large:overview(options)
        local size = options and options.size or 1024
        if math.type(size) ~= "integer" or size < 1 then
            error(("overview: size must be a whole number, 1 or more, got %s"):format(tostring(size)), 0)
        end
        local factor = math.max(1, -(-math.max(self.width, self.height) // size))
        local wide, high = math.min(factor, self.width), math.min(factor, self.height)
        local width, height = self.width // wide, self.height // high
        local overview = planes.blank(width, height)
        local at_once = math.max(self.rows // high, 1)
        for y = 0, height - 1, at_once do
            local rows = math.min(at_once, height - y)
            planes.put(overview, planes.shrink(rows_of(self, y * high, rows * high), wide, high), 0, y)
        end
        planes.finish(overview)
        overview.frame = moved_frame(self.frame, 0, 0, wide, high)
        overview.wraps = self.wraps and width * wide == self.width and height * high == self.height
        return overview
    end

    local function resampled(self, width, height, interpolation, wraps)
        local field, mask = planes.blank(width, height), nil
        local at_once = math.max(self.rows * height // self.height, 1)
        -- A cell that counts may have a share of a gap in it, with the nearest height.
        local margin = 8 + 2 * (math.max(self.width // width, self.height // height) + 1)
        for y = 0, height - 1, at_once do
            local rows = math.min(at_once, height - y)
            local top, count = planes.needs(self.height, height, interpolation, y, rows)
            local part = rows_of(self, top, count)
            if part.gaps > 0 then
                mask = mask or planes.blank(width, height)
                local first, last = top - margin, top + count + margin
                if not wraps then
                    first, last = math.max(first, 0), math.min(last, self.height)
                end
                part, top = rows_around(self, first, last - first), first
            end
            planes.resize(self.height, height, interpolation, y, rows, field, part, top, wraps, mask)
            esker.progress(y + rows, height)
        end
        if mask then
            planes.take_gaps(field, mask)
        end
        planes.place(field, self.frame or nil, self.width, self.height, interpolation)
        field.wraps = wraps
        return field
    end

    -- `resize`, to fewer cells along both sides.
    function Large:resize(options)
        options = options or {}
        local width, height, interpolation = planes.sides(self.width, self.height, options)
        if width > self.width or height > self.height then
            error(("resize: of a large field it makes fewer cells, got %d × %d of %d × %d"):format(width, height,
                self.width, self.height), 0)
        end
        local wraps = options.wrap
        if wraps == nil then
            wraps = self.wraps
        end
        return resampled(self, width, height, interpolation, wraps)
    end

    -- The whole with `size` cells along the longer side.
    local function at_most(large, size)
        local longer = math.max(large.width, large.height)
        if size >= longer then
            return large:crop{ width = large.width, height = large.height }
        end
        return large:resize{ width = math.max(large.width * size // longer, 2),
            height = math.max(large.height * size // longer, 2) }
    end

    -- `mesh` of at most `size` cells along the longer side, the means of its own.
    function Large:mesh(options)
        local given = {}
        for name, value in pairs(options or {}) do
            given[name] = value
        end
        local size = given.size or mesh_cells
        if math.type(size) ~= "integer" or size < 2 then
            error(("mesh: size must be a whole number, 2 or more, got %s"):format(tostring(size)), 0)
        end
        given.size = nil
        esker.mesh(esker.field{ size = 2, values = 0 }, given) -- which knows all arguments
        local field = at_most(self, size)
        if field.width < self.width or field.height < self.height then
            warn(("mesh: of %d × %d means of the %d × %d cells (argument size)"):format(field.width, field.height,
                self.width, self.height))
        end
        return field:mesh(given)
    end

    -- `export`, with the same files.
    function Large:export(path, options)
        options = options or {}
        local size, interpolation, cell, spacing =
            planes.export_size(options, self.width, self.height, self.frame or nil)
        local given = {}
        for name, value in pairs(options) do
            given[name] = value
        end
        local found = self:statistics()
        if not given.metres and not (self.frame and self.frame.unit) then
            given.metres = (found.min < -1.5 or found.max > 1.5) and 1 or 1000
        end
        local field
        if size >= self.width then
            field = self:crop{ width = self.width, height = self.height }
        else
            field = resampled(self, size, size, interpolation, false)
            if given.cell or cell == 0 then -- otherwise the frame says it
                given.cell = (given.cell or 1) * spacing
            end
        end
        return field:export(path, given)
    end
end
