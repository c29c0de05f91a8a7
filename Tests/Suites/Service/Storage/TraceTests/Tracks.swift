import Controller
import SecondOpinion
import Seeds
import StateMachines
import System
import Turnstile

@testable import Trace

/// What a gate decides about a life's events, as its recorder hears of it.
struct Track {
    /// The steps, the state first.
    private(set) var steps: [TraceStep] = []
    /// The gate at the end.
    private(set) var turnstile: Turnstile

    init(_ life: Life, stateEvery pause: Int = .max) {
        turnstile = Turnstile(life.beginning)
        steps.append(.state(turnstile, .blank, at: life.events.first?.time ?? .zero))
        for (index, event) in life.events.enumerated() {
            if index > 0, index % pause == 0 {
                steps.append(.state(turnstile, .blank, at: event.time))
            }
            observe(event)
        }
    }

    private mutating func observe(_ event: Event) {
        let outcome = turnstile.handle(event)
        var (commands, records): ([TraceStep], [TraceStep]) = ([], [])
        outcome.commands.forEach { command in
            if case .record(let record) = command {
                records.append(.record(record))
            } else {
                commands.append(.command(command))
            }
        }
        steps.append(.event(event, outcome.verdict))
        steps += commands + records
    }

    /// What is written of the steps.
    var items: [TraceItem] { steps.compactMap { TraceItem($0) } }
}

extension Outcome {
    /// What became of the event.
    var verdict: Verdict {
        switch self {
        case .handled: .handled
        case .ignored(let reason): .ignored(reason)
        case .unhandled: .unhandled
        }
    }
}

extension TraceHeader {
    /// Who records in tests.
    static func ofTests(start: Instant = .zero, settings: String = "gate: {name: north}\n") -> Self
    {
        TraceHeader(
            serviceVersion: "0.2.0", gate: "north", bootID: "0123456789abcdef0123456789abcdef",
            start: start, isSimulated: true, settings: settings)
    }
}

/// A folder in memory, whose disk does as it is told.
final class DiskInMemory: TraceFolder {
    /// The files.
    private(set) var files: [UInt64: [UInt8]] = [:]
    /// How many more bytes find room; nil for as many as there are.
    var room: Int?
    /// How many files there may be.
    var mostFiles = Int.max
    /// What calls fail with, and which one alone; nil for all.
    var failure: CInt?
    var failingCall: String?
    /// The files that cannot be read.
    var unreadable: Set<UInt64> = []
    /// How many bytes were read.
    private(set) var readCount = 0
    /// Which files were made durable.
    private(set) var synchronized: Set<UInt64> = []

    private struct Sink: TraceSink {
        let disk: DiskInMemory
        let number: UInt64

        func write(_ bytes: [UInt8], at offset: Int) throws(SystemError) {
            try disk.write(bytes, to: number, at: offset)
        }

        func synchronize() throws(SystemError) {
            try disk.check("fdatasync")
            disk.synchronized.insert(number)
        }

        var hasName: Bool { disk.files[number] != nil }
    }

    init(_ files: [UInt64: [UInt8]] = [:]) { self.files = files }

    /// All files, in their order.
    var ordered: [[UInt8]] { files.keys.sorted().compactMap { files[$0] } }

    /// Has a file appear.
    func put(_ number: UInt64, _ bytes: [UInt8]) { files[number] = bytes }

    func numbers() throws(SystemError) -> [UInt64] {
        try check("opendir")
        return files.keys.sorted()
    }

    func size(_ number: UInt64) throws(SystemError) -> Int {
        try check("stat")
        return files[number]?.count ?? 0
    }

    func read(_ number: UInt64, _ count: Int, at offset: Int) throws(SystemError) -> [UInt8] {
        if unreadable.contains(number) { throw SystemError(call: "read", errno: 5) }
        try check("read")
        let bytes = Array((files[number] ?? []).dropFirst(offset).prefix(count))
        readCount += bytes.count
        return bytes
    }

    func make(_ number: UInt64) throws(SystemError) -> any TraceSink {
        try check("open")
        if files[number] != nil { throw SystemError(call: "open", errno: 17) }
        if files.count >= mostFiles { throw SystemError(call: "open", errno: 28) }
        files[number] = []
        return Sink(disk: self, number: number)
    }

    // What cannot be written may be removed all the same.
    func remove(_ number: UInt64) throws(SystemError) {
        let size = files.removeValue(forKey: number)?.count ?? 0
        if let room { self.room = room + size }
    }

    private func write(_ bytes: [UInt8], to number: UInt64, at offset: Int) throws(SystemError) {
        try check("write")
        var file = files[number] ?? []
        let fitting = room.map { bytes.prefix($0) } ?? bytes[...]
        file.removeLast(max(0, file.count - offset))
        file += fitting
        files[number] = file
        if let room { self.room = room - fitting.count }
        // As a full disk does: what had room is there.
        if fitting.count < bytes.count {
            throw SystemError(call: "write", subject: "\(number)", errno: 28)
        }
    }

    private func check(_ call: String) throws(SystemError) {
        guard let failure, failingCall == nil || failingCall == call else { return }
        throw SystemError(call: call, errno: failure)
    }
}

extension Recording {
    /// What these files hold.
    init(files: [[UInt8]]) {
        self.init()
        for (index, bytes) in files.enumerated() { add(bytes, from: "file \(index)") }
    }

    /// All that the pages tell after their states, in order.
    func items() throws -> [TraceItem] {
        var items: [TraceItem] = []
        for page in pages {
            var reader = try read(page, readsShell: true)
            for steps in page.index.steps {
                try turn(&reader, to: steps, of: page)
                while let item = try reader.next() { items.append(item) }
            }
        }
        return items
    }
}

extension TraceCutting {
    /// The bytes of what is wanted of these pages.
    static func bytes(
        of recording: Recording, pages: Range<Int>, isWanted: @escaping (Duration) -> Bool
    ) -> [UInt8]? {
        cut(of: recording, pages: pages, isWanted: isWanted)?.bytes
    }
}
