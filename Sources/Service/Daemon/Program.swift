import Glibc
import Journal
public import Settings
import System

/// A program that runs a gate, or does something for one.
public struct Program {
    private let name: String
    private let usage: String

    public init(_ name: String, usage: String) {
        (self.name, self.usage) = (name, usage)
    }

    /// Does what the arguments ask for, its own name first, and ends the process.
    public func run(_ arguments: [String], _ body: ([String]) throws -> CInt) -> Never {
        // A file that may not grow beyond a limit (LimitFSIZE=) fails the call that writes it, as a
        // full disk does, where the kernel would end the service.
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

/// Says what is wrong with the settings, and what they come to: in entries of the journal where
/// standard error goes there, since nobody who asks it for errors would find a line of text.
public func refuse(_ errors: SettingsErrors, so outcome: String) {
    guard let journal = try? nativeJournal() else { return printError("\(errors)") }
    let count = errors.problems.count
    let summary = "\(errors.file): \(count) mistake\(count == 1 ? "" : "s"), \(outcome)"
    for line in "\(errors)".split(separator: "\n").map(String.init) + [summary] {
        journal.write(JournalEntry(.configurationMistake(line)))
    }
    if !journal.drain(within: .seconds(1)) { printError("\(errors)") }
}
