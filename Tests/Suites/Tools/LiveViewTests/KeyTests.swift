import Checkout
import Foundation
import SimulatedHardware
import Testing
import Turnstile

@testable import LiveView

@Suite struct KeyDecoderTests {
    private func keys(_ texts: String...) -> [Key] {
        var decoder = KeyDecoder()
        return texts.flatMap { decoder.keys($0.utf8) }
    }

    @Test func `a character is a key`() {
        #expect(keys("aV1") == [.character("a"), .character("V"), .character("1")])
    }

    @Test func `arrows come as sequences in two ways`() {
        #expect(keys("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}OD") == [.up, .down, .right, .left])
    }

    @Test func `a sequence may come in pieces once it has begun`() {
        #expect(keys("\u{1B}[", "C", "q") == [.right, .character("q")])
    }

    @Test func `an escape that nothing follows is a key`() {
        #expect(keys("\u{1B}", "q") == [.escape, .character("q")])
    }

    @Test func `pages turn in the ways of several terminals`() {
        #expect(keys("\u{1B}[5~\u{1B}[6~") == [.pageUp, .pageDown])
        #expect(keys("\u{1B}[H\u{1B}OH\u{1B}[1~\u{1B}[7~") == Array(repeating: .home, count: 4))
        #expect(keys("\u{1B}[F\u{1B}OF\u{1B}[4~\u{1B}[8~") == Array(repeating: .end, count: 4))
    }

    @Test func `keys of a line that is typed`() {
        #expect(keys("\t\r\n\u{7F}\u{8}") == [.tab, .enter, .enter, .backspace, .backspace])
    }

    @Test(arguments: [
        "\u{1B}[3~", "\u{1B}[15~", "\u{1B}[24~", "\u{1B}[1;5P", "\u{1B}[?62;22c", "\u{1B}x",
        "\u{1B}[[A", "\u{1B}[[E",
    ])
    func `what nobody needs is nothing`(text: String) {
        #expect(keys(text, "e") == [.character("e")])
    }

    @Test(arguments: ["é", "€", "😀"]) func `a character may have several bytes`(text: String) {
        #expect(keys(text) == [.character(Character(text))])
        var decoder = KeyDecoder()
        #expect(text.utf8.flatMap { decoder.keys([$0]) } == [.character(Character(text))])
    }

    @Test func `bytes that are no text are nothing`() {
        var decoder = KeyDecoder()
        #expect(
            decoder.keys([0xFF, 0x80, 0xC3, 0x28, 0x61]) == [.character("("), .character("a")])
    }

    @Test func `Ctrl and C is a key`() {
        #expect(keys("\u{3}\u{4}") == [.interrupt, .interrupt])
    }

    @Test func `Alt and an arrow is the arrow`() {
        #expect(keys("\u{1B}\u{1B}[A", "e") == [.up, .character("e")])
    }

    @Test func `Ctrl and C is a key in a sequence that has no end`() {
        #expect(keys("\u{1B}[1;\u{3}q") == [.interrupt, .character("q")])
        #expect(keys("\u{1B}[", "\u{1B}[B") == [.down])
        #expect(keys("\u{1B}\u{3}") == [.interrupt])
    }

    @Test(arguments: [
        ["\u{1B}[200~qé\r\u{1B}[A\u{1B}[201~q"], ["\u{1B}[200~q", "é\u{1B}", "[2", "01~q"],
    ]) func `what is pasted is no key`(pieces: [String]) {
        var decoder = KeyDecoder()
        #expect(
            pieces.flatMap { decoder.keys($0.utf8) } == [
                .pasted("q"), .pasted("é"), .character("q"),
            ])
    }

    @Test func `Ctrl and C is a key where the end of a pasted text is missing`() {
        #expect(keys("\u{1B}[200~a\u{3}q") == [.pasted("a"), .interrupt, .character("q")])
    }

    @Test func `Ctrl and Z is a key`() {
        #expect(keys("\u{1A}") == [.suspend])
    }
}

@Suite struct KeyboardTests {
    /// The keys of a gate that has everything.
    private let keyboard = Keyboard(
        coins: [
            Coin(.first, pulses: 1, value: 50), Coin(.first, pulses: 2, value: 100),
            Coin(.second, pulses: 1, value: 500),
        ],
        equipment: Equipment(inputs: .all, outputs: OutputSet(Output.allCases)),
        serviceHold: .seconds(3))

    private func action(_ character: Character, levels: InputLevels = []) -> Stroke {
        keyboard.stroke(character, levels: levels)
    }

    @Test func `every key that is explained does something of its own`() {
        let keys = keyboard.bindings().flatMap(\.keys)
        let strokes = Set(keys.map { action($0) })
        #expect(strokes.count == keys.count)
        #expect(!strokes.contains(.nothing))
        #expect(!keys.contains { "q?/!".contains($0) }, "these are the view's own")
    }

    @Test func `every key that is explained stands in the document`() throws {
        let file = Checkout.root.appending(path: "docs/simulation.md")
        let text = try String(contentsOf: file.standardized, encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
        let documented = Set(rows.flatMap { $0.split(separator: "|")[0].split(separator: /[ ,]+/) })
        let keys = keyboard.bindings().flatMap(\.keys).map { "\($0)"[...] }
        #expect(documented.isSuperset(of: keys))
    }

    @Test func `numbers are coins, slot by slot`() {
        #expect(action("1") == .events([.coinInserted(value: 50)]))
        #expect(action("2") == .events([.coinInserted(value: 100)]))
        #expect(action("3") == .events([.coinInserted(value: 500, into: .second)]))
        for key in "04٣" { #expect(action(key) == .nothing) }
    }

    @Test(arguments: [
        (Character("f"), Input.fire), ("s", .stop), ("d", .externalFault), ("o", .powerLow),
        ("c", .cabinetTamper), ("g", .vaultDoor), ("G", .vaultPresent),
        ("F", .vaultFull),
    ])
    func `the same key turns a contact and turns it back`(key: Character, input: Input) {
        #expect(action(key) == .events([.contactMoved(input, isActive: true)]))
        #expect(
            action(key, levels: InputLevels(input))
                == .events([.contactMoved(input, isActive: false)]))
    }

    @Test func `the mechanic's key is turned, or held for longer than service mode asks`() {
        #expect(action("k") == .events([.contactPressed(.serviceKey)]))
        #expect(action("K") == .events([.contactPressed(.serviceKey, for: .seconds(4))]))
    }

    @Test func `whoever climbs over the arm is seen for a moment`() {
        #expect(action("i") == .events([.contactPressed(.intrusion)]))
    }

    @Test func `a repair mends everything; the key is turned later`() {
        #expect(
            action("r")
                == .events([
                    .everythingRepaired, .armRaised,
                    .contactMoved(.externalFault, isActive: false),
                    .contactMoved(.powerLow, isActive: false),
                    .contactMoved(.cabinetTamper, isActive: false),
                    .contactMoved(.vaultDoor, isActive: false),
                    .contactMoved(.vaultFull, isActive: false),
                    .contactMoved(.vaultPresent, isActive: true),
                ]))
    }

    @Test func `for what is not wired there is no key`() {
        let small = Keyboard(coins: keyboard.coins, equipment: .oneWay, serviceHold: .seconds(3))
        #expect(String(small.bindings().flatMap(\.keys)) == "12extTvVbwyafzkKdJmnNlr")
        #expect(small.stroke("3", levels: []) == .notWired(.input(.coinPulse2)))
        #expect(small.stroke("A", levels: []) == .notWired(.input(.releaseExit)))
        #expect(small.stroke("s", levels: []) == .notWired(.input(.stop)))
        #expect(small.stroke("u", levels: []) == .notWired(.output(.dropArm)))
    }
}
