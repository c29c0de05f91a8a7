import CGPIO
import Glibc
import Hardware
import System

/// A call of libgpiod or of the system that failed.
struct CallFailure: Error, Hashable {
    var call: String
    var number: CInt
    var offset: Int?

    var reason: String {
        switch number {
        case Self.notSupported: "Not supported by the chip"
        default: errorText(number)
        }
    }

    /// What the caller can do next, by the errno.
    var kind: HardwareError.Kind {
        switch number {
        case EBUSY: .busy
        case ENOENT: .missing
        case EACCES, EPERM: .notReady
        case EINVAL, ENXIO, ENOTTY, ENODEV, EOPNOTSUPP, E2BIG, Self.notSupported: .misconfigured
        default: .failed
        }
    }

    /// The kernel's own errno ENOTSUPP, which some drivers let slip and no header defines.
    private static let notSupported: CInt = 524
}

extension CallFailure {
    init(_ error: cgpio_error) {
        // Sound: `call` points to a string literal of cgpio.
        call = unsafe String(cString: error.call)
        number = unsafe error.number
        offset = unsafe error.offset < 0 ? nil : Int(error.offset)
    }
}
