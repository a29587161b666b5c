"""Writer of the site's folder: whole or not at all. It replaces nothing but an earlier export."""

from __future__ import annotations

import os
import secrets
import shutil
from collections.abc import Mapping
from pathlib import Path

from pbem.campaign.disk.atomic import StorageFault, fault_of, short_path
from pbem.faults.wrong import wrong

MARKER = "export.txt"
"""File that marks a folder as an export and names its other files."""

_FIRST = "A site written by `pbem {by}`, which the next one replaces. It holds this file and these:"
_MOST = 1024 * 1024


def write_site(target: Path, files: Mapping[str, bytes], by: str = "export") -> None:
    """Write a folder in place of an earlier one by the same command. On `StorageFault` the old one remains."""
    target = Path(os.path.abspath(target))
    check_target(target, by)
    token = secrets.token_hex(8)
    new, old = (target.with_name(f".pbem-{token}.{what}") for what in ("new", "old"))
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        fill(new, {**files, MARKER: marker(files, by)})
        put_in_place(new, target, old)
    except OSError as error:
        raise fault_of(error, target, "write") from None
    finally:
        shutil.rmtree(new, ignore_errors=True)


def check_target(target: Path, by: str = "export") -> None:
    """Refuse a folder with any file that this command has not written."""
    if target.is_symlink():
        raise StorageFault(wrong("E-DISK-LINK.site", path=short_path(target)))
    if not os.path.lexists(target):
        return
    if not target.is_dir():
        raise StorageFault(wrong("E-DISK-KIND.site", path=short_path(target)))
    there = sorted(
        str(path.relative_to(target)) for path in target.rglob("*") if path.is_symlink() or not path.is_dir()
    )
    strange = [name for name in there if name not in exported_files(target, by)]
    if strange:
        raise StorageFault(wrong("E-EXPORT-TAKEN", path=short_path(target), name=strange[0]))


def exported_files(target: Path, by: str) -> set[str]:
    """Files that a command has written earlier, as its marker names them."""
    path = target / MARKER
    if path.is_symlink() or not path.is_file():
        return set()
    with path.open("rb") as file:
        first, *names = file.read(_MOST).decode("utf-8", "replace").splitlines()
    return {MARKER, *names} if first == _FIRST.format(by=by) else set()


def marker(files: Mapping[str, bytes], by: str) -> bytes:
    return "".join(f"{line}\n" for line in (_FIRST.format(by=by), *sorted(files))).encode()


def fill(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("xb") as file:
            file.write(data)


def put_in_place(new: Path, target: Path, old: Path) -> None:
    """Rename the new folder to the target; the earlier one is moved aside, and back if that fails."""
    if target.is_dir():
        # If the command is killed between these two, the earlier export remains under the name `old`.
        target.rename(old)
        try:
            new.rename(target)
        except OSError:
            old.rename(target)
            raise
        shutil.rmtree(old)
    else:
        new.rename(target)
