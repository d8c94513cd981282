"""Run with: glovebox run examples/sales_by_region.py --data examples/sales.csv --out results"""

import matplotlib.pyplot as plt
import pandas as pd

sales = pd.read_csv("sales.csv", parse_dates=["date"])
months = sales.pivot_table(index=sales["date"].dt.to_period("M"), columns="region", values="total", aggfunc="sum")

months.plot(kind="bar", stacked=True, figsize=(9, 4), ylabel="sales")
plt.tight_layout()
months.to_csv("by_month.csv")

print(f"{len(sales)} sales, {sales['total'].sum():,.2f} in all")
sales.groupby("region").agg(sales=("total", "size"), units=("units", "sum"), total=("total", "sum")).round(2)
