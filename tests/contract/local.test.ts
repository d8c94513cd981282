import { openGlovebox } from "../../src/index.ts";
import { contractSuite } from "./suite.ts";

contractSuite("the local sandbox", () => openGlovebox());
contractSuite("the local sandbox without control groups", () => openGlovebox({ cgroups: false }));
