"""The data of a server as one file: all tables with their codebook and a manifest.

mixed archive --output export.zip
curl -OJ http://localhost:8000/api/export_archive

    database   is there one to read?
    writing    from the database to the file
    codes      the key by which an anonymous file replaces who people are
    download   the file from a running server: a link for the admin, and REST

The command reads a database in a process of its own, as it was at one moment, while a server plays
on; the server makes the file by running the command. `table.export.archive` says what is in it.
"""

__all__ = ["REHEARSED"]

REHEARSED = "MIXED_COMPANY_REHEARSED"
"""Set for the server of a rehearsal: who sat in people's places, JSON. Its exports all say so."""
