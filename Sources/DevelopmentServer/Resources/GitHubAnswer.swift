import AuthHubPrimitives
import HTTPTypes

/// Responses in the format of GitHub's REST API.
enum GitHubAnswer {
    static func error(_ message: String, status: HTTPResponse.Status) -> Answer {
        .json(
            [
                "message": .string(message), "documentation_url": "https://docs.github.com/rest", "status": .string(String(status.code)),
            ], status: status
        )
    }

    /// The error for a request without a `User-Agent`, which GitHub rejects.
    static var noUserAgent: Answer {
        Answer(
            status: .forbidden, headers: [.contentType: "text/plain; charset=utf-8"],
            body: Array(
                """
                Request forbidden by administrative rules. Please make sure your request has a User-Agent header \
                (https://docs.github.com/en/rest/overview/resources-in-the-rest-api#user-agent-required).

                """.utf8))
    }

    /// Adds the header fields that all of GitHub's API responses have.
    static func decorate(_ answer: Answer, scope: [String]?) -> Answer {
        var answer = answer
        answer.setHeader("X-GitHub-Media-Type", to: "github.v3; format=json")
        answer.setHeader("X-GitHub-Api-Version-Selected", to: "2022-11-28")
        answer.setHeader("X-RateLimit-Limit", to: "5000")
        answer.setHeader("X-RateLimit-Remaining", to: "4999")
        answer.setHeader("X-RateLimit-Resource", to: "core")
        if let scope {
            answer.setHeader("X-OAuth-Scopes", to: scope.joined(separator: ", "))
            answer.setHeader("X-Accepted-OAuth-Scopes", to: "")
        }
        answer.headers[.cacheControl] = "private, max-age=60, s-maxage=60"
        answer.headers[.vary] = "Accept, Authorization, Cookie, X-GitHub-OTP"
        return answer
    }
}
