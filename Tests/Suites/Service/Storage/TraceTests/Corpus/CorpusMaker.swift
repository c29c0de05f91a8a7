import Controller
import Foundation
import SecondOpinion
import Seeds
import Simulation
import StateMachines
import Turnstile

@testable import Trace

/// Makes traces of what walks and simulated days lead to: of each kind of record, alarm, fault and
/// answer the shortest that still does.
struct CorpusMaker {
    /// How many walks and days are gone through.
    private static let walks = 400, days = 40
    /// How many events of no use a trace may have before it is made shorter.
    private static let longest = 4_000

    private var made = Set(Corpus.names)

    /// Writes what no trace leads to yet.
    func makeMissing() throws {
        var maker = self
        for seed in 0..<UInt64(Self.walks) {
            for life in Walk(seed: seed, episodes: 60).lives { try maker.make(life) }
        }
        for seed in 0..<UInt64(Self.days) {
            let recording = try DayRecorder.recording(seed: seed, deeds: 600)
            for life in try Life.all(in: recording) { try maker.make(life) }
        }
    }

    private mutating func make(_ life: Life) throws {
        guard life.events.count < Self.longest else { return }
        for (goal, index) in life.goals {
            guard made.insert(goal).inserted else { continue }
            var shorter = life
            shorter.events.removeSubrange((index + 1)...)
            shorter = shorter.shortened { $0.goals[goal] != nil }
            shorter.advance()
            try Corpus.write(goal, FormatTests.bytes(of: Track(shorter)))
        }
    }
}

extension Life {
    /// What is recorded on the way, and by which event first: `alarm_A1`, `coin_late`, and of a
    /// start what it goes on from.
    fileprivate var goals: [String: Int] {
        var goals: [String: Int] = [:]
        var turnstile = Turnstile(beginning)
        for (index, event) in events.enumerated() {
            let outcome = turnstile.handle(event)
            for command in outcome.commands {
                guard let goal = command.goal, goals[goal] == nil else { continue }
                goals[goal] = index
            }
        }
        return goals
    }

    /// The same without events that `isWanted` has no need of.
    fileprivate func shortened(_ isWanted: (Life) -> Bool) -> Life {
        var life = self
        var size = life.events.count / 2
        while size > 0 {
            var start = 1
            while start < life.events.count {
                var shorter = life
                shorter.events.removeSubrange(start..<min(start + size, shorter.events.count))
                // The second opinion is asked about what can happen.
                if isWanted(shorter), shorter.disagreement() == nil {
                    life = shorter
                } else {
                    start += size
                }
            }
            size /= 2
        }
        return life
    }

    /// What follows by itself.
    fileprivate mutating func advance() {
        var turnstile = Turnstile(beginning)
        for event in events { _ = turnstile.handle(event) }
        for _ in 0..<4 {
            guard let due = turnstile.deadline else { return }
            let event = Event(.timePassed, at: max(due, events.last?.time ?? due))
            _ = turnstile.handle(event)
            events.append(event)
        }
    }
}

extension Command {
    /// What a trace that leads to it is called by; nil for what nobody looks for.
    fileprivate var goal: String? {
        switch self {
        case .record(let record): record.goal
        case .answer(let answer): "answer-\(answer.request.rawValue)-\(answer.result.name)"
        case _: nil
        }
    }
}

extension Record {
    /// What a trace that leads to it is called by.
    fileprivate var goal: String {
        switch self {
        case .alarmRaised(let alarm): "alarm-\(alarm.code)-\(alarm.name)"
        case .alarmCleared(let alarm): "alarm-over-\(alarm.code)"
        case .alarmRecovered(let alarm): "alarm-recovered-\(alarm.code)"
        case .faultRaised(let fault): "fault-\(fault.code)"
        case .faultCleared(let fault): "fault-over-\(fault.code)"
        case .faultRecovered(let fault): "fault-recovered-\(fault.code)"
        case .refused(let request, _, let refusal): "refused-\(request.rawValue)-\(refusal.name)"
        case _: name
        }
    }
}
