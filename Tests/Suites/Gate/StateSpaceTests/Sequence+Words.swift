import StateMachines
import Stories
import Turnstile

// How a story reads that ends in a violation.

extension Sequence<Step<Situation>> {
    /// The steps, one a line, numbered.
    var words: String {
        enumerated().map { "\($0 + 1). \($1.words)" }.joined(separator: "\n")
    }
}

extension Step<Situation> {
    /// What happened, what the turnstile was then doing, and what it wanted done.
    fileprivate var words: String {
        let commands = outcome.commands
            .map { "\($0.record.map { "\($0)" } ?? "\($0)")".replacing(/\w+\./, with: "") }
            .joined(separator: ", ")
        return event.words(before)
            + ": \(after.turnstile.status); \(outcome.isHandled ? commands : "ignored")"
    }
}

extension Happening {
    /// What happens in a situation.
    fileprivate func words(_ situation: Situation) -> String {
        switch self {
        case .started(let levels): "the service starts [\(levels.words)]"
        case .restarted(let memory, let pages):
            "the service dies and starts anew, with the \(memory) state and \(pages) of the records"
        case .ledgerOpened: "the ledger is open"
        case .changed(let change): change.words(situation.inputs)
        case .pressed(let key): "\(key.name) is pressed"
        case .edgesLost(let changes):
            "edges are lost"
                + changes.map { ", " + $0.words(situation.inputs) + " unnoticed" }.joined()
        case .lineFailed(let line): "\(line) fails"
        case .lineRecovered(let line): "\(line) works again"
        case .cutAhead(let output): "\(output.name) is cut soon"
        case .outputCut(let output): "\(output.name) is cut"
        case .asked(let request, let requester): "\(requester) asks for \(request)"
        case .policyChanged: "the owner changes the policy"
        case .clockRead(let time): "the clock shows second \(time.second) of the week"
        case .clockStepped: "the clock is set"
        case .durable: "all records are durable"
        case .storageFailed: "the ledger cannot be written"
        case .ticked: "a tick passes"
        }
    }
}

extension Happening.Change {
    fileprivate func words(_ levels: InputLevels) -> String {
        switch self {
        case .toggled(let input): "\(input.name) becomes \(levels[input] ? "in" : "")active"
        case .turned(let direction): "the rotor turns a quarter towards the \(direction)"
        }
    }
}

extension InputLevels {
    fileprivate var words: String {
        Input.allCases.filter { self[$0] }.map(\.name).joined(separator: ", ")
    }
}
