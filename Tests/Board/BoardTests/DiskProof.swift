import CrashImages
import Foundation
import Seeds
import VirtualBoard

/// Makes images of a day's disk as losses of power may leave it, has the file system and the
/// service's own ledger read each, and compares what they find with what is known of the day.
struct DiskProof {
    /// What came of it.
    struct Report {
        /// How many images were read, no two of them alike.
        var images = 0
        /// How many sectors were lost in them.
        var sectorsLost = 0
        /// How many facts were asked of them.
        var facts = 0
        /// How many images did not hold what they should.
        var failed = 0
        /// What was wrong with the first of them.
        var failures: [String] = []
    }

    /// An image that is to be read.
    private struct Image {
        var file: URL
        var moment: Int
        var pattern: Survivors.Pattern
    }

    /// How many images are handed to the file system's tools at a time.
    private static let batch = 16
    /// What the ledger itself records, before the gate is heard of: the journal has it after that.
    private static let ownRecords: Set = ["ledger_begun"]
    /// After so many failures no more images are read: one may wait a minute for a ledger.
    private static let failuresTold = 5

    private let day: DiskDay
    private let folder: URL
    private let facts: DiskFacts
    /// The records of the day and what they come to, after each.
    private let rows: [LedgerImage.Row]
    private let tallies: [Tally]
    private var report = Report()

    /// The proof of `day`, which needs `folder` for its files, best in memory.
    nonisolated(nonsending) init(of day: DiskDay, in folder: URL) async throws {
        self.day = day
        self.folder = folder
        let end = folder.appending(path: "end")
        try await Host.copy(day.disk, to: end)
        var disk = try VolatileDisk(medium: end, log: day.log)
        try disk.advance(to: day.log.entries.count)
        try await Self.replay([end])
        rows = try LedgerImage(in: Self.files(of: end)).rows
        tallies = Tally.running(rows)
        facts = try DiskFacts(of: day, rows)
        try confirm()
    }

    /// Throws unless the records, as they were in the end, are what was seen of the day.
    private func confirm() throws {
        let kept = Set(rows.map(\.kind)).subtracting(Self.ownRecords)
        let told = Set(day.told)
        let (inJournal, inLedger) = (
            day.told.filter(kept.contains),
            rows.map(\.kind).filter { kept.contains($0) && told.contains($0) }
        )
        guard inJournal == inLedger else {
            let same = zip(inJournal, inLedger).prefix { $0 == $1 }.count
            throw LedgerImageError(
                """
                after \(same) records the ledger goes on with \
                \(inLedger.dropFirst(same).prefix(3)), and the journal with \
                \(inJournal.dropFirst(same).prefix(3))
                """)
        }
        // On a busy host pulses get so long that they are noise: who knows what the rest is worth.
        guard kept.isDisjoint(with: ["coin_noise", "coin_unknown"]) else { return }
        let paid = tallies.last?.paid ?? 0
        guard paid == day.coins else {
            throw LedgerImageError("\(day.coins) were dropped, and \(paid) are known")
        }
    }

    /// Examines so many images, which `generator` chooses, and keeps the first that do not hold
    /// what they should in `keeping`.
    mutating nonisolated(nonsending) func examine(
        _ count: Int, chosenBy generator: SeededGenerator, keeping: URL
    ) async throws -> Report {
        var generator = generator
        let medium = folder.appending(path: "medium")
        try await Host.copy(day.disk, to: medium)
        var disk = try VolatileDisk(medium: medium, log: day.log)
        let begin = facts.all.map(\.places.lowerBound).min() ?? 0
        let moments = VolatileDisk.moments(of: day.log).filter { $0 >= begin }
            .shuffled(using: &generator).prefix(max(count / 2, 1)).sorted()
        var waiting: [Image] = []
        var made = 0
        for (number, moment) in moments.enumerated() where report.failed < Self.failuresTold {
            try disk.advance(to: moment)
            // What a moment cannot give, since its cache is small, the later ones have to.
            let wanted = count * (number + 1) / moments.count - made
            for (survivors, pattern) in Self.choice(of: wanted, from: disk, using: &generator) {
                let file = folder.appending(path: "image-\(made)")
                try disk.write(survivors, to: file)
                waiting.append(Image(file: file, moment: moment, pattern: pattern))
                report.sectorsLost += disk.cachedSectors - survivors.entries.count
                made += 1
                guard waiting.count == Self.batch else { continue }
                try await examine(waiting, keeping: keeping)
                waiting = []
            }
        }
        try await examine(waiting, keeping: keeping)
        return report
    }

    /// So many different ways in which the cache may be lost, or as many as there are or are found.
    private static func choice(
        of count: Int, from disk: VolatileDisk, using generator: inout SeededGenerator
    ) -> [(Survivors, Survivors.Pattern)] {
        var choice: [(Survivors, Survivors.Pattern)] = []
        var chosen: Set<Survivors> = []
        let patterns = Survivors.Pattern.allCases.shuffled(using: &generator)
        var attempts = 0
        while choice.count < count && attempts < 3 * max(count, patterns.count) {
            let pattern = patterns[attempts % patterns.count]
            attempts += 1
            let survivors = disk.survivors(pattern, using: &generator)
            if chosen.insert(survivors).inserted { choice.append((survivors, pattern)) }
        }
        return choice
    }

    private mutating nonisolated(nonsending) func examine(
        _ images: [Image], keeping: URL
    ) async throws {
        try await Self.replay(images.map(\.file))
        for image in images {
            let problems = problems(of: image)
            report.images += 1
            if !problems.isEmpty { try await tell(of: problems, in: image, keeping: keeping) }
            for file in [image.file, Self.files(of: image.file), Self.status(of: image.file)] {
                try FileManager.default.removeItem(at: file)
            }
        }
    }

    private mutating nonisolated(nonsending) func tell(
        of problems: [String], in image: Image, keeping: URL
    ) async throws {
        report.failed += 1
        guard report.failed <= Self.failuresTold else { return }
        let kept = keeping.appending(path: image.file.lastPathComponent)
        try FileManager.default.createDirectory(at: keeping, withIntermediateDirectories: true)
        try await Host.copy(image.file, to: kept)
        report.failures.append(
            """
            after \(image.moment) requests, \(image.pattern) left of the cache: \
            \(problems.joined(separator: "; ")). The image, replayed: \(kept.path)
            """)
    }

    /// What an image has not that it should have, or has otherwise.
    private mutating func problems(of image: Image) -> [String] {
        // What e2fsck said, and how it ended: 1 if there was something to put right.
        let said = try? String(contentsOf: Self.status(of: image.file), encoding: .utf8)
        guard let said, said.hasSuffix("\n0\n") || said.hasSuffix("\n1\n") else {
            return ["the file system is damaged: \(said ?? "")"]
        }
        let found: LedgerImage
        do {
            found = try LedgerImage(in: Self.files(of: image.file))
        } catch {
            return ["\(error)"]
        }
        var problems: [String] = []
        if found.rows.count > rows.count || found.rows != Array(rows.prefix(found.rows.count)) {
            problems.append("its records are not the first of the day")
        } else if found.tally != tallies[found.rows.count] {
            problems.append(
                "\(found.tally) is no sum of its records: \(tallies[found.rows.count])")
        }
        if !found.tally.isBalanced { problems.append("\(found.tally) is not balanced") }
        let due = facts.facts(at: image.moment)
        report.facts += due.count
        let missing = due.filter { !$0.holds(found) }
        problems += missing.prefix(3).map { "missing: \($0.name)" }
        return problems + (missing.count > 3 ? ["missing: \(missing.count - 3) more"] : [])
    }
}

// The file system's own tools.
extension DiskProof {
    /// Has the file system of each image replayed and looked through, as at a boot, and takes out
    /// what is in it.
    private static nonisolated(nonsending) func replay(_ images: [URL]) async throws {
        let script = """
            for image; do
                mkdir "$image.files"
                e2fsck -f -p "$image" >"$image.status" 2>&1
                echo $? >>"$image.status"
                debugfs -R "rdump / $image.files" "$image" >/dev/null 2>&1
            done
            """
        if images.isEmpty { return }
        try await Host.run(["sh", "-c", script, "replay"] + images.map(\.path))
    }

    private static func files(of image: URL) -> URL { image.appendingPathExtension("files") }

    private static func status(of image: URL) -> URL { image.appendingPathExtension("status") }
}
