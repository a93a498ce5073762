// A drawn path in few points (Douglas and Peucker 1973): none of the others lies farther from the line than
// `tolerance`, which grows until at most `most` are left. Pure.

function away([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay],
    length = dx * dx + dy * dy,
    t = length ? Math.min(Math.max(((x - ax) * dx + (y - ay) * dy) / length, 0), 1) : 0;
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

function kept(path, tolerance) {
  const keep = new Set([0, path.length - 1]),
    parts = [[0, path.length - 1]];
  for (let part; (part = parts.pop()); ) {
    const [first, last] = part;
    let farthest = first,
      most = tolerance;
    for (let i = first + 1; i < last; i++) {
      const far = away(path[i], path[first], path[last]);
      if (far > most) [farthest, most] = [i, far];
    }
    if (farthest === first) continue;
    keep.add(farthest);
    parts.push([first, farthest], [farthest, last]);
  }
  return path.filter((_, i) => keep.has(i));
}

export function simplified(path, tolerance, most = Infinity) {
  let points = kept(path, tolerance);
  for (let wider = tolerance * 1.5; points.length > Math.max(most, 2); wider *= 1.5)
    points = kept(path, wider);
  return points;
}
