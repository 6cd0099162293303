"""An import in which people meet others in every period, so that all of them are one independent
unit. Faults in `matching_group` split them into several."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from mixed_company import analysis
from tests.analysis.audit.faults import contents_of
from tests.analysis.audit.planting import KEY, Fault, Manifest, Tables, packed, records, tables_of
from tests.analysis.importing.tables import STRANGERS, STRANGERS_MAP, done

__all__ = ["export", "faults"]


def export(folder: Path) -> Path:
    """Save the import, sealed with the key."""
    path = folder / "imported.zip"
    analysis.save(done(folder, STRANGERS, STRANGERS_MAP).data, path)
    files = contents_of(path)
    manifest = json.loads(files["manifest.json"])
    return packed(path, files, tables_of(files, manifest), manifest, KEY)


def faults() -> Iterator[Fault]:
    """Yield the faults that can be planted in this export."""

    def plant(tables: Tables, _manifest: Manifest) -> None:
        place = tables["config"][0].index("matching_group")
        for row, values in zip(tables["config"][1:], records(tables["config"]), strict=True):
            row[place] = values["group"]

    name = "each imported group as a matching group, although people met others"
    yield Fault("groups and sessions", name, "", plant)
