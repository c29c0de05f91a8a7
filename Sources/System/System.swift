// The operating system: event loop, service manager, journal.
