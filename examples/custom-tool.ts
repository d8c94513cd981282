// A tool of your own in one file: glovebox ask --tools examples/custom-tool.ts --model … "How far is it from …"
import { tool } from "glovebox";
import { z } from "zod";

const EARTH_KM = 6371;
const place = z.strictObject({
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
});

export const distance = tool({
  name: "distance",
  description: "The distance between two places on Earth along the great circle, in kilometres.",
  parameters: z.strictObject({ from: place, to: place }),
  parallel: true,
  async run({ from, to }) {
    const radians = (degrees: number) => (degrees * Math.PI) / 180;
    const [a, b] = [radians(from.latitude), radians(to.latitude)];
    const turn = radians(to.longitude - from.longitude);
    const km =
      EARTH_KM *
      Math.acos(Math.min(1, Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(turn)));
    return { message: { kind: "object", json: { km: Math.round(km) } }, value: km, success: true };
  },
});
