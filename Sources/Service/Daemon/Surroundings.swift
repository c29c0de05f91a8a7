public import Bus
public import BusInterface
public import Controller
public import Hardware
public import Journal
public import Settings
public import System
public import Turnstile

/// What a daemon has of the world around it. A gate that serves people and one that is simulated
/// differ in nothing else.
public struct Surroundings {
    public var loop: any EventLoop
    public var clock: SystemWallClock
    public var journal: any Journal
    /// Who watches over it.
    public var service: any ServiceManager
    /// Where what outlives the process is kept; nil for nowhere.
    public var folders: Folders?
    /// Takes the lines that the settings name.
    public var openLines: (Settings) throws(HardwareError) -> any LineBank
    /// What is known of a gate of which nothing was retained.
    public var stateAtFirst = Recovery.unknown

    /// Where the gate can be looked at and operated; nil for nowhere.
    public var bus: BusConnection.Bus?
    /// The users who may operate it there, besides the group of operators.
    public var operators: Set<UInt32> = [0]
    /// Whether the kernel debounces its lines.
    public var kernelDebounces = false
    /// What can be asked of it there that others cannot do.
    public var extra: [ExtraMethod] = []

    /// Whether recordings are of a simulated gate.
    public var isSimulated = false
    /// Told of the shell before it starts, with what stops the service.
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
