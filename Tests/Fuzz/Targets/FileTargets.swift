import Glibc
import Keeping
import StateMachines
import Turnstile

@testable import Audit
@testable import Ledger
@testable import Retention

/// What outlives the process: the text of a slot, whose checksum is right.
enum StateTarget: FuzzTarget {
    static let name = "state"

    /// Behind the text stand eight digits and a line feed.
    private static let room = StateSlot.size - 9

    static func take(_ bytes: [UInt8]) {
        let text = bytes.prefix(room - 1)
        let filled = text + [UInt8](repeating: 0, count: room - text.count)
        let digits = String(CRC32.checksum(of: filled), radix: 16)
        let checksum = String(repeating: "0", count: 8 - digits.count) + digits + "\n"
        guard let slot = try? StateSlot(ArraySlice(filled + Array(checksum.utf8))) else { return }
        guard let again = try? StateSlot(slot.bytes[...]), again == slot else {
            fail("\(slot) reads as another one")
        }
    }
}

/// A ledger's file: it is verified, and told of in a report.
enum LedgerTarget: FuzzTarget {
    static let name = "ledger"

    private static let path: String = {
        // Sound: Swift lends the path.
        let folder = unsafe access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
        return "\(folder)/turnstiled-fuzz-\(getpid()).db"
    }()

    static func take(_ bytes: [UInt8]) {
        write(bytes)
        defer { unsafe unlink(path) }  // Sound, like all below: Swift lends the path.
        let reader = LedgerReader(path: path)
        do throws(LedgerError) {
            _ = try LedgerVerification().verify(reader)
            let snapshot = try reader.open()
            for grouping in Report.Grouping.allCases {
                _ = try? Report(
                    of: snapshot, .times(from: nil, to: nil), by: grouping,
                    clock: LocalClock { _ in 3_600 })
            }
        } catch {
            if error.problem.isEmpty { fail("refused, and nothing is wrong") }
        }
    }

    private static func write(_ bytes: [UInt8]) {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        // Sound: Swift lends the bytes for the call.
        guard descriptor >= 0, unsafe Glibc.write(descriptor, bytes, bytes.count) == bytes.count
        else { fail("\(path) cannot be written") }
        close(descriptor)
    }
}
