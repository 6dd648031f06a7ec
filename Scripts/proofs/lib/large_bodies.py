"""Bodies of 100 MB in both directions, and a gzip bomb; the memory is the peak that the process itself reports."""
import os
import zlib

from others import Driver, Nginx
from outside import Report, expect

SIZE = 100_000_000
# The limit above the peak of the same process after one small request, in KiB; a body held in memory would take 97,000 and more. With TLS
# and HTTP/2 it is 20,000 to 30,000, depending on the size of the chunks.
BOUND = 60 * 1024


class Measured:
    def __init__(self, driver, nginx):
        self.driver, self.nginx = driver, nginx
        self.base = f"http://127.0.0.1:{nginx.plain}"
        self.idle = driver.load("GET", f"{self.base}/landing")["peak"]

    def load(self, method, url, **order):
        outcome = self.driver.load(method, url, **order)
        grown = outcome["peak"] - self.idle
        expect(grown < BOUND, f"{grown} KiB above the idle process")
        return outcome


def download(measured, base):
    with open(measured.nginx.path("site", "large"), "wb") as file:
        file.truncate(SIZE)
    outcome = measured.load("GET", f"{base}/site/large")
    expect(outcome.get("status") == 200 and outcome["received"] == SIZE, f"{outcome}")


def upload(measured, base):
    target = measured.nginx.path("site", "uploaded")
    if os.path.exists(target):
        os.remove(target)
    outcome = measured.load("PUT", f"{base}/site/uploaded", upload=SIZE)
    expect(outcome.get("status") in (201, 204), f"{outcome}")
    expect(os.path.getsize(target) == SIZE, f"{os.path.getsize(target)} bytes arrived")


def bomb(measured):
    packer = zlib.compressobj(9, zlib.DEFLATED, 31)
    block = bytes(1 << 20)
    with open(measured.nginx.path("site", "bomb"), "wb") as file:
        for _ in range(1_024):
            file.write(packer.compress(block))
        file.write(packer.flush())
    outcome = measured.load("GET", f"{measured.base}/bomb")
    expect(outcome.get("error") == "too_large", f"{outcome}")
    expect(outcome["received"] <= 20_000_000, f"{outcome['received']} bytes were handed out")


def main():
    report = Report()
    bound = f"under {BOUND // 1024} MiB above the idle process"
    with Nginx() as nginx:
        with open(nginx.certificate) as file:
            roots = file.read()
        for name, port, scheme in (("HTTP/1.1", nginx.plain, "http"), ("HTTP/2 with TLS", nginx.secure, "https")):
            base = f"{scheme}://127.0.0.1:{port}"
            with Driver(roots=roots) as driver:
                measured = Measured(driver, nginx)
                report.check(f"100 MB from nginx over {name}: {bound}", lambda: download(measured, base))
                report.check(f"100 MB to nginx over {name}: {bound}", lambda: upload(measured, base))
        with Driver(decompressUpTo=20_000_000) as driver:
            report.check(f"1 MB of gzip that decompresses to 1 GiB, from nginx: too large, {bound}", lambda: bomb(Measured(driver, nginx)))
    report.end()


main()
