import HTTPTypes
import OAuthProtocol
import Testing

struct StepUpRequirementTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: HTTPResponse.Status
        let fields: [String]
        let expected: StepUpRequirement?

        init(_ description: String, _ status: HTTPResponse.Status, _ fields: String..., is expected: StepUpRequirement?) {
            testDescription = description
            self.status = status
            self.fields = fields
            self.expected = expected
        }
    }

    @Test(arguments: [
        Row(
            "RS05: more scope", .forbidden, #"Bearer error="insufficient_scope", scope="read write""#,
            is: StepUpRequirement(scope: ["read", "write"])),
        Row("RS05: more scope, without naming it", .forbidden, #"Bearer error="insufficient_scope""#, is: StepUpRequirement()),
        Row("RS05: with status 401", .unauthorized, "Bearer error=insufficient_scope, scope=a", is: StepUpRequirement(scope: ["a"])),
        Row(
            "RS06: another authentication class", .unauthorized,
            #"Bearer error="insufficient_user_authentication", acr_values="gold silver""#,
            is: StepUpRequirement(acrValues: ["gold", "silver"])),
        Row(
            "RS06: a more recent authentication", .unauthorized, #"DPoP error="insufficient_user_authentication", max_age=5"#,
            is: StepUpRequirement(maximumAge: 5)),
        Row(
            "RS06: for both schemes", .unauthorized, #"Bearer error="insufficient_user_authentication", max_age=5"#,
            #"DPoP error="insufficient_user_authentication", max_age=3, scope="a""#, is: StepUpRequirement(scope: ["a"], maximumAge: 3)),
        Row(
            "after another challenge", .forbidden, #"Basic realm="x", Bearer error="insufficient_scope", scope="a""#,
            is: StepUpRequirement(scope: ["a"])),
        Row("RS02: another error", .unauthorized, #"Bearer error="invalid_token", scope="a""#, is: nil),
        Row("no error", .unauthorized, #"Bearer scope="a""#, is: nil),
        Row("another scheme", .forbidden, #"Custom error="insufficient_scope""#, is: nil),
        Row("RS10: a malformed challenge", .forbidden, #"Bearer error="insufficient_scope", scope="a"#, is: nil),
        Row("another status", .badRequest, #"Bearer error="insufficient_scope""#, is: nil),
        Row("a success status", .ok, #"Bearer error="insufficient_scope""#, is: nil),
        Row("no challenge", .forbidden, is: nil),
    ])
    func `the error code and status determine what else is needed`(row: Row) {
        var head = HTTPResponse(status: row.status)
        head.headerFields[values: .wwwAuthenticate] = row.fields
        #expect(StepUpRequirement(head) == row.expected)
    }

    @Test func `merges two needs into one`() {
        let one = StepUpRequirement(scope: ["a"], acrValues: ["gold", "silver"], maximumAge: 9)
        let two = StepUpRequirement(scope: ["b"], acrValues: ["silver", "bronze"], maximumAge: 3)
        let both = one.union(two)
        #expect(both == StepUpRequirement(scope: ["a", "b"], acrValues: ["silver"], maximumAge: 3))
        #expect(both.covers(one) && both.covers(two) && !one.covers(two) && !two.covers(one))
        #expect(StepUpRequirement().covers(StepUpRequirement()) && one.covers(StepUpRequirement()) && !StepUpRequirement().covers(one))
        #expect(one.union(StepUpRequirement(acrValues: ["iron"])).acrValues == ["gold", "silver"])
        #expect(!StepUpRequirement().covers(StepUpRequirement(maximumAge: 0)))
    }
}
