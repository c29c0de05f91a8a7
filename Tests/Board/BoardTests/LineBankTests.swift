import Foundation
import Testing
import VirtualBoard

/// What every line bank promises holds over the kernel's real lines.
@Suite(.onBoards)
struct LineBankTests {
    @Test("the bank over real lines keeps the contract of a bank", arguments: Debian.each)
    func contract(on debian: Debian) async throws {
        try await Board.with(debian, from: Snapshots.booted(debian)) { board in
            let program = try Data(contentsOf: debian.work.appending(path: "bank-contract"))
            try await board.put(program, at: "/root/bank-contract", mode: 0o755)
            let outcome = try await board.run("/root/bank-contract --chip-label board-sim")
            #expect(outcome.status == 0, Comment(rawValue: outcome.output))
        }
    }
}
