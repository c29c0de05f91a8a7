import Testing
import VirtualBoard

/// What can go wrong with lines.
@Suite(.onBoards)
struct LineTroubleStories {
    @Test(
        "a line in use: the error names its holder, and the gate works once it is free",
        arguments: Debian.each)
    func heldLine(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let hold = debian == .bookworm ? "gpiomon board-sim 0" : "gpiomon COIN"
            try await board.check(
                "systemctl stop turnstiled; systemd-run --quiet --unit=holder \(hold)")
            let mark = try await board.journalMark()
            try await board.check("systemctl start --no-block turnstiled")
            let failure = try await board.entry(
                after: mark, "TURNSTILE_EVENT=hardware_not_ready")
            #expect(failure.message.contains(#"is held by "gpiomon""#))
            #expect(failure.message.contains("COIN"))
            try await board.check("systemctl stop holder")
            let start = try await board.entry(after: mark, "TURNSTILE_EVENT=started")
            // It is the same process that waited.
            #expect(start["_PID"] == failure["_PID"])
        }
    }

    @Test(
        "more edges than the kernel holds: reported, or declared unseen at the start",
        arguments: Debian.each)
    func burst(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let declared = try await board.journal("TURNSTILE_EVENT=lost_edges_go_unseen")
            #expect(declared.isEmpty == debian.detectsLostEdges)
            let mark = try await board.journalMark()
            // The service does not read while it is stopped, for less than the watchdog's time.
            try await board.signal("SIGSTOP")
            try await board.play((0..<3000).map { Board.Move(.coin, $0 % 2 == 0 ? .high : .low) })
            try await board.signal("SIGCONT")
            if debian.detectsLostEdges {
                let fault = try await board.entry(
                    after: mark, "TURNSTILE_EVENT=fault_edges_lost")
                #expect(fault.fault == "edges_lost")
            }
            // It works on.
            try await board.press(.serviceKey)
            try await board.edge(.fire, .high, brings: .lockEntry, .high)
            let state = try await board.property("NRestarts")
            #expect(state == "0")
        }
    }

    @Test(
        "the chip is lost while in use: the service says so and ends, and is back with the chip",
        arguments: Debian.selected)
    func lostChip(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let mark = try await board.journalMark()
            let driver = "/sys/bus/platform/drivers/gpio-sim"
            try await board.check("echo gpio-sim.0 >\(driver)/unbind")
            let failure = try await board.event("hardware_failed", since: mark)
            #expect(failure.message.contains("No such device"))
            let exit = try await board.entry(
                after: mark, "_PID=1", "UNIT=turnstiled.service", "COMMAND=ExecStart")
            if debian == .bookworm {
                // libgpiod 1.6 does not hear of it, but no line can be read any more: an emergency
                // first, then the end.
                try await board.event("fault_line_unreadable", since: mark, "LINE=fire")
                try await board.event("emergency_started", since: mark)
            }
            #expect(exit["EXIT_STATUS"] == "74")
            try await board.event("hardware_not_ready", since: mark)
            try await board.check("echo gpio-sim.0 >\(driver)/bind")
            try await board.event("started", since: mark)
            // The files of the lines are others now; all that is driven is what accepts coins, or
            // what lets everybody out: the emergency waits for its reset.
            let expected: BoardLine = debian == .bookworm ? .lockEntry : .coinEnable
            let driven = try await board.check(
                "cd /sys/devices/platform/gpio-sim.0/gpiochip*; grep -l 1 sim_gpio*/value")
            #expect(driven == "sim_gpio\(expected.rawValue)/value\n")
        }
    }
}
