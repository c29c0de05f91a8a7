import Exploration
import StateMachines
import Testing
import Turnstile

@testable import Controller

/// The health of the lines by itself.
@Suite struct LineWatchTests {
    private static let wired = Equipment(
        inputs: InputLevels([.fire, .rotorA]), outputs: OutputSet([.lockEntry, .lampStop]))

    /// A look that finds these lines unreadable, or not carrying their level, and these levels.
    private static func look(
        failing lines: [Line] = [], carried: InputLevels = [], heard: InputLevels = [],
        taken: InputLevels = []
    ) -> [LineWatch.Event] {
        [.lookBegan(at: .second(1))]
            + lines.flatMap {
                [.failed($0, .unreadable), .found($0, .unreadable, "\($0) fails")]
            }
            + [.inputsRead(carried, heard: heard), .lookEnded(heard: heard, taken: taken)]
    }

    /// What is said at the end of the last of some looks.
    private static func conclusion(_ looks: [LineWatch.Event]...) -> [LineWatch.Command]? {
        var watch = LineWatch(wired, interval: .seconds(1))
        var last: [LineWatch.Command] = []
        for event in looks.flatMap({ $0 }) {
            last = Array(watch.handle(event).commands)
            while case .reportRecovered = last.last {
                last += watch.handle(.recoveryTold).commands
            }
        }
        return last
    }

    @Test func `looks are made from the start on, at their interval`() {
        var watch = LineWatch(Self.wired, interval: .seconds(3))
        #expect(watch.deadline == nil)
        _ = watch.handle(.started(at: .second(10)))
        #expect(watch.deadline == .second(13))
        _ = watch.handle(.lookBegan(at: .second(14)))
        #expect(watch.deadline == .second(17))
    }

    @Test func `each failure is told at once, each time`() {
        var watch = LineWatch(Self.wired, interval: .seconds(1))
        let failure = LineWatch.Event.failed(.output(.lockEntry), .undrivable)
        let report = [LineWatch.Command.report(.output(.lockEntry), .undrivable)]
        #expect(watch.answers(to: [failure, failure]) == [report, report])
    }

    @Test func `a look tells of the first thing that keeps the gate from its work`() {
        #expect(Self.conclusion(Self.look()) == [.assess(nil)])
        let lines: [Line] = [.output(.lampStop), .output(.lockEntry), .input(.rotorA)]
        #expect(Self.conclusion(Self.look(failing: lines)) == [.assess("lock_entry fails")])
        #expect(Self.conclusion(Self.look(failing: [.output(.lampStop)])) == [.assess(nil)])
        #expect(
            Self.conclusion(Self.look(failing: [.input(.rotorA)]), Self.look()) == [
                .reportRecovered(.input(.rotorA)), .assess(nil),
            ])
    }

    @Test func `what failed between two looks has recovered at the first that finds nothing`() {
        let lock = Line.output(.lockEntry)
        #expect(
            Self.conclusion([.failed(lock, .undrivable)], Self.look()) == [
                .reportRecovered(lock), .assess(nil),
            ])
        #expect(
            Self.conclusion([.failed(lock, .undrivable)], Self.look(failing: [lock])) == [
                .assess("lock_entry fails")
            ])
    }

    @Test func `what fails as another one recovers has not recovered`() {
        var watch = LineWatch(Self.wired, interval: .seconds(1))
        let lock = Line.output(.lockEntry)
        let events: [LineWatch.Event] =
            Self.look(failing: [.input(.fire), lock, .output(.lampStop)]) + Self.look()
            + [.failed(lock, .undrivable), .recoveryTold, .recoveryTold]
        #expect(
            watch.answers(to: events).suffix(4) == [
                [.reportRecovered(.input(.fire))], [.report(lock, .undrivable)],
                [.reportRecovered(.output(.lampStop))], [.assess(nil)],
            ])
    }

    @Test func `an input has recovered when it carries what the machine takes it to carry`() {
        let fire = InputLevels(.fire)
        let broken = Self.look(failing: [.input(.fire)])
        let recovered = [LineWatch.Command.reportRecovered(.input(.fire)), .assess(nil)]
        // The machine has not heard of the edge yet, or still debounces it.
        let debounced = Self.look(carried: fire, heard: fire)
        #expect(Self.conclusion(broken, debounced) == [.assess(nil)])
        #expect(Self.conclusion(broken, debounced, Self.look()) == recovered)
        // No edge told of it: only the next look may believe it.
        let unheard = Self.look(carried: fire)
        #expect(Self.conclusion(broken, unheard) == [.assess(nil)])
        let heard = Self.look(carried: fire, heard: fire, taken: fire)
        #expect(Self.conclusion(broken, unheard, heard) == recovered)
    }

    @Test func `a level that no edge told of at two looks is an edge that got lost`() {
        var watch = LineWatch(Self.wired, interval: .seconds(1))
        let fire = InputLevels(.fire)
        let other = InputLevels(.rotorA)
        #expect(
            watch.answers(to: [
                .inputsRead(fire, heard: []), .inputsRead(fire, heard: fire),
                .inputsRead(fire, heard: []), .inputsRead(other, heard: []),
                .inputsRead(other, heard: []), .inputsRead(other, heard: []),
            ]) == [[], [], [], [], [.reportLoss(other)], []])
    }

    @Test func `a gate without any line that works is given up, and no other`() {
        let all: [Line] = [
            .input(.fire), .input(.rotorA), .output(.lockEntry), .output(.lampStop),
        ]
        #expect(Self.conclusion(Self.look(failing: all)) == [.giveUp])
        for line in all {
            let others = all.filter { $0 != line }
            #expect(Self.conclusion(Self.look(failing: others))?.last != .giveUp, "\(line)")
        }
        let nothing = Equipment(inputs: InputLevels(), outputs: OutputSet())
        var watch = LineWatch(nothing, interval: .seconds(1))
        #expect(watch.answers(to: Self.look()).last == [.assess(nil)])
    }

    @Test func `what the machine knows of the lines is so after every look`() {
        let graph = StateGraph(from: World())
        #expect(graph.isComplete)
        #expect(
            graph.violation(ofStep: { step in
                let world = step.after
                guard step.event == .look, world.works != [] else { return true }
                let failing = world.wired.subtracting(world.works)
                let recovered = step.before.told.subtracting(world.told)
                return world.told.isSuperset(of: failing)
                    && recovered.isDisjoint(with: world.carried.symmetricDifference(world.taken))
            }) == nil)
        // Two looks, between which nothing changes, find all that can be found.
        #expect(
            graph.violation(ofStep: { step in
                let world = step.after
                guard step.event == .look, step.before.isSettled, world.works != [] else {
                    return true
                }
                return world.told == world.wired.subtracting(world.works)
                    && world.carried.intersection(world.works)
                        == world.taken.intersection(world.works)
            }) == nil)
    }
}

/// Two inputs that may break, and change with and without a word.
private struct World: StateMachine, Hashable {
    enum Event: Hashable, CaseIterable {
        case changeFire, changeRotor, changeFireUnheard, breakFire, breakRotor, repair, look
    }

    let wired = InputLevels([.fire, .rotorA])
    private(set) var watch = LineWatch(
        Equipment(inputs: InputLevels([.fire, .rotorA]), outputs: OutputSet()),
        interval: .zero)
    private(set) var works = InputLevels([.fire, .rotorA])
    /// What the inputs carry.
    private(set) var carried = InputLevels()
    /// What the shell has heard, and the machine has taken up at once.
    private(set) var taken = InputLevels()
    /// The lines that the machine takes for broken.
    private(set) var told = InputLevels()
    /// Whether a look was the last thing that happened, and one before it.
    private(set) var isSettled = false
    private var hasLooked = false

    mutating func handle(_ event: Event) -> Outcome<Never> {
        isSettled = event == .look && hasLooked
        hasLooked = event == .look
        switch event {
        case .changeFire: change(.fire)
        case .changeRotor: change(.rotorA)
        case .changeFireUnheard: carried.formSymmetricDifference(InputLevels(.fire))
        case .breakFire: works[.fire] = false
        case .breakRotor: works[.rotorA] = false
        case .repair: works = wired
        case .look: look()
        }
        return .handled
    }

    /// An edge tells of it, where the line works.
    private mutating func change(_ input: Input) {
        carried.formSymmetricDifference(InputLevels(input))
        if works[input] { taken[input] = carried[input] }
    }

    private mutating func look() {
        tell(.lookBegan(at: .zero))
        for input in [Input.fire, .rotorA] where !works[input] {
            tell(.failed(.input(input), .unreadable))
        }
        let read = carried.intersection(works).union(taken.subtracting(works))
        tell(.inputsRead(read, heard: taken))
        tell(.lookEnded(heard: taken, taken: taken))
    }

    private mutating func tell(_ event: LineWatch.Event) {
        for command in watch.handle(event).commands {
            switch command {
            case .report(.input(let input), _): told[input] = true
            case .reportRecovered(.input(let input)):
                told[input] = false
                tell(.recoveryTold)
            case .reportLoss(let levels): taken = levels
            case .report, .reportRecovered, .giveUp, .assess: break
            }
        }
    }
}
