import Testing
import VirtualBoard

/// The virtual board keeps what the stories rely on.
@Suite(.onBoards)
struct BoardItselfTests {
    @Test("a board that is resumed is as it was saved", arguments: Debian.selected)
    func snapshot(on debian: Debian) async throws {
        let snapshot = try await Snapshots.prepared("board-itself", debian) { board in
            try await board.put("as it was\n", at: "/run/saved")
        }
        try await Board.with(debian, from: snapshot) { board in
            let outcome = try await board.run("cat /run/saved; systemctl is-system-running; exit 3")
            #expect(outcome.output == "as it was\nrunning\n" && outcome.status == 3)
        }
    }

    @Test(
        "a pulse is as wide as it was asked for, and its line has a name",
        arguments: Debian.selected)
    func waveform(on debian: Debian) async throws {
        try await Board.with(debian, from: Snapshots.booted(debian)) { board in
            #expect(try await board.check("gpioinfo").contains(#""COIN""#))
            try await board.startWaveform()
            // Idle time passes as it does for the host, which may have other things to do.
            let pulse: [Board.Move] = [
                .init(after: .milliseconds(20), .coin, .high),
                .init(after: .milliseconds(50), .coin, .low),
            ]
            try await board.play(Array(repeatElement(pulse, count: 5).joined()))
            let changes = try await board.stopWaveform()
            try #require(
                changes.map(\.level) == Array(repeatElement([.high, .low], count: 5).joined()))
            let widths = stride(from: 0, to: 10, by: 2).map {
                changes[$0 + 1].time - changes[$0].time
            }
            let median = widths.sorted()[2]
            #expect(median > .milliseconds(49) && median < .milliseconds(55), "\(widths)")
            #expect(try await board.level(of: .coin) == .low)
        }
    }

    @Test("after a power cut the disk holds what was synced", arguments: Debian.selected)
    func powerCut(on debian: Debian) async throws {
        try await Board.with(debian, from: Snapshots.booted(debian)) { board in
            try await board.check(
                "echo kept >/root/a; sync /root/a; echo lost >/root/b; journalctl --sync")
            try await board.powerCut()
            try await board.boot()
            let files = try await board.run("cat /root/a /root/b")
            #expect(files.output.contains("kept") && !files.output.contains("lost"))
            try await board.powerOff()
        }
    }

    @Test(
        "after a power cut the state disk holds what was flushed, and not what was only written",
        arguments: Debian.selected)
    func volatileCache(on debian: Debian) async throws {
        try await Board.with(debian, from: Snapshots.booted(debian)) { board in
            // Behind the file system, past the kernel's own cache.
            let write = "dd of=/dev/vdb bs=4096 seek=8191 oflag=direct status=none"
            let read = "dd if=/dev/vdb bs=4096 skip=8191 iflag=direct status=none | head -c 7"
            try await board.check("printf %-4096s flushed | \(write) iflag=fullblock conv=fsync")
            try await board.check("printf %-4096s written | \(write) iflag=fullblock")
            let before = try await board.check(read)
            #expect(before == "written")
            try await board.powerCut()
            try await board.boot()
            let after = try await board.check(read)
            #expect(after == "flushed")
        }
    }

    @Test("an entry is awaited in the journal", arguments: Debian.selected)
    func journal(on debian: Debian) async throws {
        try await Board.with(debian, from: Snapshots.booted(debian)) { board in
            let mark = try await board.journalMark()
            try await board.check("(sleep 1; echo hello | systemd-cat --identifier=story) &")
            let entry = try await board.entry(after: mark, "SYSLOG_IDENTIFIER=story")
            #expect(entry.message == "hello" && entry.priority == 6)
            #expect(try await board.journal(after: mark, "SYSLOG_IDENTIFIER=story").count == 1)
        }
    }
}
