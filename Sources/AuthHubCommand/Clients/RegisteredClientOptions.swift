import ArgumentParser
import AuthHub
import AuthHubPrimitives

/// A client that this tool has registered: its server, and the resource that it is for.
struct RegisteredClientOptions: ParsableArguments {
    @OptionGroup var server: ClientServerOptions

    @Option(
        help: ArgumentHelp(
            "The URL of the API whose login registered the client (required if there are several clients).", valueName: "url"))
    var resource: String?

    /// The arguments, with ` --allow-insecure-loopback` if required.
    var words: String { RegistrationKey(issuer: server.issuer, resource: resource).words + server.loopback.suffix }

    /// Finds the client: without a resource, that of all sign-ins at the issuer, or else the only one.
    ///
    /// - Throws: ``Failure`` if there is none, or more than one.
    func key(in book: RegistrationBook) async throws(Failure) -> RegistrationKey {
        let keys = try await book.keys().filter { $0.issuer.hasSameBytes(as: server.issuer) }
        let typed = RegistrationKey(issuer: server.issuer, resource: resource)
        if keys.contains(typed) { return typed }
        guard resource == nil, let first = keys.first else {
            throw Failure(
                "not_registered", .failed,
                "this tool has not registered a client at \(server.issuer)" + (resource.map { " for \($0)" } ?? ""),
                hint: resource.map { "authhub login \($0.shellWord)\(server.loopback.suffix)" } ?? "authhub client register \(words)")
        }
        guard keys.count == 1 else {
            throw Failure(
                "ambiguous_client", .usage, "this tool has registered \(keys.count) clients at \(server.issuer)",
                hint: "add --resource \(keys.compactMap(\.resource).map(\.shellWord).joined(separator: " or "))")
        }
        return first
    }

    /// The failure for a client that another process has just deleted.
    var vanished: Failure {
        Failure("try_again", .tryAgain, "another program is changing this registration", hint: "run the same command again")
    }
}
