// A line that the pointer draws across the map, or from middle to middle of the view where Enter marks them,
// whose profile the inspector shows. While it is on, the pointer moves nothing.
import { get, notice } from "./dom.js";
import { isHeight } from "./kinds.js";

export class Ruler {
  // app: canvas, camera, inspector, result
  constructor(app) {
    this.app = app;
    this.on = false;
    this.from = null; // the end that is marked, until the other is
    app.canvas.addEventListener("pointerdown", event => this.start(event), { capture: true });
  }
  turn(on) {
    if (this.from) this.app.inspector.close();
    this.on = on;
    this.from = null;
    document.body.classList.toggle("drawing", on);
    get("measure").setAttribute("aria-pressed", String(on));
    this.hint?.remove();
    if (on) {
      this.app.inspector.close();
      this.app.canvas.focus();
      this.hint = notice("Draw a line across the map, or mark its ends in the middle of the view with Enter");
    }
  }
  mark(at) {
    const { camera, inspector, result } = this.app,
      { from } = this,
      place = camera.placeOf(at);
    if (!place || !isHeight(result)) return;
    this.hint?.remove();
    if (!from) {
      this.from = place;
      this.follow();
      this.hint = notice("Move the map; Enter marks the other end");
      return this.app.stage.wake();
    }
    this.from = null;
    inspector.line(from, place, true);
    this.turn(false);
  }
  // The line ends in the middle as long as its other end is not marked.
  follow() {
    const { camera, inspector, stage } = this.app,
      to = this.from && camera.placeOf(stage.middle);
    if (to) inspector.line(this.from, to, false);
  }
  start(event) {
    const { canvas, camera, inspector, result } = this.app;
    if (!this.on || event.button) return;
    event.stopImmediatePropagation();
    this.from = null;
    const placeUnder = ({ clientX, clientY }) => camera.placeOf([clientX, clientY]),
      from = placeUnder(event);
    if (!from || !isHeight(result)) return;
    canvas.setPointerCapture(event.pointerId);
    const draw = (at, done) => {
      const to = placeUnder(at);
      if (to) inspector.line(from, to, done);
    };
    const move = at => draw(at, false),
      end = at => {
        canvas.removeEventListener("pointermove", move);
        canvas.removeEventListener("pointerup", end);
        draw(at, true);
        this.turn(false);
      };
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", end);
  }
}
