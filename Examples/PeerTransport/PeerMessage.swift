import AuthHubPrimitives
import HTTPLoading
import HTTPTypes

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A message between peers, as JSON.
enum PeerMessage {
    case load(Int64, HTTPRequest, body: [UInt8])
    case cancel(Int64)
    case response(Int64, HTTPResponse, body: [UInt8])
    case failure(Int64, mayHaveBeenSent: Bool)

    /// Parses a message; nil if it is invalid.
    init?(_ bytes: [UInt8]) {
        guard let json = try? JSONValue(strict: bytes), let id = json["id"]?.number?.int64, let kind = json["kind"]?.string else {
            return nil
        }
        let body = json["body"]?.string.flatMap { Data(base64Encoded: $0) }.map { Array($0) } ?? []
        switch kind {
        case "load":
            guard let method = json["method"]?.string.flatMap(HTTPRequest.Method.init(rawValue:)),
                let fields = json["fields"].flatMap(Self.fields)
            else { return nil }
            let head = HTTPRequest(
                method: method, scheme: json["scheme"]?.string, authority: json["authority"]?.string, path: json["path"]?.string,
                headerFields: fields)
            self = .load(id, head, body: body)
        case "cancel": self = .cancel(id)
        case "response":
            guard let status = json["status"]?.number?.int64, (100...999).contains(status), let fields = json["fields"].flatMap(Self.fields)
            else { return nil }
            self = .response(id, HTTPResponse(status: .init(code: Int(status)), headerFields: fields), body: body)
        case "failure": self = .failure(id, mayHaveBeenSent: json["may-have-been-sent"]?.bool ?? true)
        default: return nil
        }
    }

    var bytes: [UInt8] {
        let json: JSONValue =
            switch self {
            case .load(let id, let head, let body):
                [
                    "kind": "load", "id": .number(JSONNumber(id)), "method": .string(head.method.rawValue),
                    "scheme": .string(head.scheme ?? ""), "authority": .string(head.authority ?? ""), "path": .string(head.path ?? "/"),
                    "fields": Self.json(head.headerFields), "body": .string(Data(body).base64EncodedString()),
                ]
            case .cancel(let id): ["kind": "cancel", "id": .number(JSONNumber(id))]
            case .response(let id, let head, let body):
                [
                    "kind": "response", "id": .number(JSONNumber(id)), "status": .number(JSONNumber(Int64(head.status.code))),
                    "fields": Self.json(head.headerFields), "body": .string(Data(body).base64EncodedString()),
                ]
            case .failure(let id, let mayHaveBeenSent):
                ["kind": "failure", "id": .number(JSONNumber(id)), "may-have-been-sent": .bool(mayHaveBeenSent)]
            }
        return json.serialized()
    }

    private static func json(_ fields: HTTPFields) -> JSONValue {
        .array(fields.map { [.string($0.name.rawName), .string($0.value)] })
    }

    private static func fields(_ json: JSONValue) -> HTTPFields? {
        var fields = HTTPFields()
        for pair in json.array ?? [] {
            guard let pair = pair.array, pair.count == 2, let name = pair[0].string.flatMap({ HTTPField.Name($0) }),
                let value = pair[1].string
            else { return nil }
            fields.append(HTTPField(name: name, value: value))
        }
        return fields
    }
}
