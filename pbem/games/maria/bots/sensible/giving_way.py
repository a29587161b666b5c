"""Pieces that have to go somewhere: expedition corps, and pieces that give way (§17.5, §19)."""

from __future__ import annotations

from random import Random

from pbem.bots.sensible.mustering import need
from pbem.bots.sensible.paying import cheapest
from pbem.bots.sensible.valuing import MarchValues, PlaceValues, train_worth
from pbem.engine.decisions import Answer
from pbem.engine.field import by_command, pieces_at
from pbem.engine.march import needs_commander
from pbem.games.maria.bots.sensible.aims import aims_of
from pbem.games.maria.bots.sensible.sight import MariaSight
from pbem.games.maria.rules.decisions import Corps, GoTo, Relocate, SendCorps


def send_corps(outlook: MariaSight, decision: SendCorps, chance: Random) -> Answer:
    """Send the general who is needed least; one who costs nothing if possible."""
    sight = outlook.sight
    at_hand = [general for general in decision.generals if general not in decision.recruits]
    if at_hand:
        return Corps(min(at_hand, key=lambda g: (sight.field.pieces[g].troops, need(sight, g, 0))))
    return Corps(decision.recruits[0], cheapest(sight, decision.power, outlook.rules.game.advanced.corps_price))


def relocate(outlook: MariaSight, decision: Relocate, chance: Random) -> Answer:
    """Move to the city where the piece stands best; in a stack the old commander goes on."""
    sight, piece = outlook.sight, decision.piece
    judge = PlaceValues(sight, aims_of(outlook))
    if not sight.common.is_general(piece):
        return GoTo(max(decision.cities, key=lambda city: train_worth(judge, piece, city)))
    mission = MarchValues(judge, (piece,))
    city = max(decision.cities, key=mission.place)
    mates = by_command(sight.common, sight.field, (mate for mate in pieces_at(sight.field, city) if mate != piece))
    stack = by_command(sight.common, sight.field, [*mates, piece])
    return GoTo(city, mates[0] if mates and needs_commander(sight.common, stack) else None)
