public import Turnstile

// Fields as lines of text, in the journal and the ledger: `TURNSTILE_DIRECTION=entry`.
extension FieldName {
    private static let prefix = "TURNSTILE_"

    /// Such as `TURNSTILE_DIRECTION`.
    public var journalName: String { Self.prefix + rawValue.uppercased() }

    /// Parses a name in the journal; nil if it is unknown.
    public init?(journalName: some StringProtocol) {
        guard journalName.hasPrefix(Self.prefix) else { return nil }
        let name = journalName.dropFirst(Self.prefix.count)
        guard name == name.uppercased() else { return nil }
        self.init(rawValue: name.lowercased())
    }
}

extension Fields {
    /// A line for each field. Nested fields are left out; a record has none.
    public var journalLines: String {
        all.compactMap { field in field.value.line.map { "\(field.name.journalName)=\($0)" } }
            .joined(separator: "\n")
    }

    /// Parses lines; each value is a text. Throws for an invalid line or an unknown name.
    public init(journalLines lines: String) throws(FieldError) {
        self.init()
        // By scalars: a combining mark at the start of a text would merge with the "=" before it.
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
