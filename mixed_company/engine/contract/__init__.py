"""The contract of every game. Read its modules in this order:

    errors       errors of the engine, each naming key, value and rule
    space        fields and named arrays: one quantity, and its JSON form
    section      the base of all parts of a configuration; config: the sections themselves
    chance       every random number by its name: seed, name, period
    declaration  the layouts of a game before play, and the outcome of a step
    rules        the hooks that a game defines
    sent         checks of the form of actions; allowed: what seats may do now, in one value
    permissions  what roles permit their seats; attribution: the rewards of roles
    presence     seats that end; sight: what each seat sees; drift: parameters that change
    arrays       reproducible sums, masks, graphs of neighbours, inequality
    describe     a configuration in words

Nothing here imports the rest of the engine.
"""
