// The line bank over real lines.
