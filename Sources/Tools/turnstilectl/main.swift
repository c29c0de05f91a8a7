import ArgumentParser

// Linux makes an empty list one of an empty name.
if CommandLine.arguments.allSatisfy(\.isEmpty) {
    Turnstilectl.exit(withError: ValidationError("no argument has arrived, nor a name"))
}
if let mistake = CommandWords.mistake(in: Array(CommandLine.arguments.dropFirst())) {
    Turnstilectl.exit(withError: ValidationError(mistake))
}
do {
    var command = try Turnstilectl.parseAsRoot()
    try command.run()
} catch {
    guard let failure = CommandError(error) else { Turnstilectl.exit(withError: error) }
    complain(failure.description)
    if let advice = failure.advice { complain(advice) }
    Turnstilectl.exit(withError: ExitCode(failure.status.rawValue))
}
