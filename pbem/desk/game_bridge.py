"""Functions that the page calls for scenarios, puzzles, lessons, and stored games."""

from __future__ import annotations

from pbem.desk.bot_games import (
    learn,
    resume,
)
from pbem.desk.keeping import kept_work, restore
from pbem.desk.lessons import lessons
from pbem.desk.practice import first_seat, rules_of, scenarios, terms_of, title_in, titles
from pbem.desk.puzzles import puzzles
from pbem.desk.shared_bridge import SharedBridge
from pbem.resources import games
from pbem.site.archive import SiteWords


class GameBridge(SharedBridge):
    """Part of the bridge: functions for games."""

    def do_starts(self) -> object:
        """Return the first scenario of every game, with the seat that acts first."""
        return {game: self.start_of(game, next(iter(titles(game)))) for game in games()}

    def start_of(self, game: str, scenario: str) -> dict[str, object]:
        """Return a scenario's title, the seat that acts first, and the labels of all seats."""
        seat = first_seat(rules_of(terms_of(game, scenario)))
        title = title_in(self.desk.language, game, scenario)
        return {
            "name": game.upper(),
            "scenario": scenario,
            "title": title,
            "seat": seat,
            "seats": self.do_seats(game, scenario),
        }

    def do_scenarios(self) -> object:
        """Return the titles of the scenarios of every game."""
        return scenarios(self.desk.language)

    def do_seats(self, game: str, scenario: str) -> object:
        """Return the label of each seat in a scenario: its player's name and powers."""
        words, rules = SiteWords(self.desk.language, game), rules_of(terms_of(game, scenario))
        return {seat: f"{words.player(seat)} ({', '.join(map(words.power, own))})" for seat, own in rules.seats.items()}

    def do_puzzles(self) -> object:
        return puzzles(self.desk.language)

    def do_lessons(self) -> object:
        """Return the names of the lessons of every game, in order."""
        return {game: list(found) for game in games() if (found := lessons(game))}

    def do_learn(self, game: str, name: str) -> object:
        """Begin a lesson. Return its table, steps and scenario, and the names that fill the placeholders in its
        text."""
        laid, lesson = self.opened_data(learn(self.desk, game, name)), lessons(game)[name]
        start = self.start_of(game, self.desk.table.rules.terms.scenario)
        return {"laid": laid, "steps": lesson.steps, "names": lesson.names, "rules": lesson.rules, "start": start}

    def do_kept(self) -> object:
        """Return the game or the letters that the browser should store. Return None if there is nothing to store."""
        laid = self.desk.laid
        return kept_work(laid, self.desk.drafts) if laid and not self.desk.lesson else None

    def do_resume(self, saved: str, texts: dict[str, str], chosen: str) -> object:
        """Continue a game that the browser has stored as `saved`. `texts` has the text of each draft, keyed by name,
        and `chosen` names the draft on top."""
        resume(self.desk, saved.encode())
        restore(self.desk.drafts, texts, chosen)
        return self.opened_data(self.desk.sitting())
