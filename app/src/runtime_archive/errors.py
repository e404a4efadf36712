"""The one error of this package."""


class ArchiveError(Exception):
    """An archive cannot be named, built or kept; `str()` is one line: what is wrong, with its name."""
