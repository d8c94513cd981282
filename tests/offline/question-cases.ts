export interface QuestionCase {
  readonly table: "sales" | "staff" | "traffic_accidents";
  readonly question: string;
  /** The intent of the cell that answers it. */
  readonly intent: RegExp;
  /** A list of numbers in plain pandas; each stands in the answer. */
  readonly numbers?: string;
  readonly says?: RegExp;
}

const on =
  (table: QuestionCase["table"]) =>
  (question: string, intent: RegExp, numbers?: string, says?: RegExp): QuestionCase => ({
    table,
    question,
    intent,
    ...(numbers ? { numbers } : {}),
    ...(says ? { says } : {}),
  });
const sales = on("sales");
const staff = on("staff");
const traffic = on("traffic_accidents");

/** What people ask, in their words. */
export const CASES: readonly QuestionCase[] = [
  // describe
  sales("What is in here?", /^Summarise/, "[len(sales), sales.total.max(), sales.units.mean()]", /6 columns/),
  staff("Describe the data", /^Summarise/, "[len(staff), staff.annualSalary.mean()]", /identifier/),
  staff("tell me about annual salary", /^Distribution of annualSalary/, "[staff.annualSalary.median()]"),
  // one number
  sales("How many rows are there?", /^Number of rows/, "[len(sales)]"),
  sales("how many sales in the North?", /^Number of rows/, '[(sales.region == "North").sum()]'),
  sales("What is the average unit price?", /^Average unit_price/, "[sales.unit_price.mean()]"),
  sales("total revenue", /^Sum of total/, "[sales.total.sum()]"),
  sales(
    "median of units for Kettle",
    /^Median units/,
    '[sales[sales["product"] == "Kettle"].units.median()]',
  ),
  sales("what is the highest total?", /^Maximum/, "[sales.total.max()]"),
  sales("minimum unit price in the West", /^Minimum/, '[sales[sales.region == "West"].unit_price.min()]'),
  sales("standard deviation of units", /^Standard deviation/, "[sales.units.std()]"),
  sales("How many products are there?", /^Number of distinct/, '[sales["product"].nunique()]'),
  staff("how many different departments", /^Number of distinct/, "[staff.Department.nunique()]"),
  staff(
    "How many people work in Human Resources?",
    /^Number of rows/,
    '[(staff.Department == "Human Resources").sum()]',
  ),
  staff(
    "What does Person 17 earn? salary",
    /^Average annualSalary/,
    '[staff[staff["full name"] == "Person 17"].annualSalary.iloc[0]]',
  ),
  traffic("How many accidents were there?", /^Total accidents/, "[traffic.accidents.sum()]"),
  traffic(
    "mean average speed in rural areas",
    /^Mean of average_speed/,
    "[traffic[traffic.urban_area == 0].average_speed.mean()]",
  ),
  // by group
  sales(
    "Total sales by region",
    /^Sum of total by region/,
    '[*sales.groupby("region").total.sum()]',
    /highest for \*\*North/,
  ),
  sales("average units per product", /^Average units by product/, '[*sales.groupby("product").units.mean()]'),
  sales("number of rows by product", /^Number of rows by product/, '[*sales["product"].value_counts()]'),
  sales(
    "Which region has the lowest average unit price?",
    /^Average unit_price by region/,
    '[sales.groupby("region").unit_price.mean().min()]',
    /lowest for \*\*West/,
  ),
  sales(
    "top 3 products by revenue",
    /^Sum of total by product/,
    '[*sales.groupby("product").total.sum().nlargest(3)]',
    /3 of 6 groups/,
  ),
  sales(
    "the two worst products by units",
    /units by product/,
    '[*sales.groupby("product").units.sum().nsmallest(2)]',
    /2 of 6 groups/,
  ),
  sales(
    "average units by product and region",
    /by product and region/,
    '[sales.groupby(["product", "region"]).units.mean().max()]',
  ),
  sales(
    "total by region where units above 10",
    /^Sum of total by region/,
    '[*sales[sales.units > 10].groupby("region").total.sum()]',
    /`units` > 10/,
  ),
  sales(
    "total by product in the North",
    /^Sum of total by product/,
    '[*sales[sales.region == "North"].groupby("product").total.sum()]',
  ),
  sales(
    "units between 5 and 8: total by region",
    /by region/,
    '[*sales[sales.units.between(5, 8)].groupby("region").total.sum()]',
  ),
  sales(
    "sales by region except the West",
    /by region/,
    '[*sales[sales.region != "West"].groupby("region").total.sum()]',
  ),
  staff(
    "average salary by department",
    /^Average annualSalary by Department/,
    '[*staff.groupby("Department").annualSalary.mean()]',
  ),
  staff(
    "median bonus by department",
    /^Median bonus % by Department/,
    '[*staff.groupby("Department")["bonus %"].median()]',
    /left out for missing values/,
  ),
  staff(
    "number of employees by department",
    /^Number of rows by Department/,
    "[*staff.Department.value_counts()]",
  ),
  staff(
    "Which departments have the highest salary?",
    /by Department/,
    '[staff.groupby("Department").annualSalary.mean().max()]',
    /\*\*R&D\*\*/,
  ),
  traffic(
    "average accidents by urban area",
    /^Average accidents by urban_area/,
    '[*traffic.groupby("urban_area").accidents.mean()]',
    /1 \(urban\)/,
  ),
  traffic(
    "average accidents by rain intensity",
    /by rain_intensity/,
    "[*traffic.groupby(pd.qcut(traffic.rain_intensity, 5, duplicates='drop'), observed=True).accidents.mean()]",
  ),
  // rows
  sales(
    "Show the 5 rows with the highest total",
    /^Find the rows/,
    "[*sales.total.nlargest(5)]",
    /The 5 rows/,
  ),
  staff(
    "who are the 3 highest paid employees?",
    /^Find the rows/,
    "[*staff.annualSalary.nlargest(3)]",
    /The 3 rows/,
  ),
  // shares
  sales(
    "What percentage of sales comes from the North?",
    /share/,
    '[sales[sales.region == "North"].total.sum() / sales.total.sum() * 100]',
  ),
  sales(
    "share of revenue by product",
    /^Share of total/,
    '[*(sales.groupby("product").total.sum() / sales.total.sum() * 100)]',
  ),
  staff("percentage of remote employees", /share/, '[(staff.remote == "yes").mean() * 100]'),
  // time
  sales("sales by month", /by month/, '[*sales.groupby(sales.date.dt.to_period("M")).total.sum()]'),
  sales(
    "How did revenue develop over time?",
    /over time/,
    '[sales.groupby(sales.date.dt.to_period("M")).total.sum().max()]',
  ),
  sales(
    "average units per quarter",
    /^Average units by quarter/,
    "[*sales.groupby(sales.date.dt.quarter).units.mean()]",
  ),
  sales(
    "which month had the highest revenue?",
    /by month/,
    "[sales.groupby(sales.date.dt.month).total.sum().max()]",
    /highest in \*\*2024-06\*\*/,
  ),
  sales("sales by weekday", /by weekday/, "[*sales.groupby(sales.date.dt.dayofweek).total.sum()]"),
  sales("total in March 2024", /^Sum of total/, "[sales[sales.date.dt.month == 3].total.sum()]"),
  sales(
    "total sales since October 2024 by region",
    /by region/,
    '[*sales[sales.date >= "2024-10-01"].groupby("region").total.sum()]',
  ),
  sales("total in Q2 2024", /^Sum of total/, "[sales[sales.date.dt.quarter == 2].total.sum()]"),
  sales(
    "monthly units in the South",
    /by month/,
    '[*sales[sales.region == "South"].groupby(sales.date.dt.month).units.sum()]',
  ),
  staff("hires per year", /^Number of rows by year/, "[*staff.hired.dt.year.value_counts()]"),
  // distribution, gaps, oddities
  sales(
    "Show the distribution of units",
    /^Distribution of units/,
    "[sales.units.median(), sales.units.mean(), *sales.units.quantile([0.05, 0.25, 0.75, 0.95])]",
  ),
  sales("histogram of unit price", /^Distribution of unit_price/, "[sales.unit_price.median()]"),
  sales("how is region distributed?", /^Count the values of region/, "[*sales.region.value_counts()]"),
  staff("Are there missing values?", /missing/, '[staff["bonus %"].isna().sum()]', /\*\*Yes\*\*/),
  sales("any nulls?", /missing/, undefined, /\*\*No\*\*/),
  sales(
    "are there outliers in total?",
    /outside the usual range/,
    "[((sales.total > sales.total.quantile(.75) + 1.5 * (sales.total.quantile(.75) - sales.total.quantile(.25)))).sum()]",
  ),
  sales("are there duplicate rows?", /more than once/, undefined, /\*\*No\*\*/),
  // relations
  sales(
    "Is there a relation between units and unit price?",
    /^Relate units to unit_price/,
    "[sales.units.corr(sales.unit_price)]",
  ),
  sales(
    "what is the correlation between units and total",
    /^Relate units to total/,
    "[sales.units.corr(sales.total)]",
  ),
  sales("Does region affect total?", /groups of region/, '[*sales.groupby("region").total.mean()]'),
  sales(
    "Is there a connection between region and product?",
    /^Cross region with product/,
    undefined,
    /Cramér/,
  ),
  staff(
    "does salary depend on years of service?",
    /^Relate yearsOfService to annualSalary/,
    "[staff.yearsOfService.corr(staff.annualSalary)]",
  ),
  staff(
    "years of service vs salary",
    /^Relate yearsOfService to annualSalary/,
    "[staff.yearsOfService.corr(staff.annualSalary)]",
  ),
  traffic(
    "effect of rain on accidents",
    /^Relate rain_intensity to accidents/,
    "[traffic.rain_intensity.corr(traffic.accidents)]",
  ),
  traffic(
    "what is related to accidents",
    /Rank what goes with accidents/,
    "[traffic.traffic_fine_amount.corr(traffic.accidents)]",
  ),
  traffic(
    "Which columns are correlated?",
    /^Correlate all/,
    "[traffic.corr().loc['accidents', 'traffic_fine_amount']]",
  ),
  traffic(
    "what correlates with average speed?",
    /^Correlate every column of numbers with average_speed/,
    "[traffic.corr().loc['average_speed', 'urban_area']]",
  ),
  staff(
    "What drives salary?",
    /Rank what goes with annualSalary/,
    "[staff.yearsOfService.corr(staff.annualSalary)]",
    /\*\*`yearsOfService`\*\*/,
  ),
  // two groups
  sales(
    "compare North and South on total",
    /^Compare total/,
    '[sales[sales.region == "North"].total.mean(), sales[sales.region == "South"].total.mean()]',
    /Cohen/,
  ),
  staff(
    "R&D vs IT salary",
    /^Compare annualSalary/,
    '[staff[staff.Department == "R&D"].annualSalary.mean(), staff[staff.Department == "IT"].annualSalary.mean()]',
  ),
  traffic(
    "compare accidents in urban and rural areas",
    /^Compare accidents/,
    "[*traffic.groupby('urban_area').accidents.mean()]",
  ),
  // segments
  sales("Which groups have the highest total?", /^Rank the groups/, "[sales.total.mean()]"),
  traffic(
    "Where is the risk of accidents lowest?",
    /^Rank the groups/,
    "[traffic.accidents.mean()]",
    /is lowest where/,
  ),
  // as people say it
  sales(
    "What is the cheapest product?",
    /^Average unit_price by product/,
    '[sales.groupby("product").unit_price.mean().min()]',
    /lowest for \*\*Notebook/,
  ),
  sales(
    "What is the most common product?",
    /^Number of rows by product/,
    '[sales["product"].value_counts().max()]',
  ),
  sales("how many orders with total over 500?", /^Number of rows/, "[(sales.total > 500).sum()]"),
  sales("how much did we sell in June", /^Sum of total/, "[sales[sales.date.dt.month == 6].total.sum()]"),
  sales(
    "Which region sells the most toasters?",
    /by region/,
    '[*sales[sales["product"] == "Toaster"].groupby("region").total.sum()]',
  ),
  sales(
    "did sales increase in 2024?",
    /over time/,
    "[sales.groupby(sales.date.dt.month).total.sum().iloc[-1]]",
  ),
  staff(
    "What percentage of people in Sales are remote?",
    /share/,
    '[(staff[staff.Department == "Sales"].remote == "yes").mean() * 100]',
  ),
  staff(
    "average bonus for people with salary over 70000",
    /^Average bonus %/,
    '[staff[staff.annualSalary > 70000]["bonus %"].mean()]',
  ),
  staff(
    "Which department has the most remote employees?",
    /^Number of rows by Department/,
    '[*staff[staff.remote == "yes"].Department.value_counts()]',
  ),
  staff(
    "average salary of remote employees",
    /^Average annualSalary/,
    '[staff[staff.remote == "yes"].annualSalary.mean()]',
  ),
  traffic(
    "Is it more dangerous in the rain?",
    /^Rank the groups/,
    "[traffic.accidents.mean()]",
    /^By `rain_intensity`/,
  ),
  traffic(
    "does speed matter?",
    /^Relate average_speed to accidents/,
    "[traffic.average_speed.corr(traffic.accidents)]",
  ),
  traffic(
    "accidents when density is above 8",
    /^Average accidents/,
    "[traffic[traffic.traffic_density > 8].accidents.mean()]",
  ),
  // periods that are said in other ways
  sales("total before June", /^Sum of total/, '[sales[sales.date < "2024-06-01"].total.sum()]'),
  sales("total since 5 June", /^Sum of total/, '[sales[sales.date >= "2024-06-05"].total.sum()]'),
  sales(
    "total between March and May",
    /^Sum of total/,
    '[sales[sales.date.between("2024-03-01", "2024-05-31")].total.sum()]',
    /from March 2024 to May 2024/,
  ),
  sales(
    "total from 2024-02-10 to 2024-03-20",
    /^Sum of total/,
    '[sales[sales.date.between("2024-02-10", "2024-03-20")].total.sum()]',
  ),
  sales("total in Q3", /^Sum of total/, "[sales[sales.date.dt.quarter == 3].total.sum()]"),
  // the rows as they are
  sales(
    "show me the first 5 rows",
    /^Show the first rows/,
    "[*sales.total.head(5)]",
    /The first 5 rows of .*\n\n\| `date`/,
  ),
];
