import Moves
import Settings
import StateMachines
import Turnstile

extension Scenario {
    /// How long an expectation may take to come true, where it does not say.
    static let usualLimit: Duration = .seconds(2)
    /// How long anything in a scenario may take.
    private static let times: ClosedRange<Duration> = .zero ... .seconds(7 * 86_400)

    /// The scenario that this text is.
    ///
    /// - Parameters:
    ///   - file: The name for what is wrong with it.
    /// - Throws: All that is wrong, each with its line and column.
    public init(_ text: String, file: String) throws(ScenarioError) {
        self.init(file: file, settings: nil, steps: [])
        var mistakes: [WordError] = []
        // By scalars: a CRLF is one character, and contains the line feed.
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            do throws(WordError) {
                try read(String(line), line: index + 1)
            } catch {
                mistakes.append(error)
            }
        }
        if mistakes.isEmpty && steps.isEmpty { mistakes.append(WordError("nothing is done")) }
        if !mistakes.isEmpty { throw .mistakes(mistakes, file: file) }
    }

    /// The scenario in the file at `path`.
    ///
    /// - Throws: All that is wrong with it, or why it cannot be read.
    public init(path: String) throws(ScenarioError) {
        let bytes: [UInt8]
        do throws(SettingsErrors) {
            bytes = try Settings.read(path: path)
        } catch {
            throw .unreadable(error.description)
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .mistakes([WordError("it is no text in UTF-8")], file: path)
        }
        try self.init(text, file: path)
    }

    private mutating func read(_ text: String, line: Int) throws(WordError) {
        var reader = WordReader(text, line: line)
        guard !reader.isAtEnd else { return }
        if let problem = reader.strangeBlank { throw problem }
        if steps.isEmpty, settings == nil, reader.take(ifIs: "settings") {
            settings = try reader.take("the file of the settings")
        } else {
            let time = try Self.readTime(&reader)
            let action = try Self.readAction(&reader, isTimed: time != nil)
            let words = text.split { $0 == " " || $0 == "\t" || $0 == "\r" }
            steps.append(
                Step(
                    line: line, text: words.joined(separator: " "), time: time ?? .after(.zero),
                    action: action))
        }
        try reader.expectEnd()
    }

    private static func readTime(
        _ reader: inout WordReader
    ) throws(WordError) -> Step.Time? {
        guard let word = reader.next else { return nil }
        let before = reader
        if word.hasPrefix("+") {
            _ = try reader.take("a time")
            let length = String(word.dropFirst())
            return .after(try Duration(written: length, in: times, failure: before.problem))
        }
        guard word.first?.isNumber == true else { return nil }
        _ = try reader.take("a time")
        guard let time = clock(word) else {
            throw before.problem(
                "\(quoted(word)) is not a time: write +2s for a time after the line before, or "
                    + "minutes and seconds after the beginning, as in 0:05 or 1:00:00")
        }
        return .at(time)
    }

    /// The time that `M:SS` or `H:MM:SS` says.
    private static func clock(_ word: String) -> Duration? {
        let parts = word.split(separator: ":", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { part in
            part.allSatisfy { ("0"..."9").contains($0) } ? Int(part) : nil
        }
        guard (2...3).contains(parts.count), numbers.count == parts.count,
            parts.dropFirst().allSatisfy({ $0.count == 2 }),
            numbers.dropFirst().allSatisfy({ $0 < 60 }), numbers[0] < 1_000
        else { return nil }
        return .seconds(numbers.reduce(0) { $0 * 60 + $1 })
    }

    private static func readAction(
        _ reader: inout WordReader, isTimed: Bool
    ) throws(WordError) -> Step.Action {
        if isTimed && reader.isAtEnd { return .wait }
        if reader.take(ifIs: "ask") { return try reader.takeRequest() }
        if reader.take(ifIs: "expect") { return .expect(try reader.takeExpectation()) }
        let words = ["ask", "expect"] + Move.allCases.map(\.rawValue)
        if let word = reader.next, !words.contains(word) {
            throw reader.unknown(word, "anything that a line may do", among: words)
        }
        let text = reader.rest
        return .move(WrittenMove(words: text, event: try Move.event(&reader)))
    }
}

extension WordReader {
    private static let fieldNames = FieldName.allCases.map(\.rawValue)

    /// A request: its name, its fields, and its duration.
    fileprivate mutating func takeRequest() throws(WordError) -> Scenario.Step.Action {
        let before = self
        let name = try take("a request", of: Request.forms.map(\.name))
        var fields = Fields()
        for (name, value) in try takePairs(names: Self.fieldNames) {
            guard let name = FieldName(rawValue: name) else { continue }
            guard name != .until, name != .duration else {
                throw before.problem("write 'for 1min' behind it")
            }
            fields.all.append(Fields.Field(name, .text(value)))
        }
        let request: Request
        do throws(FieldError) {
            request = try Request(name, fields)
        } catch {
            throw before.problem("\(error)")
        }
        guard request.lasting(.seconds(1), from: .zero) != request, take(ifIs: "for") else {
            return .ask(request, for: nil)
        }
        return .ask(request, for: try takeDuration(in: Self.limits))
    }

    fileprivate mutating func takeExpectation() throws(WordError) -> Expectation {
        if take(ifIs: "no") {
            guard take(ifIs: "record") else { throw problem("'record' is missing: no record NAME") }
            let (subject, fields) = try takeRecord { .noRecord($0) }
            guard take(ifIs: "for") else { throw problem("'for' is missing: for how long?") }
            let limit = try takeDuration(in: Self.limits)
            return Expectation(subject: subject, fields: fields, limit: limit)
        }
        let (subject, fields) = try takeSubject()
        // It was given with the request: there is nothing to wait for.
        if case .answer = subject {
            return Expectation(subject: subject, fields: fields, limit: .zero)
        }
        let limit = take(ifIs: "within") ? try takeDuration(in: Self.limits) : Scenario.usualLimit
        return Expectation(subject: subject, fields: fields, limit: limit)
    }

    private static let limits: ClosedRange<Duration> = .zero ... .seconds(86_400)

    private mutating func takeSubject() throws(WordError) -> (
        Expectation.Subject, [Expectation.Field]
    ) {
        if take(ifIs: "record") { return try takeRecord { .record($0) } }
        if take(ifIs: "answer") {
            let result = try take("a result", of: Answer.Result.forms.map(\.name))
            return (.answer(result), try takeFields())
        }
        if let word = next, let line = Line.words.first(where: { $0.name == word }) {
            _ = try take("a line")
            return (.line(line, isOn: try take("'on' or 'off'", of: ["on", "off"]) == "on"), [])
        }
        let fields = try takeFields()
        guard fields.isEmpty else { return (.status, fields) }
        let words = ["record", "no", "answer"] + Line.words.map(\.name)
        guard let word = next else { throw problem("what is expected is missing") }
        let what = "anything that may be expected, nor a field and its value"
        throw unknown(word, what, among: words)
    }

    private mutating func takeRecord(
        _ subject: (String) -> Expectation.Subject
    ) throws(WordError) -> (Expectation.Subject, [Expectation.Field]) {
        let name = try take("a record", of: Record.forms.map(\.name))
        let form = Shape.ofRecords.forms.first { $0.name == name }
        let names = form?.fields.map(\.name.rawValue) ?? []
        let pairs = try takePairs(names: names)
        return (
            subject(name),
            pairs.compactMap { pair in
                FieldName(rawValue: pair.name).map { .init(path: [$0], value: pair.value) }
            }
        )
    }

    /// Fields of the status or of an answer, by their paths.
    private mutating func takeFields() throws(WordError) -> [Expectation.Field] {
        var fields: [Expectation.Field] = []
        while let word = next, let end = word.firstIndex(of: "=") {
            let names = word[..<end].split(separator: ".", omittingEmptySubsequences: false)
            var path: [FieldName] = []
            for name in names.map(String.init) {
                guard let field = FieldName(rawValue: name) else {
                    throw unknown(name, "a field", among: Self.fieldNames)
                }
                path.append(field)
            }
            _ = try take("a field")
            fields.append(.init(path: path, value: String(word[word.index(after: end)...])))
        }
        return fields
    }
}

extension Request {
    /// The same for so long, where it is about something that may end.
    func lasting(_ length: Duration, from now: Instant) -> Request {
        let limits: [FieldName: Int64] = [
            .until: (now + length).nanoseconds, .duration: length.wholeMicroseconds,
        ]
        var limited = Fields(fields.all.filter { limits[$0.name] == nil })
        for field in Shape.Form(of: self).fields {
            if let limit = limits[field.name] {
                limited.all.append(.init(field.name, .integer(limit)))
            }
        }
        return (try? Request(name, limited)) ?? self
    }
}

extension Shape {
    /// The fields of records.
    fileprivate static let ofRecords = Shape(of: Record.self)
}
