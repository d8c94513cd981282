const DEPARTMENTS = ["Sales", "R&D", "Human Resources", "IT"];

/** A table whose columns are awkward: money and percentages as text, day-first dates, yes and no, ids, gaps, camel case. */
export function staffTable(): string {
  const rows = Array.from({ length: 120 }, (_, index) => {
    const years = (index * 7) % 21;
    const department = DEPARTMENTS[(index * 5 + Math.floor(index / 9)) % 4] as string;
    const salary = 40_000 + years * 2_500 + ((index * 613) % 7_000) + (department === "R&D" ? 9_000 : 0);
    const day = String(1 + ((index * 11) % 28)).padStart(2, "0");
    const month = String(1 + ((index * 5) % 12)).padStart(2, "0");
    const bonus = index % 12 === 5 ? "" : `${(index * 3) % 21}%`;
    const remote = (index * 13) % 5 < 2 ? "yes" : "no";
    const written = `"$${salary.toLocaleString("en-US")}"`;
    return [
      1000 + index,
      `Person ${index}`,
      department,
      written,
      `${day}/${month}/${2004 + (index % 18)}`,
      remote,
      bonus,
      years,
    ].join(",");
  });
  return `employeeId,full name,Department,annualSalary,hired,remote,bonus %,yearsOfService\n${rows.join("\n")}\n`;
}

/** The same read by plain pandas, as `staff`. */
export const READ_STAFF = `staff = pd.read_csv("staff.csv")
staff["annualSalary"] = staff["annualSalary"].str.replace("[$,]", "", regex=True).astype(int)
staff["bonus %"] = staff["bonus %"].str.rstrip("%").astype(float)
staff["hired"] = pd.to_datetime(staff["hired"], format="%d/%m/%Y")`;
