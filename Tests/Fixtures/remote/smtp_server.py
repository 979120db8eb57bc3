"""A mail server. Arguments: a log and options. Prints its port, and writes what it receives to the log. Ends with its standard
input.

--tls CERTIFICATE KEY   TLS from the first byte, or with --starttls after that command
--login USER PASSWORD   requires this login
--utf8                  supports SMTPUTF8
--reply COMMAND=REPLY   answers MAIL, RCPT, DATA, AUTH or EHLO so; an empty REPLY: never
--raw TEXT              sends TEXT to a new connection; further texts answer what it sends, the last one to the end
"""

import argparse
import asyncio
import base64
import json
import os
import ssl
import sys
import threading

from aiosmtpd.smtp import SMTP, AuthResult

parser = argparse.ArgumentParser()
parser.add_argument("log")
parser.add_argument("--tls", nargs=2)
parser.add_argument("--starttls", action="store_true")
parser.add_argument("--login", nargs=2)
parser.add_argument("--utf8", action="store_true")
parser.add_argument("--reply", action="append", default=[])
parser.add_argument("--raw", action="append")
arguments = parser.parse_args()
replies = dict(reply.split("=", 1) for reply in arguments.reply)
file = open(arguments.log, "a", encoding="utf-8")


def log(**record):
    file.write(json.dumps(record) + "\n")
    file.flush()


async def reply(command, otherwise):
    text = replies.get(command, otherwise)
    if not text:
        await asyncio.Event().wait()
    return text


class Handler:
    async def handle_MAIL(self, server, session, envelope, address, options):
        log(mail=address, options=options)
        envelope.mail_from = address
        return await reply("MAIL", "250 OK")

    async def handle_RCPT(self, server, session, envelope, address, options):
        log(rcpt=address)
        envelope.rcpt_tos.append(address)
        return await reply("RCPT", "250 OK")

    async def handle_DATA(self, server, session, envelope):
        log(data=base64.b64encode(envelope.original_content).decode(), encrypted=server.transport.get_extra_info("ssl_object") is not None)
        return await reply("DATA", "250 2.0.0 queued as 12345")

    async def handle_QUIT(self, server, session, envelope):
        log(quit=True)
        return await reply("QUIT", "221 Bye")


def authenticate(server, session, envelope, mechanism, data):
    log(mechanism=mechanism, user=data.login.decode(), password=base64.b64encode(data.password).decode())
    is_right = [data.login.decode(), data.password.decode()] == arguments.login
    return AuthResult(success=is_right, handled=is_right, message=replies.get("AUTH"))


class Raw(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport = transport
        self.texts = list(arguments.raw)
        self.answer()

    def data_received(self, data):
        log(raw=data.decode("utf-8", "replace"))
        self.answer()

    def answer(self):
        self.transport.write((self.texts.pop(0) if len(self.texts) > 1 else self.texts[0]).encode())


context = None
if arguments.tls:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*arguments.tls)


def connection():
    if arguments.raw:
        return Raw()
    return SMTP(
        Handler(), enable_SMTPUTF8=arguments.utf8, hostname="mail.test",
        tls_context=context if arguments.starttls else None, require_starttls=arguments.starttls,
        auth_required=bool(arguments.login), auth_require_tls=arguments.starttls, authenticator=authenticate,
        auth_exclude_mechanism=None if arguments.login else ["PLAIN", "LOGIN"])


async def main():
    implicit = None if arguments.starttls else context
    server = await asyncio.get_running_loop().create_server(connection, "127.0.0.1", 0, ssl=implicit)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def end():
    sys.stdin.read()
    os._exit(0)


threading.Thread(target=end, daemon=True).start()
asyncio.run(main())
