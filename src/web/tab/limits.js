// What a page may take that computes in its tab.
const MEGABYTE = 1 << 20;

// Of a run or a tile.
export const SECONDS = 60;

// Workers: the first runs the recipe, the others only draw tiles. `memory`: of fields and Lua; `worker`: of all that
// its module has taken, which never shrinks: one that has more is replaced when it has answered.
export const WORKERS = [2, 3];
export const FIRST = { memory: 144 * MEGABYTE, worker: 192 * MEGABYTE };
export const OTHER = { memory: 40 * MEGABYTE, worker: 128 * MEGABYTE };

// That a map keeps in the page besides those in view, of a third of a megabyte each: fewer than with a server.
export const TILES = 80;

// Of a link: characters, bytes of the recipe's text, parameters.
export const LINK = 1 << 17;
export const TEXT = MEGABYTE;
export const PARAMETERS = 200;

// Of GeoTIFF that the user drops onto the page: cells of one that is loaded, cells of one that is read, how many
// the tab keeps, and seconds that reading may take.
export const CELLS = 1 << 22;
export const LARGEST = 1 << 28;
export const FILES = 3;
export const READING = 60;
