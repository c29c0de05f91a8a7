import StateMachines
import Testing
import Trace
import TraceExport
import Turnstile

/// A value change dump shows what the steps had.
@Suite struct VCDTests {
    private let steps = Recording.story.steps
    private let dump: VCDReader

    init() throws { dump = try VCDReader(Recording.text(.vcd, of: steps)) }

    /// When a step was, in µs since the first.
    private func place(_ step: ReplayedStep) -> Int64 {
        (step.event.time - steps[0].event.time).wholeMicroseconds
    }

    /// What something had after each step, where it changed: the last of each µs.
    private func expected(
        _ value: (ReplayedStep) -> String
    ) -> [(time: Int64, value: String)] {
        var changes: [(time: Int64, value: String)] = [(0, value(steps[0]))]
        for step in steps where value(step) != changes[changes.count - 1].value {
            changes.append((place(step), value(step)))
        }
        return changes
    }

    private func check(_ name: String, _ value: @escaping (ReplayedStep) -> String) {
        let (found, wanted) = (dump[name], expected(value))
        #expect(found.map(\.time) == wanted.map(\.time), "\(name)")
        #expect(found.map(\.value) == wanted.map(\.value), "\(name)")
    }

    @Test func `every line that is wired is there, bounces included and without them`() {
        for input in Input.allCases where Recording.equipment.inputs[input] {
            check("inputs.raw.\(input.name)_raw") { $0.levels[input] ? "1" : "0" }
            check("inputs.debounced.\(input.name)") { $0.turnstile.inputs[input] ? "1" : "0" }
        }
        for output in Output.allCases where Recording.equipment.outputs[output] {
            check("outputs.energised.\(output.name)") { $0.energised[output] ? "1" : "0" }
            guard output.isWay else { continue }
            check("outputs.released.\(output.name)_released") { $0.outputs[output] ? "1" : "0" }
        }
        let (raw, counted) = (dump["inputs.raw.rotor_a_raw"], dump["inputs.debounced.rotor_a"])
        #expect(raw.count > 2 * counted.count && counted.count > 8)
        #expect(!dump.types.keys.contains { $0.hasSuffix("beam_a") })
    }

    @Test func `the states of the regions, and the credit`() {
        check("regions.status") { $0.turnstile.status.state.name }
        check("regions.lane") { $0.turnstile.gate.stateName(of: .lane) ?? "" }
        check("regions.emergency") { $0.turnstile.gate.stateName(of: .emergency) ?? "" }
        check("money.credit") { "\($0.turnstile.status.credit)" }
        #expect(Set(dump["regions.lane"].map(\.value)).isSuperset(of: ["released", "passing"]))
        #expect(dump["money.credit"].contains { $0.value == "100" })
    }

    @Test func `records are marks, with their names and sentences`() throws {
        let told = Dictionary(grouping: steps.filter { !$0.records.isEmpty }, by: place)
        #expect(dump["records.mark"].dropFirst().map(\.time) == told.keys.sorted())
        for (mark, next) in zip(dump["records.mark"], dump["records.mark"].dropFirst()) {
            #expect(mark.value != next.value)
        }
        for (time, steps) in told {
            let names = steps.flatMap(\.records).map(\.name).joined(separator: ", ")
            let found = try #require(dump["records.record"].last { $0.time == time })
            #expect(VCDReader.plain(found.value) == names)
        }
        let sentences = dump["records.sentence"].map { VCDReader.plain($0.value) }
        let hostile = try #require(Recording.hostile)
        #expect(sentences.contains { $0.contains("grant by \(hostile.name) (1000): done") })
    }

    @Test func `time never goes back, and ends with the last step`() {
        #expect(zip(dump.times, dump.times.dropFirst()).allSatisfy { $0 < $1 })
        #expect(dump.times.first == 0 && dump.times.last == place(steps[steps.count - 1]))
        #expect(dump.firstCount == dump.names.count, "each has a value from the beginning on")
    }

    @Test func `the head tells when it was, of which gate, and in which unit`() {
        #expect(dump.sections["$date"] == "2026-11-22T09:00:00.000000000Z")
        #expect(dump.sections["$version"]?.hasPrefix("turnstiled ") == true)
        #expect(dump.sections["$timescale"] == "1 us")
        #expect(
            dump.sections["$comment"]
                == "north\\x20gate, time 0 is 1000000000000 ns of monotonic time")
    }

    @Test func `only types that both viewers read are there`() {
        #expect(Set(dump.types.values) == ["wire 1", "string 1", "real 64"])
    }

    @Test func `no short name can be taken for a value or a time`() {
        #expect(dump.names.keys.allSatisfy { !"#$01bBrRsSxXzZ".contains($0.first ?? "#") })
    }

    @Test func `an export that begins later begins with the state before`() throws {
        var text = ""
        let middle = steps.count / 2
        var export = ExportFormat.vcd.export(of: "", with: Recording.equipment) { text += $0 }
        let start = steps[middle].event.time
        export.begin(at: start, after: steps[middle])
        for step in steps[(middle + 1)...] { export.add(step) }
        export.finish()
        let dump = try VCDReader(text)
        let status = try #require(dump["regions.status"].first)
        #expect(status.time == 0)
        #expect(status.value == steps[middle].turnstile.status.state.name)
        #expect(dump.times.last == (steps[steps.count - 1].event.time - start).wholeMicroseconds)
        #expect(dump.sections["$comment"] == "time 0 is \(start.nanoseconds) ns of monotonic time")
    }

    @Test func `a machine that was booted anew goes on where the clock on the wall says`() throws {
        var before = Recording()
        before.wait(.seconds(10))
        before.send(.stopped)
        var after = ReplayedStep(before.steps[0])
        after.bootID = "2"
        after.event.time = .zero + .seconds(5)
        // It took 20 s, in which the monotonic clock began anew.
        after.clock.utc = before.steps[0].clock.utc + .seconds(1000 + 10 + 20 - 5)
        let dump = try VCDReader(Recording.text(.vcd, of: before.steps + [after]))
        #expect(dump.times.last == 30_000_000)
        // Without its start, and where it has run for longer than the one before.
        var later = ReplayedStep(before.steps[1])
        later.bootID = "2"
        later.event.time = .zero + .seconds(5_000)
        later.clock.utc = before.steps[0].clock.utc + .seconds(1000 + 50 - 5_000)
        let rest = try VCDReader(Recording.text(.vcd, of: before.steps + [later]))
        #expect(rest.times.last == 50_000_000)
    }

    @Test func `what is told late moves nothing back`() throws {
        let places = [0, 10, 9, 20]
        let told = places.map { place in
            var step = ReplayedStep(steps[1])
            step.event.time = steps[0].event.time + .milliseconds(place)
            return step
        }
        let dump = try VCDReader(Recording.text(.vcd, of: told))
        #expect(dump.times.last == 20_000)
    }

    @Test func `a clock that says years stands still, and one that says anything ends nothing`()
        throws
    {
        var others = [steps[0], steps[0], steps[1]].map(ReplayedStep.init)
        others[1].bootID = "2"
        others[1].clock.utc = others[0].clock.utc + .seconds(367 * 24 * 3_600)
        let years = try VCDReader(Recording.text(.vcd, of: others))
        #expect(years.times.last == 0)
        others[1].clock.utc = .nanoseconds(Int64.max)
        others[2].event.time = others[2].event.time + .nanoseconds(Int64.max)
        #expect(try VCDReader(Recording.text(.vcd, of: others)).times.last != nil)
    }

    @Test func `of many records at one time the texts are written once`() throws {
        let step = try #require(steps.first { !$0.records.isEmpty })
        let text = Recording.text(.vcd, of: [ReplayedStep](repeating: step, count: 1_000))
        let name = step.records[0].name
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("s\(name)") }
        #expect(lines.count == 1)
        #expect(lines.first?.ranges(of: name).count == 1_000)
    }

    @Test func `nothing is an empty file`() {
        #expect(Recording.text(.vcd, of: []).isEmpty)
    }
}

extension ReplayedStep {
    /// The same once more.
    fileprivate init(_ other: ReplayedStep) { self = other }
}
