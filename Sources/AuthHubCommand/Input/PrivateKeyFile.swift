import AuthHubPrimitives
import JOSE

/// A file with a client's private key.
enum PrivateKeyFile {
    private static let limit = 64 * 1024

    /// Reads a key in PEM format, or as a JSON Web Key, whose ID the server then gets.
    static func key(in path: String) throws(Failure) -> SoftwareSigningKey {
        let bytes = try InputFile.secretContents(of: path, limit: limit).withoutByteOrderMark
        let place = path == "-" ? "standard input" : path
        do throws(JOSEError) {
            guard bytes.first(where: { !$0.isSpace }) == UInt8(ascii: "{") else {
                return try SoftwareSigningKey(pem: Secret(String(decoding: bytes, as: UTF8.self)))
            }
            guard let members = try? JSONValue(strict: bytes).object else { throw JOSEError(.malformed, "the text is not strict JSON") }
            return try SoftwareSigningKey(Secret(members))
        } catch {
            throw .usage(
                "\(place) has no private key that can be used: \(error.explanation)",
                hint: "name a file with a private RSA, EC or Ed25519 key in PEM format, or a private JSON Web Key")
        }
    }
}

extension UInt8 {
    fileprivate var isSpace: Bool { [0x20, 0x09, 0x0A, 0x0D].contains(self) }
}
