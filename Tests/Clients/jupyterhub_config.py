"""JupyterHub with GenericOAuthenticator. It runs without its proxy, which is a program for Node and takes no part in a login."""

import os

from jupyterhub.proxy import Proxy


class NoProxy(Proxy):
    should_start = False

    async def add_route(self, routespec, target, data):
        pass

    async def delete_route(self, routespec):
        pass

    async def get_all_routes(self):
        return {}

    async def check_routes(self, *arguments, **values):
        pass


VALUE = os.environ
c = get_config()  # noqa: F821
c.JupyterHub.proxy_class = NoProxy
c.JupyterHub.bind_url = c.JupyterHub.hub_bind_url = VALUE["SITE"]
c.JupyterHub.db_url = f"sqlite:///{VALUE['FOLDER']}/hub.sqlite"
c.JupyterHub.cookie_secret_file = VALUE["FOLDER"] + "/cookie"
c.JupyterHub.spawner_class = "simple"
c.JupyterHub.authenticator_class = "generic-oauth"
c.GenericOAuthenticator.client_id = "hub"
c.GenericOAuthenticator.client_secret = VALUE["SECRET"]
c.GenericOAuthenticator.oauth_callback_url = VALUE["SITE"] + "/hub/oauth_callback"
c.GenericOAuthenticator.authorize_url = VALUE["AUTHORIZATION_ENDPOINT"]
c.GenericOAuthenticator.token_url = VALUE["TOKEN_ENDPOINT"]
c.GenericOAuthenticator.userdata_url = VALUE["USERINFO_ENDPOINT"]
c.GenericOAuthenticator.scope = ["openid", "profile", "email", "groups"]
c.GenericOAuthenticator.username_claim = "preferred_username"
c.GenericOAuthenticator.manage_groups = True
c.GenericOAuthenticator.auth_state_groups_key = "oauth_user.groups"
c.GenericOAuthenticator.enable_auth_state = True
c.GenericOAuthenticator.admin_groups = {"admins"}
c.GenericOAuthenticator.allowed_groups = {"staff"}
