import AuthHubPrimitives
import NIOHTTP1

/// The page that passes on the fragment of its own URL: browsers do not send fragments to servers, so a script must.
///
/// The script removes the fragment from the address bar, posts it to the page's origin with the page's ticket, and shows the response as
/// text. It needs no external resources, puts no part of the fragment into the page, and can send it nowhere else.
struct FragmentPage: BrowserPage, Hashable {
    let ticket: Secret<String>

    /// The name of the header field with the ticket. No form can send it, and no script of another origin without a preflight request.
    static let ticketField = "X-AuthHub-Fragment-Ticket"

    var status: HTTPResponseStatus { .ok }

    var headers: HTTPHeaders {
        [
            "Content-Type": "text/html; charset=utf-8",
            "Content-Length": String(html.utf8.count),
            "Content-Security-Policy": Self.contentSecurityPolicy,
            "X-Frame-Options": "DENY",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "no-referrer",
            "Cache-Control": "no-store",
            "X-Content-Type-Options": "nosniff",
            "Connection": "close",
        ]
    }

    var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <meta name="ticket" content="\(ticket.reveal())">
        <title>Almost done</title>
        <style>\(ResultPage.style)</style>
        </head>
        <body>
        <main>
        <h1>Almost done</h1>
        <noscript><p>This browser does not run scripts, and the sign-in response is in this page’s URL. Copy the whole URL and \
        paste it into the program.</p></noscript>
        <p id="text" role="status"></p>
        </main>
        <script>\(Self.script)</script>
        </body>
        </html>

        """
    }

    static let script = #"""
        const say=(title,text)=>{document.title=title;document.querySelector("h1").textContent=title;\#
        document.querySelector("#text").textContent=text};\#
        const fragment=location.hash.slice(1);\#
        history.replaceState(null,"",location.pathname);\#
        if(!fragment)say("No response","This URL contains no sign-in response. Start again from the program.");\#
        else fetch(location.pathname,{method:"POST",body:fragment,credentials:"omit",redirect:"error",cache:"no-store",headers:{\#
        "Content-Type":"application/x-www-form-urlencoded",\#
        "X-AuthHub-Fragment-Ticket":document.querySelector("meta[name=ticket]").content}})\#
        .then(answer=>answer.text()).then(html=>{const page=new DOMParser().parseFromString(html,"text/html");\#
        say(page.title,page.querySelector("p").textContent)})\#
        .catch(()=>say("Not delivered","The program is no longer waiting. Close this window and start again from the program."))
        """#

    /// A policy that allows exactly the style and the script of this page, and requests of the script to the page's origin.
    static let contentSecurityPolicy = """
        default-src 'none'; style-src 'sha256-busKnSdSrNVdD96zhFj6TdfoNXjMZynLbSGJn/8mGfg='; \
        script-src 'sha256-pOJHil7tqU9bb5hP+0T1xKFcfTaoGqRwL+4aIq6HHH4='; connect-src 'self'; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """
}
