import Foundation
import SystemFixtures
import Testing

@testable import System

@Suite struct VolatileFileSystemTests {
    /// Where the kernel says that this machine has file systems of a kind.
    static func folders(of kind: String) throws -> [String] {
        try String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)
            .split(separator: "\n").map { $0.split(separator: " ") }
            .filter { $0[2] == kind }.map { String($0[1]) }
    }

    @Test func `a file in memory is volatile, its folders made or not`() throws {
        for folder in try Self.folders(of: "tmpfs") where has(folder) {
            #expect(isOnVolatileFileSystem("\(folder)/ledger.db"))
            #expect(isOnVolatileFileSystem("\(folder)/no such/folder/ledger.db"))
        }
        #expect(!isOnVolatileFileSystem("/proc/ledger.db"))
        #expect(!isOnVolatileFileSystem("/proc/no such/folder/ledger.db"))
    }

    @Test func `a path of which nothing is there is judged by the root`() {
        #expect(isOnVolatileFileSystem("/nowhere/x.db") == isOnVolatileFileSystem("/"))
    }
}
