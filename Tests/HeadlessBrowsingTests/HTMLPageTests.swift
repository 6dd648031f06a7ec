@testable import HeadlessBrowsing
import Testing

struct HTMLPageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let html: String
        let forms: [HTMLForm]
    }

    static let rows: [Row] = [
        Row(testDescription: "no form", html: "<p>Hello", forms: []),
        Row(
            testDescription: "fields and a button in their order, escapes resolved",
            html:
                #"<form method="post" action="/s?a=1&amp;b=2"><input type=hidden name='t' value="&quot;x&#39;"><INPUT NAME=u><button>Go on</button></form>"#,
            forms: [
                HTMLForm(
                    action: "/s?a=1&b=2", isPost: true,
                    fields: [.init(name: "t", value: "\"x'", kind: "hidden"), .init(name: "u", value: "", kind: "text")],
                    buttons: [.init(name: nil, value: "", label: "Go on", action: nil)])
            ]),
        Row(
            testDescription: "scripts, styles, comments and text areas contain no tags",
            html: "<script>'<form>'</script><style><form></style><!-- <form> --><form><textarea name=t><form></textarea></form>",
            forms: [HTMLForm(fields: [.init(name: "t", value: "<form>", kind: "textarea")])]),
        Row(
            testDescription: "disabled, unnamed and other elements are not sent",
            html: "<form><input name=a disabled><input value=b><input type=reset name=c><input type=button name=d></form>",
            forms: [HTMLForm()]),
        Row(
            testDescription: "boxes are ticked, radio buttons stay, the selected option counts",
            html: "<form><input type=checkbox name=s value=repo><input type=radio name=r value=1><input type=radio name=r value=2 checked>"
                + "<select name=l><option value=a><option value=b selected></select></form>",
            forms: [
                HTMLForm(fields: [
                    .init(name: "s", value: "repo", kind: "checkbox"), .init(name: "r", value: "2", kind: "radio"),
                    .init(name: "l", value: "b", kind: "select"),
                ])
            ]),
        Row(
            testDescription: "a button outside belongs to the form it names",
            html: "<form id=f></form><button form=f name=d value=yes formaction=/x>Yes</button>",
            forms: [HTMLForm(id: "f", buttons: [.init(name: "d", value: "yes", label: "Yes", action: "/x")])]),
        Row(
            testDescription: "reads truncated text as far as possible", html: "<form><input name=a value=\"b",
            forms: [
                HTMLForm(fields: [.init(name: "a", value: "b", kind: "text")])
            ]),
        Row(testDescription: "a lone angle bracket is text", html: "1 < 2 <form></form>", forms: [HTMLForm()]),
    ]

    @Test(arguments: rows)
    func `finds the forms that a page's text describes`(row: Row) {
        #expect(HTMLPage(row.html).forms == row.forms)
    }

    @Test func `keeps text and title for messages, and a refresh for following`() {
        let page = HTMLPage("<title>Error:\n sign in</title><p>Not   &lt;this&gt;</p><meta http-equiv=Refresh content=\"0; URL='/next'\">")
        #expect(page.title == "Error: sign in")
        #expect(page.text == "Not <this>")
        #expect(page.refresh == "/next")
    }

    @Test(arguments: [
        ("no message", "<p>Hello</p>", ""),
        ("an alert", #"<h1>Sign in</h1><p role="alert">Wrong <b>password</b>.</p><p>Help</p>"#, "Wrong password ."),
        ("elements of the same name inside", "<div role=Alert><div>Wrong</div> password</div><div>Help</div>", "Wrong password"),
        ("a live region", "<span aria-live=polite>Wrong password</span><p>Help", "Wrong password"),
        ("two messages", "<p role=alert>One</p><p role=alert>Two</p>", "One Two"),
        ("an element without an end", "<input role=alert><p>Help</p>", ""),
        ("an empty message", "<p role=alert></p><p>Help</p>", ""),
    ])
    func `reads the messages of a page`(description: String, html: String, message: String) {
        #expect(HTMLPage(html).problem == message, "\(description)")
    }
}
