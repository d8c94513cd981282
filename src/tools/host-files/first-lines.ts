import { type HostFile, openHostFile } from "../../session/host-files.ts";

export interface FirstLines {
  /** "text", or what the first bytes say it is. */
  readonly type: string;
  readonly encoding?: string;
  /** Absent where the file is not text. */
  readonly text?: string;
}

export interface FirstLinesOptions {
  readonly lines?: number;
  readonly signal?: AbortSignal;
}

const LOOKED_AT_BYTES = 64 << 10;
const MOST_LINE_CHARACTERS = 400;
const MOST_CHARACTERS = 3_000;

const SIGNATURES: readonly (readonly [type: string, bytes: readonly number[]])[] = [
  ["gzip", [0x1f, 0x8b]],
  ["zip (xlsx, ods and docx are zip files)", [0x50, 0x4b, 0x03, 0x04]],
  ["parquet", [0x50, 0x41, 0x52, 0x31]],
  ["arrow", [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31]],
  ["sqlite", [0x53, 0x51, 0x4c, 0x69, 0x74, 0x65, 0x20, 0x66]],
  ["bzip2", [0x42, 0x5a, 0x68]],
  ["xz", [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00]],
  ["zstd", [0x28, 0xb5, 0x2f, 0xfd]],
  ["old Excel or Office", [0xd0, 0xcf, 0x11, 0xe0]],
  ["pdf", [0x25, 0x50, 0x44, 0x46]],
  ["png", [0x89, 0x50, 0x4e, 0x47]],
  ["jpeg", [0xff, 0xd8, 0xff]],
];

/** What kind of file it is and how it begins, from its first bytes only; nothing in it is run or unpacked. */
export async function firstLines(file: HostFile, options: FirstLinesOptions = {}): Promise<FirstLines> {
  const signal = options.signal ? { signal: options.signal } : {};
  const bytes = Buffer.concat(
    await Array.fromAsync(openHostFile(file, { ...signal, mostBytes: LOOKED_AT_BYTES })),
  );
  const known = SIGNATURES.find(([, signature]) => signature.every((byte, index) => bytes[index] === byte));
  if (known) return { type: known[0] };
  const encoding = encodingOf(bytes);
  if (!encoding) return { type: "binary" };
  const text = new TextDecoder(encoding).decode(bytes);
  return { type: "text", encoding, text: beginning(text, options.lines ?? 5) };
}

function encodingOf(bytes: Buffer): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  if (bytes.includes(0)) return undefined;
  try {
    // A character that the end of the look cuts in two is no fault.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}

function beginning(text: string, lines: number): string {
  const shown: string[] = [];
  let characters = 0;
  for (const line of text.split(/\r\n|\n|\r/, lines)) {
    const short = cut(line);
    characters += short.length + 1;
    if (characters > MOST_CHARACTERS) break;
    shown.push(short);
  }
  return shown.join("\n").trimEnd();
}

function cut(line: string): string {
  if (line.length <= MOST_LINE_CHARACTERS) return line;
  const missing = line.length - MOST_LINE_CHARACTERS;
  return `${line.slice(0, MOST_LINE_CHARACTERS).toWellFormed()}… (${missing.toLocaleString("en-US")} more characters)`;
}
