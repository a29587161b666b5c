"""Takes the pictures of the desk: `python -m tests.draw_desk` builds the page and writes docs/pictures/desk*.png."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from time import sleep

from PIL import Image

from tests.desk.conftest import build
from tests.desk.fields import battlefield
from tests.desk.sitting import Sitter
from tests.site.browsing import reader

ROOT = Path(__file__).parents[1]
PICTURES = ROOT / "docs/pictures"
SIZE = (1180, 760)
COLOURS = 224


def take(sitter: Sitter, name: str, scheme: str = "light") -> None:
    """Keep what is to be seen, in few colours."""
    sitter.reader.look(*SIZE, scheme)
    sitter.reader.run("board.tell([])")
    sleep(0.5)
    image = Image.open(BytesIO(sitter.reader.driver.get_screenshot_as_png())).convert("RGB")
    image.quantize(COLOURS, dither=Image.Dither.NONE).save(PICTURES / name, "PNG", optimize=True)
    sitter.reader.look()


def march(sitter: Sitter) -> None:
    """A general is chosen, after another one has marched."""
    sitter.open(str(ROOT / "examples/mid-war/position.yaml"))
    sitter.march()
    start = sitter.reader.run(
        "return state.asked.filter(isMarch).flatMap((asked) => asked.data.marches.map((each) => column(each, asked)))"
        ".sort((a, b) => b.to.length - a.to.length)[0].from"
    )
    sitter.reader.look(*SIZE)
    sitter.reader.run("board.show([arguments[0], ...columnsIn(arguments[0])[0].to.map((end) => end.city)])", start)
    sitter.reader.run("clickCity(arguments[0]); document.querySelector('.side').scrollTop = 0", start)


def battle(sitter: Sitter, folder: Path) -> None:
    """A battle, and what each card leads to."""
    (folder / "battle.yaml").write_bytes(battlefield("maria"))
    sitter.open(str(folder / "battle.yaml"))
    sitter.reader.look(*SIZE)
    sitter.reader.run("board.show(active.sight.map((each) => each.city))")


def plan(sitter: Sitter) -> None:
    """The plan that solves a puzzle, by its form."""
    sitter.home()
    sitter.reader.run("opened(ask('pose', 'rearguard'), {game: 'maria', name: 'rearguard'})")
    sitter.find("[data-answer=solution]").click()
    sitter.reader.look(*SIZE)
    sitter.reader.run("board.show(['Königgrätz', 'Trautenau']); document.querySelector('.plan').scrollIntoView()")


def draw() -> None:
    """Take all of them."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        page = place / "desk.html"
        build("-o", page)
        with reader(place / "profile") as found:
            sitter = Sitter(found, page)
            march(sitter)
            take(sitter, "desk.png")
            battle(sitter, place)
            take(sitter, "desk-battle.png")
            plan(sitter)
            take(sitter, "desk-plan.png", "dark")


if __name__ == "__main__":
    draw()
