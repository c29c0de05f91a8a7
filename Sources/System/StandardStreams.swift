import Glibc

/// Says on standard error what is wrong: for people, before there is a journal to write to.
public func printError(_ text: String) { write("\(text)\n", to: STDERR_FILENO) }

/// Writes a text on standard output at once. What nobody reads any longer is lost.
public func printOutput(_ text: String) { write(text, to: STDOUT_FILENO) }

private func write(_ text: String, to descriptor: CInt) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
        // Sound: pointer and length are those of one slice.
        let written = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.write(descriptor, $0.baseAddress, $0.count)
        }
        guard written > 0 else { return }
        bytes = bytes.dropFirst(written)
    }
}
