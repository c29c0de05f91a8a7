import CGPIO
public import Hardware
import StateMachines
public import Turnstile

/// The line bank over real lines.
///
/// It holds its lines from the moment it is opened until it is closed or goes away, and leaves
/// every output at its safe level.
public final class GPIOBank: LineBank {
    /// How often the descriptors are read, at most, to find edges in the order of time.
    private static let mostRounds = 4

    /// What libgpiod and the kernel can do here.
    public let capabilities = Capabilities(
        // Sound: the library's version is a string literal.
        name: unsafe "libgpiod \(String(cString: cgpio_library_version()))",
        debounces: cgpio_debounces(), detectsLostEdges: cgpio_numbers_events())

    private var outputs: [Output: OutputRequest] = [:]
    private var inputs: [Input: (request: InputRequest, offset: Int)] = [:]
    private var queues: [EdgeQueue] = []
    private var unwired: [Output: Bool] = [:]

    /// Takes the lines of `wiring`: first the outputs, each at its safe level, then the inputs.
    ///
    /// `consumer` is what the kernel tells others about who holds the lines. Throws `.notReady`
    /// while the chip is not there or must not be opened yet; trying again is up to the caller.
    public init(_ wiring: Wiring, consumer: String = "turnstiled") throws(HardwareError) {
        guard cgpio_stamps_monotonic() else {
            throw HardwareError(
                .misconfigured,
                "this kernel stamps edges with the wall clock; libgpiod 1.6 needs Linux 5.7"
            )
        }
        let chips = OpenChips()
        let plan = try RequestPlan(wiring, contents: chips.contents)
        for planned in plan.outputs {
            outputs[planned.output] = try OutputRequest(
                planned, chip: chips.chip(of: planned.line), consumer: consumer)
        }
        for group in plan.inputGroups {
            let request = try InputRequest(
                group, chip: chips.chip(of: group[0].line), consumer: consumer)
            for planned in group { inputs[planned.input] = (request, planned.line.offset) }
            for index in request.descriptors.indices {
                queues.append(EdgeQueue(request, descriptor: index))
            }
        }
    }

    deinit {
        // Nobody is left to hear of a failure.
        try? close()
    }

    /// One descriptor for all inputs of a chip, or with libgpiod 1.6 one for each input.
    public var descriptors: [CInt] { queues.map(\.descriptor) }

    /// Hands over the events that wait, of all lines, in the order of time.
    public func takeEvents(_ body: (LineEvent) -> Void) throws(HardwareError) {
        try fillQueues()
        while let index = queueOfOldest() { queues[index].takeOldest(body) }
    }

    /// Reads what waits.
    ///
    /// With several descriptors, an edge can come to one that has just been read, and a later one
    /// to another that is read next. So they are read again while edges come that are newer than
    /// the round, which a storm cannot make last.
    private func fillQueues() throws(HardwareError) {
        for _ in 0..<(queues.count > 1 ? Self.mostRounds : 1) {
            let start = Instant(nanoseconds: cgpio_monotonic_now())
            var newest = start
            for index in queues.indices {
                try queues[index].fill()
                newest = max(newest, queues[index].newest ?? start)
            }
            if newest == start { return }
        }
    }

    /// The queue with the oldest edge, or nil when all are empty.
    private func queueOfOldest() -> Int? {
        var oldest: (index: Int, time: Instant)?
        for index in queues.indices {
            guard let time = queues[index].oldest else { continue }
            if oldest.map({ time < $0.time }) ?? true { oldest = (index, time) }
        }
        return oldest?.index
    }

    /// Whether `input` is active now.
    public func isActive(_ input: Input) throws(HardwareError) -> Bool {
        guard let (request, offset) = inputs[input] else { return false }
        return try request.isActive(at: offset)
    }

    /// Drives `output`.
    public func set(_ output: Output, energised: Bool) throws(HardwareError) {
        if let request = outputs[output] {
            try request.set(energised: energised)
        } else {
            unwired[output] = energised
        }
    }

    /// Whether the line of `output` carries "energised" now.
    public func isEnergised(_ output: Output) throws(HardwareError) -> Bool {
        if let request = outputs[output] {
            try request.isEnergised()
        } else {
            unwired[output] ?? false
        }
    }

    /// Drives every output to its safe level, then gives all lines back.
    public func close() throws(HardwareError) {
        var first: HardwareError?
        for output in Output.allCases {
            do {
                try outputs[output]?.set(energised: false)
            } catch {
                first = first ?? error
            }
        }
        queues = []
        inputs = [:]
        outputs = [:]
        unwired = [:]
        if let first { throw first }
    }
}
