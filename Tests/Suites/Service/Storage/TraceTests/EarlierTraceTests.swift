import Checkout
import Foundation
import StateMachines
import Testing
import Turnstile

@testable import Trace

/// A trace that an earlier version recorded lacks what came later, and nothing else.
@Suite struct EarlierTraceTests {
    private static let file = Checkout.root.appending(
        path: "Tests/Traces/board-bookworm-coins.trace")

    @Test(arguments: Shape(of: Policy.self).forms[0].fields)
    func `a start is read without a key that came later`(key: Shape.Field) throws {
        let recording = try Self.recording { beginning in
            guard case .fields(var policy)? = beginning[.policy] else { return }
            policy.remove(key.name)
            beginning.remove(.policy)
            beginning.all.append(.init(.policy, .fields(policy)))
        }
        try expectRead(recording, without: key, at: "policy.") { $0.policy.fields[key.name] }
    }

    @Test(arguments: Shape(of: Beginning.self).forms[0].fields.filter { !$0.isOptional })
    func `and without a field of its own that came later`(field: Shape.Field) throws {
        let recording = try Self.recording { $0.remove(field.name) }
        try expectRead(recording, without: field) { $0.fields[field.name] }
    }

    /// What was always there has to be there; else the gate is as it was before there was such a
    /// field, and does again what it did.
    private func expectRead(
        _ recording: Recording, without field: Shape.Field, at place: String = "",
        _ value: (Beginning) -> FieldValue?
    ) throws {
        guard let before = field.before else {
            let sentence = "\(place)\(field.name.rawValue): the field is missing"
            #expect(recording.endings.map(\.flaw) == [.malformed(sentence)])
            return
        }
        #expect(recording.endings.isEmpty)
        let beginning = try #require(recording.pages.first?.beginning)
        #expect(value(beginning) == before)
        let result = Replay.run(recording)
        #expect(result.difference == nil && result.unknown.isEmpty && result.events > 0)
    }

    /// A trace that is kept, as it is with another beginning.
    private static func recording(_ edit: (inout Fields) -> Void) throws -> Recording {
        let bytes = Array(try Data(contentsOf: file))
        var (edited, offset) = (TraceFormat.firstLine, TraceFormat.firstLine.count)
        while offset < bytes.count {
            let frame = try Frame(in: bytes, at: offset)
            offset = frame.range.upperBound
            guard frame.kind == .beginning else {
                edited += bytes[frame.range]
                continue
            }
            var (reader, texts) = (ByteReader(bytes, in: frame.content), TextList())
            var fields = try reader.fields(&texts)
            edit(&fields)
            edited += Frame.bytes(.beginning, fields)
        }
        return Recording(files: [edited])
    }
}

extension Fields {
    fileprivate mutating func remove(_ name: FieldName) { all.removeAll { $0.name == name } }
}
