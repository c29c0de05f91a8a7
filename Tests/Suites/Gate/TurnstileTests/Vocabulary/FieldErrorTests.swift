import Testing

@testable import Turnstile

/// What makes no value is refused, and it is said what is wrong, where, and what is allowed.
@Suite struct FieldErrorTests {
    private func error(_ name: String, _ fields: [Fields.Field], version: Int = 1) -> String {
        do throws(FieldError) {
            return "\(try Record(name, Fields(fields), version: version))"
        } catch {
            return error.description
        }
    }

    private static let coin: [Fields.Field] = [
        .init(.value, .integer(100)), .init(.pulses, .integer(2)), .init(.acceptor, .integer(2)),
        .init(.line, .text("coin_pulse_2")),
    ]

    @Test func `a name that no record has`() {
        #expect(error("coin_acepted", Self.coin).hasPrefix("'coin_acepted' is not one of started,"))
        #expect(error("coin_acepted", []).hasSuffix("did you mean 'coin_accepted'?"))
    }

    @Test func `a field that is missing, or one too many`() {
        #expect(
            error("coin_accepted", Array(Self.coin.dropFirst())) == "value: the field is missing")
        let twice = Self.coin + [Self.coin[0]]
        #expect(
            error("coin_accepted", twice) == "value: unexpected or duplicate field"
        )
        #expect(
            error("started", [.init(.mode, .text("free"))])
                == "mode: unexpected or duplicate field")
    }

    @Test(arguments: [
        (FieldValue.text("many"), "'many' is not a number"),
        (.integer(-1), "'-1' is not a number"),
        (.text("007"), "'007' is not a number"),
        (.boolean(true), "'true' is not a number"),
    ])
    func `a number that is none`(value: FieldValue, sentence: String) {
        var fields = Self.coin
        fields[1].value = value
        #expect(error("coin_accepted", fields) == "pulses: \(sentence)")
    }

    @Test func `a name that is not in its list`() {
        #expect(
            error(
                "mode_changed",
                [.init(.direction, .text("entri")), .init(.mode, .text("free"))])
                == "direction: 'entri' is not one of entry, exit: did you mean 'entry'?")
    }

    @Test(arguments: [
        ("entr\u{1B}[2J\u{7F}y\u{9B}", #"'entr\u{1B}[2J\u{7F}y\u{9B}' is not one of"#),
        ("entr\u{202E}y\u{2028}", #"'entr\u{202E}y\u{2028}' is not one of"#),
        (
            String(repeating: "é", count: 41),
            "'\(String(repeating: "é", count: 40))…' is not one of"
        ),
    ]) func `what was found steers no terminal, and fills no page`(text: String, shown: String) {
        #expect(
            error(
                "mode_changed", [.init(.direction, .text(text)), .init(.mode, .text("free"))]
            ).hasPrefix("direction: \(shown)"))
    }

    @Test func `a field that contradicts those that it follows from`() {
        var fields = Self.coin
        fields[3].value = .text("coin_pulse")
        #expect(
            error("coin_accepted", fields)
                == "line: 'coin_pulse', but the other fields say 'coin_pulse_2'")
        // It follows from the others, and may be left out.
        #expect(error("coin_accepted", Array(Self.coin.dropLast())).hasPrefix("coinAccepted"))
    }

    @Test func `a fault of a line that cannot have it`() {
        let jam: [Fields.Field] = [
            .init(.fault, .text("coin_line_stuck")), .init(.line, .text("fire")),
        ]
        #expect(error("fault_cleared", jam) == "line: nothing does not go with the other fields")
    }

    @Test func `a record's name that its fields contradict`() {
        let tailgating: [Fields.Field] = [.init(.alarm, .text("tailgating"))]
        #expect(
            error("alarm_forced_passage", tailgating)
                == "'alarm_forced_passage', but the other fields say 'alarm_tailgating'")
        #expect(error("alarm_tailgating", tailgating).hasPrefix("alarmRaised"))
    }

    @Test(arguments: [0, 4, -1]) func `a version that is unknown`(version: Int) {
        #expect(
            error("started", [], version: version) == "version '\(version)' is not known here")
    }

    @Test func `a mistake deep in a policy has its place`() throws {
        var policy = Policy(price: 100, coinUnit: 50)
        policy.schedule = [ScheduleEntry(days: .all, from: 0, to: 60)]
        var text = policy.fields
        let index = try #require(text.all.firstIndex { $0.name == .schedule })
        var entry = ScheduleEntry(days: .all, from: 0, to: 60).fields
        entry.all[1].value = .integer(1440)
        text.all[index].value = .list([policy.schedule[0].fieldValue, .fields(entry)])
        let error = #expect(throws: FieldError.self) { try Policy(text) }
        #expect(
            error?.description == "schedule.1.from_minute: '1440' is not a number from 0 to 1439")
    }

    @Test func `what no price can be is no policy`() {
        var fields = Policy(price: 1, coinUnit: 1).fields
        fields.all[0].value = .integer(0)
        #expect(throws: FieldError.self) { try Policy(fields) }
    }
}
