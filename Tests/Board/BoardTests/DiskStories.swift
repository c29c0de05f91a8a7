import CrashImages
import Foundation
import Seeds
import Testing
import VirtualBoard

/// What the service has acted on is on its disk, whatever a loss of power takes of the rest.
@Suite(.onBoards)
struct DiskStories {
    /// How many images are made for each board: `make disk-test` asks for more.
    private static let images =
        ProcessInfo.processInfo.environment["TURNSTILED_DISK_IMAGES"].flatMap { Int($0) } ?? 200

    @Test(
        "power lost at any moment: nothing acted on is missing, and nothing is there twice",
        arguments: Debian.selected)
    func powerLost(on debian: Debian) async throws {
        let folder = URL(filePath: "/dev/shm/turnstiled-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let generator = SeededGenerator()
        let day = try await DiskDay.recorded(on: debian, in: folder)
        var proof = try await DiskProof(of: day, in: folder)
        let report = try await proof.examine(
            Self.images, chosenBy: generator,
            keeping: debian.work.appending(path: "failed-images"))
        print(
            """
            \(debian), \(generator): \(report.failed) of \(report.images) images do not hold \
            what they should. The disk was told \(day.log.entries.count) things; \
            \(report.sectorsLost) sectors were lost, \(report.facts) facts asked for.
            """)
        for failure in report.failures { Issue.record("\(failure)") }
        #expect(report.failed == 0)
        #expect(report.images == Self.images)
    }
}
