import AuthHubPrimitives
import HTTPLoading
import Platform
import Testing

struct TextBodyTests {
    @Test func `a form keeps order and repetitions`() throws {
        let body = RequestBody.form(["scope": "a b", "a&=": "%+~*", "": "é", "scope": ""])
        #expect(body.bytes == Array("scope=a+b&a%26%3D=%25%2B%7E*&=%C3%A9&scope=".utf8))
        #expect(body.contentType == "application/x-www-form-urlencoded")
        #expect(body.replay == .always)
    }

    @Test func `a JSON string has its content type`() {
        let body = RequestBody.json(["title": "é", "number": 1])
        #expect(body.bytes == Array(#"{"title":"é","number":1}"#.utf8))
        #expect(body.contentType == "application/json")
    }

    @Test func `encodes a value with the given encoder`() throws {
        struct Issue: Encodable {
            let createdAt = Date(timeIntervalSince1970: 0)
            let issueTitle = "a/b"
        }
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let body = try RequestBody.json(encoding: Issue(), with: encoder)
        #expect(body.bytes == Array(#"{"createdAt":"1970-01-01T00:00:00Z","issueTitle":"a/b"}"#.utf8))
        #expect(body.contentType == "application/json")
        #expect(try RequestBody.json(encoding: [1, 2]).bytes == Array("[1,2]".utf8))
    }

    @Test func `the error does not quote a value that cannot be encoded`() {
        struct Secretive: Encodable {
            func encode(to encoder: any Encoder) throws {
                throw EncodingError.invalidValue("canary", .init(codingPath: [], debugDescription: "canary"))
            }
        }
        let errors = [
            #expect(throws: LoadError.self) { try RequestBody.json(encoding: Secretive()) },
            #expect(throws: LoadError.self) { try RequestBody.json(encoding: ["canary": Double.infinity]) },
        ]
        for error in errors {
            #expect(error?.code == .invalidRequest)
            #expect(error?.mayHaveBeenSent == false)
            #expect(!dumped(error).contains("canary"))
        }
    }
}
