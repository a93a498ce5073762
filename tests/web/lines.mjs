// Networks on the tiles of a map: a part of the lines lies where the whole does, with the same values.
import assert from "node:assert/strict";
import { test } from "node:test";
import { middlesOf, PIECE, partOfLines, piecesOfRoads, readLines } from "../../src/web/explorer/pieces.js";

// A line of three points in a window of 64 cells, as the server sends it: [x, y, altitude, width, discharge].
function bytesOf(points, lines = 1) {
  const bytes = new ArrayBuffer(24 + 16 * lines + 20 * points.length),
    view = new DataView(bytes);
  [0x45534b4c, 1, 64, 64, lines, points.length].forEach((value, i) => view.setUint32(4 * i, value, i > 0));
  if (lines) [0, points.length, 1, 1].forEach((value, i) => view.setUint32(24 + 4 * i, value, true));
  points.flat().forEach((value, i) => view.setFloat32(24 + 16 * lines + 4 * i, value, true));
  return bytes;
}
const line = readLines(
  bytesOf([
    [8, 8, 0.9, 1, 0],
    [24, 24, 0.5, 2, 10],
    [56, 40, 0.1, 4, 100],
  ]),
);

test("colours tell discharge by factors, of points the altitude", () => {
  assert.deepEqual([line.values.low, line.values.high, line.values.log, line.count], [1, 100, true, 2]);
  assert.deepEqual(
    middlesOf(line, 10).map(({ value }) => Math.round(100 * value) / 100),
    [3.16, 31.62],
  );
  const points = readLines(
    bytesOf(
      [
        [8, 8, 2, 1, 1],
        [24, 24, 4, 1, 2],
      ],
      0,
    ),
  );
  assert.deepEqual([points.values.low, points.values.high, points.values.log], [2, 4, false]);
  assert.equal(middlesOf(points, 1).length, 1);
});

test("a part of them is where the whole is", () => {
  const part = partOfLines(line, [0.5, 0.5, 0.5, 0.5]),
    [u0, v0, w0, u1, v1] = part.pieces; // the second piece alone, from (24, 24) to (56, 40)
  assert.equal(part.count, 1);
  assert.deepEqual(
    [u0, v0, u1, v1, w0].map(value => Math.fround(value)),
    [-0.25, -0.25, 0.75, 0.25, 0.0625],
  );
  assert.deepEqual([...part.pieces.slice(7)], [...line.pieces.slice(16)]);
  assert.equal(partOfLines(line, [0, 0.75, 0.25, 0.25]).count, 0);
  assert.equal(partOfLines(line, [0, 0, 1, 1]).count, 2);
});

test("roads are whole, sea lanes are dashes of one length", () => {
  const road = { class: "road", points: [0, 0, 1024, 0, 2048, 1024] },
    lane = { class: "lane", points: [0, 2048, 512, 2048, 2458, 2048] },
    made = piecesOfRoads([road, lane], 256);
  const pieces = Array.from({ length: made.count }, (_, i) => [
    ...made.pieces.subarray(i * PIECE, (i + 1) * PIECE),
  ]);
  const [roads, dashes] = [1, 0].map(tone => pieces.filter(piece => piece[7] === tone));
  assert.deepEqual(
    roads.map(([x0, y0, , x1, y1]) => [x0, y0, x1, y1]),
    [
      [0, 0, 0.25, 0],
      [0.25, 0, 0.5, 0.25],
    ],
  );
  const drawn = dashes.reduce((sum, [x0, , , x1]) => sum + x1 - x0, 0);
  assert.ok(Math.abs(drawn - 0.3) < 6 / 256, drawn);
  assert.ok(dashes.every(([x0, , , x1]) => x1 > x0 && x1 - x0 < 6.01 / 256));
  assert.equal(piecesOfRoads([{ class: "lane", points: [512, 512, 512, 512] }], 256).count, 0);
});
