import ArgumentParser

if let mistake = CommandWords.mistake(in: Array(CommandLine.arguments.dropFirst())) {
    Turnstilectl.exit(withError: ValidationError(mistake))
}
do {
    var command = try Turnstilectl.parseAsRoot()
    try command.run()
} catch let error as CommandError {
    complain(error.description)
    Turnstilectl.exit(withError: ExitCode(error.status.rawValue))
} catch {
    Turnstilectl.exit(withError: error)
}
