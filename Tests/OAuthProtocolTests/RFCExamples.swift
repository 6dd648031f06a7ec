import AuthHubPrimitives
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The examples of the RFCs, from the folder of vectors, which stands outside of the package.
enum RFCExamples {
    /// By their ids; nil, with a line that says so, where the folder is not there.
    static func read() throws -> [String: JSONObject]? {
        let package = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
        let folder = ProcessInfo.processInfo.environment["AUTHHUB_VECTORS"] ?? "/\(package)/../shared/vectors"
        guard let data = try? Data(contentsOf: URL(filePath: "\(folder)/rfc/examples.json")) else {
            print("skipped: no vectors at AUTHHUB_VECTORS, nor beside the package")
            return nil
        }
        let examples = try #require(try JSONValue(strict: Array(data)).array).compactMap(\.object)
        return Dictionary(examples.map { ($0["id"]?.string ?? "", $0) }) { first, _ in first }
    }
}
