import AsyncHTTPClient
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import NIOCore
import NIOHTTP1

extension HTTPClientRequest {
    /// Creates the client's request. Repeated fields are preserved, `Host` follows from the authority, and framing is up to the client.
    init(_ request: LoadRequest, as configuration: NetworkTransport.Configuration) throws(LoadError) {
        let head = request.head
        guard head.scheme != nil, let authority = head.authority else {
            throw LoadError(
                .invalidRequest, for: request,
                explanation: "the request's URL has no host; use an absolute URL, or add an EnvironmentLoader to the chain")
        }
        guard let target = RequestTarget(head) else {
            throw LoadError(
                .invalidRequest, for: request,
                explanation: "the request's target is not an http or https URL, or has characters that must be percent-encoded")
        }
        // AsyncHTTPClient would send the request to “/” instead, which may be outside the part of the server that the token is for.
        guard target.path.isDecodable else {
            throw LoadError(
                .invalidRequest, for: request, explanation: "the path of the request's URL has percent-encoded bytes that are not UTF-8")
        }
        self.init(url: target.url)
        method = HTTPMethod(rawValue: head.method.rawValue)
        headers = [:]
        headers.add(name: "Host", value: authority)
        for field in head.headerFields where !Self.namesWrittenApart.contains(field.name.canonicalName) {
            headers.add(name: field.name.rawName, value: field.value)
        }
        // A single field for all cookies (RFC 6265 §5.4): some servers lose all but one if the list is split, as HTTP/2 prefers.
        if let cookies = head.headerFields[.cookie] { headers.add(name: "Cookie", value: cookies) }
        if head.headerFields[.contentType] == nil, let contentType = request.body.contentType {
            headers.add(name: "Content-Type", value: contentType)
        }
        if head.headerFields[.userAgent] == nil {
            headers.add(name: "User-Agent", value: configuration.userAgent)
        }
        // The client would add its own field, and the range of a compressed body could not be decompressed.
        if configuration.decompression.isOn, head.headerFields[.acceptEncoding] == nil {
            headers.add(name: "Accept-Encoding", value: head.headerFields[.range] == nil ? "gzip" : "identity")
        }
    }

    /// Fields that follow from the target and the body. A caller's value could only contradict them.
    private static let namesOfFraming: Set<String> = ["host", "content-length", "transfer-encoding"]
    private static let namesWrittenApart = namesOfFraming.union(["cookie"])
}

extension String {
    /// Whether the path before the query is UTF-8 after percent-decoding.
    fileprivate var isDecodable: Bool {
        let path = utf8.prefix { $0 != UInt8(ascii: "?") }
        guard path.contains(UInt8(ascii: "%")) else { return true }
        var bytes: [UInt8] = []
        var rest = path[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2, let decoded = UInt8(String(Substring(rest.prefix(2))), radix: 16) {
                bytes.append(decoded)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) != nil
    }
}

extension HTTPResponse {
    /// Creates the response, without the fields that describe compressed bytes if the body is decompressed.
    init(_ response: HTTPClientResponse, isDecompressed: Bool) {
        var fields = HTTPFields()
        for (name, value) in response.headers {
            guard let name = HTTPField.Name(name) else { continue }
            fields.append(HTTPField(name: name, value: value))
        }
        if isDecompressed {
            fields[.contentEncoding] = nil
            fields[.contentLength] = nil
        }
        self.init(
            status: Status(code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase),
            headerFields: fields)
    }
}

extension HTTPClientResponse {
    /// Returns the length of the body according to `Content-Length` (RFC 9110 §8.6), if the response can have a body at all.
    func announcedLength(for method: HTTPTypes.HTTPRequest.Method) -> Int? {
        guard canHaveBody(for: method) else { return 0 }
        return headers.first(name: "Content-Length").flatMap { Int($0) }
    }

    /// Returns whether the client decompresses the body.
    ///
    /// - Throws: An error if the body was compressed more than once, because the client undoes the coding that is listed first, which is
    ///   not the outermost.
    func isDecompressed(for request: LoadRequest, by decompression: NetworkTransport.Decompression) throws(LoadError) -> Bool {
        let codings = headers[canonicalForm: "Content-Encoding"]
        guard decompression.isOn, canHaveBody(for: request.head.method), let coding = codings.first?.lowercased(),
            ["gzip", "deflate"].contains(coding)
        else { return false }
        guard codings.count == 1 else {
            throw LoadError(.invalidResponse, for: request, explanation: "the response body is compressed more than once")
        }
        return true
    }

    private func canHaveBody(for method: HTTPTypes.HTTPRequest.Method) -> Bool {
        method != .head && ![204, 304].contains(status.code)
    }
}
