import GPIOHardware
import Hardware
import Settings
import Turnstile

/// Whether the settings' lines exist, as far as that is visible without requesting them.
struct SettingsCheck {
    /// In the order of the file.
    private(set) var problems: [SettingsProblem] = []
    /// Why some were not checked; nil if all were.
    private(set) var remark: String?

    /// `survey` is nil for a machine without chips.
    init(_ placed: PlacedSettings, _ survey: LineSurvey?) {
        guard let survey else {
            remark = "there is no GPIO chip here, so the lines were not checked"
            return
        }
        for (chip, found) in survey.chips {
            guard case .failure(let error) = found else { continue }
            if error.kind == .notReady {
                remark = "the lines were not checked completely: \(error)"
            } else {
                problems.append(placed.problem("\(error)", with: chip))
            }
        }
        var roles: [String: Line] = [:]
        let wiring = placed.settings.wiring
        for line in wiring.lines {
            if case .failure? = survey.chips[wiring.chip(of: line)] { continue }
            switch survey.lines[line] {
            case .success(let found)?:
                if let other = roles.updateValue(line, forKey: found.description) {
                    problems.append(
                        placed.problem(
                            "\(found.description) is also the line of '\(other)'", with: line)
                    )
                } else if let holder = found.holder, !found.isServices {
                    problems.append(
                        placed.problem(Self.text(found.description, holder), with: line))
                }
            case .failure(let error)?: problems.append(placed.problem("\(error)", with: line))
            case nil: break
            }
        }
        problems.sort()
    }

    private static func text(_ line: String, _ holder: String) -> String {
        let name = holder.isEmpty ? "an unnamed program" : "\"\(holder)\""
        return "\(line) is held by \(name): end that program, take its driver out of the device "
            + "tree, or choose another line"
    }
}
