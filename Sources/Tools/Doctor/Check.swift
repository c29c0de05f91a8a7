import GPIOHardware
import Hardware
import System

/// A check: the findings that follow from the facts.
struct Check: Sendable {
    let name: String
    private let find: @Sendable (Facts) throws(Conclusion) -> [Finding]

    /// A check with one finding, of this name; none for a nil conclusion.
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

    /// A check with any number of findings; a thrown conclusion has this name.
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

// Facts that several checks need; they throw the conclusion if one is missing.
extension Facts {
    func installedUnit() throws(Conclusion) -> UnitFile {
        guard let unit else { throw .unseen("there is no unit", do: "see 'unit'") }
        return unit
    }

    /// The user who should own the service's files.
    func owner() throws(Conclusion) -> Accounts.User {
        guard let user else {
            throw .unseen("there is no user '\(userName)' who could own it", do: "see 'user'")
        }
        return user
    }

    /// The lines in the settings, and the state of those on the board.
    func wiredLines() throws(Conclusion) -> (wiring: Wiring, survey: LineSurvey) {
        guard let wiring, let survey else { throw .unknownWiring }
        return (wiring, survey)
    }
}

extension Conclusion {
    static let unknownWiring = unseen(
        "the settings do not say which", do: "mend the settings first")

    /// The file at this path could not be read.
    static func unseen(_ path: String, _ error: SystemError) -> Conclusion {
        unseen("\(path): \(error.reason)")
    }
}
