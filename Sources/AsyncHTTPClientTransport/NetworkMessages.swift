import AsyncHTTPClient
import AuthHubPrimitives
import HTTPLoading
import HTTPTypes
import NIOCore
import NIOHTTP1

extension HTTPClientRequest {
    /// The request as it goes out: repeats of a field kept, `Host` from the authority, framing left to the client.
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
        self.init(url: target.url)
        method = HTTPMethod(rawValue: head.method.rawValue)
        headers = [:]
        headers.add(name: "Host", value: authority)
        for field in head.headerFields where !Self.namesWrittenApart.contains(field.name.canonicalName) {
            headers.add(name: field.name.rawName, value: field.value)
        }
        // One field for all of them (RFC 6265 §5.4): a list that is split as HTTP/2 likes it loses all but one at some servers.
        if let cookies = head.headerFields[.cookie] { headers.add(name: "Cookie", value: cookies) }
        if head.headerFields[.contentType] == nil, let contentType = request.body.contentType {
            headers.add(name: "Content-Type", value: contentType)
        }
        if head.headerFields[.userAgent] == nil {
            headers.add(name: "User-Agent", value: configuration.userAgent)
        }
        // The client would ask by itself, in words of its own; a range of compressed bytes could not be undone.
        if configuration.decompression.isOn, head.headerFields[.acceptEncoding] == nil {
            headers.add(name: "Accept-Encoding", value: head.headerFields[.range] == nil ? "gzip" : "identity")
        }
    }

    /// Fields that follow from the target and the body; a caller's value could only contradict them.
    private static let namesOfFraming: Set<String> = ["host", "content-length", "transfer-encoding"]
    private static let namesWrittenApart = namesOfFraming.union(["cookie"])
}

extension HTTPResponse {
    /// Without the fields that speak of compressed bytes, where the reader will see none.
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
    /// The length of the body by its `Content-Length` (RFC 9110 §8.6), where the response can have a body at all.
    func announcedLength(for method: HTTPTypes.HTTPRequest.Method) -> Int? {
        guard canHaveBody(for: method) else { return 0 }
        return headers.first(name: "Content-Length").flatMap { Int($0) }
    }

    /// Whether the client undoes the compression of the body.
    ///
    /// - Throws: for a body that was compressed more than once: the client undoes what stands first, which is not the outermost.
    func isDecompressed(for request: LoadRequest, by decompression: NetworkTransport.Decompression) throws(LoadError) -> Bool {
        let codings = headers[canonicalForm: "Content-Encoding"]
        guard decompression.isOn, canHaveBody(for: request.head.method), let coding = codings.first?.lowercased(),
            ["gzip", "deflate"].contains(coding)
        else { return false }
        guard codings.count == 1 else {
            throw LoadError(.connectionLost, for: request, explanation: "the response body is compressed more than once")
        }
        return true
    }

    private func canHaveBody(for method: HTTPTypes.HTTPRequest.Method) -> Bool {
        method != .head && ![204, 304].contains(status.code)
    }
}
