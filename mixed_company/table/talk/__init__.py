"""Talk at a table: who can write what to whom and when, and what becomes of it.

    options    the keys of a session config, checked by themselves
    among      who can write, and whom a message reaches: by roles and neighbours
    wording    what is no message: too long, unprintable, a word of the blocklist
    parsing    what a page sends: `say`, `report`, `done`
    memory     what a table keeps of it
    talking    what takes place at a table: a time of talk, a message, a report
    voices     what policies say, and when

Who writes is the seat: names are those of the seats. Everything that was written is in the journal,
also what was blocked. A session without talk has none of this anywhere.
"""
