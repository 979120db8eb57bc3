"""Prints the rows of foreign.jsonl that only passlib makes. Each row names the versions it was made with.

On Debian 12: apt-get install python3-passlib python3-bcrypt python3-argon2
/usr/bin/python3 make-passlib.py >> foreign.jsonl
"""

import json

import argon2
import bcrypt
import passlib
from passlib import hash as schemes

OWN = f"passlib {passlib.__version__} (Debian), its own code"
HASHLIB = f"passlib {passlib.__version__} (Debian) over hashlib"
BCRYPT = f"passlib {passlib.__version__} (Debian) over bcrypt {bcrypt.__version__}"
ARGON2 = f"passlib {passlib.__version__} (Debian) over argon2-cffi {argon2.__version__}"


def row(handler, password, scheme, parameters, source, why):
    print(json.dumps(dict(
        hash=handler.hash(password), password=password, scheme=scheme, parameters=parameters, source=source, why=why,
    ), ensure_ascii=False))


def builtin(handler, **settings):
    handler = handler.using(**settings)
    handler.set_backend("builtin")
    return handler


row(schemes.bcrypt.using(rounds=4), "café au lait", "bcrypt", "cost=4", BCRYPT, "$2b$, bytes beyond ASCII")
row(schemes.bcrypt.using(rounds=5), "", "bcrypt", "cost=5", BCRYPT, "$2b$, an empty password")
row(builtin(schemes.sha256_crypt, rounds=1000), "", "sha256-crypt", "rounds=1000", OWN, "an empty password")
row(builtin(schemes.sha512_crypt, rounds=1000), "x" * 300, "sha512-crypt", "rounds=1000", OWN, "a long password")
row(schemes.pbkdf2_sha256.using(rounds=1000, salt_size=64), "café au lait", "pbkdf2-sha256", "iterations=1000", HASHLIB,
    "passlib's form, a long salt")
row(schemes.django_pbkdf2_sha256.using(rounds=1000), "correct horse battery", "django-pbkdf2-sha256", "iterations=1000",
    HASHLIB, "Django's form, not from Django")
row(schemes.scrypt.using(rounds=8, block_size=8, parallelism=1, salt_size=32), "café au lait", "scrypt",
    "ln=8,r=8,p=1", HASHLIB, "the PHC form, a long salt")
for variant in ("I", "D", "ID"):
    row(schemes.argon2.using(type=variant, time_cost=2, memory_cost=1024, parallelism=2), "café au lait",
        "argon2" + variant.lower(), "m=1024,t=2,p=2", ARGON2, "the PHC form, with the tag that passlib makes")
