/// The files of a support bundle, in the order shown. The raw value is the name in the archive.
enum DiagnosticsFile: String, CaseIterable {
    case readme = "README.txt"
    case trace = "incident.trace"
    case settings = "settings.yaml"
    case journal = "journal.txt"
    case doctor = "doctor.txt"
    case doctorObject = "doctor.json"
    case versions = "versions.txt"
    case ledger = "ledger.jsonl"
    case registers = "registers.json"

    var content: String {
        switch self {
        case .readme: "what each file is, and what was left out"
        case .trace: "the gate's events and decisions, step by step"
        case .settings: "the settings that were in force, without their comments"
        case .journal: "the journal of the service, and of systemd about it"
        case .doctor: "the doctor's findings on this machine"
        case .doctorObject: "the same for programs"
        case .versions: "the versions of programs, libraries and the system"
        case .ledger: "the ledger's records of money and passages"
        case .registers: "the registers"
        }
    }

    /// The commands that show it; empty if any program does.
    var commands: [String] {
        switch self {
        case .trace:
            [
                "turnstilectl trace show \(rawValue)", "turnstilectl trace replay \(rawValue)",
            ]
        case .settings: ["turnstilectl settings show \(rawValue)"]
        case .readme, .journal, .doctor, .doctorObject, .versions, .ledger, .registers: []
        }
    }
}
