import OAuthProtocol
import Testing

struct HostPolicyTests {
    @Test(arguments: [
        "https://api.example", "https://api.example.:8443/x", "https://8.8.8.8/", "https://[2606:4700::1111]/", "https://172.32.0.1",
        "https://100.128.0.1", "https://192.169.0.1", "https://3com.example", "https://0x.example", "https://[64:ff9b::808:808]/",
    ])
    func `allows requests to public hosts`(url: String) {
        #expect(HostPolicy.publicHosts.allows(url))
    }

    @Test(arguments: [
        "https://10.0.0.1", "https://172.16.0.1", "https://172.31.255.255", "https://192.168.1.1", "https://169.254.169.254/latest",
        "https://100.64.0.1", "https://0.0.0.0", "https://198.18.0.1", "https://224.0.0.1", "https://255.255.255.255", "https://192.0.2.1",
        "https://0x0a.0.0.1", "https://012.0.0.1", "https://167772161", "https://0xa000001", "https://10.1", "https://10.0.0.1.",
        "https://999.1.1.1", "https://1.2.3.4.5", "https://10.0.0.0x", "https://99999999999999999999999",
        "https://[fe80::1]", "https://[fc00::1]", "https://[fd12:3456::1]", "https://[ff02::1]", "https://[::]",
        "https://[::ffff:10.0.0.1]",
        "https://[::ffff:a00:1]", "https://[64:ff9b::10.0.0.1]", "https://[2002:a00:1::]", "https://[2001:db8::1]", "https://[2001::1]",
        "https://[::10.0.0.1]", "https://[1:2:3:4:5:6:7:8:9]", "https://[1::2::3]",
        "https://168.63.129.16", "https://0xa83f8110", "https://[::ffff:168.63.129.16]", "https://[64:ff9b::a83f:8110]",
        "https://100.100.100.200", "https://[fd00:ec2::254]", "https://[64:ff9b::169.254.169.254]", "https://[2002:a9fe:a9fe::]",
        "https://[2606:4700::5efe:a9fe:a9fe]", "https://[3fff:fff::1]",
        "https://printer", "https://printer.local", "https://metadata.google.internal", "https://nas.home.arpa", "https://x.LAN",
    ])
    func `DD22: rejects private, link-local and special addresses in untrusted URLs, in any notation`(url: String) {
        #expect(!HostPolicy.publicHosts.allows(url))
        #expect(!HostPolicy.publicHostsAndLoopbackForDevelopment.allows(url))
    }

    @Test(arguments: [
        "https://127.0.0.1", "https://127.1", "https://0x7f.1", "https://2130706433", "https://[::1]", "https://[::ffff:127.0.0.1]",
        "https://localhost", "https://LOCALHOST.", "https://x.localhost",
    ])
    func `DD22: allows requests to this machine only for development`(url: String) {
        #expect(!HostPolicy.publicHosts.allows(url))
        #expect(HostPolicy.publicHostsAndLoopbackForDevelopment.allows(url))
        #expect(HostPolicy.anyHostEvenInPrivateNetworks.allows(url))
    }

    @Test func `DD22: checks the addresses of a host name by the same rules`() {
        for address in ["10.0.0.1", "fe80::1%eth0", "::1", "127.0.0.1", "fd00::1"] {
            #expect(!HostPolicy.publicHosts.allows(address: address))
        }
        for address in ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c"] {
            #expect(HostPolicy.publicHosts.allows(address: address))
        }
        #expect(!HostPolicy.anyHostEvenInPrivateNetworks.allows("ftp://api.example"))
    }
}
