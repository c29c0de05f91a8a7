import Settings
import System
import Turnstile

// The wall clock, which the schedule depends on.
extension Doctor {
    /// Whether a time service sets the clock.
    static let clock = Check("clock") { facts in
        let advice = "see timedatectl; sudo timedatectl set-ntp true, or a clock with a battery"
        return switch facts.isClockSynchronized {
        case true?: .ok("synchronised")
        case false?: .warning("not synchronised", do: advice)
        case nil: .unseen("the kernel does not say", do: advice)
        }
    }

    static let timeZone = Check("time zone") { facts in
        let advice = "sudo timedatectl set-timezone Europe/Zurich, or where the gate is"
        let path = "/etc/localtime"
        switch facts.root.status(path, followsLinks: false) {
        case .failure(let error) where error.meansAbsence:
            return .warning("none is set: the schedule uses UTC", do: advice)
        case .failure(let error): return .unseen(path, error)
        case .success(let status) where status.kind != .link:
            return .ok("from the file \(path)")
        case .success: break
        }
        let target = (try? File.target(ofLink: facts.root(path))) ?? ""
        guard let place = target.ranges(of: "zoneinfo/").last else {
            return .unseen("\(path) leads to \(target)", do: advice)
        }
        let zone = String(target[place.upperBound...])
        guard facts.root.has("/usr/share/zoneinfo/\(zone)") else {
            return .wrong(
                "\(zone) is set but not installed: the schedule uses UTC",
                do: "sudo apt install tzdata")
        }
        let isUTC = ["UTC", "UCT", "Universal", "Zulu"].contains(zone.split(separator: "/").last)
        if isUTC, facts.currentSettings?.policy.schedule.isEmpty == false {
            return .warning("\(zone), and there is a schedule", do: advice)
        }
        return .ok(zone)
    }
}
