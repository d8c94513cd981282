import type { HostileCase } from "../case.ts";
import { channelCases } from "./channel.ts";
import { diskCases } from "./disk.ts";
import { endingCases } from "./endings.ts";
import { figureCases } from "./figures.ts";
import { fileCases } from "./files.ts";
import { interpreterCases } from "./interpreter.ts";
import { lateOutputCases } from "./late-output.ts";
import { memoryCases } from "./memory.ts";
import { networkCases } from "./network.ts";
import { outputCases } from "./output.ts";
import { privilegeCases } from "./privileges.ts";
import { processCases } from "./processes.ts";
import { secretCases } from "./secrets.ts";
import { sessionCases } from "./sessions.ts";
import { textCases } from "./text.ts";
import { timeCases } from "./time.ts";

export const cases: readonly HostileCase[] = [
  ...timeCases,
  ...memoryCases,
  ...processCases,
  ...diskCases,
  ...outputCases,
  ...endingCases,
  ...channelCases,
  ...interpreterCases,
  ...lateOutputCases,
  ...textCases,
  ...figureCases,
  ...secretCases,
  ...networkCases,
  ...privilegeCases,
  ...fileCases,
  ...sessionCases,
];
