import Hardware
import Turnstile

extension Schema {
    /// The section `hardware.inputs`.
    static let inputs = Section(initial: Draft(), Input.allCases.map(key))

    /// The key of an input.
    private static func key(_ input: Input) -> Key<Draft> {
        let debounce = debounce(of: input)
        let initial = InputLine(
            line: .offset(0), activeLow: isActiveLow(input), bias: .pullUp,
            debounce: debounce.standard)
        let section = Section(
            initial: initial,
            [
                lineKey(\.line), chipKey(\.chip),
                Key("active_low", \.activeLow, .flag, "whether a low level means active"),
                Key(
                    "bias", \.bias, .choice,
                    "the resistor that holds the line while nothing drives it"),
                Key(
                    "debounce", \.debounce, .duration(debounce.range),
                    "how long a level must last to count"),
            ])
        return Key(
            input.name, \.inputs[input], section, need: need(of: input), summary(of: input),
            finish: { line, _, _ in line }, draft: { $0 })
    }

    /// Most contacts close to ground when they tell something. The emergency loop and the doors'
    /// contacts open, so that a broken wire tells it as well.
    private static func isActiveLow(_ input: Input) -> Bool {
        switch input {
        case .fire, .cabinetTamper, .vaultDoor: false
        case .coinPulse, .coinPulse2, .coinPulse3, .coinJam, .rotorA, .rotorB, .beamA, .beamB,
            .home, .releaseEntry, .releaseExit, .stop, .serviceKey, .emergencyResetKey,
            .externalFault, .powerLow, .vaultPresent, .vaultFull, .lockFeedback, .lockFeedbackExit:
            true
        }
    }

    /// A person's hand bounces for long and a relay's contact not much less; a sensor hardly does,
    /// and must be heard in time; the length of a pulse is measured. Coins that fall past a level
    /// switch are no level.
    private static func debounce(
        of input: Input
    ) -> (standard: Duration, range: ClosedRange<Duration>) {
        switch input {
        case .coinPulse, .coinPulse2, .coinPulse3: (.zero, .zero...(.milliseconds(50)))
        case .rotorA, .rotorB, .beamA, .beamB, .home, .lockFeedback, .lockFeedbackExit:
            (.milliseconds(5), .zero...(.milliseconds(50)))
        case .fire: (.milliseconds(20), .zero...(.milliseconds(100)))
        case .vaultFull: (.seconds(1), .milliseconds(20)...(.seconds(10)))
        case .coinJam, .releaseEntry, .releaseExit, .stop, .serviceKey, .emergencyResetKey,
            .externalFault, .powerLow, .cabinetTamper, .vaultDoor, .vaultPresent:
            (.milliseconds(100), .milliseconds(20)...(.milliseconds(1000)))
        }
    }

    private static func need(of input: Input) -> Need {
        switch input {
        case .coinPulse:
            .conditional(
                "needed with 'coin_inhibit' and all else of an acceptor; this or 'release_entry' "
                    + "must be wired where entry is controlled")
        case .releaseEntry:
            .conditional("this or 'coin_pulse' must be wired where entry is controlled")
        case .releaseExit:
            .conditional("needed where 'lock_exit' is wired and exit is controlled")
        case .rotorA, .rotorB: .conditional("both, or else 'beam_a' and 'beam_b'")
        case .beamA, .beamB: .conditional("both, or else 'rotor_a' and 'rotor_b'")
        case .fire:
            .required(
                because: "a gate that people pass must open when the fire alarm says so, and when "
                    + "the wire to it breaks; wire the normally closed loop")
        case .emergencyResetKey: .conditional("needed where 'fire_reset' is manual")
        case .serviceKey: .conditional("needed where 'forced_passage' is latch")
        case .coinPulse2, .coinPulse3, .coinJam, .home, .stop, .externalFault, .powerLow,
            .cabinetTamper, .vaultDoor, .vaultPresent, .vaultFull, .lockFeedback, .lockFeedbackExit:
            .conditional("optional")
        }
    }

    private static func summary(of input: Input) -> String {
        switch input {
        case .coinPulse: "the coin acceptor's pulse output"
        case .coinPulse2: "that of a second acceptor"
        case .coinPulse3: "that of a third acceptor"
        case .coinJam: "the acceptors' fault contacts, in parallel"
        case .rotorA: "the rotor's first sensor on the way in"
        case .rotorB: "the rotor's second sensor on the way in"
        case .beamA: "the first light beam on the way in: active is interrupted"
        case .beamB: "the second light beam on the way in"
        case .home: "the contact that tells that the arm stands at rest"
        case .fire: "the emergency loop, normally closed: active is an open or broken loop"
        case .releaseEntry: "the contact of a validator, reader or attendant: lets one person in"
        case .releaseExit: "the same for the way out: lets one person out"
        case .stop: "blocks both directions while it is active"
        case .serviceKey:
            "the mechanic's key: turned, a repair is complete; held, it starts service mode"
        case .emergencyResetKey: "the key that ends an emergency"
        case .externalFault: "the machine's own fault contact"
        case .powerLow: "the supply's contact that tells that it is low"
        case .cabinetTamper: "the cabinet's door contact, closed with the door: active is open"
        case .vaultDoor: "the coin vault's door contact, closed with the door: active is open"
        case .vaultPresent: "the contact that tells that the coin vault is in its place"
        case .vaultFull: "the level switch in the coin vault: active is full"
        case .lockFeedback: "the contact that tells that the lock of the way in is released"
        case .lockFeedbackExit: "the contact that tells that the lock of the way out is released"
        }
    }
}
