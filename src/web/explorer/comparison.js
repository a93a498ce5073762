// A and B beside each other: turn(true) keeps what is seen as A, and what changes then is B. A bar between
// them is moved by pointer and keys.
import { get, notice } from "./dom.js";

export class Comparison {
  // app: shown (ground, reopen), stage
  constructor(app) {
    this.app = app;
    this.on = false;
    this.wire(get("swipe"));
  }
  async turn(on) {
    const { shown, stage, state } = this.app;
    if (on && !shown.ground) return;
    if (on && state.error) return notice("Nothing can be compared until the recipe runs", { bad: true });
    this.on = on;
    get("compare").setAttribute("aria-pressed", String(on));
    get("swipe").hidden = !on;
    if (!on) {
      stage.keepLast();
      return shown.dress();
    }
    try {
      await shown.reopen();
    } catch (error) {
      notice("Nothing can be compared: " + error.message, { bad: true });
      return this.turn(false);
    }
    this.swipe(stage.middle[0] / innerWidth);
    notice("A stays; what you change now is B");
  }
  swipe(share) {
    const { stage } = this.app;
    stage.swipe = Math.min(Math.max(share, 0.02), 0.98);
    get("swipe").style.left = stage.swipe * 100 + "%";
    get("swipe").setAttribute("aria-valuenow", Math.round(stage.swipe * 100));
    stage.wake();
  }
  wire(handle) {
    handle.onpointerdown = event => handle.setPointerCapture(event.pointerId);
    handle.onpointermove = event => {
      if (handle.hasPointerCapture(event.pointerId)) this.swipe(event.clientX / innerWidth);
    };
    handle.onkeydown = event => {
      const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
      if (way) this.swipe(this.app.stage.swipe + way * 0.02);
    };
  }
}
