// The terminal's view of a simulated gate.
