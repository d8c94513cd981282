import { z } from "zod";
import { pythonLiteral as py } from "../../../support/python-literal.ts";
import { chartCode, tickNames } from "../code/chart-code.ts";
import { slug } from "../code/identifier.ts";
import { inData, prepare } from "../code/prepare.ts";
import { chart, code, listed, paragraphs, table } from "../markdown.ts";
import { count, counted, num, percent, strength } from "../numbers.ts";
import type { Column } from "../table.ts";
import type { Frame } from "../understanding/frame.ts";
import { mainMeasure } from "../understanding/measures.ts";
import { type Analysis, answering, type Plan, type Refusal } from "./analysis.ts";
import { keysOf } from "./grouping.ts";
import * as say from "./phrasing.ts";

const MOST_ROWS = 10_000;
/** Rows times columns that a forest learns from in a few seconds. */
const MOST_CELLS = 200_000;
const SCORED_ROWS = 4_000;
const MOST_FEATURES = 50;
const SHOWN = 10;
const LEAST_ROWS = 20;

const Feature = z.tuple([z.string(), z.number(), z.number().nullable(), z.number().nullable()]);
type Feature = z.infer<typeof Feature>;
const Facts = z.object({
  rows: z.number(),
  used: z.number(),
  filled: z.number(),
  score: z.number().nullable(),
  baseline: z.number().nullable(),
  features: z.array(Feature),
});

/** Which columns go with one column: correlations, and the importances of a random forest. */
export const factors: Analysis = {
  name: "factors",
  example(of) {
    const metric = mainMeasure(of) ?? of.columns.find(({ kind }) => kind === "number");
    return metric && of.columns.length > 2
      ? `Which factors contribute the most to ${metric.name}?`
      : undefined;
  },
  fits({ cues, metric, others, groups, unknown }) {
    if (!cues.has("factors") && !cues.has("influence")) return 0;
    if (!metric && groups.length !== 1) return unknown.length === 0 && cues.has("factors") ? 40 : 0;
    return cues.has("factors") ? (others.length > 0 ? 70 : 80) : others.length + groups.length > 1 ? 0 : 75;
  },
  plan(frame) {
    const target = frame.metric ?? frame.groups[0] ?? mainMeasure(frame.table);
    if (!target)
      return { refused: "I see no column of numbers whose factors I could look for; name the column." };
    return rank(frame, target);
  },
};

function rank(frame: Frame, target: Column): Plan | Refusal {
  const { table: of, filters } = frame;
  const usable = of.columns.filter(
    (column) =>
      column !== target &&
      !filters.some((filter) => filter.kind === "is" && filter.column === column) &&
      (column.kind === "number" ||
        column.kind === "boolean" ||
        column.kind === "category" ||
        column.kind === "year"),
  );
  const features = usable.slice(0, MOST_FEATURES);
  if (features.length === 0)
    return {
      refused: `Besides ${code(target.name)} there is no column of numbers or groups that could explain it.`,
    };
  const numeric = target.kind === "number";
  if (!numeric && target.kind !== "boolean" && target.kind !== "category")
    return {
      refused: `${code(target.name)} holds ${target.kind === "id" ? "identifiers" : `${target.kind} values`}; factors can be found for numbers and for groups.`,
    };
  const correlated = numeric || target.kind === "boolean";
  const coded = features.filter(({ kind }) => kind === "category");
  const title = say.titled(`What goes with ${target.name}`, filters);
  const file = `${slug(target.name, "factors", ...say.filterSlugs(filters))}.png`;
  const forest = numeric ? "RandomForestRegressor" : "RandomForestClassifier";
  const mostRows = Math.min(MOST_ROWS, Math.max(2_000, Math.floor(MOST_CELLS / features.length)));
  const trees = of.rows * features.length > 150_000 ? 50 : 100;
  const measured = [...features, target].filter(({ kind }) => kind === "boolean");
  return {
    intent: `Rank what goes with ${target.name}: correlations and a random forest`.slice(0, 120),
    code: [
      `import matplotlib.pyplot as plt`,
      `import pandas as pd`,
      `from sklearn.ensemble import ${forest}`,
      `from sklearn.model_selection import cross_val_score\n`,
      prepare({
        table: of,
        columns: [target, ...features],
        filters,
        measured: target.kind === "category" ? measured.filter((column) => column !== target) : measured,
      }),
      `data = data.dropna(subset=[${py(target.key)}])`,
      `rows = len(data)`,
      `if rows > ${mostRows}:  # a sample is enough, and quick`,
      `    data = data.sample(${mostRows}, random_state=42)`,
      `y = ${inData(target)}${numeric || target.kind === "boolean" ? "" : ".astype(str)"}`,
      `X = data[${keysOf(features)}].copy()`,
      ...(coded.length === 0
        ? []
        : [
            `for name in ${keysOf(coded)}:`,
            `    X[name] = X[name].astype("category").cat.codes  # groups as numbers`,
          ]),
      `filled = int(X.isna().any(axis=1).sum())`,
      `X = X.apply(pd.to_numeric, errors="coerce")`,
      `X = X.fillna(X.median()).fillna(0)`,
      `X = X.loc[:, X.nunique() > 1]  # a column with one value explains nothing\n`,
      `# How much each column helps a forest to tell ${numeric ? "the value" : "the group"}, and how well that works on rows it has not seen`,
      `importances, score, baseline = pd.Series(0.0, index=X.columns), None, None`,
      `if rows >= ${LEAST_ROWS} and y.nunique() > 1 and X.shape[1]:`,
      `    model = ${forest}(n_estimators=${trees}, random_state=42).fit(X, y)`,
      `    importances = pd.Series(model.feature_importances_, index=X.columns)`,
      `    part = X.sample(min(len(X), ${SCORED_ROWS}), random_state=42)`,
      `    quick = ${forest}(n_estimators=${trees < 100 ? 15 : 30}, random_state=42)`,
      numeric
        ? `    score = float(cross_val_score(quick, part, y[part.index], cv=3, scoring="r2").mean())`
        : `    if y.value_counts().min() >= 5:\n        score = float(cross_val_score(quick, part, y[part.index], cv=3, scoring="accuracy").mean())\n        baseline = float(y.value_counts(normalize=True).max())`,
      ...(numeric || target.kind === "boolean"
        ? [
            coded.length === 0
              ? `ordered = X`
              : `ordered = X.drop(columns=${keysOf(coded)}, errors="ignore")  # codes of groups have no order`,
            `pearson = ordered.corrwith(y).reindex(X.columns)`,
            `spearman = ordered.rank().corrwith(y.rank()).reindex(X.columns)`,
          ]
        : [`pearson = spearman = pd.Series(float("nan"), index=X.columns)`]),
      `order = (importances if importances.sum() > 0 else pearson.abs()).sort_values(ascending=False).index\n`,
      `bars = importances[order].head(${SHOWN})[::-1]`,
      chartCode({
        file,
        title,
        x: "importance (share of what the forest uses)",
        draw: `ax.barh(${tickNames("bars.index")}, bars, color="#3b76af")`,
        height: "max(2.5, 0.4 * len(bars) + 1.2)",
      }),
      `\n{`,
      `    "rows": rows,`,
      `    "used": len(X),`,
      `    "filled": filled,`,
      `    "score": score,`,
      `    "baseline": baseline,`,
      `    "features": [[str(name)[:80], float(importances[name]), float(pearson[name]), float(spearman[name])] for name in order[:${SHOWN}]],`,
      `}`,
    ].join("\n"),
    answer: answering(Facts, (facts) => {
      const name = code(target.name);
      const [first, second, third] = facts.features;
      const trained = facts.features.some(([, importance]) => importance > 0);
      if (facts.rows === 0 || !first || (!trained && first[2] === null))
        return `There are too few different values of ${name} or of the other columns${say.filterWords(filters)} to say what goes with it.`;
      const told = ([key, importance, r]: Feature) =>
        `${code(key)} (${trained ? `importance ${num(importance, 3)}${r === null ? "" : ", "}` : ""}${r === null ? "" : `correlation ${num(r, 3)}`})`;
      const rest = [second, third].filter(
        (feature): feature is Feature => feature !== undefined && (feature[1] > 0.02 || !trained),
      );
      const lead = [
        `**${code(first[0])}** goes with ${name} the most${say.filterWords(filters)}:`,
        trained
          ? `it carries ${percent(first[1], 0)} of the forest's importance${first[2] === null ? "." : ","}`
          : "",
        first[2] === null
          ? ""
          : `${trained ? "and its" : "its"} correlation with ${name} is **${num(first[2], 3)}** (${strength(first[2])}; where it is higher, ${name} tends to be ${first[2] < 0 ? "lower" : "higher"}).`,
        rest.length === 0
          ? ""
          : `Then ${rest.length === 1 ? "follows" : "follow"} ${listed(rest.map(told))}.`,
      ]
        .filter(Boolean)
        .join(" ");
      const worth =
        facts.score === null
          ? `There are too few rows to test a model on unseen ones, so take the order as a hint.`
          : numeric
            ? `On rows it had not seen the forest explains ${facts.score > 0 ? percent(facts.score, 0) : "nothing"} of the variation (cross-validated R² ${num(facts.score, 2)})${facts.score < 0.2 ? ": too little to lean on these importances" : ""}.`
            : `On rows it had not seen the forest is right in ${percent(facts.score, 0)} of cases; always guessing the commonest value would be in ${percent(facts.baseline, 0)}${facts.score < (facts.baseline ?? 0) + 0.02 ? ", so these importances say little" : ""}.`;
      const bent = facts.features
        .slice(0, 4)
        .filter(([, , r, rho]) => r !== null && rho !== null && Math.abs(r - rho) > 0.2)
        .map(([key]) => code(key));
      const exact = facts.features
        .filter(([, , r]) => r !== null && Math.abs(r) > 0.98)
        .map(([key]) => code(key));
      return paragraphs(
        lead,
        table(
          [
            { title: "column" },
            { title: "importance", numeric: true },
            ...(correlated
              ? [
                  { title: "Pearson r", numeric: true },
                  { title: "Spearman ρ", numeric: true },
                ]
              : []),
          ],
          facts.features.map(([key, importance, r, rho]) => [
            code(key),
            trained ? num(importance, 3) : "–",
            ...(correlated ? [r === null ? "–" : num(r, 3), rho === null ? "–" : num(rho, 3)] : []),
          ]),
        ),
        chart(title, file),
        worth,
        say.smallPrint(
          `Importance and correlation show what goes together, not what causes what.`,
          facts.used < facts.rows &&
            `The forest and the correlations saw a random sample of ${count(facts.used)} of ${counted(facts.rows, "row")}.`,
          of.rows > facts.rows &&
            filters.length === 0 &&
            say.droppedNote(of.rows - facts.rows, `a missing ${name}`),
          facts.filled > 0 &&
            `In ${counted(facts.filled, "row")} missing values were filled with the column's median.`,
          bent.length > 0 &&
            `For ${listed(bent)} the two coefficients differ: the relation is bent, or extreme values pull at it.`,
          coded.length > 0 &&
            `Groups (${coded
              .slice(0, 5)
              .map(({ name: key }) => code(key))
              .join(", ")}) were given to the forest as numbers; they have no correlation.`,
          exact.length > 0 && `${exact.join(" and ")} nearly equals ${name} or is computed from it.`,
          usable.length > features.length && `Only the first ${MOST_FEATURES} columns were used.`,
          ...say.readingNotes([target, ...features]),
        ),
      );
    }),
  };
}
