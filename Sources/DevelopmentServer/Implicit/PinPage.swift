import AuthHubPrimitives
import HTTPTypes

/// The page that shows the code or the token of a callback for the user to copy, if no program waits for it.
enum PinPage {
    static func show(_ request: IncomingRequest) -> Answer {
        let parameters = request.queryParameters
        if let error = parameters?["error"] {
            return Pages.message(title: "Not signed in", parameters?["error_description"] ?? error).answer(status: .badRequest)
        }
        let code: HTML = parameters?["code"].map { "\($0)" } ?? ""
        return ScriptedPage.answer(
            title: "Copy this",
            content: """
                <h1>Copy this into the application</h1>
                <p><code id="pin">\(code)</code></p>
                <noscript><p>Without scripts this page cannot show a token: copy its whole address instead.</p></noscript>
                """,
            // The token is in the fragment, which is not sent to the server.
            script: """
                const token=new URLSearchParams(location.hash.slice(1)).get("access_token");\
                if(token){document.querySelector("#pin").textContent=token;history.replaceState(null,"",location.pathname)}
                """)
    }
}

/// The response to an authorization request with `response_mode=form_post` (OAuth 2.0 Form Post Response Mode §2).
enum FormPostPage {
    static func answer(_ parameters: FormParameters, to redirectURI: String) -> Answer {
        let fields: HTML = parameters.parameters.map { parameter -> HTML in
            "<input type=\"hidden\" name=\"\(parameter.name)\" value=\"\(parameter.value)\">"
        }.joined()
        return ScriptedPage.answer(
            title: "Back to the application",
            content: """
                <h1>Back to the application</h1>
                <form method="post" action="\(redirectURI)">\(fields)<button type="submit" class="primary">Continue</button></form>
                """,
            script: "document.forms[0].submit()", formTargets: RedirectURI.policySource(of: redirectURI).map { [$0] } ?? [])
    }
}

/// A page with one script.
enum ScriptedPage {
    static func answer(title: String, content: HTML, script: HTML, formTargets: [String] = []) -> Answer {
        let nonce = Base64URL.encode(randomBytes(count: 16))
        var answer = Page(
            title: title, content: "\(content)\n<script nonce=\"\(nonce)\">\(script)</script>", formTargets: formTargets
        ).answer()
        answer.headers[.contentSecurityPolicy]? += "; script-src 'nonce-\(nonce)'"
        return answer
    }
}
