import BankContract
import Glibc
import Hardware
import SimulatedHardware
import StateMachines
import Testing
import Turnstile

/// The simulated bank keeps the contract of every line bank, in virtual and in real time.
@Suite struct BankContractTests {
    @Test(arguments: ContractCase.all) func `virtual time`(contractCase: ContractCase) throws {
        let wasChecked = try contractCase.run(on: SimulatedRig(.virtual))
        #expect(wasChecked == contractCase.needs.isSubset(of: [.overflow]))
    }

    @Test(arguments: ContractCase.all) func `real time`(contractCase: ContractCase) throws {
        let wasChecked = try contractCase.run(on: SimulatedRig(.realTime))
        #expect(wasChecked == contractCase.needs.isSubset(of: [.overflow]))
    }
}

@Suite struct RealTimeTests {
    @Test func `the descriptor wakes for what the world does later, and not before`() throws {
        let rig = SimulatedRig(.realTime)
        let bank = try rig.open(
            Wiring(chip: rig.chip, inputs: [.fire: InputLine(line: .offset(0))], outputs: [:]))
        rig.press(.fire, for: .milliseconds(50))
        var events: [LineEvent] = []
        while events.count < 2, rig.waitForEvents(of: bank, limit: .seconds(10)) {
            try bank.takeEvents { events.append($0) }
        }
        guard case .edge(.fire, true, let pressed)? = events.first,
            case .edge(.fire, false, let released)? = events.last
        else {
            Issue.record("the key was pressed and released, the bank told \(events)")
            return
        }
        #expect(released - pressed == .milliseconds(50))
        #expect(released <= rig.now)
        #expect(!rig.waitForEvents(of: bank, limit: .milliseconds(50)))
    }
}

/// A gate whose contacts do not bounce, wired to a bank.
final class SimulatedRig: BankRig {
    let abilities: Set<RigAbility> = [.overflow]
    let chip = ChipSelector.label("simulation")

    private let pace: SimulatedBank.Pace
    /// The world while no bank is open.
    private var idleWorld: World
    private var bank: SimulatedBank?

    init(_ pace: SimulatedBank.Pace) {
        self.pace = pace
        var physics = Physics(lock: .failSecure, coinUnit: 50)
        physics.bounce = .zero
        idleWorld = World(physics, seed: 1)
    }

    private var world: World { bank?.world ?? idleWorld }
    var now: Instant { bank?.now ?? idleWorld.now }

    func open(_ wiring: Wiring) throws -> any LineBank {
        let opened = try SimulatedBank(world, wiring: wiring, pace: pace)
        bank = opened
        return opened
    }

    func drive(_ input: Input, high: Bool) {
        let event = World.Event.contactMoved(input, isActive: high)
        if let bank { bank.perform(event) } else { _ = idleWorld.handle(event) }
    }

    func press(_ input: Input, for duration: Duration) {
        bank?.perform(.contactPressed(input, for: duration))
    }

    func isHigh(_ output: Output) -> Bool { world.energised[output] }

    func waitForEvents(of bank: any LineBank, limit: Duration) -> Bool {
        guard let simulated = bank as? SimulatedBank else { return false }
        switch pace {
        case .virtual:
            let end = simulated.now + limit
            let moment = min(simulated.nextWakeUp ?? end, end)
            simulated.advance(to: moment)
            return simulated.nextWakeUp.map { $0 <= simulated.now } ?? false
        case .clock:
            var descriptors = bank.descriptors.map {
                pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
            }
            let milliseconds = CInt(limit.wholeNanoseconds / 1_000_000)
            // poll writes into the array, which lives until the call returns.
            return unsafe poll(&descriptors, nfds_t(descriptors.count), milliseconds) > 0
        }
    }
}
