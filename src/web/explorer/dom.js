// Small helpers for the document. Texts only ever become text.
export const get = id => document.getElementById(id);

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const key in properties) {
    if (key === "dataset") Object.assign(made.dataset, properties[key]);
    else if (key.startsWith("aria") || key === "role" || key === "for")
      made.setAttribute(key.replace(/^aria(?=[A-Z])/, "aria-").toLowerCase(), properties[key]);
    else made[key] = properties[key];
  }
  made.append(...children.filter(child => child !== null && child !== undefined));
  return made;
}

export function drawn(name, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  made.append(...children);
  return made;
}

// Of one text, or about one thing, there is one notice: the newest.
export function notice(text, { bad = false, seconds = bad ? 8 : 4, about = text, action } = {}) {
  for (const other of [...get("notices").children]) if (other.dataset.about === about) other.remove();
  const made = element(
    "div",
    { className: bad ? "notice bad" : "notice", dataset: { about } },
    element("span", {}, text),
  );
  if (action)
    made.append(
      element(
        "button",
        {
          onclick: () => {
            made.remove();
            action.run();
          },
        },
        action.name,
      ),
    );
  get("notices").append(made);
  if (seconds) setTimeout(() => made.remove(), seconds * 1000);
  return made;
}

export function ask(title, ...children) {
  const dialog = get("dialog"),
    close = () => dialog.close();
  dialog.replaceChildren(
    element("h2", {}, title),
    ...children,
    element("p", { className: "row end" }, element("button", { onclick: close }, "Close")),
  );
  if (!dialog.open) dialog.showModal();
  return close;
}

// A command or path to copy.
export function copyable(text, what) {
  return element(
    "div",
    { className: "copyable" },
    element("code", {}, text),
    element("button", { onclick: () => copy(text, what) }, "Copy"),
  );
}

// Gives whether it could.
export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    notice(what + " copied");
    return true;
  } catch {
    ask(what, element("code", {}, text));
    return false;
  }
}

export function download(name, content) {
  const address = typeof content === "string" ? content : URL.createObjectURL(content);
  element("a", { href: address, download: name }).click();
  if (typeof content !== "string") setTimeout(() => URL.revokeObjectURL(address), 60000);
}

// A number in few digits, as one would write it.
export function brief(value, digits = 4) {
  if (typeof value !== "number" || !Number.isFinite(value)) return String(value);
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-3 || size >= 1e6)) {
    const [factor, power] = value.toExponential(Math.max(digits - 2, 0)).split("e");
    return (
      factor.replace(/\.?0+$/, "") +
      "·10" +
      power.replace("+", "").replace(/./g, c => ({ "-": "⁻" })[c] ?? "⁰¹²³⁴⁵⁶⁷⁸⁹"[c])
    );
  }
  return String(Number(value.toPrecision(digits)));
}
