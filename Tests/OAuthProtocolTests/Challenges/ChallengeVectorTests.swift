import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The challenges that RFC 6750 and RFC 9449 show, from the folder of vectors, which stands outside of the package.
struct ChallengeVectorTests {
    @Test func `RS01: the challenges of RFC 6750 §3 and RFC 9449 §7 are read whole`() throws {
        guard let data = vectors("rfc/examples.json") else {
            print("skipped: no vectors at AUTHHUB_VECTORS, nor beside the package")
            return
        }
        let entries = try #require(try JSONValue(strict: Array(data)).array)
        var read: [String: [[AuthenticationChallenge]]] = [:]
        for entry in entries.compactMap(\.object) {
            guard let id = entry["id"]?.string, entry["what"]?.string == "WWW-Authenticate values" else { continue }
            let fields = entry["values"]?.array?.compactMap(\.string) ?? []
            read[id] = fields.map { field in
                var head = HTTPResponse(status: .unauthorized)
                head.headerFields[.wwwAuthenticate] = field
                return AuthenticationChallenge.challenges(of: head)
            }
        }
        #expect(read["rfc6750-3"]?.map { $0.map(\.scheme) } == [["bearer"], ["bearer"]])
        #expect(read["rfc6750-3"]?.last?.first?.parameters["error_description"] == "The access token expired")
        #expect(
            read["rfc9449-7-challenges"]?.map { $0.map(\.scheme) }
                == [["dpop"], ["dpop"], ["bearer", "dpop"], ["bearer", "dpop"], ["bearer", "dpop"]])
        #expect(
            read["rfc9449-7-challenges"]?.map { $0.last?.parameters["algs"] } == ["ES256 PS256", "ES256"]
                + Array(repeating: "ES256 PS256", count: 3))
    }

    private func vectors(_ name: String) -> Data? {
        let package = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
        let folder = ProcessInfo.processInfo.environment["AUTHHUB_VECTORS"] ?? "/\(package)/../shared/vectors"
        return try? Data(contentsOf: URL(filePath: "\(folder)/\(name)"))
    }
}
