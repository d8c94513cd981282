"""What to do with a table that does not fit."""

import builtins
from importlib.util import find_spec

from .code import literal
from .plan import Wanted
from .source import Source

__builtins__ = dict(vars(builtins))  # this module's own copy: a cell may patch the builtins

_FEWER_ROWS = 100_000


def instead_of_loading(source: Source, wanted: Wanted, delimiter: str | None) -> str:
    """`delimiter` is None for files that are not text."""
    path = source.shown_path()
    advice = []
    if wanted.columns is None:
        advice.append("name the columns that you need (columns)")
    if wanted.rows is None or wanted.rows > _FEWER_ROWS:
        advice.append(f"take the first rows (rows: {_FEWER_ROWS})")
    line = _query_line(path, source, delimiter)
    advice.append(f"ask the file itself with python_repl: {line}")
    return "Instead " + ", or ".join(advice)


def _query_line(path: str, source: Source, delimiter: str | None) -> str:
    is_read_by_duckdb = source.packing in (None, "gzip") and find_spec("duckdb") is not None
    if is_read_by_duckdb:
        quoted = "'" + path.replace("'", "''") + "'"
        reader = f"read_csv({quoted}, delim='{delimiter}')" if delimiter else quoted
        return f'import duckdb; duckdb.sql("""SELECT count(*) FROM {reader}""").df()'
    if delimiter:
        return f"sum(len(part) for part in pd.read_csv({literal(path)}, sep={literal(delimiter)}, chunksize=100_000))"
    return f"pd.read_parquet({literal(path)}, columns=[...])"
