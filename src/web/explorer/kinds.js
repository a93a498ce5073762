// Kinds of results: what each can be used for on the page.
export const isDrawable = result => !["number", "text"].includes(result.kind);
export const isHeight = result => ["map", "field"].includes(result?.kind);
export const isLines = result => ["network", "points"].includes(result?.kind);
