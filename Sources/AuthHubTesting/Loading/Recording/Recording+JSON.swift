public import AuthHubPrimitives
import HTTPLoading
import HTTPTypes

extension Recording {
    /// Creates a recording from JSON.
    ///
    /// - Throws: ``RecordingError`` with `.malformed` or `.unknownVersion`.
    public init(_ json: JSONValue) throws(RecordingError) {
        guard json["format"]?.string == "authhub-recording", let version = json["version"]?.number?.int64 else {
            throw .malformed("there is no format and version")
        }
        guard version == Self.version else { throw .unknownVersion(version) }
        guard let values = json["exchanges"]?.array else { throw .malformed("there are no exchanges") }
        exchanges = []
        for (index, value) in values.enumerated() {
            guard let exchange = Exchange(value) else { throw .malformed("exchange \(index + 1)") }
            exchanges.append(exchange)
        }
    }

    /// The recording in its JSON format, with the current ``version``.
    public var json: JSONValue {
        [
            "format": "authhub-recording", "version": .number(JSONNumber(Self.version)),
            "exchanges": .array(exchanges.map(\.json)),
        ]
    }
}

extension Recording.Exchange {
    fileprivate init?(_ json: JSONValue) {
        guard let request = json["request"].flatMap(Recording.Request.init), let outcome = Recording.Outcome(ofExchange: json) else {
            return nil
        }
        self.init(request: request, outcome: outcome)
    }

    var json: JSONValue {
        let outcome: (String, JSONValue) =
            switch outcome {
            case .response(let head, let body): ("response", head.json(with: body))
            case .failure(let code): ("failure", .string(code.description))
            }
        var object = JSONObject()
        object["request"] = request.json
        object[outcome.0] = outcome.1
        return .object(object)
    }
}

extension Recording.Request {
    fileprivate init?(_ json: JSONValue) {
        guard let method = json["method"]?.string.flatMap(HTTPRequest.Method.init(rawValue:)), let target = json["target"]?.string,
            let fields = json["fields"].flatMap(HTTPFields.init)
        else { return nil }
        var content = Recording.RequestContent([], text: nil)
        if let body = json["body"] {
            guard let length = body["length"]?.number?.int64, let digest = body["digest"]?.string else { return nil }
            content.length = Int(length)
            content.digest = digest
            content.text = body["text"]?.string
        }
        self.init(method: method, target: target, fields: fields, body: content)
    }

    fileprivate var json: JSONValue {
        var object = JSONObject()
        object["method"] = .string(method.rawValue)
        object["target"] = .string(target)
        object["fields"] = fields.json
        if body.length > 0 {
            var content = JSONObject()
            content["length"] = .number(JSONNumber(Int64(body.length)))
            content["digest"] = .string(body.digest)
            content["text"] = body.text.map { .string($0) }
            object["body"] = .object(content)
        }
        return .object(object)
    }
}

extension Recording.Outcome {
    fileprivate init?(ofExchange json: JSONValue) {
        if let failure = json["failure"]?.string {
            // Earlier versions wrote the code with spaces.
            guard let code = Self.codes.first(where: { $0.description == failure.replacing(" ", with: "_") }) else { return nil }
            self = .failure(code)
            return
        }
        guard let response = json["response"], let status = response["status"]?.number?.int64, (100...999).contains(status),
            let fields = response["fields"].flatMap(HTTPFields.init)
        else { return nil }
        var bytes: [UInt8] = []
        if let body = response["body"] {
            guard let content = body["text"]?.string.map({ Array($0.utf8) }) ?? body["base64url"]?.string.flatMap({ Base64URL.decode($0) })
            else { return nil }
            bytes = content
        }
        self = .response(HTTPResponse(status: .init(code: Int(status)), headerFields: fields), body: bytes)
    }

    /// The errors of transports. A cancellation is not included, because it has nothing to do with the server.
    static let codes: [LoadError.Code] = [
        .invalidRequest, .bodySpent, .invalidResponse, .cannotConnect, .connectionLost, .notSecure, .timedOut, .tooLarge, .shutDown,
    ]
}

extension HTTPResponse {
    fileprivate func json(with body: [UInt8]) -> JSONValue {
        var object = JSONObject()
        object["status"] = .number(JSONNumber(Int64(status.code)))
        object["fields"] = headerFields.json
        if !body.isEmpty {
            object["body"] =
                if let text = String(validating: body, as: UTF8.self) {
                    ["text": .string(text)]
                } else {
                    ["base64url": .string(Base64URL.encode(body))]
                }
        }
        return .object(object)
    }
}

extension HTTPFields {
    fileprivate init?(_ json: JSONValue) {
        guard let pairs = json.array else { return nil }
        self.init()
        for pair in pairs {
            guard let pair = pair.array, pair.count == 2, let name = pair[0].string.flatMap({ HTTPField.Name($0) }),
                let value = pair[1].string
            else { return nil }
            append(HTTPField(name: name, value: value))
        }
    }

    fileprivate var json: JSONValue {
        .array(map { [.string($0.name.rawName), .string($0.value)] })
    }
}
