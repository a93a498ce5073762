// The screen: one renderer, one or two grounds side by side, the sky. It draws when something changed and else rests.
import { BufferAttribute, BufferGeometry, GLSL3, Mesh, PerspectiveCamera, RawShaderMaterial, Scene, Vector2, Vector3, Vector4,
  WebGLRenderer } from "./three.min.js";
import { rampTexture } from "./chunk.js";
import { RAMP } from "./colour.js";
import { skyFragment, skyVertex } from "./shaders.js";
import { globe, radius } from "./globe.js";
import { flat, frameOf, radians } from "./view.js";

const light = hex => new Vector3(...[1, 3, 5].map(i => (parseInt(hex.slice(i, i + 2), 16) / 255) ** 2.2));
const smooth = (from, to, value) => {
  const t = Math.min(Math.max((value - from) / (to - from), 0), 1);
  return t * t * (3 - 2 * t);
};

const PATIENCE = 600; // milliseconds until a new ground is shown that is not complete

export class Stage {
  constructor(canvas) {
    const context = canvas.getContext("webgl2", { antialias: false, alpha: true, powerPreference: "high-performance" });
    if (!context) throw new Error("this browser has no WebGL 2, which the map is drawn with");
    this.renderer = new WebGLRenderer({ canvas, context, antialias: false, alpha: true });
    this.renderer.autoClear = false;
    this.canvas = canvas;
    this.camera = new PerspectiveCamera();
    this.camera.matrixAutoUpdate = false;
    this.grounds = [];
    this.swipe = 0.5;
    this.settings = { exaggeration: 1, azimuth: 315, altitude: 45, haze: 0.5, contourLines: false, shading: 1, flat: false };
    const one = value => ({ value });
    this.uniforms = { ramp: one(null), overlay: one(null), sun: one(new Vector3()), horizon: one(light("#c9d6df")),
      zenith: one(light("#5b8fc4")), eye: one(new Vector3()), river: one(new Vector3()), tilted: one(0), haze: one(1),
      contours: one(0), contourPhase: one(0), opacity: one(0), shading: one(1), globe: one(0), focal: one(1) };
    this.scene = new Scene();
    this.sky = this.makeSky();
    this.drawing = false;
    this.calm = matchMedia("(prefers-reduced-motion: reduce)");
    this.onframe = () => {};
  }
  makeSky() {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array([-1, -1, 0, 3, -1, 0, -1, 3, 0]), 3));
    const { horizon, zenith, sun, eye, globe } = this.uniforms;
    const material = new RawShaderMaterial({ glslVersion: GLSL3, vertexShader: skyVertex, fragmentShader: skyFragment,
      depthTest: false, depthWrite: false, uniforms: { horizon, zenith, sun, eye, globe, planet: { value: 1 }, forward: { value: new Vector3() },
        right: { value: new Vector3() }, upward: { value: new Vector3() }, reach: { value: new Vector2() } } });
    const mesh = new Mesh(geometry, material), scene = new Scene();
    mesh.frustumCulled = false;
    scene.add(mesh);
    return { scene, uniforms: material.uniforms };
  }

  resize() {
    const { clientWidth: width, clientHeight: height } = this.canvas;
    this.width = Math.max(width, 1);
    this.height = Math.max(height, 1);
    this.renderer.setPixelRatio(this.ratio = Math.min(devicePixelRatio, 2));
    this.renderer.setSize(this.width, this.height, false);
    this.wake();
  }
  // Where frames take long, fewer pixels are drawn as long as the view moves.
  pace(moving, seconds) {
    this.slowness = 0.8 * (this.slowness ?? seconds) + 0.2 * seconds;
    const ratio = Math.min(devicePixelRatio, 2) * (moving && this.slowness > 0.08 && !this.steady && !this.calm.matches ? 0.6 : 1);
    if (ratio === this.ratio) return;
    this.renderer.setPixelRatio(this.ratio = ratio);
  }
  paint(ramp) {
    this.uniforms.ramp.value?.dispose();
    this.uniforms.ramp.value = rampTexture(ramp);
    const sea = Math.round(0.3 * RAMP) * 4;
    this.uniforms.river.value.set(...[0, 1, 2].map(i => (ramp[sea + i] / 255) ** 2.2));
    this.wake();
  }
  // The new ground takes the last one's place once it has something to draw; beside it, where two are compared.
  replace(ground, beside) {
    this.incoming?.close();
    this.incoming = ground;
    this.beside = beside && this.grounds.length < 2;
    this.since = performance.now();
    this.wake();
    setTimeout(() => this.wake(), PATIENCE + 20);
  }
  receive(view, frame, settings) {
    const { incoming } = this;
    if (!incoming) return;
    const ready = incoming.update(view, frame, settings);
    const enough = ready && (incoming.complete || !this.grounds.length || performance.now() - this.since > PATIENCE);
    if (enough) {
      const old = this.beside ? null : this.grounds.pop();
      if (old) {
        this.scene.remove(old.group);
        old.close();
      }
      this.grounds.push(incoming);
      this.scene.add(incoming.group);
      this.incoming = null;
    }
  }
  keepLast() {
    while (this.grounds.length > 1) {
      const old = this.grounds.shift();
      this.scene.remove(old.group);
      old.close();
    }
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
      this.onframe(this.calm.matches ? 1e9 : seconds); // whoever wants no motion gets the end of each at once
    });
  }

  // The sun stands still on the screen of a map seen from above, and in the sky where it is tilted.
  aim(view, frame) {
    const { uniforms: u, settings } = this;
    const azimuth = radians(settings.azimuth + (view.tilt ? 0 : view.turn)), altitude = radians(settings.altitude);
    u.sun.value.set(Math.sin(azimuth) * Math.cos(altitude), Math.cos(azimuth) * Math.cos(altitude), Math.sin(altitude));
    u.tilted.value = smooth(0, 35, view.tilt);
    u.eye.value.set(...frame.eye);
    u.focal.value = frame.focal;
    u.haze.value = frame.distance * 30 * 2 ** (3 * (0.5 - settings.haze));
    u.shading.value = settings.shading;
    u.globe.value = this.space === globe ? 1 : 0;
    const { camera } = this, back = frame.forward.map(value => -value);
    camera.fov = frame.verticalAngle;
    camera.aspect = frame.width / frame.height;
    camera.near = frame.distance * 0.02;
    camera.far = frame.furthest * 1.5;
    camera.updateProjectionMatrix();
    const [r, p, b, e] = [frame.right, frame.up, back, frame.eye];
    camera.matrixWorld.set(r[0], p[0], b[0], e[0], r[1], p[1], b[1], e[1], r[2], p[2], b[2], e[2], 0, 0, 0, 1);
    camera.matrixWorldInverse.copy(camera.matrixWorld).invert();
    camera.matrixWorldAutoUpdate = false;
    const s = this.sky.uniforms;
    s.planet.value = radius(view.zoom);
    s.forward.value.set(...frame.forward);
    s.right.value.set(...frame.right);
    s.upward.value.set(...frame.up);
    s.reach.value.set(frame.across, frame.along);
  }

  get space() { return (this.grounds.at(-1) ?? this.incoming)?.space ?? flat; }
  groundAt(view, [x, y]) { return this.space.groundAt(this.frame(view), x, y, view); }

  frame(view) {
    const ground = this.grounds[0], frame = frameOf(view, this.width, this.height);
    if (view.tilt && ground?.anchor) { // the eye stays above the ground
      const least = ground.sceneHeight(view, frame.eye) + 0.08 * frame.distance;
      if (frame.eye[2] < least) frame.eye[2] = least;
    }
    return frame;
  }

  // Two grounds that are compared have the same colours for the same altitudes, as long as doubles tell altitudes apart.
  spread(view, frame, seconds) {
    const seen = this.grounds.map(ground => ground.seen(view, frame));
    for (const [i, ground] of this.grounds.entries()) {
      const others = this.grounds.length > 1 && view.zoom < 20 ? [0, 1] : [i], centre = j => this.grounds[j].anchor?.tile.centre ?? 0;
      ground.spread({ heights: others.flatMap(j => seen[j].heights.map(height => height + (centre(j) - centre(i)))),
        slopes: others.flatMap(j => seen[j].slopes) }, seconds);
    }
  }

  draw(view, seconds, diving) {
    const frame = this.frame(view), rise = smooth(0, 30, view.tilt) * this.settings.exaggeration;
    this.aim(view, frame);
    const density = Math.sqrt(Math.min(devicePixelRatio, 2));
    const settings = { seconds, rise, density, diving };
    this.receive(view, frame, settings);
    let busy = Boolean(this.incoming), easing = false;
    this.renderer.setScissorTest(false);
    this.renderer.setClearColor(0, 0);
    this.renderer.clear();
    if (view.tilt || this.space === globe) this.renderer.render(this.sky.scene, this.camera);
    for (const ground of this.grounds) ground.update(view, frame, settings);
    this.spread(view, frame, seconds);
    for (const [i, ground] of this.grounds.entries()) {
      ground.place(view);
      easing ||= ground.moving || ground.easing;
      busy ||= !ground.complete;
      this.grounds.forEach(other => other.group.visible = other === ground);
      if (this.grounds.length > 1) {
        const edge = Math.round(this.width * this.swipe);
        this.renderer.setScissorTest(true);
        this.renderer.setScissor(...(i ? [edge, 0, this.width - edge, this.height] : [0, 0, edge, this.height]));
      }
      this.uniforms.contours.value = this.settings.contourLines ? ground.contourStep(view) : 0;
      this.uniforms.contourPhase.value = this.settings.contourLines ? ground.contourPhase(view) : 0;
      this.renderer.render(this.scene, this.camera);
    }
    this.busy = busy || easing;
    if (easing) this.wake(); // a tile that arrives wakes it, too
    return frame;
  }
}
