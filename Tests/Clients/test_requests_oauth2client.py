"""requests-oauth2client, a library of programs that follow the specifications closely."""

import sys

from case import PACKAGES, ClientCase


class RequestsOAuth2Client(ClientCase):
    def test_requests_oauth2client(self):
        """requests-oauth2client logs a person in with a device code, refreshes and revokes"""
        sys.path.insert(0, str(PACKAGES))
        self.addCleanup(sys.path.remove, str(PACKAGES))
        import requests
        from requests_oauth2client import BearerToken, DeviceAuthorizationPollingJob, InvalidGrant, OAuth2Client

        self.add("tool", "--public", "--grant", "device,refresh", "--scope", "openid,email,offline_access")
        client = OAuth2Client.from_discovery_endpoint(
            self.provider + "/.well-known/openid-configuration", issuer=self.provider, client_id="tool", testing=True,
            # It does not read this one from the metadata.
            device_authorization_endpoint=self.metadata("device_authorization_endpoint"))
        begun = client.authorize_device(scope="openid email offline_access")
        page = self.person().visit(f"{begun.verification_uri}?user_code={begun.user_code}", self.provider)
        self.assertEqual(page.status, 200)
        job = DeviceAuthorizationPollingJob(client, begun.device_code, interval=begun.interval)
        tokens = next(filter(None, (job() for _ in range(4))))
        self.assertIsInstance(tokens, BearerToken)
        self.assertEqual(client.userinfo(tokens)["email"], "ada@example.org")
        new = client.refresh_token(tokens.refresh_token)
        self.assertNotEqual((new.access_token, new.refresh_token), (tokens.access_token, tokens.refresh_token))
        self.assertTrue(client.revoke_access_token(new.access_token))
        self.assertEqual(
            requests.get(self.metadata("userinfo_endpoint"), headers={"Authorization": f"Bearer {new.access_token}"},
                         timeout=20).status_code, 401)
        self.assertTrue(client.revoke_refresh_token(new.refresh_token))
        with self.assertRaises(InvalidGrant):
            client.refresh_token(new.refresh_token)
