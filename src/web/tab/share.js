// A link to the world, as a text and as a QR code. Loaded when somebody shares.
import { ask, copyable, drawn, element } from "./dom.js";
import qrcode from "./qrcode.min.js";

const MOST = 2953, // bytes of the largest code, with the least correction
  QUIET = 4; // modules around it

function codeOf(link) {
  const code = qrcode(0, "L");
  code.addData(link, "Byte");
  code.make();
  const count = code.getModuleCount(),
    side = count + 2 * QUIET;
  let squares = "";
  for (let y = 0; y < count; y++)
    for (let x = 0; x < count; x++) if (code.isDark(y, x)) squares += `M${x} ${y}h1v1h-1z`;
  // Whole pixels for each module where there is room; black on white also where the page is dark.
  return drawn(
    "svg",
    {
      viewBox: `${-QUIET} ${-QUIET} ${side} ${side}`,
      style: `display: block; margin: 0 auto 12px; width: ${side * (side > 100 ? 3 : 4)}px; height: auto; max-width: min(100%, max(180px, 100vh - 240px)); background: #fff`,
      role: "img",
      "aria-label": "The link as a QR code",
    },
    drawn("path", { d: squares, style: "fill: #000; stroke: none", "shape-rendering": "crispEdges" }),
  );
}

// The dialog hides the notice that says that the link was copied.
export function showLink(link, copied) {
  const text = copyable(link, "A link to this world");
  // Three lines, none cut: a border, as what scrolls would show in the padding.
  text.firstChild.style.cssText =
    "max-height: calc(4.5em + 14px); overflow: auto; padding: 0; border: solid transparent; border-width: 7px 10px";
  ask(
    copied ? "A link to this world is copied" : "A link to this world",
    text,
    link.length > MOST
      ? element(
          "p",
          {},
          `The link has ${link.length.toLocaleString("en")} characters: too many for a QR code, which holds ${MOST.toLocaleString("en")}.`,
        )
      : codeOf(link),
  );
}
