// Verifies an ID token from standard input with go-oidc. The version in Debian cannot check at_hash for EdDSA.
//
//	judge ISSUER CLIENT ALGORITHM NONCE ACCESS-TOKEN
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/coreos/go-oidc"
)

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

func main() {
	issuer, client, algorithm, nonce, accessToken := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		fail(err)
	}
	provider, err := oidc.NewProvider(context.Background(), issuer)
	if err != nil {
		fail(err)
	}
	config := &oidc.Config{ClientID: client, SupportedSigningAlgs: []string{algorithm}}
	token, err := provider.Verifier(config).Verify(context.Background(), string(text))
	if err != nil {
		fail(err)
	}
	if token.Nonce != nonce {
		fail(fmt.Errorf("the nonce is %q", token.Nonce))
	}
	if algorithm != "EdDSA" {
		if err := token.VerifyAccessToken(accessToken); err != nil {
			fail(err)
		}
	}
	fmt.Println(token.Subject)
}
