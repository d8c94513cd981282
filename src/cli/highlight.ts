import type { Paint, Style } from "./colour.ts";

/** Colours code whose text is safe already; without colours or for a language it does not know it changes nothing. */
export type Highlight = (code: string, language: string, paint: Paint) => string;

const MOST_CHARACTERS = 20_000;
const styles: Readonly<Record<string, Style>> = {
  keyword: "magenta",
  built_in: "cyan",
  literal: "cyan",
  number: "yellow",
  string: "green",
  comment: "dim",
  title: "blue",
  meta: "yellow",
  attr: "cyan",
  type: "cyan",
};
const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

export const plainCode: Highlight = (code) => code;

/** The highlighter is read only where there are colours. */
export async function loadHighlight(): Promise<Highlight> {
  const [{ default: core }, { default: python }] = await Promise.all([
    import("highlight.js/lib/core"),
    import("highlight.js/lib/languages/python"),
  ]);
  core.registerLanguage("python", python);
  return (code, language, paint) => {
    if (!core.getLanguage(language) || code.length > MOST_CHARACTERS) return code;
    return paintHtml(core.highlight(code, { language, ignoreIllegals: true }).value, paint);
  };
}

/** Every line is coloured on its own, so that lines can be indented and left out. */
function paintHtml(html: string, paint: Paint): string {
  const open: string[] = [];
  let out = "";
  for (const [, classes, close, text] of html.matchAll(/<span class="([^"]*)">|(<\/span>)|([^<]+)/g)) {
    if (classes !== undefined) open.push(classes);
    else if (close !== undefined) open.pop();
    else if (text !== undefined) out += paintText(decode(text), open, paint);
  }
  return out;
}

function paintText(text: string, open: readonly string[], paint: Paint): string {
  const style = open.map(styleOf).findLast((one) => one !== undefined);
  if (!style) return text;
  return text
    .split("\n")
    .map((line) => paint(style, line))
    .join("\n");
}

function styleOf(classes: string): Style | undefined {
  const name = /hljs-([a-z_]+)/.exec(classes)?.[1] ?? "";
  return name === "subst" ? undefined : styles[name];
}

function decode(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#x27);/g, (whole, name: string) => entities[name] ?? whole);
}
