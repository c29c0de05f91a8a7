import SimulatedHardware
import StateMachines
import Turnstile

/// The people at the gate, and what else befalls it: one episode after the other, some of them
/// while others last.
struct Crowd {
    var randomness: SplitMix64
    private let day: Simulation.Day
    var agenda = Agenda()
    private var nextEpisode: Instant
    /// The price at the gate, as it is written on it.
    private(set) var price: Int
    let acceptors: [Acceptor]
    private let inputs: [Input]
    private let outputs: [Output]

    /// A crowd whose first member comes at `start`.
    init(
        _ randomness: SplitMix64, day: Simulation.Day, _ installation: Installation, start: Instant
    ) {
        price = installation.policy.price
        let equipment = installation.equipment
        inputs = Input.allCases.filter { equipment.inputs[$0] }
        outputs = Output.allCases.filter { equipment.outputs[$0] }
        acceptors = Acceptor.allCases.filter { equipment.inputs[$0.line] }
        self.randomness = randomness
        self.day = day
        nextEpisode = start
    }

    /// What happens next, and when.
    mutating func nextDeed() -> (time: Instant, deed: Deed) {
        while true {
            if let time = agenda.nextTime, time <= nextEpisode, let next = agenda.takeNext() {
                return next
            }
            let start = nextEpisode
            let end = day == .calm ? payAndPass(start) : episode(start)
            // Most wait until the one before them is through, some do not.
            let waits = day == .calm || chance(70)
            nextEpisode = (waits ? end : start) + after(0...3_000)
        }
    }

    // MARK: Chance

    /// Whether something happens that does so many times of a hundred.
    mutating func chance(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &randomness) < percent
    }

    /// Some time in this range.
    mutating func after(_ milliseconds: ClosedRange<Int>) -> Duration {
        .milliseconds(Int.random(in: milliseconds, using: &randomness))
    }

    /// One of these.
    mutating func one<T>(of things: [T]) -> T {
        things[Int.random(in: things.indices, using: &randomness)]
    }
}

// People. Each episode begins at a moment and says when it is over.
extension Crowd {
    private mutating func episode(_ start: Instant) -> Instant {
        switch Int.random(in: 0..<100, using: &randomness) {
        case 0..<22: payAndPass(start)
        case 22..<30: oddity(start)
        case 30..<36: walk(pay(price, start), one(of: [.entry, .exit]))
        case 36..<40: pay(price + 50 * Int.random(in: 1...6, using: &randomness), start)
        case 40..<45: pay(price, start) + .seconds(10)
        case 45..<56: backOut(pay(price, start))
        case 56..<60: walk(start, one(of: [.entry, .exit]))
        case 60..<64: force(start)
        case 64..<69: tailgate(pay(price, start))
        case 69..<74: fish(pay(price, start))
        case 74..<78: walk(press(.releaseEntry, start), .entry)
        case 78..<82: walk(press(.releaseExit, start), .exit)
        case 82: press(.serviceKey, start)
        case 83: mechanic(start)
        case 84: collect(start)
        case 85..<88: askFromAfar(start)
        default: trouble(start)
        }
    }

    /// Coins that make up `amount`, one after the other; over when the last is counted.
    mutating func pay(_ amount: Int, _ start: Instant) -> Instant {
        var time = start
        var rest = amount
        while rest > 0 {
            let coin = min(rest, one(of: [50, 100, 200]))
            rest -= coin
            agenda.plan(.coinInserted(value: coin, into: one(of: acceptors)), at: time)
            time = time + .milliseconds(150 * coin / 50) + after(100...800)
        }
        return time + .milliseconds(600)
    }

    /// Somebody pays and walks in.
    mutating func payAndPass(_ start: Instant) -> Instant {
        walk(pay(price, start) + after(0...1_500), .entry)
    }

    /// Over when an unhindered person is through.
    mutating func walk(_ start: Instant, _ direction: Direction) -> Instant {
        let speed = chance(5) ? Int.random(in: 4...20, using: &randomness) : speed()
        return walk(start, direction, degreesPerSecond: speed)
    }

    /// The same, so fast.
    mutating func walk(
        _ start: Instant, _ direction: Direction, degreesPerSecond speed: Int
    ) -> Instant {
        agenda.plan(.armPushed(direction, degreesPerSecond: speed), at: start)
        return start + .milliseconds(120_000 / speed + 50)
    }

    /// How fast somebody walks.
    mutating func speed() -> Int { Int.random(in: 60...300, using: &randomness) }

    /// Turns back somewhere, or lets go and is turned by the spring; some come again.
    private mutating func backOut(_ start: Instant) -> Instant {
        let speed = speed()
        let degrees = Int.random(in: 5..<115, using: &randomness)
        agenda.plan(.armPushed(.entry, degreesPerSecond: speed), at: start)
        let turned = start + .milliseconds(1_000 * degrees / speed)
        agenda.plan(chance(70) ? .steppedBack(degreesPerSecond: speed) : .armLetGo, at: turned)
        let end = turned + .milliseconds(1_000 * degrees / speed + 100)
        return chance(50) ? walk(end + after(0...500), .entry) : end
    }

    private mutating func force(_ start: Instant) -> Instant {
        // Some climb over it.
        if chance(30) { return press(.intrusion, start) }
        agenda.plan(.armForced(one(of: [.entry, .exit])), at: start)
        return start + .milliseconds(450)
    }

    /// Two people, the second at the heels of the first.
    private mutating func tailgate(_ start: Instant) -> Instant {
        let speed = speed()
        agenda.plan(.armPushed(.entry, degreesPerSecond: speed), at: start)
        if chance(50) {
            agenda.plan(
                .tailgated(.entry, degreesPerSecond: speed),
                at: start + .milliseconds(60_000 / speed))
        }
        let next = start + .milliseconds(120_000 / speed) + after(0...30)
        agenda.plan(.armPushed(.entry, degreesPerSecond: speed), at: next)
        return next + .milliseconds(120_000 / speed + 50)
    }

    /// Coins while they are refused, in the hope of getting back more.
    private mutating func fish(_ start: Instant) -> Instant {
        let acceptor = one(of: acceptors)
        switch Int.random(in: 0..<4, using: &randomness) {
        case 0: agenda.plan(.coinFished(pulses: 4, in: acceptor), at: start)
        case 1: agenda.plan(.acceptorStruck(acceptor), at: start + after(100...400))
        default: break
        }
        for _ in 0..<3 {
            agenda.plan(.coinInserted(value: 50, into: acceptor), at: start + after(0...2_000))
        }
        return start + .seconds(3)
    }

    /// Holds the key until the gate is theirs, lets it test itself, tries the arm and leaves.
    private mutating func mechanic(_ start: Instant) -> Instant {
        agenda.plan(.contactPressed(.serviceKey, for: after(1_000...6_000)), at: start)
        var time = start + after(3_000...25_000)
        if chance(50) { time = walk(time, one(of: [.entry, .exit])) }
        return press(.serviceKey, time)
    }

    /// The operator opens the cabinet, takes the vault out and puts another one in; some wait
    /// until it is full, while people go on paying.
    private mutating func collect(_ start: Instant) -> Instant {
        var time = start
        if chance(60) {
            agenda.plan(.contactMoved(.vaultFull, isActive: true), at: time)
            for _ in 0..<Int.random(in: 0...3, using: &randomness) {
                time = payAndPass(time + after(0...3_000))
            }
        }
        for (input, isActive) in [
            (Input.cabinetTamper, true), (.vaultDoor, true), (.vaultPresent, false),
            (.vaultFull, false), (.vaultPresent, true), (.vaultDoor, false),
            (.cabinetTamper, false),
        ] {
            agenda.plan(.contactMoved(input, isActive: isActive), at: time)
            time = time + after(50...3_000)
        }
        return time
    }

    /// Somebody turns a key or presses a button, and lets go.
    mutating func press(_ key: Input, _ start: Instant) -> Instant {
        agenda.plan(.contactPressed(key), at: start)
        return start + .milliseconds(500)
    }
}

// Trouble.
extension Crowd {
    private mutating func trouble(_ start: Instant) -> Instant {
        switch Int.random(in: 0..<20, using: &randomness) {
        case 0..<3: fireDrill(start)
        case 3: lasting(start)
        case 4: crackle(start)
        case 5..<9: breakAndRepair(start)
        case 9: dropEdges(.queueOverflowed(edges: Int.random(in: 1...8, using: &randomness)), start)
        case 10: dropEdges(.edgeMissed(one(of: inputs)), start)
        case 11: dropEdges(.edgeMissed(.coinPulse), start)
        case 12: restart(.stop(down: after(100...3_000)), start)
        case 13: restart(crash(), start)
        case 14..<16: holdUp(start)
        case 16: reload(start)
        case 17: setClock(start)
        case 18: lasting(start)
        default: start + after(1_000...120_000)
        }
    }

    private mutating func fireDrill(_ start: Instant) -> Instant {
        agenda.plan(.contactMoved(.fire, isActive: true), at: start)
        var time = start
        for _ in 0..<Int.random(in: 0...4, using: &randomness) {
            time = walk(time + after(0...1_000), one(of: [.entry, .exit]))
        }
        if chance(30) { _ = press(.emergencyResetKey, start + after(0...2_000)) }
        time = time + after(10...30_000)
        agenda.plan(.contactMoved(.fire, isActive: false), at: time)
        agenda.plan(.armRaised, at: time + after(0...4_000))
        return press(.emergencyResetKey, time + after(50...5_000))
    }

    /// A contact tells of something for a while; the key is turned when it is over.
    private mutating func lasting(_ start: Instant) -> Instant {
        let contact = one(of: [Input.externalFault, .powerLow, .stop, .coinJam])
        let end = start + after(10...10_000)
        agenda.plan(.contactMoved(contact, isActive: true), at: start)
        agenda.plan(.contactMoved(contact, isActive: false), at: end)
        return press(.serviceKey, end + after(0...3_000))
    }

    /// Static on the coin line: pulses that are too short for a coin, each on its own.
    private mutating func crackle(_ start: Instant) -> Instant {
        var time = start
        for _ in 0..<Int.random(in: 1...5, using: &randomness) {
            agenda.plan(.contactMoved(.coinPulse, isActive: true), at: time)
            agenda.plan(.contactMoved(.coinPulse, isActive: false), at: time + after(1...20))
            time = time + .milliseconds(3) + after(30...400)
        }
        return time
    }

    /// Something breaks while somebody uses the gate; it is repaired, and the key is turned.
    private mutating func breakAndRepair(_ start: Instant) -> Instant {
        let input = one(of: inputs)
        let output = one(of: outputs)
        let defect: Defect = one(of: [
            .brokenWire(input), .stuckActive(input), .unreadable(input), .undrivable(output),
            .stuckOutput(output), .jammedBolt(one(of: Direction.allCases)),
            .jammedAcceptor(one(of: acceptors)), .bentArm,
        ])
        _ = payAndPass(start)
        let broken = start + after(0...5_000)
        agenda.plan(.defectAppeared(defect), at: broken)
        let repaired = broken + after(1...20_000)
        agenda.plan(chance(70) ? .defectRepaired(defect) : .everythingRepaired, at: repaired)
        if case .brokenWire(.fire) = defect {
            _ = press(.emergencyResetKey, repaired + after(0...4_000))
        }
        return press(.serviceKey, repaired + after(0...6_000))
    }

    private mutating func dropEdges(_ event: World.Event, _ start: Instant) -> Instant {
        agenda.plan(event, at: start + after(0...2_000))
        return payAndPass(start)
    }

    private mutating func restart(_ deed: Deed, _ start: Instant) -> Instant {
        agenda.plan(deed, at: start + after(0...5_000))
        return payAndPass(start)
    }

    /// The process is killed, or the power is cut.
    private mutating func crash() -> Deed {
        let down = after(100...3_000)
        return down / .milliseconds(2) == (down / .milliseconds(2)).rounded()
            ? .cutPower(down: down) : .kill(down: down)
    }

    private mutating func holdUp(_ start: Instant) -> Instant {
        let long = chance(10)
        agenda.plan(.holdUp(after(long ? 500...6_000 : 1...500)), at: start + after(0...5_000))
        return payAndPass(start)
    }

    private mutating func setClock(_ start: Instant) -> Instant {
        agenda.plan(.setClock(by: after(0...3_600_000) - .seconds(1_800)), at: start)
        return payAndPass(start)
    }

    private mutating func reload(_ start: Instant) -> Instant {
        let policy = Installation.policy(day, &randomness)
        agenda.plan(.reload(policy), at: start + after(0...5_000))
        let end = payAndPass(start)
        price = policy.price
        return end
    }
}
