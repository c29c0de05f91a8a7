import Controller
import Seeds
import StateMachines
import Testing

@testable import Turnstile

/// A field tells what its name says, and not what another one of its type would: written and read
/// in the wrong place alike, nothing would differ.
@Suite struct FieldMeaningTests {
    @Test func `what has the name of a field is told in that field`() {
        var visitor = RandomVisitor(SeededGenerator.announced())
        var told = 0
        // Those have in their own fields, or in a list, what a part of them tells.
        let others: [any Composite.Type] = [
            Event.self, StatusReport.Raised<Fault>.self, StatusReport.Raised<Alarm>.self,
            ShellMachines.self,
        ]
        for type in VocabularyTests.types where !others.contains(where: { $0 == type }) {
            for _ in 0..<100 { told += check(type, &visitor) }
        }
        #expect(told > 5_000)
    }

    private func check<Value: Composite>(_ type: Value.Type, _ visitor: inout RandomVisitor) -> Int
    {
        let value = visitor.value(of: type)
        let (mirror, fields) = (Mirror(reflecting: value), value.fields)
        guard mirror.displayStyle == .struct else { return 0 }
        var told = 0
        for (label, property) in mirror.children {
            guard let name = FieldName.allCases.first(where: { "\($0)" == label }),
                let expected = expectation(property, name, fields[name])
            else { continue }
            told += 1
            #expect(fields[name] == expected, "\(type.title) \(name.rawValue)")
        }
        return told
    }

    /// What a field has to say of a property, nil in it for none; nil for what is told otherwise.
    private func expectation(
        _ property: Any, _ name: FieldName, _ found: FieldValue?
    ) -> FieldValue?? {
        switch property {
        case let number as Int: return .integer(Int64(number))
        case let duration as Duration:
            let isExact = name.rawValue.hasSuffix("_nanoseconds")
            return .integer(isExact ? duration.wholeNanoseconds : duration.wholeMicroseconds)
        // They are told as `acceptors`, and each by itself.
        case is PerAcceptor<CoinPolicy>, is PerAcceptor<CoinDecoder.State>: return nil
        case let part as any Named where found?.text != nil: return .text(part.name)
        case let part as any FieldConvertible: return part.fieldValue
        default:
            let mirror = Mirror(reflecting: property)
            let isMissing = mirror.displayStyle == .optional && mirror.children.isEmpty
            return isMissing ? .some(nil) : nil
        }
    }

    @Test func `what is up says since when and what ends it`() {
        let fault = StatusReport.Raised<Fault>(
            value: .coinJam, since: .zero + .seconds(3), end: .at(.zero + .seconds(7)))
        #expect(
            fault.fieldValue.description == """
                {"fault": "coin_jam", "code": "F6", "line": "coin_jam", "since_nsec": 3000000000, \
                "end": "time", "until_nsec": 7000000000}
                """)
    }
}
