@testable import AuthHubPrimitives
import Testing

struct ReceivedFormTests {
    @Test(arguments: [
        ("a=%E8", "\u{FFFD}"), ("a=%ED%A0%BD", "\u{FFFD}\u{FFFD}\u{FFFD}"), ("a=100%", "100\u{FFFD}"), ("a=%zz", "\u{FFFD}zz"),
        ("a=x%00y", "x\u{FFFD}y"), ("a=%4&b=1", "\u{FFFD}4"),
    ])
    func `a value that cannot be decoded is only for display`(text: String, shown: String) {
        let form = FormParameters(received: text.utf8)
        #expect(form["a"] == shown && form.exact("a") == nil)
        #expect(form.parameters[0].isRepaired)
    }

    @Test func `other parameters stay exact`() {
        let form = FormParameters(received: "state=x%2By&%FC=1&name=%FC&twice=1&twice=1".utf8)
        #expect(form.exact("state") == "x+y" && form.exact("twice") == nil && form.exact("missing") == nil)
        #expect(form.parameters.map(\.isRepaired) == [false, true, true, false, false])
    }

    @Test(arguments: [
        ("\u{FEFF}s3cr3t\r\n", "s3cr3t"), ("client ", "client"), ("\u{A0}\tid\u{200B}", "id"), ("a b", "a b"), ("\u{FEFF} \u{FEFF}", ""),
    ])
    func `what a paste adds around a secret is dropped`(typed: String, expected: String) {
        #expect(typed.withoutPasteRemnants == expected)
    }
}
