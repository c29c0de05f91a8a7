import Foundation
import Pictures
import Testing

/// Each circuit in docs/pictures/*.txt is drawn in the file of its name.
///
/// `UPDATE_GENERATED=1 swift test --filter PicturesTests` draws them anew.
@Suite struct SchematicTests {
    static let circuits: [String] = {
        let names = try? FileManager.default.contentsOfDirectory(atPath: PictureFile.folder.path)
        return (names ?? []).filter { $0.hasSuffix(".txt") }.sorted()
    }()

    @Test(arguments: circuits) func `a circuit is drawn as it is written`(name: String) throws {
        let text = try String(
            contentsOf: PictureFile.folder.appending(path: name), encoding: .utf8)
        let svg = Schematic(text).svg
        #expect(try PictureFile.holds(svg, in: name.replacingOccurrences(of: ".txt", with: ".svg")))
    }

    @Test func `wires, contacts, diodes, components and words are told apart`() {
        let svg = Schematic(
            """
            # A circuit
            +24 V ─[/]─┬─(coil)─ 0 V (of it)
                       │
                      [^]
            """
        ).svg
        #expect(svg.contains("<title>A circuit</title>"))
        #expect(svg.contains(">+24 V</text>") && svg.contains(">0 V (of it)</text>"))
        #expect(svg.contains(">coil</text>") && !svg.contains(">/<") && !svg.contains("^"))
        #expect(svg.matches(of: /<circle/).count == 1)
        #expect(svg.matches(of: /<polygon/).count == 1)
        #expect(svg.matches(of: /class="box accent"/).count == 1)
    }
}
