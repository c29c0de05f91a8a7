/// What the suites ask of SCXML and no chart of the kit says, with the reason.
enum Unexpressed {
    struct Group {
        let names: [String]
        let reason: String
    }

    /// Cases that cannot be written as charts.
    static let cases: [Group] = [
        Group(
            names: [
                "data data_invalid", "data data_obj_literal", "assign assign_invalid",
                "assign assign_obj_literal", "error error", "script-src 0", "script-src 1",
                "script-src 2", "script-src 3", "W3C 376", "W3C 378",
            ],
            reason: """
                a chart has no language of its own for data: what is remembered is a Swift value, \
                which Swift functions change; what is wrong there does not compile
                """),
        Group(
            names: ["send-idlocation 0"],
            reason: "what is due has no name: it ends when the state is left that waits for it"),
        Group(
            names: ["W3C 422"],
            reason: "a chart starts no other charts: a shell that runs several does"),
        Group(
            names: [
                "scxml-prefix-event-name-matching 0", "scxml-prefix-event-name-matching 1",
            ],
            reason: "events have kinds, not names with dots: a row names all its kinds"),
    ]

    /// Cases that are charts which say a thing otherwise than SCXML does.
    static let saidOtherwise: [Group] = [
        Group(
            names: ["W3C 355"],
            reason: "which of several states is initial is written: it is never just the first"),
        Group(
            names: ["W3C 372"],
            reason: "a final state has commands of entry, and none of exit"),
        Group(
            names: ["W3C 403c", "internal-transitions 0"],
            reason: "a row without an effect gives the reason: it ignores the event"),
        Group(
            names: ["targetless-transition 0"],
            reason: "a row without event and target has a condition: without one it would not end"),
        Group(
            names: ["W3C 187", "delayedSend 1", "delayedSend 2", "delayedSend 3", "send-data 1"],
            reason: """
                a delay belongs to the state that waits, and ends with it: an event that is sent \
                with a delay and outlives its state is the shell's
                """),
    ]
}
