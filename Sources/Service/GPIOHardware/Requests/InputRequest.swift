import CGPIO
import Hardware
import Turnstile

/// The input lines of one chip, from their request to the end of this object.
// Sound: the handle is made in init, freed in deinit alone, and never leaves this object; the
// chip that it comes from is held until then.
@safe final class InputRequest {
    let inputs: [PlannedInput]
    /// The names under which the descriptors are kept, and whether each was.
    fileprivate let names: [(name: RequestName, isKept: Bool)]
    fileprivate let roles: [Input?]
    fileprivate let chip: Chip
    fileprivate let handle: OpaquePointer

    /// Takes the lines and has their edges reported; those whose descriptor was kept are taken up
    /// with the edges that wait there. Where that fails, they are dropped.
    init(
        _ inputs: [PlannedInput], chip: Chip, consumer: String, kept: KeptRequests,
        forget: (String) -> Void
    ) throws(HardwareError) {
        let wanted = inputs.map(cgpio_input.init)
        let names = Self.parts(of: inputs, on: chip).map(\.name)
        let descriptors = names.map { kept[$0.description] ?? -1 }
        var error = unsafe cgpio_error()
        // Sound: the chip is open, and the call keeps neither the arrays, the text nor the error.
        let handle = unsafe cgpio_inputs_request(
            chip.handle, consumer, wanted, wanted.count, descriptors, &error)
        guard let handle = unsafe handle else {
            let failure = unsafe CallFailure(error)
            let used = zip(names, descriptors).filter { $1 >= 0 }.map(\.0.description)
            if failure.kind != .busy, !used.isEmpty {
                kept.drop(where: used.contains).forEach(forget)
                throw HardwareError(
                    .notReady,
                    "the inputs on \(chip.identity) that were kept do not work any more: "
                        + "\(failure.call): \(failure.reason)")
            }
            throw chip.refusal(
                failure, to: inputs.map { (.input($0.input), $0.line) },
                hasBias: inputs.contains { $0.bias != .asIs })
        }
        self.inputs = inputs
        self.names = zip(names, descriptors).map { ($0, $1 >= 0) }
        let lines = 1 + (inputs.map(\.line.offset).max() ?? 0)
        roles = inputs.reduce(into: Array(repeating: nil, count: lines)) { roles, planned in
            roles[planned.line.offset] = planned.input
        }
        self.chip = chip
        unsafe self.handle = handle
    }

    deinit {
        // Sound: nothing else frees the handle.
        unsafe cgpio_inputs_release(handle)
    }

    /// The inputs that share a descriptor, by descriptor, and its name.
    static func parts(
        of inputs: [PlannedInput], on chip: Chip
    ) -> [(name: RequestName, inputs: [PlannedInput])] {
        let isShared = cgpio_descriptors_of(inputs.count) == 1
        return (isShared ? [inputs] : inputs.map { [$0] }).map {
            (RequestName($0, on: chip.identity), $0)
        }
    }

    /// The descriptors, which stay the same: one for all lines, or one for each.
    var descriptors: [Descriptor] {
        // Sound: the handle is valid while this object lives.
        unsafe (0..<cgpio_inputs_descriptor_count(handle)).map { index in
            unsafe Descriptor(
                request: self, index: index, descriptor: cgpio_inputs_descriptor(handle, index))
        }
    }

    /// Whether the descriptor of this input was kept, with all edges since it was last read.
    func wasKept(_ input: Input) -> Bool {
        guard let index = inputs.firstIndex(where: { $0.input == input }) else { return false }
        return names[names.count == 1 ? 0 : index].isKept
    }

    func isActive(at offset: Int) throws(HardwareError) -> Bool {
        var error = unsafe cgpio_error()
        var isActive = false
        // Sound: the handle is valid while this object lives.
        guard unsafe cgpio_inputs_get(handle, CUnsignedInt(offset), &isActive, &error) else {
            throw unsafe failure(CallFailure(error))
        }
        return isActive
    }

    fileprivate func failure(_ failure: CallFailure) -> HardwareError {
        let planned = inputs.first { $0.line.offset == failure.offset }
        return HardwareError(
            .failed, line: (planned?.input).map(Line.input),
            "\(failure.call) failed on \(planned?.line.description ?? chip.identity.description): "
                + failure.reason)
    }
}

extension InputRequest {
    struct Descriptor: EdgeSource {
        fileprivate let request: InputRequest
        fileprivate let index: Int
        let descriptor: CInt
        var name: String { request.names[index].name.description }
        /// Whether it was, while no service ran.
        var isKept: Bool { request.names[index].isKept }

        func read(
            into events: UnsafeMutableBufferPointer<cgpio_event>
        ) throws(HardwareError) -> Int {
            var error = unsafe cgpio_error()
            // Sound: the request holds the handle, and the call writes to the end of the memory
            // at most.
            let count = unsafe cgpio_inputs_read(
                request.handle, index, events.baseAddress, events.count, &error)
            guard count >= 0 else { throw unsafe request.failure(CallFailure(error)) }
            return Int(count)
        }

        func input(at offset: CUnsignedInt) -> Input {
            if offset < request.roles.count, let input = request.roles[Int(offset)] {
                return input
            }
            preconditionFailure(
                "an edge on line \(offset) of \(request.chip.identity), which is not ours")
        }
    }
}

extension cgpio_input {
    fileprivate init(_ planned: PlannedInput) {
        let bias =
            switch planned.bias {
            case .asIs: CGPIO_BIAS_AS_IS
            case .disabled: CGPIO_BIAS_DISABLED
            case .pullUp: CGPIO_BIAS_PULL_UP
            case .pullDown: CGPIO_BIAS_PULL_DOWN
            }
        self.init(
            offset: CUnsignedInt(planned.line.offset), bias: bias, active_low: planned.activeLow,
            debounce_us: planned.debounceMicroseconds)
    }
}
