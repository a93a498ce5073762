// What a page that computes in its tab reads GeoTIFF with; scripts/vendor.sh bundles it, with decoders.js in place of
// the rarer decoders.
export { addDecoder, BaseDecoder, fromBlob } from "geotiff";
