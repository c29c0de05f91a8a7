public import StateMachines

/// Reports a contact that is held for longer than anybody presses one: a button that sticks, a
/// relay that has welded.
public struct ContactWatch: StateMachine, Sendable {
    /// What may happen to a contact.
    public enum Event: Hashable, Sendable {
        case pressed(Input, at: Instant)
        case released(Input, at: Instant)
        case timePassed(Instant)
    }

    /// What the watch reports.
    public enum Command: Hashable, Sendable {
        /// The contact has been held for so long.
        case reportStuck(Input, for: Duration)
        /// A contact that was reported is at rest, after so long.
        case reportAtRest(Input, after: Duration)
    }

    /// The contacts that are held.
    public private(set) var held = InputLevels()
    private var stuck = InputLevels()
    private var since = PerInput<Instant?>(repeating: nil)
    private var limit: Duration
    /// When the next contact will have been held for too long.
    public private(set) var deadline: Instant?

    /// A watch over contacts at rest.
    public init(policy: Policy) { limit = policy.contactStuckAfter }

    /// Applies a new policy, to the contacts that are held already as well: what is due by it is
    /// due at once.
    mutating func adopt(_ policy: Policy) {
        limit = policy.contactStuckAfter
        updateDeadline()
    }

    /// Reports each contact once, and its end.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .pressed(let input, let time):
            guard !held[input] else { return .ignored("it is held already") }
            hold(input, since: time)
            return .handled
        case .released(let input, let time):
            guard let start = since[input.index] else { return .ignored("it is at rest") }
            let wasStuck = stuck[input]
            hold(input, since: nil)
            return wasStuck ? .handled(.reportAtRest(input, after: time - start)) : .handled
        case .timePassed(let now):
            guard let deadline, deadline <= now else { return .ignored("nothing is due") }
            return .handled(report(now))
        }
    }

    private mutating func hold(_ input: Input, since start: Instant?) {
        held[input] = start != nil
        stuck[input] = false
        since[input.index] = start
        updateDeadline()
    }

    private mutating func report(_ now: Instant) -> Commands<Command> {
        var commands = Commands<Command>()
        for input in Input.ordered where held[input] && !stuck[input] {
            guard let start = since[input.index], start + limit <= now else { continue }
            stuck[input] = true
            commands.append(.reportStuck(input, for: now - start))
        }
        updateDeadline()
        return commands
    }

    private mutating func updateDeadline() {
        deadline = nil
        guard limit > .zero else { return }
        let span = since.span
        var rest = held.subtracting(stuck)
        while let input = rest.first {
            rest[input] = false
            deadline = .earliest(deadline, span[input.index].map { $0 + limit })
        }
    }

    mutating func shiftInstants(by duration: Duration) {
        for input in Input.ordered where held[input] {
            since[input.index] = since[input.index].map { $0 + duration }
        }
        updateDeadline()
    }
}

extension ContactWatch: Hashable {
    /// Whether the same contacts are held for as long.
    public static func == (a: ContactWatch, b: ContactWatch) -> Bool {
        a.held == b.held && a.stuck == b.stuck && a.limit == b.limit
            && (a.held.isEmpty
                || Input.ordered.allSatisfy { a.since[$0.index] == b.since[$0.index] })
    }

    /// Feeds what is held, and when something is due.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(held)
        hasher.combine(stuck)
        hasher.combine(deadline)
    }
}

extension ContactWatch: Composite {
    /// The name of the type in the vocabulary.
    public static var title: String { "contact_watch" }
    /// One over contacts at rest.
    public static var blank: ContactWatch { ContactWatch(policy: .blank) }

    /// The contacts that are held, since when, and whether that was reported; the limit is the
    /// policy's.
    public func visit(_ fields: inout some FieldVisitor) -> ContactWatch {
        let contacts = Input.ordered.compactMap { input in
            since[input.index].map { Held(input: input, since: $0, wasTold: stuck[input]) }
        }
        var watch = self
        for input in Input.ordered where watch.held[input] { watch.hold(input, since: nil) }
        for contact in fields.field(.contacts, contacts) {
            let (input, isFirst) = (contact.input, !watch.held[contact.input])
            guard isFirst, input.role.isMomentary else {
                fields.reject(.contacts)
                continue
            }
            watch.hold(input, since: contact.since)
            watch.stuck[input] = contact.wasTold
        }
        watch.updateDeadline()
        return watch
    }

    /// A contact that is held.
    struct Held: Composite {
        var input: Input
        var since: Instant
        var wasTold: Bool

        static var title: String { "held_contact" }
        static let blank = Held(input: .releaseEntry, since: .zero, wasTold: false)

        func visit(_ fields: inout some FieldVisitor) -> Held {
            let input = fields.field(.line, input)
            let since = fields.instant(.since, since)
            return Held(input: input, since: since, wasTold: fields.field(.wasTold, wasTold))
        }
    }
}
