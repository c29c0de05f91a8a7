import Glibc
import Journal
public import Settings
import System

public struct Program {
    private let name: String
    private let usage: String

    public init(_ name: String, usage: String) {
        (self.name, self.usage) = (name, usage)
    }

    /// Runs with the arguments, its own name first, and ends the process.
    public func run(_ arguments: [String], _ body: ([String]) throws -> CInt) -> Never {
        // Exceeding a limit on file sizes (LimitFSIZE=) then fails the call, as a full disk does,
        // instead of killing the service.
        signal(SIGXFSZ, SIG_IGN)
        Heap.reserve()
        do {
            try openStandardDescriptors()
            exit(try body(arguments))
        } catch let error as UsageError {
            printError("\(name): \(error.description)\n\(usage)")
            exit(EX_USAGE)
        } catch let errors as SettingsErrors {
            refuse(errors, so: "so the service does not start")
            exit(EX_CONFIG)
        } catch {
            printError("\(name): \(error)")
            exit(EX_SOFTWARE)
        }
    }
}

/// Reports mistakes and warnings of the settings: as entries of the journal if standard error goes
/// there, since a query for errors would not find a line of text.
public func refuse(_ errors: SettingsErrors, so outcome: String) {
    guard let journal = try? nativeJournal() else { return printError("\(errors)") }
    let count = errors.problems.count
    let summary = "\(errors.file): \(count) mistake\(count == 1 ? "" : "s"), \(outcome)"
    for line in "\(errors)".split(separator: "\n").map(String.init) + [summary] {
        journal.write(JournalEntry(.configurationMistake(line)))
    }
    if !journal.drain(within: .seconds(1)) { printError("\(errors)") }
}
