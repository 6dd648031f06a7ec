import AuthHubPrimitives
import Platform

extension TokenInspection {
    var json: JSONValue {
        var object = JSONObject()
        object["verified"] = .bool(isVerified)
        object["signature_valid"] = .bool(isSigned)
        object["issuer"] = (verification?.keys.issuer).map(JSONValue.string) ?? .null
        object["jwks_uri"] = (verification?.keys.url).map(JSONValue.string) ?? .null
        object["key"] = (verification?.key?.json) ?? .null
        object["rules"] = .array(verification?.rules.map(\.json) ?? [])
        object["header"] = .object(header)
        object["claims"] = claims.map(JSONValue.object) ?? .null
        return .object(object)
    }

    func text(_ style: Style, now: Date) -> String {
        var lines = [headline(style), "", style("header", .bold), members(header, style, now: now)]
        lines += ["", style("claims", .bold), claims.map { members($0, style, now: now) } ?? "  The token is encrypted."]
        if let verification {
            lines += ["", style("rules", .bold)] + verification.rules.map { line($0, style) }
        }
        return lines.joined(separator: "\n")
    }

    private func headline(_ style: Style) -> String {
        guard let verification else {
            return style("Not verified:", .yellow, .bold) + " no keys were given. Anyone could have written this token."
        }
        guard isSigned else {
            return style("Not verified:", .red, .bold) + " the signature check failed. Anyone could have written this token."
        }
        let place = displayable(verification.keys.issuer ?? verification.keys.url, limit: 300)
        guard failed.isEmpty else {
            let names = failed.map(\.name.rawValue).joined(separator: ", ")
            return style("Rejected:", .red, .bold) + " signed with a key of \(place), but it breaks the rule for \(names)."
        }
        return style("Verified:", .green, .bold) + " signed with a key of \(place)."
    }

    private func members(_ members: JSONObject, _ style: Style, now: Date) -> String {
        guard !members.members.isEmpty else { return "  none" }
        let mark = isSigned ? "  " : "  \(style("not verified", .yellow))  "
        return style.facts(ClaimText.facts(members, now: now)).split(separator: "\n").map { mark + $0 }.joined(separator: "\n")
    }

    private func line(_ rule: TokenRule, _ style: Style) -> String {
        let (word, tint): (String, Style.Tint) =
            switch rule.outcome {
            case .ok: ("ok", .green)
            case .failed: ("failed", .red)
            case .notChecked: ("not checked", .faint)
            }
        let padding = String(repeating: " ", count: Self.outcomeWidth - word.count)
        let name = rule.name.rawValue
        return "  \(style(word, tint))\(padding)  \(name)\(String(repeating: " ", count: Self.nameWidth - name.count))  \(rule.reason)"
    }

    private static let outcomeWidth = "not checked".count
    private static let nameWidth = "signature".count
}
