import Exploration
import StateMachines
import Testing

@Suite struct DiagramTests {
    static func diagram() throws -> Diagram {
        StateGraph(from: try TableTests.alarming()[0]).diagram()
    }

    /// A table whose first state has commands of entry.
    static func entering() throws -> Diagram {
        StateGraph(from: TableMachine(try Tutorial.Rows.table(), predicates: .strong)).diagram()
    }

    @Test func mermaid() throws {
        #expect(
            try Self.diagram().mermaid == """
                stateDiagram-v2
                    state "locked" as s0
                    state "unlocked" as s1
                    state "alarming" as s2
                    [*] --> s0
                    s0 --> s1: coin / unlock
                    s0 --> s2: pass / alarmOn
                    s0 --> s0: reset / alarmOff, lock
                    s1 --> s1: coin / thankYou
                    s1 --> s0: pass / lock
                    s1 --> s0: reset / alarmOff, lock
                    s2 --> s2: coin
                    s2 --> s2: pass
                    s2 --> s0: reset / alarmOff, lock

                """)
    }

    @Test func `states of the same kind are drawn as one`() {
        let diagram = ExplorationTests.hierarchical.diagram(
            state: { machine in
                switch machine {
                case .functioning(.locked): "locked \"(credit)\""
                case .functioning(.unlocked): "unlocked"
                case .broken: "broken"
                }
            },
            event: { "\($0.kind)" })
        #expect(
            diagram.dot == """
                digraph {
                    node [shape=box, style=rounded]
                    start [shape=point]
                    start -> s0
                    s0 [label="locked \\"(credit)\\""]
                    s1 [label="unlocked"]
                    s2 [label="broken"]
                    s0 -> s0 [label="coinInserted"]
                    s0 -> s1 [label="coinInserted / openDoors"]
                    s0 -> s0 [label="personPassed / soundAlarm"]
                    s0 -> s2 [label="machineFailed"]
                    s1 -> s0 [label="personPassed / closeDoors"]
                    s1 -> s2 [label="machineFailed"]
                    s2 -> s0 [label="repairCompleted"]
                    s2 -> s1 [label="repairCompleted"]
                }

                """)
        #expect(diagram.mermaid.contains(#"state "locked #quot;(credit)#quot;" as s0"#))
    }

    @Test func `a state round others is a frame`() {
        let diagram = ExplorationTests.hierarchical.diagram(
            state: { machine in
                switch machine {
                case .functioning(.locked): "locked"
                case .functioning(.unlocked): "unlocked"
                case .broken: "broken"
                }
            },
            inside: { machine in
                if case .functioning = machine { "functioning" } else { nil }
            }, event: { "\($0.kind)" })
        #expect(
            diagram.mermaid.hasPrefix(
                """
                stateDiagram-v2
                    state "functioning" as f0 {
                        state "locked" as s0
                        state "unlocked" as s1
                    }
                    state "broken" as s2
                    [*] --> s0

                """))
        #expect(
            diagram.dot.contains(
                """
                    subgraph cluster0 {
                        label="functioning"
                        s0 [label="locked"]
                        s1 [label="unlocked"]
                    }
                    s2 [label="broken"]

                """))
        // As one state they would not say which coin opens.
        #expect(throws: DiagramError(state: "locked", event: "coinInserted")) { try diagram.scxml }
    }

    @Test func `a state round others is one in SCXML as well`() throws {
        let diagram = ExplorationTests.hierarchical.diagram(
            state: { machine in
                switch machine {
                case .functioning(.locked(let credit)): "locked \(credit)"
                case .functioning(.unlocked): "unlocked"
                case .broken(.locked(let credit)): "broken \(credit)"
                case .broken(.unlocked): "broken"
                }
            },
            inside: { machine in
                if case .functioning = machine { "functioning" } else { nil }
            })
        #expect(
            try diagram.scxml.contains(
                """
                  <state id="functioning">
                    <state id="locked_0">
                      <transition event="coinInserted_value_20" target="locked_20"/>
                      <transition event="coinInserted_value_50" target="unlocked">
                        <send event="openDoors"/>
                      </transition>

                """))
    }

    @Test func scxml() throws {
        let text = try Self.diagram().scxml
        #expect(text.contains(#"version="1.0" initial="locked">"#))
        #expect(
            text.contains(
                """
                  <state id="alarming">
                    <transition event="coin" target="alarming"/>
                    <transition event="pass" target="alarming"/>
                    <transition event="reset" target="locked">
                      <send event="alarmOff"/>
                      <send event="lock"/>
                    </transition>
                  </state>
                </scxml>
                """))
    }

    @Test func `what a shell starts with is written in each language`() throws {
        let graph = StateGraph(from: FlatTurnstile(), events: [.personPassed])
        let diagram = graph.diagram(
            state: { _ in "start" }, start: { _ in [.closeDoors, .soundAlarm] })
        #expect(diagram.startCommands == ["closeDoors", "soundAlarm"])
        #expect(diagram.mermaid.contains("[*] --> s0: / closeDoors, soundAlarm\n"))
        #expect(diagram.dot.contains(#"start -> s0 [label="/ closeDoors, soundAlarm"]"#))
        // A state of that name is there already.
        #expect(try diagram.scxml.contains(#"initial="start_2""#))
        #expect(try diagram.xstate.hasPrefix("{\n  \"initial\": \"start_2\""))
        #expect(graph.diagram(state: { _ in "start" }).mermaid.contains("[*] --> s0\n"))
    }

    @Test func `the first state is entered, in SCXML by a state before it`() throws {
        let text = try Self.entering().scxml
        #expect(
            text.contains(
                """
                 version="1.0" initial="start">
                  <state id="start">
                    <transition target="locked">
                      <send event="lock"/>
                    </transition>
                  </state>
                  <state id="locked">

                """))
    }

    @Test func xstate() throws {
        let text = try Self.entering().xstate
        #expect(
            text.hasPrefix(
                """
                {
                  "initial": "start",
                  "states": {
                    "start": {
                      "id": "start",
                      "always": {
                        "target": "#locked",
                        "actions": [
                          "lock"
                        ]
                      }
                    },
                    "locked": {
                      "id": "locked",
                      "on": {
                        "coin": {
                          "target": "#unlocked",
                          "actions": [
                            "unlock"
                          ]
                        },
                        "pass": {

                """))
    }

    @Test func `identifiers are fit for XML and kept apart`() throws {
        let text = try ExplorationTests.hierarchical.diagram().scxml
        let identifiers = text.split(separator: "\n").compactMap { line in
            line.hasPrefix("  <state id=") ? line.split(separator: "\"")[1] : nil
        }
        #expect(Set(identifiers).count == 8)
        #expect(
            identifiers.allSatisfy { name in
                name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            })
    }
}
