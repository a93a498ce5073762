// Networks, points and rivers as lines that lie on the ground: each piece is a strip with round ends, whose
// width is measured in pixels once it is on the screen.

import { request } from "./ask.js";
import { PIECE, readLines } from "./pieces.js";
import { lineFragment, lineVertex } from "./shaders.js";
import { bytesOf } from "./source.js";
import { createBufferInfoFromArrays, createVertexArrayInfo } from "./twgl.min.js";

export const getLines = async (path, signal) => readLines(await bytesOf(await request(path, { signal })));

export const lineProgram = (painter, globe) =>
  painter.program(lineVertex, lineFragment, globe ? "#define GLOBE 1\n" : "");

export function shapeOf(painter, { pieces, count }) {
  const { gl } = painter,
    buffer = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
  gl.bufferData(gl.ARRAY_BUFFER, pieces, gl.STATIC_DRAW);
  const part = (numComponents, offset) => ({
    buffer,
    numComponents,
    type: gl.FLOAT,
    stride: 4 * PIECE,
    offset: 4 * offset,
    divisor: 1,
  });
  const buffers = createBufferInfoFromArrays(gl, {
    corner2: { numComponents: 2, data: [-1, 0, 1, 0, -1, 1, 1, 1] },
  });
  Object.assign(buffers.attribs, { from: part(3, 0), to: part(3, 3), kind: part(1, 6), tones: part(2, 7) });
  return {
    ...createVertexArrayInfo(gl, lineProgram(painter, false), buffers),
    count,
    own: [buffer, buffers.attribs.corner2.buffer],
  };
}

// Draws the lines of chunks, [[shape, uniforms of the chunk], …]. Pieces overlap where they join: what is
// seen through lies only once on the ground, since its share is first gathered in the picture's alpha, and
// spent by the first piece that is drawn there.
export function paintLines(painter, chunks, uniforms) {
  const { gl } = painter,
    program = lineProgram(painter, false),
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
