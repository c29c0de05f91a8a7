import BusInterface
import System
import Testing
import Turnstile

@testable import Bus

/// What is counted of the lines, and what is kept of them for whoever follows.
@Suite struct EdgeTests {
    private static func edge(_ time: UInt64) -> EdgeNews {
        .edge(.input(.coinPulse), isOn: true, at: time)
    }

    @Test func `every line has a count of its own`() {
        let counts = EdgeCounts()
        #expect(counts.nonzero.isEmpty)
        for (index, line) in Line.words.enumerated() {
            for _ in 0...index { counts.count(line) }
        }
        #expect(counts.nonzero.map(\.line) == Line.words)
        #expect(counts.nonzero.map(\.count) == Line.words.indices.map { UInt64($0 + 1) })
    }

    @Test func `the counts are shown where they are, without a look at the gate`() {
        let facts = GateFacts(
            gate: "north", version: "1", settingsPath: "/a",
            debounce: [.fire: .milliseconds(20), .coinPulse: .zero], kernelDebounces: true)
        facts.edges.count(.output(.lampGo))
        facts.edges.count(.output(.lampGo))
        facts.edges.count(.input(.fire))
        let talk = Talk()
        talk.conversation = Conversation(facts, at: talk.now)
        func get(_ name: String) -> [BusValue]? {
            talk.call("Get", [.string(""), .string(name)], on: GateInterface.properties).body
        }
        let edges = BusValue.dictionary(of: "t", [("fire", .uint64(1)), ("lamp_go", .uint64(2))])
        #expect(get("Edges") == [.variant(edges)])
        let debounce = BusValue.dictionary(
            of: "t", [("coin_pulse", .uint64(0)), ("fire", .uint64(20_000))])
        #expect(get("Debounce") == [.variant(debounce)])
        #expect(get("KernelDebounces") == [.variant(.boolean(true))])
    }

    @Test func `what there is no room for is missing where it is missing`() {
        var edges = BoundedEdges(most: 3)
        for time in 1...2 { edges.add(Self.edge(UInt64(time))) }
        #expect(edges.all == [Self.edge(1), Self.edge(2)])
        for time in 3...6 { edges.add(Self.edge(UInt64(time))) }
        #expect(edges.all == [Self.edge(1), Self.edge(2), .lost(4)])
        edges.add(.lost(5))
        #expect(edges.all.last == .lost(9))
    }

    @Test func `a loss between two edges stays between them`() {
        var edges = BoundedEdges(most: 8)
        for news in [Self.edge(1), .lost(1), .lost(2), Self.edge(2)] { edges.add(news) }
        #expect(edges.all == [Self.edge(1), .lost(3), Self.edge(2)])
    }

    @Test func `the exchange keeps so many edges, and counts the rest`() throws {
        let exchange = try Exchange()
        exchange.post((1...300).map { Self.edge($0) })
        #expect(exchange.forBus.wait(within: .zero))
        let kept = exchange.takeNews().edges.all
        #expect(kept.count == 256)
        #expect(kept.prefix(255) == (1...255).map { Self.edge($0) }[...])
        #expect(kept.last == .lost(45))
        #expect(exchange.takeNews().edges.all.isEmpty)
    }
}
