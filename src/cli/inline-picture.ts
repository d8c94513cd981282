type Protocol = "kitty" | "iterm";

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const KITTY_CHUNK = 4096;
export const MOST_PICTURE_BYTES = 8 << 20;

/** The way this terminal takes pictures, if its environment says that it does. */
export function pictureProtocol(env: NodeJS.ProcessEnv): Protocol | undefined {
  const term = env.TERM ?? "";
  if (env.TMUX || env.STY || /^(?:tmux|screen|dumb)/.test(term)) return undefined;
  const program = env.TERM_PROGRAM ?? "";
  if (env.KITTY_WINDOW_ID || term === "xterm-kitty") return "kitty";
  if (program === "ghostty" || term === "xterm-ghostty" || env.KONSOLE_VERSION) return "kitty";
  if (program === "iTerm.app" || program === "WezTerm" || env.LC_TERMINAL === "iTerm2") return "iterm";
  return undefined;
}

/** The bytes that draw a PNG; undefined for what is none. Only base64 of it reaches the terminal. */
export function drawPicture(protocol: Protocol, png: Uint8Array): string | undefined {
  if (!PNG.equals(png.subarray(0, PNG.length))) return undefined;
  const data = Buffer.from(png).toString("base64");
  return protocol === "kitty" ? kitty(data) : iterm(data, png.length);
}

function kitty(data: string): string {
  let out = "";
  for (let start = 0; start < data.length; start += KITTY_CHUNK) {
    const more = start + KITTY_CHUNK < data.length ? 1 : 0;
    const keys = start === 0 ? `a=T,f=100,q=2,m=${more}` : `m=${more}`;
    out += `\x1b_G${keys};${data.slice(start, start + KITTY_CHUNK)}\x1b\\`;
  }
  return `${out}\n`;
}

function iterm(data: string, bytes: number): string {
  return `\x1b]1337;File=inline=1;size=${bytes};preserveAspectRatio=1:${data}\x07\n`;
}
