import Glibc
import System

do {
    exit(try Invocation(CommandLine.arguments).run())
} catch let error as UsageError {
    complain("turnstiled: \(error.description)\n\(Invocation.usage)")
    exit(EX_USAGE)
} catch {
    complain("turnstiled: \(error)")
    exit(EX_SOFTWARE)
}
