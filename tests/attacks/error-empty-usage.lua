-- An error that looks like the program's own, without a text.
error({ usage = {} }, 0)
