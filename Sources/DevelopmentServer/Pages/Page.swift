import AuthHubPrimitives
import HTTPTypes

/// A page for the user. It needs no script, loads nothing, and cannot be shown in a frame.
struct Page: Sendable {
    let title: String
    let content: HTML
    /// The targets of its forms other than this server: Chromium applies the policy to redirects after a form, too.
    var formTargets: [String] = []
    /// The origins of the pages that it loads in frames.
    var frameOrigins: [String] = []
    /// The URL that the browser loads after two seconds; nil if it stays on this page.
    var next: String?
}

extension Page {
    func answer(status: HTTPResponse.Status = .ok) -> Answer {
        let nonce = Base64URL.encode(randomBytes(count: 16))
        let document: HTML = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(title)</title>
            \(refresh)
            <style nonce="\(nonce)">\(Self.style)</style>
            </head>
            <body>
            <main>
            \(content)
            </main>
            <footer><p>AuthHub development server. It runs only on this machine and stores nothing.</p></footer>
            </body>
            </html>

            """
        let formTargets = (["'self'"] + formTargets).joined(separator: " ")
        let frames = frameOrigins.isEmpty ? "" : "; frame-src \(frameOrigins.joined(separator: " "))"
        var answer = Answer(
            status: status,
            headers: [
                .contentType: "text/html; charset=utf-8",
                .contentSecurityPolicy:
                    "default-src 'none'; style-src 'nonce-\(nonce)'; form-action \(formTargets); base-uri 'none'; frame-ancestors 'none'\(frames)",
                .xContentTypeOptions: "nosniff",
            ], body: Array(document.text.utf8))
        answer.setHeader("Referrer-Policy", to: "no-referrer")
        return answer.notStored()
    }

    private var refresh: HTML { next.map { "<meta http-equiv=\"refresh\" content=\"2;url=\($0)\">" } ?? "" }

    private static let style: HTML = """
        :root { color-scheme: light dark; --accent: light-dark(#1f6feb, #58a6ff); --line: light-dark(#59636e, #9198a1); }
        * { box-sizing: border-box; }
        body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center; justify-content: center;
          font: 1rem/1.5 system-ui, sans-serif; color: light-dark(#1f2328, #f0f6fc); background: light-dark(#f6f8fa, #0d1117); }
        main { width: min(26rem, 100% - 2rem); margin: 2rem 1rem 1rem; padding: 1.5rem; border: 1px solid var(--line);
          border-radius: .75rem; background: light-dark(#fff, #151b23); overflow-wrap: anywhere; }
        h1 { margin: 0 0 1rem; font-size: 1.4rem; line-height: 1.25; }
        label { display: block; margin: 1rem 0 .25rem; font-weight: 600; }
        input { width: 100%; padding: .6rem; font: inherit; border: 1px solid var(--line); border-radius: .4rem; }
        button { padding: .6rem 1.2rem; font: inherit; font-weight: 600; border: 1px solid var(--line); border-radius: .4rem; cursor: pointer; }
        button.primary { color: light-dark(#fff, #0d1117); background: var(--accent); border-color: var(--accent); }
        :focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
        .buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
        .error { padding: .75rem; border: 1px solid; border-radius: .4rem; color: light-dark(#a40e26, #ff7b72); }
        code { font-size: .9em; }
        footer { padding: 0 1rem 1rem; font-size: .85rem; text-align: center; }
        """
}
