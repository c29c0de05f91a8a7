import StateMachines

/// The debouncers of all inputs.
struct Contacts: Sendable {
    private var debouncers: InlineArray<8, Debouncer>

    init(debounce: [Input: Duration]) {
        debouncers = InlineArray { Debouncer(duration: debounce[Input.ordered[$0]] ?? .zero) }
    }

    /// Whether `input` is active, as far as it counts.
    subscript(input: Input) -> Bool { debouncers[input.index].isActive }

    /// What the rotor's sensors show.
    var sensors: RotorDecoder.Sensors { .init(a: self[.rotorA], b: self[.rotorB]) }

    /// Which inputs are active, as far as they count.
    var levels: InputLevels {
        var levels = InputLevels()
        for input in Input.ordered { levels[input] = self[input] }
        return levels
    }

    /// When the next level counts.
    var deadline: Instant? {
        var earliest: Instant?
        for index in debouncers.indices {
            earliest = .earliest(earliest, debouncers[index].deadline)
        }
        return earliest
    }

    /// What became of an edge.
    enum Reaction {
        case settled
        case unsettled
        case ignored(Reason)
    }

    /// Takes the levels of `inputs` as they are now, without a wait.
    mutating func start(_ levels: InputLevels, inputs: InputLevels = .all) {
        for input in Input.ordered where inputs[input] {
            let duration = debouncers[input.index].duration
            debouncers[input.index] = Debouncer(duration: duration, isActive: levels[input])
        }
    }

    /// Takes an edge.
    mutating func handle(_ input: Input, isActive: Bool, at time: Instant) -> Reaction {
        switch debouncers[input.index].handle(.changed(isActive: isActive, at: time)) {
        case .handled(let commands): commands.isEmpty ? .unsettled : .settled
        case .ignored(let reason): .ignored(reason)
        case .unhandled: preconditionFailure("a debouncer decides every event")
        }
    }

    /// An input whose level counts from `time` on, one after the other, nil when there are no more.
    mutating func settleNext(at time: Instant) -> Input? {
        for index in debouncers.indices {
            guard let due = debouncers[index].deadline, due <= time else { continue }
            if !debouncers[index].handle(.timePassed(time)).commands.isEmpty {
                return Input.ordered[index]
            }
        }
        return nil
    }
}

extension Contacts: Hashable {
    static func == (a: Contacts, b: Contacts) -> Bool {
        a.debouncers.indices.allSatisfy { a.debouncers[$0] == b.debouncers[$0] }
    }

    func hash(into hasher: inout Hasher) {
        for index in debouncers.indices { hasher.combine(debouncers[index]) }
    }
}
