public import StateMachines

/// Reports a contact that is held for longer than anybody presses one: a button that sticks, a
/// relay that has welded.
public struct ContactWatch: StateMachine, Sendable {
    /// What may happen to a contact.
    public enum Event: Hashable, Sendable {
        case pressed(Input, at: Instant)
        case released(Input)
        case timePassed(Instant)
    }

    /// What the watch reports.
    public enum Command: Hashable, Sendable {
        /// The contact has been held for too long.
        case reportStuck(Input)
        /// A contact that was reported is at rest.
        case reportAtRest(Input)
    }

    /// The contacts that are held.
    public private(set) var held = InputLevels()
    /// Those of them that were reported.
    public private(set) var stuck = InputLevels()
    /// When the others will have been held for too long.
    private var until = PerInput<Instant?>(repeating: nil)
    /// When the first of them will.
    public private(set) var deadline: Instant?
    /// How long a contact may be held; zero for ever.
    private var limit: Duration

    /// A watch over contacts at rest.
    public init(policy: Policy) { limit = policy.contactStuckAfter }

    /// Applies a new policy. Where it changes the limit, what is held is so from now on.
    mutating func adopt(_ policy: Policy, at time: Instant) {
        guard limit != policy.contactStuckAfter else { return }
        limit = policy.contactStuckAfter
        for input in Input.ordered where held[input] && !stuck[input] { beginWait(input, at: time) }
    }

    /// Reports each contact once, and its end.
    public mutating func handle(_ event: Event) -> Outcome<Command> {
        switch event {
        case .pressed(let input, let time):
            guard !held[input] else { return .ignored("it is held already") }
            held[input] = true
            beginWait(input, at: time)
            return .handled
        case .released(let input):
            guard held[input] else { return .ignored("it is at rest") }
            let wasStuck = stuck[input]
            held[input] = false
            stuck[input] = false
            set(input, until: nil)
            return wasStuck ? .handled(.reportAtRest(input)) : .handled
        case .timePassed(let now):
            guard let deadline, deadline <= now else { return .ignored("nothing is due") }
            var commands = Commands<Command>()
            for input in Input.ordered where until[input.index].map({ $0 <= now }) ?? false {
                stuck[input] = true
                set(input, until: nil)
                commands.append(.reportStuck(input))
            }
            return .handled(commands)
        }
    }

    private mutating func beginWait(_ input: Input, at time: Instant) {
        set(input, until: limit > .zero ? time + limit : nil)
    }

    private mutating func set(_ input: Input, until end: Instant?) {
        until[input.index] = end
        deadline = nil
        let span = until.span
        var rest = held.subtracting(stuck)
        while let input = rest.first {
            rest[input] = false
            deadline = .earliest(deadline, span[input.index])
        }
    }

    mutating func shiftInstants(by duration: Duration) {
        for input in Input.ordered {
            if let end = until[input.index] { set(input, until: end + duration) }
        }
    }
}

extension ContactWatch: Hashable {
    /// Whether the same contacts are held, and may be for as long.
    public static func == (a: ContactWatch, b: ContactWatch) -> Bool {
        a.held == b.held && a.stuck == b.stuck && a.limit == b.limit
            && (a.held.isEmpty
                || Input.ordered.allSatisfy { a.until[$0.index] == b.until[$0.index] })
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

    /// The contacts that are held, and whether that was reported, or when it will be; the limit is
    /// the policy's.
    public func visit(_ fields: inout some FieldVisitor) -> ContactWatch {
        let contacts = Input.ordered.filter { held[$0] }
            .map { Held(input: $0, until: until[$0.index], wasTold: stuck[$0]) }
        var watch = self
        for input in Input.ordered where held[input] { _ = watch.handle(.released(input)) }
        for contact in fields.field(.contacts, contacts) {
            let input = contact.input
            let isEither = contact.until == nil || !contact.wasTold
            guard !watch.held[input], input.role.isMomentary, isEither else {
                fields.reject(.contacts)
                continue
            }
            watch.held[input] = true
            watch.stuck[input] = contact.wasTold
            watch.set(input, until: contact.until)
        }
        return watch
    }

    /// A contact that is held.
    struct Held: Composite {
        var input: Input
        var until: Instant?
        var wasTold: Bool

        static var title: String { "held_contact" }
        static let blank = Held(input: .releaseEntry, until: nil, wasTold: false)

        func visit(_ fields: inout some FieldVisitor) -> Held {
            let input = fields.field(.line, input)
            let until = fields.optional(.until, until)
            return Held(input: input, until: until, wasTold: fields.field(.wasTold, wasTold))
        }
    }
}
