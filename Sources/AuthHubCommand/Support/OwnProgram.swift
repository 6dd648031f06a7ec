import WebAuthentication

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The file that this tool runs from.
enum OwnProgram {
    /// - Throws: ``WebAuthenticationError`` with `.cannotReceive` where the system does not tell.
    static func path() throws(WebAuthenticationError) -> String {
        guard let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") else {
            throw WebAuthenticationError(
                .cannotReceive, "the path of this program is not available, or this system needs no handler for custom schemes")
        }
        return path
    }
}
