import AuthHubPrimitives
import OAuthProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Callback URLs, checked by several kinds of sign-ins.
enum CallbackTarget: Target {
    static let name = "callback"

    static func check(_ input: [UInt8]) throws(Violation) {
        let url = String(decoding: input, as: UTF8.self)
        for signIn in SignIn.all { try check(url, signIn) }
    }

    private static func check(_ url: String, _ signIn: SignIn) throws(Violation) {
        var pending = signIn.pending
        let isExpected = pending.expects(Secret(url))
        let first = outcome { () throws(OAuthError) in try pending.accept(Secret(url), at: SignIn.now) }
        switch first {
        case .success(let code):
            try require(isExpected, "an accepted callback was expected")
            try checkAccepted(url, code, signIn)
        case .failure(let error):
            let isOurs = error.code != .serverRejected
            for secret in [SignIn.state, Answer.marker] {
                try require(
                    !isOurs || !error.everything.contains(secret), "an error of the library contains neither the state nor the code")
            }
        }
        try require(isExpected != canAccept(&pending, signIn.good), "a callback ends the sign-in if and only if it was expected")
        try require(!pending.expects(Secret(url)) || !isExpected, "a callback is not expected twice")
        try require(!canAccept(&pending, url), "a callback is not accepted twice")
        var late = signIn.pending
        try require(!canAccept(&late, url, at: late.expiresAt), "no callback is accepted after the deadline")
    }

    private static func canAccept(_ pending: inout PendingAuthorization, _ url: String, at time: Date = SignIn.now) -> Bool {
        (try? pending.accept(Secret(url), at: time)) != nil
    }

    /// Checks an accepted callback with code that does not use the library.
    private static func checkAccepted(_ url: String, _ code: AuthorizationCode, _ signIn: SignIn) throws(Violation) {
        let bytes = Array(url.utf8)
        let redirectURI = Array(signIn.pending.redirectURI.utf8)
        try require(bytes.starts(with: redirectURI), "an accepted callback begins with the redirect URI")
        let separator = UInt8(ascii: redirectURI.contains(UInt8(ascii: "?")) ? "&" : "?")
        try require(bytes.dropFirst(redirectURI.count).first == separator, "a query follows the redirect URI")
        let query = bytes.dropFirst(redirectURI.count + 1).prefix { $0 != UInt8(ascii: "#") }
        let pairs = NaiveForm.pairs(query)
        func values(_ name: String) -> [[UInt8]] { pairs.filter { $0.name == Array(name.utf8) }.map(\.value) }
        try require(values("state") == [Array(SignIn.state.utf8)], "an accepted callback contains the state exactly once")
        try require(values("error").allSatisfy(\.isEmpty), "an accepted callback contains no error")
        try require(values("code").count == 1 && values("code") != [[]], "an accepted callback contains exactly one code")
        try require(
            values("iss").allSatisfy { $0 == Array((signIn.issuer ?? "").utf8) }, "the iss of an accepted callback is the server's issuer")
        try require(!signIn.isIssuerPromised || values("iss").count == 1, "an accepted callback contains iss if the metadata promises it")
        let request = outcome { () throws(OAuthError) in try TokenRequest.exchange(code, client: SignIn.client, at: signIn.server) }
        guard case .success(let exchange) = request else { throw Violation(sentence: "an accepted code can be exchanged") }
        let form = NaiveForm.pairs(exchange.message.body.reveal()[...])
        try require(form.filter { $0.name == Array("code".utf8) }.map(\.value) == values("code"), "the received code is exchanged")
        try require(
            form.filter { $0.name == Array("redirect_uri".utf8) }.map(\.value) == [redirectURI], "the exchange contains the redirect URI")
    }
}
