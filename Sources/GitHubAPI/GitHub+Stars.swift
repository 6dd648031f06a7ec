import AuthHub
import HTTPLoading
import HTTPTypes

extension GitHub {
    /// Stars a repository for the signed-in user. Has no effect if it is already starred.
    ///
    /// - Parameter repository: The owner and name, such as `octocat/hello-world`.
    /// - Throws: ``GitHubError``, with `.notFound` if the repository does not exist or the token does not allow starring it.
    public func star(_ repository: String) async throws(GitHubError) {
        try await change(.put, try starAddress(repository), expecting: "a star")
    }

    /// Removes the signed-in user's star from a repository. Has no effect if it is not starred.
    ///
    /// - Parameter repository: The owner and name, such as `octocat/hello-world`.
    ///
    /// - Throws: ``GitHubError``, as ``star(_:)`` does.
    public func unstar(_ repository: String) async throws(GitHubError) {
        try await change(.delete, try starAddress(repository), expecting: "no star")
    }

    /// Returns whether the signed-in user has starred a repository; false if the user cannot see it.
    ///
    /// - Parameter repository: The owner and name, such as `octocat/hello-world`.
    ///
    /// - Throws: ``GitHubError``.
    public func hasStarred(_ repository: String) async throws(GitHubError) -> Bool {
        let (_, response, bytes) = try await load(.get, try starAddress(repository))
        switch response.status.code {
        case 204: return true
        case 404: return false
        default: throw GitHubError(response, body: bytes, expecting: "204 or 404", without: session.redaction)
        }
    }

    private func change(_ method: HTTPRequest.Method, _ url: String, expecting expectation: String) async throws(GitHubError) {
        let (_, response, bytes) = try await load(method, url)
        guard response.status.code == 204 else {
            throw GitHubError(response, body: bytes, expecting: expectation, without: session.redaction)
        }
    }

    /// Returns the URL of a star. Accepts only two names, because anything else could lead to another URL.
    private func starAddress(_ repository: String) throws(GitHubError) -> String {
        let names = repository.split(separator: "/", omittingEmptySubsequences: false)
        let isName = { (name: Substring) in
            !name.isEmpty && name != "." && name != ".."
                && name.utf8.allSatisfy { byte in
                    byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte)
                        || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                }
        }
        guard names.count == 2, names.allSatisfy(isName) else {
            throw GitHubError(.notFound, "the repository is not given as owner and name, such as octocat/hello-world")
        }
        return "\(api)/user/starred/\(repository)"
    }
}
