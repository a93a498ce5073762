// A recipe's text in a link: deflated, as base64url. Needs no page.
import { LINK, PARAMETERS, TEXT } from "./limits.js";

const DAMAGED = "The link's recipe cannot be read: the link was cut short or changed";

async function through(bytes, stream, most) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(),
    parts = [];
  let size = 0;
  for (let piece; !(piece = await reader.read()).done; parts.push(piece.value)) {
    size += piece.value.length;
    if (size > most) {
      reader.cancel();
      throw new RangeError(`The link's recipe is too long: more than ${most.toLocaleString("en")} bytes`);
    }
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

export async function packed(text) {
  const bytes = await through(
    new TextEncoder().encode(text),
    new CompressionStream("deflate-raw"),
    Number.POSITIVE_INFINITY,
  );
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// An error says in one line why there is no text.
export async function unpacked(word) {
  try {
    const binary = atob(word.replaceAll("-", "+").replaceAll("_", "/")),
      bytes = Uint8Array.from(binary, letter => letter.charCodeAt(0));
    const text = await through(bytes, new DecompressionStream("deflate-raw"), TEXT);
    return new TextDecoder("utf-8", { fatal: true }).decode(text);
  } catch (error) {
    throw error instanceof RangeError ? error : new Error(DAMAGED);
  }
}

// What a link names: { example, r, values: { name: text }, cut }. The recipe is its last word: where there are words but
// none names a recipe, the link was cut before it.
export function readLink(hash) {
  if (hash.length > LINK)
    throw new Error(
      `The link is too long: ${hash.length.toLocaleString("en")} characters of at most ${LINK.toLocaleString("en")}`,
    );
  const words = new URLSearchParams(hash.replace(/^#/, "")),
    values = [...words].filter(([name]) => name.startsWith("p."));
  if (values.length > PARAMETERS)
    throw new Error(`The link has ${values.length} parameters of at most ${PARAMETERS}`);
  return {
    example: words.get("example"),
    r: words.get("r"),
    cut: [...words].length > 0 && !words.has("example") && !words.has("r"),
    values: Object.fromEntries(values.map(([name, text]) => [name.slice(2), text])),
  };
}
