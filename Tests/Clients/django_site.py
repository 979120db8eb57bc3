"""A Django site that logs people in with mozilla-django-oidc and with social-auth: `django_site.py FOLDER PORT`."""

import os
import pathlib
import sys

import django
from django.conf import settings

FOLDER, PORT = pathlib.Path(sys.argv[1]), sys.argv[2]
VALUE = os.environ

settings.configure(
    SECRET_KEY="only for this test", DEBUG=True, ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, USE_TZ=True,
    DATABASES={"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": str(FOLDER / "site.sqlite")}},
    DEFAULT_AUTO_FIELD="django.db.models.BigAutoField",
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions", "mozilla_django_oidc",
        "social_django"],
    MIDDLEWARE=[
        "django.contrib.sessions.middleware.SessionMiddleware",
        "django.contrib.auth.middleware.AuthenticationMiddleware"],
    AUTHENTICATION_BACKENDS=[
        "social_core.backends.open_id_connect.OpenIdConnectAuth",
        "mozilla_django_oidc.auth.OIDCAuthenticationBackend"],
    LOGIN_URL="/oidc/authenticate/", LOGIN_REDIRECT_URL="/me",
    OIDC_RP_CLIENT_ID="django", OIDC_RP_CLIENT_SECRET=VALUE["SECRET"], OIDC_RP_SIGN_ALGO="RS256",
    OIDC_RP_SCOPES="openid email profile groups", OIDC_USE_PKCE=True, OIDC_TOKEN_USE_BASIC_AUTH=True,
    OIDC_OP_AUTHORIZATION_ENDPOINT=VALUE["AUTHORIZATION_ENDPOINT"], OIDC_OP_TOKEN_ENDPOINT=VALUE["TOKEN_ENDPOINT"],
    OIDC_OP_USER_ENDPOINT=VALUE["USERINFO_ENDPOINT"], OIDC_OP_JWKS_ENDPOINT=VALUE["JWKS_URI"],
    OIDC_USERNAME_ALGO=lambda email, claims: claims["preferred_username"],
    SOCIAL_AUTH_OIDC_OIDC_ENDPOINT=VALUE["ISSUER"], SOCIAL_AUTH_OIDC_KEY="django",
    SOCIAL_AUTH_OIDC_SECRET=VALUE["SECRET"], SOCIAL_AUTH_OIDC_SCOPE=["groups"], SOCIAL_AUTH_LOGIN_REDIRECT_URL="/me",
    SOCIAL_AUTH_URL_NAMESPACE="social")
django.setup()

from django.core.management import call_command  # noqa: E402
from django.http import HttpResponse  # noqa: E402
from django.urls import include, path  # noqa: E402

# social-auth accepts only a POST to start a login.
START = '<form method="post" action="/login/oidc/"><button name="provider" value="oidc">Log in</button></form>'

urlpatterns = [
    path("oidc/", include("mozilla_django_oidc.urls")),
    path("", include("social_django.urls", namespace="social")),
    path("me", lambda request: HttpResponse(f"{request.user.get_username()} {request.user.email}")),
    path("start", lambda request: HttpResponse(START)),
]
call_command("migrate", verbosity=0)
call_command("runserver", "127.0.0.1:" + PORT, "--noreload")
