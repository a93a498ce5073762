// Smooth edges: what is drawn between begin() and end() has several samples a pixel, along edges of the
// ground.
const SAMPLES = 4;

export class Smooth {
  constructor(gl) {
    this.gl = gl;
    this.buffer = null;
  }
  begin() {
    const { gl } = this,
      { width, height } = gl.canvas;
    if (this.width !== width || this.height !== height) this.make(width, height);
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.buffer);
  }
  end() {
    const { gl, width, height } = this;
    gl.disable(gl.SCISSOR_TEST);
    gl.bindFramebuffer(gl.READ_FRAMEBUFFER, this.buffer);
    gl.bindFramebuffer(gl.DRAW_FRAMEBUFFER, null);
    gl.blitFramebuffer(0, 0, width, height, 0, 0, width, height, gl.COLOR_BUFFER_BIT, gl.NEAREST);
    gl.invalidateFramebuffer(gl.READ_FRAMEBUFFER, [gl.COLOR_ATTACHMENT0, gl.DEPTH_ATTACHMENT]);
    gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  }
  make(width, height) {
    const { gl } = this,
      samples = Math.min(SAMPLES, gl.getParameter(gl.MAX_SAMPLES));
    this.drop();
    Object.assign(this, { width, height, buffer: gl.createFramebuffer() });
    gl.bindFramebuffer(gl.FRAMEBUFFER, this.buffer);
    this.parts = [
      [gl.RGBA8, gl.COLOR_ATTACHMENT0],
      [gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT],
    ].map(([format, place]) => {
      const part = gl.createRenderbuffer();
      gl.bindRenderbuffer(gl.RENDERBUFFER, part);
      gl.renderbufferStorageMultisample(gl.RENDERBUFFER, samples, format, width, height);
      gl.framebufferRenderbuffer(gl.FRAMEBUFFER, place, gl.RENDERBUFFER, part);
      return part;
    });
  }
  drop() {
    if (!this.buffer) return;
    this.gl.deleteFramebuffer(this.buffer);
    for (const part of this.parts) this.gl.deleteRenderbuffer(part);
  }
}
