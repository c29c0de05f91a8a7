import Exploration
import Seeds
import StateMachines
import Testing

enum ArrowDirection: Hashable { case up, down, left, right }
enum KeyboardOutput: Hashable { case alphaNumeric(Character), arrow(ArrowDirection) }

enum MainKeypad: SelectiveMachine, Hashable {
    case capsLockOff, capsLockOn
    enum Event: Hashable { case alpha(Character), capsLock }
    enum Kind: UInt8, Enumerated { case alpha, capsLock }

    mutating func handle(_ event: Event) -> Outcome<KeyboardOutput> {
        switch (self, event) {
        case (.capsLockOff, .capsLock):
            self = .capsLockOn
            return .handled
        case (.capsLockOn, .capsLock):
            self = .capsLockOff
            return .handled
        case (.capsLockOff, .alpha(let letter)):
            return .handled(.alphaNumeric(letter))
        case (.capsLockOn, .alpha(let letter)):
            return .handled(.alphaNumeric(Character(letter.uppercased())))
        }
    }
    var listens: KindSet<Kind> { .all }
}

enum NumericKeypad: SelectiveMachine, Hashable {
    case numLockOff, numLockOn
    enum Event: Hashable { case number(Int), numLock }
    enum Kind: UInt8, Enumerated { case number, numLock }

    static let arrows: [Int: ArrowDirection] = [2: .up, 4: .left, 6: .right, 8: .down]

    mutating func handle(_ event: Event) -> Outcome<KeyboardOutput> {
        switch (self, event) {
        case (.numLockOff, .numLock):
            self = .numLockOn
            return .handled
        case (.numLockOn, .numLock):
            self = .numLockOff
            return .handled
        case (.numLockOff, .number(let digit)):
            guard let arrow = Self.arrows[digit] else { return .ignored("no arrow on this key") }
            return .handled(.arrow(arrow))
        case (.numLockOn, .number(let digit)):
            return .handled(.alphaNumeric(Character("\(digit)")))
        }
    }
    var listens: KindSet<Kind> { self == .numLockOn ? .all : [.numLock] }
}

/// The keyboard, as the product of its two keypads in one vocabulary.
struct Keyboard: Adapter, Hashable {
    enum Key: Hashable { case alpha(Character), number(Int), numLock, capsLock, reset, power }

    var base = Product(MainKeypad.capsLockOff, NumericKeypad.numLockOn)

    static func route(_ key: Key) -> Routed<MainKeypad.Event, NumericKeypad.Event>? {
        switch key {
        case .alpha(let letter): .first(.alpha(letter))
        case .capsLock: .first(.capsLock)
        case .number(let digit): .second(.number(digit))
        case .numLock: .second(.numLock)
        case .reset: .both(.capsLock, .numLock)
        case .power: nil
        }
    }

    static func translate(_ output: Either<KeyboardOutput, KeyboardOutput>) -> KeyboardOutput {
        switch output {
        case .first(let output), .second(let output): output
        }
    }
}

/// The same keyboard written out, without the kit's kinds of composition.
struct PlainKeyboard: StateMachine, Hashable {
    var main = MainKeypad.capsLockOff
    var numeric = NumericKeypad.numLockOn

    mutating func handle(_ key: Keyboard.Key) -> Outcome<KeyboardOutput> {
        switch key {
        case .alpha(let letter): main.handle(.alpha(letter))
        case .capsLock: main.handle(.capsLock)
        case .number(let digit): numeric.handle(.number(digit))
        case .numLock: numeric.handle(.numLock)
        case .reset: main.handle(.capsLock).joined(with: numeric.handle(.numLock))
        case .power: .unhandled
        }
    }
}

@Suite struct RegionsTests {
    @Test func `a keyboard written out and the product in other words are one`() {
        var random = SeededGenerator()
        var (plain, keyboard) = (PlainKeyboard(), Keyboard())
        let keys: [Keyboard.Key] =
            "azAZ".map { .alpha($0) } + (0...9).map { .number($0) } + [
                .numLock, .capsLock, .numLock, .capsLock, .reset, .power,
            ]
        for _ in 0..<500 {
            let key = keys.randomElement(using: &random) ?? .reset
            #expect(plain.handle(key) == keyboard.handle(key), "\(random)")
            #expect(keyboard.base == Product(plain.main, plain.numeric), "\(random)")
        }
    }

    @Test func `without num lock four keys are arrows`() {
        let keyboard = Keyboard(base: Product(.capsLockOff, .numLockOff))
        let arrows = (0...9).map { keyboard.outcome(of: .number($0)).commands.first }
        #expect(
            arrows == [
                nil, nil, .arrow(.up), nil, .arrow(.left), nil, .arrow(.right), nil, .arrow(.down),
                nil,
            ])
    }

    @Test func `the keyboard's halves run at the same time`() {
        var keyboard = Keyboard()
        #expect(keyboard.handle(.alpha("a")) == .handled(.alphaNumeric("a")))
        #expect(keyboard.handle(.capsLock) == .handled)
        #expect(keyboard.handle(.number(4)) == .handled(.alphaNumeric("4")))
        #expect(keyboard.handle(.numLock) == .handled)
        #expect(keyboard.handle(.number(4)) == .handled(.arrow(.left)))
        #expect(keyboard.handle(.number(5)) == .ignored("no arrow on this key"))
        #expect(keyboard.handle(.alpha("a")) == .handled(.alphaNumeric("A")))
    }

    @Test func `an event may be for both, or for none`() {
        var keyboard = Keyboard()
        #expect(keyboard.handle(.reset) == .handled)
        #expect(keyboard.base == Product(.capsLockOn, .numLockOff))
        #expect(keyboard.handle(.power) == .unhandled)
    }

    @Test func `a product listens to what its parts listen to`() {
        let keys = Product(MainKeypad.capsLockOff, NumericKeypad.numLockOff)
        #expect(keys.listens.kinds == [.first(.alpha), .first(.capsLock), .second(.numLock)])
        let nested = Product(keys, NumericKeypad.numLockOn)
        #expect(nested.listens.kinds.last == .second(.numLock))
        #expect(nested.listens.kinds.count == 5)
    }

    /// Ticks so often, then stops, and says its name at each tick.
    struct Ticker: SelectiveMachine, TimedMachine, Hashable {
        var name: String
        var left: Int
        var due: Instant?
        enum Kind: UInt8, Enumerated { case tick }
        mutating func handle(_ event: Kind) -> Outcome<String> {
            guard left > 0 else { return .ignored("run down") }
            left -= 1
            return .handled(name)
        }
        var deadline: Instant? { due }
        var listens: KindSet<Kind> { permittedEvents }
    }

    @Test func `regions all hear an event, in order, and join what they listen to`() {
        let late = Instant(nanoseconds: 9)
        let soon = Instant(nanoseconds: 5)
        var all = Regions(
            Ticker(name: "a", left: 1, due: late),
            Regions(Ticker(name: "b", left: 2), Ticker(name: "c", left: 0, due: soon)))
        #expect(all.deadline == soon)
        #expect(all.handle(.tick) == .handled(["a", "b"]))
        #expect(all.listens == [.tick])
        #expect(all.handle(.tick) == .handled(["b"]))
        #expect(all.listens.isEmpty)
        #expect(all.handle(.tick) == .ignored("run down"))
    }

    /// Rings, and has decided about nothing else.
    enum Bell: StateMachine, Hashable {
        case silent, ringing
        mutating func handle(_ event: MainKeypad.Event) -> Outcome<KeyboardOutput> {
            switch (self, event) {
            case (.silent, .capsLock):
                self = .ringing
                return .handled
            case (.ringing, .capsLock): return .ignored("it rings already")
            case (.silent, .alpha), (.ringing, .alpha): return .unhandled
            }
        }
    }

    @Test func `states of regions describe themselves side by side`() {
        var regions = Regions(MainKeypad.capsLockOff, Regions(Bell.silent, Bell.ringing))
        #expect("\(regions)" == "capsLockOff | silent | ringing")
        #expect(
            "\(regions.step(.capsLock))"
                == "capsLockOff | silent | ringing, capsLock: capsLockOn | ringing | ringing []")
        var raising = RunToCompletion(Countdown())
        #expect("\(raising)" == "\(Countdown())")
        #expect(raising.handle(.finished) == .unhandled)
        let product = Product(MainKeypad.capsLockOff, NumericKeypad.numLockOn)
        #expect("\(product)" == "capsLockOff | numLockOn")
        typealias Events = Routed<MainKeypad.Event, NumericKeypad.Event>
        #expect(
            "\(Events.first(.capsLock)), \(Events.both(.capsLock, .numLock))"
                == "capsLock, capsLock | numLock")
        #expect("\(Either<Int, String>.first(1)), \(Either<Int, String>.second("two"))" == "1, two")
    }

    @Test func `exploration says which region left which event undecided`() {
        let start = Regions(MainKeypad.capsLockOff, Regions(Bell.silent, Bell.ringing))
        let graph = StateGraph(from: start, events: [.capsLock, .alpha("a")])
        // The keypad types the letter, so nobody sees that no bell knows what to do.
        #expect(graph.undecided.isEmpty)
        let gaps = graph.undecidedRegions
        #expect(
            gaps.map { "\($0.region)" } == [
                "second.first: silent", "second.second: ringing", "second.first: ringing",
            ])
        #expect(gaps.allSatisfy { $0.step.event == .alpha("a") && $0.step.outcome.isHandled })
        #expect(gaps[2].step.before.first == .capsLockOn)
    }

    @Test func `an event that one region ignores hides nothing either`() {
        /// Hears of it, and needs not do anything.
        struct Deaf: StateMachine, Hashable {
            mutating func handle(_ event: MainKeypad.Event) -> Outcome<KeyboardOutput> {
                .ignored("deaf")
            }
        }
        let graph = StateGraph(from: Regions(Deaf(), Bell.silent), events: [.alpha("a")])
        #expect(graph.undecided.isEmpty)
        #expect(
            graph.undecidedRegions.map(\.region) == [
                UndecidedRegion(path: "second", state: "silent")
            ])
    }

    @Test func `machines in other words and of parts say it as well`() {
        let keyboard = Keyboard()
        #expect(keyboard.undecidedRegions(of: .power).map(\.path) == [""])
        #expect(keyboard.undecidedRegions(of: .reset).isEmpty)
        let bells = Product(Bell.silent, Product(Bell.silent, Bell.ringing))
        #expect(bells.undecidedRegions(of: .first(.alpha("a"))).map(\.path) == ["first"])
        #expect(
            bells.undecidedRegions(of: .both(.alpha("a"), .second(.alpha("a")))).map(\.path) == [
                "first", "second.second",
            ])
        #expect(bells.undecidedRegions(of: .second(.first(.capsLock))).isEmpty)
        let raising = RunToCompletion<Countdown, String>(Countdown())
        #expect(raising.undecidedRegions(of: .finished).count == 1)
    }

    /// Counts down by raising events for itself.
    struct Countdown: StateMachine, Hashable {
        enum Event: Hashable { case started(Int), reached(Int), finished, noted }
        typealias Command = Effect<Event, String>
        mutating func handle(_ event: Event) -> Outcome<Command> {
            switch event {
            case .started(let number):
                .handled([
                    .raise(.reached(number)), .raise(.reached(number - 1)), .perform("start"),
                ])
            case .reached(let number) where number > 1:
                .handled([.perform("\(number)"), .raise(.noted), .raise(.finished)])
            case .reached(let number): .handled(.perform("\(number)"))
            case .noted: .ignored("nobody keeps notes")
            case .finished: .unhandled
            }
        }
    }

    @Test func `raised events run to completion in order, and none is lost`() {
        var countdown = RunToCompletion(Countdown())
        #expect(
            countdown.handle(.started(2))
                == .handled([
                    .perform("start"), .perform("2"), .perform("1"),
                    .ignored(.noted, "nobody keeps notes"), .unhandled(.finished),
                ]))
        #expect(countdown.handle(.finished) == .unhandled)
    }

    /// A door that shuts itself, as a table whose rows raise events.
    enum Door: TableSyntax {
        enum State: UInt8, Enumerated { case shut, open }
        enum Event: UInt8, Enumerated { case pushed, passed, released }
        typealias Command = Effect<Event, String>
    }

    @Test func `a table's rows raise events, too`() throws {
        let table = try Table<Door>(initial: .shut) {
            Door.define(.shut, onEntry: [.perform("lock")]) {
                Door.when(.pushed).then(.open).commands(.raise(.passed), .perform("count"))
                Door.when(.passed, or: .released).ignored("shut already")
            }
            Door.define(.open) {
                Door.when(.pushed).ignored("open already")
                Door.when(.passed).then().commands(.raise(.released), .perform("thank"))
                Door.when(.released).then(.shut).commands(.raise(.released))
            }
        }
        var door = RunToCompletion<TableMachine<Door>, String>(TableMachine(table))
        #expect(
            door.handle(.pushed)
                == .handled([
                    .perform("count"), .perform("thank"), .perform("lock"),
                    .ignored(.released, "shut already"),
                ]))
        #expect(door.base.state == .shut)
    }

    /// A letter of a large alphabet.
    struct Letter: Enumerated, CustomStringConvertible {
        let ordinal: Int
        init(ordinal: Int) { self.ordinal = ordinal }
        static var allCases: [Letter] { (0..<65).map(Letter.init) }
        var description: String { "\(ordinal)" }
    }

    /// A reader who knows the first letter alone.
    struct Reader: SelectiveMachine {
        mutating func handle(_ letter: Letter) -> Outcome<Never> {
            letter.ordinal == 0 ? .handled : .unhandled
        }
        var listens: KindSet<Letter> { permittedEvents }
    }

    @Test func `a kind beyond those that a set can hold is in none`() {
        let first = Letter(ordinal: 0)
        #expect(!([first] as KindSet).contains(Letter(ordinal: 64)))
        #expect(Reader().listens.kinds == [first])
    }

    @Test func `a set of kinds has place for 64`() async {
        #expect(KindSet([Letter(ordinal: 63)]).contains(Letter(ordinal: 63)))
        await #expect(processExitsWith: .failure) { _ = KindSet([Letter(ordinal: 64)]) }
    }

    @Test func `a product of too many kinds does not listen to wrong ones`() async {
        await #expect(processExitsWith: .failure) { _ = Product(Reader(), Reader()).listens }
    }
}
