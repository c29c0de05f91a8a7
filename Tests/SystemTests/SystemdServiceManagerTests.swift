import StateMachines
import System
import Testing
import Turnstile

@Suite struct SystemdServiceManagerTests {
    let systemd: Receiver
    let manager: SystemdServiceManager

    private static func locked(credit: Int) -> Status {
        Status(state: .locked, credit: credit, soundsAlarm: false)
    }

    init() throws {
        systemd = try Receiver()
        manager = try SystemdServiceManager(
            socketPath: systemd.path, watchdogInterval: .seconds(2))
    }

    @Test(arguments: [
        (ServiceNotification.ready, "READY=1"),
        (.stopping, "STOPPING=1"),
        (.alive, "WATCHDOG=1"),
        (.status(Self.locked(credit: 50)), "STATUS=locked, credit 50"),
        (
            .reloading(at: Instant(nanoseconds: 12_345_678_999)),
            "RELOADING=1\nMONOTONIC_USEC=12345678"
        ),
    ])
    func `each notification is one datagram`(notification: ServiceNotification, text: String) {
        manager.notify(notification)
        #expect(systemd.receiveTexts() == [text])
    }

    @Test func `a status is sent only when it says something new`() {
        for credit in [0, 0, 50, 0] { manager.notify(.status(Self.locked(credit: credit))) }
        #expect(
            systemd.receiveTexts() == [
                "STATUS=locked", "STATUS=locked, credit 50", "STATUS=locked",
            ]
        )
    }

    @Test func `a manager that does not read holds nobody up, and gets the latest at last`() {
        // More than any queue of the kernel's takes.
        let sent = 5_000
        for number in 1...sent { manager.notify(.status(Self.locked(credit: number))) }
        let received = systemd.receiveTexts()
        #expect(!received.isEmpty && received.count < sent)
        manager.notify(.alive)
        #expect(systemd.receiveTexts() == ["STATUS=locked, credit \(sent)", "WATCHDOG=1"])
    }

    @Test func `a manager that was gone hears later what it missed`() throws {
        systemd.stop()
        manager.notify(.ready)
        manager.notify(.alive)
        try systemd.start()
        manager.notify(.alive)
        #expect(systemd.receiveTexts() == ["READY=1", "WATCHDOG=1"])
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
