import Foundation
import Testing

/// The daemon links no Foundation, which would cost 50 MB on the disk and 11 MB of memory.
///
/// This looks at the daemon that was built beside the tests, whose libraries are shared; `make
/// check-binary` looks at the one that is installed, in which they are parts of the program.
@Suite struct LinkageTests {
    /// The daemon that the build has left, for debugging or released.
    static let daemons = ["debug", "release"]
        .flatMap { [".build/\($0)/turnstiled", ".build/\($0)/turnstile-simulator"] }
        .compactMap { try? Data(contentsOf: Repository.root.appending(path: $0)) }

    @Test func `the daemon was built beside the tests`() { #expect(!Self.daemons.isEmpty) }

    @Test(arguments: ["libFoundation.so", "libFoundationEssentials.so", "libdispatch.so"])
    func `the daemon does without`(library: String) {
        for daemon in Self.daemons {
            // A program holds the names of the libraries that it wants loaded.
            #expect(daemon.range(of: Data("libc.so.6\0".utf8)) != nil)
            #expect(daemon.range(of: Data("\(library)\0".utf8)) == nil)
        }
    }
}
