import AuthHubPrimitives
import HTTPTypes

/// A page that contains a single script.
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
