// The tool of custom-tool.ts in a conversation. A scripted model stands in for a real one, so that this runs without a key.
import { openGlovebox } from "glovebox";
import { scriptedModel } from "glovebox/models";
import { distance } from "./custom-tool.ts";

const [paris, lagos] = [
  { latitude: 48.86, longitude: 2.35 },
  { latitude: 6.46, longitude: 3.38 },
];
const model = scriptedModel([
  { calls: [{ name: "distance", arguments: { from: paris, to: lagos } }] },
  ({ input }) => `From Paris to Lagos: ${JSON.stringify(input.at(-1))}`,
]);

await using box = await openGlovebox();
await using session = await box.session();
const analyst = await box.analyst({ session, model, tools: [distance] });
const { answer } = await analyst.ask("How far is it from Paris to Lagos?");
console.log(answer);
