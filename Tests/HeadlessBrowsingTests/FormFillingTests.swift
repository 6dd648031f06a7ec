@testable import HeadlessBrowsing
import AuthHubPrimitives
import Testing

struct FormFillingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let html: String
        var refuses = false
        /// The form that is submitted; nil if no form continues the sign-in.
        let sent: String?
        var signsIn = false
    }

    static let rows: [Row] = [
        Row(
            testDescription: "sign-in: name and password in their fields, the rest unchanged",
            html:
                "<form method=post><input type=hidden name=t value=1><input name=username><input type=password name=password><button>Sign in</button></form>",
            sent: "t=1&username=octocat&password=secret", signsIn: true),
        Row(
            testDescription: "sign-in before a search form",
            html:
                "<form action=/search><input name=q></form><form method=post><input type=email name=login><input type=password name=pw></form>",
            sent: "login=octocat&pw=secret", signsIn: true),
        Row(
            testDescription: "a provider that asks only for a name",
            html: "<form method=post><input name=sub><button>Authorize</button><button name=action value=deny>Deny</button></form>",
            sent: "sub=octocat"),
        Row(
            testDescription: "consent is given",
            html:
                "<form method=post><button name=decision value=cancel>Cancel</button><button name=decision value=allow>Allow</button></form>",
            sent: "decision=allow"),
        Row(
            testDescription: "consent is denied",
            html:
                "<form method=post><button name=decision value=allow>Allow</button><button name=decision value=cancel>Cancel</button></form>",
            refuses: true, sent: "decision=cancel"),
        Row(
            testDescription: "a user who denies consent still signs in",
            html:
                "<form method=post><input name=user><input type=password name=p><button>Sign in</button><button name=c value=cancel>Cancel</button></form>",
            refuses: true, sent: "user=octocat&p=secret", signsIn: true),
        Row(
            testDescription: "consent next to a cancel button",
            html:
                "<form method=post action=/logout><button>Sign out</button></form><form method=post><input type=submit name=allow value=Authorize></form>",
            sent: "allow=Authorize"),
        Row(testDescription: "nothing to fill in", html: "<p>The client is unknown.</p>", sent: nil),
    ]

    @Test(arguments: rows)
    func `fills in a page as a user who wants access would`(row: Row) {
        let filling = FormFilling(user: "octocat", password: Secret("secret"), refuses: row.refuses)
        let submission = filling.fill(HTMLPage(row.html))
        #expect(submission?.parameters.encoded() == row.sent)
        #expect((submission?.signsIn ?? false) == row.signsIn)
    }
}
