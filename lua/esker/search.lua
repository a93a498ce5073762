-- `esker search`: the parameters that make a result large (or small) in few, noisy evaluations. A Gaussian process is
-- fitted to what is known; the next runs are where it expects the greatest improvement (Jones, Schonlau and Welch
-- 1998), over the best mean that it predicts at a point tried before, since values are noisy. Four are chosen at a
-- time, each as if the one before had given what is expected of it, so that the course depends neither on the number
-- of workers nor on where a search was stopped.

local designs = require "esker.designs"
local gaussian = require "esker.gaussian"
local parameters = require "esker.parameters"
local plans = require "esker.plans"
local runs = require "esker.runs"

local search = {}

local batch = 4
local first_batches = 3     -- of Sobol's sequence, more in more dimensions
local candidates = 400      -- where improvement is looked for, besides around the best
local around, near = 80, 0.08

-- NAME=LOW..HIGH for each dimension; others are refused.
local function read_ranges(words, declared)
    local ranges = {}
    for _, word in ipairs(words) do
        local name, low, high = word:match("^([%a_][%w_]*)=~?(%-?[%d.eE+-]-)%.%.(%-?[%d.eE+-]+)$")
        low, high = tonumber(low), tonumber(high)
        if not low or not high or low >= high then
            error({ usage = ("search takes NAME=LOW..HIGH, got '%s'"):format(word) }, 0)
        end
        local spec = declared[name]
        local whole = spec and (spec.kind == "whole" or spec.kind == "integer" and math.type(low) == "integer"
            and math.type(high) == "integer")
        ranges[#ranges + 1] = { name = name, low = low, high = high, whole = whole }
        for _, value in ipairs{ low, high } do -- as the recipe would check them
            parameters.check(declared, name, value)
        end
    end
    if #ranges == 0 then
        error({ usage = "search takes ranges, as in talus=4..32" }, 0)
    end
    return ranges
end

local function values_at(ranges, point, seed)
    local values = { seed = seed }
    for d, range in ipairs(ranges) do
        local value = range.low + (range.high - range.low) * point[d]
        values[range.name] = range.whole and math.min(math.floor(range.low + (range.high - range.low + 1) * point[d]),
            math.tointeger(range.high)) or value
    end
    return values
end

-- Mean 0 and deviation 1, larger better.
local function standardised(values, sign)
    local mean, squares = 0, 0
    for _, value in ipairs(values) do
        mean = mean + value / #values
    end
    for _, value in ipairs(values) do
        squares = squares + (value - mean) ^ 2 / #values
    end
    local deviation = squares > 0 and math.sqrt(squares) or 1
    local scaled = {}
    for i, value in ipairs(values) do
        scaled[i] = sign * (value - mean) / deviation
    end
    return scaled, mean, deviation
end

-- The point tried before whose predicted mean is best: its index, and the mean.
local function best_of(model, points)
    local best, at = -math.huge, 1
    for i, point in ipairs(points) do
        local mean = gaussian.predict(model, point)
        if mean > best then
            best, at = mean, i
        end
    end
    return at, best
end

local function clamp(value)
    return math.max(0, math.min(1, value))
end

-- The next points, given what is known.
local function propose(points, values, dimensions, sobol, round)
    local model = gaussian.fit(points, values)
    local known, believed, chosen = table.move(points, 1, #points, 1, {}), table.move(values, 1, #values, 1, {}), {}
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
        known[#known + 1], believed[#believed + 1] = next_point, (gaussian.predict(model, next_point))
        model = gaussian.with(model, known, believed) or model
    end
    return chosen
end

-- Runs the values of `points`; gives each one's result, or nil where it failed.
local function evaluate(points, ranges, first_seed, vary_seed, options, execute)
    local list = {}
    for i, point in ipairs(points) do
        list[i] = values_at(ranges, point, vary_seed and first_seed + i - 1 or nil)
    end
    local records = execute(list)
    local results = {}
    for i, values in ipairs(list) do
        local record = records[runs.key(options.recipe_hash, values)]
        local result = record and record.status == "done" and record.results[options.objective]
        if record and record.status == "done" and type(result) ~= "number" then
            error(("the recipe returned no number '%s'"):format(options.objective), 0)
        end
        results[i] = result or nil
    end
    return results
end

-- `execute(list of values)` runs what has not been run and gives the records by key.
function search.run(options, declared, execute)
    local ranges = read_ranges(options.words, declared)
    local sign = options.minimize and -1 or 1
    options.objective = options.maximize or options.minimize
    local vary_seed = declared.seed ~= nil
    for _, range in ipairs(ranges) do
        vary_seed = vary_seed and range.name ~= "seed"
    end
    local dimensions = #ranges
    local sobol = designs.sobol(dimensions, 1)
    local points, values, used = {}, {}, 0
    local rounds = math.max(first_batches, dimensions)
    for round = 0, math.ceil(options.budget / batch) - 1 do
        local chosen = {}
        if round < rounds or #points < 2 then
            for i = 1, batch do
                chosen[i] = sobol(round * batch + i - 1)
            end
        else
            local scaled = standardised(values, sign)
            chosen = propose(points, scaled, dimensions, sobol, round)
        end
        while used + #chosen > options.budget do
            table.remove(chosen)
        end
        local results = evaluate(chosen, ranges, used + 1, vary_seed, options, execute)
        for i, point in ipairs(chosen) do
            if results[i] then
                points[#points + 1], values[#values + 1] = point, results[i]
            end
        end
        used = used + #chosen
    end
    if #points < 2 then
        error("too few runs succeeded to say anything", 0)
    end
    local scaled, mean, deviation = standardised(values, sign)
    local model = gaussian.fit(points, scaled)
    local at = best_of(model, points)
    local best, uncertain = gaussian.predict(model, points[at])
    local found = values_at(ranges, points[at])
    local names = {}
    for i, range in ipairs(ranges) do
        names[i] = range.name
    end
    return { words = plans.words(found, names), value = mean + sign * best * deviation,
        deviation = uncertain * deviation, runs = #points, failed = used - #points }
end

return search
