"""The contract of every game. Read its modules in this order:

    errors       errors of the engine, each naming key, value and rule
    space        fields and named arrays: one quantity, and its JSON form
    section      the base of all parts of a configuration; config: the sections themselves
    chance       random numbers, computed from seed, name and period
    declaration  the layouts of a game before play, and the outcome of a step
    rules        the hooks that a game defines
    sent         checks on the form of actions; allowed: the actions currently open to seats
    permissions  what the seats of a role may see and do, and their rewards
    presence     seats that end; sight: what each seat sees; drift: parameters that change
    arrays       reproducible sums, masks, graphs of neighbours, inequality
    describe     a configuration in plain text

Nothing here imports the rest of the engine.
"""
