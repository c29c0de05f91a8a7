import CSystemd

/// Which boot of the machine this is: 32 hexadecimal digits, as journald has them.
///
/// The unit hides from the service what the kernel says of it, and systemd passes it on.
public func bootID() -> String { bootID(told: environmentVariable("TURNSTILED_BOOT_ID")) }

/// What was told, where it can be one: it is written down, with room for so much; else what the
/// kernel says.
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
