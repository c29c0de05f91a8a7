import Seeds
import Testing
import Turnstile

@testable import Settings

/// What a file says is told with its lines, for those who show it.
@Suite struct ReadingTests {
    @Test func tellsOfEveryKeyThatHasAValueAndOfThoseThatHaveNone() throws {
        var random = SeededGenerator.announced()
        for _ in 0..<100 {
            let settings = random.settings()
            let reading = try PlacedSettings(
                Array(settings.yaml.utf8), file: "gate.yaml", isVolatile: { _ in false })
            let keys = reading.values.map(\.key)
            #expect(
                keys == Schema.root.values(of: Draft(settings), at: "").map(\.place), "\(random)")
            let unset = PlacedSettings.unset(but: keys).map(\.key)
            #expect(Set(unset).isDisjoint(with: keys), "\(random)")
            // Every role is there or not there.
            let roles = (keys + unset).filter { $0.hasPrefix("hardware.inputs.") }.map {
                $0.split(separator: ".")[2]
            }
            #expect(Set(roles).count == Input.allCases.count, "\(random)")
        }
    }
}
