import Audit
import Controller
import Foundation
import StateMachines
import System
import Testing
import Turnstile

@testable import Trace
@testable import turnstilectl

/// Times of a recording are those that the gate's clock showed.
@Suite struct TraceTimeTests {
    /// A page that begins so many seconds after the first, with local time so far ahead.
    private static func page(_ seconds: Int, hoursAhead hours: Int) -> [UInt8] {
        let time = Instant.zero + .seconds(seconds)
        let state = PageState(
            time: time,
            clock: ClockOffset(utc: .seconds(1_792_882_800), local: hours * 3_600),
            version: 0, machine: Fields(), shell: Fields())
        var page = PageWriter()
        let head = Frame.bytes(.state, page.state(state))
        page.beginFrame()
        page.append(.event(Event(.durable, at: time), .handled))
        return head + Frame.bytes(.steps, page.content)
    }

    @Test func `a step of the clock is found when the journal tells of it`() throws {
        let clock = ClockOffset(utc: .seconds(1_792_882_800), local: 7_200)
        let state = PageState(
            time: .zero, clock: clock, version: 0, machine: Fields(), shell: Fields())
        var page = PageWriter()
        let head = Frame.bytes(.state, page.state(state))
        page.beginFrame()
        let step = Event(.clockStepped(by: .seconds(86_400)), at: .zero + .seconds(5))
        page.append(.event(step, .handled))
        let bytes =
            TraceFormat.firstLine + Frame.bytes(.header, RecordedIncident.header().fields)
            + head + Frame.bytes(.steps, page.content)
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).trace")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let shown = try Command("trace", "show", file.path, "--since", "2026-10-26T01:00", at: nil)
        #expect(shown.code == 0 && shown.output.contains("\n01:00:05.000000  clock_stepped"))
        let recording = try Recording(path: file.path)
        #expect(recording.extent.contains("2026-10-25 01:00 to 2026-10-26 01:00:05"))
    }

    @Test func `on the night on which the clock is put back each hour has its own`() throws {
        // 2026-10-24 23:00 UTC; two hours ahead for two hours, one hour from then on.
        let header = Frame.bytes(.header, RecordedIncident.header().fields)
        let pages = [(0, 2), (7_200, 1), (20_000, 1)].flatMap { Self.page($0, hoursAhead: $1) }
        let file = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).trace")
        try Data(TraceFormat.firstLine + header + pages).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let recording = try Recording(path: file.path)
        let start = Duration.seconds(1_792_882_800)
        let shown = [0, 3_600, 7_200, 10_800].map {
            recording.clock.text(of: start + .seconds($0))
        }
        #expect(
            shown == [
                "2026-10-25 01:00", "2026-10-25 02:00+02:00", "2026-10-25 02:00+01:00",
                "2026-10-25 03:00",
            ])
        let since = try TraceTime.read("2026-10-25T01:30").time(in: recording)
        #expect(since == start + .seconds(1_800))
        let after = try TraceTime.read("2026-10-25T03:30").time(in: recording)
        #expect(after == start + .seconds(12_600))
    }
}
