import Crypto
import NIOSSL

/// A self-signed certificate for one name, created for one test: RFC 5280, written in DER by hand.
struct TestCertificate {
    let pem: String
    private let certificate: NIOSSLCertificate
    private let key: NIOSSLPrivateKey

    /// - Parameters:
    ///   - address: The IPv4 address of the certificate, as its only alternative name.
    ///   - host: The host name of the certificate, instead of an address.
    ///   - start: The start of its validity, as `YYYYMMDDHHMMSSZ`, no later than 2049.
    init(address: [UInt8] = [], host: String? = nil, from start: String = "20200101000000Z", until end: String = "20491231235959Z") throws {
        let signing = P256.Signing.PrivateKey()
        let algorithm = DER.sequence(DER.object([0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02]))  // ecdsa-with-SHA256
        let name = DER.sequence(DER.set(DER.sequence(DER.object([0x55, 0x04, 0x03]), DER.text("authhub tests"))))
        let alternativeNames = DER.sequence(
            DER.object([0x55, 0x1D, 0x11]),
            DER.value(0x04, DER.sequence(host.map { DER.value(0x82, Array($0.utf8)) } ?? DER.value(0x87, address))))
        let body = DER.sequence(
            DER.value(0xA0, DER.value(0x02, [2])),  // version 3
            DER.value(0x02, [1] + (0..<8).map { _ in UInt8.random(in: .min ... .max) }),
            algorithm, name,
            DER.sequence(DER.time(start), DER.time(end)),
            name, Array(signing.publicKey.derRepresentation),
            DER.value(0xA3, DER.sequence(alternativeNames)))
        let signature = try signing.signature(for: body).derRepresentation
        let whole = DER.sequence(body, algorithm, DER.value(0x03, [0] + signature))
        certificate = try NIOSSLCertificate(bytes: whole, format: .der)
        key = try NIOSSLPrivateKey(bytes: Array(signing.pemRepresentation.utf8), format: .pem)
        pem = "-----BEGIN CERTIFICATE-----\n\(whole.base64EncodedLines)\n-----END CERTIFICATE-----\n"
    }

    static func loopback() throws -> Self { try Self(address: [127, 0, 0, 1]) }

    /// A server that presents the certificate, and offers protocols such as `http/1.1`.
    func server(offering protocols: [String] = [], upTo version: TLSVersion? = nil) throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: [.certificate(certificate)], privateKey: .privateKey(key))
        configuration.applicationProtocols = protocols
        configuration.maximumTLSVersion = version
        return try NIOSSLContext(configuration: configuration)
    }
}

/// The part of X.690 that a certificate needs.
private enum DER {
    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        let length: [UInt8] =
            switch content.count {
            case ..<0x80: [UInt8(content.count)]
            case ..<0x100: [0x81, UInt8(content.count)]
            default: [0x82, UInt8(content.count >> 8), UInt8(content.count & 0xFF)]
            }
        return [tag] + length + content
    }

    static func sequence(_ parts: [UInt8]...) -> [UInt8] { value(0x30, parts.flatMap { $0 }) }
    static func set(_ part: [UInt8]) -> [UInt8] { value(0x31, part) }
    static func object(_ encoded: [UInt8]) -> [UInt8] { value(0x06, encoded) }
    static func text(_ text: String) -> [UInt8] { value(0x0C, Array(text.utf8)) }

    /// UTCTime up to 2049 (RFC 5280 §4.1.2.5).
    static func time(_ text: String) -> [UInt8] { value(0x17, Array(text.dropFirst(2).utf8)) }
}

extension [UInt8] {
    fileprivate var base64EncodedLines: String {
        let digits = Array<Character>("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: count, by: 3) {
            let part = self[start..<Swift.min(start + 3, count)]
            let number = (0..<3).reduce(0) { $0 << 8 | (start + $1 < count ? Int(self[start + $1]) : 0) }
            for index in 0..<4 { text.append(index <= part.count ? digits[number >> (18 - 6 * index) & 63] : "=") }
            if start % 48 == 45 { text.append("\n") }
        }
        return text
    }
}
