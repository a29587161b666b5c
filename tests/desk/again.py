"""The same files make the same page: `python -m tests.desk.again` presses all of it again, the suite a part."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping

from pbem.desk import bundle, pressing, runtime
from pbem.paper.documents.faults import Refused

SITE, LIBRARY = "work/site/", "work/library.zip"
UNWARMED = "\n\ndef warm(work):\n    pass\n\n\nBEGIN = {}\n"


def a_part(given: Mapping[str, bytes], share: int) -> dict[str, bytes]:
    """Every so many modules of the site, and of what Python asks for by name, with nothing done in them."""
    found = {name: data for name, data in given.items() if not name.startswith(SITE)}
    site = sorted(name for name in given if name.startswith(SITE) and name.endswith(".py"))[::share]
    asked = {
        name: data for name, data in pressing.zipped_files(given[LIBRARY]).items() if pressing.is_imported_by_name(name)
    }
    begin = tuple(pressing.module_of(name.removeprefix(SITE)) for name in site)
    found |= {name: given[name] for name in site}
    found[LIBRARY] = pressing.stored_zip({name: asked[name] for name in sorted(asked)[::share]})
    return {**found, "work/pressing.py": given["work/pressing.py"] + UNWARMED.format(begin).encode()}


def alike(page: Mapping[str, bytes], again: Mapping[str, bytes]) -> int:
    """Number of modules of the page that were pressed again, each with the same result."""
    first, second = ({**files, **pressing.zipped_files(files[bundle.LIBRARY])} for files in (page, again))
    both = [name for name in second if name in first and name != bundle.LIBRARY]
    other = [name for name in both if first[name] != second[name]]
    assert not other, f"pressed otherwise: {other}"
    return len(both)


def main() -> int:
    """Press the page as it is kept, and once more."""
    is_needed = os.environ.get("CI") == "true"
    if not is_needed and not (shutil.which("node") and shutil.which("npm")):
        print("the page is pressed with node and npm, which this machine has not")
        return 0
    try:
        archives = runtime.archives()
    except Refused as refused:
        print(refused)
        return is_needed
    given = bundle.press_input(archives)
    first, second = bundle.compiled_modules(given), bundle.press_output(given)
    print(f"{alike(first, second)} modules are the same")
    bundle.HARD = {**bundle.HARD, "preset": 0}
    if bundle.page_pack(archives, first) == bundle.page_pack(archives, second):
        return 0
    print(f"another page: {sorted(name for name in {*first, *second} if first.get(name) != second.get(name))}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
