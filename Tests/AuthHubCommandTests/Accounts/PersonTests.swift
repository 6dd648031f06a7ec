@testable import AuthHubCommand
import AuthHubPrimitives
import OAuthProtocol
import Testing

struct PersonTests {
    struct NoToken: Error {}

    private static func token(_ claims: KeyValuePairs<String, JSONValue>) throws -> IDToken {
        var object = JSONObject()
        object["iss"] = "https://login.example"
        object["sub"] = "248289761001"
        object["aud"] = "app"
        object["iat"] = 1_800_000_000
        object["exp"] = 1_800_003_600
        for (name, value) in claims { object[name] = value }
        let parts = [JSONValue.object(JSONObject()), .object(object)].map { Base64URL.encode($0.serialized()) }
        guard let token = IDToken(stored: Secret("\(parts[0]).\(parts[1]).c2ln")) else { throw NoToken() }
        return token
    }

    @Test func `names the user, and always the identifier at the issuer`() throws {
        let jane = try Self.token(["name": "Jane Doe"])
        #expect(jane.words == "Jane Doe (user ID 248289761001 at https://login.example)")
        #expect(jane.summary == ["issuer": "https://login.example", "subject": "248289761001", "name": "Jane Doe"])
        let nameless = try Self.token([:])
        #expect(nameless.words == "user ID 248289761001 at https://login.example")
        #expect(nameless.summary["name"] == .null)
        let hostile = try Self.token(["name": "a\u{1B}[2J\nb", "sub": "c\u{202E}"])
        #expect(hostile.words == "a[2Jb (user ID c\\u202e at https://login.example)")
    }

    @Test func `shows the user first, and who verified that on a line of its own`() throws {
        let person = Person(try Self.token(["preferred_username": "jane", "name": "Jane Doe"]), nil)
        let text = person.text(Style(isColored: false), without: Redaction([]))
        #expect(text == "jane  Jane Doe\nidentity verified: user ID 248289761001 at https://login.example")
        let unverified = Person(JSONObject(), subject: "1").text(Style(isColored: false), without: Redaction([]))
        #expect(unverified == "1")
    }
}
