import ArgumentParser
import Settings

/// Amounts of money as people write them on a command line.
enum Amount {
    /// The amount that a text says, in minor units of the currency.
    static func read(_ text: String) throws -> Int64 {
        guard let amount = Int64(text) else {
            let (shown, written) = minorUnits(of: text).map { (text, $0) } ?? ("12.50", "1250")
            throw ValidationError(
                "'\(text)' is no amount in minor units of the currency: \(shown) is written "
                    + written)
        }
        return amount
    }
}
