import StateMachines

/// What is to be done and said about an event, gathered while its parts handle it.
struct Log {
    /// What the outputs carry by the commands so far, or nil before the first.
    private var driven: OutputSet?
    /// Whether any output was driven.
    private var hasDriven = false
    /// The records, in order.
    private var records = Commands<Record>()
    /// Why the first part that was asked ignored the event.
    private var reason: Reason?
    /// Whether any part took the event.
    private var isChanged = false

    /// A log of an event that comes while the outputs carry this.
    init(driven: OutputSet?) {
        self.driven = driven
    }

    mutating func record(_ record: Record) {
        records.append(record)
    }

    mutating func ignore(_ reason: Reason) {
        if self.reason == nil { self.reason = reason }
    }

    mutating func change() {
        isChanged = true
    }

    /// The commands of a part's outcome; nil, with the reason noted, when it ignored the event.
    mutating func commands<Part>(of outcome: Outcome<Part>) -> Commands<Part>? {
        switch outcome {
        case .handled(let commands):
            isChanged = true
            return commands
        case .ignored(let reason):
            ignore(reason)
            return nil
        case .unhandled: preconditionFailure("the parts of a turnstile decide every event")
        }
    }

    /// Has the outputs carry `wanted`: commands what they do not carry yet, in the order of
    /// `Output`; at first everything that is `wired`.
    mutating func drive(
        to wanted: OutputSet?, of wired: OutputSet, perform: (Command) -> Void
    ) {
        guard let wanted, wanted != driven else { return }
        var changed = driven.map { $0.symmetricDifference(wanted) } ?? wired
        driven = wanted
        hasDriven = true
        while let output = changed.first {
            changed[output] = false
            perform(Command(output, isOn: wanted[output]))
        }
    }

    /// Hands over the records, and says what became of the event.
    func tell(perform: (Command) -> Void) -> Verdict {
        if !hasDriven, records.isEmpty, !isChanged, let reason { return .ignored(reason) }
        records.forEach { perform(.record($0)) }
        return .handled
    }
}
