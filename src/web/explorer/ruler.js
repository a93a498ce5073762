// A line that the pointer draws across the map, whose profile the inspector shows. While it is on, the pointer moves nothing.
import { get, notice } from "./dom.js";
import { isHeight } from "./kinds.js";

export class Ruler {
  // app: canvas, camera, inspector, result
  constructor(app) {
    this.app = app;
    this.on = false;
    app.canvas.addEventListener("pointerdown", event => this.start(event), { capture: true });
  }
  turn(on) {
    this.on = on;
    document.body.classList.toggle("drawing", on);
    get("measure").setAttribute("aria-pressed", String(on));
    this.hint?.remove();
    if (on) {
      this.app.inspector.close();
      this.hint = notice("Draw a line across the map");
    }
  }
  start(event) {
    const { canvas, camera, inspector, result } = this.app;
    if (!this.on || event.button) return;
    event.stopImmediatePropagation();
    const placeUnder = ({ clientX, clientY }) => camera.placeOf([clientX, clientY]), from = placeUnder(event);
    if (!from || !isHeight(result)) return;
    canvas.setPointerCapture(event.pointerId);
    const draw = (at, done) => {
      const to = placeUnder(at);
      if (to) inspector.line(from, to, done);
    };
    const move = at => draw(at, false), end = at => {
      canvas.removeEventListener("pointermove", move);
      canvas.removeEventListener("pointerup", end);
      draw(at, true);
      this.turn(false);
    };
    canvas.addEventListener("pointermove", move);
    canvas.addEventListener("pointerup", end);
  }
}
