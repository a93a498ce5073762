-- `esker search`: finds the parameters that make a result large or small in few, noisy evaluations. A Gaussian process
-- is fitted to the results; the next runs are where it expects the greatest improvement (Jones, Schonlau and Welch
-- 1998) over the best mean that it predicts at a point tried before, since values are noisy. Points are chosen four at
-- a time, each as if the ones before had returned their expected values, so that the search depends neither on the
-- number of workers nor on where it was stopped.

local designs = require "esker.sweep.designs"
local gaussian = require "esker.sweep.gaussian"
local parameters = require "esker.recipe.parameters"
local plans = require "esker.sweep.plans"
local runs = require "esker.sweep.runs"
local usage_error = require "esker.usage_error"

local search = {}

local batch = 4
local first_batches = 3     -- of Sobol's sequence, growing with the number of dimensions
local candidates = 400      -- candidates for improvement, besides those around the best point
local around, near = 80, 0.08

local numeric = { whole = true, integer = true, float = true }

local function read_range(name, text, spec)
    local low, high = designs.range((text:gsub("^~", "")))
    if low and high and low < high and (not spec or numeric[spec.kind]) then
        local whole = spec and (spec.kind == "whole" or spec.kind == "integer" and math.type(low) == "integer"
            and math.type(high) == "integer")
        if whole and spec.kind == "integer" and high - low < 2 then
            usage_error("%s=%d..%d would try %d and %d only: write %s=%d.0..%d for the numbers between, "
                .. "or declare %s with integer = true", name, low, high, low, high, name, low, high, name)
        end
        return { name = name, low = low, high = high, whole = whole }
    end
end

-- NAME=LOW..HIGH for each dimension, and the fixed values: NAME=VALUE.
local function read_words(words, declared)
    local ranges, fixed, seen = {}, {}, {}
    for _, word in ipairs(words) do
        local name, text = word:match("^([%a_][%w_]*)=(.*)$")
        if not name then
            usage_error("search takes NAME=LOW..HIGH and NAME=VALUE, got '%s'", word)
        elseif seen[name] then
            usage_error("%s is given twice", name)
        end
        seen[name] = true
        local range = read_range(name, text, declared[name])
        if range then
            ranges[#ranges + 1] = range
            parameters.read(declared, name, range.low) -- as the recipe would check them
            parameters.read(declared, name, range.high)
        else
            fixed[name] = parameters.read(declared, name, text)
        end
    end
    if #ranges == 0 then
        usage_error "search takes ranges, as in talus=4..32"
    end
    return ranges, fixed
end

local function values_at(ranges, fixed, point, seed)
    local values = { seed = seed }
    for name, value in pairs(fixed) do
        values[name] = value
    end
    for d, range in ipairs(ranges) do
        local value = range.low + (range.high - range.low) * point[d]
        values[range.name] = range.whole and math.min(math.floor(range.low + (range.high - range.low + 1) * point[d]),
            math.tointeger(range.high)) or value
    end
    return values
end

-- Scaled to mean 0 and deviation 1, larger is better.
local function standardised(values, sign)
    local most, mean, squares = 0, 0, 0
    for _, value in ipairs(values) do
        most = math.max(most, math.abs(value))
    end
    most = most > 0 and most or 1 -- keeps squares of the quotients finite
    for _, value in ipairs(values) do
        mean = mean + value / most / #values
    end
    for _, value in ipairs(values) do
        squares = squares + (value / most - mean) ^ 2 / #values
    end
    local deviation = squares > 0 and math.sqrt(squares) or 1
    local scaled = {}
    for i, value in ipairs(values) do
        scaled[i] = sign * (value / most - mean) / deviation
    end
    return scaled, mean * most, deviation * most
end

-- The point tried before whose predicted mean is best: its index, and the mean.
local function best_of(model, points)
    local best, at = -math.huge, 1
    for i, point in ipairs(points) do
        local mean = gaussian.mean(model, point)
        if mean > best then
            best, at = mean, i
        end
    end
    return at, best
end

local function clamp(value)
    return math.max(0, math.min(1, value))
end

-- The next points, given the results so far. Points that were refused count as the worst result, so that the search
-- leaves their surroundings.
local function propose(points, values, barred, dimensions, sobol, round)
    local known, believed, chosen = table.move(points, 1, #points, 1, {}), table.move(values, 1, #values, 1, {}), {}
    local worst = math.min(table.unpack(values))
    for _, point in ipairs(barred) do
        known[#known + 1], believed[#believed + 1] = point, worst
    end
    local model = gaussian.fit(known, believed)
    for i = 1, batch do
        local at, best = best_of(model, known)
        local most, next_point = -1, nil
        for c = 1, candidates + around do
            local point = sobol((round * batch + i) * (candidates + around) + c)
            if c > candidates then
                for d = 1, dimensions do
                    point[d] = clamp(known[at][d] + near * (2 * point[d] - 1))
                end
            end
            local improvement = gaussian.improvement(model, point, best)
            if improvement > most then
                most, next_point = improvement, point
            end
        end
        chosen[i] = next_point
        known[#known + 1], believed[#believed + 1] = next_point, (gaussian.mean(model, next_point))
        model = gaussian.with(model, known, believed) or model
    end
    return chosen
end

-- The points of a round without results.
local function spread(sobol, round)
    local chosen = {}
    for i = 1, batch do
        chosen[i] = sobol(round * batch + i - 1)
    end
    return chosen
end

-- Runs these lists of values; returns each one's result, nil if it failed or is not finite, and whether an error of the
-- recipe or of an operation refused the values.
local function evaluate(list, options, execute)
    local records = execute(list)
    local results, refused = {}, {}
    for i, values in ipairs(list) do
        local record = records[runs.key(options.recipe_hash, values)]
        local result = record and record.status == "done" and record.results[options.objective]
        if record and record.status == "done" and type(result) ~= "number" then
            local names = {}
            for name, value in pairs(record.results) do
                names[#names + 1] = type(value) == "number" and name or nil
            end
            table.sort(names)
            error(("the recipe returned no number '%s'; its numbers: %s"):format(options.objective,
                #names > 0 and table.concat(names, ", ") or "none"), 0)
        end
        results[i] = result and result - result == 0 and result or nil
        refused[i] = record ~= nil and record.status == "failed"
    end
    return results, refused
end

-- `execute(list of values)` runs what has not been run and returns the records by key.
function search.run(options, declared, execute)
    local ranges, fixed = read_words(options.words, declared)
    local sign = options.minimize and -1 or 1
    options.objective = options.maximize or options.minimize
    local vary_seed = declared.seed ~= nil and fixed.seed == nil
    for _, range in ipairs(ranges) do
        vary_seed = vary_seed and range.name ~= "seed"
    end
    local dimensions = #ranges
    local sobol = designs.sobol(dimensions, options["design-seed"] or 1)
    local points, values, barred, used, refusals = {}, {}, {}, 0, 0
    local rounds, round = math.max(first_batches, dimensions), 0
    while used < options.budget and refusals < options.budget do
        local scaled = round >= rounds and #points >= 2 and standardised(values, sign)
        local chosen = scaled and propose(points, scaled, barred, dimensions, sobol, round) or spread(sobol, round)
        local list = {}
        for i = 1, math.min(batch, options.budget - used, options.budget - refusals) do
            list[i] = values_at(ranges, fixed, chosen[i], vary_seed and used + refusals + i or nil)
        end
        local results, refused = evaluate(list, options, execute)
        for i = 1, #list do
            if results[i] then
                points[#points + 1], values[#values + 1] = chosen[i], results[i]
            elseif refused[i] then
                barred[#barred + 1] = chosen[i]
            end
            used, refusals = used + (refused[i] and 0 or 1), refusals + (refused[i] and 1 or 0)
        end
        round = round + 1
    end
    if #points < 2 then
        error(("too few runs gave a finite '%s' for a search: %d of %d"):format(options.objective, #points,
            used + refusals), 0)
    end
    local scaled, mean, deviation = standardised(values, sign)
    local model = gaussian.fit(points, scaled)
    local at = best_of(model, points)
    local best, uncertain = gaussian.predict(model, points[at])
    local found = values_at(ranges, fixed, points[at])
    local names = {}
    for i, word in ipairs(options.words) do
        names[i] = word:match("^[^=]+")
    end
    return { words = plans.words(found, names), value = mean + sign * best * deviation,
        deviation = uncertain * deviation, runs = #points,
        failed = used - #points, refused = refusals }
end

return search
