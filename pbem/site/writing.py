"""Writes the site's folder whole or not at all, and replaces none that holds anything but an earlier export."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from pbem.campaign.disk.atomic import StorageFault, fault_of, short_path

MARKER = "export.txt"
"""The file that says of a folder that it is an export, and names its other files."""

_FIRST = "A site written by `pbem export`, which the next one replaces. It holds this file and these:"
_MOST = 1024 * 1024


def write_site(target: Path, files: Mapping[str, bytes]) -> None:
    """Write a folder in place of an earlier export; raises `StorageFault`, and then leaves the old one."""
    target = Path(os.path.abspath(target))
    check_target(target)
    token = secrets.token_hex(8)
    new, old = (target.with_name(f".pbem-{token}.{what}") for what in ("new", "old"))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        fill(new, {**files, MARKER: marker(files)})
        put_in_place(new, target, old)
    except OSError as error:
        raise fault_of(error, target, "write") from None
    finally:
        shutil.rmtree(new, ignore_errors=True)


def check_target(target: Path) -> None:
    """Refuse a folder with anything in it that no export has written."""
    if target.is_symlink():
        raise StorageFault("E-DISK-LINK", f"{short_path(target)} is a symbolic link, and those are not followed")
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise StorageFault("E-DISK-KIND", f"{short_path(target)} is no folder")
    there = sorted(
        str(path.relative_to(target)) for path in target.rglob("*") if path.is_symlink() or not path.is_dir()
    )
    strange = [name for name in there if name not in exported(target)]
    if strange:
        message = f"{short_path(target)} is not an export alone ({strange[0]} is in it); name a folder of its own"
        raise StorageFault("E-EXPORT-TAKEN", message)


def exported(target: Path) -> set[str]:
    """The files that an earlier export has written, as its marker names them."""
    path = target / MARKER
    if path.is_symlink() or not path.is_file():
        return set()
    with path.open("rb") as file:
        first, *names = file.read(_MOST).decode("utf-8", "replace").splitlines()
    return {MARKER, *names} if first == _FIRST else set()


def marker(files: Mapping[str, bytes]) -> bytes:
    return "".join(f"{line}\n" for line in (_FIRST, *sorted(files))).encode()


def fill(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files into a new folder."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(data)


def put_in_place(new: Path, target: Path, old: Path) -> None:
    """Give the new folder the target's name; the earlier one steps aside, and comes back if that fails."""
    if target.is_dir():
        # Killed between these two, the command leaves the earlier export beside its place, under the name `old`.
        target.rename(old)
        try:
            new.rename(target)
        except OSError:
            old.rename(target)
            raise
        shutil.rmtree(old)
    else:
        new.rename(target)
