// What the explorer draws with; scripts/vendor.sh bundles it.
export { createBufferInfoFromArrays, createProgramInfoFromProgram, createTexture, createVertexArrayInfo, drawBufferInfo, setUniforms } from "twgl.js";
