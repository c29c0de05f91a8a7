import Exploration
import Foundation
import Seeds
import StateMachines
import Testing

/// Diagrams of a machine whose names hold all that could break a language.
@Suite struct DiagramValidityTests {
    /// Goes through its names in a ring, either way, and says where it was.
    struct Nasty: StateMachine, Hashable {
        static let names = [
            #"a "quoted" <state> & more"#, "a quoted state more", "x", "x_2", "x!",
            "1st; 2nd: 3rd", "línea\nnueva", "状態", "", "\"\u{301}", "back\\slash\\",
            "50 %%{init}%% #quot; # tab\t",
        ]
        var place = 0
        mutating func handle(_ event: String) -> Outcome<String> {
            let step = Self.events.firstIndex(of: event) ?? 0
            defer { place = (place + 1 + step) % Self.names.count }
            return .handled([Self.names[place], "go \"on\""])
        }
        static let events = ["go \"on\"", "go <on>", "go on.", "1 --> 2"]
    }

    static let diagram = StateGraph(from: Nasty(), events: Nasty.events).diagram(
        state: { Nasty.names[$0.place] },
        inside: { $0.place < 3 ? #"<"frame">"# : $0.place < 6 ? "x" : nil })

    /// An element of an XML text.
    struct Element {
        let name: String
        var attributes: [String: String] = [:]
        var children: [Element] = []

        func all(_ name: String) -> [Element] {
            (self.name == name ? [self] : []) + children.flatMap { $0.all(name) }
        }
        subscript(_ attribute: String) -> String { attributes[attribute] ?? "" }
    }

    /// Reads the little of XML that SCXML needs: tags, attributes and white space between them.
    static func parse(_ text: String) throws -> Element {
        let head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>"
        try #require(text.hasPrefix(head))
        var rest = text.dropFirst(head.count)
        var open = [Element(name: "document")]
        let tag = #/\s*<(\/?)([a-z]+)((?:\s+[a-z]+="[^"<&]*")*)(\/?)>/#
        while let match = rest.prefixMatch(of: tag) {
            rest = rest[match.range.upperBound...]
            let name = String(match.2)
            if match.1.isEmpty {
                var element = Element(name: name)
                for pair in match.3.matches(of: #/([a-z]+)="([^"]*)"/#) {
                    let old = element.attributes.updateValue(String(pair.2), forKey: "\(pair.1)")
                    #expect(old == nil, "\(pair.1) twice in \(name)")
                }
                open.append(element)
            } else {
                try #require(open.last?.name == name, "</\(name)> ends another element")
            }
            if !match.1.isEmpty || !match.4.isEmpty {
                let closed = open.removeLast()
                try #require(!open.isEmpty)
                open[open.count - 1].children.append(closed)
            }
        }
        try #require(rest.allSatisfy { $0.isWhitespace }, "not XML: \(rest.prefix(40))")
        try #require(open.count == 1 && open[0].children.count == 1)
        return open[0].children[0]
    }

    @Test func `SCXML is well-formed, and what the W3C says`() throws {
        let root = try Self.parse(try Self.diagram.scxml)
        #expect(root.name == "scxml")
        #expect(root["xmlns"] == "http://www.w3.org/2005/07/scxml" && root["version"] == "1.0")
        // What each element may have and hold, as far as it is used.
        let grammar: [String: (attributes: Set<String>, children: Set<String>)] = [
            "scxml": (["xmlns", "version", "initial"], ["state"]),
            "state": (["id"], ["state", "transition"]),
            "transition": (["event", "target"], ["send"]), "send": (["event"], []),
        ]
        for (name, allowed) in grammar {
            for element in root.all(name) {
                #expect(Set(element.attributes.keys) == allowed.attributes)
                #expect(allowed.children.isSuperset(of: element.children.map(\.name)))
            }
        }
        let ids = root.all("state").map { $0["id"] }
        #expect(ids.count == Nasty.names.count + 2)
        #expect(Set(ids).count == ids.count)
        for id in ids { #expect(id.wholeMatch(of: #/[A-Za-z_][A-Za-z0-9_.\-]*/#) != nil, "\(id)") }
        #expect(root["initial"] == root.children[0].children[0]["id"])
        let transitions = root.all("transition")
        #expect(transitions.count == Nasty.names.count * Nasty.events.count)
        #expect(Set(transitions.map { $0["target"] }).isSubset(of: ids))
        let events = Set(transitions.map { $0["event"] })
        #expect(events.count == Nasty.events.count)
        let sent = Set(root.all("send").map { $0["event"] })
        #expect(sent.count == Nasty.names.count + 1)
        // An event descriptor is a token, and a prefix of it up to a dot would match as well.
        for event in events.union(sent) {
            #expect(event.wholeMatch(of: #/[A-Za-z0-9_\-]+/#) != nil, "\(event)")
        }
        #expect(events.isDisjoint(with: sent), "a command sent is no event of the machine")
    }

    @Test func `DOT keeps every text between its quotes`() {
        let lines = Self.diagram.dot.unicodeScalars.split(separator: "\n").map(String.init)
        let label = #/"(?:[^"\\&]|\\.|&amp;)*"/#.matchingSemantics(.unicodeScalar)
        let shapes = [
            #/ *s\d+ \[label=_\]/#, #/ *s\d+ -> s\d+ \[label=_\]/#, #/ *label=_/#, #/ *}/#,
            #/ *subgraph cluster\d+ {/#,
        ]
        for line in lines.dropFirst(4) {
            let plain = line.replacing(label, with: "_")
            #expect(shapes.contains { plain.wholeMatch(of: $0) != nil }, "\(line)")
        }
        #expect(lines.prefix(4).last == "    start -> s0")
        let count = Nasty.names.count * (1 + Nasty.events.count)
        #expect(lines.filter { $0.contains("[label=") }.count == count)
    }

    @Test func `Mermaid meets nothing in a text that it could take for its own`() {
        let lines = Self.diagram.mermaid.unicodeScalars.split(separator: "\n").map(String.init)
        let state = #/ *state "([^"\\<>&:%]+)" as [sf]\d+(?: {)?/#.matchingSemantics(.unicodeScalar)
        let arrow = #/ *s\d+ --> s\d+: ([^"\\<>&:%]*)/#.matchingSemantics(.unicodeScalar)
        let entity = #/#(?:quot|35|37|amp|colon|59|lt|gt|92);/#.matchingSemantics(.unicodeScalar)
        #expect(lines[0] == "stateDiagram-v2")
        var texts = 0
        for line in lines.dropFirst() where line != "    }" && line != "    [*] --> s0" {
            let text = line.wholeMatch(of: state)?.1 ?? line.wholeMatch(of: arrow)?.1
            guard let text else {
                Issue.record("\(line)")
                continue
            }
            texts += 1
            let rest = text.replacing(entity, with: "").unicodeScalars
            #expect(!rest.contains { $0 == "#" || $0 == ";" }, "\(line)")
        }
        #expect(texts == Nasty.names.count * (1 + Nasty.events.count) + 2)
    }

    /// An interpreter of as much of XState's configurations as is written.
    struct Interpreter {
        typealias Object = [String: Any]
        let nodes: [String: Object]
        private(set) var state = ""
        private(set) var actions: [String] = []

        init(_ text: String) throws {
            let root = try #require(
                try JSONSerialization.jsonObject(with: Data(text.utf8)) as? Object)
            nodes = try Self.nodes(root, "")
            try enter(root)
        }

        /// The nodes by their ids, which are their keys, each with that of its parent.
        static func nodes(_ node: Object, _ id: String) throws -> [String: Object] {
            var all: [String: Object] = [:]
            for (key, child) in node["states"] as? [String: Object] ?? [:] {
                #expect(child["id"] as? String == key)
                #expect(!key.isEmpty && !key.contains(".") && !key.contains("#"))
                all[key] = child.merging(["parent": id]) { $1 }
                for (id, node) in try nodes(child, key) {
                    #expect(all.updateValue(node, forKey: id) == nil, "\(id) twice")
                }
            }
            return all
        }

        private mutating func enter(_ node: Object) throws {
            var node = node
            while let initial = node["initial"] as? String {
                let children = try #require(node["states"] as? [String: Object])
                node = try #require(children[initial])
            }
            state = try #require(node["id"] as? String)
            if let transition = node["always"] as? Object { try take(transition) }
        }

        private mutating func take(_ transition: Object) throws {
            actions += transition["actions"] as? [String] ?? []
            let target = try #require(transition["target"] as? String)
            #expect(target.first == "#")
            try enter(try #require(nodes[String(target.dropFirst())]))
        }

        /// Whether there is a transition for the event, which is then taken.
        mutating func handle(_ event: String) throws -> Bool {
            let transitions = nodes[state]?["on"] as? [String: Object] ?? [:]
            guard let transition = transitions[event] else { return false }
            actions = []
            try take(transition)
            return true
        }

        /// What a person calls what has this identifier.
        func name(_ id: String, _ node: Object?) -> String { node?["description"] as? String ?? id }
        var stateName: String { name(state, nodes[state]) }
        func events() -> [(id: String, name: String)] {
            let transitions = nodes[state]?["on"] as? [String: Object] ?? [:]
            return transitions.map { ($0.key, name($0.key, $0.value)) }
        }
    }

    @Test func `XState's machine does what the table does`() throws {
        var random = SeededGenerator()
        var machine = TableMachine(try Tutorial.Rows.table(), predicates: .strong)
        var copy = try Interpreter(try StateGraph(from: machine).diagram().xstate)
        #expect(copy.actions == ["lock"])
        for _ in 0..<200 {
            let event = Tutorial.Rows.Event.allCases.randomElement(using: &random) ?? .coin
            let outcome = machine.handle(event)
            #expect(try copy.handle("\(event)") == outcome.isHandled, "\(random)")
            #expect(copy.stateName == "\(machine)", "\(random)")
            if !outcome.isHandled { continue }
            #expect(copy.actions == outcome.commands.map { "\($0)" }, "\(random)")
        }
    }

    @Test func `XState's configuration is JSON, and names nothing twice`() throws {
        var copy = try Interpreter(try Self.diagram.xstate)
        #expect(copy.nodes.count == Nasty.names.count + 2)
        // Round the ring by each of the ways, and back at the first state.
        for _ in Nasty.names {
            let events = copy.events()
            #expect(Set(events.map(\.name)) == Set(Nasty.events))
            let onward = try #require(events.first { $0.name == Nasty.events[0] })
            #expect(try copy.handle(onward.id))
            #expect(copy.actions.count == 2)
        }
        #expect(copy.stateName == Nasty.names[0])
        let merged = ExplorationTests.hierarchical.diagram(state: { _ in "one" })
        #expect(throws: DiagramError.self) { try merged.xstate }
    }
}
