import AuthHubPrimitives

/// Form-encoded text. Decoding and encoding it again does not change it, and a much simpler parser decodes it to the same parameters.
enum FormTarget: Target {
    static let name = "form"

    static func check(_ input: [UInt8]) throws(Violation) {
        let text = String(decoding: input, as: UTF8.self)
        // The lines of the input as names and values.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let pairs = FormParameters(zip(lines, lines.dropFirst()).map { FormParameters.Parameter(name: $0, value: $1) })
        if !text.utf8.contains(0) { try checkWritten(pairs) }

        guard let form = try? FormParameters(decoding: text) else { return }
        try checkWritten(form)
        let plain = NaiveForm.pairs(Array(text.utf8)[...])
        let own = form.parameters.map { [Array($0.name.utf8), Array($0.value.utf8)] }
        try require(own == plain.map { [$0.name, $0.value] }, "a simpler parser decodes the same parameters")
    }

    private static func checkWritten(_ form: FormParameters) throws(Violation) {
        for spaces in [FormParameters.SpaceCoding.plus, .percent] {
            let written = form.encoded(spaces: spaces)
            try require(written.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "an encoded form consists of visible ASCII characters")
            try require((try? FormParameters(decoding: written)) == form, "a form that is encoded and decoded again is the same")
        }
    }
}
