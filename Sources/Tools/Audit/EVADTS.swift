import System

/// EVA-DTS, the vending industry's audit data: data blocks of text, a line each, with elements
/// separated by asterisks. The gate is a coin mechanism and a passage counter.
///
/// The elements are version 6.1 (`ID107` and `ID108`), the transmission is version 6.0 (`DXS03`),
/// which all readers know. The blocks are
///
/// - DXS, ST, G85, SE, DXE: the frame, with a CRC-16 of all from ST to the line before G85
/// - ID1, ID4, ID6, CB1: the gate, the decimal point, the number of the collection, the program
/// - VA1, VA2, VA3: passages that were paid, made by the mechanic, and all others, both ways
/// - CA1, CA2, CA3, CA4, CA8, CA11: the coins, as of one coin mechanism without change
/// - PA1 with PA2, PA3 or PA4: passages by direction and kind, as products
/// - EA1, EA2, EA3, EA7: alarms and faults, collections, starts
/// - MA5: values without a block of their own
///
/// Values count from the gate's beginning ("initialisation") and from the last collection
/// ("reset").
enum EVADTS {
    struct Block: Hashable, Sendable {
        var name: String
        var elements: [Element]

        init(_ name: String, _ elements: Element...) {
            (self.name, self.elements) = (name, elements)
        }

        /// The line without its end, and without trailing empty elements.
        var text: String {
            var texts = elements.map(\.text)
            while texts.last == "" { texts.removeLast() }
            return ([name] + texts).joined(separator: "*")
        }
    }

    enum Element: Hashable, Sendable {
        case empty
        /// A count, or an amount in minor units of the currency.
        case number(Int64)
        case text(String)

        /// The element in printable ASCII, with delimiters replaced.
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
            // The number of blocks from ST on, including G85 and SE.
            Block("SE", .number(Int64(set.count + 2)), control),
            Block("DXE", .number(1), .number(1)),
        ]
        let head = Block("DXS", .text(sender), .text("VA"), .text("V0/6"), .number(1))
        return head.text + lineEnd + body + frame.map { $0.text + lineEnd }.joined()
    }

    private static let lineEnd = "\r\n"

    /// CRC-16, polynomial x¹⁶ + x¹⁵ + x² + 1, initial value 0, least significant bit first.
    static func checksum(of text: String) -> UInt16 {
        text.utf8.reduce(0) { sum, byte in
            (0..<8).reduce(sum ^ UInt16(byte)) { rest, _ in
                rest & 1 == 0 ? rest >> 1 : rest >> 1 ^ 0xA001
            }
        }
    }
}
