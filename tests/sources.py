"""Sources of the program and of the tests, each read once: the parts of them that tests of the code compare."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple


class Source(NamedTuple):
    """Parts of one file of Python. The tree itself is not kept: those of all files fill hundreds of megabytes."""

    imports: tuple[ast.Import | ast.ImportFrom, ...]
    classes: tuple[tuple[str, tuple[str, ...]], ...]
    """The name of each class, and its bases as they are written."""
    functions: tuple[tuple[str, frozenset[str]], ...]
    """The name of each function, and its parameters."""
    texts: frozenset[str]
    """The texts of the code, docstrings left out."""
    docstrings: tuple[tuple[int, str], ...]
    """Every text that stands alone, with its line."""


@cache
def source_of(path: Path) -> Source:
    """Return the parts of a file."""
    imports, classes, functions, docstrings = [], [], [], []
    texts: list[ast.Constant] = []
    alone: set[int] = set()
    for node in nodes_of(path):
        match node:
            case ast.Import() | ast.ImportFrom():
                imports.append(node)
            case ast.ClassDef():
                classes.append((node.name, tuple(map(ast.unparse, node.bases))))
            case ast.FunctionDef(args=given) | ast.AsyncFunctionDef(args=given):
                every = [*given.posonlyargs, *given.args, *given.kwonlyargs]
                functions.append((node.name, frozenset(each.arg for each in every)))
            case ast.Expr(value=ast.Constant(value=str(text)) as constant):
                docstrings.append((node.lineno, text))
                alone.add(id(constant))
            case ast.Constant(value=str()):
                texts.append(node)
    said = frozenset(str(node.value) for node in texts if id(node) not in alone)
    return Source(tuple(imports), tuple(classes), tuple(functions), said, tuple(docstrings))


def nodes_of(path: Path) -> Iterator[ast.AST]:
    """Yield every node of a file, outer ones first."""
    return ast.walk(ast.parse(path.read_text("utf-8")))
