// Gestures: pointer, wheel, pinch and keyboard move the view. Whoever holds one { view, frame(), limits(),
// changed() } can use it; what moves is eased here, towards a goal that gestures set at once.
import { flight, limited, zoomedAbout } from "./view.js";

const SMOOTHING = 0.09; // seconds
const STEP = 80; // pixels of an arrow key

// Whether two fingers tilt: both have gone up or down, and as far as each other. null as long as they have
// hardly moved.
function tilts({ from }, one, other) {
  const ways = [one, other].map(finger => finger.at.map((value, i) => value - from.get(finger)[i])),
    far = ways.map(way => Math.hypot(...way));
  if (Math.max(...far) < 9) return null;
  if (Math.min(...far) < 3 && Math.max(...far) < 24) return null; // the other may follow
  const steep = ways.every(([x, y]) => Math.abs(y) > 1.7 * Math.abs(x));
  return steep && ways[0][1] * ways[1][1] > 0;
}

export class Camera {
  constructor(element, stage) {
    Object.assign(this, {
      element,
      stage,
      view: null,
      goal: 0,
      focus: null,
      pointers: new Map(),
      journey: null,
      speed: 0,
    });
    this.limits = { least: 0, most: 92, tilt: 80 };
    this.clicked = () => {};
    this.hovered = () => {};
    for (const type of [
      "pointerdown",
      "pointermove",
      "pointerup",
      "pointercancel",
      "pointerleave",
      "wheel",
      "dblclick",
      "contextmenu",
      "keydown",
    ])
      element.addEventListener(type, event => this["on" + type]?.(event), { passive: false });
  }
  get still() {
    return !this.journey && Math.abs(this.goal) < 1e-3 && !this.pointers.size;
  }

  set(view) {
    this.land();
    this.goal = 0;
    this.view = limited(view, this.limits);
    this.stage.wake();
  }
  change(change) {
    this.set({ ...this.view, ...change });
  }
  // Ends a flight where it is.
  land() {
    const { done } = this.journey ?? {};
    this.journey = null;
    done?.(false);
  }
  // done(arrived) is called at the end.
  fly(view, done) {
    this.land();
    const path = flight(this.view, limited(view, this.limits), this.stage.space);
    const seconds = this.stage.calm.matches ? 0.01 : Math.min(Math.max(path.length * 0.45, 0.4), 14);
    this.journey = { path, seconds, spent: 0, done };
    this.stage.wake();
  }

  // Moves the view by what `seconds` bring; true while it moves.
  advance(seconds) {
    const before = this.view.zoom;
    if (this.journey) {
      const { path, seconds: whole, done } = this.journey;
      const spent = (this.journey.spent += seconds);
      this.view = limited(path.at(Math.min(spent / whole, 1)), {
        ...this.limits,
        least: this.limits.least - 2,
      });
      if (spent >= whole) {
        this.journey = null;
        done?.(true);
      }
    } else if (this.goal) {
      const part = Math.abs(this.goal) < 1e-3 ? this.goal : this.goal * (1 - Math.exp(-seconds / SMOOTHING));
      this.goal -= part;
      this.view = limited(this.zoomed(part), this.limits);
    }
    this.speed = (this.view.zoom - before) / Math.max(seconds, 1e-3);
    this.view.towards = this.speed > 0.3 && this.focus ? this.placeOf(this.focus) : undefined;
    return !this.still;
  }
  placeOf([x, y]) {
    const point = this.stage.groundAt(this.view, [x, y]);
    return point ? this.stage.space.panned(this.view, ...point) : undefined;
  }
  zoomed(levels) {
    const point = this.focus && this.stage.groundAt(this.view, this.focus);
    return zoomedAbout(this.view, point ?? [0, 0], levels, this.limits, this.stage.space);
  }
  zoomBy(levels, focus = null) {
    this.land();
    this.focus = focus;
    this.goal = Math.min(Math.max(this.goal + levels, -6), 6);
    this.stage.wake();
  }
  tiltBy(tilt, turn) {
    this.change({ tilt: this.view.tilt + tilt, turn: this.view.turn + turn });
  }
  // Moves the ground by pixels of the screen.
  drag(from, to) {
    const a = this.stage.groundAt(this.view, from),
      b = this.stage.groundAt(this.view, to);
    if (!a || !b) return;
    this.set(
      this.stage.space.panned(
        this.view,
        Math.max(-8, Math.min(8, a[0] - b[0])),
        Math.max(-8, Math.min(8, a[1] - b[1])),
      ),
    );
  }

  at(event) {
    const box = this.element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }
  onpointerdown(event) {
    if (event.target !== this.element) return;
    this.element.setPointerCapture(event.pointerId);
    const at = this.at(event);
    this.gesture = null;
    this.pointers.set(event.pointerId, {
      at,
      from: at,
      moved: false,
      turning: event.button === 2 || event.ctrlKey || event.shiftKey,
    });
    this.land();
    this.goal = 0;
  }
  onpointermove(event) {
    const pointer = this.pointers.get(event.pointerId),
      to = this.at(event);
    if (event.pointerType !== "touch") this.hovered(to);
    if (!pointer) return;
    const others = [...this.pointers.values()].filter(other => other !== pointer),
      from = pointer.at;
    pointer.at = to;
    pointer.moved ||=
      others.length > 0 ||
      Math.hypot(to[0] - pointer.from[0], to[1] - pointer.from[1]) > (event.pointerType === "touch" ? 8 : 4);
    if (others.length) this.pinch(from, to, pointer, others[0]);
    else if (pointer.turning) this.tiltBy((from[1] - to[1]) * 0.3, (to[0] - from[0]) * 0.3);
    else this.drag(from, to);
  }
  // Two fingers: nearer or further apart zooms, turning turns, and both up or down tilts. Which it is shows
  // once they have moved some pixels; turning begins only after some degrees, so that a zoom keeps north up.
  pinch(from, to, one, other) {
    const gesture = (this.gesture ??= {
      from: new Map([
        [one, from],
        [other, other.at],
      ]),
      tilting: null,
      turned: 0,
      turning: this.view.turn !== 0,
    });
    const before = [from[0] - other.at[0], from[1] - other.at[1]],
      after = [to[0] - other.at[0], to[1] - other.at[1]];
    if (gesture.tilting === null) gesture.tilting = tilts(gesture, one, other);
    if (gesture.tilting === null) return;
    if (gesture.tilting) return this.tiltBy((from[1] - to[1]) * 0.2, 0);
    const turn =
      ((((Math.atan2(after[1], after[0]) - Math.atan2(before[1], before[0])) * 180) / Math.PI + 540) % 360) -
      180;
    gesture.turned += turn;
    this.drag(
      from.map((value, i) => (value + other.at[i]) / 2),
      to.map((value, i) => (value + other.at[i]) / 2),
    );
    this.focus = to.map((value, i) => (value + other.at[i]) / 2);
    this.set(this.zoomed(Math.log2(Math.hypot(...after) / Math.max(Math.hypot(...before), 1))));
    if (gesture.turning) this.tiltBy(0, -turn);
    else gesture.turning = Math.abs(gesture.turned) > 12;
  }
  onpointerup(event) {
    const pointer = this.pointers.get(event.pointerId);
    this.pointers.delete(event.pointerId);
    this.gesture = null;
    if (pointer && !pointer.moved && event.type === "pointerup") this.clicked(pointer.at, event);
    this.stage.wake();
  }
  onpointercancel(event) {
    this.onpointerup(event);
  }
  onpointerleave() {
    this.hovered(null);
  }
  oncontextmenu(event) {
    event.preventDefault();
  }
  onwheel(event) {
    event.preventDefault();
    const pixels = event.deltaY * (event.deltaMode === 1 ? 20 : event.deltaMode === 2 ? 400 : 1);
    this.zoomBy(-pixels * (event.ctrlKey ? 0.01 : 0.0025), this.at(event));
  }
  ondblclick(event) {
    this.zoomBy(event.shiftKey ? -1 : 1, this.at(event));
  }
  onkeydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const turn = event.shiftKey,
      { middle } = this.stage;
    const push = (x, y) =>
      turn ? this.tiltBy(y * 5, x * -7.5) : this.drag(middle, [middle[0] + x * STEP, middle[1] + y * STEP]);
    const keys = {
      ArrowLeft: () => push(1, 0),
      ArrowRight: () => push(-1, 0),
      ArrowUp: () => push(0, 1),
      ArrowDown: () => push(0, -1),
      "+": () => this.zoomBy(0.5),
      "=": () => this.zoomBy(0.5),
      "-": () => this.zoomBy(-0.5),
      PageUp: () => this.zoomBy(2),
      PageDown: () => this.zoomBy(-2),
      Home: () => this.whole?.(),
      Enter: () => this.clicked(this.stage.middle),
    };
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  }
}
