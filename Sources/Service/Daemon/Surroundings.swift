public import Bus
public import BusInterface
public import Controller
public import Hardware
public import Journal
public import Settings
public import System
public import Turnstile

/// The environment of a daemon: the only difference between a real and a simulated gate.
public struct Surroundings {
    public var loop: any EventLoop
    public var clock: SystemWallClock
    public var journal: any Journal
    public var service: any ServiceManager
    /// The folders of persistent state; nil for none.
    public var folders: Folders?
    /// Requests the settings' lines.
    public var openLines: (Settings) throws(HardwareError) -> any LineBank
    /// The state if nothing was retained.
    public var stateAtFirst = Recovery.unknown

    /// The bus on which the gate is published; nil for none.
    public var bus: BusConnection.Bus?
    /// The users who may operate it, besides the group of operators.
    public var operators: Set<UInt32> = [0]
    /// Whether the kernel debounces its lines.
    public var kernelDebounces = false
    /// Methods that only this gate has.
    public var extra: [ExtraMethod] = []

    /// Whether recordings are of a simulated gate.
    public var isSimulated = false
    /// Called with the shell before its start, and with a function that stops the service.
    public var observe: (Controller, _ stop: @escaping () -> Void) throws(SystemError) -> Void = {
        _, _ in
    }

    public init(
        loop: any EventLoop, clock: SystemWallClock, journal: any Journal,
        service: any ServiceManager, folders: Folders?,
        openLines: @escaping (Settings) throws(HardwareError) -> any LineBank
    ) {
        self.loop = loop
        self.clock = clock
        self.journal = journal
        self.service = service
        self.folders = folders
        self.openLines = openLines
    }
}

public struct ExtraMethod {
    public let method: GateMethod
    public let perform: ([BusValue]) -> Reply.Outcome

    public init(_ method: GateMethod, perform: @escaping ([BusValue]) -> Reply.Outcome) {
        (self.method, self.perform) = (method, perform)
    }
}
