import AuthHubPrimitives

extension Origin {
    /// Creates the origin of a server that the user names: a host with or without a port, or a URL without a path.
    init(host text: String) throws(Failure) {
        let origin = text.contains("://") ? Origin(url: text) : Origin(scheme: "https", authority: text)
        guard let origin, RequestTarget("\(origin)")?.path == "/", !text.contains("://") || RequestTarget(text)?.path == "/" else {
            throw .usage("--host needs a host, optionally with a port", hint: "use --host git.example.org")
        }
        guard origin.scheme == "https" || origin.isLoopback else {
            throw .usage("the server would get the token unencrypted", hint: "use --host \(origin.host)")
        }
        self = origin
    }
}
