public import Controller
import Hardware
import Journal
import SimulatedHardware
import StateMachines
public import Turnstile

/// A gate, its service and its people, all from one seed.
public struct Simulation {
    /// What kind of day it is.
    public enum Day: Hashable, Sendable {
        /// Everybody pays and passes.
        case calm
        /// Anything may happen.
        case troubled
    }

    /// What a run came to.
    public struct Report: Hashable, Sendable {
        /// A digest of the journal and of the gate as it then stood.
        public var digest: UInt64
        /// How many people went through the rotor, by whatever means.
        public var passages: Int
        /// How much time passed at the gate.
        public var duration: Duration
        /// Whether the registers account for every coin in the box and for everybody who went
        /// through: on a calm day, on which no process ends, they must.
        public var isBalanced: Bool
    }

    /// A run in which something did not hold.
    public struct Failure: Error, CustomStringConvertible {
        /// What, and how to see it again, and what came before.
        public var description: String
    }

    /// How long nobody comes at the end of a day: until the last coin is counted.
    private static let evening: Duration = .seconds(60)

    private let seed: UInt64
    private let day: Day
    private let service: Service
    private let auditor: Auditor?
    private var crowd: Crowd

    private init(
        seed: UInt64, day: Day, isAudited: Bool, onEntry: ((JournalEntry) -> Void)?
    ) {
        self.seed = seed
        self.day = day
        var randomness = SplitMix64(seed: seed)
        let journal = SimulationJournal(isRead: isAudited || onEntry != nil)
        journal.onEntry = onEntry
        let installation = Installation(day, &randomness)
        let seed = randomness.next()
        // The smallest gate has no ledger, and no disk that fails.
        let disk = day == .calm ? nil : LedgerDisk(seed: seed)
        let states = day == .calm ? nil : StateDisk(seed: seed)
        service = Service(
            installation, seed: seed, disk: disk, states: states, journal: journal)
        auditor = isAudited ? Auditor(service) : nil
        crowd = Crowd(
            randomness, day: day, installation, start: service.now + .seconds(1))
    }

    /// Lets `deeds` be done at the gate that `seed` stands for.
    ///
    /// - Parameter isAudited: whether everything that must hold is looked at all the time.
    /// - Throws: what did not hold, with the end of the story that led there.
    public static func run(
        seed: UInt64, deeds: Int, day: Day = .troubled, isAudited: Bool = true
    ) throws(Failure) -> Report {
        try run(seed: seed, deeds: deeds, day: day, isAudited: isAudited, onEntry: nil)
    }

    /// Lets `deeds` be done, and says which kinds of entries the journal then holds, by the names
    /// of their events.
    public static func kinds(seed: UInt64, deeds: Int) throws(Failure) -> Set<String> {
        var kinds: Set<String> = []
        _ = try run(seed: seed, deeds: deeds, day: .troubled, isAudited: false) { entry in
            if let kind = entry[.event] { kinds.insert(kind) }
        }
        return kinds
    }

    /// The turnstile of a calm day, and all that it hears of on it.
    public static func calmDay(
        seed: UInt64, deeds: Int
    ) throws(Failure) -> (turnstile: Turnstile, events: [Event]) {
        var simulation = Simulation(seed: seed, day: .calm, isAudited: false, onEntry: nil)
        let installation = simulation.service.installation
        var events: [Event] = []
        simulation.service.onEvent = { event, _, _ in events.append(event) }
        do throws(Violation) {
            for _ in 0..<deeds { try simulation.go { _ in } }
        } catch {
            throw Failure(description: error.description)
        }
        let turnstile = Turnstile(
            policy: installation.policy, equipment: installation.equipment,
            debounce: installation.wiring.debounce,
            maximumOnTimes: installation.wiring.maximumOnTimes)
        return (turnstile, events)
    }

    /// Lets `deeds` be done at the gate that `seed` stands for, and has `recorder` take the steps.
    public static func record(
        seed: UInt64, deeds: Int, day: Day = .troubled, on recorder: any StepRecorder
    ) throws(Failure) {
        var simulation = Simulation(seed: seed, day: day, isAudited: false, onEntry: nil)
        simulation.service.recorder = recorder
        do throws(Violation) {
            for _ in 0..<deeds { try simulation.go { _ in } }
            try simulation.pass(until: simulation.service.now + evening)
        } catch {
            throw Failure(description: error.description)
        }
    }

    private static func run(
        seed: UInt64, deeds: Int, day: Day, isAudited: Bool,
        onEntry: ((JournalEntry) -> Void)?
    ) throws(Failure) -> Report {
        var simulation = Simulation(seed: seed, day: day, isAudited: isAudited, onEntry: onEntry)
        do throws(Violation) {
            for _ in 0..<deeds { try simulation.go { _ in } }
            try simulation.pass(until: simulation.service.now + Self.evening)
            return simulation.report
        } catch {
            throw Failure(description: story(seed: seed, deeds: deeds, day: day))
        }
    }

    /// The whole of a run again, told.
    ///
    /// - Parameter lines: how many of its last lines are told.
    private static func story(seed: UInt64, deeds: Int, day: Day, lines: Int = 60) -> String {
        let story = Story()
        var simulation = Simulation(seed: seed, day: day, isAudited: true) {
            story.tell("    \($0.message)")
        }
        story.clock = { [service = simulation.service] in service.now }
        do throws(Violation) {
            for _ in 0..<deeds { try simulation.go { story.tell("\($0)") } }
            try simulation.pass(until: simulation.service.now + evening)
            preconditionFailure("what did not hold holds when it is told again")
        } catch {
            return """
                \(story.lines.suffix(lines).joined(separator: "\n"))
                \(error.description)
                TURNSTILED_SEED=\(seed) tells it again.
                """
        }
    }

    /// The next deed, and all that happens until then.
    private mutating func go(_ tell: (Deed) -> Void) throws(Violation) {
        let (time, deed) = crowd.nextDeed()
        try pass(until: time)
        tell(deed)
        auditor?.foresee(deed)
        service.perform(deed)
        try auditor?.look()
    }

    private func pass(until time: Instant) throws(Violation) {
        while service.now < time {
            service.advance(until: time, stepByStep: auditor != nil)
            try auditor?.look()
        }
    }

    private var report: Report {
        let world = service.world
        let registers = service.process?.controller.registers.sinceInit
        let passages = world.passages(.entry) + world.passages(.exit)
        return Report(
            digest: service.journal.digest,
            passages: passages,
            duration: service.now - Instant(nanoseconds: 1_000_000_000),
            isBalanced: registers.map {
                $0.passages.total == passages && $0.valueIn == world.valueInBox
            } ?? false)
    }
}

/// What happened, line by line.
private final class Story {
    private(set) var lines: [String] = []
    var clock: () -> Instant = { .zero }

    /// Adds a line, with the seconds since the beginning of time before it.
    func tell(_ text: String) {
        let milliseconds = clock().nanoseconds / 1_000_000
        lines.append("\(Double(milliseconds) / 1_000) \(text)")
    }
}
