/// A failure of the machine.
public enum Fault: Hashable, Sendable {
    case external
    case illegalRotorTransition
    case sensorStuck
    case armNotHome
    case lockNotResponding(Direction)
    case coinJam
    case coinLineStuck(Acceptor)
    case noiseBurst(Acceptor)
    case unknownPulseCount
    case vaultMissing
    case vaultFull
    case powerLow
    case edgesLost
    case clockStepped
    case energisedTooLong(Output)
    case line(Line, LineFailure)
    case storageFailed
}

/// The description of the fault; `part` picks what the caller needs.
///
/// Lost edges have no effect once the lines were read again, nor has a siren that was cut. Faults
/// of acceptors and storage only refuse coins, which must not be lost; a full vault's effect is the
/// policy's. Any other fault takes the gate out of service, which may then be unable to let people
/// out.
@inline(__always)
private func details<Part>(of fault: Fault, _ part: Fault.Describer<Part>) -> Part {
    switch fault {
    case .external:
        part(
            "external", Fault.Traits(number: 1, effect: .outOfService, isLatching: true),
            EntryText(
                "the machine reports a fault of its own", id: "89db73faacb34cbfa6512c32b83e92ed",
                .error,
                """
                The contact "fault_ext" is active. The machine's manual says what it means.

                Repair the machine. When the contact is at rest again, turn the mechanic's key:
                the fault lasts until then.
                """))
    case .illegalRotorTransition:
        part(
            "illegal_rotor_transition",
            Fault.Traits(number: 2, effect: .outOfService, isLatching: true),
            EntryText(
                "the rotor's sensors contradict each other", id: "80d1b18631674ad8a90f5bf7e96b5d6c",
                .error,
                """
                Both sensors changed within "rotor_step", which no turning rotor does, and did not
                both change back within half a second. Or the sensors did not come to rest for
                five seconds. Passages can no longer be detected. A shorter disturbance is noise
                ("rotor_noise") and no fault.

                Check whether a passenger is in the gate: with wrong sensors it may have locked on
                them.

                Clean and adjust the sensors and check their plugs. Then turn the mechanic's key.
                The key ends the fault even if the sensors still contradict each other.
                """))
    case .sensorStuck:
        part(
            "sensor_stuck", Fault.Traits(number: 3, effect: .outOfService, isLatching: true),
            EntryText(
                "a rotor sensor is stuck", id: "1395a0693d7649d08a473934842ebd29", .error,
                """
                The home contact reports the arm at rest, but a rotor sensor reports a turn.
                Passages can no longer be detected.

                Clean and adjust the sensor that is active while the arm is at rest, and check its
                plug. If both sensors are right, the home contact is stuck. Then turn the
                mechanic's key.
                """))
    case .armNotHome:
        part(
            "arm_not_home", Fault.Traits(number: 4, line: .input(.home), effect: .outOfService),
            EntryText(
                "the arm is not at rest", id: "8ddb92c1b520480fab7e483b1e857404", .error,
                """
                The rotor's sensors report no turn, but the home contact does not report the arm
                at rest. After an emergency the cause is the dropped arm.

                Put the arm back; the fault then ends by itself. If the arm is in its place,
                check the home contact and its plug.
                """))
    case .lockNotResponding(let way):
        part(
            "lock_not_responding",
            Fault.Traits(
                number: 5, line: .output(way.lock), rank: way == .entry ? 0 : 1,
                effect: .outOfService, isLatching: true),
            EntryText(
                "\(way.lock.name) does not follow",
                subject: "the lock @TURNSTILE_LINE@ does not follow",
                id: "9d566ce4f21a41eb8e6a1ce8131e7247", .error,
                """
                The lock was commanded to move, and its feedback contact does not confirm it.
                The lock may hold passengers in, or hold nobody out.

                Hold the mechanic's key for the self-test, and listen whether the lock moves. If
                it does, adjust the feedback contact; if not, check the lock's supply, driver,
                fuse and coil. Then turn the mechanic's key.
                """))
    case .coinJam:
        part(
            "coin_jam", Fault.Traits(number: 6, line: .input(.coinJam), effect: .refusesCoins),
            EntryText(
                "an acceptor reports a jam", id: "441d1aab5609466ea7d64182269205fa", .error,
                """
                The fault contact of the acceptors is active. Coins are refused; the reject coil
                was pulled once where one is wired. Contacts and free directions still work.

                Open the acceptor, remove the coin or foreign body and clean the runway. The
                fault ends by itself when the contact is at rest.
                """))
    case .coinLineStuck(let acceptor):
        part(
            "coin_line_stuck", Fault.Traits(number: 7, of: acceptor),
            EntryText(
                "\(acceptor.line.name) is stuck",
                subject: "the coin line @TURNSTILE_LINE@ is stuck",
                id: "f0987043327744b0a38f52d270ac3db1", .error,
                """
                The line has been active for longer than any pulse, so coins can no longer be
                counted and are refused. Contacts and free directions still work.

                Look for a jammed coin, then for a short circuit of the cable. The fault ends by
                itself when the line is at rest.
                """))
    case .noiseBurst(let acceptor):
        part(
            "noise_burst", Fault.Traits(number: 8, of: acceptor),
            EntryText(
                "\(acceptor.line.name) carries noise",
                subject: "the coin line @TURNSTILE_LINE@ carries noise",
                id: "31325d8c4e3f4b17b5fd61751dad7ac8", .error,
                """
                Many invalid pulses came in a row, or more than 255 valid ones without a pause,
                and no coin has that many. Coins are refused, since some of the noise would be
                counted as money. The fault ends by itself ten seconds after the last such pulse,
                and an entry gives the number of pulses.

                Noise comes from static electricity, from a missing common ground between
                acceptor and board, and from coin cables beside those of motors and locks. It may
                also be an attack with a spark lighter.
                """))
    case .unknownPulseCount:
        part(
            "unknown_pulse_count", Fault.Traits(number: 9, effect: Fault.Effect.none),
            EntryText(
                "an acceptor sent an unknown number of pulses",
                id: "836f8926f8534973876f87d8cb710c07", .warning,
                """
                The table in the configuration has no coin with that number of pulses. Or the train
                is unreliable: it contained noise, edges were missing, or one gap was more than
                twice as long as another. Nothing was credited. The entry about the unknown coin
                gives the number.

                Compare the table with the acceptor's programming. If the table has the number,
                look for noise or lost edges just before. If only large numbers are unknown, two
                coins ran together: choose an acceptor with longer pauses, or values in proportion
                to the pulses.
                """))
    case .vaultMissing:
        part(
            "vault_missing",
            Fault.Traits(number: 10, line: .input(.vaultPresent), effect: .refusesCoins),
            EntryText(
                "the coin vault is not in its place", id: "91c3fe3de6c94a9faebf582e9264f32a",
                .error,
                """
                The contact "vault_present" reports no box, so coins are refused: they would fall
                on the floor. Contacts and free directions still work. Outside service mode a
                missing vault is an alarm as well (A8).

                Put the box in; the fault ends by itself. If the box is in, check the contact.
                """))
    case .powerLow:
        part(
            "power_low", Fault.Traits(number: 11, line: .input(.powerLow), effect: .outOfService),
            EntryText(
                "the supply is low", id: "4b75a55e81764661bedb60247eee0de9", .error,
                """
                The contact "power_low" reports that the supply is failing. A lock may no longer
                follow, so the gate is out of service. The fault ends by itself when the supply
                recovers; after a dip shorter than "pass_wait" the gate resumes where it was.

                Check the mains, the power supply and the battery. A gate that runs on its
                battery will stop.
                """))
    case .edgesLost:
        part(
            "edges_lost", Fault.Traits(number: 12, effect: Fault.Effect.none),
            EntryText(
                "edges of the input lines were lost", id: "fa5bbbe7da3449f39de45f6ffc5bb764",
                .error,
                """
                Lines changed faster than they could be read, and the kernel dropped some of the
                changes. Coins and passages of that moment may be missing. The lines were read
                again, and the gate resumed from their levels.

                Look for an oscillating line, such as a loose wire or a sensor at its threshold,
                and for other processes that use much processor time.
                """))
    case .clockStepped:
        part(
            "clock_stepped", Fault.Traits(number: 13, effect: Fault.Effect.none),
            EntryText(
                "the system clock was set", id: "2c0e9347d6124f41a7942a34187bef84", .warning,
                """
                The time of day was set by more than a second. The gate measures time with another
                clock, so nothing is lost. The schedule follows the new time; entries before this
                one have the old time.

                Once after the start this is normal on a board without a clock battery. If it
                recurs, check that the time is synchronised over the network: "timedatectl".
                """))
    case .energisedTooLong(let output):
        part(
            "energised_too_long",
            Fault.Traits(number: 14, line: .output(output), rank: output.index, isLatching: nil),
            EntryText(
                "\(output.name) was energised for its maximum on-time",
                subject: "the output @TURNSTILE_LINE@ was energised for too long",
                id: "4e5c621e7a5645fe9e4e9f7aa2a605d9", .error,
                """
                It had been energised for its maximum on-time, and was cut to protect the device:
                a coil that is not rated for continuous duty burns out and can no longer open.

                A lock that was cut stays locked until the mechanic's key is turned. In an
                emergency it is driven again in turns, after each rest. A passenger may be
                inside: check first, then turn the mechanic's key. The lock is then driven again,
                and the passenger is let out before anything else happens. "on_time_warning"
                announced the cut.

                If the device is rated for longer, raise "max_on" in the configuration. For a
                lock, find out why it was held for so long. For the coin meter or the reject coil,
                check its driver and cable: coins are refused until the key is turned, since
                uncounted money could not be proved.
                """))
    case .line(let line, let failure): details(of: line, failure, part)
    case .storageFailed:
        part(
            "storage_failed", Fault.Traits(number: 18, effect: .refusesCoins),
            EntryText(
                "the ledger cannot be used", id: "7e779e64038943788404f4a20a203f9f", .error,
                """
                The ledger is not open yet, or cannot be written: its disk is full, failing or not
                answering, or its file is damaged, missing, of another gate, or not writable for
                the service. Coins are refused, since their records could be lost. Contacts and
                free directions still work, and credit is kept. Pending records wait in memory;
                the fault ends by itself once they are written.

                The service's entry before this one gives the cause. Free space ("df"), replace a
                card or disk that reports errors ("journalctl -k"), or decide about the file:
                docs/operations.md, "The ledger".
                """))
    case .vaultFull:
        part(
            "vault_full",
            Fault.Traits(number: 19, line: .input(.vaultFull), effect: .mayRefuseCoins),
            EntryText(
                "the coin vault is full", id: "b3d1772e66ae46c0a6ad8c8b08484482", .warning,
                """
                The level switch in the coin vault, "vault_full", is active. With the policy
                "vault_full: warn" coins are still taken, as long as there is room above the
                switch; with "refuse" they are refused until the vault is emptied. Contacts and
                free directions still work.

                Collect the coins; the fault ends by itself when the switch is at rest. If the
                vault is not full, look for a heap of coins under the chute, then check the
                switch.
                """))
    }
}

/// The same of a line that failed.
@inline(__always)
private func details<Part>(
    of line: Line, _ failure: LineFailure, _ part: Fault.Describer<Part>
) -> Part {
    switch (line, failure) {
    // An input that fails cannot be read: nothing else can happen to it.
    case (.input, _), (.output, .unreadable):
        part(
            "line_unreadable",
            Fault.Traits(number: 15, line: line, rank: line.index, isLatching: true),
            EntryText(
                "the line \(line) cannot be read",
                subject: "the line @TURNSTILE_LINE@ cannot be read",
                id: "5ed817d4ef1842dcb1e9a36175daec37", .error,
                """
                The kernel refuses to read the line. An entry next to this one gives the reason.
                An unreadable emergency loop counts as open: the gate stands open.

                Check the chip: an expander on a bus may have lost power or contact. When the line
                can be read again, wait for two seconds, then turn the mechanic's key; before, the
                key is refused. If the loop was unreadable, turn the emergency reset key after
                that; before, the reset is refused ("repair_first").
                """))
    case (.output(let output), .undrivable):
        part(
            "line_undrivable",
            Fault.Traits(number: 16, line: line, rank: output.index, isLatching: true),
            EntryText(
                "the line \(line) cannot be driven",
                subject: "the line @TURNSTILE_LINE@ cannot be driven",
                id: "ec4a73f2e5cd40ccac12842f2fbe6908", .error,
                """
                The kernel refused to set a line that it had set before. The device on the line
                may be in the wrong state. An entry next to this one gives the reason.

                Check the chip: an expander on a bus may have lost power or contact. When the line
                can be driven again, wait for two seconds, then turn the mechanic's key; before,
                the key is refused.
                """))
    case (.output(let output), .mismatch):
        part(
            "line_mismatch",
            Fault.Traits(number: 17, line: line, rank: output.index, isLatching: true),
            EntryText(
                "the line \(line) does not carry its commanded level",
                subject: "the line @TURNSTILE_LINE@ does not carry its level",
                id: "d8f8706fb9ec4904b029d9db11235695", .error,
                """
                The level read back differs from the level that was set. Something else drives the
                line: a short circuit, a damaged output, or another program.

                Repair it, wait for two seconds, then turn the mechanic's key; before, the key is
                refused.
                """))
    }
}

extension Fault {
    fileprivate typealias Describer<Part> =
        (_ name: String, Traits, _ text: @autoclosure () -> EntryText) -> Part

    /// How the gate treats a fault.
    fileprivate struct Traits {
        /// The number in the code. It is published and never changes: a new kind takes the next.
        let number: UInt8
        /// The line at fault.
        var line: Line?
        /// The position of the fault among those of its kind, from 0.
        var rank = 0
        /// The restriction; nil if the line determines it.
        var effect: Effect?
        /// Whether it lasts until the mechanic's key is turned; nil where that depends on whether
        /// it keeps the gate from anything.
        var isLatching: Bool? = false
    }

    /// The kind of a fault, without its line.
    struct Kind: Hashable, Sendable {
        let number: UInt8
        let name: String

        var code: String { "F\(number)" }
    }

    /// How a fault restricts operation.
    public enum Effect: Hashable, Sendable {
        /// Nothing.
        case none
        /// Taking coins, where ``Policy/vaultFull`` says so.
        case mayRefuseCoins
        /// Taking coins.
        case refusesCoins
        /// Letting people in, and taking coins.
        case outOfService
    }
}

extension Fault.Traits {
    /// A fault of an acceptor's line: its coins could not be counted.
    @inline(__always) fileprivate init(number: UInt8, of acceptor: Acceptor) {
        self.init(
            number: number, line: .input(acceptor.line), rank: acceptor.index,
            effect: .refusesCoins)
    }
}

extension Fault {
    var kind: Kind {
        details(of: self) { name, traits, _ in Kind(number: traits.number, name: name) }
    }

    /// The fault's name, which never changes: `external`, `line_mismatch`.
    public var name: String { details(of: self) { name, _, _ in name } }

    /// The fault's code, which never changes: `F1`. Faults of several lines share one, and say the
    /// ``line``.
    public var code: String { kind.code }

    /// The fault's code, with its line where there is one: `F5_lock_entry`. It never changes.
    public var identifier: String { code + (line.map { "_\($0)" } ?? "") }

    /// The line at fault, where the fault is one line's.
    public var line: Line? { details(of: self) { _, traits, _ in traits.line } }

    var sentence: String { text.sentence }

    /// The kind of the fault's entry.
    public var entryKind: EntryKind { text.kind("fault_\(name)", "Fault") }

    private var text: EntryText { details(of: self) { _, _, text in text() } }

    /// The restriction while the fault lasts.
    public var effect: Effect {
        if let effect = details(of: self, { _, traits, _ in traits.effect }) { return effect }
        return switch line {
        case .input(let input): input.entry.unreadable
        case .output(let output): output.entry.failing
        case nil: .none
        }
    }

    /// Whether the fault lasts until the mechanic's key is turned, though its cause is gone.
    public var isLatching: Bool {
        details(of: self) { _, traits, _ in traits.isLatching } ?? (effect != .none)
    }

    var rank: Int { details(of: self) { _, traits, _ in traits.rank } }

    /// The position of the fault in ``all``, from 0.
    var index: Int {
        details(of: self) { _, traits, _ in Kind.places[Int(traits.number)] + traits.rank }
    }
}

extension Fault.Effect {
    /// Whether coins are refused, given the policy for a full vault.
    func refusesCoins(_ vaultFull: VaultFullPolicy) -> Bool {
        switch self {
        case .none: false
        case .mayRefuseCoins: vaultFull == .refuse
        case .refusesCoins, .outOfService: true
        }
    }
}
