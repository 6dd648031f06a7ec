import AsyncHTTPClient
import HTTPLoading
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSOCKS
import NIOSSL
import Platform

#if canImport(Network)
import Network
#endif

extension LoadError {
    /// Creates the error of a request from a network error: `.cannotConnect` and `.notSecure` only if the request was certainly not sent.
    init(network error: any Error, for request: LoadRequest) {
        switch error {
        case let error as LoadError:
            self = error
        case is CancellationError:
            self.init(.cancelled, for: request)
        case let error as HTTPClientError:
            self.init(client: error, for: request)
        case let error as NIOConnectionError:
            self.init(
                .cannotConnect, for: request,
                explanation: error.connectionErrors.isEmpty ? "no address was found for the host" : "the host refused the connection",
                underlying: error)
        case ChannelError.connectTimeout:
            self.init(.cannotConnect, for: request, explanation: "the host did not respond in time", underlying: error)
        case is SocketAddressError:
            self.init(.cannotConnect, for: request, underlying: error)
        case let error as IOError where Self.errnosBeforeConnection.contains(error.errnoCode):
            self.init(.cannotConnect, for: request, explanation: "the host refused the connection", underlying: error)
        case NIOSSLError.handshakeFailed, NIOSSLError.unableToValidateCertificate, NIOSSLError.noCertificateToValidate, is NIOSSLExtraError:
            self.init(
                .notSecure, for: request,
                explanation:
                    "the TLS handshake failed; the certificate is not trusted or belongs to another host, or the server does not use TLS",
                underlying: error)
        case HTTPParserError.headerOverflow:
            self.init(
                .tooLarge, for: request,
                explanation: "the response has more than 256 header fields, one of more than 80 KiB, or a head of more than 1 MiB")
        case NIOHTTPDecompression.DecompressionError.limit:
            self.init(.tooLarge, for: request, explanation: "the decompressed body is larger than the transport's limit")
        case HTTPParserError.invalidEOFState:
            self.init(.connectionLost, for: request, explanation: "the response was cut off", underlying: error)
        case let error as NIOHTTPDecompression.ExtraDecompressionError where error == .truncatedData:
            self.init(.connectionLost, for: request, explanation: "the compressed body was cut off", underlying: error)
        case is NIOHTTPDecompression.DecompressionError, is NIOHTTPDecompression.ExtraDecompressionError:
            self.init(.invalidResponse, for: request, explanation: "the compressed body is damaged", underlying: error)
        case is HTTPParserError:
            self.init(.invalidResponse, for: request, explanation: "the response is not valid HTTP", underlying: error)
        case is SOCKSError.ConnectionFailed, is SOCKSError.NoValidAuthenticationMethod, is SOCKSError.InvalidAuthenticationSelection,
            is SOCKSError.InvalidProtocolVersion, is SOCKSError.InvalidReservedByte, is SOCKSError.InvalidAddressType,
            is SOCKSError.UnexpectedRead, is SOCKSError.InvalidClientState, is SOCKSError.InvalidServerState:
            self.init(.cannotConnect, for: request, explanation: "the SOCKS proxy could not connect", underlying: error)
        default:
            #if canImport(Network)
            self.init(networkFramework: error, for: request)
            #else
            self.init(.connectionLost, for: request, underlying: error)
            #endif
        }
    }

    /// Returns the error with the proxy, which may be the host that could not be reached.
    func through(_ proxy: NetworkTransport.Proxy?, for request: LoadRequest) -> LoadError {
        guard let proxy, code == .cannotConnect else { return self }
        return LoadError(
            code, for: request, explanation: "\(explanation ?? "no connection"), through the proxy \(proxy.place)", underlying: underlying)
    }

    private init(client error: HTTPClientError, for request: LoadRequest) {
        let code: Code
        switch error {
        case .deadlineExceeded, .readTimeout, .writeTimeout:
            code = .timedOut
        case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout, .alreadyShutdown,
            .httpProxyHandshakeTimeout, .socksHandshakeTimeout, .proxyAuthenticationRequired, .invalidProxyResponse:
            code = .cannotConnect
        case .invalidURL, .emptyHost, .emptyScheme, .traceRequestWithBody, .invalidLocalAddress:
            code = .invalidRequest
        case .cancelled where Task.isCancelled:
            code = .cancelled
        default:
            code = Self.codesByDescription[error.shortDescription] ?? .connectionLost
        }
        let explanation =
            switch error {
            case .proxyAuthenticationRequired: "the proxy rejected the user name and password, or requires them"
            case .invalidProxyResponse: "the proxy refused to connect to the host"
            // The client's error may contain field values; its short description does not.
            default: error.shortDescription.lowercased()
            }
        self.init(code, for: request, explanation: explanation)
    }

    /// Errors that can only be recognized by their descriptions, because they have associated values.
    private static let codesByDescription: [String: Code] = [
        HTTPClientError.unsupportedScheme("").shortDescription: .invalidRequest,
        HTTPClientError.invalidHeaderFieldNames([]).shortDescription: .invalidRequest,
        HTTPClientError.invalidHeaderFieldValues([]).shortDescription: .invalidRequest,
        HTTPClientError.serverOfferedUnsupportedApplicationProtocol("").shortDescription: .notSecure,
    ]

    private static let errnosBeforeConnection: Set<CInt> = [
        ECONNREFUSED, EADDRNOTAVAIL, ENETUNREACH, EHOSTUNREACH, ENETDOWN, EACCES, EPERM,
    ]

    #if canImport(Network)
    private init(networkFramework error: any Error, for request: LoadRequest) {
        switch error {
        case is HTTPClient.NWTLSError:
            self.init(.notSecure, for: request, underlying: error)
        case NWError.dns:
            self.init(.cannotConnect, for: request, underlying: error)
        case let error as HTTPClient.NWPOSIXError where Self.errnosBeforeConnection.contains(error.errorCode.rawValue):
            self.init(.cannotConnect, for: request, underlying: error)
        default:
            self.init(.connectionLost, for: request, underlying: error)
        }
    }
    #endif
}
