/// Keys, and tokens that were signed or encrypted with them. The private keys of the signed tokens were not kept.
enum Genuine {
    /// The public keys of the signed tokens.
    static let verificationKeys = [
        """
        {"kty":"RSA","kid":"r","n":"zFiqLjyfi2WC3wLDxzcLs1_d4agQ3SeXLZVh95QKYQPovBsKZQ4Cik4JZCHrNmTS2c-ywsV3Ap2KqCt4M2Qi3FtDYYLU\
        84jV_zYn5T94YIez9g0nA6dd8FFPYDz-6JtO_52bLPFlKUnkrbY-CWKEAZbJNXaQjBCKa0U7ai5r8TL9ebxvlkN1KYAT1z-qGiVvyM6Eej5VDfXbWSuO_Epi\
        M8oIzCLP7RfOA6mP3LLUoXq4a8005neVlD-fQHRpOZAoJCGfF19J7mssnVgZgECvVm1Q_1kD-IWmAKZ8ljYpvMbRQJSqMTwuZOawrtNneKu8QEGyiIBoTKD2\
        0alJD0JIEQ","e":"AQAB"}
        """,
        """
        {"kty":"EC","crv":"P-256","kid":"e","x":"hDNFDvB3rFVYuiYGsC1PH2ioE3INWZSwtFKmFmLfIpk","y":"NF_tudIVxcwJizsGEl8_VL2BKjPFD\
        VP6yq8gzu3-gs0"}
        """,
        """
        {"kty":"OKP","crv":"Ed25519","kid":"d","x":"Ek3mT2fO07mGJIm64qOpFwYvSUlk2XweQlPy_pMzFfo"}
        """,
    ]
    /// The client secret that one token is signed with, in base64url.
    static let clientSecret = "3mEMn-0i0yoXaA6Y2X6K7odl_Ne6ZlDfF3cyIrWv9ZU"
    /// One token for each signature algorithm, without its signature.
    static let signed = [
        """
        eyJhbGciOiJSUzI1NiIsImtpZCI6InIifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJzdWIiOiIxIn0
        """,
        """
        eyJhbGciOiJQUzI1NiIsImtpZCI6InIifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJzdWIiOiIxIn0
        """,
        """
        eyJhbGciOiJFUzI1NiIsImtpZCI6ImUifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJzdWIiOiIxIn0
        """,
        """
        eyJhbGciOiJFZERTQSIsImtpZCI6ImQifQ.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJzdWIiOiIxIn0
        """,
        """
        eyJhbGciOiJIUzI1NiJ9.eyJpc3MiOiJodHRwczovL2FzLmV4YW1wbGUiLCJzdWIiOiIxIn0
        """,
    ]
    /// The private and symmetric keys of the encrypted tokens.
    static let decryptionKeys = [
        """
        {"kty":"RSA","kid":"r","n":"2d5aRv7OSeHP8Ih1pN5er1y5KHBT4EzgN_niNGw6OzbX_ZoxpGhVqpC6IRM-7hiuwRTwolfpkNHn588E63u-vZN4Z_OA\
        ebBfQHdrhbEIY4JVumMkGRcptikwbr3Zm1ka__b0Osgd022x7COoqPARAR16vBYKS6tMx33JQeVAc70ttthcyR75KhUSuHl302TKXlH41m1APr6IopaLWlPg\
        93YxixQ9sHWDrge0Sx_duIx0WI8pmEpbwLJM9PHqEktj0ARFKJkzq6Q98NM60Udy4KxSXMMas2zMztFMN34HPEJ1qWkfzfP8vJ5VyjkSicOiMiC3K2Dr0W9D\
        pCsasMm2Lw","e":"AQAB","d":"XuCR9_Dm7Q3FfD4w3UdpfHyotY-VN0zDKB1OAP5QrZDIpswLakl1ZP350IWNFirxj2wLDuex8zs1_qEMx2_wNKaP_NTx\
        0gyYrn5S-LmLqaoMo0qhYbvQkl-Fk_RhW2GGfImS-jZDpttSbD9rJ4bEIPQxis8eVK2YlheVGXk4hC3ElC6tS1yrq7fD4T_WdAXyq_sBmdAtLu9QFamG-Dn5\
        hsKNqnp5OIS-EEigK94jBZfQcfhbE2fHwMjXEfahQpWkDCJu3YX4YPl4lMuIsVfSYHtj1tMM0KrT1QkfsaKgm3JuXcX9kJNOKnbEO-H-boW_BNjJfrljuRKF\
        68pT4ywVgQ","p":"7YKTusKkb8Fxf32j1NNJY0uxte1t1JIe2kxYwtYPTmk9bADlv3t0GNBaLAWpsyUfj8HmOw-JxDJbRh0cbvO6iygYZnX8TbJMPYFjaGt\
        0CfI_FNCvYKLaKELSBfQ8jbhczfNoX_N813V1VFEaWKdlqhvWIOxWWOEAqZkRhp1pAbE","q":"6tRVRIp_WnBk3IXA3Xw15LSSJYR7wIBYEwqzWsgSU1RPx\
        D0lq1o7FqXKFpnLI4vB8eJAMLK0ptXqBrXXPvl57n2Y48HRewbajZnGBuGtWCMU-Vs4HKDPvbMY4sezsdz-kzjQ9sMHP7SMXiBDMdxNRXSxJTHGodfMb4Fkb\
        QZ_Td8","dp":"NZbHxFTUi06nUC_F_mgp39idYUIQDO1nPrQJNvTbgUKnlC3jqL-vI0YnglVIw931cBc83kiUOgtuorRAzRv7FBjY4I1wfwtivmHqTw4noX\
        LiHs0zNOept3nUL3m7C_L0JZftDfE_UtHyxjKCckxa2PXs64LHvMgPwTSDSs9LeRE","dq":"ZiuQFcw0cMLp_1Bqg3Mhd6pg09X6idzNdSt4sYzO_FZ4hic\
        clpshjk7_yCmNyp9p-LW5u_ZkxxnXQqgnSIz-0hbvSFjxrZdjy6wWDrRt2SUaYQuhNEN7X0vnDfRZaI-Aa8mSkWp1YvBJCkL7OVxiek-1Kzum8o-TsQgZC56\
        CEP0","qi":"J_rEEolq_Se-jIwJdcSURrBQ1PzxgoJ3EPpt1zV-QezXODncFcUibIBTZ0aJ7fHVnpntB_xvOPBsL-aqdffjtz2ZQlQcwOJbzGyxUSZhtnHn\
        35Cks_9BdRubkawMq-YStcemSPWvjK1q4QszqT_D8AqqSjVOcOWW1CDL8VsMyas"}
        """,
        """
        {"kty":"EC","crv":"P-256","kid":"e","x":"TTrnlGPnkqnG4EVfj1Htc4oJM3nNtH76EFU1auq0hfs","y":"ger1Ztvv2o6rUhEq0oIwHE_KSICie\
        cxGNkYb-kkJw_E","d":"93aVsNR94Sf2_tPiEoM3wBRmwFJ4dcB-7AAuYnOWhM8"}
        """,
        """
        {"kty":"oct","kid":"w","k":"IH9otw02YIXO0lhmOfbCNA","alg":"A128KW"}
        """,
        """
        {"kty":"oct","kid":"d","k":"KMEgC79PFvsDimenKUbGew","alg":"dir"}
        """,
    ]
    /// One token for each way to encrypt or agree on the content key.
    static let encrypted = [
        """
        eyJhbGciOiJSU0EtT0FFUCIsImVuYyI6IkExMjhHQ00iLCJraWQiOiJyIn0.CV0N-75zZuh19lomQwQIyviB-2CBKxtv8XSIEteyKNN2WPjKfCneBM-zyrkj\
        0IUIZc9DbWqRGe7RyManm6-h5eaHxXq4t9Mf_Q4_Z5y1qosvnIMtzO8Eq2prEbZken3PHeEdtdZzjPTVBMrUM_qGDyjHmo1b4dbwxFbF0STuxAf3lnoSqQou\
        Hogqqn9aRx0o_dpnoWyci8588kAHaQKJiB4KBI2OtNOrozNDe8s-SrypYhZ84widZKubjxQZ6Z36QL44juer9j1QNnIqtqpRA2oBuHy36JOz1C6fbw9EQW0N\
        6Df-ojjuVZ8V69m2FrKewzrpbo8x4D3pF3ds2s_dPg.reFlp84Y6pHreyDv.usgXmUAP7qD0.OEjtPfACFh1OvGTRl7jmxw
        """,
        """
        eyJhbGciOiJFQ0RILUVTIiwiZW5jIjoiQTEyOEdDTSIsImtpZCI6ImUiLCJlcGsiOnsia3R5IjoiRUMiLCJjcnYiOiJQLTI1NiIsIngiOiJ5UzFSYVhkdUp5\
        X3ZmNmg0QXRjVDdEbTd6V3FPVktNdmZ4Zmd6Z2VqM3JJIiwieSI6Ikk4ZnVJcDZsQV84N0FfZUxWUThHWXFBQkhrcXU1Y2hnZUNkOU1OOW5LVUkifX0..VEf\
        y_fiw9Q3UwEg0.RHJS99C00tdL.E9eoDhTqnukcr2TIJ8bOIg
        """,
        """
        eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIiwia2lkIjoiZCJ9..jS_wAUeQa8OxUWk3.4J93n5hSIC74.SKtcu92amoMQqo7g13385g
        """,
        """
        eyJhbGciOiJBMTI4S1ciLCJlbmMiOiJBMTI4Q0JDLUhTMjU2Iiwia2lkIjoidyJ9.ORzv18EwuLEtVwjavbd2Hae3R7igNCzr6bd2Nt4Z4JkbfMgXuOFFZg.\
        LAeIOEmxngxe23FuU4D1RA.N1USqxBVezV-HS0_ncKRfA.qYvFpTZAteH7QeJwwplJBg
        """,
    ]
}
