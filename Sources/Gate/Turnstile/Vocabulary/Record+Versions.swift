// Records of earlier versions, as this version tells them.

extension Record {
    /// The fields of a record of this name and version as this version has them.
    ///
    /// Version 1 knew keys and contacts by their line alone, and not what they asked for; what came
    /// of the schedule and of the settings did not say so, since nobody else could ask.
    public static func upgrade(_ fields: Fields, named name: String, from version: Int) -> Fields {
        guard version == 1 else { return fields }
        var upgraded = fields
        if name == "refused" || name == "request_deferred" {
            let line = fields[.line]?.text ?? ""
            let request = request(by: line, refusal: fields[.refusal]?.text)
            upgraded.all.append(Fields.Field(.request, .text(request.rawValue)))
            upgraded.all.append(Fields.Field(.requester, .text("contact")))
        } else if name == "service_started" {
            upgraded.all.append(Fields.Field(.requester, .text("contact")))
            upgraded.all.append(Fields.Field(.line, .text(Input.serviceKey.name)))
        } else if name == "policy_changed" {
            upgraded.all.append(Fields.Field(.requester, .text("settings")))
        } else if name == "mode_changed" || name == "enforcement_changed" {
            upgraded.all.append(Fields.Field(.requester, .text("schedule")))
        }
        return upgraded
    }

    /// What a key or contact asked for that was refused for this reason, or had to wait.
    private static func request(by line: String, refusal: String?) -> Request.Kind {
        if line == Input.emergencyResetKey.name { return .resetEmergency }
        guard line == Input.serviceKey.name else { return .grant }
        return refusal == Refusal.causePresent.rawValue ? .confirmRepair : .beginService
    }
}
