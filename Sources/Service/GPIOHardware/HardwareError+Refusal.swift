import Glibc
import Hardware
import Turnstile

extension Chip {
    /// The reason why a request for `lines` was refused: the holder of a busy one, or a missing
    /// capability of the chip.
    func refusal(
        _ failure: CallFailure, to lines: [(role: Line, line: LineIdentity)], hasBias: Bool = false
    ) -> HardwareError {
        if failure.kind == .busy {
            for (role, line) in lines {
                guard let state = try? self.line(at: line.offset), state.isUsed else { continue }
                return .held(state, for: role)
            }
        }
        let suspects = lines.filter { failure.offset == nil || $0.line.offset == failure.offset }
        return .refused(failure, to: suspects, hasBias: hasBias)
    }
}

extension HardwareError {
    static func held(_ state: LineState, for role: Line) -> HardwareError {
        let holder =
            state.consumer.isEmpty ? "an unnamed program" : "\"\(state.consumer)\""
        return HardwareError(.busy, line: role, "\(state.identity) is held by \(holder)")
    }

    /// The kernel refused the lines because of one of them.
    static func refused(
        _ failure: CallFailure, to lines: [(role: Line, line: LineIdentity)], hasBias: Bool
    ) -> HardwareError {
        let names = lines.map(\.line.description).joined(separator: ", ")
        let hint =
            switch failure.number {
            case EINVAL where hasBias: " (a bias takes Linux 5.5 or later)"
            case ENXIO: " (a line that cannot report edges)"
            case E2BIG: " (too many different biases, polarities and debounce times on one chip)"
            default: ""
            }
        return HardwareError(
            failure.kind, line: lines.count == 1 ? lines[0].role : nil,
            "\(failure.call) failed on \(names): \(failure.reason)\(hint)")
    }
}
