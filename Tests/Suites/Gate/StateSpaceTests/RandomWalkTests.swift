import SecondOpinion
import Seeds
import SourceCases
import Stories
import Testing

@testable import Turnstile

/// Long walks of random events through random gates, each from a seed that a failure prints with
/// the shortest story: after every event the machine does and says what the second opinion does,
/// though now and then it is what was read of the fields of its state.
@Suite struct RandomWalkTests {
    /// Some walks, and those that once found a mistake; or the one that is asked for. `make soak`
    /// looks for new ones.
    static let seeds =
        SeededGenerator.givenSeed.map { [$0] } ?? (1...160)
        + [14_886_527_103_216_821_936, 9_720_015_355_633_571_396]
        + [8_457_294_457_184_063_899, 4_139_717_433_510_575_403]

    @Test(arguments: seeds) func `the machine and the second opinion agree`(seed: UInt64) {
        if let story = Walk(seed: seed, episodes: 60).disagreement() {
            Issue.record("\(story)")
        }
    }

    @Test func `the walks meet every fault and alarm`() {
        let codes = Set(Fault.all.map(\.code) + Alarm.allCases.map(\.code))
        var met: Set<String> = []
        for seed in UInt64(1)...1_000 where !met.isSuperset(of: codes) {
            met.formUnion(Walk(seed: seed, episodes: 60).codes)
        }
        #expect(codes.subtracting(met) == [], "no episode of Script.swift leads to them")
    }

    /// What is the same for every owner is compared for that one alone. How long a lock is pulled
    /// is the shell's business.
    @Test func `every key of the policy varies from walk to walk`() {
        let policies = (UInt64(1)...300).map { seed in
            Mirror(reflecting: Walk(seed: seed, episodes: 0).policy).children.map { "\($0)" }
        }
        for place in policies[0].indices where !policies[0][place].contains("lockPull") {
            let isVaried = policies.contains { $0[place] != policies[0][place] }
            #expect(isVaried, "\(policies[0][place]): Choices.swift of the second opinion")
        }
    }

    @Test func `the walks meet every kind of record`() throws {
        var kinds = try SourceCases.names(
            of: "Record", in: "Sources/Gate/Turnstile/Catalogue/Records.swift")
        // A walk does not stop the service.
        kinds.remove("stopped")
        var met: Set<String> = []
        for seed in UInt64(1)...1_000 where !met.isSuperset(of: kinds) {
            met.formUnion(Walk(seed: seed, episodes: 60).kindsOfRecords)
        }
        #expect(kinds.subtracting(met) == [], "no episode of Script.swift leads to them")
        #expect(!kinds.isEmpty)
    }
}
