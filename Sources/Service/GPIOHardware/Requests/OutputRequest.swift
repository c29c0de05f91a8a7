import CGPIO
import Hardware
import Turnstile

/// An output line that is ours, from its request to the end of this object.
// Sound: the handle is made in init, freed in deinit alone, and never leaves this object; the
// chip that it comes from is held until then.
@safe final class OutputRequest {
    private let planned: PlannedOutput
    private let chip: Chip
    private let handle: OpaquePointer

    /// Requests the line and drives it to its safe level in one call; with `asIs` it keeps its
    /// level.
    init(
        _ planned: PlannedOutput, chip: Chip, consumer: String, asIs: Bool = false
    ) throws(HardwareError) {
        var error = unsafe cgpio_error()
        let offset = CUnsignedInt(planned.line.offset)
        // Sound: the chip is open, and the calls keep neither the text nor the error.
        let handle =
            asIs
            ? unsafe cgpio_output_request_as_is(
                chip.handle, consumer, offset, planned.activeLow, &error)
            : unsafe cgpio_output_request(
                chip.handle, consumer, offset, planned.activeLow, false, &error)
        guard let handle = unsafe handle else {
            throw unsafe chip.refusal(
                CallFailure(error), to: [(.output(planned.output), planned.line)])
        }
        self.planned = planned
        self.chip = chip
        unsafe self.handle = handle
    }

    deinit {
        // Sound: nothing else frees the handle.
        unsafe cgpio_output_release(handle)
    }

    @inline(__always) func set(energised: Bool) throws(HardwareError) {
        var error = unsafe cgpio_error()
        // Sound: the handle is valid while this object lives.
        guard unsafe cgpio_output_set(handle, energised, &error) else {
            throw unsafe failure(CallFailure(error))
        }
    }

    func isEnergised() throws(HardwareError) -> Bool {
        var error = unsafe cgpio_error()
        var isEnergised = false
        // Sound: the handle is valid while this object lives.
        guard unsafe cgpio_output_get(handle, &isEnergised, &error) else {
            throw unsafe failure(CallFailure(error))
        }
        return isEnergised
    }

    private func failure(_ failure: CallFailure) -> HardwareError {
        HardwareError(
            .failed, line: .output(planned.output),
            "\(failure.call) failed on \(planned.line): \(failure.reason)")
    }
}
