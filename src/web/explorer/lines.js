// Networks, points and rivers as lines that lie on the ground: each piece is a strip with round ends, whose
// width is measured in pixels once it is on the screen.

import { request } from "./ask.js";
import { curve } from "./globe.js";
import { PIECE, readLines } from "./pieces.js";
import { lineFragment, lineVertex } from "./shaders.js";
import { bytesOf } from "./source.js";
import { createBufferInfoFromArrays, createVertexArrayInfo } from "./twgl.min.js";

const CURVED = 12; // numbers of both ends of a piece on a planet

export const getLines = async (path, signal) => readLines(await bytesOf(await request(path, { signal })));

export const lineProgram = (painter, globe) =>
  painter.program(lineVertex, lineFragment, globe ? "#define GLOBE 1\n" : "");

// A buffer of pieces' numbers, so many of each, and its parts: name → count of numbers, in turn.
function partsOf(gl, numbers, each, parts) {
  const buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.STATIC_DRAW);
  const attribs = {};
  let offset = 0;
  for (const [name, numComponents] of Object.entries(parts)) {
    attribs[name] = {
      buffer,
      numComponents,
      type: gl.FLOAT,
      stride: 4 * each,
      offset: 4 * offset,
      divisor: 1,
    };
    offset += numComponents;
  }
  return { buffer, attribs };
}

// Where both ends of pieces are on a planet's node, as `curve` has them.
function curvedEnds(node, pieces, count) {
  const spots = new Float32Array(count * 6),
    ends = new Float32Array(count * CURVED);
  for (let i = 0; i < count; i++)
    for (const [k, from] of [0, 3].entries()) {
      spots[i * 6 + k * 3] = pieces[i * PIECE + from];
      spots[i * 6 + k * 3 + 1] = pieces[i * PIECE + from + 1];
    }
  const { places, outward } = curve(node, spots);
  for (let i = 0; i < 2 * count; i++) {
    ends.set(places.subarray(i * 3, i * 3 + 3), i * 6);
    ends.set(outward.subarray(i * 3, i * 3 + 3), i * 6 + 3);
  }
  return ends;
}

// `node`: of a planet, on which they lie; null on a flat map.
export function shapeOf(painter, { pieces, count }, node = null) {
  const { gl } = painter,
    own = [partsOf(gl, pieces, PIECE, { from: 3, to: 3, kind: 1, tones: 2 })];
  if (node)
    own.push(
      partsOf(gl, curvedEnds(node, pieces, count), CURVED, {
        fromPlace: 3,
        fromOutward: 3,
        toPlace: 3,
        toOutward: 3,
      }),
    );
  const buffers = createBufferInfoFromArrays(gl, {
    corner2: { numComponents: 2, data: [-1, 0, 1, 0, -1, 1, 1, 1] },
  });
  Object.assign(buffers.attribs, ...own.map(({ attribs }) => attribs));
  return {
    ...createVertexArrayInfo(gl, lineProgram(painter, Boolean(node)), buffers),
    count,
    own: [...own.map(({ buffer }) => buffer), buffers.attribs.corner2.buffer],
  };
}

// Draws the lines of chunks, [[shape, uniforms of the chunk], …]. Pieces overlap where they join: what is
// seen through lies only once on the ground, since its share is first gathered in the picture's alpha, and
// spent by the first piece that is drawn there.
export function paintLines(painter, chunks, uniforms, globe) {
  const { gl } = painter,
    program = lineProgram(painter, globe),
    clear = uniforms.ink[3] < 1;
  const draw = () => {
    for (const [shape, chunk] of chunks)
      if (shape.count) painter.drawMany(program, shape, chunk, shape.count);
  };
  const fill = alpha => {
    gl.clearColor(0, 0, 0, alpha);
    gl.clear(gl.COLOR_BUFFER_BIT);
  };
  painter.use(program, uniforms, { viewport: [gl.canvas.width, gl.canvas.height] });
  gl.enable(gl.BLEND);
  gl.depthMask(false);
  gl.disable(gl.CULL_FACE);
  if (clear) {
    gl.colorMask(false, false, false, true);
    fill(0);
    gl.blendEquation(gl.MAX);
    draw();
    gl.blendEquation(gl.FUNC_ADD);
    gl.colorMask(true, true, true, true);
    gl.blendFuncSeparate(gl.DST_ALPHA, gl.ONE_MINUS_DST_ALPHA, gl.ZERO, gl.ZERO);
    draw();
    gl.colorMask(false, false, false, true);
    fill(1);
    gl.colorMask(true, true, true, true);
  } else {
    gl.blendFuncSeparate(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA, gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    draw();
  }
  gl.enable(gl.CULL_FACE);
  gl.depthMask(true);
  gl.disable(gl.BLEND);
}
