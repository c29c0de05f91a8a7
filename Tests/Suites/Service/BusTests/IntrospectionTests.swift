import BusInterface
import Foundation
import FoundationXML
import Testing

@testable import Bus

/// What the objects say of themselves is what they do.
@Suite struct IntrospectionTests {
    private static func document(at path: String) throws -> XMLElement {
        let text = try #require(Introspection.text(at: path, Talk.facts.methods))
        let body = text.split(separator: "\n").drop { !$0.hasPrefix("<node") }
        return try #require(
            try XMLDocument(xmlString: body.joined(separator: "\n")).rootElement())
    }

    @Test func `the objects on the way lead to the gate`() throws {
        for (path, below) in [("/", "io"), ("/io", "turnstiled1")] {
            let root = try Self.document(at: path)
            #expect(root.elements(forName: "interface").isEmpty)
            let names = root.elements(forName: "node").map { $0.attribute(forName: "name") }
            #expect(names.map { $0?.stringValue } == [below])
        }
        for path in ["/i", "/io/", "/io/turn", "/io/turnstiled1/x", "", "/iox"] {
            #expect(Introspection.text(at: path, []) == nil)
        }
    }

    @Test func `the gate has all methods with their types`() throws {
        let gate = try #require(
            Self.document(at: GateInterface.path).elements(forName: "interface").first {
                $0.attribute(forName: "name")?.stringValue == GateInterface.name
            })
        for method in Talk.facts.methods {
            let element = try #require(
                gate.elements(forName: "method").first {
                    $0.attribute(forName: "name")?.stringValue == method.name
                })
            let arguments = element.elements(forName: "arg")
            func types(_ direction: String) -> String {
                arguments.filter { $0.attribute(forName: "direction")?.stringValue == direction }
                    .compactMap { $0.attribute(forName: "type")?.stringValue }.joined()
            }
            #expect(types("in") == method.signature)
            #expect(types("out") == method.results.map(\.signature).joined())
        }
        #expect(gate.elements(forName: "method").count == Talk.facts.methods.count)
        let properties = gate.elements(forName: "property").map {
            $0.attribute(forName: "name")?.stringValue
        }
        #expect(properties == GateProperty.all.map(\.name))
        let signals = gate.elements(forName: "signal").map {
            $0.attribute(forName: "name")?.stringValue
        }
        #expect(signals == ["Record", "RecordsLost", "Edge", "EdgesLost"])
    }
}
