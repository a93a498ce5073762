// Networks, points and rivers as lines that lie on the ground: each piece is a strip with round ends, whose width is
// measured in pixels once it is on the screen.
import { createBufferInfoFromArrays, createVertexArrayInfo } from "./twgl.min.js";
import { bytesOf } from "./source.js";
import { lineFragment, lineVertex } from "./shaders.js";

const HEADER = 24, PIECE = 7; // floats: u, v, width of both ends in parts of the window's side, and a kind

// Of the pieces of ESKL's lines, and of points, which are pieces without a length.
export function readLines(bytes) {
  const view = new DataView(bytes);
  if (bytes.byteLength < HEADER || view.getUint32(0) !== 0x45534b4c) throw new Error("the server sent no lines");
  const [width, height, lines, points] = [8, 12, 16, 20].map(at => view.getUint32(at, true));
  if (bytes.byteLength !== HEADER + 16 * lines + 20 * points) throw new Error("lines were cut short");
  const heads = new Uint32Array(bytes, HEADER, 4 * lines), values = new Float32Array(bytes, HEADER + 16 * lines, 5 * points);
  const pieces = [], side = Math.max(width, height);
  const end = i => [values[5 * i] / width, values[5 * i + 1] / height, values[5 * i + 3] / side];
  for (let line = 0; line < lines; line++)
    for (let i = heads[4 * line], last = i + heads[4 * line + 1] - 1; i < last; i++) {
      const next = end(i + 1);
      if (i === last - 1) next[2] = Math.min(next[2], end(i)[2]); // there it joins a wider one
      pieces.push(...end(i), ...next, 0);
    }
  if (!lines)
    for (let i = 0; i < points; i++) {
      const [u, v, radius] = end(i);
      pieces.push(u, v, 2 * radius, u, v, 2 * radius, values[5 * i + 4]);
    }
  return { pieces: Float32Array.from(pieces), count: pieces.length / PIECE };
}

export const getLines = async (path, signal) => readLines(await bytesOf(await fetch(path, { signal })));

export const lineProgram = (painter, globe) => painter.program(lineVertex, lineFragment, globe ? "#define GLOBE 1\n" : "");

export function shapeOf(painter, { pieces, count }) {
  const { gl } = painter, buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, pieces, gl.STATIC_DRAW);
  const part = (numComponents, offset) => ({ buffer, numComponents, type: gl.FLOAT, stride: 4 * PIECE, offset: 4 * offset, divisor: 1 });
  const buffers = createBufferInfoFromArrays(gl, { corner2: { numComponents: 2, data: [-1, 0, 1, 0, -1, 1, 1, 1] } });
  Object.assign(buffers.attribs, { from: part(3, 0), to: part(3, 3), kind: part(1, 6) });
  return { ...createVertexArrayInfo(gl, lineProgram(painter, false), buffers), count, own: [buffer, buffers.attribs.corner2.buffer] };
}

// Draws the lines of chunks, [[shape, uniforms of the chunk], …].
export function paintLines(painter, chunks, uniforms) {
  const { gl } = painter, program = lineProgram(painter, false);
  painter.use(program, uniforms, { viewport: [gl.canvas.width, gl.canvas.height] });
  gl.enable(gl.BLEND);
  gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
  gl.depthMask(false);
  gl.disable(gl.CULL_FACE);
  for (const [shape, chunk] of chunks) if (shape.count) painter.drawMany(program, shape, chunk, shape.count);
  gl.enable(gl.CULL_FACE);
  gl.depthMask(true);
  gl.disable(gl.BLEND);
}
