// What a page that computes in its tab shows links with; scripts/vendor.sh bundles it.
export { default } from "qrcode-generator";
