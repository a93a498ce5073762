// What a user of the package writes, for the compiler of TypeScript. The lines after @ts-expect-error must be refused.
import { type EskerError, Field, type Image, open, type RiverMap } from "esker";

const esker = await open();
const land: Field = esker.noise({ size: 64, seed: 2n });
const { height, flow } = land.stream_erosion({ age: 0.5 });
const picture: Image = height.relief();
const map: RiverMap = esker.river_map({ seed: 1, land: "eroded" });
const window = map.render({ size: 32, zoom: 4, x: "0.5" });
const river: Field = window.river;
const mean: number = land.statistics().mean;
const cells: Float32Array = land.cells;
const bytes: Uint8Array = picture.encode("png", { bits: "8" });
const made: Field = esker.field(cells, { width: land.width, height: land.height, frame: { x: 0, y: 0, cell: 30 } });
const points = made.scatter({ distances: [0.1, 0.2], density: [land, land] }).records.map(point => point.species);
const blended: Field | Image = esker.blend(land, made, { mode: "lighten" });
land.frame = { ...land.frame, unit: "m" };
const kinds = (error: EskerError): boolean => error.kind === "memory";
const results = esker.recipe("return {}", { seed: 2n, on: true }, { seconds: 5, print: line => line.trim() });
const ground = results.land instanceof Field ? results.land.cells : undefined;
const { peak } = esker.recipe<{ peak: number }>("land.lua");
const line = (error: EskerError): number | undefined => error.line;
export { blended, bytes, ground, line, peak, flow, kinds, mean, points, river };

// @ts-expect-error: a text is no size
esker.noise({ size: "large" });
// @ts-expect-error: no such parameter
land.blur({ sigmo: 1 });
// @ts-expect-error: no such choice
land.blend(made, { mode: "maximum" });
// @ts-expect-error: no such operation
land.erode();
// @ts-expect-error: a list is no parameter of a recipe
esker.recipe("return {}", { seeds: [1, 2] });
// @ts-expect-error: a map is no field
esker.blur(map);
