import AuthHubPrimitives
import HTTPTypes

extension AnswerChange {
    /// Applies changes to a response in order. The changes to its token are applied together, because the token is signed only once.
    static func apply(_ changes: [Self], to answer: inout Answer, from state: ServerState) {
        let tokenChanges = changes.filter(\.isForToken)
        if let callback = answer.callback {
            let sealIDToken = answer.sealIDToken
            answer = changed(callback, changes, tokenChanges, from: state)
            answer.sealIDToken = sealIDToken
            for case .encryption(let change) in changes where callback.mode == .formPost { change.apply(to: &answer) }
            if callback.mode == .formPost { return }
        }
        for change in changes { change.apply(to: &answer, from: state) }
        if !tokenChanges.isEmpty { TokenDraft.change(&answer, by: tokenChanges, from: state) }
    }

    /// Changes the ID token in a callback and, if the callback is a form, its parameters.
    private static func changed(
        _ callback: CallbackParts, _ changes: [Self], _ tokenChanges: [Self], from state: ServerState
    ) -> Answer {
        var parts = callback
        if !tokenChanges.isEmpty, let text = parts.parameters["id_token"],
            let changed = TokenDraft.changed(text, accessToken: parts.parameters["access_token"], tokenChanges, state)
        {
            parts.parameters.set("id_token", to: changed)
        }
        if callback.mode == .formPost {
            for change in changes { change.apply(to: &parts.parameters) }
        }
        return parts.answer
    }

    /// Applies the changes to the logout token that is posted to a client.
    static func apply(_ changes: [Self], to form: inout OutgoingForm, from state: ServerState) {
        guard let text = form.parameters["logout_token"],
            let changed = TokenDraft.changed(text, accessToken: nil, changes.filter(\.isForToken), state)
        else { return }
        form.parameters.set("logout_token", to: changed)
    }

    /// A redirect to this server's own pages is not a callback.
    private func apply(to answer: inout Answer, from state: ServerState) {
        switch self {
        case .status(let code): answer.status = HTTPResponse.Status(code: code)
        case .header(let name, let value):
            guard let name = HTTPField.Name(name) else { return }
            answer.headers[name] = value?.replacing("{issuer}", with: state.issuer)
        case .member(let name, let value):
            if var members = answer.members {
                members[name] = value?.naming(state.issuer)
                answer.body = JSONValue.object(members).serialized()
            } else if var form = answer.form {
                form = FormParameters(form.parameters.filter { $0.name != name })
                form.append(name, ifPresent: value?.string)
                answer.body = Array(form.encoded().utf8)
            }
        case .repeatedMember(let name, let value):
            guard answer.members != nil else { return }
            var member = JSONObject()
            member[name] = value
            answer.body = JSONValue.object(member).serialized().dropLast() + Array(",".utf8) + answer.body.dropFirst()
        case .surrounded(let before, let after):
            answer.body = Array(before.utf8) + answer.body + Array(after.utf8)
        case .parameter, .repeatedParameter, .callbackSuffix, .parametersInFragment:
            guard let location = answer.headers[.location], !location.hasPrefix(state.issuer), !location.hasPrefix("/") else { return }
            var callback = Callback(location)
            change(&callback)
            answer.headers[.location] = callback.text
        case .keySet(let change): change.apply(to: &answer, from: state)
        case .encryption(let change): change.apply(to: &answer)
        case .claim, .claimSuffix, .claimTime, .claimArray, .joseHeader, .signature, .token: break
        }
    }

    private var isForToken: Bool {
        switch self {
        case .claim, .claimSuffix, .claimTime, .claimArray, .joseHeader, .signature, .token: true
        default: false
        }
    }

    private func apply(to parameters: inout FormParameters) {
        switch self {
        case .parameter(let name, nil): parameters = FormParameters(parameters.parameters.filter { $0.name != name })
        case .parameter(let name, let value?): parameters.set(name, to: value)
        case .repeatedParameter(let name, let value): parameters.append(name, value)
        default: break
        }
    }

    private func change(_ callback: inout Callback) {
        apply(to: &callback.parameters)
        switch self {
        case .callbackSuffix(let suffix): callback.suffix += suffix
        case .parametersInFragment: callback.separator = "#"
        default: break
        }
    }
}

/// A redirect URI and the parameters that were added to it.
private struct Callback {
    let redirectURI: String
    var separator: String
    var parameters: FormParameters
    var suffix = ""

    init(_ text: String) {
        let end = text.firstIndex { $0 == "?" || $0 == "#" } ?? text.endIndex
        redirectURI = String(text[..<end])
        separator = end == text.endIndex ? "?" : String(text[end])
        parameters = end == text.endIndex ? [:] : (try? FormParameters(decoding: text[text.index(after: end)...])) ?? [:]
    }

    var text: String { redirectURI + separator + parameters.encoded(spaces: .percent) + suffix }
}

extension Answer {
    /// The members of a JSON object in the body.
    var members: JSONObject? { try? JSONValue(strict: body).object }

    /// The parameters of a form in the body, which may be labeled as text.
    var form: FormParameters? {
        guard let type = headers[.contentType], type.contains("form-urlencoded") || type.hasPrefix("text/plain") else { return nil }
        return try? FormParameters(decoding: String(decoding: body, as: UTF8.self))
    }
}
