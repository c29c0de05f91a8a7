import Daemon

Program("turnstile-simulator", usage: Invocation.usage).run(CommandLine.arguments) {
    try Invocation($0).run()
}
