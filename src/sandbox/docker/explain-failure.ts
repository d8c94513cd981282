import { basename } from "node:path";
import { GloveboxError } from "../../errors.ts";

const MOST_CHARACTERS = 800;

/** What an engine's complaint means, and what mends it. Its words come last and are cut. */
export function explainFailure(command: string, complaint: string, cause?: unknown): GloveboxError {
  const meaning = meanings.find(({ words }) => words.test(complaint));
  const engine = basename(command);
  const message = meaning
    ? meaning.say(engine)
    : `${engine} could not do it; see its own words, and try the same with ${engine} itself.`;
  const said = plain(complaint);
  return new GloveboxError("sandbox-unavailable", said ? `${message}\n${said}` : message, { cause });
}

const meanings: readonly { words: RegExp; say: (engine: string) => string }[] = [
  {
    words: /^ENOENT|^EACCES/,
    say: (engine) =>
      `The program ${engine} was not found; install Docker or Podman, or use the local sandbox (--sandbox local).`,
  },
  {
    words: /permission denied[^\n]*(daemon socket|docker\.sock|connect)|dial unix[^\n]*permission denied/i,
    say: (engine) =>
      `You may not use the socket of the ${engine} daemon; add yourself to its group (sudo usermod -aG docker $USER, then sign in again), or use a rootless engine.`,
  },
  {
    words: /unknown or invalid runtime|unknown runtime|invalid runtime|default OCI runtime[^\n]*not found/i,
    say: (engine) =>
      `${engine} does not know the container runtime that was asked for; install it (gVisor: "runsc install", then restart the daemon), or leave the runtime out.`,
  },
  {
    words: /no such image|unable to find image|image not known|image not found|does not resolve to an image/i,
    say: () => 'The kernel\'s image is not there; run "glovebox setup --sandbox docker" once.',
  },
  {
    words:
      /cannot connect to|is the docker daemon running|error during connect|connection refused|unexpected EOF|connection reset|broken pipe|dial (unix|tcp)|did not answer in time|daemon is shutting down/i,
    say: (engine) =>
      `The ${engine} daemon does not answer; start it (sudo systemctl start docker) and see that DOCKER_HOST, if set, names it.`,
  },
  {
    words: /no space left on device/i,
    say: (engine) => `${engine} has no space left; free some with "${engine} system prune".`,
  },
];

/** An engine repeats what a container writes: without control characters, and in bounds. */
function plain(text: string): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}]/gu, (character) => (character === "\n" ? "\n" : " ")).trim();
  return visible.length > MOST_CHARACTERS ? `…${visible.slice(-MOST_CHARACTERS)}` : visible;
}
