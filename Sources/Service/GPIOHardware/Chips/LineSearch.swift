import Hardware
import Turnstile

/// A chip with its lines, by offset.
struct ChipContents: Hashable {
    var identity: ChipIdentity
    var lines: [LineState]

    /// Finds the line of `selector`. `role` is for the error.
    func find(_ selector: LineSelector, for role: Line) throws(HardwareError) -> LineIdentity {
        switch selector {
        case .offset(let offset):
            guard lines.indices.contains(offset) else {
                throw HardwareError(
                    .misconfigured, line: role,
                    "\(identity) has no line \(offset): its lines are 0 to \(lines.count - 1)")
            }
            return lines[offset].identity
        case .name(let name):
            let matches = lines.map(\.identity).filter { $0.name == name }
            guard let match = matches.first else { throw unknown(name, for: role) }
            guard matches.count == 1 else {
                let offsets = matches.map { String($0.offset) }.joined(separator: ", ")
                throw HardwareError(
                    .misconfigured, line: role,
                    "\(matches.count) lines of \(identity) are named \"\(name)\": "
                        + "select one by its offset (\(offsets))")
            }
            return match
        }
    }

    /// That no line is named `name`, and which one may have been meant.
    private func unknown(_ name: String, for role: Line) -> HardwareError {
        let names = lines.map(\.identity.name).filter { !$0.isEmpty }
        let hint =
            if let offset = Int(name), lines.indices.contains(offset) {
                "line \(offset) is written without quotes: \(offset)"
            } else if names.isEmpty {
                "none of its lines has a name"
            } else if let nearest = Spelling.nearest(to: name, among: names) {
                "did you mean \"\(nearest)\"?"
            } else {
                "its named lines are \(names.joined(separator: ", "))"
            }
        return HardwareError(
            .misconfigured, line: role, "no line of \(identity) is named \"\(name)\" (\(hint))")
    }
}
