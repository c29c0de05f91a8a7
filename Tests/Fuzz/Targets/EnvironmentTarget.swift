import Glibc
import Keeping
import StateMachines

@testable import Journal
@testable import System

/// What whoever starts the service tells it in the environment, and what an earlier start has left
/// in the folder that lasts until the next boot: a line each.
///
/// Nothing else is read of systemd, whose sockets are only written to.
enum EnvironmentTarget: FuzzTarget {
    static let name = "environment"

    /// What a boot's identifier is spelled with.
    private static let allowed = Set("0123456789abcdefABCDEF-".utf8)

    static func take(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
            .map(String.init)
        checkBootID(lines[0])
        checkWatchdog(lines[0], process: lines.count > 1 ? lines[1] : nil)
        _ = isJournal(STDERR_FILENO, variable: text)
        _ = usesColour(isTerminal: true, noColour: nil, terminal: text)
        checkAddress(text)
        if let told = Recurrence(text: text), Recurrence(text: told.text) != told {
            fail("\(told) reads as another one")
        }
    }

    private static func checkBootID(_ told: String) {
        let identifier = bootID(told: told)
        let isSpelledSo = identifier.utf8.allSatisfy { allowed.contains($0) }
        guard identifier == "unknown" || isSpelledSo && (1...64).contains(identifier.utf8.count)
        else { fail("no boot's: \(identifier.debugDescription)") }
    }

    private static func checkWatchdog(_ interval: String, process: String?) {
        // Sound, all of it: the texts are copied, and this process has one thread.
        unsafe setenv("WATCHDOG_USEC", interval, 1)
        if let process {
            unsafe setenv("WATCHDOG_PID", process, 1)
        } else {
            unsafe unsetenv("WATCHDOG_PID")
        }
        do throws(SystemError) {
            let manager = try SystemdServiceManager()
            if let interval = manager.watchdogInterval, interval <= .zero {
                fail("a watchdog of \(interval)")
            }
        } catch {
            if error.description.isEmpty { fail("refused, and nothing is wrong") }
        }
    }

    private static func checkAddress(_ path: String) {
        do throws(SystemError) {
            // Sound: nothing is done with the pointer.
            let length = try unsafe LocalAddress(path: path).withPointer { _, length in length }
            guard Int(length) <= MemoryLayout<sockaddr_un>.size else {
                fail("an address of \(length) bytes")
            }
        } catch {
            if path.utf8.count < 107 { fail("refused, and is short enough: \(error)") }
        }
    }
}
