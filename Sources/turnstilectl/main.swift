import ArgumentParser

Turnstilectl.main()
