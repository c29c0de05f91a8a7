public import StateMachines
public import Turnstile

/// The gate that a scenario is played on.
public protocol Stage: AnyObject {
    var now: Instant { get }
    func perform(_ move: WrittenMove) throws
    func ask(for request: Request) throws -> Answer.Result
    func report() throws -> StatusReport
    /// The records since the last call.
    func takeRecords() throws -> [Record]
    /// Waits until something happens at the gate, or until `end`.
    func wait(until end: Instant) throws
}

public struct Player {
    private let scenario: Scenario
    private let stage: any Stage
    private let beginning: Instant
    /// The records that no expectation has matched yet.
    private var heard: [Record] = []
    /// How much of it was there before something was last done.
    private var heardBefore = 0
    private var answer: Answer.Result?

    /// How late a line may be that has its time from the beginning: on a real clock time passes
    /// between two lines.
    private static let tolerance = Duration.milliseconds(50)

    /// Reports each line before its turn. Throws ``ScenarioError/unexpected(_:)`` if an expectation
    /// fails, and the stage's errors.
    public static func play(
        _ scenario: Scenario, on stage: any Stage, report: (Scenario.Step) -> Void = { _ in }
    ) throws {
        var player = Player(scenario: scenario, stage: stage, beginning: stage.now)
        for step in scenario.steps {
            try player.await(step)
            report(step)
            try player.perform(step)
        }
    }

    /// Lets time pass until it is the line's turn.
    private mutating func `await`(_ step: Scenario.Step) throws {
        let time: Instant
        switch step.time {
        case .after(let duration): time = stage.now + duration
        case .at(let duration):
            time = beginning + duration
            if time + Self.tolerance < stage.now {
                let words = (stage.now - beginning).inTenths
                throw failure(step, "the lines before took until \(words) s")
            }
        }
        _ = try wait(until: time) { _ in false }
    }

    private mutating func perform(_ step: Scenario.Step) throws {
        switch step.action {
        case .wait: break
        case .move(let move):
            heardBefore = heard.count
            try stage.perform(move)
        case .ask(let request, let length):
            heardBefore = heard.count
            let asked = length.map { request.lasting($0, from: stage.now) } ?? request
            answer = try stage.ask(for: asked)
        case .expect(let expectation): try check(expectation, step)
        }
    }

    /// Waits until `isSo`, or until `end`; returns whether it is.
    private mutating func wait(
        until end: Instant, _ isSo: (inout Player) throws -> Bool
    ) throws -> Bool {
        while true {
            heard += try stage.takeRecords()
            if try isSo(&self) { return true }
            if stage.now >= end { return false }
            try stage.wait(until: end)
        }
    }

    private func failure(_ step: Scenario.Step, _ what: String) -> ScenarioError {
        .unexpected("\(scenario.file):\(step.line): '\(step.text)': \(what)")
    }
}

// Expectations.
extension Player {
    private mutating func check(_ expectation: Expectation, _ step: Scenario.Step) throws {
        let end = stage.now + expectation.limit
        switch expectation.subject {
        case .record(let name):
            let isTold = try wait(until: end) { player in
                player.takeRecord(name, expectation.fields)
            }
            if !isTold { throw failure(step, "told was \(list(heard[...]))") }
        case .noRecord(let name):
            let isTold = try wait(until: end) { player in
                player.heard[player.heardBefore...].contains { $0.isOne(name, expectation.fields) }
            }
            if isTold { throw failure(step, "told was \(list(heard[heardBefore...]))") }
        case .answer(let name): try check(answerIs: name, expectation.fields, step)
        case .line(let line, let isOn):
            let isSo = try wait(until: end) { try $0.stage.report().isOn(line) == isOn }
            if !isSo { throw failure(step, "it is not so") }
        case .status:
            let isSo = try wait(until: end) {
                try $0.stage.report().fields.have(expectation.fields)
            }
            if !isSo {
                throw failure(step, expectation.fields.found(in: try stage.report().fields))
            }
        }
    }

    private func check(
        answerIs name: String, _ fields: [Expectation.Field], _ step: Scenario.Step
    ) throws {
        guard let answer else { throw failure(step, "nobody has asked for anything") }
        guard answer.name == name, answer.fields.have(fields) else {
            throw failure(step, "the answer was \(answer.name) \(answer.fields)")
        }
    }

    /// Finds the record, and drops it with all earlier ones.
    private mutating func takeRecord(_ name: String, _ fields: [Expectation.Field]) -> Bool {
        guard let index = heard.firstIndex(where: { $0.isOne(name, fields) }) else { return false }
        heard.removeSubrange(...index)
        heardBefore = max(0, heardBefore - index - 1)
        return true
    }

    private func list(_ records: ArraySlice<Record>) -> String {
        guard !records.isEmpty else { return "nothing" }
        return records.map { "\($0.name) \($0.fields)" }.joined(separator: ", ")
    }
}

extension Duration {
    /// The seconds, with one decimal: `1.2`.
    package var inTenths: String {
        let tenths = wholeMicroseconds / 100_000
        return "\(tenths / 10).\(tenths % 10)"
    }
}

extension [Expectation.Field] {
    fileprivate func found(in fields: Fields) -> String {
        map { field in
            let path = field.path.map(\.rawValue).joined(separator: ".")
            let texts = fields.texts(at: field.path[...])
            return "\(path) is \(texts.isEmpty ? "nothing" : texts.joined(separator: ", "))"
        }.joined(separator: ", ")
    }
}

extension Record {
    fileprivate func isOne(_ name: String, _ fields: [Expectation.Field]) -> Bool {
        self.name == name && self.fields.have(fields)
    }
}

extension StatusReport {
    /// Whether a line is on: an input active, an output on, which a lock may be without power.
    fileprivate func isOn(_ line: Line) -> Bool {
        switch line {
        case .input(let input): inputs[input]
        case .output(let output): outputs.contains { $0.output == output && $0.isOn }
        }
    }
}
