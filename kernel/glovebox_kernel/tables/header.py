"""The columns' names: those that pandas makes of a header, and names for what has none."""

import builtins

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins


FIRST_NAME = "row_name"


def name_columns(header: list[str], width: int, has_header: bool, lacks_first: bool = False) -> list[str]:
    if not has_header:
        return [f"column_{number}" for number in range(1, width + 1)]
    names = pandas_names(header)
    taken = set(names)
    if lacks_first and FIRST_NAME not in taken:
        return [FIRST_NAME, *names]
    number = 0
    while len(names) < width:
        number += 1
        if f"extra_{number}" not in taken:
            names.append(f"extra_{number}")
    return names


def pandas_names(header: list[str]) -> list[str]:
    """Blank ones get their place, repeated ones a count; names that were given come before those made up."""
    names = [name or f"Unnamed: {place}" for place, name in enumerate(header)]
    taken = set(names)
    counts: dict[str, int] = {}
    places = [place for place, name in enumerate(header) if name] + [place for place, name in enumerate(header) if not name]
    for place in places:
        given = name = names[place]
        count = counts.get(name, 0)
        while count > 0:
            counts[given] = count + 1
            name = f"{given}.{count}"
            count = count + 1 if name in taken else counts.get(name, 0)
        names[place] = name
        taken.add(name)
        counts[name] = count + 1
    return names
