import AuthHubPrimitives
import Synchronization

@testable import DevelopmentServer

/// What a client sees of a server: its metadata, keys, tokens and userinfo, as facts by name.
struct Observation {
    private var facts: [String: String] = [:]
    private let flow: Flow

    private init(_ flow: Flow) {
        self.flow = flow
    }

    /// Fetches the keys, signs the user in, and requests everything.
    static func make(of flow: Flow) async throws -> Self {
        var observation = Self(flow)
        let issuer = flow.server.issuer
        observation.note("metadata", try? await flow.client.get(issuer + "/.well-known/openid-configuration"))
        let early = try? await flow.client.get(issuer + "/jwks")
        let response = try await flow.person().visit(flow.authorizationPath(changing: ["nonce": "n"]))
        let answer = try await flow.exchange(response.redirectParameters["code"] ?? "")
        let keys = try? await flow.client.get(issuer + "/jwks")
        observation.note("keys", keys)
        observation.note("token", answer, keys: keys?.json)
        if let token = SignedToken(answer.json["id_token"]?.string) {
            let wasSigned = token.isSigned(byKeyIn: early?.json ?? .null)
            switch (wasSigned, observation.facts["token id_token is signed"]) {
            case (true, "no"): observation.facts["token id_token is signed"] = "by a key that is not published any more"
            case (false, "by a published key"): observation.facts["token id_token is signed"] = "by a new key"
            default: break
            }
        }
        let access = Tokens(answer).access
        observation.note("userinfo", try? await flow.client.get(issuer + "/userinfo", headers: .bearer(access)), keys: keys?.json)
        let second = try? await flow.client.post(issuer + "/userinfo", form: ["access_token": access])
        observation.facts["second userinfo"] = second.map { String($0.status) } ?? "cut off"
        observation.note("refresh", try await flow.refresh(Tokens(answer).refresh), keys: keys?.json)
        return observation
    }

    /// Returns the facts that differ, each with its new value; `-` stands for a fact that is gone.
    ///
    /// If a whole message is of another kind, the facts that are gone with it are left out; and so are changes to the response to a refresh
    /// that the response to the code has, too.
    func changes(since other: Self) -> [String] {
        let names = Set(facts.keys).union(other.facts.keys).filter { facts[$0] != other.facts[$0] }
        return names.filter { name in
            let isGone = facts[name] == nil && names.contains { name.hasPrefix($0 + " ") }
            let earlier = name.replacing("refresh ", with: "token ", maxReplacements: 1)
            let isRepeated = earlier != name && names.contains(earlier) && facts[earlier] == facts[name]
            return !isGone && !isRepeated
        }.map { "\($0)=\(facts[$0] ?? "-")" }.sorted()
    }
}

extension Observation {
    private mutating func note(_ name: String, _ answer: RawClient.Response?, keys: JSONValue? = nil) {
        guard let answer else {
            facts[name] = "cut off"
            return
        }
        facts[name] = String(answer.status)
        guard answer.status < 300 else { return }
        let kind: String
        if let token = SignedToken(answer.text) {
            kind = "token"
            note(name, token, keys, accessToken: nil)
        } else {
            kind = Self.form(of: Array(answer.text.utf8))
            for member in answer.json.object?.members ?? [] {
                note(name, member, keys, accessToken: answer.json["access_token"]?.string)
            }
        }
        let mediaType = (answer.header("Content-Type") ?? "").split(separator: ";").first ?? "no type"
        facts[name] = "\(answer.status) \(mediaType), \(kind)"
    }

    private mutating func note(_ name: String, _ member: JSONObject.Member, _ keys: JSONValue?, accessToken: String?) {
        switch member.name {
        case "access_token", "refresh_token": facts["\(name) \(member.name)"] = "present"
        case "id_token":
            if let token = SignedToken(member.value.string) {
                facts["\(name) id_token"] = "signed"
                note("\(name) id_token", token, keys, accessToken: accessToken)
            } else {
                facts["\(name) id_token"] = form(of: member.value.string ?? "", accessToken: accessToken)
            }
        case "keys": note(keys: member.value)
        default: facts["\(name) \(member.name)"] = text(member.value)
        }
    }

    private mutating func note(_ name: String, _ token: SignedToken, _ keys: JSONValue?, accessToken: String?) {
        facts[name + " signature"] = Self.form(ofSignature: token.signature)
        facts[name + " is signed"] = token.isSigned(byKeyIn: keys ?? .null) ? "by a published key" : "no"
        for member in token.header.members { facts["\(name) header \(member.name)"] = text(member.value) }
        facts[name + " header kid"] = token.header["kid"].map { kind(ofKeyID: $0) } ?? "none"
        facts[name + " header typ"] = facts[name + " header typ"] ?? "none"
        // Every token without faults has these.
        for (header, value) in ["kid": "a key of the server", "typ": "\"JWT\""] where facts["\(name) header \(header)"] == value {
            facts["\(name) header \(header)"] = nil
        }
        for member in token.claims.members where member.name != "sid" { facts["\(name) \(member.name)"] = text(member.value) }
        facts[name + " sid"] = token.claims["sid"]?.string.map { "\($0.utf8.count) bytes" }
        if let accessToken, let hash = token.claims["at_hash"]?.string {
            facts[name + " at_hash"] = token.hasHash(of: accessToken) ? "correct" : "\(hash.utf8.count) wrong characters"
        }
    }

    /// The number of keys, how many of them the server really published, and the first, with the lengths of its numbers.
    private mutating func note(keys value: JSONValue) {
        guard let keys = value.array, !keys.isEmpty else {
            facts["keys keys"] = text(value)
            return
        }
        facts["keys count"] = String(keys.count)
        facts["keys genuine"] = String(keys.count { (flow.server.state.keySet["keys"]?.array ?? []).contains($0) })
        let members = keys.lazy.compactMap(\.object).first?.members ?? []
        let texts = members.filter { $0.name != "kid" }.map { member in
            let bytes = ["x", "y", "n", "d"].contains(member.name) ? member.value.string.flatMap { Base64URL.decode($0)?.count } : nil
            return "\(member.name) \(bytes.map { String($0) } ?? text(member.value).filter { $0 != "\"" })"
        }
        facts["keys first"] = texts.joined(separator: ", ")
    }
}

// MARK: - Values

extension Observation {
    private func kind(ofKeyID id: JSONValue) -> String {
        let isKnown = id.string.map { id in flow.server.state.keys.withLock { $0.key(id: id) != nil } } ?? false
        return isKnown ? "a key of the server" : ["other", "symmetric"].contains(id.string) ? text(id) : "unknown"
    }

    /// How a token can look that cannot be read.
    private func form(of token: String, accessToken: String?) -> String {
        if token == accessToken { return "the access token" }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        let forms = parts.prefix(2).map { part in Base64URL.decode(part).map { Self.form(of: $0) } ?? "not base64url" }
        return "\(parts.count) parts: \(forms.joined(separator: ", "))"
    }

    private static func form(of bytes: [UInt8]) -> String {
        guard let value = try? JSONValue(strict: bytes) else { return "not strict JSON" }
        return value.object == nil ? short(String(decoding: bytes, as: UTF8.self)) : "an object"
    }

    private static func form(ofSignature bytes: [UInt8]) -> String {
        bytes.isEmpty ? "empty" : bytes.count > 64 && bytes.count < 73 && bytes[0] == 0x30 ? "DER" : "\(bytes.count) bytes"
    }

    private func text(_ value: JSONValue) -> String {
        Self.short(String(decoding: value.serialized(), as: UTF8.self).replacing(flow.server.issuer, with: "{issuer}"))
    }

    private static func short(_ text: String) -> String {
        text.utf8.count > 90 ? "\(text.utf8.count) bytes" : text
    }
}
