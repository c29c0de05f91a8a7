import Testing

@testable import turnstilectl

/// Which command is meant is said before its arguments are read.
@Suite struct CommandWordsTests {
    @Test(arguments: [
        (["statsu"], "there is no command 'statsu' (did you mean 'status'?)"),
        (["help", "foo"], "there is no command 'foo': turnstilectl --help lists them"),
        (["verify"], "there is no command 'verify' (did you mean 'ledger verify'?)"),
        (["service", "stop"], "there is no command 'service stop': begin or end"),
        (
            ["help", "lines", "drvie"],
            "there is no command 'lines drvie' (did you mean 'lines drive'?)"
        ),
        (["service"], "a word is missing after 'service': begin or end"),
        (["service", "--user"], "a word is missing after 'service': begin or end"),
        (["--user", "status"], "options stand behind the command: turnstilectl status --user"),
    ]) func `words that name no command are told so`(words: [String], mistake: String) {
        #expect(CommandWords.mistake(in: words) == mistake)
    }

    @Test(arguments: [
        [], ["status", "--jsno"], ["service", "begin"], ["service", "--help"], ["--version"],
        ["help"], ["help", "ledger", "verify"], ["lines", "rotor_a"], ["simulate", "coin", "50"],
    ]) func `what else is wrong is for the parser to say`(words: [String]) {
        #expect(CommandWords.mistake(in: words) == nil)
    }

    @Test(arguments: [
        ("12.50", "12.50 is written 1250"), ("0,05", "0,05 is written 5"),
        ("1e3", "12.50 is written 1250"),
    ]) func `an amount with decimals is told how it is written`(text: String, words: String) {
        let message = #expect(throws: (any Error).self) { try Amount.read(text) }
        #expect("\(message, default: "none")".hasSuffix(": \(words)"))
    }
}
