"""Talk at a table: who can write what to whom and when, and the effects.

    options    the keys of a session config, and checks that involve only these keys
    among      who can write, and whom a message reaches, based on roles and neighbours
    wording    texts that are not allowed: too long, unprintable, on the blocklist
    parsing    messages of a page: `say`, `report`, `done`
    memory     the part of a table's state that holds the talk
    talking    events at a table: a talk phase, a message, a report
    voices     messages of policies, and when they are sent

The author of a message is a seat, and pages show the seat's name. The journal contains everything
that was written, including blocked messages. A session without talk stores nothing about it.
"""
