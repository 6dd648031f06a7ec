#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// A failed system call, with its error number.
public struct SystemCallError: Error, Hashable {
    public let call: String
    public let number: Int32
}

extension SystemCallError: CustomStringConvertible {
    public var description: String {
        "\(call) failed: \(String(cString: strerror(number)))"
    }
}

extension CredentialStoreError {
    /// Converts the error of the last failed call. Must be called before any other call changes `errno`.
    static func systemCall(_ call: String, _ path: String) -> Self {
        let failure = SystemCallError(call: call, number: errno)
        switch failure.number {
        case ENOSPC, EDQUOT:
            return Self(.full, "No space is left for \(path) (\(failure)). Make room and try again.", underlying: failure)
        case EROFS:
            return Self(
                .refused,
                "\(path) lies on a file system that is mounted read-only. Have it mounted for writing, or keep the store elsewhere.",
                underlying: failure)
        case EACCES, EPERM:
            return Self(.refused, "The system does not allow it on \(path): \(failure).", underlying: failure)
        case ELOOP:
            return Self(
                .refused, "\(path) is a symbolic link, which is not followed. Name the file that it leads to, or move the link away.",
                underlying: failure)
        default:
            return Self(.failed, "On \(path), \(failure).", underlying: failure)
        }
    }
}
