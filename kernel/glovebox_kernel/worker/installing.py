"""What is said instead of a package manager's futile tries: nothing can be installed in here, and what there is."""

from __future__ import annotations

import re
from importlib import metadata

_INSTALLERS = re.compile(r"^\s*(?:sudo\s+)?(?:\S*python[\d.]*\s+-m\s+)?(?:uv\s+)?(pip[\d.]*|conda|mamba|apt|apt-get)\s+(?:install|add|download)\b(.*)", re.S)
_NAME = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*")


def is_installing(command: str) -> bool:
    return _INSTALLERS.match(command) is not None


def explain(arguments: str) -> str:
    wanted = [match.group() for word in arguments.split() if (match := _NAME.match(word))]
    installed = {name.lower().replace("_", "-"): version for name, version in _distributions().items()}
    there = [f"{name} {installed[key]}" for name in wanted if (key := name.lower().replace("_", "-")) in installed]
    lacking = [name for name in wanted if name.lower().replace("_", "-") not in installed]
    sentences = []
    if there:
        sentences.append(f"Already installed: {', '.join(there)}.")
    if lacking or not wanted:
        listing = ", ".join(f"{name} {version}" for name, version in sorted(installed.items()))
        sentences.append(
            f"{', '.join(lacking) or 'Packages'} cannot be installed: there is no network in here. "
            f"Use what is installed instead: {listing}."
        )
    return " ".join(sentences)


def explain_command(command: str) -> str:
    match = _INSTALLERS.match(command)
    return explain(match.group(2) if match else "")


def _distributions() -> dict[str, str]:
    return {each.metadata["Name"]: each.version for each in metadata.distributions() if each.metadata["Name"]}
