import System

/// What a coin mechanism and a passage counter tell an auditor, as EVA-DTS has it: the vending
/// industry's text of data blocks, a line each, with elements between asterisks.
///
/// It is of version 6.1 of the standard's elements (`ID107` and `ID108`), in the transmission of
/// version 6.0 (`DXS03`), which all readers know. The blocks are
///
/// - DXS, ST, G85, SE, DXE: the frame, with a CRC-16 of all from ST to the line before G85
/// - ID1, ID4, ID6, CB1: the gate, the decimal point, the number of the collection, the program
/// - VA1, VA2, VA3: passages that were paid, made by the mechanic, and all others, both ways
/// - CA1, CA2, CA3, CA4, CA8, CA11: the coins, as of one coin mechanism without change
/// - PA1 with PA2, PA3 or PA4: passages by direction and kind, as products
/// - EA1, EA2, EA3, EA7: alarms and faults, collections, starts
/// - MA5: what has no block of its own
///
/// Values are since the gate was new ("initialisation") and since the coins were last collected
/// ("reset").
enum EVADTS {
    struct Block: Hashable, Sendable {
        var name: String
        var elements: [Element]

        init(_ name: String, _ elements: Element...) {
            (self.name, self.elements) = (name, elements)
        }

        /// The line without its end. Elements at the end that say nothing are left out.
        var text: String {
            var texts = elements.map(\.text)
            while texts.last == "" { texts.removeLast() }
            return ([name] + texts).joined(separator: "*")
        }
    }

    enum Element: Hashable, Sendable {
        case empty
        /// A number of things, or an amount in minor units of the currency.
        case number(Int64)
        case text(String)

        /// The element as it is written: in ASCII, and without what has a meaning of its own.
        var text: String {
            switch self {
            case .empty: ""
            case .number(let number): "\(number)"
            case .text(let text):
                String(
                    text.map { character in
                        let isPlain = character.isASCII && character >= " " && character <= "~"
                        return isPlain && character != "*" && character != "^" ? character : "_"
                    })
            }
        }
    }

    static func transmission(_ blocks: [Block], from sender: String) -> String {
        let control = Element.text("0001")
        let set = [Block("ST", .text("001"), control)] + blocks
        let body = set.map { $0.text + lineEnd }.joined()
        let check = String(checksum(of: body), radix: 16, uppercase: true).zeroPadded(to: 4)
        let frame = [
            Block("G85", .text(check)),
            // It counts all of them from ST on, G85 and itself among them.
            Block("SE", .number(Int64(set.count + 2)), control),
            Block("DXE", .number(1), .number(1)),
        ]
        let head = Block("DXS", .text(sender), .text("VA"), .text("V0/6"), .number(1))
        return head.text + lineEnd + body + frame.map { $0.text + lineEnd }.joined()
    }

    private static let lineEnd = "\r\n"

    /// A CRC-16 by x¹⁶ + x¹⁵ + x² + 1 from 0, the least significant bit first.
    static func checksum(of text: String) -> UInt16 {
        text.utf8.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte)) { rest, _ in
                rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xA001
            }
        }
    }
}
