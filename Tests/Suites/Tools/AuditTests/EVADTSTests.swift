import Foundation
import StateMachines
import Testing
import Turnstile

@testable import Audit
@testable import Ledger

/// What is written as EVA-DTS is read by others as it is meant.
@Suite struct EVADTSTests {
    let books: Books

    init() throws {
        books = try Books(gate: "north * gate ^ ü")
        try books.write([.started] + Record.paidPassage(with: 100, 50), .interval)
        try books.write(
            [.faultRaised(.coinJam), .faultCleared(.coinJam), .vaultReplaced],
            .collection(0, expected: 150))
        try books.write(
            [.started] + Record.paidPassage(with: 50, 50) + Record.paidPassage(with: 200))
        books.time = books.time + .seconds(3_600)
        try books.write([.alarmRaised(.vaultOpen)])
        books.time = books.time + .seconds(300)
        try books.write([
            .alarmCleared(.vaultOpen), .alarmRaised(.forcedPassage),
            .passageCompleted(.entry, .unauthorised), .passageCompleted(.exit, .free),
            .passageCompleted(.exit, .free), .passageCompleted(.entry, .service),
            .passageCompleted(.exit, .emergency), .coin(100, by: .second),
            .coinLate(Coin(.first, pulses: 1, value: 50)),
            .coinRejected(Coin(.first, pulses: 2, value: 100)),
            .coinInhibited(Coin(.first, pulses: 2, value: 100)), .creditExpired(value: 50),
            .creditForfeited(value: 25), .released(.exit, by: .contact),
        ])
    }

    private func reading() throws -> Reading {
        var report = try EVADTSReport(books.snapshot(), at: Books.wallOffset + .seconds(7_200))
        report.currency = "EUR"
        return try Reading(report.text)
    }

    @Test func `each block has the elements that others know`() throws {
        let reading = try reading()
        for block in reading.blocks {
            let name = block[0]
            let elements = try #require(publicElements[name], "nobody knows \(name)")
            #expect(elements.map(\.number) == Array(1...elements.count))
            #expect(block.count - 1 <= elements.count, "\(block)")
            for element in elements {
                let text = element.number < block.count ? block[element.number] : ""
                let place = "\(name)\(element.number) (\(element.meaning)): '\(text)'"
                #expect(!text.isEmpty || !element.isMandatory, "\(place)")
                #expect(text.isEmpty || element.kind.takes(text), "\(place)")
            }
        }
        let names = Set(reading.blocks.map { $0[0] })
        #expect(names == Set(publicElements.keys), "the list has what nobody writes")
    }

    @Test func `the frame counts what is in it, and its check holds`() throws {
        let reading = try reading()
        let blocks = reading.blocks.map { $0[0] }
        #expect(blocks.prefix(3) == ["DXS", "ST", "ID1"])
        #expect(blocks.suffix(3) == ["G85", "SE", "DXE"])
        #expect(reading["SE"] == ["\(blocks.count - 2)", "0001"])
        #expect(reading["DXS"]?.first?.count == 10)
        let lines = reading.text.components(separatedBy: "\r\n")
        let body = lines[1..<(lines.count - 4)].map { $0 + "\r\n" }.joined()
        #expect(body.hasPrefix("ST*") && reading["G85"] == [body.check])
    }

    /// The value that the catalogues of such checks have for CRC-16/ARC, and what none comes to.
    @Test func `the check is the one of the catalogues`() {
        #expect(EVADTS.checksum(of: "123456789") == 0xBB3D && "123456789".check == "BB3D")
        #expect(EVADTS.checksum(of: "") == 0)
    }

    @Test func `passages and money are those of the registers`() throws {
        let reading = try reading()
        #expect(reading["VA1"] == ["450", "3", "300", "2"])
        #expect(reading["CA2"] == reading["VA1"])
        #expect(reading["VA2"] == ["0", "1", "0", "1"])
        #expect(reading["VA3"] == ["0", "4", "0", "4"])
        #expect(reading["CA3"] == ["450", "450", "0", "0", "600", "600", "0", "0"])
        #expect(reading["CA4"] == ["0", "0", "0", "0"])
        #expect(reading["CA8"] == ["75", "75"])
        #expect(
            reading.all("CA11") == [
                ["50", "3", "3", "0", "4", "4", "0"], ["100", "1", "1", "0", "2", "2", "0"],
                ["200", "1", "1", "0", "1", "1", "0"],
            ])
        #expect(reading["EA7"] == ["1", "2"])
        #expect(reading["ID6"] == ["1"])
        #expect(reading["ID4"] == ["2", "", "EUR"])
        #expect(reading["MA5 HELD"] == ["75", "0"])
        #expect(reading["MA5 REFUNDED"] == ["100", "100"])
    }

    @Test func `the sums agree with one another`() throws {
        let reading = try reading()
        func sum(_ name: String, _ element: Int) -> Int {
            reading.all(name).reduce(0) { $0 + (Int($1[element - 1]) ?? 0) }
        }
        // Coins by denomination come to the cash.
        for (count, cash) in [(2, 1), (5, 5)] {
            let worth = reading.all("CA11").reduce(0) { $0 + Int($1[0])! * Int($1[count - 1])! }
            #expect(worth == sum("CA3", cash))
        }
        // Passages by direction and kind come to those of all; the products' numbers come first.
        for (all, products) in [("VA1", "PA2"), ("VA2", "PA3"), ("VA3", "PA4")] {
            #expect(sum(all, 2) == sum(products, 1) && sum(all, 4) == sum(products, 3))
            #expect(sum(all, 1) == sum(products, 2) && sum(all, 3) == sum(products, 4))
        }
        // What was put in was used, is held, or was kept.
        let held = reading.all("MA5").first { $0[0] == "HELD" }.map { Int($0[1])! + Int($0[2])! }
        #expect(sum("CA3", 5) == sum("VA1", 1) + sum("CA8", 2) + (held ?? 0))
    }

    @Test func `each direction and kind is a product of its own`() throws {
        let reading = try reading()
        let products = reading.all("PA1")
        #expect(Set(products.map { $0[0] }).count == 10)
        #expect(Set(products.map { $0[2] }).count == 10)
        let place = try #require(
            reading.blocks.firstIndex { $0.count > 3 && $0[3] == "EXIT FREE" })
        #expect(reading.blocks[place + 1] == ["PA4", "2", "0", "2", "0"])
    }

    @Test func `what happened is told with when and for how long`() throws {
        let reading = try reading()
        func event(_ block: String, _ code: String) -> [String]? {
            reading.all(block).first { $0[0].hasSuffix("_\(code)") }
        }
        // A fault from before the collection has a count alone.
        #expect(event("EA2", "F6") == ["EAD_F6", "0", "1", "", "0"])
        #expect(event("EA1", "F6") == nil)
        #expect(event("EA2", "A8") == ["EAI_A8", "1", "1", "", "0"])
        #expect(event("EA1", "A8")?.last == "5")
        #expect(event("EA2", "A1") == ["OCI_A1", "1", "1", "", "1"])
        #expect(event("EA1", "A1")?.count == 3)
        let collected = try #require(reading["EA3"])
        #expect(collected[0] == "1" && collected.suffix(2) == ["1", "1"])
        #expect(collected[1].hasPrefix("2050") && collected[4].hasPrefix("2050"))
    }

    @Test func `every alarm and fault has an event of the standard`() throws {
        let codes = Alarm.allCases.map(\.code) + Fault.all.map(\.code)
        for code in Set(codes) {
            let event = EVADTSEvent(code: code).identification
            #expect(event.contains(/^(E[A-O]|O[A-F])[A-Z]_[AF][0-9]+$/) && event.prefix(3) != "OCZ")
        }
    }

    @Test func `a gate's name cannot break its line`() throws {
        #expect(try reading()["ID1"]?[3] == "north _ gate _ _")
    }

    @Test func `a start ends what nobody recovered, and what goes on goes on`() throws {
        try books.write([.started, .alarmRecovered(.forcedPassage)])
        var events = try reading().all("EA2")
        #expect(events.first { $0[0] == "OCI_A1" }?.last == "1")
        try books.write([.started])
        events = try reading().all("EA2")
        #expect(events.first { $0[0] == "OCI_A1" }?.last == "0")
    }

    /// A ledger in which coins were collected, and these records after that.
    private func collected(_ records: [Record]) throws -> Reading {
        let books = try Books()
        try books.write(
            [.started, .coin(100), .creditExpired(value: 100), .coinsCollected],
            .collection(0, expected: 100))
        try books.write(records)
        return try Reading(EVADTSReport(books.snapshot(), at: Books.wallOffset).text)
    }

    @Test func `what people had nothing for is told since the collection and of all time`() throws {
        let reading = try collected([.coin(50), .creditExpired(value: 50)])
        #expect(reading["CA8"] == ["50", "150"])
    }

    @Test func `of two faults of one code one may be over`() throws {
        let codes = Dictionary(grouping: Fault.all, by: \.code).filter { $0.value.count > 1 }
        let faults = try #require(codes.min { $0.key < $1.key }).value
        let (one, other) = (faults[0], faults[1])
        let both: [Record] = [.faultRaised(one), .faultRaised(other), .faultCleared(one)]
        var event = try collected(both).all("EA2")
        #expect(event.map { $0.suffix(4) } == [["2", "2", "", "1"]])
        event = try collected(both + [.faultCleared(other)]).all("EA2")
        #expect(event.map(\.last) == ["0"])
        // One that nobody recovers is over with the start.
        event = try collected(
            [.faultRaised(one), .started, .faultRaised(other), .faultCleared(other)]
        ).all("EA2")
        #expect(event.map(\.last) == ["0"])
    }

    @Test func `the first record after a collection is since it`() throws {
        let reading = try collected([.alarmRaised(.vaultOpen)])
        #expect(reading.all("EA1").map(\.[0]) == ["EAI_A8"])
    }

    @Test func `a new ledger is told as one`() throws {
        let books = try Books()
        let report = try EVADTSReport(books.snapshot(), at: .zero)
        let reading = try Reading(report.text)
        #expect(reading["VA1"] == ["0", "0", "0", "0"])
        #expect(reading.all("CA11") == [] && reading.all("EA2") == [])
    }
}

/// A transmission as somebody else reads it.
private struct Reading {
    let text: String
    /// The blocks, each with its name before its elements.
    let blocks: [[String]]

    init(_ text: String) throws {
        self.text = text
        #expect(text.hasSuffix("\r\n") && text.allSatisfy(\.isASCII))
        let lines = text.components(separatedBy: "\r\n").dropLast()
        for line in lines { #expect(line.wholeMatch(of: /[A-Z]+[0-9]*(\*[ -~]*)?/) != nil) }
        blocks = lines.map { $0.components(separatedBy: "*") }
    }

    /// The elements of the blocks of this name.
    func all(_ name: String) -> [[String]] {
        blocks.filter { $0[0] == name }.map { Array($0.dropFirst()) }
    }

    /// The elements of the first block that begins with these words.
    subscript(words: String) -> [String]? {
        let words = words.components(separatedBy: " ")
        return blocks.first { Array($0.prefix(words.count)) == words }
            .map { Array($0.dropFirst(words.count)) }
    }
}

extension EVADTSElement.Kind {
    /// Whether a text is of this kind.
    fileprivate func takes(_ text: String) -> Bool {
        switch self {
        case .text: true
        case .number, .amount: text.wholeMatch(of: /[0-9]+/) != nil
        case .date: text.wholeMatch(of: /(20)?[0-9]{2}(0[1-9]|1[0-2])([0-2][0-9]|3[01])/) != nil
        case .time: text.wholeMatch(of: /([01][0-9]|2[0-3])[0-5][0-9]([0-5][0-9])?/) != nil
        }
    }
}

extension String {
    /// Its CRC-16 by the textbook: bits in the order of their sending through a register of 16.
    fileprivate var check: String {
        var register: UInt32 = 0
        for byte in utf8 {
            for bit in 0..<8 {
                let isSet = (UInt32(byte) >> bit & 1) != (register >> 15 & 1)
                register = register << 1 & 0xFFFF
                if isSet { register ^= 0x8005 }
            }
        }
        let mirrored = (0..<16).reduce(0) { $0 | (register >> $1 & 1) << (15 - $1) }
        let digits = String(mirrored, radix: 16, uppercase: true)
        return String(repeating: "0", count: 4 - digits.count) + digits
    }
}
