import Checkout
import Foundation
import Testing

/// The kit's documents, as they stand in the repository.
enum Documents {
    static let root = Checkout.root

    static let tutorial = text("Sources/Kit/StateMachines/StateMachines.docc/Tutorial.md")

    /// The kit's modules that have documentation of their own.
    static let modules = ["StateMachines", "Charts", "Exploration", "Holding", "Routing"]

    /// What a module is for, and where each of its types stands.
    static func overview(_ module: String) -> String {
        text("Sources/Kit/\(module)/\(module).docc/\(module).md")
    }

    static func text(_ path: String) -> String {
        (try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)) ?? ""
    }

    /// The lines of a text without their indentation.
    static func lines(_ text: some StringProtocol) -> String {
        text.split(separator: "\n").map { $0.drop { $0 == " " } }.joined(separator: "\n")
    }
}

@Suite struct DocumentTests {
    @Test func `the tutorial shows no code but what is compiled and run`() {
        let code = ["TutorialTests", "TutorialShellTests", "TypestateTests"].map {
            Documents.lines(Documents.text("Tests/Suites/Kit/StateMachinesTests/\($0).swift"))
        }.joined(separator: "\n")
        let blocks = Documents.tutorial.components(separatedBy: "```swift\n").dropFirst()
        #expect(blocks.count >= 10)
        for block in blocks {
            let shown = block.components(separatedBy: "```")[0]
            #expect(code.contains(Documents.lines(shown)), "\(shown)")
        }
    }

    @Test func `a package that depends on the kit says what the overview says`() {
        let overview = Documents.overview("StateMachines")
        let package = Documents.text("Tests/Tools/Dependent/Package.swift")
        let blocks = overview.components(separatedBy: "```swift\n").dropFirst()
        #expect(blocks.count == 2)
        for block in blocks {
            let shown = block.components(separatedBy: "```")[0]
            // Only where the package lies differs.
            let line = shown.replacing("../turnstiled", with: "../../..")
            #expect(Documents.lines(package).contains(Documents.lines(line)), "\(shown)")
        }
    }

    @Test(arguments: Documents.modules)
    func `every public type has its place in the overview`(module: String) throws {
        let overview = Documents.overview(module)
        let folder = Documents.root.appendingPathComponent("Sources/Kit/\(module)")
        var names: Set<String> = []
        for path in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
        where path.hasSuffix(".swift") {
            let text = Documents.text("Sources/Kit/\(module)/\(path)")
            // What is nested in another type is told there.
            let types = #/^public (?:final class|struct|enum|protocol) (\w+)/#
            for type in text.matches(of: types.anchorsMatchLineEndings()) {
                names.insert(String(type.1))
            }
            // What is thrown, also where Embedded Swift leaves it out.
            for error in text.matches(of: #/public struct (\w+): Error\b/#) {
                names.insert(String(error.1))
            }
        }
        #expect(!names.isEmpty)
        for name in names { #expect(overview.contains("- ``\(name)``"), "\(name)") }
    }

    @Test(arguments: ["StateMachines.md", "Tutorial.md", "Comparison.md"])
    func `links in the catalog lead somewhere`(page: String) {
        let text = Documents.text("Sources/Kit/StateMachines/StateMachines.docc/\(page)")
        #expect(!text.isEmpty)
        for link in text.matches(of: #/<doc:([A-Za-z]+)>/#) {
            let target = "Sources/Kit/StateMachines/StateMachines.docc/\(link.1).md"
            #expect(!Documents.text(target).isEmpty, "\(link.0)")
        }
    }
}
