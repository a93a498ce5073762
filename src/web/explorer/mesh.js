// A mesh that a recipe returns, with what stands on it, in the place of a ground.

import { between } from "./address.js";
import { request } from "./ask.js";
import { coverOf } from "./cover.js";
import { meshFragment, meshVertex } from "./shaders.js";
import { bytesOf } from "./source.js";
import { createBufferInfoFromArrays, createVertexArrayInfo } from "./twgl.min.js";
import { flat } from "./view.js";

const HEADER = 60;

export function readMesh(bytes) {
  const view = new DataView(bytes);
  if (bytes.byteLength < HEADER || view.getUint32(0) !== 0x45534b4d)
    throw new Error("the server sent no mesh");
  const [points, triangles, instances, across, down] = [8, 12, 16, 20, 24].map(at =>
    view.getUint32(at, true),
  );
  const sizes = [12 * points, 12 * triangles, 24 * instances, 4 * across * down],
    starts = sizes.map((_, i) => HEADER + sizes.slice(0, i).reduce((a, b) => a + b, 0));
  if (bytes.byteLength !== starts[3] + sizes[3]) throw new Error("a mesh was cut short");
  const [width, height, ...ground] = Array.from({ length: 8 }, (_, i) => view.getFloat32(28 + 4 * i, true));
  return {
    width,
    height,
    ground,
    positions: new Float32Array(bytes, starts[0], 3 * points),
    indices: new Uint32Array(bytes, starts[1], 3 * triangles),
    instances: new Float32Array(bytes, starts[2], 6 * instances),
    texture: across ? { src: new Uint8Array(bytes, starts[3]), width: across, height: down } : null,
  };
}
export const getMesh = async (generation, name, signal) =>
  readMesh(await bytesOf(await request(`api/mesh/${generation}/${encodeURIComponent(name)}`, { signal })));

// The mean of the triangles' normals at each point, by their area.
export function normalsOf(positions, indices) {
  const normals = new Float32Array(positions.length);
  for (let t = 0; t < indices.length; t += 3) {
    const [a, b, c] = [indices[t] * 3, indices[t + 1] * 3, indices[t + 2] * 3];
    const u = [0, 1, 2].map(k => positions[b + k] - positions[a + k]),
      v = [0, 1, 2].map(k => positions[c + k] - positions[a + k]);
    const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    for (const corner of [a, b, c]) for (let k = 0; k < 3; k++) normals[corner + k] += normal[k];
  }
  return normals;
}

// A tree: a cone of radius and height 1.
function coneOf(sides) {
  const positions = [0, 0, 1],
    indices = [];
  for (let i = 0; i < sides; i++) {
    const angle = (i / sides) * 2 * Math.PI;
    positions.push(Math.cos(angle), Math.sin(angle), 0);
    indices.push(0, 1 + i, 1 + ((i + 1) % sides));
  }
  return { positions: Float32Array.from(positions), indices: Uint32Array.from(indices) };
}

export class MeshGround {
  constructor(mesh, { painter }) {
    const { gl } = painter,
      side = Math.max(mesh.width, mesh.height),
      { positions } = mesh;
    Object.assign(this, {
      painter,
      space: flat,
      drawn: [mesh],
      complete: true,
      anchor: null,
      sea: null,
      mesh,
      side,
      shared: { opacity: 0 },
    });
    let low = Infinity,
      high = -Infinity;
    for (let i = 2; i < positions.length; i += 3) {
      low = Math.min(low, positions[i]);
      high = Math.max(high, positions[i]);
    }
    Object.assign(this, { low: Number.isFinite(low) ? low : 0, high: Number.isFinite(high) ? high : 1 });
    this.program = painter.program(meshVertex, meshFragment);
    const shape = (positions, indices, more = {}) => {
      const buffers = createBufferInfoFromArrays(gl, {
        position: { numComponents: 3, data: positions },
        normal: { numComponents: 3, data: normalsOf(positions, indices) },
        indices,
      });
      Object.assign(buffers.attribs, more);
      return {
        ...createVertexArrayInfo(gl, this.program, buffers),
        own: [
          ...new Set(
            Object.values(buffers.attribs)
              .map(each => each.buffer)
              .filter(Boolean),
          ),
          buffers.indices,
        ],
      };
    };
    const one = (name, numComponents, value) => ({ [name]: { numComponents, value } });
    this.surface = shape(positions, mesh.indices, {
      ...one("at", 3, [0, 0, 0]),
      ...one("size", 3, [1, 1, 0]),
    });
    if (mesh.instances.length) {
      const buffer = gl.createBuffer(),
        cone = coneOf(7),
        part = offset => ({ buffer, numComponents: 3, type: gl.FLOAT, stride: 24, offset, divisor: 1 });
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      gl.bufferData(gl.ARRAY_BUFFER, mesh.instances, gl.STATIC_DRAW);
      this.trees = shape(cone.positions, cone.indices, { at: part(0), size: part(12) });
    }
    this.texture = mesh.texture ? painter.colours(mesh.texture) : painter.blank;
  }
  // Of all points: one sees the whole mesh.
  heights() {
    return Array.from({ length: this.mesh.positions.length / 3 }, (_, i) => this.mesh.positions[3 * i + 2]);
  }
  prepare() {}
  update() {
    return true;
  }
  seen() {
    return { heights: [], slopes: [] };
  }
  get goesBelow() {
    return false;
  }
  spread() {}
  cover() {}
  placeHeight() {
    return 0;
  }
  heightAt() {
    return null;
  }
  known() {
    return {};
  }
  seaAbove() {
    return -Infinity;
  }
  contourStep() {
    return 0;
  }
  contourPhase() {
    return 0;
  }

  place(view) {
    const { mesh, side } = this,
      scale = 2 ** view.zoom;
    const west = -between(0n, view.x, 0),
      south = between(0n, view.y, 0) - mesh.height / side;
    this.placed = {
      scale: scale / side,
      origin: [west * scale, south * scale, ((-(this.low + this.high) / 2) * scale) / side],
      ...coverOf(mesh.ground),
      span: [this.low, Math.max(this.high, this.low + 1e-30)],
      picture: this.texture,
      textured: mesh.texture ? 1 : 0,
    };
  }
  paint(uniforms, settings) {
    const { painter, program } = this;
    painter.use(program, uniforms, this.placed, { lift: settings.exaggeration });
    painter.gl.disable(painter.gl.CULL_FACE);
    painter.draw(program, this.surface, {});
    if (this.trees) painter.drawMany(program, this.trees, {}, this.mesh.instances.length / 6);
    painter.gl.enable(painter.gl.CULL_FACE);
  }
  close() {
    for (const shape of [this.surface, this.trees]) if (shape) this.painter.drop(shape);
    this.painter.forget(this.texture);
  }
}
