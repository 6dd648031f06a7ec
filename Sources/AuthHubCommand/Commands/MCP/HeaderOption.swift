import AuthHubPrimitives
import CredentialStorage
import HTTPTypes

/// A header field that a user adds to all messages. Its value is never on the command line, which every user of the machine can read.
struct HeaderOption: Sendable {
    let field: HTTPField

    /// Reads `NAME=@FILE` or `NAME=$VARIABLE`.
    init(_ text: String) throws(Failure) {
        let usage = Failure.usage(
            "--header needs the value in a file or a variable, because every user of this machine can read a command line",
            hint: "use --header Authorization=@FILE, or --header 'Authorization=$VARIABLE'")
        let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let name = HTTPField.Name(String(halves[0])), let kind = halves[1].first else { throw usage }
        let place = String(halves[1].dropFirst())
        let value: String
        switch kind {
        case "@" where !place.isEmpty && place != "-": value = try InputFile.secret(in: place, called: "header field").reveal()
        case "$":
            guard let text = processEnvironment(place), !text.isEmpty else {
                throw .usage(
                    "the variable \(displayable(place, limit: 100)) is not set", hint: "set it, or use --header \(name.rawName)=@FILE")
            }
            value = text
        default: throw usage
        }
        guard HTTPField.isValidValue(value), !Self.own.contains(name) else {
            throw .usage(
                "--header \(name.rawName) cannot be sent",
                hint: "leave out --header \(name.rawName), or correct the value, which must be one line of text")
        }
        field = HTTPField(name: name, value: value)
    }

    /// The fields that the messages determine.
    private static let own = Set(
        [.contentType, .contentLength, .transferEncoding, .accept]
            + ["Host", "Mcp-Session-Id", "MCP-Protocol-Version", "Last-Event-ID"].compactMap { HTTPField.Name($0) })
}
