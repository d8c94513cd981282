const units = ["bytes", "KB", "MB", "GB", "TB"];

/** "812 bytes", "26 KB", "1.5 GB": powers of 1024, as the limits are given. */
export function bytesInWords(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const digits = unit > 0 && value < 10 ? 1 : 0;
  return `${Number(value.toFixed(digits))} ${bytes === 1 ? "byte" : units[unit]}`;
}

/** A size as a flag takes it, rounded up to something a person would type. */
export function bytesAsFlag(bytes: number): string {
  const mebibytes = Math.max(1, Math.ceil(bytes / 2 ** 20));
  return mebibytes < 1024 ? `${Math.ceil(mebibytes / 64) * 64}m` : `${Math.ceil(mebibytes / 1024)}g`;
}

export function secondsInWords(ms: number): string {
  const seconds = ms / 1000;
  if (seconds < 60) return `${seconds.toFixed(1)} s`;
  return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
}

export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
}
