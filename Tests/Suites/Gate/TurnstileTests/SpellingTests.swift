import Testing
import Turnstile

@Suite struct SpellingTests {
    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("price", "price", 0),
        ("prise", "price", 1), ("pirce", "price", 1), ("rice", "price", 1),
        ("prices", "price", 1), ("ca", "abc", 3), ("kitten", "sitting", 3),
    ])
    func countsTheLettersThatDiffer(a: String, b: String, distance: Int) {
        #expect(Spelling.distance(a, b) == distance)
        #expect(Spelling.distance(b, a) == distance)
    }

    @Test(arguments: [
        ("COIM", "COIN"), ("coin", "COIN"), ("coin-in", "COIN_IN"), ("ROTOR_AA", "ROTOR_A"),
        ("FRIE", "FIRE"),
    ])
    func findsTheNearest(word: String, nearest: String) {
        let names = ["COIN", "COIN_IN", "ROTOR_A", "ROTOR_B", "FIRE"]
        #expect(Spelling.nearest(to: word, among: names) == nearest)
    }

    @Test(arguments: ["", "X", "GPIO17", "SOMETHING_ELSE"])
    func asksNothingWhereNothingIsNear(word: String) {
        #expect(Spelling.nearest(to: word, among: ["COIN", "ROTOR_A", "FIRE"]) == nil)
    }

    @Test func neverSuggestsTheWordItself() {
        #expect(Spelling.nearest(to: "FIRE", among: ["FIRE"]) == nil)
    }
}
