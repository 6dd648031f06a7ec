import ArgumentParser
import AuthHubPrimitives

/// The formats of `authhub token`.
enum TokenFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case raw, header, json, curl, netrc, env, fish, powershell

    /// The variable that the formats for shells set.
    static let variable = "AUTHHUB_TOKEN"

    /// Whether the format sends the token without a proof, as only bearer tokens can be sent (RFC 6750 §1.2).
    private var needsBearer: Bool {
        switch self {
        case .header, .curl, .netrc: true
        case .raw, .json, .env, .fish, .powershell: false
        }
    }

    /// Returns the token in this format, without a line break at the end. `json` has its own output.
    ///
    /// The token is untrusted: a server could try to add an option of curl, or a command of a shell.
    ///
    /// - Parameters:
    ///   - type: The token's type, as the server named it (RFC 6749 §7.1).
    ///   - host: The host of the API, for `netrc`.
    /// - Throws: ``Failure`` if the format cannot represent the token; the message does not contain it.
    func text(_ token: String, type: String, host: String = "") throws(Failure) -> String {
        guard !needsBearer || type.lowercased() == "bearer" else {
            throw refusal(
                "the token has the type \(displayable(type, limit: 40)), and only a Bearer token can be sent without a proof",
                hint: "authhub token --format json")
        }
        switch self {
        case .raw, .json: return token
        case .header:
            try check(token, "a header field can only contain visible ASCII characters", isVisible)
            return "Authorization: Bearer \(token)"
        case .curl:
            try check(token, "a header field can only contain visible ASCII characters", isVisible)
            return "header = \"Authorization: Bearer \(token.replacing(["\"": #"\""#, "\\": #"\\"#]))\""
        case .netrc:
            // Programs that read netrc files differ in how they treat quotes and comments.
            try check(token, "programs disagree about how to quote it in a netrc file") { isVisible($0) && !"\"'\\#".utf8.contains($0) }
            return "machine \(host) login oauth2 password \(token)"
        case .env:
            try check(token, "a variable cannot contain NUL") { $0 != 0 }
            return "export \(Self.variable)='\(token.replacing(["'": #"'\''"#]))'"
        case .fish:
            try check(token, "a variable cannot contain NUL") { $0 != 0 }
            return "set -gx \(Self.variable) '\(token.replacing(["'": #"\'"#, "\\": #"\\"#]))'"
        case .powershell:
            // PowerShell reads the output of a program line by line, and decodes it with the console's encoding. It also treats
            // typographic quotes as quotes.
            try check(token, "PowerShell can only read visible ASCII characters from a program", isVisible)
            return "$env:\(Self.variable) = '\(token.replacing(["'": "''"]))'"
        }
    }

    private func check(_ token: String, _ reason: String, _ isAllowed: (UInt8) -> Bool) throws(Failure) {
        guard token.utf8.allSatisfy(isAllowed) else {
            throw refusal("the token has a character that the format \(rawValue) cannot represent: \(reason)", hint: "authhub token")
        }
    }

    private func refusal(_ message: String, hint: String) -> Failure {
        Failure("not_offered", .failed, message, hint: hint)
    }
}

/// Whether a byte is a visible ASCII character, so that it cannot end a header field (RFC 9110 §5.5).
private func isVisible(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

extension String {
    /// Replaces ASCII characters, even if a combining character follows, with which a quote would be another `Character`.
    fileprivate func replacing(_ replacements: [Unicode.Scalar: String]) -> String {
        var result = UnicodeScalarView()
        for scalar in unicodeScalars {
            if let replacement = replacements[scalar] {
                result.append(contentsOf: replacement.unicodeScalars)
            } else {
                result.append(scalar)
            }
        }
        return String(result)
    }
}
