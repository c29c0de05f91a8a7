import Checkout
import Foundation
import Testing
import Trace
import TraceExport

private let isWanted = ProcessInfo.processInfo.environment["TURNSTILED_TRACE_VIEW"] != nil

/// What others make of the exports: readers of value change dumps that are not this project's, and
/// a browser. `make trace-view` installs them and runs this; the files stay in `build/trace-view`.
@Suite(.enabled(if: isWanted, "make trace-view"), .serialized) struct ViewTests {
    private static let root = Checkout.root
    private static let folder = root.appending(path: "build/trace-view")

    /// Writes an export of these steps where the readers find it.
    private func write(
        _ format: ExportFormat, as name: String, _ feed: ((ReplayedStep) -> Void) -> Void
    ) throws -> URL {
        let file = Self.folder.appending(path: name)
        try FileManager.default.createDirectory(
            at: Self.folder, withIntermediateDirectories: true)
        try Data().write(to: file)
        let handle = try FileHandle(forWritingTo: file)
        var failure: (any Error)?
        var export = format.export(
            of: "north gate </title><b>", with: Recording.equipment
        ) { text in
            do { try handle.write(contentsOf: Data(text.utf8)) } catch { failure = error }
        }
        feed { export.add($0) }
        export.finish()
        try handle.close()
        if let failure { throw failure }
        return file
    }

    private func story(_ format: ExportFormat) throws -> URL {
        try write(format, as: "story.\(format.rawValue)") { take in
            Recording.story.steps.forEach(take)
        }
    }

    /// Runs a script that fails where something is not as it should be.
    private func checkWith(_ name: String, _ arguments: String...) throws {
        let python = Self.folder.appending(path: "python/bin/python3").path
        let told = try run(
            python, ["Tests/Tools/TraceView/\(name)"] + arguments)
        print(told)
    }

    /// Runs a program that ends well where all is as it should be.
    private func run(_ program: String, _ arguments: [String]) throws -> String {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = [program] + arguments
        process.currentDirectoryURL = Self.root
        let output = Pipe()
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let told = String(
            decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(program) \(arguments): \(told)")
        return told
    }

    @Test func `readers of value change dumps find in it what the lines of JSON say`() throws {
        let (dump, lines) = (try story(.vcd), try story(.json))
        try checkWith("dump.py", dump.path, lines.path)
    }

    @Test func `GTKWave and PulseView take a dump`() throws {
        let dump = try story(.vcd)
        let wave = Self.folder.appending(path: "story.fst")
        _ = try run("vcd2fst", [dump.path, wave.path])
        #expect(try Data(contentsOf: wave).count > 1000)
        // A sample of sigrok's is a ms long here, and a line of what it prints.
        let table = try run(
            "sigrok-cli", ["-I", "vcd:downsample=1000", "-i", dump.path, "-O", "csv"])
        let lines = table.split(separator: "\n")
        let head = try #require(lines.first { $0.contains("Channels") })
        #expect(head.contains(" coin_pulse_raw, ") && head.contains(" coin_pulse, "))
        #expect(head.contains(" mark") && !head.contains("lane"))
        let samples = lines.filter { $0.contains(/^[01](?:,[01])+$/) }
        #expect(samples.count > 27_000 && samples.count < 28_000, "\(samples.count) ms")
        // Each pulse of a coin is seen for its 50 ms.
        let place = try #require(head.split(separator: ": ").last?.split(separator: ", "))
            .firstIndex(of: "coin_pulse_raw")
        let pulses = samples.filter { $0.split(separator: ",")[place ?? 0] == "1" }
        #expect(pulses.count == 350, "\(pulses.count) ms of seven pulses")
    }

    @Test func `a browser draws the page, and does what people ask of it`() throws {
        let story = try story(.html)
        let hour = try write(.html, as: "hour.html") { take in Recording.busyHour(take: take) }
        let empty = try write(.html, as: "empty.html") { _ in }
        try checkWith("page.py", story.path, hour.path, empty.path)
    }
}
