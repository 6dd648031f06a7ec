"""Third-party libraries that verify the ID tokens of the development server: joserfc and Authlib from PyPI, and go-oidc."""
import base64
import hashlib
import os
import subprocess
import time
from urllib.parse import parse_qs, urlencode, urlsplit

import requests
from authlib.jose import JsonWebKey, JsonWebToken
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import KeySet, OctKey

from outside import PATIENCE, DevelopmentServer, Home, Report, expect
from simulated_user import SimulatedUser

REDIRECT = "http://127.0.0.1:9/callback"
NONCE, VERIFIER = "n-judge", "v" * 64
SYMMETRIC = "HS256"


class Subject:
    """A sign-in of a client that registered an algorithm: its ID token, and everything a judge needs."""

    def __init__(self, server, algorithm):
        self.issuer, self.algorithm = server["issuer"], algorithm
        ends = server["endpoints"]
        client = call("POST", ends["registration_endpoint"], json={
            "redirect_uris": [REDIRECT], "id_token_signed_response_alg": algorithm, "userinfo_signed_response_alg": algorithm})
        self.client_id, self.secret = client["client_id"], client["client_secret"]
        challenge = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).rstrip(b"=").decode()
        callback = SimulatedUser(server["user"]["username"], server["user"]["password"]).authorize(ends["authorization_endpoint"] + "?" + urlencode({
            "response_type": "code", "client_id": self.client_id, "redirect_uri": REDIRECT, "scope": "openid profile email",
            "state": "s" * 24, "nonce": NONCE, "code_challenge": challenge, "code_challenge_method": "S256"}))
        tokens = call("POST", ends["token_endpoint"], auth=(self.client_id, self.secret), data={
            "grant_type": "authorization_code", "code": parse_qs(urlsplit(callback).query)["code"][0], "redirect_uri": REDIRECT,
            "code_verifier": VERIFIER})
        self.id_token, self.access_token = tokens["id_token"], tokens["access_token"]
        answer = requests.get(ends["userinfo_endpoint"], headers={"Authorization": f"Bearer {self.access_token}"}, timeout=PATIENCE)
        expect(answer.headers["Content-Type"].startswith("application/jwt"), f"UserInfo is {answer.headers['Content-Type']}")
        self.user_info = answer.text
        self.keys = call("GET", ends["jwks_uri"])

    def hash(self):
        """The left half of the access token's hash (OpenID Connect Core 1.0 §3.1.3.6)."""
        digest = hashlib.new("sha512" if self.algorithm == "EdDSA" else "sha256", self.access_token.encode()).digest()
        return base64.urlsafe_b64encode(digest[:len(digest) // 2]).rstrip(b"=").decode()


def call(method, url, **options):
    answer = requests.request(method, url, timeout=PATIENCE, **options)
    expect(answer.status_code in (200, 201), f"{url}: {answer.status_code} {answer.text[:200]}")
    return answer.json()


def joserfc(subject, token):
    keys = OctKey.import_key(subject.secret) if subject.algorithm == SYMMETRIC else KeySet.import_key_set(subject.keys)
    return jwt.decode(token, keys, algorithms=[subject.algorithm]).claims


def authlib(subject, token):
    keys = subject.secret if subject.algorithm == SYMMETRIC else JsonWebKey.import_key_set(subject.keys)
    claims = JsonWebToken([subject.algorithm]).decode(
        token, keys, claims_cls=CodeIDToken,
        claims_options={"iss": {"essential": True, "value": subject.issuer}, "aud": {"essential": True, "value": subject.client_id}},
        # Authlib cannot check at_hash for EdDSA.
        claims_params={
            "nonce": NONCE, "client_id": subject.client_id, "access_token": None if subject.algorithm == "EdDSA" else subject.access_token})
    claims.validate(now=int(time.time()), leeway=5)
    return claims


def go_oidc(subject, token):
    run = subprocess.run(
        [os.environ["GO_JUDGE"], subject.issuer, subject.client_id, subject.algorithm, NONCE, subject.access_token], input=token,
        capture_output=True, text=True, timeout=PATIENCE)
    if run.returncode != 0:
        raise ValueError(run.stderr.strip())
    return {"sub": run.stdout.strip()}


def with_flipped(token, part, position):
    """Returns the token with another character in one of its parts."""
    parts = token.split(".")
    old = parts[part][position]
    parts[part] = parts[part][:position] + ("A" if old != "A" else "B") + parts[part][position + 1:]
    return ".".join(parts)


def accepts(judge, subject):
    claims = judge(subject, subject.id_token)
    expect(claims["sub"], "no subject")
    if judge is joserfc:
        expect(claims["at_hash"] == subject.hash(), f"at_hash is {claims['at_hash']}")


def rejects(judge, subject):
    # Not the last character, because some of its bits are ignored, and not the first of the claims, because that would break the JSON.
    for part, what in ((2, "signature"), (1, "claims")):
        try:
            judge(subject, with_flipped(subject.id_token, part, 40))
        except Exception:  # each library has its own errors
            continue
        raise AssertionError(f"another {what} was accepted")


def main():
    report = Report()
    judges = [("joserfc", joserfc), ("Authlib", authlib)] + ([("go-oidc", go_oidc)] if "GO_JUDGE" in os.environ else [])
    with Home() as home, DevelopmentServer(home, "oidc") as server:
        algorithms = server["metadata"]["id_token_signing_alg_values_supported"]
        for algorithm in algorithms:
            subject = report.check(f"{algorithm}: a client registers the algorithm, and signs in", lambda: Subject(server, algorithm))
            if not subject:
                continue
            for name, judge in judges:
                if judge is go_oidc and algorithm == SYMMETRIC:
                    continue  # go-oidc verifies with public keys only
                report.check(f"{algorithm}: {name} verifies the ID token", lambda: accepts(judge, subject))
                report.check(f"{algorithm}: {name} rejects it with another signature or other claims", lambda: rejects(judge, subject))
            report.check(
                f"{algorithm}: joserfc verifies the UserInfo response", lambda: expect(joserfc(subject, subject.user_info)["sub"], "no sub"))
        report.check("the server supports every algorithm", lambda: expect(
            {"RS256", "PS256", "ES256", "EdDSA", "HS256"} <= set(algorithms), f"{algorithms}"))
    report.end()


if __name__ == "__main__":
    main()
