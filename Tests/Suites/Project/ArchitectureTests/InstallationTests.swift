import Foundation
import Testing

/// What `make install` puts in place, from a checkout and to a place with blanks in their paths.
/// The programs are stand-ins: what matters here is the rest.
@Suite struct InstallationTests {
    @Test func `is whole, and what is taken away is all but the settings`() throws {
        try SourceTree.with { checkout in
            let place = checkout.root.appending(path: "the place")
            let outcome = try checkout.make("install", "DESTDIR=\(place.path)", "PREFIX=/usr")
            #expect(outcome.status == 0, "\(outcome.output)")
            let files = try SourceTree.files(below: place)
            for file in [
                "usr/bin/turnstiled", "usr/lib/turnstiled/turnstile-simulator",
                "usr/bin/turnstilectl", "etc/turnstiled/turnstiled.yaml",
                "usr/lib/systemd/system/turnstiled.service", "usr/share/man/man1/turnstilectl.1",
                "usr/share/bash-completion/completions/turnstilectl",
            ] {
                #expect(files.contains(file), "\(file)")
            }
            let open = files.filter { file in
                let text = try? String(contentsOf: place.appending(path: file), encoding: .utf8)
                return text?.contains(/@[A-Z]+@/) == true
            }
            #expect(open == [], "placeholders are left")
            let removal = try checkout.make("uninstall", "DESTDIR=\(place.path)", "PREFIX=/usr")
            #expect(removal.status == 0, "\(removal.output)")
            #expect(try SourceTree.files(below: place) == ["etc/turnstiled/turnstiled.yaml"])
        }
    }

    @Test func `has documents whose links lead to what is installed`() throws {
        try SourceTree.with { checkout in
            let outcome = try checkout.make("install-docs", "DESTDIR=", "DOCDIR=the documents")
            #expect(outcome.status == 0, "\(outcome.output)")
            let documents = checkout.root.appending(path: "the documents")
            var links = 0
            for file in try SourceTree.files(below: documents) where file.hasSuffix(".md") {
                let page = documents.appending(path: file)
                let text = try String(contentsOf: page, encoding: .utf8)
                for link in text.matches(of: /\]\(([^)#:]+)(?:#[^)]*)?\)/) {
                    let target = page.deletingLastPathComponent().appending(path: link.1)
                    #expect(
                        FileManager.default.fileExists(atPath: target.standardizedFileURL.path),
                        "\(file): \(link.1)")
                    links += 1
                }
            }
            #expect(links > 100)
        }
    }

    @Test func `says what to do where the programs are out of date and there is no Swift`() throws {
        try SourceTree.with { checkout in
            let source = "Sources/Service/System/Changed.swift"
            try checkout.write("public let changed = true\n", to: source)
            // The files' clock ticks now and then: what is written within a tick is of one age.
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: 60)],
                ofItemAtPath: checkout.root.appending(path: source).path)
            let outcome = try checkout.make("install", "DESTDIR=place", "SWIFT=no-such-swift")
            #expect(outcome.status != 0)
            #expect(outcome.output.contains("make release; then: sudo make install"))
            #expect(!FileManager.default.fileExists(atPath: checkout.root.path + "/place"))
        }
    }

    @Test func `refuses a prefix that the unit cannot name, and installs nothing`() throws {
        try SourceTree.with { checkout in
            let outcome = try checkout.make("install", "DESTDIR=place", "PREFIX=/opt/the gate")
            #expect(outcome.status != 0)
            #expect(outcome.output.contains("must be plain paths, without blanks"))
            #expect(!FileManager.default.fileExists(atPath: checkout.root.path + "/place"))
        }
    }
}

/// A copy of what `make install` reads, in a folder of its own with stand-ins for the programs.
private struct SourceTree {
    let root: URL

    /// Gives `body` a copy, which is gone afterwards.
    static func with(_ body: (SourceTree) throws -> Void) throws {
        try Program.withFolder("a checkout") { root in
            let checkout = SourceTree(root: root)
            for path in ["Sources/Service/System", ".build/install"] {
                try FileManager.default.createDirectory(
                    at: root.appending(path: path), withIntermediateDirectories: true)
            }
            for path in [
                "Makefile", "README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE", "Package.swift",
                "docs", "config", "systemd", "Sources/Service/System/Version.swift",
            ] {
                // Whoever runs the tests may not be the one whose files these are.
                let source = Repository.root.appending(path: path).path
                _ = try Program.run(["cp", "-R", source, path], in: root)
            }
            for program in ["turnstiled", "turnstile-simulator", "turnstilectl"] {
                let path = ".build/install/\(program)"
                try checkout.write("#!/bin/sh\necho complete\n", to: path, 0o755)
            }
            try body(checkout)
        }
    }

    func write(_ text: String, to path: String, _ mode: Int = 0o644) throws {
        let file = root.appending(path: path)
        try Data(text.utf8).write(to: file)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
    }

    /// Runs make there.
    func make(_ arguments: String...) throws -> (status: Int32, output: String) {
        try Program.run(["make", "--no-print-directory"] + arguments, in: root)
    }

    /// The files below a folder, and the links there, by their paths from it.
    static func files(below folder: URL) throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { path in
            let attributes = try? FileManager.default.attributesOfItem(
                atPath: folder.appending(path: path).path)
            return attributes?[.type] as? FileAttributeType != .typeDirectory
        }.sorted()
    }
}
