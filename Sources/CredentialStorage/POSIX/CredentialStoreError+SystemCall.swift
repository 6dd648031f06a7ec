import AuthHubPrimitives
import Platform

extension CredentialStoreError {
    /// Creates the store error for the last failed system call. Call this before any other call changes `errno`.
    static func systemCall(_ call: String, _ path: String) -> Self {
        let failure = SystemCallError.last(call)
        switch failure.number {
        case ENOSPC, EDQUOT:
            return Self(.full, "no space is left for \(path) (\(failure)); free some space and try again", underlying: failure)
        case EROFS:
            return Self(
                .refused,
                "\(path) is on a file system that is mounted read-only; mount it for writing, or move the store elsewhere",
                underlying: failure)
        case EACCES, EPERM:
            return Self(.refused, "the system does not allow access to \(path): \(failure)", underlying: failure)
        case ELOOP:
            return Self(
                .refused, "\(path) is a symbolic link, which is not followed; name the link's target, or move the link away",
                underlying: failure)
        default:
            return Self(.failed, "\(path): \(failure)", underlying: failure)
        }
    }
}
