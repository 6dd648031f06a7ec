"""Third-party clients with the development server: Authlib and requests-oauthlib from PyPI."""
import os
import sys
import time
from urllib.parse import parse_qs, urlsplit

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = "1"

import requests
from authlib.common.errors import AuthlibBaseError
from authlib.integrations.requests_client import OAuth2Session as AuthlibSession
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.jwk import KeySet
from oauthlib.oauth2.rfc6749.errors import InvalidGrantError
from requests_oauthlib import OAuth2Session as RequestsSession

from outside import PATIENCE, DevelopmentServer, Home, Report, expect
from simulated_user import SimulatedUser

REDIRECT = "http://127.0.0.1:9/callback"
SCOPE = "openid profile email offline_access"


def simulated_user(server, decision="allow"):
    return SimulatedUser(server["user"]["username"], server["user"]["password"], decision)


def get(url, token):
    return requests.get(url, headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE)


def refused(action, *kinds):
    try:
        answer = action()
    except kinds as error:
        return str(error)
    raise AssertionError(f"was accepted: {sorted(answer)}")


class Authlib:
    """A confidential client: code, PKCE, ID token, refresh, rotation, reuse, revocation."""

    def __init__(self, server):
        self.server, self.ends = server, server["endpoints"]
        client = server.client("confidential")
        self.session = AuthlibSession(
            client["client_id"], client["client_secret"], scope=SCOPE, redirect_uri=REDIRECT, code_challenge_method="S256",
            token_endpoint_auth_method="client_secret_basic")
        self.session.trust_env = False

    def sign_in(self):
        verifier, nonce = "v" * 64, "n-authlib"
        url, state = self.session.create_authorization_url(self.ends["authorization_endpoint"], code_verifier=verifier, nonce=nonce)
        callback = simulated_user(self.server).authorize(url)
        query = parse_qs(urlsplit(callback).query)
        expect(query["state"] == [state], "another state came back")
        expect(query.get("iss") == [self.server["issuer"]], f"RFC 9207: iss is {query.get('iss')}")
        self.token = self.session.fetch_token(
            self.ends["token_endpoint"], authorization_response=callback, state=state, code_verifier=verifier)
        self.callback, self.nonce = callback, nonce
        expect(self.token["token_type"].lower() == "bearer", "no bearer token")
        expect(self.token["refresh_token"] and self.token["expires_in"] > 0, "no refresh token or lifetime")

    def id_token(self):
        keys = KeySet.import_key_set(requests.get(self.ends["jwks_uri"], timeout=PATIENCE).json())
        token = jwt.decode(self.token["id_token"], keys)
        judged = CodeIDToken(
            token.claims, token.header, {"iss": {"value": self.server["issuer"]}, "aud": {"value": self.session.client_id}},
            {"nonce": self.nonce, "access_token": self.token["access_token"], "client_id": self.session.client_id})
        judged.validate(now=int(time.time()), leeway=5)

    def userinfo(self):
        answer = get(self.ends["userinfo_endpoint"], self.token["access_token"])
        expect(answer.status_code == 200 and answer.json()["sub"], f"{answer.status_code} {answer.text[:200]}")
        answer = get(self.ends["userinfo_endpoint"], "made-up")
        expect(answer.status_code == 401 and "invalid_token" in answer.headers["WWW-Authenticate"], f"{answer.status_code}")

    def wrong_verifier(self):
        url, state = self.session.create_authorization_url(self.ends["authorization_endpoint"], code_verifier="a" * 64)
        callback = simulated_user(self.server).authorize(url)
        refused(
            lambda: self.session.fetch_token(
                self.ends["token_endpoint"], authorization_response=callback, state=state, code_verifier="b" * 64),
            AuthlibBaseError)

    def denial(self):
        url, state = self.session.create_authorization_url(self.ends["authorization_endpoint"], code_verifier="a" * 64, prompt="consent")
        query = parse_qs(urlsplit(simulated_user(self.server, "cancel").authorize(url)).query)
        expect(query["error"] == ["access_denied"] and query["state"] == [state] and "code" not in query, f"{query}")

    def refresh(self):
        self.old = dict(self.token)
        self.token = self.session.refresh_token(self.ends["token_endpoint"], refresh_token=self.old["refresh_token"])
        expect(self.token["access_token"] != self.old["access_token"], "the same access token")
        expect(self.token["refresh_token"] != self.old["refresh_token"], "the refresh token was not rotated")
        expect(get(self.ends["userinfo_endpoint"], self.token["access_token"]).status_code == 200, "the new token does not work")

    def reuse(self):
        refused(
            lambda: self.session.refresh_token(self.ends["token_endpoint"], refresh_token=self.old["refresh_token"]), AuthlibBaseError)
        refused(
            lambda: self.session.refresh_token(self.ends["token_endpoint"], refresh_token=self.token["refresh_token"]), AuthlibBaseError)
        expect(get(self.ends["userinfo_endpoint"], self.token["access_token"]).status_code == 401, "the access token still works")

    def revoke(self):
        answer = self.session.revoke_token(self.ends["revocation_endpoint"], self.token["refresh_token"], "refresh_token")
        expect(answer.status_code == 200, f"{answer.status_code} {answer.text[:200]}")
        refused(
            lambda: self.session.refresh_token(self.ends["token_endpoint"], refresh_token=self.token["refresh_token"]), AuthlibBaseError)
        expect(get(self.ends["userinfo_endpoint"], self.token["access_token"]).status_code == 401, "the access token still works")


class RequestsOAuthlib:
    """A public client: code, PKCE, refresh, and a code that is used twice."""

    def __init__(self, server):
        self.server, self.ends = server, server["endpoints"]
        self.id = server.client("public")["client_id"]
        self.session = RequestsSession(self.id, redirect_uri=REDIRECT, scope=SCOPE.split(), pkce="S256")
        self.session.trust_env = False

    def sign_in(self):
        url, _ = self.session.authorization_url(self.ends["authorization_endpoint"])
        self.callback = simulated_user(self.server).authorize(url)
        self.token = self.session.fetch_token(
            self.ends["token_endpoint"], authorization_response=self.callback, include_client_id=True)
        expect(get(self.ends["userinfo_endpoint"], self.token["access_token"]).status_code == 200, "the token does not work")

    def refresh(self):
        old = dict(self.token)
        self.token = self.session.refresh_token(
            self.ends["token_endpoint"], refresh_token=old["refresh_token"], client_id=self.id)
        expect(self.token["refresh_token"] != old["refresh_token"], "the refresh token was not rotated")

    def code_twice(self):
        refused(
            lambda: self.session.fetch_token(
                self.ends["token_endpoint"], authorization_response=self.callback, include_client_id=True),
            InvalidGrantError)
        expect(
            get(self.ends["userinfo_endpoint"], self.token["access_token"]).status_code == 401,
            "RFC 6749 §4.1.2: what was issued for the code still works")


def main():
    report = Report()
    with Home() as home, DevelopmentServer(home, "oidc") as server:
        client = Authlib(server)
        report.check("Authlib: code with PKCE, state and iss", client.sign_in)
        report.check("Authlib: the ID token is signed, for this client, with nonce and at_hash", client.id_token)
        report.check("Authlib: the access token is valid for userinfo, another is not", client.userinfo)
        report.check("Authlib: a wrong code_verifier is rejected", client.wrong_verifier)
        report.check("Authlib: the user denies access", client.denial)
        report.check("Authlib: refresh rotates", client.refresh)
        report.check("Authlib: a refresh token used twice revokes the whole grant", client.reuse)
        client = Authlib(server)
        report.check("Authlib: signing in again", client.sign_in)
        report.check("Authlib: revocation revokes the refresh token and the access token", client.revoke)
        client = RequestsOAuthlib(server)
        report.check("requests-oauthlib: code with PKCE, public client", client.sign_in)
        report.check("requests-oauthlib: refresh rotates", client.refresh)
        report.check("requests-oauthlib: a code used twice is rejected, and its tokens are revoked", client.code_twice)
    report.end()


if __name__ == "__main__":
    main()
