import type { Tool } from "../tool.ts";
import { copyToSession } from "./copy-to-session.ts";
import { describeHostFile } from "./describe-host-file.ts";
import { HostView, type HostViewParts } from "./host-view.ts";
import { listHostFiles } from "./list-host-files.ts";
import type { SessionCopies } from "./session-copies.ts";

export interface HostFileToolsParts extends HostViewParts {
  readonly copies?: SessionCopies;
}

/** Tools that look at host files, describe them and copy them into the session, through these mounts only and without any code. */
export function hostFileTools({ copies, ...parts }: HostFileToolsParts): Tool[] {
  const view = new HostView(parts);
  return [listHostFiles(view), describeHostFile(view), copyToSession(copies ? { view, copies } : { view })];
}
