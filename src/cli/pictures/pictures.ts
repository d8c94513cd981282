import { GloveboxError } from "../../errors.ts";
import type { Terminal } from "../terminal.ts";
import { takesSixels } from "./ask-terminal.ts";
import { cellsFor, drawEncoded, MOST_PICTURE_BYTES, pngSize, type Size } from "./draw.ts";
import { insideTmux, type Protocol, protocolByEnvironment } from "./protocol.ts";
import { throughTmux, tmuxPassesThrough } from "./tmux.ts";

export const pictureChoices = ["auto", "kitty", "iterm", "sixel", "none"] as const;
export type PictureChoice = (typeof pictureChoices)[number];

/** Draws pictures into the text. */
export interface Pictures {
  /** What draws a PNG and ends its line; undefined for what is no PNG or too large. */
  draw(png: Uint8Array, columns: number): string | undefined;
}

export function readPictureChoice(text: string | undefined): PictureChoice {
  const choice = pictureChoices.find((one) => one === (text ?? "auto"));
  if (choice) return choice;
  throw new GloveboxError(
    "usage",
    `--images is ${JSON.stringify(text)}; give one of ${pictureChoices.join(", ")}.`,
  );
}

/** The way to draw on this terminal: as it was asked for, as the environment says, or as the terminal answers. */
export async function openPictures(
  choice: PictureChoice,
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<Pictures | undefined> {
  const screen = terminal.stderr.isTerminal ? terminal.stderr : terminal.stdout;
  if (choice === "none" || !screen.isTerminal) return undefined;
  const tmux = insideTmux(env);
  if (tmux && !(await tmuxPassesThrough())) return undefined;
  const protocol = choice === "auto" ? await findProtocol(env, tmux, (text) => screen.write(text)) : choice;
  if (!protocol) return undefined;
  const encode = await encoder(protocol);
  return {
    draw(png, columns) {
      const size = png.length <= MOST_PICTURE_BYTES ? pngSize(png) : undefined;
      const drawing = size && encode(png, size, columns);
      if (!size || !drawing) return undefined;
      return `${tmux ? throughTmux(drawing, cellsFor(size, columns).rows) : drawing}\n`;
    },
  };
}

async function findProtocol(
  env: NodeJS.ProcessEnv,
  tmux: boolean,
  write: (text: string) => void,
): Promise<Protocol | undefined> {
  const known = protocolByEnvironment(env);
  if (known === "none") return undefined;
  if (known !== "unsure") return known;
  // Inside tmux it is tmux that would answer.
  if (tmux || !process.stdin.isTTY) return undefined;
  return (await takesSixels({ input: process.stdin, write })) ? "sixel" : undefined;
}

type Encode = (png: Uint8Array, size: Size, columns: number) => string | undefined;

async function encoder(protocol: Protocol): Promise<Encode> {
  if (protocol === "sixel") return (await import("./sixel.ts")).drawSixel;
  return (png, size, columns) => drawEncoded(protocol, png, cellsFor(size, columns));
}
