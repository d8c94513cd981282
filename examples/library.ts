// The library in ten lines: a session, a file, a cell, its result.
import { openGlovebox } from "glovebox";

await using box = await openGlovebox();
await using session = await box.session();
await session.files.put("sales.csv", "examples/sales.csv");
const result = await session.run("pd.read_csv('sales.csv').groupby('region').total.sum().round(2)");
if (result.kind !== "dataframe") throw new Error(JSON.stringify(result));
console.log(result.repr);
