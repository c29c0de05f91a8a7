import CGPIO
import Glibc
public import Hardware
public import Turnstile

/// The state of the chips and lines in a wiring.
public struct LineSurvey: Sendable {
    /// A line that exists.
    public struct Found: Sendable {
        /// `line COIN (gpiochip0/4)`.
        public var description: String
        /// The holder's name, empty if it gave none; nil for an unused line.
        public var holder: String?
        /// Whether a service has it: this board's, or one started by hand.
        public var isServices: Bool { holder == GPIOBank.consumer }
        package var isOutput: Bool
        /// Whether the input is active now; nil where it was not read.
        public var isActive: Bool?
        /// The state of the output after its release; nil if that was not tried.
        public var letGo: ReleasedOutput?

        package init(
            _ description: String, holder: String? = nil, isOutput: Bool = false,
            isActive: Bool? = nil, letGo: ReleasedOutput? = nil
        ) {
            self.description = description
            self.holder = holder
            self.isOutput = isOutput
            self.isActive = isActive
            self.letGo = letGo
        }
    }

    /// The state of an output that was driven to its safe level and released.
    public struct ReleasedOutput: Hashable, Sendable {
        /// Whether it still drives the line. If not, resistors alone determine the level.
        public var isOutput: Bool
        /// Whether the level energises the device.
        public var isEnergised: Bool
    }

    /// Whether there is any chip to look at.
    public static var isPossible: Bool { !Chip.paths().isEmpty }

    /// The chips, each `gpiochip0 "pinctrl-bcm2835"`, or why one is not there.
    public var chips: [ChipSelector: Result<String, HardwareError>]
    /// The lines, or why one is not there.
    public var lines: [Line: Result<Found, HardwareError>]

    package init(
        chips: [ChipSelector: Result<String, HardwareError>],
        lines: [Line: Result<Found, HardwareError>]
    ) {
        self.chips = chips
        self.lines = lines
    }

    /// Examines the chips and lines of `wiring`.
    ///
    /// Nothing is requested by default. With `readsInputs` each unused input that drives nothing is
    /// requested as by the service, read and released. That sets its bias, and makes a pin with
    /// another function an input. With `triesOutputs` each unused output is driven to its safe
    /// level, released and read, which leaves it as the end of the service does.
    public init(of wiring: Wiring, readsInputs: Bool = false, triesOutputs: Bool = false) {
        let open = OpenChips()
        self.init(of: wiring, contents: open.contents)
        if readsInputs { read(wiring, open) }
        if triesOutputs {
            let outputs = SafePlan([wiring], contents: open.contents).outputs.flatMap { $0 }
            tryOutputs(outputs, by: OutputTrial(open))
        }
    }

    /// Finds the lines of `wiring`, asking `contents` for the chip that a selector means.
    init(of wiring: Wiring, contents: (ChipSelector) throws(HardwareError) -> ChipContents) {
        chips = [:]
        lines = [:]
        let outputs = wiring.outputs.map { (Line.output($0), $1.chip, $1.line) }
        let inputs = wiring.inputs.map { (Line.input($0), $1.chip, $1.line) }
        for (role, chip, line) in outputs + inputs {
            let selector = chip ?? wiring.chip
            do throws(HardwareError) {
                let contents = try contents(selector)
                chips[selector] = .success(contents.identity.description)
                let offset = try contents.find(line, for: role).offset
                lines[role] = .success(Found(contents.lines[offset]))
            } catch {
                if chips[selector] == nil { chips[selector] = .failure(error) }
                lines[role] = .failure(error)
            }
        }
    }

    /// The inputs that may be requested and read: they are unused, and drive nothing.
    var readable: [Input] {
        Input.allCases.filter { input in
            guard let found = try? lines[.input(input)]?.get() else { return false }
            return found.holder == nil && !found.isOutput
        }
    }

    private mutating func read(_ wiring: Wiring, _ open: OpenChips) {
        var requests: [(input: Input, request: InputRequest, offset: Int)] = []
        for input in readable {
            guard let wired = wiring.inputs[input],
                let contents = try? open.contents(of: wired.chip ?? wiring.chip),
                let line = try? contents.find(wired.line, for: .input(input))
            else { continue }
            var planned = PlannedInput(input, wired, line: line)
            planned.debounceMicroseconds = 0
            do throws(HardwareError) {
                let request = try InputRequest(
                    [planned], chip: open.chip(of: line), consumer: "turnstile doctor",
                    kept: KeptRequests(), forget: { _ in })
                requests.append((input, request, line.offset))
            } catch {
                lines[.input(input)] = .failure(error)
            }
        }
        // A resistor charges a long wire.
        if !requests.isEmpty { usleep(20_000) }
        for (input, request, offset) in requests {
            let isActive = Result { () throws(HardwareError) in try request.isActive(at: offset) }
            lines[.input(input)] = lines[.input(input)]?.flatMap { found in
                isActive.map { isActive in
                    var found = found
                    found.isActive = isActive
                    return found
                }
            }
        }
    }
}

extension LineSurvey.Found {
    init(_ state: LineState) {
        self.init(
            state.identity.description, holder: state.isUsed ? state.consumer : nil,
            isOutput: state.isOutput)
    }
}

extension Capabilities {
    /// The capabilities of libgpiod here; needs no line.
    public static var ofLibgpiod: Capabilities {
        Capabilities(
            // Sound: the library's version is a string literal.
            name: unsafe "libgpiod \(String(cString: cgpio_library_version()))",
            debounces: cgpio_debounces(), detectsLostEdges: cgpio_numbers_events())
    }
}

/// Whether the kernel stamps edges with the clock that the service goes by.
public func stampsEdgesMonotonic() -> Bool { cgpio_stamps_monotonic() }
