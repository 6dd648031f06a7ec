import AuthHubPrimitives
import HTTPTypes
import OAuthProtocol

/// A response in the format of the seeds: a line with the status and the media type, then the body. `SECRET` in the body is replaced with a
/// marker that only tokens may contain.
struct Answer {
    static let marker = "q7ZkX0fW3vNs9RtB1mLcY5"

    let head: HTTPResponse
    let body: Secret<[UInt8]>

    init(_ input: [UInt8]) {
        let line = input.prefix { $0 != UInt8(ascii: "\n") }
        let words = String(decoding: line, as: UTF8.self).split(separator: " ", maxSplits: 1)
        let status = words.first.flatMap { Int($0) }.map { min(max($0, 200), 599) } ?? 200
        var head = HTTPResponse(status: .init(code: status))
        if words.count > 1 { head.headerFields[.contentType] = String(words[1]) }
        if status == 401 || status == 429 { head.headerFields[.retryAfter] = "7" }
        self.head = head
        body = Secret(Array(input.dropFirst(line.count + 1)).replacing(Array("SECRET".utf8), with: Array(Answer.marker.utf8)))
    }

    /// Whether one of these members contains the marker. These members are human-readable and are shown to the user.
    func isSecretShown(in members: [String]) -> Bool {
        let text = body.reveal()
        if let object = try? JSONValue(strict: text).object {
            return members.contains { object[$0]?.string?.contains(Self.marker) ?? false }
        }
        guard let form = try? FormParameters(decoding: String(decoding: text, as: UTF8.self)) else { return false }
        return members.contains { form.values(named: $0).contains { $0.contains(Self.marker) } }
    }
}

extension OAuthError {
    /// Everything that a program could print of the error.
    var everything: String {
        [description, explanation, String(reflecting: self), underlying.map { String(reflecting: $0) } ?? ""].joined(separator: "\n")
    }
}
