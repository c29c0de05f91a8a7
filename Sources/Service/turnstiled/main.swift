import Glibc
import System

// A file that may not grow beyond a limit (LimitFSIZE=) fails the call that writes it, as a full
// disk does, where the kernel would end the service.
signal(SIGXFSZ, SIG_IGN)

Heap.reserve()

do {
    try openStandardDescriptors()
    exit(try Invocation(CommandLine.arguments).run())
} catch let error as UsageError {
    printError("turnstiled: \(error.description)\n\(Invocation.usage)")
    exit(EX_USAGE)
} catch {
    printError("turnstiled: \(error)")
    exit(EX_SOFTWARE)
}
