// The imperative shell.
