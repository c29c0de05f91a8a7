public import Turnstile

// Fields as the journal spells them, and the ledger with it: a line each.
extension FieldName {
    private static let prefix = "TURNSTILE_"

    /// The name in the journal: `TURNSTILE_DIRECTION`.
    public var journalName: String { Self.prefix + rawValue.uppercased() }

    /// The field of this name in the journal; nil for a name that none has.
    public init?(journalName: some StringProtocol) {
        guard journalName.hasPrefix(Self.prefix) else { return nil }
        let name = journalName.dropFirst(Self.prefix.count)
        guard name == name.uppercased() else { return nil }
        self.init(rawValue: name.lowercased())
    }
}

extension Fields {
    /// The fields as a ledger has them. A record has none that holds others.
    public var journalLines: String {
        all.compactMap { field in field.value.line.map { "\(field.name.journalName)=\($0)" } }
            .joined(separator: "\n")
    }

    /// The fields that these lines stand for, each of them a text. Throws where a line is none, or
    /// of a name that no field has.
    public init(journalLines lines: String) throws(FieldError) {
        self.init()
        // By scalars: one that begins a text may be one character with what stands before it.
        for line in lines.unicodeScalars.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { String($0) }
            guard parts.count == 2, let name = FieldName(journalName: parts[0]) else {
                throw FieldError(unknownField: parts[0])
            }
            all.append(Field(name, .text(parts[1])))
        }
    }
}
