import Keeping
import Ledger
import Moves
import Scenario
import Settings
import StateMachines
import Turnstile

/// The settings of a gate.
enum SettingsTarget: FuzzTarget {
    static let name = "settings"

    static func take(_ bytes: [UInt8]) {
        let uncommented = UncommentedText(String(decoding: bytes, as: UTF8.self))
        if let uncommented, UncommentedText(uncommented.text)?.commentCount != 0 {
            fail("there are comments left: \(uncommented)")
        }
        do throws(SettingsErrors) {
            var settings = try Settings.parse(bytes, file: "gate.yaml")
            check(settings.warnings.map { SettingsProblem($0.message, at: $0.position) })
            settings.warnings.removeAll { $0.kind == .commentInName }
            guard let text = uncommented?.text,
                (try? Settings.parse(text, file: "gate.yaml")) == settings
            else { fail("they say other things without comments: \(uncommented as Any)") }
        } catch {
            if error.problems.isEmpty { fail("refused, and nothing is wrong") }
            check(error.problems)
        }
    }

    /// Ends the process where a problem has no place, or would steer a terminal.
    static func check(_ problems: [SettingsProblem]) {
        for problem in problems {
            if problem.message.isEmpty { fail("a problem without words") }
            if problem.message.unicodeScalars.contains(where: { $0.value < 0x20 }) {
                fail("a problem that cannot be shown: \(problem.message)")
            }
            if let position = problem.position, position.line < 1 || position.column < 1 {
                fail("no such place: \(position)")
            }
        }
    }
}

/// A day at the gate.
enum ScenarioTarget: FuzzTarget {
    static let name = "scenario"

    static func take(_ bytes: [UInt8]) {
        do throws(ScenarioError) {
            let text = String(decoding: bytes, as: UTF8.self)
            if try Scenario(text, file: "a.scenario").steps.isEmpty { fail("nothing is done") }
        } catch {
            guard case .mistakes(let mistakes, _) = error, !mistakes.isEmpty else {
                fail("refused, and nothing is wrong")
            }
            SettingsTarget.check(mistakes.map { SettingsProblem($0.message, at: $0.position) })
        }
    }
}

/// Slips, keys and lists of registers: what is on paper.
enum SlipTarget: FuzzTarget {
    static let name = "slip"

    static func take(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if case .found(let checkpoints) = SlipReading(text) {
            for checkpoint in checkpoints {
                let again = SignedCheckpoint(checkpoint.note.description)
                if again != checkpoint { fail("\(checkpoint) reads as another one") }
            }
        }
        if let key = VerificationKey(text), VerificationKey("\(key)") != key {
            fail("the key \(key) reads as another one")
        }
        if let list = RegisterList(text), list.text != text { fail("\(list) reads as another one") }
    }
}

/// Records as they stand in the ledger: a digit for the version of the vocabulary and the name, and
/// a line for each field.
enum RecordTarget: FuzzTarget {
    static let name = "record"

    static func take(_ bytes: [UInt8]) {
        guard let first = bytes.first else { return }
        let isEnded = bytes.last == UInt8(ascii: "\n")
        let text = String(decoding: bytes.dropFirst().dropLast(isEnded ? 1 : 0), as: UTF8.self)
        let parts = text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
        let version = Int(first) - Int(UInt8(ascii: "0"))
        let lines = parts.count == 2 ? String(parts[1]) : ""
        guard let fields = try? Fields(journalLines: lines),
            let record = try? Record(String(parts[0]), fields, version: version)
        else { return }
        if (try? Record(record.name, record.fields)) != record {
            fail("\(record) reads as another one")
        }
        JSONCheck.check("\(record.fields)")
    }
}
