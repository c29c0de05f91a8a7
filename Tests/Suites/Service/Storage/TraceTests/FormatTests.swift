import Controller
import Keeping
import SecondOpinion
import Seeds
import Simulation
import StateMachines
import Testing
import Turnstile

@testable import Trace

/// What is written is read again, whatever cuts it short or damages it.
@Suite struct FormatTests {
    @Test(arguments: [0, 1, -1, 63, -64, 64, 8_191, 1 << 40, .max, .min] as [Int64])
    func `numbers of every length`(number: Int64) throws {
        var writer = ByteWriter()
        writer.append(signed: number)
        writer.append(varint: UInt64(bitPattern: number))
        var reader = ByteReader(writer.bytes)
        #expect(try reader.signed() == number)
        #expect(try reader.varint() == UInt64(bitPattern: number))
        #expect(reader.isAtEnd)
    }

    @Test func `a number of more than 64 bits is none`() {
        let bytes = [UInt8](repeating: 0xFF, count: 9)
        for last in [0x02, 0x7F, 0x80, 0xFF] as [UInt8] {
            var reader = ByteReader(bytes + [last])
            #expect(throws: TraceFlaw.self) { try reader.varint() }
        }
        var cut = ByteReader(bytes)
        #expect(throws: TraceFlaw.cutShort) { try cut.varint() }
    }

    @Test func `texts are spelled once`() throws {
        var (writer, table) = (ByteWriter(), TextTable())
        for text in ["lane", "", "Ünïcödé", "lane", "", "lane"] { table.write(text, to: &writer) }
        #expect(writer.bytes.count == 1 + 4 + 1 + 1 + 11 + 3)
        var (reader, list) = (ByteReader(writer.bytes), TextList())
        for text in ["lane", "", "Ünïcödé", "lane", "", "lane"] {
            #expect(try list.read(&reader) == text)
        }
    }

    @Test func `every step of walks is read as it was written`() throws {
        var random = SeededGenerator.announced()
        for _ in SeededGenerator.rounds(20) {
            for life in Walk(seed: random.next(), episodes: 30).lives {
                let track = Track(life)
                let recording = Recording(files: [Self.bytes(of: track)])
                #expect(recording.endings.isEmpty)
                #expect(try recording.items() == track.items, "\(random)")
            }
        }
    }

    /// Of 30,000 passages in a day 15 MB, with the looks at the lines and every bounce of the
    /// sensors, which a kernel that debounces keeps to itself.
    @Test func `a passage takes 440 bytes at the most, and a look at the lines 22`() throws {
        let recorder = DayRecorder()
        try Simulation.record(seed: 3, deeds: 1_000, day: .calm, on: recorder)
        let recording = recorder.recording
        let passages = Replay.run(recording).passages
        let last = try #require(recording.pages.last)
        let looks = Int(last.lastTime.nanoseconds / 1_000_000_000)
        #expect(passages > 200)
        #expect(
            recorder.size < 440 * passages + 22 * looks,
            "\(recorder.size) bytes for \(passages) passages in \(looks) s")
    }

    @Test func `of any prefix all is read that is whole, and where and why it ends`() throws {
        let track = Track(try #require(Walk(seed: 3, episodes: 2).lives.first))
        let bytes = Self.bytes(of: track)
        let whole = try Recording(files: [bytes]).items()
        let ends = Self.frameEnds(bytes)
        for length in bytes.indices {
            let recording = Recording(files: [Array(bytes[..<length])])
            let items = try recording.items()
            #expect(items == Array(whole.prefix(items.count)))
            if ends.contains(length) {
                #expect(recording.endings.isEmpty, "\(length)")
            } else {
                let ending = try #require(recording.endings.first, "\(length)")
                #expect(ending.flaw == .cutShort)
                #expect(ending.offset == ends.last { $0 <= length } ?? 0)
            }
        }
    }

    @Test func `a byte that is another one ends the file there, and nothing else`() throws {
        let track = Track(try #require(Walk(seed: 4, episodes: 4).lives.first))
        let bytes = Self.bytes(of: track)
        let items = try Recording(files: [bytes]).items()
        let ends = Self.frameEnds(bytes)
        var random = SeededGenerator.announced()
        for _ in SeededGenerator.rounds(2_000) {
            var damaged = bytes
            let place = Int.random(in: bytes.indices, using: &random)
            damaged[place] ^= UInt8.random(in: 1...255, using: &random)
            let recording = Recording(files: [damaged])
            let read = (try? recording.items()) ?? []
            #expect(read == Array(items.prefix(read.count)), "\(random)")
            let ending = try #require(recording.endings.first, "\(random)")
            #expect(ending.offset == ends.last { $0 <= place } ?? 0, "\(random)")
        }
    }

    @Test func `frames of a later version, and what stands behind what is known, are passed over`()
        throws
    {
        let track = Track(try #require(Walk(seed: 5, episodes: 4).lives.first))
        let bytes = Self.bytes(of: track)
        var (later, start) = (TraceFormat.firstLine, TraceFormat.firstLine.count)
        for end in Self.frameEnds(bytes).dropFirst() {
            let frame = try Frame(in: bytes, at: start)
            var content = Array(bytes[frame.content])
            // A header and a state may have more behind them; steps are read to their end.
            if frame.kind != .steps { content += [1, 2, 3] }
            later += Frame.bytes(try #require(frame.kind), content)
            var unknown = Frame.bytes(.steps, [9, 9, 9])
            unknown[0] = 0x7A
            let checksum = CRC32.checksum(of: unknown[..<(unknown.count - 4)])
            for index in 0..<4 {
                unknown[unknown.count - 4 + index] = UInt8(
                    truncatingIfNeeded: checksum >> UInt32(8 * index))
            }
            later += unknown
            start = end
        }
        let recording = Recording(files: [later])
        #expect(recording.endings.isEmpty)
        #expect(try recording.items() == track.items)
    }

    @Test(arguments: [
        ("", TraceFlaw.cutShort), ("turnst", .cutShort), ("turnstiled-trace 2\n", .version("2")),
        ("turnstiled-trace \n", .version("")), ("#!/bin/sh\nexit 0\n", .foreign),
        ("turnstiled-trace 1", .cutShort), ("turnstiled-trace 10000000000000000\n", .foreign),
    ]) func `what is no trace is told from one of a later version`(text: String, flaw: TraceFlaw) {
        let recording = Recording(files: [Array(text.utf8)])
        #expect(recording.pages.isEmpty)
        #expect(recording.endings.map(\.flaw) == [flaw])
    }

    /// A file with the steps, a frame for each dozen.
    static func bytes(of track: Track) -> [UInt8] {
        let disk = DiskInMemory()
        var writer = TraceWriter(in: disk, TraceLimits(), .ofTests(), clock: .ofTests)
        var rest = track.steps[...]
        while !rest.isEmpty {
            writer.write(Array(rest.prefix(12)))
            rest = rest.dropFirst(12)
        }
        writer.finish()
        return disk.ordered.flatMap { $0 }
    }

    /// Where frames end, and the first line.
    private static func frameEnds(_ bytes: [UInt8]) -> [Int] {
        var ends = [TraceFormat.firstLine.count]
        while let frame = try? Frame(in: bytes, at: ends[ends.count - 1]) {
            ends.append(frame.range.upperBound)
        }
        return ends
    }
}

extension ClockOffset {
    /// A clock in tests: 2026-11-24, 5:00 UTC, an hour behind local time.
    static var ofTests: ClockOffset { ClockOffset(utc: .seconds(1_795_496_400), local: 3_600) }
}
