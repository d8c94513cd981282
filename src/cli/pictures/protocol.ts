export type Protocol = "kitty" | "iterm" | "sixel";

/** The way this terminal takes pictures, as far as its environment tells. */
export function protocolByEnvironment(env: NodeJS.ProcessEnv): Protocol | "none" | "unsure" {
  const term = env.TERM ?? "";
  const program = env.TERM_PROGRAM ?? "";
  if (/^(?:dumb|linux|vt\d+)?$/.test(term) || program === "Apple_Terminal" || env.STY) return "none";
  if (env.KITTY_WINDOW_ID || term === "xterm-kitty") return "kitty";
  if (program === "ghostty" || term === "xterm-ghostty" || env.KONSOLE_VERSION) return "kitty";
  if (program === "iTerm.app" || program === "WezTerm" || env.LC_TERMINAL === "iTerm2") return "iterm";
  if (/^(?:foot|mlterm)/.test(term)) return "sixel";
  return "unsure";
}

export function insideTmux(env: NodeJS.ProcessEnv): boolean {
  return Boolean(env.TMUX) || /^(?:tmux|screen)/.test(env.TERM ?? "");
}
