// In place of geotiff's decoders of LERC and Zstandard, which would be two thirds of its bundle: the page refuses such
// files before it would call them (src/web/tab/dropped.js).
export class ZSTDDecoder {}
export default {};
