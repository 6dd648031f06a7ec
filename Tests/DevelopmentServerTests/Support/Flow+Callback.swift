import AuthHubPrimitives
import Testing

extension Flow {
    /// Signs in, and returns the parameters of the callback: a redirect with a fragment, or a page with a form.
    func callback(_ path: String, mode: String) async throws -> FormParameters {
        let page: RawClient.Response
        do {
            page = try await person().visit(path)
        } catch let lost as Person.Lost {
            page = lost.page
        }
        guard mode == "form_post" else {
            #expect(page.header("Location")?.contains("#") ?? false)
            return page.redirectParameters
        }
        var parameters = FormParameters()
        for part in page.text.split(separator: "<input type=\"hidden\" name=\"").dropFirst() {
            let pieces = part.split(separator: "\"", omittingEmptySubsequences: false)
            parameters.append(String(pieces[0]), String(pieces[2]))
        }
        return parameters
    }
}
