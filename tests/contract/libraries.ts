import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { CellResult, Session } from "../../src/index.ts";
import { inSession } from "../support/box.ts";
import type { Box } from "./suite.ts";

/** Runs code of a library, or skips where the environment does not have it. */
async function withLibrary(
  t: TestContext,
  session: Session,
  library: string,
  code: string,
): Promise<CellResult | undefined> {
  const there = await session.run(
    `import importlib.util\nimportlib.util.find_spec('${library}') is not None`,
  );
  if (there.kind === "object" && there.json === false) {
    t.skip(`this environment has no ${library}`);
    return undefined;
  }
  return session.run(code);
}

export function librariesContract(box: Box): void {
  test("figures become pictures, and are closed", async () => {
    await inSession(box(), async (session) => {
      const result = await session.run(
        "import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.figure(); plt.bar([1], [2]);",
      );
      assert.deepEqual(result.images, [
        { file: "/mnt/data/figure-1-1.png", mime: "image/png" },
        { file: "/mnt/data/figure-1-2.png", mime: "image/png" },
      ]);
      const picture = await session.files.get("figure-1-1.png");
      assert.equal(picture.subarray(1, 4).toString(), "PNG");
      const next = await session.run("plt.get_fignums()");
      assert.deepEqual(next.kind === "object" && next.json, []);
      assert.equal(next.images, undefined);
      const shown = await session.run(
        "%matplotlib inline\nfig, ax = plt.subplots()\nax.plot([3, 1])\nplt.show()",
      );
      assert.equal(shown.images?.length, 1);
    });
  });

  test("a figure that the cell saves as a picture is shown from there, unless it is changed afterwards", async () => {
    await inSession(box(), async (session) => {
      const draw = "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.plot([1, 2])\n";
      const saved = await session.run(`${draw}plt.savefig('line.png')`);
      assert.deepEqual(saved.images, [{ file: "/mnt/data/line.png", mime: "image/png" }]);
      assert.deepEqual(
        saved.files?.map(({ path }) => path),
        ["/mnt/data/line.png"],
      );
      const changed = await session.run(`${draw}fig.savefig('line.png')\nax.set_title('later')`);
      assert.deepEqual(changed.images, [{ file: "/mnt/data/figure-2-1.png", mime: "image/png" }]);
      const elsewhere = await session.run(`${draw}fig.savefig('line.pdf')\nfig.savefig('/tmp/line.png')`);
      assert.deepEqual(elsewhere.images, [{ file: "/mnt/data/figure-3-1.png", mime: "image/png" }]);
    });
  });

  test("a polars frame is a frame", async (t) => {
    await inSession(box(), async (session) => {
      const result = await withLibrary(
        t,
        session,
        "polars",
        "import polars as pl\npl.DataFrame({'a': [1, None]})",
      );
      if (result)
        assert.deepEqual(result.kind === "dataframe" && [result.head, result.meta.source], [
          [[1], [null]],
          "polars",
        ]);
    });
  });

  test("an Arrow table is a frame, and its threads do not hinder a copy", async (t) => {
    await inSession(box(), async (session) => {
      const code =
        "import pyarrow as pa, pyarrow.csv as c, io\ntable = c.read_csv(io.BytesIO(b'a,b\\n1,x\\n'))\ntable";
      const result = await withLibrary(t, session, "pyarrow", code);
      if (!result) return;
      assert.deepEqual(result.kind === "dataframe" && [result.head, result.meta.source], [
        [[1, "x"]],
        "arrow",
      ]);
      await session.run("import os; os._exit(0)");
      const again = await session.run("c.read_csv(io.BytesIO(b'a\\n5\\n')).num_rows + table.num_rows");
      assert.equal(again.kind === "object" && again.json, 2);
    });
  });

  test("duckdb queries frames and files", async (t) => {
    await inSession(box(), async (session) => {
      const code =
        "import duckdb\nd = pd.DataFrame({'a': [1, 2, 3]})\nduckdb.sql('select sum(a) as s from d').df()";
      const result = await withLibrary(t, session, "duckdb", code);
      if (result) assert.deepEqual(result.kind === "dataframe" && result.head, [[6]], JSON.stringify(result));
    });
  });

  test("an Altair chart comes as Vega-Lite", async (t) => {
    await inSession(box(), async (session) => {
      const code =
        "import altair as alt\nalt.Chart(pd.DataFrame({'a': [1], 'b': [2]})).mark_bar().encode(x='a', y='b')";
      const result = await withLibrary(t, session, "altair", code);
      if (!result) return;
      const mimes = result.displays?.flatMap(({ data }) => Object.keys(data)) ?? [];
      assert.ok(
        mimes.some((mime) => /^application\/vnd\.vegalite\.v\d\+json$/.test(mime)),
        JSON.stringify(result),
      );
    });
  });

  test("a Plotly figure comes as its JSON, shown or returned", async (t) => {
    await inSession(box(), async (session) => {
      const code = "import plotly.express as px\nfigure = px.bar(x=['a'], y=[1])\nfigure";
      const result = await withLibrary(t, session, "plotly", code);
      if (!result) return;
      assert.ok(
        result.displays?.[0]?.data["application/vnd.plotly.v1+json"],
        JSON.stringify(result).slice(0, 500),
      );
      const shown = await session.run("figure.show()");
      assert.ok(
        shown.displays?.[0]?.data["application/vnd.plotly.v1+json"],
        JSON.stringify(shown).slice(0, 500),
      );
    });
  });

  test("a model is trained, and its numbers are right", async () => {
    await inSession(box(), async (session) => {
      const result = await session.run(
        [
          "from sklearn.linear_model import LinearRegression",
          "import scipy.stats",
          "x = np.arange(100.0).reshape(-1, 1)",
          "model = LinearRegression().fit(x, 3 * x[:, 0] + 1)",
          "(round(float(model.coef_[0]), 6), round(float(scipy.stats.norm.cdf(0)), 6))",
        ].join("\n"),
      );
      assert.deepEqual(result.kind === "object" && result.json, [3, 0.5], JSON.stringify(result));
    });
  });

  test("worker processes of joblib and multiprocessing run", async () => {
    await inSession(box(), async (session) => {
      const result = await session.run(
        "import multiprocessing\nwith multiprocessing.get_context('fork').Pool(2) as pool: print(pool.map(abs, [-1, -2]))",
      );
      assert.equal(result.kind === "text" && result.text, "[1, 2]\n", JSON.stringify(result));
    });
  });
}
