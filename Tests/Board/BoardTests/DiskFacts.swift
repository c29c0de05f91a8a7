import CrashImages
import Turnstile
import VirtualBoard

/// Something that the gate has acted on, and that must be on the disk from then on, whatever a loss
/// of power takes.
struct DiskFact {
    /// What was acted on.
    let name: String
    /// Where in the log of the disk's writes it begins to hold, and where it ends.
    let places: Range<Int>
    /// Whether an image of the disk knows of it.
    let holds: (LedgerImage) -> Bool
}

/// The facts of a day, seen from outside: by the lines' waveform and the kernel's trace of the
/// disk's requests, which say what the disk had been told when a line changed.
struct DiskFacts {
    /// What is written down is durable after so long, whoever waits for it: a ledger that takes
    /// longer is a fault.
    private static let settling: Duration = .seconds(2)
    /// Where the log was when something was traced.
    private var places: [(time: Duration, place: Int)] = []
    private var fireBegan: Duration?
    /// The facts.
    private(set) var all: [DiskFact] = []

    /// The facts of `day`, whose records were `rows` in the end.
    init(of day: DiskDay, _ rows: [LedgerImage.Row]) throws {
        let paid = Array(zip([.zero] + rows.map(\.time), Tally.running(rows).map(\.paid)))
        var witness = Witness(of: day.log, mark: Board.diskMark)
        for point in day.trace {
            switch point.event {
            case .disk(let observation): try witness.see(observation)
            case .line: break
            }
            guard let place = witness.position else { continue }
            places.append((point.time, place))
            guard let change = point.change else { continue }
            see(change, at: place, paid: paid.last { $0.0 <= change.time }?.1 ?? 0)
        }
        try witness.confirm()
        for (count, row) in zip(1..., rows) {
            guard let place = place(at: row.time + Self.settling) else { continue }
            add("record \(count), \(row.kind), for two seconds", place..<Int.max) {
                $0.rows.count >= count
            }
        }
        if let first = rows.first, let place = place(at: first.time + Self.settling) {
            add("a state that can be read", place..<Int.max) { $0.state != nil }
        }
        if let end = places.last?.place {
            add("all \(rows.count) records, after a sync", end..<Int.max) { $0.rows == rows }
            add("no emergency, after a sync", end..<Int.max) { $0.state?.isEmergency == false }
        }
    }

    /// The facts that hold when so many requests of the log are done.
    func facts(at place: Int) -> [DiskFact] { all.filter { $0.places.contains(place) } }

    private mutating func add(
        _ name: String, _ places: Range<Int>, _ holds: @escaping (LedgerImage) -> Bool
    ) {
        all.append(DiskFact(name: name, places: places, holds: holds))
    }

    /// Takes note of the change of a line when so much was known to be paid.
    private mutating func see(_ change: LineChange, at place: Int, paid: Int) {
        switch (change.cause, change.line, change.level) {
        case (.set, .lockEntryHold, .high) where fireBegan == nil:
            add("\(paid) paid, of which somebody was let in", place..<Int.max) {
                $0.tally.paid >= paid
            }
        case (.pull, .fire, .high): fireBegan = change.time
        case (.pull, .emergencyReset, .high):
            guard let began = fireBegan else { return }
            if let known = self.place(at: began + Self.settling), known < place {
                add("an emergency that is not reset", known..<place) {
                    $0.state?.isEmergency == true
                }
            }
            fireBegan = nil
        default: break
        }
    }

    /// Where the log was at this time, or nil where nobody knows.
    private func place(at time: Duration) -> Int? {
        guard let last = places.last?.time, time <= last else { return nil }
        return places.last { $0.time <= time }?.place
    }
}
