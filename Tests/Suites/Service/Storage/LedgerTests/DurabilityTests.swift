import Durability
import Foundation
import System
import Testing
import Turnstile

@testable import Ledger

/// Whatever takes a name was flushed before, and the folder that has the name after.
@Suite struct DurabilityTests {
    let folder: Folder

    init() throws { folder = try Folder() }

    private func expect(_ names: [String], after body: () throws -> Void) throws {
        let durability = try Durability(of: body)
        #expect(durability.risks == [])
        #expect(Set(durability.named).isSuperset(of: names.map { folder[$0] }))
    }

    private var keeper: LedgerKeeper {
        LedgerKeeper(path: folder["ledger.db"], gate: "gate", bootID: "boot")
    }

    @Test func `of a new ledger, with key and what is kept in mind`() throws {
        try expect(["ledger.db", "ledger.db.key", "ledger.db.known"]) {
            let place = Place(path: folder["ledger.db"])
            _ = try Opening(place: place, gate: "gate", bootID: "boot").open()
        }
    }

    @Test func `of a copy, and of one that takes the ledger's place`() throws {
        try folder.make([.started])
        try expect(["copy.db"]) {
            _ = try LedgerReader(path: folder["ledger.db"]).backUp(to: folder["copy.db"])
        }
        try expect(["ledger.db", "ledger.db.set-aside-1", "ledger.db.known"]) {
            _ = try keeper.restore(folder["copy.db"])
        }
    }

    @Test func `which one is in use is written down before the other one is set aside`() throws {
        try folder.make([.started])
        _ = try LedgerReader(path: folder["ledger.db"]).backUp(to: folder["copy.db"])
        let durability = try Durability { _ = try keeper.restore(folder["copy.db"]) }
        let order = ["ledger.db.new", "ledger.db.known", "ledger.db.set-aside-1", "ledger.db"]
            .map { folder[$0] }
        #expect(durability.named.filter(order.contains) == order)
    }

    @Test func `of a ledger that is set aside for a new one`() throws {
        try folder.make([.started])
        try folder.write(Data("no ledger".utf8), to: "ledger.db")
        try expect(["ledger.db", "ledger.db.set-aside-1"]) { _ = try keeper.accept() }
    }
}
