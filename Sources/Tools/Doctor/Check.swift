import GPIOHardware
import Hardware
import System

/// A look at one thing, or at several of a kind: what is concluded of them from the facts.
struct Check: Sendable {
    let name: String
    private let find: @Sendable (Facts) throws(Conclusion) -> [Finding]

    /// A look at the thing of this name; nil where there is nothing to look at.
    init(
        _ name: String, _ conclude: @escaping @Sendable (Facts) throws(Conclusion) -> Conclusion?
    ) {
        self = .all(name) { facts throws(Conclusion) in
            guard let conclusion = try conclude(facts) else { return [] }
            return [Finding(name, conclusion)]
        }
    }

    private init(name: String, find: @escaping @Sendable (Facts) throws(Conclusion) -> [Finding]) {
        (self.name, self.find) = (name, find)
    }

    /// A look at several things, which have this name where nothing tells them apart.
    static func all(
        _ name: String, _ find: @escaping @Sendable (Facts) throws(Conclusion) -> [Finding]
    ) -> Check {
        Check(name: name, find: find)
    }

    func callAsFunction(_ facts: Facts) -> [Finding] {
        do throws(Conclusion) {
            return try find(facts)
        } catch {
            return [Finding(name, error)]
        }
    }
}

// What several checks conclude from, or throw why they cannot.
extension Facts {
    func installedUnit() throws(Conclusion) -> UnitFile {
        guard let unit else { throw .unseen("there is no unit", do: "see 'unit'") }
        return unit
    }

    /// The user who is to own the service's files.
    func owner() throws(Conclusion) -> Accounts.User {
        guard let user else {
            throw .unseen("there is no user '\(userName)' who could own it", do: "see 'user'")
        }
        return user
    }

    /// The lines that there should be, and what there is of them.
    func wiredLines() throws(Conclusion) -> (wiring: Wiring, survey: LineSurvey) {
        guard let wiring, let survey else { throw .unknownWiring }
        return (wiring, survey)
    }
}

extension Conclusion {
    static let unknownWiring = unseen(
        "the settings do not say which", do: "mend the settings first")

    /// The file at this path could not be looked at.
    static func unseen(_ path: String, _ error: SystemError) -> Conclusion {
        unseen("\(path): \(error.reason)")
    }
}
