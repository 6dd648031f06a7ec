/// The words of the protocols that a trace may show. A value that is not among them is masked, unless the tool itself sent it before, in a
/// parameter that is not secret.
enum TraceVocabulary {
    /// The parameters of requests, and members of JSON requests, that contain nothing secret or personal.
    static let publicParameters = set(
        """
        acr_values application_type audience client_assertion_type client_id code_challenge_method display grant_type grant_types max_age \
        prompt redirect_uri redirect_uris requested_token_type resource response_mode response_type response_types scope \
        subject_token_type token_endpoint_auth_method token_type_hint
        """)

    /// The members of responses whose numbers are shown.
    static let publicNumbers = set(
        "auth_time client_id_issued_at client_secret_expires_at exp expires_at expires_in iat interval nbf refresh_token_expires_in")

    /// The members of responses whose URLs are shown, besides those that end with `_endpoint`.
    static let publicURLs = set(
        """
        aud authorization_servers iss issuer jwks_uri registration_client_uri resource service_documentation op_policy_uri op_tos_uri \
        redirect_uris verification_uri verification_url
        """)

    /// The header fields whose values are shown.
    static let requestFields = set("accept accept-encoding content-length content-type user-agent")
    static let responseFields = set("content-length content-type")
    /// The header fields that are shown if they contain a date or a number.
    static let dateFields = set("date expires last-modified retry-after")

    /// The words that servers send as values.
    static let words = set(
        """
        Bearer bearer DPoP dpop token Basic mac N_A \
        authorization_code refresh_token client_credentials implicit password urn:ietf:params:oauth:grant-type:device_code \
        urn:ietf:params:oauth:grant-type:token-exchange urn:ietf:params:oauth:grant-type:jwt-bearer urn:openid:params:grant-type:ciba \
        code token id_token none query fragment form_post jwt query.jwt fragment.jwt form_post.jwt \
        client_secret_basic client_secret_post client_secret_jwt private_key_jwt tls_client_auth self_signed_tls_client_auth \
        S256 plain public pairwise page popup touch wap normal aggregated distributed login consent select_account create \
        RS256 RS384 RS512 PS256 PS384 PS512 ES256 ES384 ES512 ES256K EdDSA Ed25519 HS256 HS384 HS512 \
        RSA EC OKP oct P-256 P-384 P-521 X25519 sig enc RSA-OAEP RSA-OAEP-256 RSA1_5 ECDH-ES ECDH-ES+A128KW ECDH-ES+A256KW A128KW A192KW A256KW ECDH-ES+A192KW A128GCMKW \
        A192GCMKW A256GCMKW dir A192CBC-HS384 \
        A128GCM A192GCM A256GCM A128CBC-HS256 A256CBC-HS512 JWT at+jwt logout+jwt header body \
        openid profile email address phone offline_access access_token \
        acr amr aud auth_time azp email_verified exp family_name given_name iat iss locale name nickname nonce picture \
        preferred_username sub updated_at website zoneinfo birthdate gender middle_name phone_number phone_number_verified sid at_hash \
        c_hash pwd mfa otp web native \
        access_denied account_selection_required authorization_pending consent_required expired_token incorrect_client_credentials \
        bad_verification_code device_flow_disabled insufficient_scope interaction_required invalid_client invalid_client_metadata \
        invalid_grant invalid_redirect_uri invalid_request invalid_request_object invalid_request_uri invalid_scope invalid_target \
        invalid_token login_required not_found registration_not_supported request_not_supported request_uri_not_supported server_error \
        slow_down temporarily_unavailable unapproved_software_statement unauthorized_client unsupported_device_code \
        unsupported_grant_type unsupported_response_type unsupported_token_type use_dpop_nonce unmet_authentication_requirements \
        no-store no-cache private public max-age=0 must-revalidate
        """)

    private static func set(_ words: String) -> Set<String> { Set(words.split(separator: " ").map(String.init)) }
}
