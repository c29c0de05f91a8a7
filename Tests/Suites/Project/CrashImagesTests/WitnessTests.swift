import CrashImages
import Foundation
import Testing

/// Where a disk's log was at the moments that a kernel has traced.
@Suite struct WitnessTests {
    /// A witness of `requests`, whose marks are in sector 7.
    private func witness(_ requests: LoggedRequest...) throws -> Witness {
        Witness(of: try WriteLog(log(requests)), mark: 7..<8)
    }

    /// The places that a witness knows of after each of `sights`.
    private func places(
        _ witness: Witness, _ observations: Witness.Observation...
    ) throws -> [Int?] {
        var witness = witness
        return try observations.map {
            try witness.see($0)
            return witness.position
        }
    }

    @Test func `nothing is known before the mark`() throws {
        let witness = try witness(.write(0, "a"), .flush, .write(7, "m"))
        #expect(
            try places(witness, .written(0..<1), .flushBegan, .flushEnded, .written(7..<8))
                == [nil, nil, nil, 3])
    }

    @Test func `writes that end in another order were all done by the last of them`() throws {
        let witness = try witness(.write(7, "m"), .write(0, "a"), .write(2, "bc"), .write(0, "d"))
        #expect(
            try places(
                witness, .written(7..<8), .written(2..<4), .written(0..<1), .written(0..<1))
                == [1, 3, 3, 4])
    }

    @Test func `a flush is the first one after the writes that it brings`() throws {
        let witness = try witness(
            .write(7, "m"), .flush, .write(0, "a"), .flush, .write(1, "b"), .flush)
        #expect(
            try places(
                witness, .written(7..<8), .written(0..<1), .flushBegan, .written(1..<2),
                .flushEnded, .flushBegan, .flushEnded)
                == [1, 3, 3, 5, 5, 5, 6])
    }

    @Test func `a flush with nothing to bring is in no log`() throws {
        let witness = try witness(.write(7, "m"), .write(0, "a"), .flush)
        #expect(
            try places(
                witness, .written(7..<8), .written(0..<1), .flushBegan, .flushEnded, .flushBegan,
                .flushEnded)
                == [1, 2, 2, 3, 3, 3])
    }

    @Test func `what is not in the log is no trace of this disk`() throws {
        var witness = try witness(.write(7, "m"), .write(0, "a"))
        try witness.see(.written(7..<8))
        #expect(throws: CrashImageError.self) { try witness.see(.written(0..<2)) }
        #expect(throws: CrashImageError.self) {
            try witness.see(.flushBegan)
            try witness.see(.flushEnded)
        }
    }

    @Test func `a trace with gaps is found out`() throws {
        var witness = try witness(.write(7, "m"), .write(0, "a"), .write(7, "m"), .write(1, "b"))
        try witness.see(.written(7..<8))
        #expect(throws: CrashImageError.self) { try witness.confirm() }
        try witness.see(.written(7..<8))
        #expect(throws: CrashImageError.self) { try witness.confirm() }
        try witness.see(.written(0..<1))
        try witness.confirm()
    }
}
