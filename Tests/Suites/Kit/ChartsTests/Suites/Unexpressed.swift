/// What the suites ask of SCXML and no chart of the kit says, with the reason.
///
/// The page on charts says the same.
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
}
