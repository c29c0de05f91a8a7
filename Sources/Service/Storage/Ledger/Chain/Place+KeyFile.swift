import Glibc
import System

// The key that a ledger's checkpoints are signed with.
extension Place {
    /// The gate's key: the service manager's credential `ledger.key`, or the file beside the
    /// ledger, which is made if missing.
    func signingKey() throws(LedgerError) -> SigningKey {
        if let key = try ownKey() { return key }
        let new = SigningKey()
        try write(new.text, to: key, mode: 0o600)
        return new
    }

    /// The same; nil if no key has been made yet.
    func ownKey() throws(LedgerError) -> SigningKey? {
        if let folder = environmentVariable("CREDENTIALS_DIRECTORY"),
            let key = try readKey("\(folder)/ledger.key")
        {
            return key
        }
        return try readKey(key)
    }

    private func readKey(_ path: String) throws(LedgerError) -> SigningKey? {
        guard let status = try Files.find(path) else { return nil }
        guard status.st_mode & S_IFMT == S_IFREG,
            let key = SigningKey(try Files.read(path, atMost: 256))
        else {
            // Not `decision`: the ledger itself is sound.
            throw LedgerError(
                self.path,
                "\(path) is not a key: restore the old one, or remove it to have a new one made",
                .person)
        }
        return key
    }
}
