import Console
import GateClient
import StateMachines
import System
import Turnstile

extension GateRecord {
    func line(clockOffset: Duration, _ appearance: Appearance) -> [Span] {
        let utc = clockOffset + (time - .zero)
        return [
            Span("\(localTimeOfDay(at: utc)) ", .faint),
            Span(appearance.printable(sentence), priority.style),
        ]
    }
}

extension Priority {
    var style: Style {
        switch self {
        case .critical, .error: .red
        case .warning: .yellow
        case .notice: .bold
        case .info: .plain
        case .debug: .faint
        }
    }
}

extension StandardOutput {
    func print(_ told: GateRecord) {
        print(told.values, or: [told.line(clockOffset: SystemWallClock.offset, appearance)])
    }

    func print(lost count: UInt64) {
        print(
            [("lost", .uint64(count))],
            or: "\(count) records were missed; the journal has them", .yellow)
    }
}
