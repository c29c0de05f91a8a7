import Testing
import VirtualBoard

/// Where the disk is mounted.
private let folder = "/var/lib/turnstiled"

/// The way out needs the lines and nothing else: whatever became of the disk that the ledger is on,
/// the gate starts, opens in a fire, is made safe after its end, takes no coins and says why.
@Suite(.onBoards)
struct MissingDiskStories {
    /// What has become of the disk.
    enum Trouble: CaseIterable, Sendable {
        /// A regular file has the folder's name.
        case file
        /// It is not there, and /etc/fstab does not say that the board can do without.
        case missing
        /// Its file system is damaged, so that it does not mount.
        case damaged
        /// It is mounted read-only.
        case readOnly

        /// Shell commands that do it, while no service runs.
        var script: String {
            switch self {
            case .file:
                "umount \(folder); rmdir \(folder); echo nothing >\(folder)"
            case .missing:
                Self.fstab("/dev/disk/by-label/none", "defaults,x-systemd.device-timeout=2s")
            case .damaged:
                """
                umount \(folder)
                dd if=/dev/zero of=/dev/vdb bs=4k count=1 conv=fsync status=none
                \(Self.fstab("/dev/vdb", "defaults,nofail"))
                """
            case .readOnly: Self.fstab("/dev/vdb", "ro,nofail")
            }
        }

        private static func fstab(_ device: String, _ options: String) -> String {
            """
            touch /etc/board/no-state-disk
            echo '\(device) \(folder) ext4 \(options) 0 0' >/etc/fstab
            """
        }

        /// Whether it shows with the next boot.
        var needsBoot: Bool { self != .file }

        /// Whether the gate can know what was before.
        var leavesState: Bool { self == .file || self == .readOnly }

        /// What is told of it.
        var cause: String {
            switch self {
            case .file: "\(folder) is no folder"
            case .missing, .damaged: "the disk of \(folder) is not mounted"
            case .readOnly: "its file system is read-only"
            }
        }
    }

    @Test(
        "the ledger's disk is not as it should be: fire opens, coins are refused, and why",
        arguments: Debian.selected.filter { $0 == .trixie }, Trouble.allCases)
    func trouble(on debian: Debian, _ trouble: Trouble) async throws {
        try await Board.withService(debian) { board in
            let mark = try await board.journalMark()
            try await board.check(
                """
                systemctl enable turnstiled; systemctl stop turnstiled
                \(trouble.script)
                """)
            if trouble.needsBoot {
                try await board.check("journalctl --sync; sync")
                try await board.powerCut()
                try await board.boot()
            } else {
                try await board.check("systemctl start turnstiled")
            }
            try await board.event("fault_storage_failed", since: mark)
            let failure = try await board.event("store_failed", since: mark)
            #expect(failure.message.contains(trouble.cause))
            if !trouble.leavesState {
                let complaint = try await board.event("state_unreadable", since: mark)
                #expect(complaint.message.contains(trouble.cause))
                // Nobody knows whether there is an emergency.
                try await board.wait(for: .lockEntry, .high)
                try await board.putIntoService()
            }
            try await board.wait(for: .lockEntry, .low)
            let status = try await board.status()
            #expect(status == "locked, coins refused (F18 storage_failed)")
            if trouble == .missing {
                let mode = try await board.run("systemctl is-active emergency.target")
                #expect(mode.output == "active\n")
            }
            try await expectDoctor(on: board, trouble)

            // Who needs no money goes in, and everybody goes out.
            try await board.tap(.releaseEntry)
            try await board.turnRotor()
            try await board.event("passage_completed", since: mark)
            try await board.wait(for: .lockEntry, .low)
            try await board.edge(.fire, .high, brings: .lockEntry, .high)

            // Whatever its end, it is safe by what runs after it.
            let killed = try await board.journalMark()
            try await board.signal("KILL")
            try await board.event("emergency_recovered", since: killed)
            try await board.wait(for: .lockEntry, .high)
            try await board.check("systemctl stop turnstiled")
            // systemd tells of one that fails.
            let ends = try await board.journal(after: killed, "_PID=1", "UNIT=turnstiled.service")
            #expect(ends.contains { $0["COMMAND"] == "ExecStart" })
            #expect(!ends.contains { $0["COMMAND"] == "ExecStopPost" }, "\(ends.map(\.message))")
            let energised = try await board.energised()
            #expect(energised == [])
        }
    }

    private nonisolated(nonsending) func expectDoctor(
        on board: Board, _ trouble: Trouble
    ) async throws {
        let report = try await board.run("turnstilectl doctor").output
        #expect(report.contains(trouble.cause), "\(report)")
    }

    @Test(
        "a disk that is mounted later: no second ledger was begun, and coins are taken at once",
        arguments: Debian.selected.filter { $0 == .trixie })
    func mountedLater(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.insertCoins(2)
            let mark = try await board.journalMark()
            try await board.check(
                """
                systemctl stop turnstiled
                umount \(folder); systemd-tmpfiles --create turnstiled.conf
                echo '/dev/vdb \(folder) ext4 noauto 0 0' >/etc/fstab
                systemctl daemon-reload; systemctl start turnstiled
                """)
            try await board.event("fault_storage_failed", since: mark)
            let files = try await board.check("find \(folder) -name 'ledger*' -o -name state")
            #expect(files == "")
            try await board.check("mount \(folder)")
            try await board.event("fault_cleared", since: mark)
            try await board.wait(for: .coinEnable, .high)
            try await board.insertCoins(3)
            try await board.event("released", since: mark, "AUTHORISATION=credit")
            let telling = try await board.telling(since: mark)
            #expect(!telling.contains { $0.hasPrefix("ledger_begun") }, "\(telling)")
        }
    }
}
