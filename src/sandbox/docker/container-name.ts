import { randomBytes } from "node:crypto";
import { ownOwner } from "./owner.ts";

const PREFIX = "glovebox-";
const MARK_CHARACTERS = 12;

/** Tells whose the container is, so that what a killed process left can be found. */
export function newContainerName(): string {
  return `${PREFIX}${ownOwner()}-${randomBytes(MARK_CHARACTERS / 2).toString("hex")}`;
}

export function ownerOf(name: string): string | undefined {
  const match = /^glovebox-([0-9a-f]{12}-\d+-\d+)-[0-9a-f]{12}$/.exec(name);
  return match?.[1];
}
