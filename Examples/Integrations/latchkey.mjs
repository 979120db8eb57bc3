#!/usr/bin/env node
// Logs the users of a web application in with Latchkey.
//
// The application runs as the system user who owns the store. LATCHKEY_STORE, or the configuration file, names the
// store. Put the token into a cookie (Secure, HttpOnly, SameSite) and verify it in each request.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";

/** Latchkey refused a request. `code` is the reason: invalid_credentials, throttled, token_refused, … */
export class Refused extends Error {
  constructor(answer) {
    super(answer.message);
    this.code = answer.code;
    this.retryAfter = answer.retry_after; // seconds, if throttled
  }
}

/** Runs a command. The secret goes through a pipe, because every user of the machine can read arguments. */
async function latchkey(args, secret = "") {
  const child = spawn("latchkey", ["--json", "--no-input", ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const status = new Promise((resolve, reject) => child.on("error", reject).on("close", resolve));
  // A command that needs no input may end before it reads the line.
  child.stdin.on("error", () => {}).end(secret + "\n");
  const [output, code] = await Promise.all([text(child.stdout), status]);
  const answer = JSON.parse(output);
  if (code !== 0) throw new Refused(answer);
  return answer;
}

/** The token of a new session. `address` is the client's IP address, for the limits on failures. */
export async function logIn(username, password, address) {
  // With = a username that starts with a hyphen is still a value.
  const args = ["login", "--print-token", "--password-stdin", `--username=${username}`, `--source=${address}`];
  return (await latchkey(args, password)).token;
}

/** The token of a session for a user whom the application has verified itself, for example with OpenID. */
export async function createSession(accountID) {
  return (await latchkey(["sessions", "create", "--", accountID])).token;
}

/** The account (id, username, email, attributes, …) of a session. */
export async function accountOf(token) {
  return (await latchkey(["sessions", "verify"], token)).account;
}

/** Ends the session. */
export async function logOut(token) {
  const { session, account } = await latchkey(["sessions", "verify"], token);
  await latchkey(["sessions", "revoke", session.id, "--account", account.id]);
}

// A demonstration: a username and a password, one a line, on standard input.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [username, password] = readFileSync(0, "utf8").split("\n");
  try {
    const token = await logIn(username, password, "192.0.2.7");
    const account = await accountOf(token);
    console.log("logged in:", account.username);
    console.log("created:", (await accountOf(await createSession(account.id))).username);
    await logOut(token);
    await accountOf(token);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    console.log("refused:", error.code);
  }
}
