public import AuthHubPrimitives

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension RequestBody {
    /// A JSON text.
    public static func json(_ value: JSONValue) -> Self {
        .bytes(value.serialized(), contentType: "application/json")
    }

    /// A value as a JSON text, made by an encoder of yours where its defaults do not do.
    ///
    /// - Throws: ``LoadError`` with `.invalidRequest` where the value cannot be encoded.
    public static func json(encoding value: some Encodable, with encoder: JSONEncoder = JSONEncoder()) throws(LoadError) -> Self {
        do {
            return .bytes([UInt8](try encoder.encode(value)), contentType: "application/json")
        } catch {
            // The encoder's own error may quote the value.
            throw LoadError(.invalidRequest, explanation: "a value of type \(type(of: value)) could not be encoded as JSON")
        }
    }

    /// Form-encoded pairs (WHATWG URL, application/x-www-form-urlencoded), order and repeats kept.
    public static func form(_ parameters: FormParameters) -> Self {
        .bytes(Array(parameters.encoded().utf8), contentType: "application/x-www-form-urlencoded")
    }
}
