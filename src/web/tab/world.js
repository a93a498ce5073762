// The recipe of a page that computes in its tab: an example of the site, or the text that the link holds. The page's
// address names it while one moves; a text that the user wrote is in the address, too.
import { copy, element, get, notice } from "./dom.js";
import { packed, readLink, unpacked } from "./link.js";

const EXAMPLE = "land"; // of a page whose address names none
const RAN = "esker recipes", // which the user has seen, and run or written, in this tab
  MOST = 20;

const seen = () => JSON.parse(sessionStorage.getItem(RAN) ?? "[]");
function remember(text) {
  const list = [text, ...seen().filter(other => other !== text)].slice(0, MOST);
  try {
    sessionStorage.setItem(RAN, JSON.stringify(list));
  } catch {
    // no room: it is asked for again
  }
}

export class World {
  // changed(): the words for the address are others now
  constructor(changed) {
    this.changed = changed;
    this.words = {}; // of the address
    this.problem = null; // of the address, in one line
    this.shared = {}; // of a link for others, which does not need the site's examples
    addEventListener("hashchange", () => this.follow());
  }

  // The recipe: { name, text, values }, the values as texts. One from a stranger's link only once its text was shown
  // and the user wants it; asks() is called where it waits for that.
  async open(asks) {
    const { example, r, values, cut } = readLink(location.hash),
      linked = r !== null, // one that was cut behind `r=` is damaged, too
      name = linked ? "shared" : (example ?? EXAMPLE);
    const text = linked ? await unpacked(r) : await this.fetchExample(name);
    if (cut)
      this.problem = `The address names no recipe, perhaps because a link was cut short: this is ${name}.lua`;
    this.words = linked ? { r } : { example: name };
    this.text = text;
    this.example = linked ? null : { name, text };
    if (linked && !seen().includes(text)) {
      while (document.readyState === "loading")
        await new Promise(done => document.addEventListener("readystatechange", done, { once: true }));
      const wanted = this.show(text);
      asks();
      await wanted;
    }
    return { name: name + ".lua", text, values };
  }
  async fetchExample(name) {
    const response = /^[\w-]{1,40}$/.test(name) ? await fetch(`recipes/${name}.lua`) : null;
    if (!response?.ok)
      throw new Error(
        `The link names an example that is not here: ${name.slice(0, 40)}. That of another site or version has it`,
      );
    return response.text();
  }
  show(text) {
    const dialog = get("dialog"),
      run = element("button", { className: "main" }, "Run");
    dialog.replaceChildren(
      element("h2", {}, "A recipe from a link"),
      element(
        "p",
        {},
        "Whoever made this link wrote the program below. It can compute and draw in this page; it reaches no file, " +
          "no other site and nothing that you have typed.",
      ),
      element("pre", { className: "stranger", tabIndex: 0 }, text),
      element(
        "p",
        { className: "row end" },
        element("a", { href: "index.html", className: "button" }, "Back"),
        run,
      ),
    );
    dialog.showModal();
    dialog.querySelector(".stranger").focus(); // to be read and scrolled; Enter there runs nothing
    return new Promise((wanted, refused) => {
      run.onclick = () => {
        remember(text);
        wanted();
        dialog.close();
      };
      dialog.onclose = () =>
        refused(new Error("The recipe of this link was not run. Reload the page to see it again"));
    });
  }

  // What is drawn now.
  async take(text) {
    if (text !== this.text) remember(text);
    const known = text === this.text && this.shared.r;
    this.text = text;
    if (known) return;
    const r = await packed(text);
    if (text !== this.text) return; // a newer one came
    this.shared = { r };
    this.words = text === this.example?.text ? { example: this.example.name } : { r };
    this.changed();
  }

  // Copies a link for others, and shows it as a QR code.
  async share(link) {
    const copied = await copy(link, "A link to this world");
    try {
      const { showLink } = await import("./share.js");
      showLink(link, copied);
    } catch (error) {
      notice("No QR code: " + error.message, { bad: true });
    }
  }

  // Where the address is that of another world, the page begins with that.
  follow() {
    const { example, r } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    if ((r || example) && (r !== this.words.r || example !== this.words.example)) location.reload();
  }
}
