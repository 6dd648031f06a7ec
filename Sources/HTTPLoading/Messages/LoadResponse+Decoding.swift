import AuthHubPrimitives
import HTTPTypes
public import Platform

extension LoadResponse {
    /// Reads the body and decodes it as JSON.
    ///
    /// ```swift
    /// let user = try await session.load(.get("https://api.github.com/user")).decode(User.self)
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - decoder: The decoder. Pass your own to decode, for example, dates in another format.
    ///   - limit: The maximum size of the body, in bytes.
    /// - Throws: ``ResponseError`` with `.unexpectedStatus` if the status is not 2xx, `.unexpectedBody` if the body cannot be decoded, and
    ///   `.incompleteBody` if it cannot be read to its end or is larger than `limit`.
    public func decode<Value: Decodable>(
        _ type: Value.Type, with decoder: JSONDecoder = JSONDecoder(), upTo limit: Int = 8 << 20
    ) async throws(ResponseError) -> Value {
        guard status.kind == .successful else { throw ResponseError(.unexpectedStatus, self, bodyPrefix: await bodyPrefix()) }
        let bytes: [UInt8]
        do throws(LoadError) {
            bytes = try await body.collect(upTo: limit)
        } catch {
            throw ResponseError(.incompleteBody, self, underlying: error)
        }
        do {
            return try decoder.decode(type, from: Data(bytes))
        } catch {
            throw ResponseError(.unexpectedBody, self, underlying: error)
        }
    }

    /// Returns the available start of the body in displayable form.
    private func bodyPrefix() async -> String {
        var bytes: [UInt8] = []
        var chunks = body.makeAsyncIterator()
        while bytes.count < Self.errorLength, let chunk = try? await chunks.next() { bytes += chunk }
        body.cancel()
        let secrets = sentCredential.map { [$0, String($0.drop { $0 != " " }.dropFirst())] } ?? []
        return Redaction(secrets).displaying(String(decoding: bytes.prefix(Self.errorLength), as: UTF8.self), limit: 300)
    }

    /// The maximum number of bytes of the body to read for an error. It exceeds the length of the text that is shown, because a truncated
    /// secret would not be recognized.
    private static var errorLength: Int { 16 * 1024 }
}
