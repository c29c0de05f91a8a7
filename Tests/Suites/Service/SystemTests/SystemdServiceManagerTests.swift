import Glibc
import StateMachines
import System
import SystemFixtures
import Testing

@Suite struct SystemdServiceManagerTests {
    let systemd: Receiver
    let manager: SystemdServiceManager

    init() throws {
        systemd = try Receiver()
        manager = try SystemdServiceManager(
            socketPath: systemd.path, watchdogInterval: .seconds(2))
    }

    @Test(arguments: [
        (ServiceNotification.ready, "READY=1"),
        (.stopping, "STOPPING=1"),
        (.alive, "WATCHDOG=1"),
        (.status("locked, credit 50"), "STATUS=locked, credit 50"),
        (
            .reloading(at: Instant(nanoseconds: 12_345_678_999)),
            "RELOADING=1\nMONOTONIC_USEC=12345678"
        ),
        (.forget("inputs-1"), "FDSTOREREMOVE=1\nFDNAME=inputs-1"),
    ])
    func `each notification is one datagram`(notification: ServiceNotification, text: String) {
        manager.notify(notification)
        #expect(systemd.receiveTexts() == [text])
    }

    @Test func `a status is sent only when it says something new`() {
        for credit in [0, 0, 50, 0] { manager.notify(.status("credit \(credit)")) }
        let texts = [0, 50, 0].map { "STATUS=credit \($0)" }
        #expect(systemd.receiveTexts() == texts)
    }

    @Test func `a manager that does not read holds nobody up, and gets the latest at last`() {
        // More than any queue of the kernel's takes.
        let sent = 5_000
        for number in 1...sent { manager.notify(.status("credit \(number)")) }
        let received = systemd.receiveTexts()
        #expect(!received.isEmpty && received.count < sent)
        manager.notify(.alive)
        #expect(systemd.receiveTexts() == ["STATUS=credit \(sent)", "WATCHDOG=1"])
    }

    @Test func `a manager that was gone hears later what it missed`() throws {
        systemd.stop()
        manager.notify(.ready)
        manager.notify(.alive)
        try systemd.start()
        manager.notify(.alive)
        #expect(systemd.receiveTexts() == ["READY=1", "WATCHDOG=1"])
    }

    @Test func `what is to be kept comes with its descriptor, which stays open here`() throws {
        let pipe = try Pipe()
        manager.notify(.keep(pipe.writeEnd, as: "inputs-1"))
        let received = try #require(systemd.receiveWithDescriptor())
        #expect(received.text == "FDSTORE=1\nFDNAME=inputs-1")
        let kept = try #require(received.descriptor)
        defer { close(kept) }
        try expectSameFile(kept, pipe.writeEnd)
        #expect(kept != pipe.writeEnd)
        manager.notify(.alive)
        #expect(systemd.receiveWithDescriptor()?.descriptor == nil)
    }

    @Test func `all that is to be kept is sent, in order, also to a manager that was gone`() throws
    {
        let pipes = try [Pipe(), Pipe()]
        systemd.stop()
        manager.notify(.forget("a"))
        manager.notify(.keep(pipes[0].writeEnd, as: "a"))
        try systemd.start()
        manager.notify(.keep(pipes[1].writeEnd, as: "b"))
        #expect(
            systemd.receiveTexts() == [
                "FDSTOREREMOVE=1\nFDNAME=a", "FDSTORE=1\nFDNAME=a", "FDSTORE=1\nFDNAME=b",
            ])
    }

    @Test func `a descriptor that was closed by then keeps nothing else from being sent`() throws {
        manager.notify(.keep(-1, as: "a"))
        manager.notify(.ready)
        #expect(systemd.receiveTexts() == ["READY=1"])
    }

    /// Checks that two descriptors are open on the same.
    private func expectSameFile(_ one: CInt, _ other: CInt) throws {
        var (first, second) = (stat(), stat())
        // Sound: each call fills in the structure that it is given.
        let results = unsafe [fstat(one, &first), fstat(other, &second)]
        try #require(results == [0, 0])
        #expect(first.st_ino == second.st_ino && first.st_dev == second.st_dev)
    }

    @Test func `without a manager nothing is sent and nobody watches`() throws {
        let nobody = try SystemdServiceManager(socketPath: nil, watchdogInterval: nil)
        nobody.notify(.ready)
        #expect(nobody.watchdogInterval == nil)
    }

    @Test func `a socket path that is too long is an error`() {
        let path = "/" + String(repeating: "x", count: 108)
        let error = #expect(throws: SystemError.self) {
            try SystemdServiceManager(socketPath: path, watchdogInterval: nil)
        }
        #expect(error?.description == "socket for \(path): File name too long")
    }
}
