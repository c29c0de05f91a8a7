public import Keeping
public import StateMachines
public import Turnstile

/// A store on a virtual clock: it takes as long as the test says, fails when the test says, and
/// loses in a crash what a real one may lose.
public final class VirtualRecordStore: RecordStore {
    /// How often what is held was to be signed.
    public private(set) var signings = 0
    /// Readable, for the loop, while there are answers.
    public let descriptor: CInt = 1_000
    /// How long the next transaction takes.
    public var latency: () -> Duration
    /// Whether the medium takes nothing.
    public var isBroken = false
    /// What is durable, in order.
    public private(set) var durable: [Record] = []
    /// What is held for people by what is durable.
    public private(set) var balances = Balances()
    /// What was counted by what is durable.
    public private(set) var registers = Registers()

    /// How long after a failure the store tries again.
    private static let retryInterval: Duration = .seconds(1)

    private let loop: VirtualEventLoop
    private var waiting: [Record] = []
    private var asked = 0
    private var confirmed = 0
    /// How many records were left, and what somebody else than the gate wants confirmed.
    private var left: Int64 = 0
    private var number: UInt64?
    private var answers: [(told: StoreAnswer, asked: Int)] = []
    /// Whether a transaction is under way, or the next attempt is waited for.
    private var isBusy = false
    /// How many records are in the transaction.
    private var underWay = 0
    private var isFailing = false
    /// Whether it is open, and takes records.
    public private(set) var isOpen: Bool
    private var hasCrashed = false
    /// Whether a coin that was counted waits for the gate to take it over.
    private var isHeldBack = false

    /// A store that is empty, and takes so long for each transaction.
    ///
    /// - Parameters:
    ///   - opening: How long it takes until it is open, and says so, once the loop runs; nil for
    ///     one that is open from the start.
    public init(
        _ loop: VirtualEventLoop, opening: Duration? = nil,
        latency: @escaping () -> Duration = { .zero }
    ) {
        self.loop = loop
        self.latency = latency
        isOpen = opening == nil
        if let opening { open(after: opening) }
    }

    /// A store that begins with what was durable in `earlier`, which had crashed or was closed.
    ///
    /// - Parameters:
    ///   - opening: How long it takes until it is open; nil for one that is from the start.
    public init(
        _ loop: VirtualEventLoop, after earlier: VirtualRecordStore, opening: Duration? = nil
    ) {
        self.loop = loop
        isOpen = opening == nil
        latency = earlier.latency
        isBroken = earlier.isBroken
        durable = earlier.durable
        balances = earlier.balances
        registers = earlier.registers
        if let opening { open(after: opening) }
    }

    /// Opens after so long, or is tried again until the medium can.
    private func open(after delay: Duration) {
        loop.after(delay) { [weak self] in
            guard let self, !hasCrashed else { return }
            guard !isBroken else {
                if !isFailing { answer(.failed("the medium cannot be read"), asked) }
                isFailing = true
                return open(after: Self.retryInterval)
            }
            isOpen = true
            isHeldBack = Acceptor.allCases.contains { self.balances.counted[$0] != nil }
            answer(.opened(balances, registers), asked)
            if isFailing && waiting.isEmpty && confirmed == asked {
                isFailing = false
                answer(.durable, asked)
            }
            begin()
        }
    }

    /// Begins a transaction of all that waits, unless one is under way.
    public func write(_ records: [Record], at time: Instant, confirms: Bool) {
        waiting += records
        left += Int64(records.count)
        if confirms { asked += 1 }
        begin()
    }

    /// Has it told when all that waits is durable.
    public func confirm(_ number: UInt64) {
        self.number = number
        begin()
    }

    /// Begins with what was held back for a coin that was counted.
    public func takeOver() {
        isHeldBack = false
        begin()
    }

    /// Keeps in mind that what is held is to be signed: nobody reads these signatures.
    public func sign() { signings += 1 }

    /// Hands over the answers that wait.
    public func takeAnswers() -> [StoreAnswer] {
        defer { answers = [] }
        return answers.compactMap { $0.told == .durable && $0.asked < asked ? nil : $0.told }
    }

    /// The end of all: what is not durable never will be, unless it is that of the transaction
    /// under way, and the crash comes just after its end.
    public func crash(finishing finishesTransaction: Bool = false) {
        if finishesTransaction, isBusy, !isBroken { keep(underWay) }
        hasCrashed = true
    }

    /// The orderly end: all that waits is kept, where the medium takes it.
    public func close() {
        if isOpen && !isBroken { keep(waiting.count) }
        hasCrashed = true
    }

    /// Whether an answer is still to come, or to be taken.
    public var owesAnswer: Bool { confirmed < asked || !answers.isEmpty }

    private func begin() {
        guard isOpen, !isBusy, !isHeldBack, !waiting.isEmpty || confirmed < asked || number != nil
        else {
            return
        }
        isBusy = true
        underWay = waiting.count
        let asked = asked
        loop.after(latency()) { [weak self] in self?.end(asked) }
    }

    private func end(_ asked: Int) {
        guard !hasCrashed else { return }
        isBusy = false
        guard !isBroken else { return fail(asked) }
        keep(underWay)
        if isFailing || confirmed < asked { answer(.durable, asked) }
        isFailing = false
        confirmed = asked
        if let number, waiting.isEmpty {
            self.number = nil
            answer(.confirmed(number, first: Int64(durable.count) + 1 - left), asked)
        }
        begin()
    }

    private func keep(_ count: Int) {
        for record in waiting.prefix(count) {
            durable.append(record)
            balances.count(record)
            registers.count(record)
        }
        waiting.removeFirst(count)
    }

    private func fail(_ asked: Int) {
        if !isFailing { answer(.failed("the medium takes nothing"), asked) }
        isFailing = true
        isBusy = true
        underWay = 0
        loop.after(Self.retryInterval) { [weak self] in
            guard let self, !hasCrashed else { return }
            isBusy = false
            begin()
        }
    }

    private func answer(_ told: StoreAnswer, _ asked: Int) {
        answers.append((told, asked))
        loop.makeReadable(descriptor)
    }
}
