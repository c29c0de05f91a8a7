import Testing
import VirtualBoard

/// What a value change dump of a trace says of lines, by their roles.
private struct DumpedLines {
    private var codes: [Substring: Substring] = [:]
    private var changes: [(time: Duration, code: Substring, level: Level)] = []

    init(_ dump: String) {
        var (start, time): (Duration, Duration) = (.zero, .zero)
        for line in dump.split(separator: "\n") {
            let words = line.split(separator: " ")
            switch line.first {
            case "#": time = start + .microseconds(Int64(line.dropFirst()) ?? 0)
            case "0": changes.append((time, line.dropFirst(), .low))
            case "1": changes.append((time, line.dropFirst(), .high))
            // $var wire 1 CODE NAME $end
            case "$" where words.count == 6 && words[1] == "wire": codes[words[4]] = words[3]
            // $comment ... time 0 is NUMBER ns of monotonic time $end
            case "$" where words[0] == "$comment":
                let number = words.firstIndex(of: "is").map { words[$0 + 1] }
                start = .nanoseconds(number.flatMap { Int64($0) } ?? 0)
            default: break
            }
        }
    }

    subscript(name: String) -> [(time: Duration, level: Level)] {
        changes.filter { $0.code == codes[name[...]] }.map { ($0.time, $0.level) }
    }
}

extension Board {
    /// Ends the service, and expects of a dump of its trace that the lines of these roles carried
    /// in it what the kernel saw them carry.
    nonisolated(nonsending) func expectDump(
        of lines: [(line: BoardLine, role: String)], from energised: Set<BoardLine>,
        toFollow seen: [LineChange]
    ) async throws {
        let path = "/tmp/lines.vcd"
        try await check("systemctl stop turnstiled; turnstilectl trace export --vcd -o \(path)")
        let dump = DumpedLines(String(decoding: try await get(path), as: UTF8.self))
        let driven = seen.filter { $0.cause == .set }
        let (first, last) = (try #require(driven.first).time, try #require(driven.last).time)
        // An event is a little before what it drives.
        let slack = Duration.milliseconds(100)
        for (line, role) in lines {
            var level: Level = energised.contains(line) ? .high : .low
            let carried = driven.filter { change in
                guard change.line == line, change.level != level else { return false }
                level = change.level
                return true
            }
            let told = dump[role].filter { (first - slack...last).contains($0.time) }
            #expect(told.map(\.level) == carried.map(\.level), "\(role)")
            let isInTime = zip(told, carried).allSatisfy { told, carried in
                (carried.time - slack...carried.time).contains(told.time)
            }
            #expect(isInTime, "\(role): \(told), \(carried)")
        }
    }
}
