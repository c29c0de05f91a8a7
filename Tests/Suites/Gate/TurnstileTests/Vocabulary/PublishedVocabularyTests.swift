import Foundation
import Seeds
import Testing

@testable import Turnstile

/// A file of each version holds values as they were written down then: gates that stand somewhere
/// have such ones in their journals and ledgers. They are read for ever.
@Suite struct PublishedVocabularyTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent()

    /// What is told of, and a value of it.
    struct Line: CustomTestStringConvertible {
        var title: String
        var text: String
        var testDescription: String { "\(title) \(text.prefix(60))" }

        var value: FieldValue {
            get throws { try JSONDecoder().decode(JSONValue.self, from: Data(text.utf8)).value }
        }
    }

    private static func lines(of version: Int) -> [Line] {
        let file = folder.appending(path: "version-\(version)")
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
            let parts = line.split(separator: " ", maxSplits: 1)
            return Line(title: String(parts[0]), text: String(parts[1]))
        }
    }

    @Test(arguments: Vocabulary.oldestVersion...Vocabulary.version)
    func `what a version has written is read, and written as it was`(version: Int) throws {
        let lines = Self.lines(of: version)
        try #require(lines.count > 100)
        for line in lines {
            let type = try #require(VocabularyTests.published.first { $0.title == line.title })
            let value = try read(line, as: type, version)
            guard version == Vocabulary.version else { continue }
            let told = try value.fieldValue.withoutWhatCameLater(than: line.value)
            #expect(told.description == line.text)
        }
    }

    private func read<Value: Composite>(
        _ line: Line, as type: Value.Type, _ version: Int
    ) throws -> any Composite {
        if type is Record.Type { return try Record(line.value, version: version) }
        return try type.init(line.value)
    }

    @Test(arguments: [
        ("refused", "release_exit", "store_full", Request.Kind.grant, Input.releaseExit),
        ("refused", "service_key", "cause_present", .confirmRepair, .serviceKey),
        ("refused", "service_key", "stopped", .beginService, .serviceKey),
        ("refused", "emergency_reset_key", "loop_open", .resetEmergency, .emergencyResetKey),
        ("request_deferred", "service_key", "", .beginService, .serviceKey),
        ("request_deferred", "emergency_reset_key", "", .resetEmergency, .emergencyResetKey),
    ])
    func `what a key asked for in version 1 follows from the key and the answer`(
        name: String, line: String, refusal: String, request: Request.Kind, input: Input
    ) throws {
        var fields = Fields([Fields.Field(.line, .text(line))])
        if !refusal.isEmpty { fields.all.append(Fields.Field(.refusal, .text(refusal))) }
        let record = try Record(name, fields, version: 1)
        switch record {
        case .refused(request, by: .contact(input), let reason):
            #expect(reason.rawValue == refusal)
        case .deferred(request, by: .contact(input)): #expect(refusal.isEmpty)
        case _: Issue.record("\(record)")
        }
        #expect(throws: FieldError.self) { try Record(name, fields) }
    }

    @Test(arguments: [
        ("service_started", "", Record.serviceStarted(by: .contact(.serviceKey))),
        ("policy_changed", "", .policyChanged(by: .settings)),
        (
            "mode_changed", "direction=exit mode=free",
            .modeChanged(.exit, .free, by: .schedule)
        ),
        ("enforcement_changed", "enforcement=weak", .enforcementChanged(.weak, by: .schedule)),
        ("released", "direction=entry authorisation=contact", .released(.entry, by: .contact)),
        (
            "refused", "line=emergency_reset_key refusal=repair_first",
            .refused(.resetEmergency, by: .contact(.emergencyResetKey), .repairFirst)
        ),
    ])
    func `who it was in version 1 is who alone it could be`(
        name: String, text: String, record: Record
    ) throws {
        let fields = text.split(separator: " ").map { word in
            let pair = word.split(separator: "=").map(String.init)
            return Fields.Field(FieldName(rawValue: pair[0])!, .text(pair[1]))
        }
        #expect(try Record(name, Fields(fields), version: 1) == record)
    }

    @Test func `who asked in version 1 is said by nothing but the version`() {
        // A record of this version that is taken for one of the first says so twice.
        let lines = [Fields.Field(.requester, .text("schedule"))]
        for name in ["policy_changed", "service_started"] {
            #expect(throws: FieldError.self) { try Record(name, Fields(lines), version: 1) }
        }
    }

    @Test func `what is new is noted for ever`() throws {
        var noted: Set<String> = []
        for line in Self.lines(of: Vocabulary.version) {
            guard case .fields(let fields) = try line.value else { continue }
            let name = fields[.name]?.text ?? ""
            for field in fields.all where field.name != .name {
                noted.insert("\(line.title) \(name) \(field.name.rawValue)")
            }
            noted.insert("\(line.title) \(name) ")
        }
        var visitor = RandomVisitor(SeededGenerator(seed: 7))
        // An event's fields are its kind's, beside the time.
        for type in VocabularyTests.published where type != Event.Kind.self {
            for example in examples(of: type, &visitor) where !example.names.isSubset(of: noted) {
                noted.formUnion(example.names)
                Issue.record(
                    """
                    add this line to Tests/Suites/Gate/TurnstileTests/Vocabulary/\
                    version-\(Vocabulary.version):
                    \(type.title) \(example.text)
                    """)
            }
        }
    }

    /// Values of every name, in which every field is told by one at least.
    private func examples<Value: Composite>(
        of type: Value.Type, _ visitor: inout RandomVisitor
    ) -> [(text: String, names: Set<String>)] {
        (0..<(type is any Named.Type ? 4_000 : 400)).map { _ in
            let value = visitor.value(of: type)
            let name = (value as? any Named)?.name ?? ""
            let names = value.fields.all.map { "\(type.title) \(name) \($0.name.rawValue)" }
            return (value.fieldValue.description, Set(names + ["\(type.title) \(name) "]))
        }
    }
}

extension FieldValue {
    /// The value without the fields that `earlier` lacks. It was read without them: they came
    /// later, or follow from others.
    fileprivate func withoutWhatCameLater(than earlier: FieldValue) -> FieldValue {
        switch (self, earlier) {
        case (.fields(let fields), .fields(let known)):
            .fields(
                Fields(
                    fields.all.compactMap { field in
                        known[field.name].map {
                            .init(field.name, field.value.withoutWhatCameLater(than: $0))
                        }
                    }))
        case (.list(let values), .list(let known)):
            .list(zip(values, known).map { $0.withoutWhatCameLater(than: $1) })
        case _: self
        }
    }
}

/// A value of JSON.
private struct JSONValue: Decodable {
    let value: FieldValue

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let isSo = try? container.decode(Bool.self) {
            value = .boolean(isSo)
        } else if let number = try? container.decode(Int64.self) {
            value = .integer(number)
        } else if let text = try? container.decode(String.self) {
            value = .text(text)
        } else if let list = try? container.decode([JSONValue].self) {
            value = .list(list.map(\.value))
        } else {
            let object = try container.decode([String: JSONValue].self)
            let fields = try object.map { name, part in
                Fields.Field(try #require(FieldName(rawValue: name)), part.value)
            }
            value = .fields(Fields(fields))
        }
    }
}
