#if canImport(Darwin) || URLSESSION_ON_LINUX
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes

#if canImport(FoundationNetworking)
import Foundation
import FoundationNetworking
#else
import Foundation
#endif

extension URLRequest {
    /// Creates the system's request. `Host` and framing are up to the system.
    init(_ request: LoadRequest) throws(LoadError) {
        guard let target = RequestTarget(request.head), let url = URL(string: target.url) else {
            throw LoadError(.invalidRequest, for: request, explanation: "the request's target is not an http or https URL")
        }
        self.init(url: url, cachePolicy: .reloadIgnoringLocalCacheData)
        httpMethod = request.head.method.rawValue
        httpShouldHandleCookies = false
        // The transport enforces the timeout itself; this one only limits the time between two bytes.
        timeoutInterval = 7 * 86_400
        for field in request.head.headerFields where !Self.namesWrittenApart.contains(field.name.canonicalName) {
            addValue(field.value, forHTTPHeaderField: field.name.rawName)
        }
        // One field for all of them (RFC 6265 §5.4).
        if let cookies = request.head.headerFields[.cookie] { setValue(cookies, forHTTPHeaderField: "Cookie") }
        if request.head.headerFields[.contentType] == nil, let contentType = request.body.contentType {
            guard HTTPField.isValidValue(contentType) else {
                throw LoadError(.invalidRequest, for: request, explanation: "the body's content type is not a valid header field value")
            }
            setValue(contentType, forHTTPHeaderField: "Content-Type")
        }
        if request.body.bytes == nil, let length = request.body.length {
            setValue(String(length), forHTTPHeaderField: "Content-Length")
        }
    }

    /// Fields that follow from the target and the body. A caller's value could only contradict them.
    private static let namesWrittenApart: Set<String> = ["host", "content-length", "transfer-encoding", "cookie"]
}

extension HTTPResponse {
    /// Creates the response. The system has already joined repeated fields with commas and decompressed the body.
    ///
    /// Returns nil if the status is not valid (RFC 9110 §15).
    init?(_ response: HTTPURLResponse) {
        guard 100...999 ~= response.statusCode else { return nil }
        let coding = response.value(forHTTPHeaderField: "Content-Encoding")?.lowercased()
        let isDecompressed = coding.map { $0 != "identity" } ?? false
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            guard let name = (name as? String).flatMap({ HTTPField.Name($0) }), let value = value as? String else { continue }
            if isDecompressed, name == .contentEncoding || name == .contentLength { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        self.init(status: Status(code: response.statusCode), headerFields: fields)
    }
}

extension LoadError {
    /// Creates the error of a request from an error of URLSession: `.cannotConnect` and `.notSecure` only if the request was certainly not
    /// sent.
    init(session error: any Error, for request: LoadRequest) {
        guard let error = error as? URLError else {
            self.init(.connectionLost, for: request)
            return
        }
        let code: Code =
            switch error.code {
            case .timedOut: .timedOut
            case .cancelled: .cancelled
            case .badURL, .unsupportedURL: .invalidRequest
            case .requestBodyStreamExhausted: .bodySpent
            case .cannotFindHost, .cannotConnectToHost, .dnsLookupFailed, .notConnectedToInternet: .cannotConnect
            case .secureConnectionFailed, .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
                .serverCertificateNotYetValid, .clientCertificateRejected, .clientCertificateRequired,
                .appTransportSecurityRequiresSecureConnection:
                .notSecure
            case .cannotParseResponse, .cannotDecodeRawData, .cannotDecodeContentData: .invalidResponse
            default: .connectionLost
            }
        // The error itself contains the whole URL.
        self.init(code, for: request, explanation: "URLError \(error.code.rawValue)")
    }

    static func spent(_ request: LoadRequest) -> Self {
        LoadError(.bodySpent, for: request, explanation: "the request body can only be sent once and was already sent")
    }
}
#endif
