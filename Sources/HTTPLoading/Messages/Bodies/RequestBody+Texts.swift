public import AuthHubPrimitives
public import Platform

extension RequestBody {
    /// Creates a body from a JSON value.
    public static func json(_ value: JSONValue) -> Self {
        .bytes(value.serialized(), contentType: "application/json")
    }

    /// Creates a JSON body from an encodable value. Pass your own encoder to change the defaults.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` if the value cannot be encoded.
    public static func json(encoding value: some Encodable, with encoder: JSONEncoder = JSONEncoder()) throws(LoadError) -> Self {
        do {
            return .bytes([UInt8](try encoder.encode(value)), contentType: "application/json")
        } catch {
            // The encoder's own error might contain the value.
            throw LoadError(.invalidRequest, explanation: "a value of type \(type(of: value)) could not be encoded as JSON")
        }
    }

    /// Creates a body of form-encoded parameters (WHATWG URL, application/x-www-form-urlencoded). Their order and repetitions are
    /// preserved.
    public static func form(_ parameters: FormParameters) -> Self {
        .bytes(Array(parameters.encoded().utf8), contentType: "application/x-www-form-urlencoded")
    }
}
