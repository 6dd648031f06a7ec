import AuthHubPrimitives
import HTTPTypes

/// The pages of a sign-in.
enum Pages {
    static func signIn(
        to client: String, action: String, formToken: Secret<String>, login: String, problem: String?, logins: [String],
        formTargets: [String]
    ) -> Page {
        let message: HTML = problem.map { "<p class=\"error\" id=\"problem\" role=\"alert\">\($0)</p>" } ?? ""
        let described: HTML = problem == nil ? "" : " aria-describedby=\"problem\" aria-invalid=\"true\""
        return Page(
            title: problem == nil ? "Sign in" : "Error: Sign in",
            content: """
                <h1>Sign in to continue to \(client)</h1>
                \(message)
                <form method="post" action="\(action)">
                <input type="hidden" name="form_token" value="\(formToken.reveal())">
                <label for="username">Username</label>
                <input type="text" id="username" name="username" value="\(login)" autocomplete="username" autocapitalize="none" \
                spellcheck="false" required autofocus\(described)>
                <label for="password">Password</label>
                <input type="password" id="password" name="password" autocomplete="current-password" required\(described)>
                <div class="buttons"><button type="submit" class="primary" accesskey="s">Sign in</button></div>
                </form>
                <p>Accounts here: \(logins.joined(separator: ", "))</p>
                """,
            formTargets: formTargets)
    }

    static func consent(
        for client: String, userName: String, scope: [String], action: String, formToken: Secret<String>, redirectURI: String,
        formTargets: [String]
    ) -> Page {
        Page(
            title: "Allow \(client)?",
            content: """
                <h1>Allow \(client) to use your account?</h1>
                <p>You are signed in as <strong>\(userName)</strong>.</p>
                \(list(of: scope))
                <p>The response is sent to <code>\(redirectURI)</code>.</p>
                <form method="post" action="\(action)">
                <input type="hidden" name="form_token" value="\(formToken.reveal())">
                <div class="buttons">
                <button type="submit" name="decision" value="allow" class="primary" accesskey="a">Allow</button>
                <button type="submit" name="decision" value="cancel" accesskey="c">Cancel</button>
                </div>
                </form>
                """,
            formTargets: formTargets)
    }

    static func signOut(action: String, formToken: Secret<String>, formTargets: [String]) -> Page {
        Page(
            title: "Sign out?",
            content: """
                <h1>Sign out?</h1>
                <p>You will have to enter your password the next time.</p>
                <form method="post" action="\(action)">
                <input type="hidden" name="form_token" value="\(formToken.reveal())">
                <div class="buttons"><button type="submit" class="primary" accesskey="s">Sign out</button></div>
                </form>
                """,
            formTargets: formTargets)
    }

    /// Returns the page that loads the clients' pages in frames, and then continues (OpenID Connect Front-Channel Logout 1.0 §3).
    static func signedOut(loading frames: [String], continuingAt target: String?) -> Page {
        let elements = frames.map { frame -> HTML in "<iframe src=\"\(frame)\" title=\"Sign-out of an application\" hidden></iframe>" }
        let link: HTML = target.map { "<p><a href=\"\($0)\">Continue</a></p>" } ?? "<p>You can close this page.</p>"
        return Page(
            title: "Signed out", content: "<h1>Signed out</h1>\n\(link)\n\(elements.joined())",
            frameOrigins: frames.compactMap { Origin(url: $0)?.description }, next: target)
    }

    static func message(title: String, _ text: String) -> Page {
        Page(title: title, content: "<h1>\(title)</h1>\n<p>\(text)</p>")
    }

    static var unreadable: Answer {
        message(title: "This URL does not work", "The query is not form-encoded.").answer(status: .badRequest)
    }

    static var tooOld: Answer {
        message(title: "This page has expired", "Return to the application and start again.").answer(status: .forbidden)
    }

    static func cannotBeAnswered(_ reason: String) -> Answer {
        message(title: "This request cannot be processed", reason).answer(status: .badRequest)
    }

    static func list(of scope: [String]) -> HTML {
        let scopes = scope.map { name -> HTML in "<li><code>\(name)</code>: \(describe(scope: name))</li>" }
        return scope.isEmpty
            ? "<p>It can see who you are and use the permissions that it was registered with.</p>"
            : "<p>It requests:</p>\n<ul>\n\(scopes.joined())\n</ul>"
    }

    private static func describe(scope: String) -> String {
        switch scope {
        case "openid": "know who you are"
        case "profile": "read your name"
        case "email", "user:email": "read your e-mail address"
        case "offline_access": "stay signed in when you are away"
        case "user": "read and change your profile"
        case "read:user": "read your profile"
        case "repo": "read and change your repositories"
        case "public_repo": "read and change your public repositories"
        default: "use the permission with this name"
        }
    }
}
