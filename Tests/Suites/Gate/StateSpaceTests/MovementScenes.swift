import Stories
import Turnstile

/// People who begin to move in the very moment in which the gate would close: for a quarter of a
/// second nobody knows whether they do, or both sensors have changed at once.
enum MovementScenes {
    static let all = [blocked, reset, closedLoop, service]

    /// Sensors that change, while time passes.
    private static let sensors: [Happening] = [
        .ticked, .changed(.toggled(.rotorA)), .changed(.toggled(.rotorB)),
    ]

    private static func scene(
        _ name: String, _ equipment: Equipment, _ happenings: [Happening],
        policy edit: @escaping (inout Policy) -> Void
    ) -> Scene {
        Scene(
            name, gate: equipment, tick: .milliseconds(250), limits: Scene.Limits(unrest: 2),
            sensors + happenings
        ) {
            $0.rotorStep = .milliseconds(250)
            $0.maxStored = 1
            edit(&$0)
        }
    }

    /// A stop, a fault, and a lock that is cut, on whoever is let in and whoever may leave.
    static let blocked = scene(
        "moving as it is blocked", Scene.twoWays.with(.stop).without(.releaseExit),
        [
            .stop, .changed(.toggled(.externalFault)), .pressed(.releaseEntry),
            .pressed(.serviceKey), .outputCut(.lockEntry),
        ]
    ) { $0.regime.exit = .free }

    /// The reset, by key and from afar.
    static let reset = scene(
        "moving as it is reset", .oneWay.with(outputs: .dropArm),
        [
            .loop, .pressed(.emergencyResetKey), .pressed(.serviceKey),
            .asked(.resetEmergency, by: Story.anna),
        ]
    ) { $0.remoteEmergencyReset = .allowed }

    /// A loop whose closing ends the emergency.
    static let closedLoop = scene(
        "moving as the loop closes", Scene.twoWays.with(.stop).without(.releaseExit),
        [.loop, .stop, .pressed(.serviceKey), .pressed(.releaseEntry)]
    ) { $0.fireReset = .auto }

    /// Service mode, as it begins and ends.
    static let service = scene(
        "moving as service mode ends", Scene.twoWays.with(.stop).without(.releaseExit),
        [
            .changed(.toggled(.serviceKey)), .stop, .pressed(.releaseEntry),
            .asked(.beginService, by: Story.anna), .asked(.endService, by: Story.anna),
            .asked(.test(.lockExit), by: Story.anna),
        ]
    ) { $0.remoteService = .allowed }
}
