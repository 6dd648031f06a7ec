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
                <h1>Copy this code into the application</h1>
                <p><code id="pin">\(code)</code></p>
                <noscript><p>Without JavaScript, this page cannot show a token. Copy the page's whole URL instead.</p></noscript>
                """,
            // The token is in the fragment, which is not sent to the server.
            script: """
                const token=new URLSearchParams(location.hash.slice(1)).get("access_token");\
                if(token){document.querySelector("#pin").textContent=token;history.replaceState(null,"",location.pathname)}
                """)
    }
}
