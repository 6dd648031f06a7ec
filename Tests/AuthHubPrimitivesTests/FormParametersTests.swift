import AuthHubPrimitives
import Testing

struct FormParametersTests {
    /// RFC 6749 appendix B, and clients' names and secrets in HTTP Basic (RFC 6749 §2.3.1).
    static let vectors: [(plain: String, encoded: String)] = [
        (" %&+£€", "+%25%26%2B%C2%A3%E2%82%AC"),
        ("t _9V-F*I+Z1Lk.u7:2/8L+w=", "t+_9V-F*I%2BZ1Lk.u7%3A2%2F8L%2Bw%3D"),
        ("", ""),
        ("az AZ 09 -._*", "az+AZ+09+-._*"),
        ("~!'()", "%7E%21%27%28%29"),
        ("\r\n\t", "%0D%0A%09"),
        ("👩‍👩‍👧", "%F0%9F%91%A9%E2%80%8D%F0%9F%91%A9%E2%80%8D%F0%9F%91%A7"),
    ]

    @Test(arguments: vectors)
    func `encodes text as the RFC shows, and decodes it again`(plain: String, encoded: String) throws {
        #expect(FormParameters.encode(plain) == encoded)
        #expect(try FormParameters(decoding: "a=\(encoded)")["a"] == plain)
    }

    @Test func `a space can be written as an escape, and both forms are read`() throws {
        #expect(FormParameters.encode(" %&+£€", spaces: .percent) == "%20%25%26%2B%C2%A3%E2%82%AC")
        #expect(try FormParameters(decoding: "a=b+c&d=e%20f") == ["a": "b c", "d": "e f"])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let expected: FormParameters
    }

    @Test(arguments: [
        Row(testDescription: "nothing", text: "", expected: [:]),
        Row(testDescription: "order and repetitions", text: "b=1&a=2&b=1", expected: ["b": "1", "a": "2", "b": "1"]),
        Row(testDescription: "names without a value", text: "flag&a=&b", expected: ["flag": "", "a": "", "b": ""]),
        Row(testDescription: "empty pairs", text: "&&a=1&", expected: ["a": "1"]),
        Row(testDescription: "an empty name", text: "=1", expected: ["": "1"]),
        Row(testDescription: "equals signs in a value", text: "a=b=c==", expected: ["a": "b=c=="]),
        Row(testDescription: "delimiters as escapes", text: "%61%26=%3D%26", expected: ["a&": "=&"]),
        Row(testDescription: "escapes in either case", text: "a=%c3%A9", expected: ["a": "é"]),
        Row(testDescription: "characters that are not escaped", text: "a=é", expected: ["a": "é"]),
        Row(testDescription: "nothing is decoded twice", text: "a=%2541", expected: ["a": "%41"]),
        Row(testDescription: "a semicolon is not a separator", text: "a=1;b=2", expected: ["a": "1;b=2"]),
    ])
    func `reads pairs in their order`(row: Row) throws {
        #expect(try FormParameters(decoding: row.text) == row.expected)
    }

    @Test(arguments: [
        ("a=%", FormDecodingError.incompleteEscape), ("a=%4", .incompleteEscape), ("%zz=1", .incompleteEscape),
        ("a=%+1", .incompleteEscape),
        ("a=%-1", .incompleteEscape), ("a=%4&b=1", .incompleteEscape),
        ("a=%C0%80", .notUTF8), ("a=%C0%AF", .notUTF8), ("a=%E0%80%AF", .notUTF8), ("a=%F5%80%80%80", .notUTF8), ("a=%ED%A0%80", .notUTF8),
        ("a=%80", .notUTF8), ("a=%C3", .notUTF8), ("%FF=1", .notUTF8),
        ("a=%00", .nulCharacter), ("%00=a", .nulCharacter), ("a=b\u{0}", .nulCharacter),
    ])
    func `rejects malformed text instead of repairing it`(text: String, expected: FormDecodingError) {
        #expect(throws: expected) { try FormParameters(decoding: text) }
    }

    @Test func `decodes what was encoded, in order`() throws {
        let parameters: FormParameters = ["scope": "a b", "a&=": "%+", "": "é", "scope": ""]
        for spaces in [FormParameters.SpaceCoding.plus, .percent] {
            #expect(try FormParameters(decoding: parameters.encoded(spaces: spaces)) == parameters)
        }
        #expect(parameters.encoded() == "scope=a+b&a%26%3D=%25%2B&=%C3%A9&scope=")
    }

    @Test func `finds values by name, including repetitions`() {
        var parameters: FormParameters = ["a": "1", "b": "2", "a": "3"]
        #expect(parameters["a"] == "1")
        #expect(parameters["c"] == nil)
        #expect(parameters.values(named: "a") == ["1", "3"])
        parameters.append("c", ifPresent: nil)
        parameters.append("c", ifPresent: "4")
        parameters.set("a", to: "5")
        parameters.set("d", to: "6")
        #expect(parameters == ["a": "5", "b": "2", "c": "4", "d": "6"])
    }

    @Test func `compares names byte for byte`() throws {
        let parameters = try FormParameters(decoding: "%E2%84%AA=kelvin&K=letter&e%CC%81=two&%C3%A9=one")
        #expect(parameters["K"] == "letter")
        #expect(parameters.values(named: "\u{E9}") == ["one"])
        #expect(FormParameters(["\u{E9}": ""].map { .init(name: $0.key, value: $0.value) }) != ["e\u{301}": ""])
        var changed = parameters
        changed.set("K", to: "changed")
        #expect(changed["\u{212A}"] == "kelvin")
    }
}
