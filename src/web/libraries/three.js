// What the explorer draws with; scripts/vendor.sh bundles it.
export { BufferAttribute, BufferGeometry, ClampToEdgeWrapping, DataTexture, DataUtils, GLSL3, Group, HalfFloatType, LinearFilter, Matrix3, Mesh,
  PerspectiveCamera, RawShaderMaterial, RGBAFormat, Scene, SRGBColorSpace, Texture, UnsignedByteType, Vector2, Vector3, Vector4,
  WebGLRenderer } from "three";
