import Foundation
import StateMachines
import Testing

@testable import Ledger

/// However the file of a copy is damaged: it is verified only where all that it says is as it was.
@Suite struct DamageTests {
    /// How a file is damaged.
    enum Damage: CaseIterable {
        case bit, cut, stretch

        /// Does that to it.
        func change(_ bytes: inout Data, _ randomness: inout SplitMix64) {
            let place = Int.random(in: 0..<bytes.count, using: &randomness)
            switch self {
            case .bit: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &randomness)
            case .cut: bytes = bytes.prefix(place)
            case .stretch:
                for index in place..<min(place + 300, bytes.count) {
                    bytes[index] = .random(in: 0...255, using: &randomness)
                }
            }
        }
    }

    /// All that a ledger says, as its tables have it.
    private func contents(of folder: Folder) throws -> [[[Value?]]] {
        try [
            ("records", "sequence", 9), ("registers", "name, pulses, value", 5),
            ("state", "name", 2), ("checkpoints", "number", 6), ("identity", "name", 2),
        ].map { table, order, columns in
            try folder.rows(
                "SELECT * FROM \(table) NOT INDEXED ORDER BY \(order)", columns: CInt(columns))
        }
    }

    @Test(arguments: Damage.allCases)
    func `a file that is damaged is never verified for what it was not`(damage: Damage) throws {
        let sound = try Folder()
        try sound.makeSigned()
        let bytes = try sound.bytes(of: "ledger.db")
        let all = try contents(of: sound)
        var randomness = SplitMix64(seed: 1)
        var (verified, refused) = (0, 0)
        for _ in 0..<150 {
            var damaged = bytes
            damage.change(&damaged, &randomness)
            let folder = try Folder()
            try folder.write(damaged, to: "ledger.db")
            let verdict = try? folder.verify(keys: [Folder.key.verificationKey])
            if let verdict, verdict.flaw == nil {
                #expect(try contents(of: folder) == all)
                verified += 1
            } else {
                refused += 1
            }
        }
        // Much of the file is room for more.
        #expect(refused > 20 && (verified > 20 || damage == .cut), "\(verified), \(refused)")
    }
}
