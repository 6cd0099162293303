"""What every game obeys. In this order of reading:

    errors       what the engine refuses with, each naming key, value and rule
    space        fields and named arrays: what one quantity is, and its JSON form
    section      what all parts of a configuration have in common; config: the sections themselves
    chance       every random number by its name: seed, what, period
    declaration  what is known of a game before play, and what a step of it gives
    rules        the hooks that a game writes
    sent         is what was sent well formed; allowed: what seats may do now, in one value
    permissions  what roles let their seats do; attribution: who is paid for what who earned
    presence     seats that end; sight: what each seat sees; drift: parameters that change
    arrays       sums with one promise, masks, graphs of neighbours, inequality
    describe     a configuration in words

Nothing here imports the rest of the engine.
"""
