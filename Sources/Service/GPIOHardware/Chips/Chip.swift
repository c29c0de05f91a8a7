import CGPIO

/// A chip, open as long as this object is referenced. Requests reference their chip, so it is
/// closed after the last of them.
// Sound: the handle is made in init, freed in deinit alone, and never leaves this module.
@safe final class Chip {
    let identity: ChipIdentity
    let handle: OpaquePointer

    init(path: String) throws(CallFailure) {
        var info = cgpio_chip_info()
        var error = unsafe cgpio_error()
        // Sound: both structures live until the call returns, which keeps no pointer to them.
        guard let handle = unsafe cgpio_chip_open(path, &info, &error) else {
            throw unsafe CallFailure(error)
        }
        unsafe self.handle = handle
        identity = ChipIdentity(
            name: string(info.name), label: string(info.label), lineCount: Int(info.line_count))
    }

    deinit {
        // Sound: nothing else frees the handle.
        unsafe cgpio_chip_close(handle)
    }

    func line(at offset: Int) throws(CallFailure) -> LineState {
        var info = cgpio_line_info()
        var error = unsafe cgpio_error()
        // Sound: both structures live until the call returns, which keeps no pointer to them.
        guard unsafe cgpio_line_info(handle, CUnsignedInt(offset), &info, &error) else {
            throw unsafe CallFailure(error)
        }
        return LineState(
            identity: LineIdentity(
                chip: identity.name, offset: offset, name: string(info.name)),
            isUsed: info.is_used, consumer: string(info.consumer), isOutput: info.is_output)
    }

    func lines() throws(CallFailure) -> [LineState] {
        var lines: [LineState] = []
        for offset in 0..<identity.lineCount { lines.append(try line(at: offset)) }
        return lines
    }

    /// The paths of the chips that there are, in the order of their numbers.
    static func paths() -> [String] {
        var paths: [String] = []
        var number = cgpio_next_chip(-1)
        while number >= 0 {
            paths.append("/dev/gpiochip\(number)")
            number = cgpio_next_chip(number)
        }
        return paths
    }
}

private func string<Characters: BitwiseCopyable>(_ characters: Characters) -> String {
    // Sound: the bytes are read within the closure, up to the array's end at most.
    unsafe withUnsafeBytes(of: characters) { bytes in
        unsafe String(kernelName: bytes.prefix { $0 != 0 })
    }
}
