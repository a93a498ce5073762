// Ground in WebGL: the programs, grids and textures that draw the nodes of a tree.

import { RAMP } from "./colour.js";
import { curve } from "./globe.js";
import { groundFragment, groundVertex } from "./shaders.js";
import { texelsOf } from "./source.js";
import {
  createBufferInfoFromArrays,
  createProgramInfoFromProgram,
  createTexture,
  createVertexArrayInfo,
  drawBufferInfo,
  setUniforms,
} from "./twgl.min.js";

// A grid of `quads`² over u and v, with a skirt: its edge once more, which the shader lowers.
function gridOf(quads) {
  const side = quads + 3,
    count = side * side,
    spots = new Float32Array(count * 3),
    index = [];
  for (let j = 0; j < side; j++)
    for (let i = 0; i < side; i++) {
      const at = (j * side + i) * 3,
        inner = value => Math.min(Math.max(value - 1, 0), quads) / quads;
      spots[at] = inner(i);
      spots[at + 1] = inner(j);
      spots[at + 2] = i === 0 || j === 0 || i === side - 1 || j === side - 1 ? 1 : 0;
      if (i < side - 1 && j < side - 1) {
        const a = j * side + i,
          b = a + 1,
          c = a + side,
          d = c + 1;
        index.push(a, c, b, b, c, d);
      }
    }
  return { position: { numComponents: 3, data: spots }, indices: new Uint32Array(index) };
}

const FORMED = "#define FORMED 1\n";

// In the same places in all programs, so that each draws the same grids.
const ATTRIBUTES = ["position", "place", "outward"];

export class Painter {
  constructor(gl) {
    Object.assign(this, { gl, begun: new Map(), programs: new Map(), grids: new Map() });
    const debug = gl.getExtension("WEBGL_debug_renderer_info");
    this.software = /swiftshader|llvmpipe|software|basic render/i.test(
      gl.getParameter(debug ? debug.UNMASKED_RENDERER_WEBGL : gl.RENDERER),
    );
    this.blank = createTexture(gl, { src: new Uint8Array(4), width: 1, height: 1 });
    this.begin(groundVertex, groundFragment);
    gl.flush();
  }
  // Has a program compiled, which takes the driver longer than a tile; the page goes on until program() asks for it.
  begin(vertex, fragment, define = "") {
    const { gl } = this,
      program = gl.createProgram();
    for (const [kind, source] of [
      [gl.VERTEX_SHADER, vertex],
      [gl.FRAGMENT_SHADER, fragment],
    ]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, "#version 300 es\n" + define + source);
      gl.compileShader(shader);
      gl.attachShader(program, shader);
    }
    ATTRIBUTES.forEach((name, i) => gl.bindAttribLocation(program, i, name));
    gl.linkProgram(program);
    this.begun.set(define + vertex, program);
    return program;
  }
  program(vertex, fragment, define = "") {
    const { gl } = this,
      key = define + vertex;
    if (!this.programs.has(key)) {
      const program = this.begun.get(key) ?? this.begin(vertex, fragment, define);
      if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(this.faultOf(program));
      this.programs.set(key, createProgramInfoFromProgram(gl, program));
    }
    return this.programs.get(key);
  }
  faultOf(program) {
    const { gl } = this,
      texts = gl.getAttachedShaders(program).map(shader => gl.getShaderInfoLog(shader));
    return (
      "the graphics driver refuses a program: " + [...texts, gl.getProgramInfoLog(program)].join(" ").trim()
    );
  }
  ground(globe, formed = false) {
    return this.program(
      groundVertex,
      groundFragment,
      (globe ? "#define GLOBE 1\n" : "") + (formed ? FORMED : ""),
    );
  }
  // Has the program that draws forms (forms.js) compiled before the first one.
  beginForms(globe) {
    const define = (globe ? "#define GLOBE 1\n" : "") + FORMED;
    if (!this.begun.has(define + groundVertex)) this.begin(groundVertex, groundFragment, define);
  }

  grid(quads) {
    if (!this.grids.has(quads)) {
      const arrays = gridOf(quads),
        buffers = createBufferInfoFromArrays(this.gl, arrays);
      this.grids.set(quads, {
        arrays,
        buffers,
        shape: createVertexArrayInfo(this.gl, this.ground(false), buffers),
      });
    }
    return this.grids.get(quads);
  }
  // The same grid on a planet's surface.
  curved(quads, node) {
    const { gl } = this,
      { arrays, buffers } = this.grid(quads),
      { places, outward } = curve(node, arrays.position.data);
    const own = createBufferInfoFromArrays(
      gl,
      { place: { numComponents: 3, data: places }, outward: { numComponents: 3, data: outward } },
      buffers,
    );
    return {
      ...createVertexArrayInfo(gl, this.ground(true), own),
      own: [own.attribs.place.buffer, own.attribs.outward.buffer],
    };
  }
  drop({ vertexArrayObject, own = [] }) {
    this.gl.deleteVertexArray(vertexArrayObject);
    for (const buffer of own) this.gl.deleteBuffer(buffer);
  }

  use(program, ...uniforms) {
    this.gl.useProgram(program.program);
    setUniforms(program, ...uniforms);
  }
  draw(program, shape, uniforms) {
    setUniforms(program, uniforms);
    this.gl.bindVertexArray(shape.vertexArrayObject);
    drawBufferInfo(this.gl, shape);
    this.gl.bindVertexArray(null); // which would take the next indices that are made for its own
  }

  drawMany(program, shape, uniforms, count) {
    setUniforms(program, uniforms);
    this.gl.bindVertexArray(shape.vertexArrayObject);
    drawBufferInfo(
      this.gl,
      shape,
      shape.elementType ? this.gl.TRIANGLES : this.gl.TRIANGLE_STRIP,
      shape.elementType ? shape.numElements : 4,
      0,
      count,
    );
    this.gl.bindVertexArray(null);
  }

  tile(tile, sea) {
    const { gl } = this,
      { texels, across, down, ...image } = texelsOf(tile, sea, this.room);
    this.room = texels;
    return {
      ...image,
      texture: createTexture(gl, {
        src: texels,
        width: across,
        height: down,
        internalFormat: gl.RGBA16F,
        format: gl.RGBA,
        type: gl.FLOAT,
        minMag: gl.LINEAR,
        wrap: gl.CLAMP_TO_EDGE,
        auto: false,
      }),
    };
  }
  // Pairs of numbers for a shader.
  table(pairs) {
    const { gl } = this;
    return createTexture(gl, {
      src: pairs,
      width: pairs.length / 2,
      height: 1,
      internalFormat: gl.RG32F,
      format: gl.RG,
      type: gl.FLOAT,
      minMag: gl.NEAREST,
      wrap: gl.CLAMP_TO_EDGE,
      auto: false,
    });
  }
  fill(table, pairs) {
    const { gl } = this;
    gl.bindTexture(gl.TEXTURE_2D, table);
    gl.texSubImage2D(gl.TEXTURE_2D, 0, 0, 0, pairs.length / 2, 1, gl.RG, gl.FLOAT, pairs);
  }
  ramp(bytes) {
    const { gl } = this;
    return createTexture(gl, {
      src: bytes,
      width: RAMP,
      height: 1,
      internalFormat: gl.SRGB8_ALPHA8,
      minMag: gl.LINEAR,
      wrap: gl.CLAMP_TO_EDGE,
      auto: false,
    });
  }
  // A picture, as { src, width, height } or a bitmap.
  picture(bitmap) {
    return this.colours({ src: bitmap });
  }
  colours(source) {
    const { gl } = this;
    return createTexture(gl, {
      ...source,
      internalFormat: gl.SRGB8_ALPHA8,
      min: gl.LINEAR_MIPMAP_LINEAR,
      mag: gl.LINEAR,
      wrap: gl.CLAMP_TO_EDGE,
    });
  }
  forget(texture) {
    if (texture && texture !== this.blank) this.gl.deleteTexture(texture);
  }
}
