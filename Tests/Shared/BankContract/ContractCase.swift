/// One thing that every line bank does, with a name that states it.
public struct ContractCase: Sendable, CustomStringConvertible {
    /// What holds, as a sentence in snake case.
    public let name: String
    /// What a rig must be able to do for the case to say anything.
    public let needs: Set<RigAbility>
    private let check: @Sendable (Bench) throws -> Void

    /// A case that `check` checks: it throws a ``ContractFailure`` where the case does not hold.
    init(
        _ name: String, needs: Set<RigAbility> = [],
        check: @escaping @Sendable (Bench) throws -> Void
    ) {
        self.name = name
        self.needs = needs
        self.check = check
    }

    /// The case's name.
    public var description: String { name }

    /// Checks the case on a fresh `rig`. Says whether the rig could check it; throws where the
    /// bank does not keep the contract.
    public func run(on rig: any BankRig) throws -> Bool {
        guard needs.isSubset(of: rig.abilities) else { return false }
        let bench = Bench(rig: rig)
        defer { bench.closeQuietly() }
        try check(bench)
        return true
    }

    /// All cases.
    public static let all = outputs + inputs + edges + storms
}

/// Why a bank does not keep the contract.
public struct ContractFailure: Error, CustomStringConvertible {
    /// What was expected and what was found.
    public let description: String

    /// A failure with its sentence.
    public init(_ description: String) {
        self.description = description
    }
}

/// Throws `failure` unless `condition` holds.
func require(
    _ condition: Bool, _ failure: @autoclosure () -> String
) throws(ContractFailure) {
    guard condition else { throw ContractFailure(failure()) }
}
