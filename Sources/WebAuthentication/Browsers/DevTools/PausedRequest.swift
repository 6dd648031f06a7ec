import AuthHubPrimitives

/// A request that the browser holds back until it is told what becomes of it (`Fetch.requestPaused`).
struct PausedRequest: Sendable, Hashable {
    let id: String
    /// Without fragment.
    let url: String
    /// With its number sign; empty where there is none.
    let fragment: String
    let method: String
    let frame: String
    let isDocument: Bool
    let isRedirected: Bool
    let headerFields: JSONObject
    /// nil where there is none, or the browser does not tell.
    let body: PostedBody?

    init?(_ parameters: JSONValue) {
        guard let id = parameters["requestId"]?.string, let request = parameters["request"], let url = request["url"]?.string else {
            return nil
        }
        self.id = id
        self.url = url
        fragment = request["urlFragment"]?.string ?? ""
        method = request["method"]?.string ?? ""
        frame = parameters["frameId"]?.string ?? ""
        isDocument = parameters["resourceType"]?.string == "Document"
        isRedirected = parameters["redirectedRequestId"]?.string != nil
        headerFields = request["headers"]?.object ?? JSONObject()
        body = PostedBody(request)
    }
}

extension PausedRequest {
    enum Verdict: Sendable {
        /// It goes where it wants to go.
        case pass
        /// It came to the redirect URI, and is not sent.
        case callback(CallbackURL)
        /// It came to the redirect URI in a way that no callback comes: the page is shown instead.
        case refuse(ResultPage)
        /// Not a page but a part of one; it fails.
        case block
    }

    /// Tells callbacks from everything else. Nothing that is addressed to the redirect URI is let through: it could hold a code.
    ///
    /// - Parameters:
    ///   - carrier: What carries the answer.
    ///   - isPage: Whether the frame is a window or tab of its own, not one inside a page.
    func verdict(_ address: CallbackAddress, _ carrier: CallbackCarrier = .query, isPage: Bool) -> Verdict {
        // By its address alone, so that nothing in the query can decide otherwise.
        guard address.callback(in: String(url.prefix { $0 != "?" && $0 != "#" })) != nil else { return .pass }
        guard isPage, isDocument else { return .block }
        guard method == (carrier == .form ? "POST" : "GET") else { return .refuse(carrier == .form ? .onlyPosted : .methodNotAllowed) }
        guard let callback = address.callback(in: url + fragment) else { return .refuse(.targetTooLong) }
        guard carrier == .form else { return .callback(callback) }
        let types = headerFields.members.filter { $0.name.lowercased() == "content-type" }.map { $0.value.string ?? "" }
        guard PostedForm.isForm(types) else { return .refuse(.notAForm) }
        guard let body else { return .refuse(.formNotRead) }
        switch PostedForm(body.bytes) {
        case .tooLong: return .refuse(.bodyTooLong)
        case .unreadable: return .refuse(.notAForm)
        case .form(let form): return .callback(CallbackURL(callback.url.reveal(), content: .form(form)))
        }
    }
}
