import Glibc

/// Says on standard error what is wrong: for people, before there is a journal to write to.
public func printError(_ text: String) {
    var bytes = Array("\(text)\n".utf8)[...]
    while !bytes.isEmpty {
        // Sound: pointer and length are those of one slice.
        let written = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count)
        }
        guard written > 0 else { return }
        bytes = bytes.dropFirst(written)
    }
}
