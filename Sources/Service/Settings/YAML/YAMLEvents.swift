import CYAML

/// An event of libyaml.
struct YAMLEvent {
    enum Kind {
        case streamStart
        case streamEnd
        case documentStart
        case documentEnd
        case alias
        case scalar(Scalar)
        case sequenceStart
        case sequenceEnd
        case mappingStart
        case mappingEnd
    }

    var kind: Kind
    var position: Position
    /// Whether it carries an anchor (`&name`).
    var hasAnchor = false
    /// Whether it carries a tag (`!!int`).
    var hasTag = false
    var place = YAMLPlace(range: 0..<0, isBlock: false)
}

struct YAMLPlace {
    /// Its range in the text, in Unicode scalars, with quotation marks.
    var range: Range<Int>
    /// Whether its text begins on the next line, as after `|`.
    var isBlock: Bool
}

/// An error of libyaml.
struct YAMLFailure: Error {
    var problem: String
    var position: Position
    /// The context, in libyaml's words: `while scanning a quoted scalar`.
    var context: String
    /// Where the context began.
    var contextPosition: Position
    /// The offset of a character that YAML does not allow.
    var offset: Int?
}

/// The events of one text.
///
/// Not libyaml's documents: they replace aliases and drop anchors, which are to be refused at their
/// positions.
@safe struct YAMLEvents: ~Copyable {
    private let parser: UnsafeMutablePointer<yaml_parser_t>

    /// Runs `body` with the events of `bytes`; nil, without a call, for an empty text.
    @discardableResult
    static func of<Result>(
        _ bytes: [UInt8], _ body: (inout YAMLEvents) -> Result
    ) -> Result? {
        // An empty buffer has no address, which libyaml asks for.
        if bytes.isEmpty { return nil }
        // The buffer is used only inside the closure, as are the events that read it.
        return unsafe bytes.withUnsafeBufferPointer { buffer in
            var events = unsafe YAMLEvents(buffer)
            return body(&events)
        }
    }

    /// The events of `text`, which must outlive this value.
    private init(_ text: UnsafeBufferPointer<UInt8>) {
        unsafe parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
        // The parser is initialised before anything else touches it; it fails only without memory.
        let isInitialised = unsafe yaml_parser_initialize(parser)
        precondition(isInitialised == 1, "yaml_parser_initialize: out of memory")
        // The caller keeps the text alive; libyaml reads within the count that it is given.
        unsafe yaml_parser_set_input_string(parser, text.baseAddress, text.count)
    }

    deinit {
        // The value is not copyable, so this is the parser's only end.
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
    }

    /// Must not be called after ``YAMLEvent/Kind/streamEnd`` or a failure.
    mutating func next() throws(YAMLFailure) -> YAMLEvent {
        var event = unsafe yaml_event_t()
        // libyaml fills the event; what it holds is copied below and freed on every path.
        guard unsafe yaml_parser_parse(parser, &event) == 1 else { throw failure }
        defer { unsafe yaml_event_delete(&event) }
        return unsafe YAMLEvent(event)
    }

    /// Why the last call failed.
    private var failure: YAMLFailure {
        // The parser outlives this value, and its strings are constants of libyaml.
        let state = unsafe parser.pointee
        return unsafe YAMLFailure(
            problem: text(state.problem), position: Position(state.problem_mark),
            context: text(state.context), contextPosition: Position(state.context_mark),
            offset: state.error == YAML_READER_ERROR ? state.problem_offset : nil)
    }

    /// A copy of a C string, empty for none.
    private func text(_ string: UnsafePointer<CChar>?) -> String {
        // libyaml ends its constants with a NUL.
        unsafe string.map { unsafe String(cString: $0) } ?? ""
    }
}

extension YAMLEvent {
    /// Copies an event of libyaml. The union is read by its type.
    fileprivate init(_ event: yaml_event_t) {
        self.init(kind: .streamStart, position: unsafe Position(event.start_mark))
        switch unsafe event.type {
        case YAML_STREAM_END_EVENT: kind = .streamEnd
        case YAML_DOCUMENT_START_EVENT: kind = .documentStart
        case YAML_DOCUMENT_END_EVENT: kind = .documentEnd
        case YAML_ALIAS_EVENT: kind = .alias
        case YAML_SEQUENCE_END_EVENT: kind = .sequenceEnd
        case YAML_MAPPING_END_EVENT: kind = .mappingEnd
        case YAML_SCALAR_EVENT:
            let scalar = unsafe event.data.scalar
            // libyaml allocates `length` bytes for the value.
            let value = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
            kind = .scalar(
                Scalar(
                    text: unsafe String(decoding: value, as: UTF8.self),
                    isPlain: unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE,
                    spansLines: unsafe event.start_mark.line < event.end_mark.line))
            unsafe (hasAnchor, hasTag) = (scalar.anchor != nil, scalar.tag != nil)
            let (start, end) = unsafe (event.start_mark.index, event.end_mark.index)
            place = YAMLPlace(
                range: start..<max(start, end),
                isBlock: unsafe scalar.style == YAML_LITERAL_SCALAR_STYLE
                    || scalar.style == YAML_FOLDED_SCALAR_STYLE)
        case YAML_SEQUENCE_START_EVENT:
            let start = unsafe event.data.sequence_start
            kind = .sequenceStart
            unsafe (hasAnchor, hasTag) = (start.anchor != nil, start.tag != nil)
        case YAML_MAPPING_START_EVENT:
            let start = unsafe event.data.mapping_start
            kind = .mappingStart
            unsafe (hasAnchor, hasTag) = (start.anchor != nil, start.tag != nil)
        default: kind = .streamStart
        }
    }
}

extension Position {
    /// A mark of libyaml, which counts from 0.
    fileprivate init(_ mark: yaml_mark_t) {
        self.init(line: mark.line + 1, column: mark.column + 1)
    }
}
