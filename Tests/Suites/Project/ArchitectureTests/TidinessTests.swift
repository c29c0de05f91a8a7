import Testing

/// The habits of this project that a machine can see, besides those that `make lint` looks at.
@Suite struct TidinessTests {
    /// The modules and files that may say `unsafe`, since memory is their business.
    static let unsafePlaces = [
        "Sources/Service/GPIOHardware/", "Sources/Service/System/", "Sources/Service/Settings/",
        "Sources/Service/Storage/Journal/", "Sources/Service/Storage/Ledger/",
        // The exclusive access to the gate, which the compiler would see to less fast.
        "Sources/Service/Controller/Parts/Exclusive.swift",
        // On pthreads for ThreadSanitizer.
        "Sources/Kit/Locks/Lock.swift",
        // What the system knows of files, disks and the clock, which the daemon does without.
        "Sources/Tools/Doctor/Machine/FileStatus.swift",
        // The simulation's clock is a timer of the kernel; a view sets the terminal's mode.
        "Sources/Tools/Console/Terminal.swift", "Sources/Tools/Console/Restoration.swift",
    ]

    @Test(arguments: Repository.written) func `is short enough to read`(file: TextFile) {
        // A list of names, or of what was published, is looked up and not read: it is as long as it
        // has to be.
        let isList =
            file.path.contains("/Vocabulary/version-")
            || file.lines.count { !Self.isName($0.unindented) } <= 10
        #expect(isList || file.lines.count <= 501, "\(file.path) has \(file.lines.count) lines")
    }

    /// Whether a line is a case of an enum, or says what it is.
    private static func isName(_ line: Substring) -> Bool {
        line.isEmpty || line.hasPrefix("case ") || line.hasPrefix("//")
    }

    @Test(arguments: Repository.code) func `has lines of at most 100 columns`(file: TextFile) {
        #expect(file.places { $0.count > 100 } == [])
    }

    @Test(arguments: Repository.code) func `has bodies of at most 70 lines`(file: TextFile) {
        // A table, which has a value or a text for each case, is looked up and not read.
        let long = file.functions.filter { $0.count > 70 && !file.isTable($0) }
        #expect(long.map { file.place($0.lowerBound) } == [])
    }

    @Test(arguments: Repository.texts) func `ends its lines with text`(file: TextFile) {
        #expect(file.places { [" ", "\t", "\r"].contains($0.last) } == [])
        #expect(file.lines.last == "", "\(file.path) does not end with a newline")
    }

    @Test(arguments: Repository.texts) func `leaves nothing for later`(file: TextFile) {
        // Spelled so that this file does not find itself.
        let words = ["TO" + "DO", "FIX" + "ME", "HA" + "CK", "not " + "implemented"]
        #expect(file.places { line in words.contains { line.contains($0) } } == [])
    }

    @Test(
        arguments: ["Sources/Kit", "Sources/Gate/Turnstile"].flatMap(Repository.swiftFiles))
    func `decides every case of a switch by name`(file: TextFile) {
        #expect(file.places { $0.unindented.prefixMatch(of: /(?:default|case _):/) != nil } == [])
    }

    @Test(arguments: Repository.swiftFiles(below: "Sources"))
    func `touches memory only where that is its business`(file: TextFile) {
        if Self.unsafePlaces.contains(where: file.path.hasPrefix) { return }
        let words = ["unsafe ", "(unsafe)", "@unchecked"]
        #expect(
            file.places { line in
                words.contains { line.contains($0) } && !line.unindented.hasPrefix("//")
            } == [])
    }

    @Test(arguments: Manifest.own.targets)
    func `throws errors of one type at other modules`(target: Manifest.Target) {
        let errors = Repository.swiftFiles(below: target.folder).flatMap { file in
            file.places { line in
                line.contains("Error")
                    && line.contains(
                        #/
                        ^\ * (?:(?:public|package)\ (?:struct|enum|final\ class)|extension)\ [\w.]+
                        :\ (?:[\w.]+,\ )* Error\b
                        /#)
            }
        }
        // Of a table and of a snapshot: nothing throws both.
        #expect(errors.count <= (target.name == "StateMachines" ? 2 : 1), "\(errors)")
    }

    @Test(arguments: ["Sources", "Tests"].flatMap(Repository.swiftFiles))
    func `is called after the one type that it extends`(file: TextFile) {
        guard let types = file.extendedTypes, types.count == 1, let type = types.first else {
            return
        }
        #expect(file.path.contains("/\(type)+"), "\(file.path)")
    }

    @Test(arguments: [
        ("extension A.B {\n    func f() {}\n}\n\nprivate struct C {\n    let d = 1\n}", "A"),
        ("extension A {\n    func f() {}\n}\n\nextension B: C {}", "A B"),
        ("extension A {\n    func f() {}\n}\n\nextension B {\n    private var g = 1\n}", "A"),
        ("extension A {\n    func f() {}\n}\n\n@Suite(.serialized) struct B {}", nil),
    ]) func `what a file extends is found`(text: String, types: String?) {
        let found = TextFile(path: "", text: text).extendedTypes
        #expect(found?.sorted().joined(separator: " ") == types)
    }

    @Test(arguments: Repository.swiftFiles(below: "Tests")) func `asserts something`(file: TextFile)
    {
        let assertion =
            /#expect|#require|Issue\.record|confirmation\(|\b(?:expect|check|assert)\w*\(/
        let idle = file.tests.filter { !file.lines[$0].contains { $0.contains(assertion) } }
        #expect(idle.map { file.place($0.lowerBound) } == [])
    }
}

extension Repository {
    /// What people write and read: all text of the repository, but for the licence and for the
    /// settings that are wrong on purpose.
    static let texts = files().filter {
        $0.path != "LICENSE" && !$0.path.hasPrefix("config/bad/")
    }

    /// What people read from top to bottom: neither the journal's catalog, the manual pages and the
    /// list of names, which are generated, nor the list of planted defects and who caught each, nor
    /// what traces lead to.
    static let written = texts.filter {
        $0.path != "systemd/turnstiled.catalog" && $0.path != "docs/vocabulary.md"
            && !$0.path.hasPrefix("Tests/Tools/Mutants/")
            && !$0.path.hasPrefix("docs/man/")
            && !$0.path.hasPrefix("Tests/Traces/")
    }

    /// What compilers read.
    static let code = texts.filter { $0.path.contains(/\.(?:swift|c|h)$/) }
}

extension TextFile {
    /// The lines of each function and computed property, from its name to its closing brace.
    ///
    /// Formatted code needs no parser for this: the brace that closes a declaration stands on a
    /// line of its own under the declaration's first letter.
    var functions: [Range<Int>] {
        let isFunction = path.hasSuffix(".swift") ? isSwiftFunction : isCFunction
        return lines.indices.filter(isFunction).compactMap(declaration)
    }

    private func isSwiftFunction(at index: Int) -> Bool {
        let line = lines[index]
        let isOne = ["func ", "init", "subscript"].contains { line.contains($0) }
        guard isOne || line.contains("var ") && line.hasSuffix("{") else { return false }
        return line.contains(
            #/
            ^\ * (?:@\w+(?:\(.*\))?\ )* (?:[a-z]+(?:\(\w+\))?\ )*
            (?:func\ |init|deinit|subscript|var\ )
            /#)
    }

    /// Whether the body of a declaration is one switch, of which each case is a value.
    func isTable(_ declaration: Range<Int>) -> Bool {
        var isText = false
        let body = lines[declaration].dropFirst().map(\.unindented).filter { line in
            if line.contains("\"\"\"") { isText.toggle() }
            return !isText
        }
        let statement = /(?:let|var|if|guard|for|while|return|throw|func|switch)\ /
        return body.first?.hasPrefix("switch ") == true
            && !body.dropFirst().contains { $0.prefixMatch(of: statement) != nil }
    }

    /// A prototype begins like a function; what tells them apart is where the first of both ends.
    private func isCFunction(at index: Int) -> Bool {
        guard lines[index].contains(/^[a-z][^;=]*\(/) else { return false }
        let end = lines[index...].first { $0.hasSuffix("{") || $0.hasSuffix(";") }
        return end?.hasSuffix("{") == true
    }

    /// The lines of each function with the attribute `@Test`, from the attribute on.
    var tests: [Range<Int>] {
        lines.indices.filter { lines[$0].unindented.hasPrefix("@Test") }.compactMap(declaration)
    }

    /// The types that a file extends by what other files can see, each by the name before its first
    /// dot; nil if it declares more than that.
    fileprivate var extendedTypes: Set<String>? {
        var types: Set<String> = []
        var type = ""
        for line in lines {
            let indentation = line.prefix { $0 == " " }.count
            guard indentation == 0 || indentation == 4 else { continue }
            // Whatever begins now, the extension before it has ended.
            if indentation == 0, let first = line.first, first.isLetter || first == "@" {
                type = ""
            }
            guard let keyword = line.declaringWord else { continue }
            if indentation == 4 {
                if !type.isEmpty { types.insert(type) }
            } else {
                guard keyword == "extension" else { return nil }
                let name = line.split(separator: "extension ", maxSplits: 1).last ?? ""
                // That of a list has none: `[Duration]`.
                type =
                    name.first == "[" ? "Array" : String(name.prefix { $0.isLetter || $0.isNumber })
                if line.contains(":") { types.insert(type) }
            }
        }
        return types
    }

    /// The lines of the declaration that begins at line `first`, or nil if it has no body.
    private func declaration(from first: Int) -> Range<Int>? {
        if lines[first].contains("{") && lines[first].hasSuffix("}") {
            return first..<(first + 1)
        }
        let indentation = lines[first].prefix { $0 == " " }
        for index in lines.indices[(first + 1)...] {
            let line = lines[index]
            guard line.hasPrefix(indentation) else {
                if line.isEmpty { continue } else { return nil }
            }
            let rest = line.dropFirst(indentation.count)
            // A body may stand behind the last of several lines: `]) func short() { … }`.
            let isWhole = ")]".contains(rest.prefix(1)) && rest.hasSuffix("}")
            if rest.hasPrefix("}") || isWhole { return first..<(index + 1) }
        }
        return nil
    }
}

extension Substring {
    /// The line from its first letter on.
    fileprivate var unindented: Substring { drop { $0 == " " } }

    private static let declaringWords: Set<Substring> = [
        "struct", "class", "enum", "actor", "protocol", "extension", "func", "let", "var", "init",
        "subscript", "case", "typealias", "operator", "macro", "precedencegroup",
    ]

    /// The word by which the line declares what other files can see; nil if it does not.
    fileprivate var declaringWord: Substring? {
        guard let first = unindented.first, first.isLetter || first == "@" else { return nil }
        for word in unindented.split(separator: " ") {
            if ["import", "private", "fileprivate"].contains(word) { return nil }
            let letters = word.prefix { $0.isLetter }
            if Self.declaringWords.contains(letters) { return letters }
        }
        return nil
    }
}
