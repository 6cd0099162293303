"""One person's payment for all blocks of a plan, or all games of a session (`table.ledger`).

The fee and the rounding of the total are in the ledger of the last block that the person reached.
Without a plan, the fee is in the ledger of the first game that pays one. The server uses these
rules to pay people, and an export's audit reapplies them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from mixed_company.experiment.assignment import paid_block
from mixed_company.table.ledger import Ledger, Stay, Terms, ledger, rounded_up, total
from mixed_company.table.pay import is_paid


@dataclass(frozen=True)
class Part:
    """A person's part in one block or game, and the terms of payment for it."""

    terms: Terms
    stay: Stay


def of_blocks(parts: Sequence[Part], blocks: int, drawn: int | None) -> list[Ledger]:
    """Return the ledgers of the blocks that a person has reached, in a plan with this number of
    `blocks`.

    `drawn` is the number (from 0) of the block that was drawn for payment; None if all blocks are
    paid. An unpaid block has no points.
    """
    stays = [(part.stay.status, part.stay.seated) for part in parts]
    paid = range(blocks) if drawn is None else [paid_block(drawn, stays)]
    ledgers: list[Ledger] = []
    for number, part in enumerate(parts):
        terms, here = part.terms, part.stay
        ends = here.status != "finished" or number == blocks - 1
        fee = terms.fee if ends else 0.0
        rate = terms.rate if here.seated and number in paid else 0.0
        share = (number + here.share) / blocks
        whole = replace(here, seated=here.seated or number > 0, share=share)
        amounts = ledger(replace(terms, fee=fee, rate=rate, rounding=0.01), whole)
        if ends and is_paid(whole.status, whole.seated):
            exact = sum(map(total, ledgers), total(amounts))
            amounts["rounding"] += rounded_up(exact, terms.rounding) - exact
        ledgers.append(amounts)
    return ledgers


def of_games(parts: Iterable[Part]) -> list[Ledger]:
    """Return the ledgers of a person's games, in order. Only the first game with a fee includes
    it."""
    ledgers: list[Ledger] = []
    for part in parts:
        amounts = ledger(part.terms, part.stay)
        if amounts["fee"] and any(before["fee"] for before in ledgers):
            amounts = ledger(replace(part.terms, fee=0.0), part.stay)
        ledgers.append(amounts)
    return ledgers
