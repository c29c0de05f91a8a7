import ArgumentParser
import Settings
import Turnstile

/// The words that name a command, which the parser would take for arguments.
enum CommandWords {
    /// The mistake in arguments that do not name a command; nil if they do, or ask for help.
    static func mistake(in arguments: [String]) -> String? {
        var words = arguments[...]
        let asksForHelp = words.first == "help"
        if asksForHelp { words.removeFirst() }
        var command: any ParsableCommand.Type = Turnstilectl.self
        var named: [String] = []
        while !command.below.isEmpty, asksForHelp || !command.isCommand {
            guard let word = words.popFirst() else {
                return named.isEmpty || asksForHelp ? nil : missing(named, command)
            }
            if word.hasPrefix("-") {
                return asksForHelp || isUnderstood(arguments)
                    ? nil : misplaced(word, words, named, command)
            }
            guard let next = command.below.first(where: { $0._commandName == word }) else {
                return unknown(word, named, command)
            }
            (command, named) = (next, named + [word])
        }
        return nil
    }

    /// Whether the parser handles these: help, version, completions.
    private static func isUnderstood(_ arguments: [String]) -> Bool {
        do {
            _ = try Turnstilectl.parseAsRoot(arguments)
            return true
        } catch {
            return Turnstilectl.exitCode(for: error) == .success
        }
    }

    private static func missing(
        _ named: [String], _ command: any ParsableCommand.Type
    ) -> String {
        let words = alternatives(command.below.map { $0._commandName })
        return "a word is missing after '\(named.joined(separator: " "))': \(words)"
    }

    /// An option stands where a command should; further words may name one.
    private static func misplaced(
        _ option: String, _ words: ArraySlice<String>, _ named: [String],
        _ command: any ParsableCommand.Type
    ) -> String? {
        let names = command.below.map { $0._commandName }
        guard let word = words.first(where: names.contains) else {
            return named.isEmpty ? nil : missing(named, command)
        }
        let line = (["turnstilectl"] + named + [word, option]).joined(separator: " ")
        return "options stand behind the command: \(line)"
    }

    private static func unknown(
        _ word: String, _ named: [String], _ command: any ParsableCommand.Type
    ) -> String {
        let names = command.below.map { $0._commandName }
        let path = (named + [word]).joined(separator: " ")
        // Commands of which this is the second word.
        let longer = command.below.flatMap { first in
            first.below.map { "\(first._commandName) \($0._commandName)" }
        }
        let nearest =
            Spelling.nearest(to: word, among: names)
            ?? longer.first { $0.hasSuffix(" \(word)") }
        let question = nearest.map { " (did you mean '\((named + [$0]).joined(separator: " "))'?)" }
        let hint = named.isEmpty ? "turnstilectl --help lists them" : alternatives(names)
        return "there is no command '\(path)'" + (question ?? ": \(hint)")
    }
}

extension ParsableCommand {
    fileprivate static var below: [any ParsableCommand.Type] { configuration.subcommands }

    /// Whether it does something without a further word.
    fileprivate static var isCommand: Bool { configuration.defaultSubcommand != nil }
}
