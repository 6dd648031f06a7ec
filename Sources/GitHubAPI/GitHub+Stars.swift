import AuthHub
import HTTPLoading
import HTTPTypes

extension GitHub {
    /// Marks a repository with the signed-in person's star; it may have one already.
    ///
    /// - Parameter repository: Owner and name: `octocat/hello-world`.
    /// - Throws: ``GitHubError``: `.notFound` where there is no such repository, or the token may not star.
    public func star(_ repository: String) async throws(GitHubError) {
        try await change(.put, try starAddress(repository), expecting: "a star")
    }

    /// Takes the star away; there may be none.
    ///
    /// - Throws: ``GitHubError`` as ``star(_:)``.
    public func unstar(_ repository: String) async throws(GitHubError) {
        try await change(.delete, try starAddress(repository), expecting: "no star")
    }

    /// Whether the signed-in person has starred a repository; no for one that they cannot see.
    ///
    /// - Throws: ``GitHubError``.
    public func hasStarred(_ repository: String) async throws(GitHubError) -> Bool {
        let (_, response, bytes) = try await load(.get, try starAddress(repository))
        switch response.status.code {
        case 204: return true
        case 404: return false
        default: throw GitHubError(response.head, body: bytes, expecting: "whether there is a star", without: session.redaction)
        }
    }

    private func change(_ method: HTTPRequest.Method, _ url: String, expecting expectation: String) async throws(GitHubError) {
        let (_, response, bytes) = try await load(method, url)
        guard response.status.code == 204 else {
            throw GitHubError(response.head, body: bytes, expecting: expectation, without: session.redaction)
        }
    }

    /// Two names and nothing else: what is not one could lead to another address.
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
