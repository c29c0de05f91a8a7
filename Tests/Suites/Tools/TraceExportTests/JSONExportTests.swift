import Foundation
import StateMachines
import Testing
import Trace
import TraceExport
import Turnstile

/// A line of JSON for each step has all of it.
@Suite struct JSONExportTests {
    private let steps = Recording.story.steps

    private func objects() throws -> [[String: Any]] {
        let text = Recording.text(.json, of: steps)
        #expect(text.hasSuffix("}\n"))
        return try text.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
    }

    private func lines() throws -> [Line] {
        try Recording.text(.json, of: steps).split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
    }

    @Test func `there is a line for each step, in its order`() throws {
        let objects = try objects()
        #expect(objects.count == steps.count)
        let times = objects.map { $0["monotonic_ns"] as? Int64 }
        #expect(times == steps.map(\.event.time.nanoseconds))
        let verdicts = Set(objects.compactMap { $0["verdict"] as? String })
        #expect(verdicts == ["handled", "ignored"])
        #expect(
            objects.allSatisfy { ($0["reason"] != nil) == ($0["verdict"] as? String == "ignored") })
    }

    @Test func `events, commands and the status read as the vocabulary spells them`() throws {
        for (line, step) in zip(try lines(), steps) {
            #expect(try Event.Kind(line.event.value) == step.event.kind)
            #expect(try line.commands.map { try Command($0.value) } == step.commands)
            #expect(try Status(line.status.value) == step.turnstile.status)
        }
    }

    @Test func `lines are active as they are, bounces included`() throws {
        for (line, step) in zip(try lines(), steps) {
            let active = Input.allCases.filter { step.levels[$0] }
            #expect(line.active == active.map(\.name))
        }
        #expect(steps.contains { $0.levels != $0.turnstile.inputs })
    }

    @Test func `outputs are told by what their lines carry, and ways by what they let do`() throws {
        for (line, step) in zip(try lines(), steps) {
            let wired = Output.allCases.filter { Recording.equipment.outputs[$0] }
            let energised = wired.filter { step.energised[$0] }
            #expect(line.energised == energised.map(\.name))
            let released = wired.filter { $0.isWay && step.outputs[$0] }
            #expect(line.released == released.map(\.name))
        }
        #expect(try lines().contains { $0.energised.contains("lock_entry") && $0.released == [] })
        #expect(try lines().contains { $0.released == ["lock_entry"] })
    }

    @Test func `records have their fields and a sentence`() throws {
        var told: [Record] = []
        for record in try lines().flatMap(\.records) {
            guard case .fields(let fields) = record.fields.value else {
                Issue.record("\(record.name) has no fields")
                continue
            }
            told.append(try Record(record.name, fields))
            #expect(!record.sentence.isEmpty)
        }
        #expect(told == steps.flatMap(\.records))
        #expect(told.contains(.passageCompleted(.entry, .paid)))
        let hostile = try #require(Recording.hostile)
        #expect(told.contains(.done(.grant, by: .person(hostile))))
    }

    @Test func `times are those of the clock on the wall, before and after it is set`() throws {
        let objects = try objects()
        let first = try #require(objects.first)
        #expect(first["time"] as? String == "2026-11-22T09:00:00.000000000Z")
        #expect(first["utc_offset"] as? Int == 3600)
        let times = objects.compactMap { $0["time"] as? String }
        let earlier = zip(times, times.dropFirst()).filter { $0 > $1 }
        #expect(earlier.count == 1, "the clock was set back once")
    }
}

/// A value of JSON, with truths and numbers kept apart.
private struct JSONValue: Decodable {
    /// What it stands for.
    let value: FieldValue

    init(from decoder: any Decoder) throws {
        let single = try decoder.singleValueContainer()
        if let isSo = try? single.decode(Bool.self) {
            value = .boolean(isSo)
        } else if let number = try? single.decode(Int64.self) {
            value = .integer(number)
        } else if let text = try? single.decode(String.self) {
            value = .text(text)
        } else if let list = try? single.decode([JSONValue].self) {
            value = .list(list.map(\.value))
        } else {
            let object = try single.decode([String: JSONValue].self)
            value = .fields(
                Fields(
                    try object.map { name, part in
                        .init(try #require(FieldName(rawValue: name)), part.value)
                    }))
        }
    }
}

/// A line as it is read: what the vocabulary spells.
private struct Line: Decodable {
    var event: JSONValue
    var commands: [JSONValue]
    var records: [ToldRecord]
    var status: JSONValue
    var active: [String]
    var energised: [String]
    var released: [String]

    struct ToldRecord: Decodable {
        var name: String
        var sentence: String
        var fields: JSONValue
    }
}
