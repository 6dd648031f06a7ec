import AuthHubPrimitives

extension Pages {
    static func deviceCode(action: String, userCode: String, problem: String?) -> Page {
        let message: HTML = problem.map { "<p class=\"error\" id=\"problem\" role=\"alert\">\($0)</p>" } ?? ""
        let described: HTML = problem == nil ? "" : " aria-describedby=\"problem\" aria-invalid=\"true\""
        return Page(
            title: problem == nil ? "Sign in a device" : "Error: Sign in a device",
            content: """
                <h1>Enter the code that your device shows</h1>
                \(message)
                <form method="get" action="\(action)">
                <label for="user_code">Code</label>
                <input type="text" id="user_code" name="user_code" value="\(userCode)" autocomplete="one-time-code" \
                autocapitalize="characters" spellcheck="false" required autofocus\(described)>
                <div class="buttons"><button type="submit" class="primary">Continue</button></div>
                </form>
                """)
    }

    static func deviceConsent(
        for client: String, userName: String, scope: [String], userCode: String, action: String, formToken: Secret<String>
    ) -> Page {
        Page(
            title: "Allow \(client)?",
            content: """
                <h1>Allow \(client) to use your account on a device?</h1>
                <p>You are signed in as <strong>\(userName)</strong>.</p>
                <p>Continue only if your device shows the code <strong>\(userCode)</strong> and no one sent it to you.</p>
                \(list(of: scope))
                <form method="post" action="\(action)">
                <input type="hidden" name="form_token" value="\(formToken.reveal())">
                <div class="buttons">
                <button type="submit" name="decision" value="allow" class="primary" accesskey="a">Allow</button>
                <button type="submit" name="decision" value="cancel" accesskey="c">Cancel</button>
                </div>
                </form>
                """)
    }
}
