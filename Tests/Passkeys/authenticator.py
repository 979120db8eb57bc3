"""A software authenticator, which can also make responses that no real one makes."""
import base64
import hashlib
import json
import os

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa

RP_ID = "accounts.example.org"
ORIGIN = "https://accounts.example.org"
USER = b"user handle of 1"
UP, UV, BE, BS, AT, ED = 0x01, 0x04, 0x08, 0x10, 0x40, 0x80


def b64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def sha256(data):
    return hashlib.sha256(data).digest()


def number(value, size=None):
    return value.to_bytes(size or (value.bit_length() + 7) // 8, "big")


def cbor(value):
    return cbor2.dumps(value, canonical=True)


class Key:
    """A key pair of one of the algorithms -7, -8 and -257."""

    def __init__(self, algorithm):
        self.algorithm = algorithm
        if algorithm == -7:
            self.private = ec.generate_private_key(ec.SECP256R1())
            point = self.private.public_key().public_numbers()
            self.cose = {1: 2, 3: -7, -1: 1, -2: number(point.x, 32), -3: number(point.y, 32)}
        elif algorithm == -8:
            self.private = ed25519.Ed25519PrivateKey.generate()
            self.cose = {1: 1, 3: -8, -1: 6, -2: self.private.public_key().public_bytes_raw()}
        else:
            self.private = rsa.generate_private_key(65537, 2048)
            public = self.private.public_key().public_numbers()
            self.cose = {1: 3, 3: -257, -1: number(public.n), -2: number(public.e)}

    def sign(self, message):
        if self.algorithm == -7:
            return self.private.sign(message, ec.ECDSA(hashes.SHA256()))
        if self.algorithm == -8:
            return self.private.sign(message)
        return self.private.sign(message, padding.PKCS1v15(), hashes.SHA256())


def client_data(type, challenge, origin=ORIGIN, **others):
    """The JSON that a browser sends, as a dictionary."""
    return {"type": type, "challenge": b64(challenge), "origin": origin, "crossOrigin": False, **others}


def text(value):
    """The bytes of a JSON value; bytes are returned unchanged."""
    return value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")).encode()


def head(flags, count, rp_id=RP_ID):
    """The first 37 bytes of authenticator data."""
    return sha256(rp_id.encode()) + bytes([flags]) + number(count, 4)


def attested(id, public_key):
    """A new credential in authenticator data."""
    return bytes(16) + number(len(id), 2) + id + public_key


def registration(key, why, verdict="ok", *, client=None, data=None, object=None, flags=UP | UV | AT, id=None,
                 cose=None, challenge=None, **others):
    """A row for a registration with the given parts."""
    challenge = challenge or os.urandom(32)
    client = client or client_data("webauthn.create", challenge)
    if callable(client):
        client = client(challenge)
    id = os.urandom(32) if id is None else id
    data = data or head(flags, 0) + attested(id, cose if isinstance(cose, bytes) else cbor(cose or key.cose))
    object = object(data) if object else cbor({"fmt": "none", "attStmt": {}, "authData": data})
    return {"why": why, "verdict": verdict, "rpId": RP_ID, "origin": ORIGIN, "challenge": b64(challenge),
            "response": {"clientDataJSON": b64(text(client)), "attestationObject": b64(object), **others}}


def assertion(key, why, verdict="ok", *, client=None, data=None, flags=UP | UV, count=8, stored=7, eligible=False,
              id=None, signature=None, handle=USER, challenge=None, public_key=None, **others):
    """A row for an assertion with the given parts. `signature` changes the correct signature."""
    challenge = challenge or os.urandom(32)
    client = client or client_data("webauthn.get", challenge)
    if callable(client):
        client = client(challenge)
    client = text(client)
    data = data or head(flags, count)
    signed = key.sign(data + sha256(client))
    credential = os.urandom(32)
    response = {"id": b64(id or credential), "clientDataJSON": b64(client), "authenticatorData": b64(data),
                "signature": b64(signature(signed) if signature else signed)}
    if handle is not None:
        response["userHandle"] = b64(handle)
    return {"why": why, "verdict": verdict, "rpId": RP_ID, "origin": ORIGIN, "challenge": b64(challenge),
            "userHandle": b64(USER), "isUserKnown": False,
            "credential": {"id": b64(credential), "publicKey": b64(public_key or cbor(key.cose)),
                           "signCount": stored, "isBackupEligible": eligible},
            "response": response, **others}
