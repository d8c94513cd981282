"""Tables in files: how one is to be read is found out here, inside the walls; pandas then reads it in a cell of its own."""

from .looking import look

__all__ = ["look"]
