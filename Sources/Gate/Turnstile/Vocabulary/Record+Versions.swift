// Records of earlier versions in the form of this one.

extension Record {
    /// The fields of a record of this name and version in this version.
    ///
    /// Version 1 had keys and contacts by their line, without their request, and no requester for
    /// changes by schedule and settings, which were the only ones then.
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

    /// The request of a key or contact that was refused for this reason, or deferred.
    private static func request(by line: String, refusal: String?) -> Request.Kind {
        if line == Input.emergencyResetKey.name { return .resetEmergency }
        guard line == Input.serviceKey.name else { return .grant }
        return refusal == Refusal.causePresent.rawValue ? .confirmRepair : .beginService
    }
}
