import AuthHubPrimitives
import NIOSSL

extension NetworkTransport {
    /// The certificate authorities that the transport trusts. Certificate checks cannot be turned off.
    public struct TrustRoots: Sendable, Hashable {
        private enum Kind: Hashable {
            case system
            case pem([UInt8], withSystem: Bool)
            case file(String, name: String)
        }

        private let kind: Kind

        /// The system's certificate authorities.
        public static let system = Self(kind: .system)

        /// Trusts only the certificates in a PEM file (RFC 7468), and not the system's.
        ///
        /// - Parameter bytes: The content of the file, with at least one certificate.
        public static func pem(_ bytes: [UInt8]) -> Self {
            Self(kind: .pem(bytes, withSystem: false))
        }

        /// Trusts the certificates in a PEM file (RFC 7468) in addition to the system's. On Apple systems, creating a transport with this
        /// setting throws ``ConfigurationError``, because the underlying client cannot add certificates there.
        ///
        /// - Parameter bytes: The content of the file, with at least one certificate.
        public static func systemAnd(pem bytes: [UInt8]) -> Self {
            Self(kind: .pem(bytes, withSystem: true))
        }

        /// Trusts only the certificates in a PEM file (RFC 7468), which is read when you create a transport.
        ///
        /// - Parameter name: The option or variable that named the file, for errors.
        package static func file(_ path: String, named name: String) -> Self {
            Self(kind: .file(path, name: name))
        }
    }
}

extension NetworkTransport.TrustRoots {
    /// Returns the TLS configuration; nil to use that of the client unchanged.
    func tlsConfiguration() throws(NetworkTransport.ConfigurationError) -> TLSConfiguration? {
        let certificates: [NIOSSLCertificate]
        var withSystem = false
        switch kind {
        case .system: return nil
        case .pem(let bytes, let addsToSystem):
            certificates = (try? NIOSSLCertificate.fromPEMBytes(bytes)) ?? []
            withSystem = addsToSystem
            guard !certificates.isEmpty else { throw .init("the trust roots contain no PEM certificate, or one of them is damaged") }
        case .file(let path, let name):
            certificates = (try? NIOSSLCertificate.fromPEMFile(path)) ?? []
            guard !certificates.isEmpty else {
                let place = displayable(path, limit: 200)
                throw .init("\(name) names \(place), which cannot be read, contains no PEM certificate, or contains a damaged one")
            }
        }
        var configuration = TLSConfiguration.modern
        if withSystem {
            #if canImport(Network)
            throw .init("on this platform, custom trust roots can only replace the system's, not add to them")
            #else
            configuration.additionalTrustRoots = [.certificates(certificates)]
            #endif
        } else {
            configuration.trustRoots = .certificates(certificates)
        }
        return configuration
    }
}

extension TLSConfiguration {
    /// A client configuration without insecure TLS versions (RFC 8996).
    static var modern: Self {
        var configuration = makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        return configuration
    }
}
