import AuthHubPrimitives

/// A form that the server posts to a client before it responds to a request.
struct OutgoingForm: Sendable {
    let clientID: String
    let url: String
    var parameters: FormParameters
}
