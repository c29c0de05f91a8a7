import Foundation
import Testing
import VirtualBoard

extension Board {
    /// Keeps what the service has recorded in a story, named after its test, in the folder that
    /// `TURNSTILED_BOARD_TRACES` names; nothing where it names none. With what leads to them beside
    /// them, those that tell of something are kept in Tests/Traces.
    nonisolated(nonsending) func keepTrace() async throws {
        guard let folder = ProcessInfo.processInfo.environment["TURNSTILED_BOARD_TRACES"],
            let test = Test.current
        else { return }
        let story = test.name.prefix { $0 != "(" }.map { letter in
            letter.isUppercase ? "_\(letter.lowercased())" : "\(letter)"
        }
        // What is recorded is in the files once it has stopped. There are stories that leave none,
        // or a board without power.
        let kept = try? await run(
            """
            systemctl stop turnstiled
            turnstilectl trace cut -o /tmp/kept.trace
            """, within: .seconds(120))
        guard kept?.status == 0 else { return }
        let file = "board-\(debian)-\(story.joined()).trace"
        try await get("/tmp/kept.trace").write(to: URL(filePath: folder).appending(path: file))
    }
}
