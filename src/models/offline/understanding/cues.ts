/** What a phrase of a question hints at. */
export type Cue =
  | "describe"
  | "head"
  | "factors"
  | "influence"
  | "change"
  | "matters"
  | "correlation"
  | "risk"
  | "anywhere"
  | "highest"
  | "lowest"
  | "trend"
  | "distribution"
  | "missing"
  | "outliers"
  | "duplicates"
  | "compare"
  | "share"
  | "mean"
  | "median"
  | "sum"
  | "min"
  | "max"
  | "std"
  | "count"
  | "distinct"
  | "rows"
  | "chart"
  | "group"
  | "help"
  | "beyond";

/** Over the question's words, in lower case and one space apart. */
const PHRASES: readonly (readonly [Cue, RegExp])[] = [
  [
    "describe",
    /\bwhat(?: is| are| s)? (?:there )?(?:in|inside) (?:here|this|it|there|the (?:data|dataset|file|table|csv)\w*|my \w+)\b/g,
  ],
  ["describe", /\b(?:describe|summari[sz]e|summary|overview|explore|profile|structure|schema)\b/g],
  [
    "describe",
    /\b(?:what|which|list|show)(?: me)?(?: all)?(?: are| is)?(?: the)? (?:columns?|fields?|variables|data|dataset)\b/g,
  ],
  ["describe", /\bwhat (?:kind|sort|type)s? of (?:data|information)\b|\btell me (?:more )?about\b/g],
  ["describe", /\b(?:contains?|looks? like|what do we have|what have we|what do you see)\b/g],
  ["describe", /\b(?:sample rows?|preview)\b/g],
  [
    "head",
    /\b(?:head|first (?:(?:few|\d+|two|three|four|five|six|seven|eight|nine|ten) )?(?:rows?|records?|lines?|entries))\b/g,
  ],
  [
    "factors",
    /\b(?:factors?|drivers?|drives?|driving|predictors?|determinants?|determines?|contribut\w+|explains?|reasons?|why)\b/g,
  ],
  ["factors", /\b(?:features?|most important|importances?|matters? (?:the )?most)\b/g],
  ["factors", /\bwhat (?:affects?|influences?|impacts?|causes?|predicts?)\b/g],
  [
    "influence",
    /\b(?:influenc\w+|affect\w*|impact\w*|effects?|depend\w*|causes?|caused|leads? to|play a role)\b/g,
  ],
  [
    "influence",
    /\b(?:relat(?:e|es|ed|ion|ions|ionship|ionships)|associat\w+|connect\w*|linked?|correspond\w*)\b/g,
  ],
  [
    "change",
    /\b(?:reduc\w+|increas\w+|decreas\w+|rais(?:e|es|ed|ing)|prevent\w*|improv\w+|boosts?|hurts?|helps?|rise|rises|fall|falls|change|changes|lowers)\b/g,
  ],
  ["matters", /\bmatters?(?! (?:the )?most)\b/g],
  ["correlation", /\bcorrelat\w+\b/g],
  [
    "risk",
    /\b(?:(?:at )?(?:the )?(?:highest|greatest|most|more|lowest|least|higher|lower|at) risk|risk\w*|dangerous|safest|unsafe|hot ?spots?|prone)\b/g,
  ],
  [
    "anywhere",
    /^(?:and )?where (?:is|are|was|were|do|does|did)\b|\b(?:which|what) (?:groups?|segments?|kinds?|conditions?|circumstances|combinations?)\b/g,
  ],
  [
    "highest",
    /\b(?:highest|most|largest|biggest|greatest|top|best|strongest|leading|higher|more|peak|busiest|longest|heaviest|fastest|oldest|(?:most )?expensive|(?:warm|hot|cold|tall)est)\b/g,
  ],
  [
    "lowest",
    /\b(?:lowest|least|smallest|fewest|bottom|worst|weakest|lower|fewer|less|cheapest|safest|shortest|lightest|slowest|youngest)\b/g,
  ],
  [
    "trend",
    /\b(?:trends?|over (?:the )?(?:time|years|months|weeks|days)|through time|time series|timeline|evol\w+|develop\w*|changed? (?:over|with|through)|growth|grow\w*|seasonal\w*|history)\b/g,
  ],
  [
    "distribution",
    /\b(?:distribut\w+|histograms?|spread|frequenc(?:y|ies) of|quantiles?|percentiles?|quartiles?|skew\w*|range of|value counts?|breakdown)\b/g,
  ],
  [
    "missing",
    /\b(?:missing|nulls?|nans?|nas|blanks?|incomplete|gaps|empty (?:values?|cells?|rows?|fields?)|completeness|data quality)\b/g,
  ],
  ["outliers", /\b(?:outliers?|anomal\w+|unusual\w*|extreme\w*|suspicious|odd|strange|abnormal\w*)\b/g],
  ["duplicates", /\b(?:duplicat\w*|repeated rows?|identical rows?|dupes?)\b/g],
  [
    "compare",
    /\b(?:compar\w+|versus|vs|differ|differs|difference|differences|different|better than|worse than)\b/g,
  ],
  ["share", /\b(?:shares?|percent|percentages?|proportions?|fractions?|ratio of|what part)\b/g],
  ["median", /\b(?:medians?|middle value)\b/g],
  ["distinct", /\b(?:distinct|uniques?|different|how many (?:distinct|different|unique))\b/g],
  [
    "rows",
    /\b(?:(?:how many|number of|count of|count the|count|total) (?:the )?(?:rows?|records?|entries|observations?|lines?|data points?)|how (?:big|large)\b)/g,
  ],
  ["rows", /\b(?:rows?|records?|entries|observations?|lines)\b/g],
  [
    "count",
    /\b(?:how many|count|counts|counted|number of|how often|frequency|(?:most |least |how )?(?:common|frequent|popular)|commonest)\b/g,
  ],
  ["mean", /\b(?:average|averages|mean|means|avg|typical|typically|on average|usual|usually|expected)\b/g],
  ["sum", /\b(?:total|totals|sum|sums|overall|altogether|combined|in all|how much|cumulative)\b/g],
  ["std", /\b(?:standard deviations?|std|stdev|variance|variability|volatil\w+|deviation)\b/g],
  ["min", /\b(?:minimum|min|minima)\b/g],
  ["max", /\b(?:maximum|max|maxima)\b/g],
  [
    "chart",
    /\b(?:plots?|charts?|graphs?|draw|visuali[sz]e|visuali[sz]ation|bars?|scatter\w*|pie|boxplots?|line (?:plot|chart))\b/g,
  ],
  [
    "group",
    /\b(?:by|per|across|among|for (?:each|every)|each|every|grouped by|group by|broken down by|split by|within)\b/g,
  ],
  [
    "help",
    /\b(?:help|what can you do|who are you|what are you|hello|hi|hey|thanks|thank you|how do you work|how does this work)\b/g,
  ],
  [
    "beyond",
    /\b(?:forecast\w*|predict (?:the |next )|prediction|will (?:be|have|grow|fall|rise)|next (?:day|week|month|quarter|year)|future|cluster\w*|sentiment|translat\w+|poem|story|email|joins?|merge|regress\w+|neural|train|simulat\w+|optimi[sz]\w+|recommend\w*|should (?:we|i)|causal\w*|a b test|weather|capital of|president|write|build|create|delete|remove|drop|clean|fix|rename|convert|export|download|save)\b/g,
  ],
];

export interface CueMatch {
  readonly cue: Cue;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Finds the phrases in the words that are still free; a word may belong to several. */
export function findCues(words: readonly string[], isFree: (index: number) => boolean): CueMatch[] {
  const starts: number[] = [];
  let text = "";
  for (const [index, word] of words.entries()) {
    if (index > 0) text += " ";
    starts.push(text.length);
    // What is taken is no part of any phrase.
    text += isFree(index) ? word : "\u0001";
  }
  const at = (offset: number) => starts.findLastIndex((start) => start <= offset);
  return PHRASES.flatMap(([cue, phrase]) =>
    [...text.matchAll(phrase)].map((match) => ({
      cue,
      from: at(match.index),
      to: at(match.index + match[0].length - 1) + 1,
    })),
  );
}

/** Aggregates by the words that mean them; also possible names of columns. */
export const AGGREGATE_WORDS: ReadonlySet<string> = new Set(
  "total totals sum count counts number average averages mean avg median max maximum min minimum amount value".split(
    " ",
  ),
);

/** Words that only join others; a column of such a name is meant only when it is written as it is. */
export const GRAMMAR: ReadonlySet<string> = new Set(
  (
    "a an the this that these those it its they them their there here i me my we us our you your is are was were be been being do " +
    "does did done has have had having can could would will should may might must of in on at to for from with without by as and or " +
    "but if so than then when where what which who whom whose how not no yes per each every between into out up down off over under " +
    "s t re ll ve m d since until till through during before after"
  ).split(" "),
);

/** Words that carry nothing by themselves. */
export const FILLERS: ReadonlySet<string> = new Set([
  ...GRAMMAR,
  ...(
    "please show give tell find get list let want need know see look like just only also now about any some all both either much many " +
    "very really quite most make made say says said calculate compute determine display print return report analyse analyze analysis " +
    "data dataset file csv table column columns row field value values variable variables number result results same again instead " +
    "more less other others another one ones thing things case cases terms respect regarding concerning kind sort using use used " +
    "based according come comes came go goes went happen happens occur occurs happened strongly significantly significant main mainly " +
    "key overall general generally actually exactly whether way ways lot lots create build write plot question answer ok okay well hey " +
    "work works working except excluding outside two three four five six seven eight nine ten there live lives sold selling bought buy makes " +
    "everything against numbers bad good high low heavy poor strong conditions condition " +
    "highest lowest level levels rate rates group groups sub different differently amount total stands stand found"
  ).split(" "),
]);
