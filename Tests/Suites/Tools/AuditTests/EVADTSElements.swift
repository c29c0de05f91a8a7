/// What others say of EVA-DTS: of each block that the export has, its elements with their types and
/// meanings.
///
/// The standard itself is for members of the European Vending Association. This list was put
/// together by hand from what is public of versions 6.0 and 6.1, where they agree:
///
/// - the reader at evadts.com, which names the elements of a file that it shows (DXS to CA4)
/// - AMS, Sensit 3 operation manual L0190D, page 42: EA3, EA7, G85, ID1, ID4, MA5, PA1, PA2, by
///   code and meaning
/// - github.com/mkrasselt1/php-evadts-parser, the classes in `src` that name the elements: CA11,
///   PA3, EA1, EA2, ID6, and the rest once more
/// - the tables of a reader that follows github.com/mdisibio/dex-parse: what is mandatory, and the
///   types
///
/// Where SE counts from and what G85 covers was found out with the readings of two machines there
/// (`example/animo.eva_dts`, `example/rhevendors.eva_dts`), whose check values come out so.
struct EVADTSElement: Hashable {
    /// The kinds of elements.
    enum Kind: Hashable {
        /// Any text.
        case text
        /// A whole number.
        case number
        /// An amount in minor units, a whole number.
        case amount
        /// `YYMMDD` or `YYYYMMDD`.
        case date
        /// `HHMM` or `HHMMSS`.
        case time
    }

    /// Its number in the block, from 1.
    var number: Int
    /// What it is.
    var kind: Kind
    /// Whether it has to be there.
    var isMandatory = false
    /// What it means.
    var meaning: String
}

/// The elements of the blocks.
let publicElements: [String: [EVADTSElement]] = [
    "DXS": [
        must(1, .text, "communication ID of sender"), must(2, .text, "functional identifier (VA)"),
        must(3, .text, "version (V0/6)"), must(4, .number, "transmission control number"),
        may(5, .text, "communication ID of recipient"),
    ],
    "ST": [
        must(1, .number, "transaction set header (001)"),
        must(2, .number, "transaction set control number (0001)"),
    ],
    "ID1": [
        may(1, .text, "machine serial number"), may(2, .text, "machine model number"),
        may(3, .number, "machine build standard"), may(4, .text, "machine location"),
        may(5, .text, "user defined"), must(6, .text, "machine asset number"),
        may(7, .number, "DTS level"), may(8, .number, "DTS revision"),
    ],
    "ID4": [
        may(1, .number, "decimal point position"), may(2, .number, "currency, numeric"),
        may(3, .text, "currency, alphabetic"),
    ],
    "ID6": [must(1, .text, "current cash bag number")],
    "CB1": [
        may(1, .text, "control board serial number"), may(2, .text, "control board model number"),
        may(3, .text, "control board software revision"),
    ],
    "VA1": sales("paid vends", isMandatory: true), "VA2": sales("test vends"),
    "VA3": sales("free vends", isMandatory: true), "CA2": sales("cash vends"),
    "CA1": [
        may(1, .text, "coin mechanism serial number"),
        may(2, .text, "coin mechanism model number"),
        may(3, .number, "coin mechanism software revision"),
    ],
    "CA3": amounts([
        "cash in since reset", "cash to box since reset", "cash to tubes since reset",
        "bills in since reset", "cash in since init", "cash to box since init",
        "cash to tubes since init", "bills in since init", "bills in since reset (value)",
        "bills in since init (value)", "bills to recycler since reset",
        "bills to recycler since init",
    ]),
    "CA4": amounts([
        "cash dispensed since reset", "manual cash dispensed since reset",
        "cash dispensed since init", "manual cash dispensed since init",
        "bills dispensed since reset", "bills manually dispensed since reset",
        "bills to recycler since reset", "bills dispensed since init",
        "bills manually dispensed since init", "bills to recycler since init",
    ]),
    "CA8": amounts(["cash overpay since reset", "cash overpay since init"]),
    "CA11": [
        must(1, .amount, "coin value"), may(2, .number, "coins in since reset"),
        may(3, .number, "coins to box since reset"), may(4, .number, "coins to tubes since reset"),
        may(5, .number, "coins in since init"), may(6, .number, "coins to box since init"),
        may(7, .number, "coins to tubes since init"), may(8, .number, "coin age"),
        may(9, .text, "coin origin"),
    ],
    "PA1": [
        must(1, .text, "product identifier"), may(2, .amount, "price"),
        may(3, .text, "product identification"), may(4, .text, "not named there"),
        may(5, .text, "not named there"), may(6, .text, "not named there"),
        must(7, .number, "selection status, 0 for present"), may(8, .number, "current level"),
        may(9, .number, "minimum level"),
    ],
    "PA2": [
        may(1, .number, "paid products since init"), may(2, .amount, "their value since init"),
        may(3, .number, "paid products since reset"), may(4, .amount, "their value since reset"),
        may(5, .number, "discounts since init"), may(6, .amount, "their value since init"),
        may(7, .number, "discounts since reset"), may(8, .amount, "their value since reset"),
        may(9, .number, "surcharges since init"), may(10, .amount, "their value since init"),
        may(11, .number, "surcharges since reset"), may(12, .amount, "their value since reset"),
    ],
    "PA3": vends("test"),
    "PA4": vends("free")
        + [
            may(5, .number, "free vends without cup since init"),
            may(6, .number, "free vends without cup since reset"),
        ],
    "EA1": [
        must(1, .text, "event identification"), may(2, .date, "date of event"),
        may(3, .time, "time of event"), may(4, .number, "duration in minutes"),
        may(5, .number, "duration in milliseconds"), may(6, .text, "user defined"),
    ],
    "EA2": [
        must(1, .text, "event identification"), may(2, .number, "events since reset"),
        may(3, .number, "events since init"), may(4, .text, "user defined"),
        must(5, .number, "current activity, 1 for active"), may(6, .number, "duration in minutes"),
    ],
    "EA3": [
        may(1, .number, "reads with reset since init"), may(2, .date, "date of this reading"),
        may(3, .time, "time of this reading"), may(4, .text, "this interrogator"),
        may(5, .date, "date of last reading"), may(6, .time, "time of last reading"),
        may(7, .text, "last interrogator"), may(8, .text, "user defined"),
        must(9, .number, "reads since init"), must(10, .number, "resets since init"),
    ],
    "EA7": [
        may(1, .number, "power outages since reset"), may(2, .number, "power outages since init"),
    ],
    "MA5": [
        must(1, .text, "what it is"), may(2, .text, "data"), may(3, .text, "data"),
        may(4, .text, "data"),
    ],
    "G85": [must(1, .text, "record integrity check")],
    "SE": [
        must(1, .number, "number of included sets"),
        must(2, .number, "transaction set control number"),
    ],
    "DXE": [
        must(1, .number, "transmission control number"), must(2, .number, "included sets"),
    ],
]

private func may(_ number: Int, _ kind: EVADTSElement.Kind, _ meaning: String) -> EVADTSElement {
    EVADTSElement(number: number, kind: kind, meaning: meaning)
}

private func must(_ number: Int, _ kind: EVADTSElement.Kind, _ meaning: String) -> EVADTSElement {
    EVADTSElement(number: number, kind: kind, isMandatory: true, meaning: meaning)
}

private func amounts(_ meanings: [String]) -> [EVADTSElement] {
    meanings.enumerated().map { may($0 + 1, .amount, $1) }
}

private func sales(_ what: String, isMandatory: Bool = false) -> [EVADTSElement] {
    [
        EVADTSElement(
            number: 1, kind: .amount, isMandatory: isMandatory,
            meaning: "value of \(what) since init"),
        EVADTSElement(
            number: 2, kind: .number, isMandatory: isMandatory,
            meaning: "number of \(what) since init"),
        may(3, .amount, "value of \(what) since reset"),
        may(4, .number, "number of \(what) since reset"),
    ]
        + (what == "paid vends"
            ? (5...12).map { may($0, .number, "discounts and surcharges") } : [])
}

private func vends(_ what: String) -> [EVADTSElement] {
    [
        may(1, .number, "\(what) vends since init"), may(2, .amount, "their value since init"),
        may(3, .number, "\(what) vends since reset"), may(4, .amount, "their value since reset"),
    ]
}
