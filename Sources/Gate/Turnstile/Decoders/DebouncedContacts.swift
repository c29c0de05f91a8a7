import StateMachines

/// The debounced levels of all inputs: raw if debounced elsewhere, or else debounced here.
struct DebouncedContacts: Sendable {
    /// Which inputs are active, as far as they count.
    private(set) var levels = InputLevels()
    private(set) var deadline: Instant?
    private let debounced: InputLevels
    /// The inputs that carry another level than the one that counts.
    private var unsettled = InputLevels()
    private var debouncers: PerInput<Debouncer>

    init(debounce: [Input: Duration]) {
        precondition(
            PerInput<Debouncer>.count == Input.ordered.count,
            "there are \(Input.ordered.count) inputs: write so in PerInput, Inputs.swift")
        debouncers = InlineArray { Self.debouncer(Input.ordered[$0], debounce) }
        var debounced = InputLevels()
        for (input, duration) in debounce { debounced[input] = duration > .zero }
        self.debounced = debounced
    }

    /// How long the emergency loop must stay closed before earlier openings no longer count.
    private static let loopRest: Duration = .milliseconds(200)

    private static func debouncer(
        _ input: Input, _ debounce: [Input: Duration], isActive: Bool = false
    ) -> Debouncer {
        Debouncer(
            duration: debounce[input] ?? .zero, rest: input == .fire ? loopRest : nil,
            isActive: isActive)
    }

    /// How long the levels of the inputs must last that are debounced here.
    var debounce: [Input: Duration] {
        var times: [Input: Duration] = [:]
        for input in Input.ordered where debounced[input] {
            times[input] = debouncers[input.index].duration
        }
        return times
    }

    /// Whether `input` is active, as far as it counts.
    @inline(__always) subscript(input: Input) -> Bool { levels[input] }

    /// The states of the rotor's sensors.
    @inline(__always) var sensors: RotorDecoder.Sensors {
        .init(a: self[.rotorA] || self[.beamA], b: self[.rotorB] || self[.beamB])
    }

    @inline(__always) var isLoopClosed: Bool { !levels[.fire] && !unsettled[.fire] }

    /// Whether the emergency loop chatters, too fast to count so far.
    func isLoopChattering(at time: Instant) -> Bool {
        debouncers[Input.fire.index].isChattering(at: time)
    }

    /// When a level of the rotor's sensors counts that waits to; nil where none does.
    @inline(always) var sensorDeadline: Instant? {
        guard !unsettled.isDisjoint(with: .sensors) else { return nil }
        let rotor = Instant.earliest(deadline(of: .rotorA), deadline(of: .rotorB))
        return .earliest(rotor, .earliest(deadline(of: .beamA), deadline(of: .beamB)))
    }

    @inline(always) private func deadline(of input: Input) -> Instant? {
        unsettled[input] ? debouncers[input.index].deadline : nil
    }

    @inline(__always) func isSettling(_ input: Input) -> Bool { unsettled[input] }

    /// The result of an edge.
    enum Reaction {
        case settled
        case unsettled
        case ignored(Reason)
    }

    /// Takes the levels of `inputs` as they are now, without a wait.
    mutating func start(_ now: InputLevels, inputs: InputLevels = .all) {
        levels = levels.subtracting(inputs).union(now.intersection(inputs))
        for input in Input.ordered where inputs[input] && debounced[input] {
            let duration = debouncers[input.index].duration
            debouncers[input.index] = Self.debouncer(input, [input: duration], isActive: now[input])
            unsettled[input] = false
        }
        updateDeadline()
    }

    mutating func shiftInstants(by duration: Duration) {
        for index in debouncers.indices { debouncers[index].shiftInstants(by: duration) }
        updateDeadline()
    }

    @inline(__always) mutating func handle(
        _ input: Input, isActive: Bool, at time: Instant
    ) -> Reaction {
        guard debounced[input] else {
            guard levels[input] != isActive else { return .ignored("the level counts already") }
            levels[input] = isActive
            return .settled
        }
        switch debouncers[input.index].handle(.changed(isActive: isActive, at: time)) {
        case .handled:
            unsettled[input] = debouncers[input.index].deadline != nil
            updateDeadline()
            return .unsettled
        case .ignored(let reason): return .ignored(reason)
        case .unhandled: preconditionFailure("a debouncer decides every event")
        }
    }

    /// An input whose level counts from `time` on, one after the other, nil when there are no more.
    mutating func settleNext(at time: Instant) -> Input? {
        guard let deadline, deadline <= time else { return nil }
        var rest = unsettled
        while let input = rest.first {
            rest[input] = false
            guard debouncers[input.index].deadline == deadline else { continue }
            _ = debouncers[input.index].handle(.timePassed(time))
            levels[input] = debouncers[input.index].isActive
            unsettled[input] = false
            updateDeadline()
            return input
        }
        preconditionFailure("the deadline is some debouncer's")
    }

    private mutating func updateDeadline() {
        var due: Instant?
        // A span, since an inline array is copied where it is read in a loop.
        let span = debouncers.span
        var rest = unsettled
        while let input = rest.first {
            rest[input] = false
            due = .earliest(due, span[input.index].deadline)
        }
        deadline = due
    }
}

extension DebouncedContacts: Hashable {
    /// A line that is not debounced keeps nothing but its level.
    static func == (a: DebouncedContacts, b: DebouncedContacts) -> Bool {
        guard a.levels == b.levels, a.debounced == b.debounced else { return false }
        return a.debounced.isEmpty
            || Input.ordered.allSatisfy {
                !a.debounced[$0] || a.debouncers[$0.index] == b.debouncers[$0.index]
            }
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(levels)
        hasher.combine(deadline)
    }
}

extension DebouncedContacts: Composite {
    static var title: String { "contacts" }
    static var blank: DebouncedContacts { DebouncedContacts(debounce: [:]) }

    /// The debounced levels, and the inputs that are debounced here: one that is pending has the
    /// opposite raw level.
    func visit(_ fields: inout some FieldVisitor) -> DebouncedContacts {
        let waits = Input.ordered.filter { debounced[$0] }.map { input in
            let debouncer = debouncers[input.index]
            return Wait(
                input: input, length: debouncer.duration, until: debouncer.deadline,
                shortOpening: debouncer.shortOpening)
        }
        let levels = fields.inputs(.active, levels)
        let read = fields.field(.debounced, waits)
        var lengths: [Input: Duration] = [:]
        for wait in read where wait.length > .zero { lengths[wait.input] = wait.length }
        // One that comes twice is missing, and so is one of no time.
        if lengths.count != read.count { fields.reject(.debounced) }
        var contacts = DebouncedContacts(debounce: lengths)
        contacts.start(levels)
        for wait in read { contacts.wait(as: wait) }
        contacts.updateDeadline()
        return contacts
    }

    private mutating func wait(as wait: Wait) {
        guard debounced[wait.input] else { return }
        debouncers[wait.input.index].wait(
            until: wait.until, after: wait.input == .fire ? wait.shortOpening : nil)
        unsettled[wait.input] = wait.until != nil
    }

    /// An input that is debounced.
    struct Wait: Composite {
        var input: Input
        var length: Duration
        var until: Instant?
        var shortOpening: Debouncer.ShortOpening?

        static var title: String { "debounced_input" }
        static let blank = Wait(input: .fire, length: .microseconds(1), until: nil)

        func visit(_ fields: inout some FieldVisitor) -> Wait {
            let input = fields.field(.line, input)
            let length = fields.duration(.debounce, length)
            var wait = Wait(input: input, length: length, until: fields.optional(.until, until))
            let missing = fields.exactDuration(.missing, shortOpening?.missing)
            if let expires = fields.optional(.restUntil, shortOpening?.expires), let missing {
                wait.shortOpening = Debouncer.ShortOpening(missing: missing, expires: expires)
            }
            return wait
        }
    }
}
