// The line bank as a physical model.
