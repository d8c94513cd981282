import { isAbsolute, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const WORKING_FOLDER = /^(?:sandbox:|file:\/\/)?\/(?:mnt\/)?data\//;
const clickable = new Set(["http:", "https:", "file:"]);

export interface LinkTarget {
  /** What a person reads beside the link's text. */
  readonly shown: string;
  /** What the terminal may open; undefined for what it may not. */
  readonly href: string | undefined;
}

type Locate = (sessionPath: string) => string | undefined;

/** Where a link of an untrusted text leads to: a saved file of the session, the web, or nowhere. */
export function linkTarget(href: string, locate: Locate): LinkTarget {
  const path = sessionPath(href);
  const saved = path === undefined ? undefined : locate(path);
  if (saved !== undefined) return { shown: saved, href: fileLink(saved) };
  if (path !== undefined) return { shown: path, href: undefined };
  return { shown: href, href: webLink(href) };
}

/** A link to a file of this machine, for a terminal. */
export function fileLink(path: string): string {
  return pathToFileURL(isAbsolute(path) ? path : resolve(path)).href;
}

/** The text with every link to a file of the session led to where that file was saved. */
export function relinkMarkdown(markdown: string, locate: Locate): string {
  return markdown.replace(
    /\]\(\s*<?((?:sandbox:)?\/(?:mnt\/)?data\/[^)>\n"]*?)>?(?=\s*(?:\)|"))/g,
    (whole, href) => {
      const path = sessionPath(String(href).trim());
      const saved = path === undefined ? undefined : locate(path);
      return saved === undefined ? whole : `](${encodeURI(saved).replace(/[()]/g, encodeURIComponent)}`;
    },
  );
}

/** The path below /mnt/data that a link means, if it means one. */
function sessionPath(href: string): string | undefined {
  if (!WORKING_FOLDER.test(href)) return undefined;
  const name = href.replace(WORKING_FOLDER, "");
  return `/mnt/data/${decoded(name)}`;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** URL spells out whatever could end the escape sequence it stands in. */
function webLink(href: string): string | undefined {
  const url = URL.parse(href);
  if (!url || !clickable.has(url.protocol)) return undefined;
  return /^[\x21-\x7e]+$/.test(url.href) && !url.href.includes(";;") ? url.href : undefined;
}
