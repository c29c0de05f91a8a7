import ArgumentParser

if let mistake = CommandWords.mistake(in: Array(CommandLine.arguments.dropFirst())) {
    Turnstilectl.exit(withError: ValidationError(mistake))
}
Turnstilectl.main()
