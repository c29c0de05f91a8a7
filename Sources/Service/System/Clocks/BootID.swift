import CSystemd

/// The ID of the machine's current boot: 32 hexadecimal digits, as in the journal.
///
/// The unit hides the kernel's file from the service, and systemd passes the ID on.
public func bootID() -> String { bootID(told: environmentVariable("TURNSTILED_BOOT_ID")) }

/// `told` if it is a valid ID, else the kernel's.
func bootID(told: String?) -> String {
    if let told, (1...64).contains(told.utf8.count),
        told.allSatisfy({ $0.isASCII && $0.isHexDigit || $0 == "-" })
    {
        return told
    }
    var identifier = sd_id128_t()
    // Sound: the calls write what they are lent; the text has room for 32 digits and a zero.
    guard unsafe sd_id128_get_boot(&identifier) >= 0 else { return "unknown" }
    var text = [CChar](repeating: 0, count: 33)
    return unsafe String(cString: sd_id128_to_string(identifier, &text))
}
