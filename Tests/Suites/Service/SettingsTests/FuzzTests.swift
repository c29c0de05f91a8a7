import Seeds
import System
import Testing

@testable import Settings

/// A file that was damaged at random is read, or refused with problems that make sense.
@Suite struct FuzzTests {
    @Test(
        arguments: [
            "config/turnstiled.yaml", "config/two-way.yaml", "config/bad/several.yaml",
            "config/odd/cut-wire-grants.yaml", "config/odd/price-never-met.yaml",
        ])
    func damagedFilesAreReadOrRefused(file: String) throws {
        var random = SeededGenerator.announced()
        let original = try Project.bytes(of: file)
        for _ in 0..<1000 {
            var bytes = original
            repeat { random.damage(&bytes) } while !random.oneIn(3)
            do throws(SettingsErrors) {
                let warnings = try Settings.parse(bytes, file: "gate.yaml").warnings
                let problems = warnings.map { SettingsProblem($0.message, at: $0.position) }
                let reason = fault(in: problems, of: bytes)
                #expect(reason == nil, "\(random): \(warnings)")
            } catch {
                let reason = fault(in: error.problems, of: bytes)
                #expect(reason == nil && !error.problems.isEmpty, "\(random): \(error)")
                if reason != nil { return }
            }
        }
    }

    @Test(arguments: [0...255, 0x20...0x7F, 0x80...0xBF] as [ClosedRange<UInt8>])
    func garbageIsRefused(range: ClosedRange<UInt8>) {
        var random = SeededGenerator.announced()
        let bytes = (0..<Settings.maximumSize).map { _ in UInt8.random(in: range, using: &random) }
        let errors = #expect(throws: SettingsErrors.self, "\(random)") {
            _ = try Settings.parse(bytes, file: "gate.yaml")
        }
        #expect(errors.flatMap { fault(in: $0.problems, of: bytes) } == nil, "\(random)")
    }

    /// What does not make sense in `problems`, or nil.
    private func fault(in problems: [SettingsProblem], of bytes: [UInt8]) -> String? {
        let text = String(decoding: bytes, as: UTF8.self).unicodeScalars
        // libyaml takes all of these for the end of a line.
        let lineCount = 1 + text.count { "\n\r\u{85}\u{2028}\u{2029}".unicodeScalars.contains($0) }
        if problems != problems.sorted() { return "unsorted" }
        for problem in problems {
            guard let position = problem.position else { return "no position" }
            if !(1...lineCount).contains(position.line) { return "no such line" }
            if !(1...text.count + 1).contains(position.column) { return "no such column" }
            if problem.message.isEmpty { return "no message" }
            if !problem.message.unicodeScalars.allSatisfy(\.isPrintable) { return "unprintable" }
        }
        return nil
    }
}

extension SeededGenerator {
    /// Does one thing to `bytes` that a slip of the hand or a bad disk does.
    fileprivate mutating func damage(_ bytes: inout [UInt8]) {
        guard let place = bytes.indices.randomElement(using: &self) else { return }
        let end = Swift.min(place + Int.random(in: 1...30, using: &self), bytes.count)
        switch Int.random(in: 0...6, using: &self) {
        case 0: bytes[place] = .random(in: 0...255, using: &self)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &self)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 4: bytes.removeLast(bytes.count - place)
        case 5:
            let marks = Array("{}[]:,'\"#&*!|>%@`-?~\t\n\r \\".utf8)
            bytes.insert(marks.randomElement(using: &self)!, at: place)
        default: bytes.swapAt(place, bytes.indices.randomElement(using: &self)!)
        }
    }
}
