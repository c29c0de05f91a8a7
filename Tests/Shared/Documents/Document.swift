/// A document of this project, read for the commands that it tells people to type.
public struct Document: Sendable {
    /// A block of commands: what stands between ```` ```sh ```` and the end of the fence, or behind
    /// `$ ` between ```` ```console ```` and its end, where what they show stands as well.
    public struct Block: Sendable {
        /// The heading that it stands under, without its `#`.
        public var heading: String
        /// Its commands in order, each with its continuation lines and without its comment.
        public var commands: [String]
        /// Why no story runs it, from a comment before it: `<!-- not run on a board: WHY -->`.
        public var reasonNotRun: String?
    }

    /// A command in running text: `` `systemctl cat turnstiled` ``.
    public struct Inline: Sendable {
        /// The heading that it stands under.
        public var heading: String
        /// What is between the backticks.
        public var command: String
    }

    /// The blocks of commands, in the order of the document.
    public private(set) var blocks: [Block] = []
    /// The commands in running text, in the order of the document.
    public private(set) var inline: [Inline] = []

    /// Reads Markdown.
    public init(_ text: String) {
        var heading = ""
        var reason: String?
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst() {
            let words = line.drop { $0 == " " }
            if words.hasPrefix("```") {
                let fenced = lines.prefix { !$0.drop { $0 == " " }.hasPrefix("```") }
                lines = lines.dropFirst(fenced.count + 1)
                guard words == "```sh" || words == "```console" else { continue }
                let typed =
                    words == "```sh"
                    ? Array(fenced) : fenced.filter { $0.hasPrefix("$ ") }.map { $0.dropFirst(2) }
                blocks.append(
                    Block(heading: heading, commands: Self.commands(typed), reasonNotRun: reason))
            } else if line.hasPrefix("#") {
                heading = String(line.drop { $0 == "#" }.dropFirst())
            } else {
                inline += Self.inlineCommands(line).map { Inline(heading: heading, command: $0) }
            }
            reason = words.firstMatch(of: /^<!-- not run on a board: (.+) -->$/).map {
                String($0.1)
            }
        }
    }

    /// All commands of the document.
    public var commands: [String] { blocks.flatMap(\.commands) + inline.map(\.command) }

    /// Joins the lines of a command that goes on: after a backslash, a pipe, or in quotes.
    private static func commands(_ lines: some Sequence<Substring>) -> [String] {
        var commands: [String] = []
        var goesOn = false
        for line in lines where goesOn || !line.allSatisfy({ $0 == " " }) {
            let code = line.replacing(/\ +# .*$/, with: "").drop { !goesOn && $0 == " " }
            if goesOn {
                commands[commands.count - 1] += "\n\(code)"
            } else {
                commands.append(String(code))
            }
            let command = commands[commands.count - 1]
            goesOn =
                command.hasSuffix("\\") || command.hasSuffix("|")
                || !command.count { $0 == "\"" }.isMultiple(of: 2)
        }
        return commands
    }

    /// What stands between backticks and begins with the name of a program.
    private static func inlineCommands(_ line: Substring) -> [String] {
        let programs: Set<Substring> = [
            "gpiodetect", "gpioinfo", "journalctl", "sqlite3", "sudo", "systemctl", "timedatectl",
            "turnstiled",
        ]
        return line.matches(of: /`([^`]+)`/).map(\.1).compactMap { span in
            let words = span.split(separator: " ")
            guard let program = words.first, programs.contains(program) else { return nil }
            // A name alone names the program or the user, but for those that need no argument.
            let needsNone = program.hasPrefix("gpio") || program == "timedatectl"
            return words.count > 1 || needsNone ? String(span) : nil
        }
    }
}
