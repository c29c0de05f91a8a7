import SecondOpinion
import Seeds
import StateMachines
import Stories
import Testing

@testable import Turnstile

/// The whole state of the machine, as fields and back. That it is read as it was written is found
/// out on every random walk, and in every scene that is explored.
@Suite struct MachineFieldsTests {
    @Test func `a gate that has not started reads as it is`() throws {
        var before = RetainedState()
        before.isEmergency = true
        var balances = Balances()
        balances.credit = 500
        for recovery in [Recovery.unknown, .known(RetainedState()), .known(before)] {
            for ledger in [LedgerConnection.none, .awaited, .open(balances)] {
                let turnstile = Turnstile(
                    policy: Story.policy(), debounce: [.fire: .milliseconds(20)],
                    maximumOnTimes: [.alarm: .seconds(90)], ledger: ledger, recovery: recovery)
                #expect(try Turnstile(turnstile.fields) == turnstile)
            }
        }
    }

    /// The gate is idle no more when a policy is asked for: that one waits, and the other is in
    /// force.
    @Test func `a policy that waits is not the one in force`() throws {
        var story = Story()
        story.insertCoin(pulses: 5)
        let other = Story.policy { $0.passWait = .seconds(9) }
        #expect(story.ask(.adopt(other)) == .deferred)
        let read = try Turnstile(story.turnstile.fields)
        #expect(read == story.turnstile)
        #expect(read.gate.policy.passWait == .seconds(5))
    }

    /// An output that the mechanic does not have, a mechanic without a name, fares that nobody has
    /// paid, amounts that no sum holds.
    @Test(arguments: [
        ("service.output", "phase=testing output=buzzer until_nsec=0"),
        ("service.service_requester", "phase=awaiting_idle"),
        ("lane.value", "phase=suspended direction=entry authorisation=credit value=-1"),
        ("credit_account.credit", "credit=9223372036854775807"),
        ("new_fares", "new_fares=1"),
        ("past", "recovery=unknown"),
    ]) func `what does not go together is no state`(place: String, edits: String) throws {
        var fields = Story().turnstile.fields
        let path = place.split(separator: ".").map { String($0) }
        // What is at the end of the path is a field of this part.
        let name = try #require(FieldName(rawValue: path[0]))
        if case .fields(var part)? = fields[name] {
            try part.set(edits)
            fields.set(name, .fields(part))
        } else {
            try fields.set(edits)
        }
        let error = #expect(throws: FieldError.self) { try Turnstile(fields) }
        #expect(error?.path == path)
    }

    @Test(arguments: [1, 2, 3, 5, 8, 13] as [UInt64])
    func `each field matters`(seed: UInt64) throws {
        let states = Walk(seed: seed, episodes: 30).states.map { ($0, $0.fields.description.count) }
        let richest = try #require(states.max { $0.1 < $1.1 }?.0)
        var required = 0
        for place in FieldPlace.all(in: richest.fields, of: Turnstile.title) {
            do throws(FieldError) {
                let read = try Turnstile(place.fields)
                let tells = !place.isRequired && (place.isDispensable || read != richest)
                #expect(tells, "\(place.path)")
            } catch {
                if place.isRequired {
                    #expect(error.path == place.path)
                    #expect(error.problem == (place.isExcess ? .unexpected : .missing))
                    required += 1
                }
            }
        }
        #expect(required > 100)
    }

    @Test func `whatever is done to a state, a gate goes on with it, or it is none`() {
        var chance = SeededGenerator.announced()
        let seed = UInt64.random(in: 0...(.max), using: &chance)
        let states = (0..<4).flatMap { Walk(seed: seed &+ $0, episodes: 30).states }
        let written = states.map { FieldValue.fields($0.fields) }
        var taken = 0
        for _ in SeededGenerator.rounds(2_000) {
            var fields = written.randomElement(using: &chance)!
            for _ in 0...Int.random(in: 0...3, using: &chance) {
                fields.vary(by: written.randomElement(using: &chance)!, &chance)
            }
            guard var turnstile = try? Turnstile(fields) else { continue }
            taken += 1
            if (try? Turnstile(turnstile.fields)) != turnstile { Issue.record("\(fields)") }
            turnstile.live(through: 200, &chance)
        }
        #expect(taken > 40)
    }
}

extension Fields {
    fileprivate mutating func set(_ name: FieldName, _ value: FieldValue) {
        all.removeAll { $0.name == name }
        all.append(Field(name, value))
    }

    /// Has fields say what stands here: `phase=locked`.
    fileprivate mutating func set(_ edits: String) throws {
        for edit in edits.split(separator: " ") {
            let words = edit.split(separator: "=").map { String($0) }
            set(try #require(FieldName(rawValue: words[0])), .text(words[1]))
        }
    }
}
