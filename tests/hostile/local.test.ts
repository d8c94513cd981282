import { openGlovebox } from "../../src/index.ts";
import { hostileSuite } from "./suite.ts";

hostileSuite("the local sandbox", () => openGlovebox());
