import AuthHubPrimitives

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
