public import Turnstile

extension JournalEntry {
    /// The entry of `record`.
    ///
    /// - Parameters:
    ///   - state: the name of the gate's state after the event.
    ///   - credit: the credit after the event, in minor units of the currency.
    ///   - commands: what the event led to; the records among them are left out.
    public init(
        _ record: Record, state: String, credit: Int, commands: some Sequence<Command> = []
    ) {
        let commands = commands.map { Field("TURNSTILE_COMMAND", "\($0)") }
        self.init(
            messageID: "", priority: .info, message: "\(record)",
            fields: [
                Field("TURNSTILE_STATE", state), Field("TURNSTILE_CREDIT", "\(credit)"),
            ] + commands)
    }

    /// The entry of `record`.
    public init(_ record: ShellRecord) {
        self.init(messageID: "", priority: .warning, message: "\(record)")
    }
}
