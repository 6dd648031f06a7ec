import ArgumentParser

/// The options for the way to sign in.
struct FlowOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            How to sign in: browser (on this machine), device (a code that you enter in a browser on any other), paste (open the page \
            where you like, and paste the address that it ends at), or client-credentials (nobody signs in: the client has access of its own).
            """))
    var flow = FlowChoice.browser

    @Flag(name: .customLong("par"), help: "Send the request to the server first, so that the page's address says nothing of it (RFC 9126).")
    var pushes = false

    @Option(help: "With --flow device: whether to draw the address as a QR code. auto: where it fits and the terminal can show it.")
    var qr = QRChoice.auto
}

enum FlowChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case browser, device, paste
    case clientCredentials = "client-credentials"
}

enum QRChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
    case auto, always, never
}
