-- A Gaussian process: a model of a function from a few noisy values (Rasmussen and Williams 2006, chapters 2 and 5).
-- Matérn kernel of order 5/2 with one length scale per dimension; points in the unit cube.

local gaussian = {}

local exp, sqrt = math.exp, math.sqrt

local function kernel(a, b, lengths)
    local squared = 0
    for d = 1, #lengths do
        local off = (a[d] - b[d]) / lengths[d]
        squared = squared + off * off
    end
    local far = sqrt(5 * squared)
    return (1 + far + far * far / 3) * exp(-far)
end

-- The lower half of K: the kernel of each point with those before it and itself.
local function kernels(points, lengths)
    local rows = {}
    for i, point in ipairs(points) do
        local row = {}
        for k = 1, i do
            row[k] = kernel(point, points[k], lengths)
        end
        rows[i] = row
    end
    return rows
end

-- Cholesky decomposition: L with L Lᵀ = K + noise; nil if not positive definite.
local function cholesky(covariances, noise)
    local rows = {}
    for i, covariance in ipairs(covariances) do
        local row = {}
        for k = 1, i do
            local other, sum = rows[k] or row, covariance[k] + (i == k and noise or 0)
            for m = 1, k - 1 do
                sum = sum - row[m] * other[m]
            end
            if i == k then
                if sum <= 1e-12 then
                    return nil
                end
                row[k] = sqrt(sum)
            else
                row[k] = sum / other[k]
            end
        end
        rows[i] = row
    end
    return rows
end

local function solve_lower(rows, b)
    local x = {}
    for i = 1, #b do
        local sum, row = b[i], rows[i]
        for k = 1, i - 1 do
            sum = sum - row[k] * x[k]
        end
        x[i] = sum / row[i]
    end
    return x
end

local function solve_upper(rows, b)
    local x = {}
    for i = #b, 1, -1 do
        local sum = b[i]
        for k = i + 1, #b do
            sum = sum - rows[k][i] * x[k]
        end
        x[i] = sum / rows[i][i]
    end
    return x
end

-- The process with these length scales and noise (in variances of the values); `evidence` is the log marginal
-- likelihood with the best scale of the values, up to a constant.
local function process(points, values, lengths, noise, covariances)
    local rows = cholesky(covariances, noise)
    if not rows then
        return nil
    end
    local half = solve_lower(rows, values)
    local squares, logs = 0, 0
    for i = 1, #values do
        squares = squares + half[i] * half[i]
        logs = logs + math.log(rows[i][i])
    end
    local scale = math.max(squares / #values, 1e-12)
    return { points = points, lengths = lengths, noise = noise, rows = rows, weights = solve_upper(rows, half),
        scale = scale, evidence = -0.5 * #values * math.log(scale) - logs }
end

local lengths_tried = { 0.1, 0.2, 0.35, 0.6, 1, 2, 4 }
local noises_tried = { 1e-4, 0.01, 0.05, 0.2, 0.6, 2 }

-- The process with maximum evidence: first one length for all dimensions and the noise, then each dimension's length.
function gaussian.fit(points, values)
    local dimensions, best = #points[1], nil
    local function try(lengths, noise, covariances)
        local candidate = process(points, values, lengths, noise, covariances)
        if candidate and (not best or candidate.evidence > best.evidence) then
            best = candidate
        end
    end
    local same, covariances = {}, {}
    for i, length in ipairs(lengths_tried) do
        same[i] = {}
        for d = 1, dimensions do
            same[i][d] = length
        end
        covariances[i] = kernels(points, same[i]) -- whatever the noise
    end
    for _, noise in ipairs(noises_tried) do
        for i, lengths in ipairs(same) do
            try(lengths, noise, covariances[i])
        end
    end
    for d = 1, dimensions > 1 and dimensions or 0 do
        local start = best
        for _, length in ipairs(lengths_tried) do
            local lengths = table.move(start.lengths, 1, dimensions, 1, {})
            lengths[d] = length
            try(lengths, start.noise, kernels(points, lengths))
        end
    end
    return best
end

-- A copy of the process with further points.
function gaussian.with(model, points, values)
    return process(points, values, model.lengths, model.noise, kernels(points, model.lengths))
end

local function mean_at(model, point)
    local covariances, mean, points, lengths, weights = {}, 0, model.points, model.lengths, model.weights
    for i = 1, #points do
        covariances[i] = kernel(point, points[i], lengths)
        mean = mean + covariances[i] * weights[i]
    end
    return mean, covariances
end

-- Mean and standard deviation of the function itself, without noise, at a point.
function gaussian.predict(model, point)
    local mean, covariances = mean_at(model, point)
    local half, explained = solve_lower(model.rows, covariances), 0
    for i = 1, #half do
        explained = explained + half[i] * half[i]
    end
    return mean, sqrt(math.max(1 - explained, 0) * model.scale)
end

-- The mean alone, which takes much less time.
gaussian.mean = mean_at

-- The normal distribution's density and, by Abramowitz and Stegun 7.1.26, its cumulated probability.
local function normal(z)
    local density = math.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)
    local t = 1 / (1 + 0.3275911 * math.abs(z) / math.sqrt(2))
    local tail = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t
        * math.exp(-0.5 * z * z) / 2
    return density, z < 0 and tail or 1 - tail
end

-- The expected improvement over `best` at a point.
function gaussian.improvement(model, point, best)
    local mean, deviation = gaussian.predict(model, point)
    if deviation < 1e-9 then
        return 0
    end
    local density, probability = normal((mean - best) / deviation)
    return (mean - best) * probability + deviation * density
end

return gaussian
