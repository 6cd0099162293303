"""Plays as tables: the format for exporting, auditing and analysing sessions.

    columns    all columns and their meanings
    ruled      columns determined by a game's rules
    rows       rows determined by the rules
    codebook   the columns as a document: `mixed codebook commons_game`
    archive    the tables of one export in one file, with codebook and manifest
    anonymous  exports without personal data

Session exports, audits and simulated plays get their columns and rows from this package, so that a
column always has the same meaning: `sent_<action>`, `used_<action>`, `reward`,
`reward_<component>`, `after_<state>`, `partner_<state>`. An array with axes other than seats is
spread over columns: `after_found_0_1`. A `bulk` field, such as a map, has no columns.
"""

from mixed_company.table.export.anonymous import CODED, LEFT_OUT, Anonymous, is_anonymous
from mixed_company.table.export.codebook import besides, codebook, document, whole
from mixed_company.table.export.column import Column, places, spread
from mixed_company.table.export.columns import (
    OPTIONAL,
    TABLES,
    columns,
    declared,
    tables,
)
from mixed_company.table.export.rows import (
    Row,
    decision_row,
    group_id,
    in_columns,
    pair_rows,
    period_row,
    seat_rows,
    sent_of,
)
from mixed_company.table.export.ruled import group_fields, pair_fields, seat_fields

__all__ = [
    "CODED",
    "LEFT_OUT",
    "OPTIONAL",
    "TABLES",
    "Anonymous",
    "Column",
    "Row",
    "besides",
    "codebook",
    "columns",
    "decision_row",
    "declared",
    "document",
    "group_fields",
    "group_id",
    "in_columns",
    "is_anonymous",
    "pair_fields",
    "pair_rows",
    "period_row",
    "places",
    "seat_fields",
    "seat_rows",
    "sent_of",
    "spread",
    "tables",
    "whole",
]
