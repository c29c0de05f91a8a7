public import Foundation

/// A virtual board: a stock Debian kernel and a real systemd in QEMU, with a GPIO chip whose
/// inputs the test drives and whose outputs it reads.
///
/// A board is used from one task, one call at a time.
public final class Board {
    /// A running board that was written to disk: its memory, its devices and its disks.
    public struct Snapshot: Sendable {
        let directory: URL
    }

    /// What the board runs.
    public let debian: Debian
    private let directory: URL
    private let state: StateDisk
    private var snapshot: Snapshot?
    private var machine: Machine?

    private init(_ debian: Debian, from snapshot: Snapshot?) async throws {
        self.debian = debian
        self.snapshot = snapshot
        directory = debian.work.appending(path: "boards/\(UUID())")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        state = StateDisk(in: directory)
        // Copies of its own: sparse, 0.2 s.
        try await Host.copy(
            snapshot?.disk ?? debian.work.appending(path: "rootfs.ext4"), to: disk)
        try await Host.copy(
            snapshot?.state ?? debian.work.appending(path: "state.ext4"), to: state.medium)
    }

    /// Gives `body` a board that is up: resumed from `snapshot` (0.7 s), or booted (10 to 20 s).
    /// Waits while as many boards are in use as the host has room for; less long if `isUrgent`.
    /// Nothing of the board is left afterwards.
    public static nonisolated(nonsending) func with<Result>(
        _ debian: Debian, from snapshot: Snapshot? = nil, isUrgent: Bool = false,
        _ body: nonisolated(nonsending) (Board) async throws -> Result
    ) async throws -> Result {
        await Slot.shared.take(isUrgent: isUrgent)
        let outcome: Swift.Result<Result, any Error>
        do {
            let board = try await Board(debian, from: snapshot)
            do {
                try await board.boot()
                outcome = .success(try await body(board))
            } catch {
                outcome = .failure(error)
            }
            await board.kill()
            try? FileManager.default.removeItem(at: board.directory)
        } catch {
            outcome = .failure(error)
        }
        await Slot.shared.leave()
        return try outcome.get()
    }

    /// Switches a board on whose power was cut or that has switched itself off: same disk.
    public nonisolated(nonsending) func boot() async throws {
        precondition(machine == nil, "the board is on")
        try await state.attach()
        let machine = try await Machine(arguments, in: directory)
        self.machine = machine
        do {
            try await machine.limit(.seconds(180)) {
                try await machine.monitor.start()
                if let snapshot {
                    try await resume(snapshot, on: machine)
                } else {
                    try await machine.agent.awaitStart()
                }
            }
        } catch {
            let tail = try? String(contentsOf: console, encoding: .utf8).suffix(3000)
            throw BoardError("the board did not start: \(error)\n\(tail ?? "")")
        }
        snapshot = nil  // the next boot is a real one
    }

    /// Pulls the plug. What the board's kernel still held in memory is lost. What it had written to
    /// the root disk is there; of the state disk, only what it had flushed as well. With
    /// `recording`, a directory, all that the state disk may have kept instead can be made of what
    /// is there then.
    public nonisolated(nonsending) func powerCut(recording: URL? = nil) async throws {
        let machine = try running()
        // What is on its way to the log gets there, so that it has no gaps. QEMU flushes all disks
        // then, which is too late.
        let end = try state.logEnd
        try? await machine.limit(.seconds(20)) { try await machine.monitor.execute("stop") }
        await kill()
        try state.endLog(at: end)
        if let recording { try await state.record(to: recording) }
        try state.losePower()
    }

    private nonisolated(nonsending) func kill() async {
        await machine?.kill()
        machine = nil
    }

    /// Has systemd shut the board down, and waits until it is off.
    public nonisolated(nonsending) func powerOff() async throws {
        let machine = try running()
        try machine.agent.send("RUN", ["10000"], payload: Data("systemctl poweroff".utf8))
        try await machine.limit(.seconds(120)) { await machine.agent.awaitEnd() }
        try await powerCut()
    }

    /// Writes the running board to disk under this name, for boards that resume from that
    /// instant; this one is off afterwards.
    public nonisolated(nonsending) func save(as name: String) async throws -> Snapshot {
        let machine = try running()
        let snapshot = Snapshot(directory: debian.work.appending(path: "snapshots/\(name)"))
        try? FileManager.default.removeItem(at: snapshot.directory)
        try FileManager.default.createDirectory(
            at: snapshot.directory, withIntermediateDirectories: true)
        try await check("sync")
        try await machine.limit(.seconds(120)) {
            try await machine.monitor.execute("stop")
            try await machine.monitor.execute(
                "migrate", ["uri": .text("exec:cat >'\(snapshot.memory.path)'")])
            try await machine.monitor.awaitMigration()
        }
        try await Host.copy(disk, to: snapshot.disk)
        try await Host.copy(state.live, to: snapshot.state)
        await kill()
        return snapshot
    }

    private nonisolated(nonsending) func resume(
        _ snapshot: Snapshot, on machine: Machine
    ) async throws {
        try await machine.monitor.execute(
            "migrate-incoming", ["uri": .text("exec:cat '\(snapshot.memory.path)'")])
        try await machine.monitor.awaitMigration()
        try await machine.monitor.execute("cont")
        _ = try await machine.agent.call("PING")
    }

    /// Asks the agent, and fails if the board has not answered by `limit` of the host's time.
    nonisolated(nonsending) func call(
        _ verb: String, _ arguments: [String] = [], payload: Data = Data(),
        within limit: Duration = .seconds(60)
    ) async throws -> Agent.Reply {
        let machine = try running()
        return try await machine.limit(limit) {
            try await machine.agent.call(verb, arguments, payload: payload)
        }
    }

    private func running() throws -> Machine {
        guard let machine else { throw BoardError("the board is off") }
        return machine
    }

    private var disk: URL { directory.appending(path: "disk.ext4") }

    private var console: URL { directory.appending(path: "console.log") }

    /// QEMU's command line. KVM hangs on some hosts, so the processor is emulated. Time on the
    /// board is counted in instructions, 2 ns each, which is the pace of a small board, so that
    /// latencies and pulse widths do not depend on how busy the host is; idle time passes as it
    /// does for the host.
    private var arguments: [String] {
        [
            "qemu-system-x86_64", "-M", "q35", "-accel", "tcg,tb-size=256",
            "-icount", "shift=1,sleep=on", "-cpu", "qemu64,+rdrand", "-smp", "1", "-m", "512",
            "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
            "-kernel", debian.work.appending(path: "vmlinux").path,
            "-initrd", debian.work.appending(path: "initrd").path,
            "-append", Self.kernelCommandLine, "-serial", "file:\(console.path)",
            // The guest sees a disk with a volatile cache and sends flushes as it would on
            // hardware; QEMU ignores them, and what it was given survives its own end. The disk
            // that loses what was not flushed is the other one.
            "-drive", "file=\(disk.path),if=none,id=disk,format=raw,cache=unsafe,aio=threads",
            "-device", "virtio-blk-pci,drive=disk",
        ] + state.arguments + (snapshot == nil ? [] : ["-incoming", "defer"])
    }

    /// What a kernel need not do on a machine that exists for two minutes; each was measured.
    private static let kernelCommandLine = """
        console=ttyS0 quiet loglevel=4 panic=-1 reboot=t root=/dev/vda rw mitigations=off nokaslr \
        random.trust_cpu=on tsc=reliable audit=0 lsm=landlock,yama,bpf init_on_alloc=0 ima=off \
        rcupdate.rcu_expedited=1 systemd.show_status=0 systemd.getty_auto=no
        """
}

extension Board.Snapshot {
    var memory: URL { directory.appending(path: "memory") }
    var disk: URL { directory.appending(path: "disk.ext4") }
    var state: URL { directory.appending(path: "state.ext4") }
}
