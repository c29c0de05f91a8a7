import Daemon

Program("turnstiled", usage: Invocation.usage).run(CommandLine.arguments) { arguments in
    try Simulator.run(arguments) ?? Invocation(arguments).run()
}
