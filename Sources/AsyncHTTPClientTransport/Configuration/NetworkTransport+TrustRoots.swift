import NIOSSL

extension NetworkTransport {
    /// The certificate authorities whose word is taken for who a server is. There is no way to take anybody's.
    public struct TrustRoots: Sendable, Hashable {
        private enum Kind: Hashable {
            case system
            case pem([UInt8], withSystem: Bool)
        }

        private let kind: Kind

        /// Those of the machine.
        public static let system = Self(kind: .system)

        /// The certificates of a PEM text (RFC 7468) and no others: those of the machine are not asked.
        public static func pem(_ bytes: [UInt8]) -> Self {
            Self(kind: .pem(bytes, withSystem: false))
        }

        /// Those of the machine, and the certificates of a PEM text (RFC 7468). Not on Apple systems, where the client has no way to do it.
        public static func systemAnd(pem bytes: [UInt8]) -> Self {
            Self(kind: .pem(bytes, withSystem: true))
        }
    }
}

extension NetworkTransport.TrustRoots {
    /// Nil where the client's own is right.
    func tlsConfiguration() throws(NetworkTransport.ConfigurationError) -> TLSConfiguration? {
        guard case .pem(let bytes, let withSystem) = kind else { return nil }
        let certificates = (try? NIOSSLCertificate.fromPEMBytes(bytes)) ?? []
        guard !certificates.isEmpty else { throw .init("the trust roots have no PEM certificate or a damaged one") }
        var configuration = TLSConfiguration.modern
        if withSystem {
            #if canImport(Network)
            throw .init("custom trust roots cannot be added to those of this system")
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
    /// A client's, without the versions that are not secure (RFC 8996).
    static var modern: Self {
        var configuration = makeClientConfiguration()
        configuration.minimumTLSVersion = .tlsv12
        return configuration
    }
}
