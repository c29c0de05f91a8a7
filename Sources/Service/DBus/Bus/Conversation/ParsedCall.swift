import BusInterface
import StateMachines
import System
import Turnstile

enum ParsedCall: Equatable {
    case ask(Question.Operation)
    /// Follow the edges for this lease; zero: stop.
    case followEdges(Duration)
}

// Parsing.
extension GateMethod {
    /// Parses a call at `now`. Throws for invalid arguments.
    func parse(_ body: [BusValue], at now: Instant) throws(ArgumentError) -> ParsedCall {
        let given = body.map(\.signature).joined()
        guard given == signature else {
            throw ArgumentError("\(name) takes \(described), and this is '\(given)'")
        }
        switch purpose {
        case .request(let kind): return .ask(try request(kind, body, at: now))
        case .reload: return .ask(.reload)
        case .extra: return .ask(.extra(self, body))
        case .followEdges:
            let longest = UInt64(Followers.longestLease.wholeMicroseconds)
            guard case .uint64(let lease) = body[0], lease <= longest else {
                throw ArgumentError("lease_usec: at most \(longest), or 0 to stop")
            }
            return .followEdges(.microseconds(Int64(lease)))
        }
    }

    private func request(
        _ kind: Request.Kind, _ body: [BusValue], at now: Instant
    ) throws(ArgumentError) -> Question.Operation {
        var fields = Fields()
        for (argument, value) in zip(arguments, body) {
            if let field = try argument.field(of: value, at: now) { fields.all.append(field) }
        }
        do throws(FieldError) {
            let request = try Request(kind.rawValue, fields)
            guard case .adopt = request, case .fields(let policy)? = fields[.policy] else {
                return .request(request)
            }
            return .adopt(policy)
        } catch {
            throw ArgumentError(error.description)
        }
    }

    /// The arguments for people: `'ss' (direction, mode)`.
    private var described: String {
        arguments.isEmpty
            ? "nothing" : "'\(signature)' (\(arguments.map(\.name).joined(separator: ", ")))"
    }
}
