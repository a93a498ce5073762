// The page's address: it names the place, the result, the parameters and the look, and follows them; where
// another is typed, the page goes there. go(address) and path(address) are for places that were kept.
import { fromDigits, lookOf, readAddress, writeAddress } from "./address.js";
import { world } from "./ask.js";
import { standard } from "./colour.js";
import { notice } from "./dom.js";
import { isDrawable, strangers } from "./kinds.js";
import { changed, isSame, typed } from "./values.js";
import { flight, levelOf, limited } from "./view.js";

export const MADE_OTHERWISE =
  "This page was made with other parameters than its address names; here are its own";
const PAUSE = 250; // milliseconds after a change until it is written

const shortened = (text, most) => (text.length > most ? text.slice(0, most) + "…" : text);

export class AddressBar {
  // app: state, result, recipe (values, setValues), shown.choose, look, wear, camera, stage, zoom
  constructor(app) {
    this.app = app;
    this.asked = undefined; // what the address asks for, until a result is placed
    // Not location.hash: the page may have written its own address since
    addEventListener("hashchange", ({ newURL }) => this.follow(new URL(newURL).hash));
  }

  // --- reading ---------------------------------------------------------------------------------------------

  read(address) {
    const asked = readAddress(address),
      { width, height } = this.app.stage;
    return asked.zoom === undefined ? asked : { ...asked, zoom: levelOf(asked.zoom, width, height) };
  }
  // One notice, in which garbage of any length is short.
  tellProblems(unread, others) {
    const words = [...new Set(unread)],
      names = words.slice(0, 5).map(name => shortened(name, 40)),
      more = words.length > 5 ? `, and ${words.length - 5} more` : "";
    const problems = [
      ...(names.length ? ["Not understood in the address: " + names.join(", ") + more] : []),
      ...others.slice(0, 5).map(text => shortened(text, 160)),
    ];
    if (problems.length) notice(problems.join(". "), { bad: true, about: "address" });
  }
  // What an address gives the parameters: those that it does not name, or not well, have the recipe's own
  // defaults, whatever was drawn last. No values where it names nothing at all.
  valuesOf({ params: texts, unread, ...place }, { params }) {
    if (!Object.keys(texts).length && !Object.keys(place).length) return { values: null, wrong: [] };
    const { values, wrong } = typed(params, texts);
    return { values, wrong: wrong.map(problem => `In the address ${problem}: it has its default`) };
  }
  // What a command line gave them, in the same way.
  givenOf({ params, values: given }) {
    const { values, wrong } = typed(
      params,
      Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)])),
    );
    const unknown = params.length
      ? Object.keys(given).filter(name => !params.some(param => param.name === name))
      : [];
    return {
      values,
      wrong: [
        ...wrong.map(problem => problem + ": it has its default"),
        ...unknown.map(name => "The recipe has no parameter " + name),
      ],
    };
  }
  // How it shall look; a palette or a result that is not there is named among what could not be read.
  lookOf(asked, { palettes = standard, results }) {
    const unknown = ["palette", "over-palette", "line-palette"].filter(
      word => asked[word] !== undefined && !Object.hasOwn(palettes, asked[word]),
    );
    for (const word of [...unknown, ...strangers(asked, results, this.app.shown.wish)]) {
      asked.unread.push(word);
      delete asked[word];
    }
    return lookOf(asked);
  }
  // Takes what the page was opened with; gives the values that it asks for where the recipe was not run with
  // them.
  begin(asked, state) {
    const known = new Set(state.params.map(param => param.name));
    const unknown = Object.keys(asked.params).filter(name => !known.has(name));
    for (const name of unknown) delete asked.params[name];
    const given = this.givenOf(state),
      { values, wrong } = this.valuesOf(asked, state),
      others = world ? [...wrong] : [...given.wrong, ...wrong]; // in a tab both are those of the address
    if (world?.problem) others.unshift(world.problem);
    if (asked.recipe && state.recipe.hash && asked.recipe !== state.recipe.hash) {
      const version = `another recipe or another version of it (${asked.recipe.slice(0, 8)}…)`;
      others.push(`The address is of ${version}; here is its place in this one`);
    }
    asked.unread.push(...unknown.map(name => "p." + name));
    asked.others = others;
    const wanted = values ?? given.values;
    return !given.wrong.length && isSame(state.params, wanted, state.values) ? null : wanted;
  }
  // Takes it once the recipe was run with those: only then are its results known.
  arrive(asked, state) {
    asked.look = this.lookOf(asked, state);
    this.tellProblems(asked.unread, asked.others);
    this.asked = asked;
  }
  // Goes where the user typed.
  follow(address) {
    if (address === this.written || !this.app.camera.view) return;
    this.visit(address, { at_once: true });
    this.tell(); // without what was garbage
  }
  // Shows what an address says: its values, its result, its look and its place.
  visit(address, how) {
    const { state, recipe, result, shown } = this.app,
      asked = this.read(address),
      { values, wrong } = this.valuesOf(asked, state);
    if (values) asked.look = this.lookOf(asked, state);
    this.tellProblems(asked.unread, wrong);
    if (values && !isSame(state.params, values, recipe.values)) {
      if (state.static) notice(MADE_OTHERWISE, { bad: true });
      else recipe.setValues(values);
    }
    const other =
      asked.result && asked.result !== result?.name && state.results.find(each => each.name === asked.result);
    if (other) {
      this.asked = asked; // the place and the look are for that result
      shown.choose(other.name);
    } else {
      if (asked.look) this.app.wear(asked.look);
      this.go(address, how);
    }
  }

  // --- writing ---------------------------------------------------------------------------------------------

  address(words = world?.words) {
    const { state, recipe, result, camera, look, zoom } = this.app,
      params = changed(state.params, recipe.values);
    const several = state.results.filter(isDrawable).length > 1;
    return writeAddress({
      view: camera.view,
      zoom,
      recipe: words ? "" : state.recipe.hash,
      result: several ? result?.name : "",
      params,
      look: look.worn,
      world: words,
    });
  }
  tell() {
    clearTimeout(this.telling);
    this.telling = setTimeout(() => this.write(), PAUSE);
  }
  write() {
    const { camera, stage, readout } = this.app;
    this.written = this.address();
    history.replaceState(null, "", this.written);
    // Rounded, so that it is the same picture
    if (camera.still) camera.view = readout.told = this.viewOf(this.written);
    stage.wake();
  }

  // --- going there -----------------------------------------------------------------------------------------

  viewOf(address) {
    const { x, y, zoom, tilt = 0, turn = 0, face: asked } = this.read(address),
      { view, limits } = this.app.camera,
      face = view.face && (asked || view.face); // a planet's is never 0
    return limited({ face, x: x ?? view.x, y: y ?? view.y, zoom: zoom ?? view.zoom, tilt, turn }, limits);
  }
  go(address, { at_once = false, done } = {}) {
    const view = this.viewOf(address);
    if (at_once) this.app.camera.set(view);
    else this.app.camera.fly(view, done);
  }
  goTo({ x, y }) {
    const { camera } = this.app,
      { view } = camera;
    camera.fly({ ...view, x: fromDigits(String(x)) ?? view.x, y: fromDigits(String(y)) ?? view.y });
  }
  path(address) {
    const path = flight(this.app.camera.view, this.viewOf(address), this.app.stage.space);
    return { seconds: Math.min(Math.max(path.length * 0.45, 1), 60), at: share => path.at(share) };
  }
}
