extension UnusualKey {
    /// An RSA key of 2048 bits in PKCS #1. Both primes are k · M + (65537ᵃ mod M), where M is the product of the first 126 primes.
    static let encodedROCA = """
        MIIEpAIBAAKCAQEAtGzbTcOO3vMumouhfUkiAKedzQ01vuCmj0p4RUbmswJVgKFLlQjqYRRzfCKmqG4-yhj7PtoYbxz5ch_N7WFyTihFNh-rZv\
        gcxgNrgXgk3nA257LmT5j9t515lg8nyON39zYq0UjIb7Si2uMxytUfA2hXrcshcaXeZlQQ_PSGa1FIz7vCjmITbv23yNZV-SeNJqdxFns5fKXE\
        xj3pPdDbfbZELJNqwnccLlGJyQN4IOCz8wAffUouqzo32sQK24OcRoKagDO6xkeoZEZKaKPLKzI8ys2yJFaTbw1oivAOupag-8r_4jhxpKO7Xo\
        wVpif9_nznRrmMq0fbAVH0K6TioQIDAQABAoIBAQCYpayZS0WaHRalzFLRo8kv0qAwdues2XYxryi4O_c9JlFepZhDvCpH_jyCnvJvd-6Jn78Z\
        ev3HLDVjN8NK_fHubCW6V-r1EB-P7B7Nh-9xfnEFcJdoaqDl80aGDcZ0MPczYVGyhSiHUcWi-SsMV2mIwYPE1yIxe8sAukkxKlR7f_sH5uq0Kc\
        _dZfwfmrUFlpC1pBEBQwwoeMC6x2zrxo4Bl552e43NRffRM4HkU9AuJuCkjOCmhHNcRmzADmufLxghK5AnkmsatIQV2ph2tW2_ftVDuNAgbo3r\
        w9OG8eqprHKmcV_nYdG_3v0XR-IzRKK617xHob_VCcirTrRqYQDNAoGBAN3wMfke0Rv5nWL5d_trAuB6xwO_YpWOGlFFXpwt6cXfqRXKVcKKNl\
        DTK81Sm82D-zVPbs1FuXrkzx4yVeVygL4w9I8aZp3unZh1nbIJpT8Gj-F7FYCvfroMsU6wAkNiO4bD-D9myJrQlnvR6wcDsgATE16jyGFFyQhb\
        FL1y6wULAoGBANAdpFwRQt_LmGJW_V_6mCnOOnS_wAKUD41vTJZaDx_Po9kjo3mX3jmjL2-lMMpyiPdFP61sq3VdClrjvV8ACQjPE9NqaAdyU7\
        mS4zPDx6A34BGjv7qXDogShyv97bCfq3zl7ldzX0la3-ZoQaAvfkLO1dk3NoUIRTCeg1tZGKqDAoGBAIOsF9n3QJTaWVf5LggKCyDndt9wUqrs\
        Lgz9nQ4H52QwN_7nlk3e9i6pupkMY8dggE-2msRKk6qnyYHe1ztT3bH5FX85aJxWj0V-slqIgnOMDxz1i2JXvFXhZeiLYCxeQXbJGaVz85x2GH\
        HJryjwNlD5AErr3NxpLMY6U2m6nljVAoGAUW8H3S6z6DYWToSTaHb6C4GyxfQyAdBFtaYTZdGfkWcCSfj0AqQ2RH9iFGGjEdR3W6oxHH8lKCtb\
        3ey3MPEml9fPfi5ovmEx-a9MT_kPp9W1S7GzWCO7f-sgEUqvMymHRLwD4xw18NIqQlIRO8jZsvKUIwbDwpJV4IxmAdx_FlkCgYBRc6iJvToYyj\
        zgGGzqFflsb4-8EL9SJjyxVhwmIqYzyDkLxAztu-o1F_Om9OMfVnafiR09F6AuhGxH3aQw9XaA6tAqfo2bJ6SVOl4q5bMoIlOFHCmNKP6x_KSD\
        wc1M_WAe7QweQYIH5j3UYYgxgW2ITSm8bOMDTeI9DvJuYLhucw
        """
}
