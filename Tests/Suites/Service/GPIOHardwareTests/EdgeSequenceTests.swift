import Testing

@testable import GPIOHardware

@Suite struct EdgeSequenceTests {
    /// What is reported lost before each edge, when the edges carry these numbers.
    private func lost(before numbers: [UInt32]) -> [Int] {
        var sequence = EdgeSequence()
        return numbers.map { sequence.lost(before: $0) }
    }

    @Test func `an unbroken sequence from 1 lost nothing`() {
        #expect(lost(before: [1, 2, 3, 4]) == [0, 0, 0, 0])
    }

    @Test func `edges lost before the first one that is seen are counted`() {
        #expect(lost(before: [1977, 1978]) == [1976, 0])
    }

    @Test func `a gap is counted before the edge that shows it`() {
        #expect(lost(before: [1, 2, 6, 7, 9]) == [0, 0, 3, 0, 1])
    }

    @Test func `where the first number is not known, the next one is the first`() {
        var sequence = EdgeSequence(isFirst: false)
        #expect([1977, 1978, 1980].map { sequence.lost(before: $0) } == [0, 0, 1])
    }

    @Test func `numbers wrap`() {
        var sequence = EdgeSequence()
        _ = sequence.lost(before: .max - 1)
        #expect(sequence.lost(before: .max) == 0)
        #expect(sequence.lost(before: 0) == 0)
        #expect(sequence.lost(before: 3) == 2)
    }
}
