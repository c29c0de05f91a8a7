/// The one vocabulary of a gate: the names and fields of all that is recorded, told or asked.
///
/// Journal, ledger and whatever else tells of the gate spell values by it, each in its own way. A
/// name or field that was published never changes its meaning. docs/vocabulary.md has all of them.
public enum Vocabulary {
    /// Raised where what is written can no longer be read by the version before.
    ///
    /// Version 2 says what was asked for, and who asked. Version 3 says what was in doubt when the
    /// service ended.
    public static let version = 3
    /// The oldest version that is read.
    public static let oldestVersion = 1

    /// The fields of everything that has fields, what it is made of after it.
    public static let shapes: [Shape] = [
        Shape(of: Record.self), Shape(of: Coin.self), Shape(of: Authorisation.self),
        Shape(of: CoinRefusal.self), Shape(of: Fault.self),
        Shape(of: Event.self), Shape(of: Balances.self),
        Shape(of: Command.self), Shape(of: Request.self), Shape(of: Requester.self),
        Shape(of: Operator.self), Shape(of: Answer.self), Shape(of: Answer.Result.self),
        Shape(of: Status.self), Shape(of: Status.State.self), Shape(of: Status.Limitation.self),
        Shape(of: StatusReport.self), Shape(of: Gate.Standing.self),
        Shape(of: StatusReport.Way.self), Shape(of: StatusReport.InForce<Mode>.self),
        Shape(of: StatusReport.InForce<Enforcement>.self),
        Shape(of: StatusReport.Raised<Fault>.self),
        Shape(of: StatusReport.Raised<Alarm>.self), Shape(of: StatusReport.End.self),
        Shape(of: Equipment.self), Shape(of: StatusReport.OutputReport.self),
        Shape(of: StatusReport.Due.self),
        Shape(of: Policy.self), Shape(of: CoinPolicy.self), Shape(of: CoinValues.self),
        Shape(of: CoinRow.self), Shape(of: Regime.self), Shape(of: ScheduleEntry.self),
        Shape(of: Register.self), Shape(of: RetainedState.self),
        Shape(of: RetainedState.Passage.self), Shape(of: RetainedState.Release.self),
        Shape(of: RetainedState.Payer.self),
        Shape(of: CoinDecoder.State.self), Shape(of: Gate.Stored.Person.self),
        Shape(of: Term<Mode>.self), Shape(of: Term<Enforcement>.self),
    ]

    /// The lists of names.
    public static let lists: [(title: String, names: [String])] = [
        list(Direction.self), list(Mode.self), list(Enforcement.self), list(PassageKind.self),
        list(Assumption.self), list(Refusal.self), list(Alarm.self), list(Fault.Kind.self),
        list(Input.self),
        list(Output.self), list(Line.self), list(LineFailure.self), list(CoinFate.self),
        list(Weekday.self), list(CreditPolicy.self), list(UnlockedCoinPolicy.self),
        list(VaultFullPolicy.self), list(RelockPoint.self), list(ForcedPassagePolicy.self),
        list(RepairPolicy.self), list(FireResetPolicy.self), list(RemotePolicy.self),
        list(StatusReport.Reason.self), list(Request.Kind.self), list(LatchingFault.self),
        list(AlarmCode.self), list(Switch.self), list(CoinDecoder.Reception.self),
    ]

    @_semantics("optimize.sil.specialize.generic.never")
    private static func list<Name: Word>(_ type: Name.Type) -> (title: String, names: [String]) {
        (type.list, type.words.map { $0.name })
    }
}
