import StateMachines
import Stories
import Turnstile

// What operators ask for from afar.
extension Scene {
    /// Two operators.
    private static let anna = Story.anna
    private static let bert = Story.bert

    private static func asks(_ requests: Request..., by requester: Requester = anna) -> [Happening]
    {
        requests.map { .asked($0, by: requester) }
    }

    /// People are let pass, or no longer, and an emergency is reset, by somebody who does not see
    /// them.
    static let fromAfar = Scene(
        "from afar", gate: twoWays,
        people + .crash + [.loop, .pressed(.releaseExit)]
            + asks(.grant(.entry), .withdraw(.entry), .withdraw(.exit), .resetEmergency)
            + asks(.grantGroup(.entry, count: 2))
    ) {
        $0.remoteEmergencyReset = .allowed
        $0.maxStored = 2
    }

    /// Other modes are in force for good or for a while, over a restart as well.
    static let termsFromAfar = Scene(
        "terms from afar", gate: twoWays.without(.releaseExit),
        people + .crash + [.pressed(.releaseEntry), .clockStepped]
            + asks(
                .setMode(.exit, .free, until: .zero + .seconds(2)),
                .setMode(.exit, nil, until: nil),
                .setMode(.entry, .locked, until: nil), .setMode(.entry, nil, until: nil),
                .setEnforcement(.weak, until: .zero + .seconds(1)))
    ) { $0.maxStored = 1 }

    private static func allowService(_ policy: inout Policy) {
        policy.remoteService = .allowed
        policy.remoteEmergencyReset = .allowed
        policy.maxStored = 1
    }

    /// What an operator would have in force for a while.
    private static let cheap: Policy = {
        var policy = Policy.inTicks(of: .seconds(1))
        allowService(&policy)
        policy.price = 1
        return policy
    }()

    /// Service mode and its tests, by one operator, another one, and the mechanic; and a policy.
    static let serviceFromAfar = Scene(
        "service from afar", gate: twoWays.with(.stop).without(.releaseExit),
        people + .crash + [.changed(.toggled(.serviceKey)), .stop, .loop]
            + asks(.beginService, .endService, .selfTest, .resetEmergency)
            + asks(.test(.lockExit, for: .seconds(2)))
            + asks(.beginService, .endService, .adopt(cheap), by: bert), policy: allowService)

    /// A loop that cannot be read and a machine at fault, repaired from afar as from nearby.
    static let repairFromAfar = Scene(
        "repair from afar",
        people + .crash + [
            .changed(.toggled(.externalFault)), .lineFailed(.input(.fire)),
            .lineRecovered(.input(.fire)), .pressed(.releaseEntry), .pressed(.serviceKey),
        ] + asks(.confirmRepair, .acknowledgeAlarms, .resetEmergency)
    ) {
        $0.remoteRepair = .allowed
        $0.remoteEmergencyReset = .allowed
        $0.forcedPassage = .latch
        $0.maxStored = 1
    }

    /// A lock that cannot be held open: many in a row, operators, and an emergency.
    static let limitedLock = Scene(
        "limited lock", lockTicks: 4,
        people + .crash + [.pressed(.releaseEntry), .loop, .pressed(.serviceKey)]
            + [.asked(.grant(.entry), by: Story.anna)]
            + [.asked(.setMode(.entry, .free, until: nil), by: Story.anna)]
    ) {
        $0.fireReset = .auto
        $0.maxStored = 2
        $0.relockAt = .complete
    }

    /// The same, and service mode from afar with a test of the lock.
    static let limitedLockInService = Scene(
        "limited lock in service", lockTicks: 4,
        people + [.loop, .pressed(.releaseEntry), .changed(.toggled(.serviceKey))]
            + [Request.beginService, .endService, .test(.lockEntry, for: .seconds(2))].map {
                .asked($0, by: Story.anna)
            }
    ) {
        $0.fireReset = .auto
        $0.remoteService = .allowed
        $0.maxStored = 1
    }
}
