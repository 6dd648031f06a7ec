import Platform
import WebAuthentication

/// The executable file of this tool.
enum OwnProgram {
    /// Returns its path.
    ///
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` if the system does not report it.
    static func path() throws(WebAuthenticationError) -> String {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            throw WebAuthenticationError(
                .cannotReceive, "the path of this program is not available, or this system needs no handler for custom schemes")
        }
        return path
    }
}
