import AuthHubPrimitives

/// Form-encoded text: decoded and encoded again it is the same, and it means what a plain reader takes it for.
enum FormTarget: Target {
    static let name = "form"

    static func check(_ input: [UInt8]) throws(Violation) {
        let text = String(decoding: input, as: UTF8.self)
        // Taken as pairs it is written and read.
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let pairs = FormParameters(zip(lines, lines.dropFirst()).map { FormParameters.Parameter(name: $0, value: $1) })
        if !text.utf8.contains(0) { try checkWritten(pairs) }

        guard let form = try? FormParameters(decoding: text) else { return }
        try checkWritten(form)
        let plain = NaiveForm.pairs(Array(text.utf8)[...])
        let own = form.parameters.map { [Array($0.name.utf8), Array($0.value.utf8)] }
        try require(own == plain.map { [$0.name, $0.value] }, "a plain reader finds the same")
    }

    private static func checkWritten(_ form: FormParameters) throws(Violation) {
        for spaces in [FormParameters.SpaceCoding.plus, .percent] {
            let written = form.encoded(spaces: spaces)
            try require(written.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a form is written in visible ASCII")
            try require((try? FormParameters(decoding: written)) == form, "what is written reads the same")
        }
    }
}
