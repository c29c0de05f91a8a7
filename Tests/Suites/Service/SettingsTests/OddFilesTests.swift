import Testing

@testable import Settings

/// Each file in config/odd holds what is allowed and rarely meant, and says in comments what is to
/// be said of it: `# expect: line:column: warning: message`. It is named after the kind of its
/// warnings, with what tells it from others of the kind behind.
@Suite struct OddFilesTests {
    static let files = Project.files(in: "config/odd")

    @Test(arguments: files)
    func everyOddityIsWarnedOfInTheOrderOfTheFile(file: String) throws {
        let bytes = try Project.bytes(of: "config/odd/\(file)")
        let expected = expectations(bytes)
        try #require(!expected.isEmpty, "config/odd/\(file) says nothing of what it expects")
        let warnings = try Settings.parse(bytes, file: "").warnings
        #expect(warnings.map { String($0.line(in: "").dropFirst()) } == expected)
        #expect(warnings.allSatisfy { file.hasPrefix($0.kind.rawValue) })
    }

    @Test(arguments: WarningKind.allCases)
    func everyKindHasAFileAndStandsInThePage(kind: WarningKind) throws {
        #expect(Self.files.contains("\(kind.rawValue).yaml"))
        let page = try String(decoding: Project.bytes(of: "docs/configuration.md"), as: UTF8.self)
        let words = page.split { " \n".contains($0) }
        #expect(words.contains(kind.explanation.split(separator: " ")))
    }

    @Test(arguments: Project.files(in: "config").filter { $0.hasSuffix(".yaml") })
    func theFilesThatComeWithTheProjectMeanWhatTheySay(file: String) throws {
        let bytes = try Project.bytes(of: "config/\(file)")
        #expect(try Settings.parse(bytes, file: file).warnings == [])
    }

    @Test(arguments: [
        ("/tmp/ledger.db", true), ("/run/a/ledger.db", true), ("//var/./run/ledger.db", true),
        ("/dev/shm/ledger.db", true), ("/var/tmp/ledger.db", false), ("/var/lib/run/l.db", false),
        ("/runner/ledger.db", false), ("/tmp", false),
    ])
    func aPathTellsWhetherItIsVolatile(path: String, isVolatile: Bool) {
        #expect(Settings.isBelowVolatileFolder(path) == isVolatile)
    }

    @Test func theLedgerIsJudgedByWhoeverReadsTheFile() throws {
        let bytes = try Project.bytes(of: "config/turnstiled.yaml")
        var asked: [String] = []
        let settings = try Settings.parse(bytes, file: "gate.yaml") {
            asked.append($0)
            return true
        }
        #expect(asked == ["/var/lib/turnstiled/ledger.db"])
        #expect(settings.warnings.map(\.kind) == [.volatileLedger])
    }

    @Test(arguments: [
        ("room: 210MB", []), ("room: 209MB", [WarningKind.roomTooSmall]), ("age: 37d", []),
        ("age: 38d", [.ageNotReached]), ("records: 1026000, age: 38d", []),
    ])
    func aLedgerThatJustFitsIsEnough(limits: String, kinds: [WarningKind]) throws {
        let settings = try Settings.parse(
            GoodFilesTests.shortest + "\nledger: {\(limits)}\n", file: "gate.yaml")
        #expect(settings.warnings.map(\.kind) == kinds)
    }

    @Test func anyOfTheLinesThatGoByAValueIsEnough() throws {
        let text = GoodFilesTests.shortest.replacing(
            "  outputs:", with: "    lock_feedback: {line: 7}\n  outputs:")
        let settings = try Settings.parse(
            "mechanism: {lock_response: 400ms}\n" + text, file: "gate.yaml")
        #expect(settings.warnings == [])
    }

    @Test func eachPinOfTheHeaderIsTheGPIOThatItIs() {
        // From the left and the right column of the header's drawing, top to bottom.
        let left = [nil, 2, 3, 4, nil, 17, 27, 22, nil, 10, 9, 11, nil, 0, 5, 6, 13, 19, 26, nil]
        let right = [
            nil, nil, nil, 14, 15, 18, nil, 23, 24, nil, 25, 8, 7, 1, nil, 12, nil, 16, 20, 21,
        ]
        let pins = zip(left, right).flatMap { [$0, $1] }
        #expect((1...40).map(RaspberryPiHeader.number(ofPin:)) == pins)
    }

    @Test func aResistorOutsideIsNotSeenThrough() throws {
        let contacts = ["release_exit", "service_key", "cabinet_tamper", "stop"]
        for bias in ["as_is", "disabled"] {
            for level in [true, false] {
                var text = GoodFilesTests.shortest.replacing(
                    "fail_secure", with: "fail_secure, duty: continuous")
                for contact in contacts {
                    text = text.replacing(
                        "  outputs:",
                        with: "    \(contact): {line: \(contact), bias: \(bias), "
                            + "active_low: \(level)}\n  outputs:")
                }
                #expect(try Settings.parse(text, file: "gate.yaml").warnings == [])
            }
        }
    }
}
