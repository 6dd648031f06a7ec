import AuthHub
import AuthHubPrimitives
import OAuthProtocol
import Platform

/// The message to a user who signs in on another device: the URL, the code, and a QR code for phones.
struct DeviceNotice {
    let code: DeviceCode
    let qr: QRChoice
    /// Whether Return opens the page on this machine.
    let opensPage: Bool
    let now: Date

    func show(on console: Console) {
        guard console.format == .text else { return console.say(String(decoding: json.serialized(), as: UTF8.self)) }
        let style = console.style
        var parts = ["Open this page in a browser on any device:", "  " + style(code.verificationURI.text, .cyan)]
        if !code.verificationURI.isOpenable {
            parts.append(style("This is not an https URL. Open it only if you know that it is the right one.", .yellow))
        }
        parts += ["Enter the code there (it expires \(end)):", "  " + style(code.userCode, .bold)]
        if let picture = picture(on: console) {
            parts.append(
                code.completeVerificationURI?.isOpenable ?? false
                    ? "Or scan this with a phone, and check that the page shows the same code:" : "Or scan this with a phone:")
            parts.append(picture)
        }
        let key = opensPage ? "Press Return to open the page on this machine. " : ""
        parts.append(style("Waiting for you to allow access. \(key)Ctrl-C cancels.", .faint))
        console.say(
            parts.joined(separator: "\n\n"), linking: code.verificationURI.isOpenable ? code.verificationURI.text : nil)
    }

    private var end: String {
        let left = code.expiresAt.timeIntervalSince(now).rounded(.up)
        return Words.expiry(code.expiresAt, now: code.expiresAt.addingTimeInterval(-left))
    }

    /// The output for programs that show it themselves, on standard error.
    private var json: JSONValue {
        var members = JSONObject()
        members["user_code"] = .string(code.userCode)
        members["verification_uri"] = .string(code.verificationURI.text)
        members["verification_uri_complete"] = code.completeVerificationURI.map { .string($0.text) }
        members["expires_at"] = .string(code.expiresAt.formatted(.iso8601))
        return .object(members)
    }

    /// The number of lines above and below the picture: the code must not scroll away.
    private static let linesOfText = 15

    private func picture(on console: Console) -> String? {
        guard qr != .never, let address = code.openableURI, let picture = QRCode(address.text) else { return nil }
        if qr == .auto {
            guard console.isInteractive, console.style.isColored, TerminalRoom.isUnicode(),
                let room = TerminalRoom.ofStandardError(), room.columns >= picture.columns, room.lines >= picture.lines + Self.linesOfText
            else { return nil }
        }
        return picture.picture(isColored: console.style.isColored)
    }
}
