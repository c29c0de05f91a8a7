public import Hardware
public import StateMachines
import System
public import Turnstile

/// The lines of a simulated gate.
///
/// In virtual time a test moves the clock; in real time the bank follows `CLOCK_MONOTONIC`, and
/// its descriptor wakes the caller when the world has something to do, and only then.
public final class SimulatedBank: LineBank {
    /// What moves the bank's clock.
    public enum Pace: Hashable, Sendable {
        /// ``SimulatedBank/advance(to:)``. The bank's descriptor is -1, which is never readable:
        /// ``SimulatedBank/nextWakeUp`` says when to look.
        case virtual
        /// The machine's monotonic clock, or a time that is faster by it.
        case clock(Timescale)

        public static let realTime = Pace.clock(.real)
    }

    /// The gate, as it stood when the bank was last used.
    public private(set) var world: World
    /// How many events the bank holds for its user; as in the kernel, 16 for each line.
    public let capacity: Int
    /// A bank that debounces nothing, and that notices every lost edge.
    public let capabilities = Capabilities(
        name: "simulation", debounces: false, detectsLostEdges: true)
    /// One descriptor while the bank is open.
    public private(set) var descriptors: [CInt]

    /// The roles that are wired: none once the bank is closed.
    public private(set) var equipment: Equipment
    private var clock: (timescale: Timescale, timer: MonotonicTimer)?
    private var unwiredEnergised = OutputSet()
    private var waiting: [LineEvent] = []
    /// A reused buffer.
    private var taken: [LineEvent] = []
    private var dropped = 0

    /// Outputs are de-energised. In real time the world's clock first catches up with the
    /// machine's; throws where the kernel has no timer for that.
    public init(
        _ world: World, wiring: Wiring, pace: Pace = .virtual
    ) throws(HardwareError) {
        self.world = world
        equipment = wiring.equipment
        capacity = 16 * max(1, wiring.inputs.count)
        switch pace {
        case .virtual:
            descriptors = [-1]
        case .clock(let timescale):
            do throws(SystemError) {
                let timer = try MonotonicTimer()
                clock = (timescale, timer)
                descriptors = [timer.descriptor]
            } catch {
                throw HardwareError(.failed, "simulation: \(error)")
            }
        }
        for output in Output.allCases { happen(.outputDriven(output, energised: false)) }
        catchUp()
        // Events from before the bank was opened are not for its user.
        waiting.removeAll()
        dropped = 0
        setTimer()
    }

    /// The bank's present: the machine's monotonic time, or where a test has moved it.
    public var now: Instant { clock?.timescale.now ?? world.now }

    /// When the bank next has something to say or to do: at once while events wait.
    public var nextWakeUp: Instant? { waiting.isEmpty ? world.deadline : world.now }

    /// Moves a virtual clock on; a moment that has passed changes nothing.
    public func advance(to moment: Instant) {
        precondition(clock == nil, "in real time the clock moves by itself")
        happen(.timePassed(until: moment))
    }

    /// Moves a virtual clock on to `moment`, or to the first at which a line reports something.
    public func pass(until moment: Instant) {
        precondition(clock == nil, "in real time the clock moves by itself")
        while waiting.isEmpty, world.now < moment {
            change { $0.pass(until: moment, into: &$1) }
        }
    }

    /// Lets something happen in the world now.
    public func perform(_ event: World.Event) {
        catchUp()
        happen(event)
    }

    /// Hands over the events that wait, oldest first. Events beyond ``capacity`` have pushed out
    /// the oldest ones; their loss is reported first.
    public func takeEvents(
        at ready: [CInt], _ body: (LineEvent) -> Void
    ) throws(HardwareError) {
        catchUp()
        var events = taken
        taken = []
        swap(&events, &waiting)
        let lost = dropped
        dropped = 0
        if let next = events.first, lost > 0 { body(.lost(count: lost, at: next.time)) }
        for event in events { body(event) }
        events.removeAll(keepingCapacity: true)
        taken = events
        setTimer()
    }

    /// The inputs that are active now; those cannot be read that are broken.
    public func readInputs(_ failed: (Input, HardwareError) -> Void) -> InputLevels {
        catchUp()
        let unreadable = world.defects.unreadable.intersection(equipment.inputs)
        for input in unreadable.isEmpty ? [] : Input.allCases where unreadable[input] {
            failed(
                input,
                HardwareError(
                    .failed, line: .input(input),
                    "simulation: line \(input.name) cannot be read: it was broken on purpose"))
        }
        return world.levels.intersection(equipment.inputs).subtracting(unreadable)
    }

    /// Drives the line of `output`.
    /// - Throws: while the line is broken.
    public func set(_ output: Output, energised: Bool) throws(HardwareError) {
        guard equipment.outputs[output] else {
            unwiredEnergised[output] = energised
            return
        }
        catchUp()
        if world.defects.contains(.undrivable(output)) {
            throw HardwareError(
                .failed, line: .output(output),
                "simulation: line \(output.name) cannot be driven: it was broken on purpose")
        }
        happen(.outputDriven(output, energised: energised))
    }

    /// The outputs whose lines carry "energised", even where they do not follow.
    public func readOutputs(_ failed: (Output, HardwareError) -> Void) -> OutputSet {
        let wired = equipment.outputs
        return world.energised.intersection(wired).union(unwiredEnergised.subtracting(wired))
    }

    /// De-energises every output and gives all lines back. The ``world`` stays as it then is.
    /// - Throws: where an output could not be driven, when all have been tried.
    public func close() throws(HardwareError) {
        var failure: HardwareError?
        for output in Output.allCases where equipment.outputs[output] {
            do throws(HardwareError) {
                try set(output, energised: false)
            } catch {
                failure = failure ?? error
            }
        }
        equipment = Equipment(inputs: InputLevels(), outputs: OutputSet())
        waiting = []
        descriptors = []
        clock = nil
        if let failure { throw failure }
    }
}

extension SimulatedBank {
    /// In real time, lets the world reach the present.
    private func catchUp() {
        guard let clock else { return }
        happen(.timePassed(until: clock.timescale.now))
    }

    private func setTimer() {
        guard let (timescale, timer) = clock else { return }
        timer.arm(at: nextWakeUp.map(timescale.real))
    }

    /// Applies an event, and queues the reports of the wired lines.
    private func happen(_ event: World.Event) {
        change { $0.handle(event, into: &$1) }
    }

    @inline(__always)
    private func change(_ body: (inout World, inout [LineEvent]) -> Void) {
        // Not in place: an access that lasts as long as the call is checked at run time.
        var events: [LineEvent] = []
        swap(&events, &waiting)
        let before = events.count
        body(&world, &events)
        if events.count > before { sort(&events, from: before) }
        swap(&events, &waiting)
        setTimer()
    }

    /// Drops events of unwired lines, and the oldest if there are too many.
    private func sort(_ events: inout [LineEvent], from start: Int) {
        let wired = equipment.inputs
        var end = start
        for index in start..<events.count where events[index].isOf(wired) {
            events[end] = events[index]
            end += 1
        }
        if end < events.count { events.removeLast(events.count - end) }
        guard end > capacity else { return }
        dropped += end - capacity
        events.removeFirst(end - capacity)
    }
}

extension LineEvent {
    /// Whether it is the edge of one of these lines, or a loss, which may be of any.
    fileprivate func isOf(_ inputs: InputLevels) -> Bool {
        switch self {
        case .edge(let input, _, _): inputs[input]
        case .lost: true
        }
    }
}
