import AuthHubPrimitives
import HTTPTypes
@testable import OAuthProtocol
import Testing

struct KeySetResponseTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var status = 200
        var mediaType: String? = "application/json"
        var body = """
            {"keys":[{"kty":"EC","crv":"P-256","kid":"1","x":"MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4",\
            "y":"4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM"}]}
            """
        var isAccepted = false
    }

    @Test(arguments: [
        Row(testDescription: "JSON", isAccepted: true),
        Row(testDescription: "the media type of key sets", mediaType: "application/jwk-set+json; charset=utf-8", isAccepted: true),
        Row(testDescription: "plain text that is JSON", mediaType: "text/plain", isAccepted: true),
        Row(testDescription: "JK01: a web page", mediaType: "text/html", body: "<html></html>"),
        Row(testDescription: "DD29: JSON with the media type of a web page", mediaType: "text/html", isAccepted: true),
        Row(testDescription: "DD29: JSON as binary data", mediaType: "application/octet-stream", isAccepted: true),
        Row(testDescription: "DD29: JSON without a media type", mediaType: nil, isAccepted: true),
        Row(testDescription: "DD29: a byte order mark", body: "\u{FEFF}{\"keys\":[]}", isAccepted: true),
        Row(testDescription: "JK01: another status", status: 404), Row(testDescription: "JK01: a redirect", status: 302),
        Row(testDescription: "JK02: no keys", body: "{}"),
        Row(testDescription: "JK02: keys is an object", body: #"{"keys":{}}"#),
        Row(testDescription: "JK02: a key is a string", body: #"{"keys":["k"]}"#), Row(testDescription: "not JSON", body: "keys"),
        Row(testDescription: "JK13: more than 256 KiB", body: #"{"keys":[]}"# + String(repeating: " ", count: 256 * 1024)),
    ])
    func `checks the response with the key set`(row: Row) {
        var head = HTTPResponse(status: .init(code: row.status))
        head.headerFields[.contentType] = row.mediaType
        do throws(OAuthError) {
            let response = try KeySetResponse(head, body: Secret(Array(row.body.utf8)), at: "https://as.example/keys")
            #expect(row.isAccepted)
            #expect(response.irregularities.isEmpty == (row.mediaType != "text/html" && !row.body.hasPrefix("\u{FEFF}")))
        } catch {
            #expect(!row.isAccepted && error.code == .invalidResponse && error.explanation.contains("https://as.example/keys"), "\(error)")
        }
    }
}
