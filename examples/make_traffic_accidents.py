"""Makes traffic_accidents.csv: invented rows for trying questions on.

Nothing here was measured. Fines, traffic and rain move the number of accidents in the way that people
would expect; lights, pavement, surroundings and speed add a little; the rest is chance. Only the standard
library is used, and the seed is fixed, so that every run writes the same bytes:

    python make_traffic_accidents.py [FILE]
"""

import csv
import math
import random
import sys

SEED = 42
ROWS = 1500

COLUMNS = [
    "accidents",  # number of recorded accidents
    "traffic_fine_amount",  # thousands of USD
    "traffic_density",  # index from 0 (low) to 10 (high)
    "traffic_lights",  # proportion of traffic lights in the area, 0 to 1
    "pavement_quality",  # from 0 (very poor) to 5 (excellent)
    "urban_area",  # 1 urban, 0 rural
    "average_speed",  # km/h
    "rain_intensity",  # from 0 (none) to 3 (heavy)
    "vehicle_count",  # thousands
    "time_of_day",  # hours, 0 to 24
]


def between(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


def rush(hour: float) -> float:
    """1 at half past eight and at half past five, near 0 far from both."""
    return max(math.exp(-((hour - peak) ** 2) / 4) for peak in (8.5, 17.5))


def make_row(chance: random.Random) -> list:
    urban = int(chance.random() < 0.65)
    hour = chance.uniform(0, 24)
    fine = chance.uniform(0.5, 10)
    density = between(chance.gauss(4.2 + 1.1 * urban + 2.4 * rush(hour), 1.9), 0, 10)
    lights = between(chance.gauss(0.3 + 0.3 * urban, 0.15), 0, 1)
    pavement = between(chance.gauss(3.2, 1.0), 0, 5)
    rain = 0.0 if chance.random() < 0.4 else between(chance.expovariate(1.0), 0.05, 3)
    speed = between(chance.gauss(88 - 32 * urban - 2.2 * density - 3 * rain, 8), 15, 130)
    vehicles = max(1, round(20 + 45 * urban + 11 * density + chance.gauss(0, 40)))
    expected = (
        21
        - 1.45 * fine
        + 0.95 * density
        + 2.4 * rain
        - 0.7 * pavement
        - 2.0 * lights
        + 2.2 * urban
        + 0.03 * (speed - 60)
    )
    accidents = max(1, round(chance.gauss(expected, 2.2)))
    measured = (fine, density, lights, pavement)
    return [accidents, *(f"{value:.2f}" for value in measured), urban, f"{speed:.1f}", f"{rain:.2f}", vehicles, f"{hour:.2f}"]


def main(path: str) -> None:
    chance = random.Random(SEED)
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(make_row(chance) for _ in range(ROWS))


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "traffic_accidents.csv")
