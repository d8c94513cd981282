import { after } from "node:test";
import { type Glovebox, type GloveboxOptions, openGlovebox, type Session } from "../../src/index.ts";

/** A Glovebox that ends with the test file. */
export async function openTestBox(options: GloveboxOptions = {}): Promise<Glovebox> {
  const box = await openGlovebox(options);
  after(() => box.close());
  return box;
}

/** A session that ends with `use`, whatever happens in it. */
export async function inSession<T>(box: Glovebox, use: (session: Session) => Promise<T>): Promise<T> {
  await using session = await box.session();
  return await use(session);
}
