import Seeds
import StateMachines
import Stories
import Testing

@testable import Turnstile

/// What a gate is made of is listed once: whoever adds a region finds here what it is missing in.
@Suite struct GateRegionsTests {
    /// Where a region is kept.
    private static func property(of region: Gate.Region) -> String {
        switch region {
        case .lane, .emergency, .faults, .alarms, .creditAccount, .commitBarrier, .beams, .arm,
            .service,
            .timetable, .loiterer, .heldContacts, .duties, .counters:
            "\(region)"
        case .entryLock: "locks.entry"
        case .exitLock: "locks.exit"
        case .outage: "outageEnd"
        case .lateCoins: "lateUntil"
        case .earlyCoins: "earlyUntil"
        case .payer: "past.payerUntil"
        }
    }

    /// The properties of `value` that are machines, or wait for something.
    private static func regions(in value: Any, prefix: String = "") -> Set<String> {
        var found: Set<String> = []
        for (label, value) in Mirror(reflecting: value).children {
            let name = prefix + (label ?? "?")
            let isWait = type(of: value) == Instant?.self
            if isWait || value is any StateMachine || value is Counters || value is LockDuties {
                found.insert(name)
            } else {
                found.formUnion(regions(in: value, prefix: name + "."))
            }
        }
        return found
    }

    /// Every instant in `value`, however deep.
    private static func instants(in value: Any) -> [Instant] {
        if let instant = value as? Instant { return [instant] }
        return Mirror(reflecting: value).children.flatMap { instants(in: $0.value) }
    }

    @Test func `every machine and every wait of a gate is a region in Gate.Region`() {
        let gate = Gate(policy: Story.policy(), installation: Installation(equipment: .oneWay))
        // It says when the first of all is due.
        let found = Self.regions(in: gate).subtracting(["regionsDeadline"])
        #expect(found == Set(Gate.Region.allCases.map(Self.property)))
    }

    /// Gates in all kinds of states, from seeded stories.
    private static func gates(seed: UInt64) -> [Gate] {
        var chance = SeededGenerator(seed: seed)
        let equipment = Equipment(inputs: Input.allCases, outputs: Output.allCases)
        var story = Story(Story.policy { $0.creditExpiry = .seconds(60) }, equipment: equipment)
        var gates: [Gate] = []
        for _ in 0..<150 {
            switch Int.random(in: 0..<10, using: &chance) {
            case 0: story.insertCoin(pulses: 5)
            case 1: story.send(.clockRead(WeekTime(second: 86_399)))
            case 2: story.send(.outputCut(.buzzer))
            default:
                let input = Input.allCases[Int.random(in: 0..<Input.allCases.count, using: &chance)]
                story.send(.changed(input, isActive: !story.turnstile.inputs[input]))
            }
            gates.append(story.turnstile.gate)
            story.wait(.milliseconds(Int.random(in: 0..<1500, using: &chance)))
            gates.append(story.turnstile.gate)
        }
        return gates
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `a gate that is moved in time is moved as a whole`(seed: UInt64) {
        let duration = Duration.seconds(7)
        var most = 0
        for gate in Self.gates(seed: seed) {
            var moved = gate
            moved.shiftInstants(by: duration)
            let before = Self.instants(in: gate)
            most = max(most, before.count)
            #expect(Self.instants(in: moved) == before.map { $0 + duration })
        }
        #expect(most > 4)
    }

    @Test func `who waits has their time from when the outputs follow`() throws {
        var story = Story(Story.policy { $0.passWait = .seconds(5) })
        story.press(.releaseEntry)
        var late = story.turnstile
        late.postpone(by: .seconds(3))
        let due = try #require(story.turnstile.gate.lane.deadline)
        #expect(late.gate.lane.deadline == due + .seconds(3))
    }

    @Test(arguments: [UInt64(1), 2, 3])
    func `a gate is due when the first of its regions is`(seed: UInt64) {
        for gate in Self.gates(seed: seed) {
            let due = Gate.Region.allCases.compactMap { gate.deadline(of: $0) }.min()
            #expect(gate.regionsDeadline == due)
        }
    }
}
