import Testing
import VirtualBoard

/// Settings that name lines which are not there, and a chip that comes later.
@Suite(.onBoards)
struct WiringStories {
    /// A change of the settings after which there is no such line, and what is said of it.
    private static let mistakes: [(old: String, new: String, place: String, text: String)] = [
        (
            "line: ALARM", "line: 99", "hardware.outputs.alarm.line: ",
            "has no line 99: its lines are 0 to 37"
        ),
        ("line: ALARM", "line: ALRAM", "hardware.outputs.alarm.line: ", "did you mean \"ALARM\"?"),
        (
            "line: ALARM", "line: '25'", "hardware.outputs.alarm.line: ",
            "line 25 is written without quotes: 25"
        ),
        (
            "label: board-sim", "label: bord-sim", "hardware.chip.label: ",
            "did you mean \"board-sim\"?"
        ),
    ]

    @Test(
        "a line that does not exist is told by the check, and ends the start for good",
        arguments: Debian.each)
    func missing(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            for mistake in Self.mistakes {
                try await board.changeSettings([mistake.old: mistake.new])
                // The service still has the lines that are right.
                let check = try await board.run("turnstiled --check-config 2>&1")
                #expect(check.status == 78)
                #expect(check.output.contains(": \(mistake.place)"), "\(check.output)")
                #expect(check.output.contains(mistake.text), "\(check.output)")
                let start = try await board.run(
                    "systemctl restart turnstiled", within: .seconds(60))
                #expect(start.status != 0)
                let state = try await board.property("ActiveState")
                let status = try await board.property("ExecMainStatus")
                let restarts = try await board.property("NRestarts")
                #expect(state == "failed" && status == "78" && restarts == "0", "\(mistake)")
                try await board.changeSettings([:])
                try await board.check("systemctl start turnstiled")
            }
        }
    }

    @Test("a line that somebody else has is told by the check", arguments: Debian.each)
    func taken(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            let good = try await board.check("turnstiled --check-config")
            #expect(good.hasSuffix("/turnstiled.yaml: good\n"))
            #expect(!good.contains("nobody looked"), "\(good)")
            // The same without a right to look.
            let unseen = try await board.check(
                "runuser --user nobody -- turnstiled --check-config")
            #expect(unseen.contains("the lines were not checked completely: "), "\(unseen)")
            let quiet = try await board.check("turnstiled --check-config --quiet")
            #expect(quiet == "")
            try await board.check(
                """
                systemctl stop turnstiled
                systemd-run --quiet --unit=thief gpiomon \\
                    $(gpioinfo --version | grep -q 'v1' && gpiofind ALARM || echo ALARM)
                until gpioinfo | grep ALARM | grep -q gpiomon; do sleep 0.1; done
                """)
            let check = try await board.run("turnstiled --check-config 2>&1")
            #expect(check.status == 78)
            #expect(check.output.contains("(gpiochip0/25) is held by \"gpiomon"), "\(check.output)")
        }
    }

    @Test("a chip that comes late is waited for", arguments: Debian.selected)
    func late(on debian: Debian) async throws {
        try await Board.withService(debian) { board in
            try await board.check("systemctl stop turnstiled")
            try await board.changeSettings(["label: board-sim": "label: late-sim"])
            let mark = try await board.journalMark()
            try await board.check("systemctl start --no-block turnstiled")
            let complaint = try await board.entry(
                after: mark, "TURNSTILE_EVENT=hardware_not_ready")
            #expect(complaint.message.contains("no GPIO chip is labelled \"late-sim\""))
            try await board.check(
                """
                set -e
                sleep 5
                mount -t configfs configfs /sys/kernel/config
                chip=/sys/kernel/config/gpio-sim/late; mkdir $chip $chip/bank0
                {
                    read -r number label
                    echo "$number" >$chip/bank0/num_lines
                    while read -r offset name; do
                        mkdir $chip/bank0/line$offset
                        echo "$name" >$chip/bank0/line$offset/name
                    done
                } </etc/board/lines
                echo late-sim >$chip/bank0/label
                echo 1 >$chip/live
                """)
            _ = try await board.entry(after: mark, "TURNSTILE_EVENT=started")
            let restarts = try await board.property("NRestarts")
            #expect(restarts == "0")
        }
    }
}
