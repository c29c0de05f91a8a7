import Foundation
import FoundationXML
import Seeds
import Testing

@testable import Drawing
@testable import Exploration

/// Pictures in SVG.
@Suite struct PictureTests {
    /// The elements of a picture, which is well-formed.
    private final class Reader: NSObject, XMLParserDelegate {
        var elements: [(name: String, attributes: [String: String])] = []
        var text = ""

        init(_ svg: String) throws {
            super.init()
            let parser = XMLParser(data: Data(svg.utf8))
            parser.delegate = self
            try #require(parser.parse(), "\(String(describing: parser.parserError)): \(svg)")
        }

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
            qualifiedName: String?, attributes: [String: String]
        ) { elements.append((name, attributes)) }

        func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }
    }

    private func machine(present: String?) -> Diagram {
        let names = ["locked", "free & <open>"].map { Diagram.Node(name: $0, outer: nil) }
        var diagram = Diagram(
            nodes: names,
            arrows: [
                .init(from: 0, to: 1, event: "coin \"1\"", commands: ["unlock"]),
                .init(from: 1, to: 1, event: "coin", commands: []),
            ])
        diagram.present = present
        return diagram
    }

    @Test func `any picture is well-formed`() throws {
        var numbers = SeededGenerator()
        for _ in SeededGenerator.rounds(50) {
            let charts = (0..<3).map { number in
                var diagram = LayoutTests.diagram(&numbers)
                diagram.present = diagram.nodes.randomElement(using: &numbers)?.name
                return Picture.Chart(name: "\u{1}<\(number)>&\u{FFFE}\"", diagram: diagram)
            }
            let read = try Reader(Picture(title: "]]> & all", of: charts).svg)
            #expect(read.elements[0].name == "svg")
            let states = read.elements.filter { $0.attributes["class"]?.hasPrefix("state") == true }
            let count = charts.reduce(0) { $0 + $1.diagram.nodes.count }
            #expect(states.dropFirst().count == count, "\(numbers)")
        }
    }

    @Test func `all that is said is shown`() throws {
        let read = try Reader(
            Picture(title: "a gate", of: [.init(name: "lane", diagram: machine(present: nil))]).svg)
        for words in ["a gate", "lane", "locked", "free & <open>", "coin \"1\"", "/ unlock"] {
            #expect(read.text.contains(words), "\(words)")
        }
    }

    @Test func `what a shell starts with stands at the arrow to the first state`() throws {
        var diagram = machine(present: nil)
        let before = Layout(diagram)
        diagram.startCommands = ["lock", "greet"]
        let read = try Reader(Picture(title: "", of: [.init(name: "", diagram: diagram)]).svg)
        #expect(read.text.contains("/ lock, greet"))
        let room = Layout(diagram).states[0].inset - before.states[0].inset
        #expect(room == TextSize.width("/ lock, greet"))
        #expect(before.states[1].inset == 0 && Layout(diagram).states[1].inset == 0)
    }

    @Test(arguments: [(nil, 0), ("locked", 1), ("another", 0)])
    func `the present state is marked, and no other`(present: String?, count: Int) throws {
        let chart = Picture.Chart(name: "lane", diagram: machine(present: present))
        let read = try Reader(Picture(title: "", of: [chart]).svg)
        let marked = read.elements.filter { $0.attributes["class"] == "state present" }
        #expect(marked.count == count)
        #expect(read.text.contains("lane: locked") == (count == 1))
    }

    @Test func `machines stand below each other, and all are in the picture`() throws {
        let charts = (0..<3).map { _ in Picture.Chart(name: "a", diagram: machine(present: nil)) }
        let picture = Picture(title: "", of: charts)
        let read = try Reader(picture.svg)
        let tops = read.elements.compactMap { element in
            element.attributes["transform"]?.wholeMatch(of: /translate\(20 (\d+)\)/).flatMap {
                Int($0.1)
            }
        }
        let height = try #require(read.elements[0].attributes["height"].flatMap { Int($0) })
        let each = Picture.heading + picture.charts[0].layout.height
        #expect(tops.count == 3)
        #expect(zip(tops, tops.dropFirst()).allSatisfy { $0 + each <= $1 })
        #expect(tops[2] + each <= height)
    }

    @Test func `it is dark where its viewer is`() {
        let svg = Picture(title: "", of: []).svg
        #expect(svg.contains("@media (prefers-color-scheme: dark)"))
    }
}
