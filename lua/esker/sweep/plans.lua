-- The plan of a sweep: values, checked against the recipe's declarations, and this process's share of them.

local conditions = require "esker.sweep.conditions"
local confined = require "esker.recipe.confined"
local designs = require "esker.sweep.designs"
local names_of = require "esker.names"
local parameters = require "esker.recipe.parameters"
local recipe = require "esker.recipe.recipe"
local texts = require "esker.texts"
local usage_error = require "esker.usage_error"

local plans = {}

-- The recipe's declarations, without running what comes after them.
function plans.declarations(options)
    local path, text = options.target, recipe.text(options.target)
    local function declare()
        local seen
        local well, problem = pcall(recipe.run, path, text, { overrides = {}, trust = options.trust,
            print = function() end, on_declare = function(set)
                if set.declared then
                    seen = set.declared
                    error("seen", 0)
                end
            end })
        if not well and not seen then
            error(problem, 0)
        end
        return seen or {}
    end
    return parameters.received(confined.call(confined.limits(options, {}, nil), declare))
end

-- Checks each value of each axis as the recipe would.
local function check_axes(axes, declared)
    for _, axis in ipairs(axes) do
        local spec = declared[axis.name]
        axis.whole = axis.whole and not (spec and spec.kind == "float")
        for _, value in ipairs(axis.list or axis.drawn and { axis.low, axis.high }
            or { axis.first, axis.first + axis.count - 1 }) do
            parameters.read(declared, axis.name, value)
        end
    end
end

-- The share of a task in a Slurm array, as text; nil elsewhere. Slurm says the least and the greatest number of a task,
-- how many there are, and the step between them: a list such as 3,5,9 cannot be told from them.
local function slurm_share()
    local function number(name, default)
        return math.tointeger(tonumber(os.getenv("SLURM_ARRAY_TASK_" .. name))) or default
    end
    local count = number "COUNT"
    if not count then
        return nil
    end
    local first, step = number("MIN", 1), math.max(1, number("STEP", 1))
    local last, task = number("MAX", first + (count - 1) * step), number "ID"
    if not task or last - first ~= (count - 1) * step or (task - first) % step ~= 0 or task < first or task > last then
        usage_error("the tasks of this Slurm array are no range with a step, which says a task's share: "
            .. "give it, as in --shard $SLURM_ARRAY_TASK_ID/8")
    end
    return ("%d/%d"):format((task - first) // step + 1, count)
end

-- { number =, of =, name = }, or nil for the whole.
function plans.shard(options)
    local text = options.shard or slurm_share()
    if not text then
        return nil
    end
    local k, n = text:match("^(%d+)/(%d+)$")
    k, n = math.tointeger(tonumber(k)), math.tointeger(tonumber(n))
    if not k or k < 1 or n < k then
        usage_error("--shard takes K/N, the K-th of N shares, got '%s'", text)
    end
    return { number = k, of = n, name = ("%d-of-%d"):format(k, n) }
end

-- The values of a run together with the recipe's defaults, which a condition may name.
local function with_defaults(values, declared)
    local all = {}
    for name, spec in pairs(declared) do
        all[name] = spec.default
    end
    for name, value in pairs(values) do
        all[name] = value
    end
    return all
end

-- The text that decides which runs a plan, and so a share, has: the same for the same command.
local function hash_of(options, rows)
    local parts = { table.concat(options.words, "\0"), options.where or "", tostring(options.samples),
        options.design or "", tostring(options["design-seed"]) }
    for _, row in ipairs(rows or {}) do
        for _, name in ipairs(names_of(row)) do
            parts[#parts + 1] = name .. "=" .. tostring(row[name])
        end
    end
    return texts.hash(table.concat(parts, "\n")):sub(1, 16)
end

-- { total =, values = function(index), names =, declared =, where = function(values) or nil, unnamed = the set of names
-- whose values a file gives, hash = }
function plans.make(options)
    local rows, names
    if options.from then
        local text, problem = recipe.read_file(options.from, 1 << 30)
        if not text then
            usage_error("%s", problem)
        end
        rows, names = designs.read_csv(text, options.from)
    end
    local axes = designs.read(options.words)
    local first = {}
    for _, axis in ipairs(axes) do
        first[#first + 1] = axis.name
    end
    local declared = plans.declarations(options)
    local checked, unnamed = table.move(axes, 1, #axes, 1, {}), {}
    for _, name in ipairs(names or {}) do
        local list = {}
        for i, row in ipairs(rows) do
            list[i] = row[name]
        end
        checked[#checked + 1] = { name = name, list = list }
        first[#first + 1], unnamed[name] = name, true
    end
    check_axes(checked, declared)
    local total, values = designs.runs(axes, {
        samples = options.samples, design = options.design, seed = options["design-seed"], rows = rows,
    })
    local plan = { total = total, values = values, names = first, declared = declared, unnamed = unnamed,
        hash = hash_of(options, rows) }
    plan.where = options.where and conditions.read(options.where, "--where", declared)
    if plan.where then -- empty plans and unknown names are reported before anything is written
        local index = 0
        while index < total and not plan.where(with_defaults(values(index), declared)) do
            index = index + 1
        end
        if index == total then
            usage_error("--where: no run of %d meets '%s'", total, options.where)
        end
    end
    return plan
end

-- NAME=VALUE words, each so that it reads back exactly.
function plans.words(values, names)
    local words = {}
    for _, name in ipairs(names) do
        words[#words + 1] = name .. "=" .. parameters.exact_text(values[name])
    end
    return table.concat(words, " ")
end

-- Calls `visit(values)` for every run of the plan that meets the condition and is this share's.
function plans.each(plan, shard, visit)
    local met = 0
    for index = 0, plan.total - 1 do
        local values = plan.values(index)
        if not plan.where or plan.where(with_defaults(values, plan.declared)) then
            if not shard or met % shard.of == shard.number - 1 then
                visit(values)
            end
            met = met + 1
        end
    end
    return met
end

return plans
