// Arguments and wiring.
