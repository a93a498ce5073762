// Ground in three.js: grids, the texture of a tile, and the mesh that draws a node of the tree.
import { BufferAttribute, BufferGeometry, ClampToEdgeWrapping, DataTexture, DataUtils, GLSL3, HalfFloatType, LinearFilter,
  Matrix3, Mesh, RawShaderMaterial, RGBAFormat, SRGBColorSpace, UnsignedByteType, Vector2, Vector3, Vector4 } from "./three.min.js";
import { RAMP } from "./colour.js";
import { curve } from "./globe.js";
import { groundFragment, groundVertex } from "./shaders.js";

// A grid of `quads`² over u and v, with a skirt: its edge once more, which the shader lowers.
export function gridOf(quads) {
  const side = quads + 3, count = side * side, spots = new Float32Array(count * 3), index = [];
  for (let j = 0; j < side; j++)
    for (let i = 0; i < side; i++) {
      const at = (j * side + i) * 3, inner = value => Math.min(Math.max(value - 1, 0), quads) / quads;
      spots[at] = inner(i);
      spots[at + 1] = inner(j);
      spots[at + 2] = i === 0 || j === 0 || i === side - 1 || j === side - 1 ? 1 : 0;
      if (i < side - 1 && j < side - 1) {
        const a = j * side + i, b = a + 1, c = a + side, d = c + 1;
        index.push(a, c, b, b, c, d);
      }
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(spots, 3));
  geometry.setIndex(new BufferAttribute(new Uint32Array(index), 1));
  return geometry;
}

// The same grid on a planet's surface.
export function curvedGrid(flat, node) {
  const { places, outward } = curve(node, flat.getAttribute("position").array), geometry = new BufferGeometry();
  geometry.setAttribute("position", flat.getAttribute("position"));
  geometry.setAttribute("place", new BufferAttribute(places, 3));
  geometry.setAttribute("outward", new BufferAttribute(outward, 3));
  geometry.setIndex(flat.getIndex());
  return geometry;
}

const half = DataUtils.toHalfFloat;

// Heights, slopes and water as half floats, which every WebGL 2 filters. Heights are relative to the sea where the tile
// has a coast, since half floats are finest near 0; texels × scale + zero are altitudes above the tile's centre.
export function textureOf(tile, sea) {
  const { width, height, border, values, water } = tile, across = width + 2 * border, down = height + 2 * border;
  const shore = sea - tile.centre, zero = shore > tile.low && shore < tile.high ? shore : 0;
  const scale = Math.max(Math.abs(tile.low - zero), Math.abs(tile.high - zero)) || 1;
  const factor = tile.scale / scale, offset = -zero / scale, slope = factor * Math.max(width, height) / 2;
  const texels = new Uint16Array(across * down * 4);
  for (let j = 0, i = 0; j < down; j++) {
    const up = j > 0 ? across : 0, low = j < down - 1 ? across : 0, vertical = up && low ? slope : 2 * slope;
    for (let k = 0; k < across; k++, i++) {
      const left = k > 0 ? 1 : 0, right = k < across - 1 ? 1 : 0;
      texels[i * 4] = half(values[i] * factor + offset);
      texels[i * 4 + 1] = half((values[i + right] - values[i - left]) * (left && right ? slope : 2 * slope));
      texels[i * 4 + 2] = half((values[i + low] - values[i - up]) * vertical);
      texels[i * 4 + 3] = water ? half(water[i] / 255) : 0;
    }
  }
  const texture = new DataTexture(texels, across, down, RGBAFormat, HalfFloatType);
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.wrapS = texture.wrapT = ClampToEdgeWrapping;
  texture.needsUpdate = true;
  return { texture, zero, scale, area: new Vector4(border / across, border / down, width / across, height / down) };
}

export function rampTexture(bytes) {
  const texture = new DataTexture(bytes, RAMP, 1, RGBAFormat, UnsignedByteType);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

export function chunkMesh(geometry, shared, globe) {
  const material = new RawShaderMaterial({
    glslVersion: GLSL3, vertexShader: groundVertex, fragmentShader: groundFragment, defines: globe ? { GLOBE: 1 } : {},
    uniforms: { ...shared, own: { value: null }, mother: { value: null }, area: { value: new Vector4() },
      motherArea: { value: new Vector4() }, ownHeights: { value: new Vector3() }, motherHeights: { value: new Vector3() },
      hasMother: { value: 0 }, texelSide: { value: 1 }, corner: { value: new Vector3() },
      extent: { value: new Vector2() }, axisU: { value: new Vector3(1, 0, 0) }, axisV: { value: new Vector3(0, -1, 0) },
      axes: { value: new Matrix3() }, skirt: { value: 0 }, foot: { value: 0 }, overlayArea: { value: new Vector4(0, 0, 1, 1) } },
  });
  const mesh = new Mesh(geometry, material);
  mesh.frustumCulled = false;
  mesh.matrixAutoUpdate = false;
  return mesh;
}
