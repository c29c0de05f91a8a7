import Glibc
import Hardware
import System
import Turnstile

/// Descriptors of input lines that were kept open while no service ran, by the names under which
/// they were kept: edges that came meanwhile wait at them. Outputs are never among them.
///
/// It holds them until the bank has lines, however often that is tried: a line whose descriptor is
/// kept elsewhere as well can be had in no other way.
public final class KeptRequests {
    private var descriptors: [String: CInt] = [:]

    /// The descriptors belong to this object from now on. Of two of one name the first counts.
    public init(_ descriptors: [(name: String, descriptor: CInt)] = []) {
        for (name, descriptor) in descriptors {
            if self.descriptors[name] == nil {
                self.descriptors[name] = descriptor
            } else {
                close(descriptor)
            }
        }
    }

    deinit { drop(where: { _ in true }) }

    package var names: Set<String> { Set(descriptors.keys) }

    subscript(name: String) -> CInt? { descriptors[name] }

    /// Closes the descriptors for which `isDropped` holds, and returns their names, in order.
    @discardableResult
    func drop(where isDropped: (String) -> Bool) -> [String] {
        let dropped = descriptors.keys.filter(isDropped).sorted()
        for name in dropped {
            if let descriptor = descriptors.removeValue(forKey: name) { close(descriptor) }
        }
        return dropped
    }
}

/// The name of a kept descriptor: unique for its lines, roles and settings.
struct RequestName: Hashable, CustomStringConvertible {
    /// The name, as a service manager takes it.
    let description: String

    init(_ inputs: some Collection<PlannedInput>, on chip: ChipIdentity) {
        var digest = Digest()
        digest.add("1 \(chip) \(chip.lineCount)")
        for planned in inputs {
            let line = planned.line
            digest.add(
                "\(planned.input.name) \(line.offset) \(line.name) \(planned.activeLow) "
                    + "\(planned.bias) \(planned.debounceMicroseconds)")
        }
        description = "inputs-\(String(digest.value, radix: 16).zeroPadded(to: 16))"
    }

    /// FNV-1a: the same in every process, which Swift's own is not.
    private struct Digest {
        private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

        mutating func add(_ text: String) {
            for byte in text.utf8 + [0] {
                value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
            }
        }
    }
}
