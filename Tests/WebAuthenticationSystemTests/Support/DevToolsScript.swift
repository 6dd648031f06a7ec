import AuthHubTesting
import Testing

@testable import WebAuthentication
@testable import WebAuthenticationTests

/// A script that simulates a Chromium that is controlled over its DevTools pipe.
enum DevToolsScript {
    static let python = processEnvironment().findProgram("python3")

    /// The functions for scripts: `say` and `hear` send and receive messages of the protocol, `paused` reports a paused request, and
    /// `prepare` does everything up to the page.
    private static let prelude = #"""
        import json, os, signal, sys
        here = os.path.dirname(os.path.abspath(sys.argv[0]))
        heard = []
        buffer = b""
        def say_bytes(data):
            data += b"\0"
            while data: data = data[os.write(4, data):]
        def say(**message): say_bytes(json.dumps(message).encode())
        def hear():
            global buffer
            while b"\0" not in buffer:
                data = os.read(3, 65536)
                if not data: sys.exit(0)
                buffer += data
            message, buffer = buffer.split(b"\0", 1)
            heard.append(json.loads(message))
            with open(here + "/heard", "ab") as file: file.write(message + b"\n")
            return heard[-1]
        def hear_method(method):
            while True:
                message = hear()
                if message["method"] == method: return message
        def answer(message, **result): say(id=message["id"], result=result)
        def event(method, session=None, **parameters):
            message = {"method": method, "params": parameters}
            if session: message["sessionId"] = session
            say(**message)
        def page(id, url="about:blank"):
            event("Target.targetCreated", targetInfo={"targetId": id, "type": "page", "title": "", "url": url, "attached": False})
        def gone(id): event("Target.targetDestroyed", targetId=id)
        def paused(id, url, fragment=None, frame="P", method="GET", kind="Document", session=None):
            request = {"url": url, "method": method, "headers": {"Accept": "*/*"}}
            if fragment: request["urlFragment"] = fragment
            event("Fetch.requestPaused", session, requestId=id, request=request, frameId=frame, resourceType=kind)
        def prepare():
            answer(hear_method("Target.setDiscoverTargets"))
            answer(hear_method("Fetch.enable"))
            page("P")
            answer(hear_method("Target.attachToTarget"), sessionId="S")
            return hear_method("Page.navigate")
        right = "https://app.example.com/callback?code=c&state=right"
        wrong = "https://app.example.com/callback?code=c&state=wrong"
        other = "https://app.example.com/callback?code=other&state=right"

        """#

    static func opener(_ script: String, in folder: ScriptFolder, clock: TestClock) throws -> EphemeralChromium {
        let python = try #require(python)
        try folder.add("chromium", prelude + script, interpreter: "#!\(python)\n")
        return EphemeralChromium(
            environment: ["PATH": "\(folder.path):/usr/bin:/bin", "XDG_RUNTIME_DIR": folder.path], clock: clock)
    }

    /// - Parameter clock: The clock of the browser; the sign-in has its own.
    static func signIn(_ script: String, in folder: ScriptFolder, clock: TestClock = TestClock()) async throws -> SignIn {
        try await SignIn(
            method: .https(host: "app.example.com", path: "/callback"), opener: opener(script, in: folder, clock: clock))
    }
}
