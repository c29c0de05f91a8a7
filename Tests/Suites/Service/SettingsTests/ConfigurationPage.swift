@testable import Settings

/// docs/configuration.md, written from the schema.
struct ConfigurationPage {
    /// The page.
    private(set) var text = Self.opening

    /// The page of all keys.
    init() {
        for section in Schema.root.entries { write(section, place: section.name) }
        text += Self.agreement
        text += Self.table
        text += Self.warnings
        for kind in WarningKind.allCases { text += item(kind.explanation) }
        text += Self.closing
    }

    /// Writes a section and those in it.
    private mutating func write(_ section: SchemaEntry, place: String) {
        let entries = section.entries
        text += "\n## `\(place)`\n\n\(sentence(section.summary))\n"
        if case .list(_, let limit) = section.form {
            text += "\nA list of 1 to \(limit) entries with these keys:\n"
        }
        let values = entries.filter { !$0.isSection }
        if !values.isEmpty { writeTable(of: values) }
        let likenesses = entries.filter { $0.repeats(section) }
        if !likenesses.isEmpty { writeLikenesses(likenesses, place: place) }
        for entry in entries where entry.isSection && !entry.repeats(section) {
            let place = "\(place).\(entry.name)"
            if entry.isGroup { writeRoles(entry, place: place) } else { write(entry, place: place) }
        }
    }

    /// Writes the keys of one section.
    private mutating func writeTable(of entries: [SchemaEntry]) {
        text += "\n| key | what it says | allowed | default |\n|---|---|---|---|\n"
        for entry in entries {
            text += row("`\(entry.name)`", entry.summary, entry.allowed, entry.shownFallback)
        }
    }

    /// Writes sections with keys of the one that they are in, which differ by their defaults alone.
    private mutating func writeLikenesses(_ sections: [SchemaEntry], place: String) {
        text += "\n## \(list(sections.map { "\(place).\($0.name)" }))\n\n"
        for section in sections {
            text += "- `\(place).\(section.name)` is \(section.summary).\n"
        }
        text += "\nEach takes these keys:\n\n| key | what it says | default |\n|---|---|---|\n"
        let tables = sections.map { section in
            section.entries.map { row("`\($0.name)`", "as in `\(place)`", $0.shownFallback) }
                .joined()
        }
        precondition(Set(tables).count == 1, "one table is right for all")
        text += tables[0]
    }

    /// Writes a section of roles, which have keys of the same names: the roles, then their keys.
    private mutating func writeRoles(_ section: SchemaEntry, place: String) {
        text += "\n## `\(place)`\n\n\(sentence(section.summary))\n"
        text += "\n| role | what it is | needed |\n|---|---|---|\n"
        for role in section.entries { text += row("`\(role.name)`", role.summary, role.fallback) }

        text += "\n| key of a role | what it says | allowed | default |\n|---|---|---|---|\n"
        var names: [String] = []
        for key in section.entries.flatMap(\.entries) where !names.contains(key.name) {
            names.append(key.name)
        }
        for name in names {
            let keys = section.entries.compactMap { role in
                role.entries.first { $0.name == name }.map { (role: role.name, key: $0) }
            }
            let others = section.entries.map(\.name).filter { role in
                !keys.contains { $0.role == role }
            }
            let roles =
                if others.isEmpty { "" } else if others.count < keys.count {
                    " (not \(list(others)))"
                } else {
                    " (\(list(keys.map(\.role))))"
                }
            text += row(
                "`\(name)`\(roles)", keys[0].key.summary,
                merged(keys.map { ($0.role, $0.key.allowed) }),
                merged(keys.map { ($0.role, $0.key.shownFallback) }))
        }
    }

    /// What roles say of one key: once where all agree, and else by role, the most common first.
    private func merged(_ said: [(role: String, text: String)]) -> String {
        let byText = Dictionary(grouping: said, by: \.text)
        let order = byText.keys.sorted {
            (-byText[$0]!.count, $0) < (-byText[$1]!.count, $1)
        }
        guard let common = order.first else { return "" }
        let others = order.dropFirst().map { text in
            "\(list(byText[text]!.map(\.role))): \(text)"
        }
        return ([common] + others).joined(separator: "; ")
    }

    /// The names as code.
    private func list(_ names: [String]) -> String {
        names.map { "`\($0)`" }.joined(separator: ", ")
    }

    private func row(_ cells: String...) -> String { "| \(cells.joined(separator: " | ")) |\n" }

    /// An item of a list, in lines of at most 100 columns.
    private func item(_ sentence: String) -> String {
        var lines = ["-"]
        for word in sentence.split(separator: " ") {
            if lines[lines.count - 1].count + word.count < 100 {
                lines[lines.count - 1] += " \(word)"
            } else {
                lines.append("  \(word)")
            }
        }
        return "\n" + lines.joined(separator: "\n")
    }

    /// A clause as a sentence.
    private func sentence(_ clause: String) -> String {
        clause.prefix(1).uppercased() + clause.dropFirst() + "."
    }

    private static let opening = """
        # The configuration

        One file holds the settings of one gate: `/etc/turnstiled/turnstiled.yaml`. The project
        comes with three: [turnstiled.yaml](../config/turnstiled.yaml) states every key and its
        default, [two-way.yaml](../config/two-way.yaml) is a gate with everything, and
        [raspberry-pi.yaml](../config/raspberry-pi.yaml) has real pins and notes for the installer.

        `turnstiled --check-config FILE` reads a file and changes nothing. It reports all that is
        wrong with it at once, in the order of the file, each with its line and column, and exits
        with status 78; the service does so too, and does not start. Nothing is guessed and nothing
        is skipped: an unknown key is an error, and so is a duplicate. On a machine with GPIO chips
        it [checks the lines as well](#the-wiring-as-a-table).

        A reload applies most changes. Those in `gate`, `ledger`, `trace` and `hardware` need a
        restart: with one of them the whole reload is refused. `turnstilectl settings diff` shows
        in advance which ones they are.

        - A **duration** is a whole number and its unit, without a space: `250ms`, `5s`, `1min`,
          `1h`, `30d`.
        - A **size** is a whole number of `MB` (a million bytes) or `GB`: `500MB`, `2GB`.
        - An **amount** is a whole number of minor units of the currency: `150` is 1.50.
        - A **line** is the name that `gpioinfo` shows, or its offset as a number without quotes.
        - A **time of day** is hours and minutes in two digits each, `06:30`, by the local clock;
          `24:00` is the end of a day.
        - A flag is `true` or `false`; `yes`, `on` and the like are refused.
        - The file is a regular one, or a link to one: a FIFO, a device or a folder is refused at
          once.
        - It is YAML in UTF-8, of at most 64 KiB and one document. Anchors, aliases and tags
          are refused: what the file says of a gate must stand where one looks for it.

        """

    private static let agreement = """

        ## What keys must agree on

        - A line has one role. Where one role has it by name and another by offset, that shows only
          on the machine with the chip: in `--check-config` there, or at the start.
        - There is one pair of sensors: `rotor_a` and `rotor_b`, or `beam_a` and `beam_b`.
        - Where `modes.entry` or an entry of the schedule is `controlled`, there must be a
          way to get in: `coin_pulse` or `release_entry` is wired. Where `lock_exit` is wired and
          exit is controlled, `release_exit` is.
        - An entry of `schedule` must apply at some time: later ones may not overrule it always.
        - `coin_pulse` and `coin_inhibit` come together, and then `fare.price` and `coin.unit`, or
          `coin.values`, must be stated. `coin_pulse_2`, `coin_pulse_3`, `coin_jam`, `coin_reject`
          and `coin_meter` need `coin_pulse`.
        - An acceptor has a `unit` or `values`. Its `stuck_after` is longer than twice its
          `pulse_width`, and the debounce of its line shorter than half its `pulse_width`.
        - No coin, and with `unit` no pulse, pays for more than 50 passages.
        - Where `coin_meter` is wired, every coin, and with `unit` every pulse, is worth 1 to 1,000
          whole `coin.meter_unit`.
        - `coin_reject` needs `coin_while_unlocked: reject` or `coin_jam`.
        - `fire_reset: manual` needs `emergency_reset_key`; `forced_passage: latch` needs
          `service_key`; `enforcement: weak` needs `buzzer`.
        - `lock_exit_hold` and `lock_feedback_exit` need `lock_exit`. The debounce of a lock's
          feedback is shorter than `mechanism.lock_response`.
        - A broken wire of the loop `fire` must read as an emergency: the bias must pull the line to
          the level that is active. `disabled` and `as_is` leave that to a resistor outside.
        - A fail-safe lock is energised all the time that the gate is locked, so it must be
          `duty: continuous`. A fail-secure one is energised while a person may pass: unless it is
          `duty: continuous`, its `max_on` is longer than `passage.pass_wait`, and its direction is
          never `free`. In a pull-and-hold lock this applies to `lock_entry_hold` or
          `lock_exit_hold`; the lock's own `max_on` must exceed `mechanism.lock_pull`.
        - A lock's `emergency_on` is not longer than its `max_on`.
        - A fail-safe `drop_arm` is energised all the time that the arm is up, so it must be
          `duty: continuous`.
        - `duty: continuous` and `max_on` exclude each other.
        - The `max_on` of an intermittent `alarm` is longer than `alarm.alarm_hold`, and
          `forced_passage` is not `latch`; where enforcement is weak, the same holds for `buzzer`.
        - The `max_on` of `coin_reject`, `count_pulse` and `coin_meter` is longer than
          `mechanism.count_pulse`.

        """

    /// The table of a wiring, by the example that has real pins.
    private static var table: String {
        let path = "config/raspberry-pi.yaml"
        let settings = try? Settings.load(path: Project.folder + path)
        return """

            ## The wiring as a table

            `--check-config` shows the wiring. Of each input: at which level it is active, and what
            it reads when its wire is cut. Of each output: at which level it is energised, which
            level is safe, what happens without power, and how long it is energised at most. For
            [raspberry-pi.yaml](../\(path)):

            ```
            \(settings.map { "\(WiringTable($0))" } ?? "")```

            On a machine with GPIO chips, it also checks that each chip and line exists, and that no
            other program and no driver of the kernel holds a line; the service may. It requests
            none of them. A missing one is an error like those in the file, with its place and what
            was probably meant:

            ```
            gate.yaml:12:20: hardware.inputs.fire.line: no line of gpiochip0 "board" is named \
            "FIER" (did you mean "FIRE"?)
            ```

            Without any chip, or where it may not open them, it says that the lines were not
            checked. With `--simulate` it does not check them, for settings of another machine. With
            `--quiet` it prints errors only, as it does before each reload.

            """
    }

    private static let warnings = """

        ## Warnings

        What is allowed and rarely meant gets a warning with its place. `turnstiled --check-config`
        says `FILE:LINE:COLUMN: warning: …` on standard error and exits with 0; the service starts,
        and writes each into the journal (`configuration_warning`), as it does with each reload.
        These are all the warnings:

        """

    private static let closing = """


        There is no warning for `stop`, `fault_ext`, `power_low` and `coin_jam`. By default they
        close to report, so a cut wire goes unnoticed. Wired the other way, a cut wire blocks the
        gate or its coins. For one that must be heard, fit a contact that opens, and write
        `active_low: false` with `pull_up`. With `as_is` and `disabled` a resistor outside decides,
        and there is no warning about cut wires either.

        This page is written from the same schema that reads the file:
        `UPDATE_GENERATED=1 swift test --filter ConfigurationPageTests` writes it anew.

        """
}

extension SchemaEntry {
    /// Whether it holds keys.
    fileprivate var isSection: Bool { !entries.isEmpty }

    /// Whether all that it holds are keys of the section that it is in, which say the same there.
    fileprivate func repeats(_ section: SchemaEntry) -> Bool {
        isSection
            && entries.allSatisfy { key in
                section.entries.contains {
                    !$0.isSection
                        && ($0.name, $0.summary, $0.allowed) == (key.name, key.summary, key.allowed)
                }
            }
    }

    /// Whether it holds sections alone: a section of roles.
    fileprivate var isGroup: Bool { isSection && entries.allSatisfy(\.isSection) }

    /// What is allowed, as the page says it.
    fileprivate var allowed: String {
        switch form {
        case .value(let allowed, _): allowed
        case .values(let allowed, _): "\(allowed); or a list of these"
        case .table(let allowed, _, _): allowed
        case .section, .list: "as `hardware.chip`"
        }
    }

    /// What stands where the key is left out, as the page says it: a default as code.
    fileprivate var shownFallback: String { hasDefault ? "`\(fallback)`" : fallback }
}
