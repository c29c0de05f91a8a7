internal import StateMachines
internal import Turnstile

/// A day at the gate, line by line: what happens, and below it what the turnstile wants done. It is
/// the same on every processor, so a microcontroller can be held against this machine.
///
/// First come people whom everybody knows; then a thousand things from a seed, in no order that
/// people would keep.
public struct PortableStory {
    private let say: (String) -> Void
    private var turnstile: Turnstile
    private var now = Instant.zero

    /// Tells the story, a line at a time.
    public static func tell(_ say: @escaping (String) -> Void) {
        var story = PortableStory(say)
        story.happen(.started(InputLevels()))
        story.peopleCome()
        story.anythingHappens(1_000, seed: 1)
        story.happen(.stopped, after: .seconds(60))
    }

    private init(_ say: @escaping (String) -> Void) {
        self.say = say
        var policy = Policy(price: 250, coinUnit: 50)
        policy.coins[.first].values = .exact([1: 50, 2: 100, 5: 500])
        policy.coinWhileUnlocked = .store
        policy.remoteEmergencyReset = .allowed
        turnstile = Turnstile(
            policy: policy, equipment: .oneWay, debounce: [.fire: .milliseconds(20)],
            ledger: .open(Balances()))
    }

    /// Lets time pass, with all that falls due, and then this happen.
    private mutating func happen(_ kind: Event.Kind, after pause: Duration = .zero) {
        let moment = now + pause
        while let due = turnstile.deadline, due <= moment {
            now = max(now, due)
            handle(.timePassed)
        }
        now = moment
        handle(kind)
    }

    private mutating func handle(_ kind: Event.Kind) {
        let event = Event(kind, at: now)
        say("\(event.fieldValue)")
        switch turnstile.handle(event) {
        case .handled(let commands):
            commands.forEach { say("  \($0.fieldValue)") }
            // A ledger that is never late.
            if commands.contains(where: { $0 == .store }) { handle(.durable) }
        case .ignored(let reason): say("  ignored: \(reason.text)")
        case .unhandled: say("  unhandled")
        }
    }
}

// People whom everybody knows.
extension PortableStory {
    private mutating func peopleCome() {
        insertCoin(pulses: 5)
        pass()
        insertCoin(pulses: 1)
        pass()
        for isOpen in [true, false] {
            happen(.changed(.fire, isActive: isOpen), after: .seconds(5))
        }
        ask(.resetEmergency)
        ask(.grant(.entry))
        pass()
        happen(.lineFailed(.input(.rotorA), .unreadable), after: .seconds(1))
        happen(.lineRecovered(.input(.rotorA)), after: .seconds(1))
        ask(.confirmRepair)
        ask(.setMode(.entry, .free, until: now + .seconds(30)))
        pass()
    }

    /// A coin makes pulses of 50 ms, 100 ms after one another.
    private mutating func insertCoin(pulses: Int) {
        for pulse in 0..<pulses {
            let pause = Duration.milliseconds(pulse == 0 ? 2_000 : 100)
            happen(.changed(.coinPulse, isActive: true), after: pause)
            happen(.changed(.coinPulse, isActive: false), after: .milliseconds(50))
        }
    }

    /// Somebody walks through in a second and a half.
    private mutating func pass() {
        let steps: [(Input, Bool)] = [
            (.rotorA, true), (.rotorB, true), (.rotorA, false), (.rotorB, false),
        ]
        for (sensor, isActive) in steps {
            let pause = Duration.milliseconds(sensor == .rotorA && isActive ? 1_000 : 150)
            happen(.changed(sensor, isActive: isActive), after: pause)
        }
    }

    private mutating func ask(_ request: Request) {
        guard let ann = Operator(number: 1_000, name: "ann") else { return }
        happen(.requested(request, by: .person(ann)), after: .seconds(1))
    }
}

// Anything in any order.
extension PortableStory {
    private mutating func anythingHappens(_ count: Int, seed: UInt64) {
        var chance = SplitMix64(seed: seed)
        let inputs = Input.allCases.filter { Equipment.oneWay.inputs[$0] }
        let requests: [Request] = [
            .grant(.entry), .withdraw(.entry), .confirmRepair, .acknowledgeAlarms, .resetEmergency,
            .beginService, .endService, .selfTest, .setEnforcement(.strong, until: nil),
        ]
        for _ in 0..<count {
            let number = Int(chance.next() % 1_000_000)
            let pause = Duration.milliseconds(number % 700)
            let isActive = number & 64 == 0
            switch number / 700 % 10 {
            case 0: insertCoin(pulses: 1 + number % 5)
            case 1: pass()
            case 2: ask(requests[number % requests.count])
            case 3:
                let input = Line.input(inputs[number % inputs.count])
                happen(isActive ? .lineFailed(input, .unreadable) : .lineRecovered(input))
            default:
                let input = inputs[number % inputs.count]
                happen(.changed(input, isActive: isActive), after: pause)
            }
        }
    }
}
