// The recipe's text in CodeMirror: Lua, completion and help from the declarations, errors at their line.
import {
  autocompletion,
  bracketMatching,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  defaultKeymap,
  drawSelection,
  EditorState,
  EditorView,
  HighlightStyle,
  highlightActiveLine,
  history,
  historyKeymap,
  hoverTooltip,
  indentOnInput,
  indentUnit,
  indentWithTab,
  keymap,
  lineNumbers,
  lintGutter,
  lua,
  StreamLanguage,
  setDiagnostics,
  syntaxHighlighting,
  tags,
} from "./codemirror.min.js";

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "light-dark(#8a3b6b, #e39ac4)" },
  { tag: tags.string, color: "light-dark(#3d6b31, #a3cf93)" },
  { tag: tags.number, color: "light-dark(#1c5694, #82b5e8)" },
  { tag: tags.comment, color: "light-dark(#646a62, #98a098)", fontStyle: "italic" },
]);
const theme = EditorView.theme({
  "&": { height: "100%" },
  "&.cm-focused": { outline: "2px solid var(--mark)", outlineOffset: "-2px" },
  ".cm-scroller": { overflow: "auto", fontFamily: "ui-monospace, monospace", fontSize: "12.5px" },
  ".cm-gutters": { backgroundColor: "Canvas", border: "none", color: "light-dark(#6a706a, #8b959a)" },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "light-dark(#0000000a, #ffffff0d)" },
  ".cm-tooltip": { backgroundColor: "Canvas", color: "CanvasText", borderRadius: "6px", maxWidth: "480px" },
  ".cm-help": {
    padding: "6px 10px",
    whiteSpace: "pre-wrap",
    font: "12px/1.45 ui-monospace, monospace",
    maxHeight: "260px",
    overflow: "auto",
  },
});

const accept = completionKeymap.find(({ key }) => key === "Enter").run; // where completions are shown

// complete(line) and help(word) are promises of the server's answers; run(text) draws it.
export function openEditor(parent, text, { complete, help, edited, run }) {
  const source = async context => {
    const line = context.state.doc.lineAt(context.pos),
      before = line.text.slice(0, context.pos - line.from);
    const word = context.matchBefore(/[\w]*$/);
    if (!context.explicit && !/[\w.:{]$/.test(before)) return null;
    const answer = await complete(before).catch(() => null);
    const options = (answer?.completions ?? []).map(each =>
      typeof each === "string"
        ? { label: each }
        : { label: each.text ?? each.label, detail: each.detail, info: each.doc },
    );
    return options.length ? { from: word ? word.from : context.pos, options, validFor: /^\w*$/ } : null;
  };
  const tooltip = hoverTooltip(async (view, position) => {
    const word = view.state.wordAt(position);
    if (!word) return null;
    const answer = await help(view.state.sliceDoc(word.from, word.to)).catch(() => null);
    if (!answer?.text) return null;
    return {
      pos: word.from,
      end: word.to,
      create: () => {
        const dom = document.createElement("div");
        dom.className = "cm-help";
        dom.textContent = answer.text;
        return { dom };
      },
    };
  });
  // In a shadow root its styles are no inline ones, which the page's policy forbids.
  const root = parent.attachShadow({ mode: "open" });
  const view = new EditorView({
    parent: root,
    root,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        lintGutter(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        closeBrackets(),
        autocompletion({ override: [source] }),
        highlightActiveLine(),
        tooltip,
        indentUnit.of("    "),
        StreamLanguage.define(lua),
        syntaxHighlighting(colours),
        theme,
        EditorView.contentAttributes.of({ "aria-label": "The recipe" }),
        EditorView.updateListener.of(update => {
          if (update.docChanged) edited(update.state.doc.toString());
        }),
        keymap.of([
          {
            key: "Mod-Enter",
            run: () => {
              run(view.state.doc.toString());
              return true;
            },
          },
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...historyKeymap,
          ...completionKeymap,
          { key: "Tab", run: accept },
          indentWithTab,
        ]),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    set(changed) {
      if (changed !== view.state.doc.toString())
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: changed } });
    },
    problem(error) {
      const { doc } = view.state,
        line = error?.line >= 1 && error.line <= doc.lines ? doc.line(error.line) : null;
      view.dispatch(
        setDiagnostics(
          view.state,
          line ? [{ from: line.from, to: line.to, severity: "error", message: error.message }] : [],
        ),
      );
    },
  };
}
