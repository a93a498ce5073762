// The screen: one renderer, one or two grounds side by side, the sky. It draws when something changed and
// else rests.

import { lightRanges, usualLook } from "./address.js";
import { Painter } from "./chunk.js";
import { RAMP } from "./colour.js";
import { globe, radius } from "./globe.js";
import { skyFragment, skyVertex } from "./shaders.js";
import { Smooth } from "./smooth.js";
import { createBufferInfoFromArrays, createVertexArrayInfo } from "./twgl.min.js";
import { flat, frameOf, lifted, matricesOf, pixelOf, radians } from "./view.js";

const light = hex => [1, 3, 5].map(i => (parseInt(hex.slice(i, i + 2), 16) / 255) ** 2.2);
const smooth = (from, to, value) => {
  const t = Math.min(Math.max((value - from) / (to - from), 0), 1);
  return t * t * (3 - 2 * t);
};

const PATIENCE = 600; // milliseconds until a new ground is shown that is not complete
const QUICK = 0.03; // seconds of a frame, with which the view moves in the quality that it has at rest

export class Stage {
  constructor(canvas) {
    const gl = (this.gl = canvas.getContext("webgl2", {
      antialias: false,
      powerPreference: "high-performance",
    }));
    if (!gl) throw new Error("this browser has no WebGL 2, which the map is drawn with");
    this.painter = new Painter(gl);
    this.smooth = new Smooth(gl);
    this.canvas = canvas;
    this.grounds = [];
    this.swipe = 0.5;
    this.settings = {
      ...Object.fromEntries(Object.keys(lightRanges).map(name => [name, usualLook[name]])),
      contourLines: false,
      flat: false,
    };
    this.uniforms = {
      ramp: this.painter.blank,
      sun: [0, 0, 1],
      horizon: light("#c9d6df"),
      zenith: light("#5b8fc4"),
      eye: [0, 0, 1],
      river: [0, 0, 0],
      tilted: 0,
      haze: 1,
      away: 1,
      shading: 1,
      globe: 0,
      focal: 1,
      overlayArea: [0, 0, 1, 1],
    };
    this.corners = createBufferInfoFromArrays(gl, {
      position: { numComponents: 3, data: [-1, -1, 0, 3, -1, 0, -1, 3, 0] },
    });
    // Pixels that panels and buttons cover: from the left, from below, from the right
    this.covered = [0, 0, 0];
    this.shift = null; // of the middle of the view away from them
    this.drawing = false;
    this.moving = false;
    this.posing = false; // for frames of a journey, each at rest
    this.quick = true; // until frames of a moving view take long
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.onframe = () => {};
    this.formsFor = () => null; // uniforms of what its tiles do not show yet (forms.js)
    canvas.addEventListener("webglcontextlost", event => event.preventDefault());
    canvas.addEventListener("webglcontextrestored", () => location.reload()); // the address has the view
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.width = Math.max(width, 1);
    this.height = Math.max(height, 1);
    this.setRatio(Math.min(devicePixelRatio, 2));
    this.wake();
  }
  setRatio(ratio) {
    this.ratio = ratio;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
  }
  // Where frames take long, fewer pixels are drawn as long as the view moves.
  pace(moving, seconds) {
    if (moving && this.moving) {
      // else there was a rest between two frames
      this.slowness = 0.8 * (this.slowness ?? seconds) + 0.2 * seconds;
      if (this.fine) this.quick = this.slowness < QUICK;
    }
    this.moving = moving;
    const ratio =
      Math.min(devicePixelRatio, 2) * (moving && this.slowness > 0.08 && !this.calm.matches ? 0.6 : 1);
    if (ratio !== this.ratio) this.setRatio(ratio);
  }
  paint(ramp) {
    this.painter.forget(this.uniforms.ramp);
    const sea = Math.round(0.3 * RAMP) * 4;
    Object.assign(this.uniforms, {
      ramp: this.painter.ramp(ramp),
      river: [0, 1, 2].map(i => (ramp[sea + i] / 255) ** 2.2),
    });
    this.wake();
  }
  // The new ground takes the last one's place once it has something to draw; beside it, where two are
  // compared.
  replace(ground, beside) {
    this.incoming?.close();
    this.incoming = ground;
    this.beside = beside && this.grounds.length < 2;
    this.since = performance.now();
    this.wake();
    setTimeout(() => this.wake(), (ground.patience ?? PATIENCE) + 20);
  }
  receive(view, frame, settings) {
    const { incoming } = this;
    if (!incoming) return;
    const ready = incoming.update(view, frame, settings);
    const enough =
      ready &&
      (incoming.complete ||
        incoming.quick ||
        !this.grounds.length ||
        performance.now() - this.since > (incoming.patience ?? PATIENCE));
    if (enough) {
      const old = this.beside ? null : this.grounds.pop();
      old?.close();
      this.grounds.push(incoming);
      this.incoming = null;
    }
  }
  // Ends once the new ground is shown.
  async received() {
    while (this.incoming) await new Promise(done => requestAnimationFrame(done));
  }
  keepLast() {
    while (this.grounds.length > 1) this.grounds.shift().close();
    this.wake();
  }

  // Asks for a frame.
  wake() {
    if (this.drawing) return;
    this.drawing = true;
    requestAnimationFrame(now => {
      this.drawing = false;
      const seconds = Math.min((now - (this.last ?? now)) / 1000, 0.4) || 0.016;
      this.last = now;
      // Whoever wants no motion gets the end of each at once
      this.onframe(this.calm.matches || this.posing ? 1e9 : seconds);
    });
  }

  // The sun stands still on the screen of a map seen from above, and in the sky where it is tilted.
  aim(view, frame) {
    const { settings } = this,
      azimuth = radians(settings.azimuth + (view.tilt ? 0 : view.turn)),
      altitude = radians(settings.altitude);
    Object.assign(this.uniforms, matricesOf(frame), {
      sun: [
        Math.sin(azimuth) * Math.cos(altitude),
        Math.cos(azimuth) * Math.cos(altitude),
        Math.sin(altitude),
      ],
      tilted: smooth(0, 35, view.tilt),
      eye: frame.eye,
      away: frame.distance,
      focal: frame.focal,
      haze: frame.distance * 30 * 2 ** (3 * (0.5 - settings.haze)),
      shading: settings.shading,
      globe: this.space === globe ? 1 : 0,
      planet: radius(view.zoom),
      forward: frame.forward,
      right: frame.right,
      upward: frame.up,
      sides: frame.sides,
    });
  }
  // Behind the ground: the page's colour, or the sky.
  backdrop(view) {
    const { gl, painter } = this,
      back = getComputedStyle(document.documentElement).getPropertyValue("--back").trim();
    gl.viewport(0, 0, this.canvas.width, this.canvas.height);
    gl.disable(gl.SCISSOR_TEST);
    gl.enable(gl.CULL_FACE);
    gl.clearColor(...[1, 3, 5].map(i => parseInt(back.slice(i, i + 2), 16) / 255), 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    gl.disable(gl.DEPTH_TEST);
    if (view.tilt || this.space === globe) {
      const program = painter.program(skyVertex, skyFragment);
      this.sky ??= createVertexArrayInfo(gl, program, this.corners);
      painter.use(program, this.uniforms);
      painter.draw(program, this.sky, {});
    }
    gl.enable(gl.DEPTH_TEST);
    gl.depthFunc(gl.LEQUAL);
  }
  // Of two grounds each has its side of the swipe.
  clip(i) {
    const { gl, ratio } = this,
      edge = Math.round(this.width * this.swipe * ratio);
    if (this.grounds.length < 2) return;
    gl.enable(gl.SCISSOR_TEST);
    gl.scissor(
      ...(i ? [edge, 0, this.canvas.width - edge, this.canvas.height] : [0, 0, edge, this.canvas.height]),
    );
  }

  // Whether a pixel shows A of two grounds that are compared.
  isFirst([x]) {
    return this.grounds.length > 1 && x < this.width * this.swipe;
  }

  get space() {
    return (this.grounds.at(-1) ?? this.incoming)?.space ?? flat;
  }
  groundAt(view, [x, y]) {
    return this.space.groundAt(this.frame(view), x, y, view);
  }

  get middle() {
    const [left, below, right] = this.shift ?? this.covered;
    return [(this.width + left - right) / 2, (this.height - below) / 2];
  }
  frame(view) {
    const frame = frameOf(view, this.width, this.height, this.middle),
      grounds = view.tilt ? this.grounds.filter(ground => ground.anchor) : [];
    const least = Math.max(
      ...grounds.map(ground => ground.sceneHeight(view, frame.eye) + 0.08 * frame.distance),
    ); // the eye stays above the ground
    return frame.eye[2] < least ? lifted(frame, least) : frame;
  }

  // The pixel where a place is seen.
  pixelAt(view, place, frame = this.frame(view)) {
    const height = this.grounds.at(-1)?.placeHeight(view, place) ?? 0;
    return pixelOf(frame, this.space.pointAt(view, place, height));
  }
  // The middle follows the panels; true while it moves.
  follow(seconds) {
    const share = this.shift ? 1 - Math.exp(-seconds / 0.09) : 1,
      from = this.shift ?? this.covered;
    const moved = from.map((value, i) => value + (this.covered[i] - value) * share);
    const moving = moved.some((value, i) => Math.abs(value - this.covered[i]) > 0.3);
    this.shift = moving ? moved : [...this.covered];
    return moving;
  }

  // Two grounds that are compared have the same colours for the same altitudes, as long as doubles tell
  // altitudes apart.
  spread(view, frame, seconds) {
    const seen = this.grounds.map(ground => ground.seen(view, frame)),
      diverges = this.settings.diverges && this.grounds.some(ground => ground.goesBelow);
    for (const [i, ground] of this.grounds.entries()) {
      const others = this.grounds.length > 1 && view.zoom < 20 ? [0, 1] : [i],
        centre = j => this.grounds[j].anchor?.tile.centre ?? 0;
      ground.spread(
        {
          diverges,
          heights: others.flatMap(j => seen[j].heights.map(height => height + (centre(j) - centre(i)))),
          slopes: others.flatMap(j => seen[j].slopes),
        },
        seconds,
      );
    }
  }

  draw(view, seconds, diving) {
    const shifting = this.follow(seconds),
      rise = smooth(0, 30, view.tilt) * this.settings.exaggeration;
    const settings = { seconds, rise, density: Math.sqrt(Math.min(devicePixelRatio, 2)), diving };
    // What is compared with it is seen from the same eye
    const first = this.grounds.length > 1 || this.beside ? this.grounds[0] : null;
    for (const ground of [...this.grounds, this.incoming])
      ground?.prepare(view, { ...settings, beside: ground === first ? null : first });
    const frame = this.frame(view);
    this.aim(view, frame);
    this.receive(view, frame, settings);
    let busy = Boolean(this.incoming),
      easing = shifting;
    // Its tiles would be drawn for nothing where another is to take its place
    const idle = Boolean(this.incoming?.tree?.standIn) && !this.beside;
    for (const ground of this.grounds) ground.update(view, frame, { ...settings, idle });
    this.spread(view, frame, seconds);
    for (const ground of this.grounds) {
      easing ||= ground.moving || ground.easing;
      busy ||= !ground.complete;
    }
    this.busy = Boolean(busy || easing);
    this.paintAll(view);
    if (easing) this.wake(); // a tile that arrives wakes it, too
    return frame;
  }
  // At rest, and on a quick machine also as it moves, tilted ground has a fine grid and, where there is a
  // GPU, smooth edges.
  paintAll(view) {
    const fine = (this.fine = this.moving ? this.quick : !this.busy),
      smoothed = fine && !this.painter.software && (view.tilt > 0 || this.space === globe);
    if (smoothed) this.smooth.begin();
    this.backdrop(view);
    for (const [i, ground] of this.grounds.entries()) {
      ground.place(view);
      ground.forms = this.formsFor(ground, view);
      this.clip(i);
      ground.paint(
        {
          ...this.uniforms,
          contours: this.settings.contourLines ? ground.contourStep(view) : 0,
          contourPhase: this.settings.contourLines ? ground.contourPhase(view) : 0,
        },
        { ...this.settings, fine, moving: this.moving },
      );
    }
    if (smoothed) this.smooth.end();
  }
}
