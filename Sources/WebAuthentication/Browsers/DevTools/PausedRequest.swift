import AuthHubPrimitives

/// A request that the browser pauses until it receives a decision (`Fetch.requestPaused`).
struct PausedRequest: Sendable, Hashable {
    let id: String
    /// The URL without the fragment.
    let url: String
    /// The fragment with its number sign; empty if there is none.
    let fragment: String
    let method: String
    let frame: String
    let isDocument: Bool
    let isRedirected: Bool
    let headerFields: JSONObject
    /// The posted body; nil if there is none, or the browser does not report it.
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
        /// The request is sent as usual.
        case pass
        /// The request is for the redirect URI, and is not sent.
        case callback(CallbackURL)
        /// The request is for the redirect URI, but cannot be a callback: the page is shown instead.
        case refuse(ResultPage)
        /// The request is for a part of a page, not a page; it fails.
        case block
    }

    /// Distinguishes callbacks from all other requests. No request to the redirect URI reaches the network, because it could contain a
    /// code.
    ///
    /// - Parameters:
    ///   - responseMode: The response mode of the response.
    ///   - isPage: Whether the frame is a separate window or tab, not a frame inside a page.
    func verdict(_ address: CallbackAddress, _ responseMode: CallbackResponseMode = .query, isPage: Bool) -> Verdict {
        // By its URL only, so that nothing in the query can change the result.
        guard address.callback(in: String(url.prefix { $0 != "?" && $0 != "#" })) != nil else { return .pass }
        guard isPage, isDocument else { return .block }
        guard method == (responseMode == .form ? "POST" : "GET") else {
            return .refuse(responseMode == .form ? .onlyPosted : .methodNotAllowed)
        }
        guard let callback = address.callback(in: url + fragment) else { return .refuse(.targetTooLong) }
        guard responseMode == .form else { return .callback(callback) }
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
