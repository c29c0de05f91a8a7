import Foundation
import Testing

/// Links in documents lead somewhere: to a file of the repository, and to a heading in it.
@Suite struct LinkTests {
    /// What leads to the web is not followed.
    @Test(arguments: Repository.files(["md"])) func `every link leads to what is there`(
        page: TextFile
    ) {
        let broken = page.links.filter { !$0.contains(":") }.filter { link in
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let folder = page.path.split(separator: "/").dropLast().joined(separator: "/")
            let place = parts[0].isEmpty ? page.path : "\(folder)/\(parts[0])"
            let target = Repository.root.appending(path: place).standardizedFileURL
            guard FileManager.default.fileExists(atPath: target.path) else { return true }
            guard parts.count == 2 else { return false }
            let path = String(target.path.dropFirst(Repository.root.path.count + 1))
            return Repository.file(path)?.anchors.contains(String(parts[1])) != true
        }
        #expect(broken == [])
    }

    @Test func `the links of a page are found, and what they may lead to`() {
        let page = TextFile(
            path: "page.md",
            text: """
                # A page: `code`, and more
                See [this](other.md#a-part), ![a picture](pictures/a.svg).
                ```
                no [link](nowhere.md)
                ```
                ## Part
                ## Part
                """)
        #expect(page.links == ["other.md#a-part", "pictures/a.svg"])
        #expect(page.anchors == ["a-page-code-and-more", "part", "part-1"])
    }

    @Test func `every document is reached from the README`() {
        let readme = Repository.file("README.md")?.links ?? []
        let documents = Repository.files(below: "docs", ["md"]).map(\.path)
        // Those that other pages lead to: what is drawn, listed or promised.
        let deeper: Set = ["docs/gate.md", "docs/invariants.md"]
        #expect(
            documents.filter { path in
                !path.hasPrefix("docs/decisions/") && !deeper.contains(path)
                    && !readme.contains(path)
            } == [])
    }
}

extension TextFile {
    /// Its lines but for those between fences.
    private var prose: [Substring] {
        var isFenced = false
        return lines.filter { line in
            let isFence = line.drop { $0 == " " }.hasPrefix("```")
            if isFence { isFenced.toggle() }
            return !isFence && !isFenced
        }
    }

    /// Where its links lead to, pictures among them.
    fileprivate var links: [String] {
        prose.flatMap { line in line.matches(of: /\]\(([^)\s]+)\)/).map { String($0.1) } }
    }

    /// What its headings are called in a link, as GitHub does it.
    fileprivate var anchors: [String] {
        var counts: [String: Int] = [:]
        return prose.filter { $0.hasPrefix("#") }.map { line in
            let name = line.drop { $0 == "#" }.dropFirst().lowercased()
                .filter { $0.isLetter || $0.isNumber || " -_".contains($0) }
                .replacing(" ", with: "-")
            let count = counts[name, default: 0]
            counts[name] = count + 1
            return count == 0 ? name : "\(name)-\(count)"
        }
    }
}
