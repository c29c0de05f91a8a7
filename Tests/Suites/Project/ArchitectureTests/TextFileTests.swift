import Testing

/// What the other suites see of a file is what is there.
@Suite struct TextFileTests {
    @Test func `functions are found with all their lines`() {
        let file = TextFile(
            path: "Sample.swift",
            text: """
                struct Sample {
                    let count = 1
                    func short() -> Int { 1 }

                    @inline(never) public mutating func long(
                        count: Int
                    ) {
                        if count > 1 {
                            print(count)
                        }
                    }
                }

                protocol Thing {
                    func declared()
                    var number: Int { get }
                }

                extension Sample {
                    var name: String {
                        switch count {
                        case 1: "one"
                        default:
                            "many"
                        }
                    }
                    var other: Int {
                        let half = count / 2
                        return half
                    }
                }
                """)
        #expect(file.functions == [2..<3, 4..<11, 19..<26, 26..<30])
        #expect(file.functions.map(file.isTable) == [false, false, true, false])
    }

    @Test func `functions of C are found with all their lines`() {
        let file = TextFile(
            path: "sample.c",
            text: """
                static int first(int a);
                int declared(int a,
                             int b);

                int second(int a)
                {
                    return a;
                }

                int third(int a,
                          int b) {
                    return a;
                }
                """)
        #expect(file.functions == [4..<8, 9..<13])
    }

    @Test func `tests are found with all their lines`() {
        let file = TextFile(
            path: "Sample.swift",
            text: """
                @Suite struct Sample {
                    @Test(arguments: [
                        1, 2,
                    ]) func several(count: Int) {
                        #expect(count > 0)
                    }

                    @Test func one() { #expect(true) }

                    @Test(arguments: [
                        1, 2,
                    ]) func short(count: Int) { #expect(count > 0) }

                    func after() {
                    }
                }
                """)
        #expect(file.tests == [1..<6, 7..<8, 9..<12])
    }

    @Test func `places name file, line and text`() {
        let file = TextFile(path: "Sample.swift", text: "one\n  two\nthree\n")
        #expect(
            file.places { $0.contains("t") } == ["Sample.swift:2: two", "Sample.swift:3: three"])
    }
}
