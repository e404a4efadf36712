"""Builders for archive tests."""

from pathlib import Path

from runtime_archive.members import Member, merge


def member(name: str, content: bytes = b"") -> Member:
    return Member(name, content, Path("/somewhere") / name)


def members(**contents: bytes):
    return merge([[member(name, content) for name, content in contents.items()]])
