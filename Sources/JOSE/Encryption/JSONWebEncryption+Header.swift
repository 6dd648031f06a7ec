import AuthHubPrimitives

extension JSONWebEncryption {
    /// The header of an encrypted token (RFC 7516 §4). Members that point to keys, such as `jku` and `jwk`, are ignored.
    public struct Header: Sendable {
        /// The algorithm of the content key, `alg`.
        public let algorithm: KeyManagementAlgorithm
        /// The algorithm of the content, `enc`.
        public let encryption: ContentEncryption
        /// The ID of the recipient's key, `kid`.
        public let keyID: String?
        /// The type of the content, `cty`; `JWT` if the content is a signed token (RFC 7519 §5.2).
        public let contentType: String?

        let parameters: KeyManagementParameters
        let cipher: ContentCipher

        init(_ bytes: [UInt8]) throws(JOSEError) {
            let members = try Self.members(bytes)
            guard members["crit"] == nil else { throw JOSEError(.notAllowed, "the header has extensions (crit)") }
            guard members["zip"] == nil else { throw JOSEError(.notAllowed, "the content is compressed (zip)") }
            algorithm = KeyManagementAlgorithm(rawValue: try members.name("alg"))
            encryption = ContentEncryption(rawValue: try members.name("enc"))
            guard let method = algorithm.method, let cipher = encryption.cipher else {
                throw JOSEError(.notAllowed, "alg or enc is not supported")
            }
            keyID = try members.headerString("kid")
            contentType = try members.headerString("cty")
            parameters = try KeyManagementParameters(method, in: members)
            self.cipher = cipher
        }

        private static func members(_ bytes: [UInt8]) throws(JOSEError) -> JSONObject {
            guard let members = (try? JSONValue(strict: bytes, maximumDepth: 8))?.object else {
                throw JOSEError(.malformed, "the header is not a JSON object, or has duplicate members")
            }
            return members
        }
    }
}

extension JSONObject {
    /// The name of an algorithm. Names are ASCII; another string could be canonically equivalent to a name.
    fileprivate func name(_ member: String) throws(JOSEError) -> String {
        guard let name = self[member]?.string, name.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw JOSEError(.malformed, "\(member) is missing, or is not the name of an algorithm")
        }
        return name
    }
}
