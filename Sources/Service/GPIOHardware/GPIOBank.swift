import CGPIO
public import Hardware
import StateMachines
public import Turnstile

/// The line bank over real lines.
///
/// It holds its lines from the moment it is opened until it is closed or goes away, and leaves
/// every output at its safe level.
public final class GPIOBank: LineBank {
    /// The name that the kernel has for a service as a holder of lines.
    public static let consumer = "turnstiled"

    /// The capabilities of libgpiod and the kernel here.
    public let capabilities = Capabilities.ofLibgpiod

    private var outputs: [OutputRequest?]
    private var inputs: [Input: (request: InputRequest, offset: Int)] = [:]
    private let edges: EdgeMerge<InputRequest.Descriptor>
    private var unwired: [Output: Bool] = [:]

    /// The descriptors of inputs that the service manager does not keep yet, each with the name to
    /// keep it under. They stay the bank's.
    public let toKeep: [(name: String, descriptor: CInt)]

    /// Takes the lines of `wiring`: first the outputs, each at its safe level, then the inputs.
    /// Descriptors that were `kept` of these inputs are taken up, with their queued edges.
    ///
    /// Kept ones that do not fit, or whose chip is gone, are closed first and handed to `forget`:
    /// their lines are busy until the service manager has closed them as well.
    ///
    /// `consumer` is the holder's name in the kernel's line information. Throws `.missing` while
    /// there is no such chip, and `.notReady` while it must not be opened yet: the caller retries.
    public init(
        _ wiring: Wiring, consumer: String = consumer, kept: KeptRequests = KeptRequests(),
        forget: (String) -> Void = { _ in }
    ) throws(HardwareError) {
        guard cgpio_stamps_monotonic() else {
            throw HardwareError(
                .misconfigured,
                "this kernel stamps edges with the wall clock; libgpiod 1.6 needs Linux 5.7")
        }
        let chips = OpenChips()
        let plan = try RequestPlan(wiring, contents: chips.contents)
        let fitting = plan.namesOfHeldInputs(by: consumer, chips)
        kept.drop { !fitting.contains($0) }.forEach(forget)
        var outputs: [OutputRequest?] = Output.allCases.map { _ in nil }
        for planned in plan.outputs {
            outputs[planned.output.index] = try OutputRequest(
                planned, chip: chips.chip(of: planned.line), consumer: consumer)
        }
        var queues: [EdgeQueue<InputRequest.Descriptor>] = []
        for group in plan.inputGroups {
            let request = try InputRequest(
                group, chip: chips.chip(of: group[0].line), consumer: consumer, kept: kept,
                forget: forget)
            for planned in group { inputs[planned.input] = (request, planned.line.offset) }
            queues += request.descriptors.map { descriptor in
                // The kernel's depth, or more if that is small: it is read several times.
                EdgeQueue(
                    descriptor, room: max(64, cgpio_queue_depth()),
                    isNumbered: cgpio_numbers_events(),
                    keptDepth: descriptor.isKept ? cgpio_queue_depth() : nil)
            }
        }
        kept.drop { _ in true }
        self.outputs = outputs
        toKeep = queues.map(\.source).filter { !$0.isKept }.map { ($0.name, $0.descriptor) }
        edges = EdgeMerge(queues) { Instant(nanoseconds: cgpio_monotonic_now()) }
    }

    deinit {
        // A failure can no longer be reported.
        try? close()
    }

    /// Whether edges of this input from before the start are queued.
    public func wasKept(_ input: Input) -> Bool { inputs[input]?.request.wasKept(input) ?? false }

    /// One descriptor for all inputs of a chip, or with libgpiod 1.6 one for each input.
    public var descriptors: [CInt] { edges.descriptors }

    /// Hands over the events that wait, of all lines, in the order of time.
    public func takeEvents(
        at ready: [CInt], _ body: (LineEvent) -> Void
    ) throws(HardwareError) {
        try edges.take(at: ready, body)
    }

    /// The inputs that are active now.
    public func readInputs(_ failed: (Input, HardwareError) -> Void) -> InputLevels {
        var levels = InputLevels()
        for input in Input.allCases {
            guard let (request, offset) = inputs[input] else { continue }
            do throws(HardwareError) {
                levels[input] = try request.isActive(at: offset)
            } catch {
                failed(input, error)
            }
        }
        return levels
    }

    public func set(_ output: Output, energised: Bool) throws(HardwareError) {
        if let request = outputs[output.index] {
            try request.set(energised: energised)
        } else {
            unwired[output] = energised
        }
    }

    /// The outputs whose lines carry "energised" now.
    public func readOutputs(_ failed: (Output, HardwareError) -> Void) -> OutputSet {
        var energised = OutputSet(unwired.keys.filter { unwired[$0] == true })
        for output in Output.allCases {
            guard let request = outputs[output.index] else { continue }
            do throws(HardwareError) {
                energised[output] = try request.isEnergised()
            } catch {
                failed(output, error)
            }
        }
        return energised
    }

    /// Drives every output to its safe level, then gives all lines back.
    public func close() throws(HardwareError) {
        var first: HardwareError?
        for output in Output.allCases {
            do {
                let request = outputs[output.index]
                try request?.set(energised: false)
            } catch {
                first = first ?? error
            }
        }
        edges.close()
        inputs = [:]
        outputs = Output.allCases.map { _ in nil }
        unwired = [:]
        if let first { throw first }
    }
}

extension RequestPlan {
    /// The names of kept descriptors whose lines are all held by `consumer`.
    fileprivate func namesOfHeldInputs(by consumer: String, _ chips: OpenChips) -> Set<String> {
        var names: Set<String> = []
        for group in inputGroups {
            let chip = chips.chip(of: group[0].line)
            for (name, inputs) in InputRequest.parts(of: group, on: chip)
            where inputs.allSatisfy({ chip.isHeld($0.line, by: consumer) }) {
                names.insert(name.description)
            }
        }
        return names
    }
}

extension Chip {
    fileprivate func isHeld(_ line: LineIdentity, by consumer: String) -> Bool {
        guard let state = try? self.line(at: line.offset) else { return false }
        return state.isUsed && state.consumer == consumer
    }
}
