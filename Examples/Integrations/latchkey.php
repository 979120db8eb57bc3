<?php
// Logs the users of a web application in with Latchkey.
//
// The application runs as the system user who owns the store. LATCHKEY_STORE, or the configuration file, names the
// store. Put the token into a cookie (Secure, HttpOnly, SameSite) and verify it in each request.

declare(strict_types=1);

/** Latchkey refused a request. $reason is the reason: invalid_credentials, throttled, token_refused, … */
final class Refused extends Exception
{
    public readonly string $reason;
    /** Seconds, if throttled. */
    public readonly ?int $retryAfter;

    public function __construct(array $answer)
    {
        parent::__construct($answer['message']);
        $this->reason = $answer['code'];
        $this->retryAfter = $answer['retry_after'] ?? null;
    }
}

/** Runs a command. The secret goes through a pipe, because every user of the machine can read arguments. */
function latchkey(array $arguments, string $secret = ''): array
{
    // An array starts the program without a shell.
    $process = proc_open(
        ['latchkey', '--json', '--no-input', ...$arguments], [['pipe', 'r'], ['pipe', 'w'], STDERR], $pipes);
    if ($process === false) {
        throw new RuntimeException('latchkey does not start');
    }
    // A command that needs no input may end before it reads the line.
    @fwrite($pipes[0], $secret . "\n");
    fclose($pipes[0]);
    $output = stream_get_contents($pipes[1]);
    fclose($pipes[1]);
    $status = proc_close($process);
    $answer = json_decode($output, true, flags: JSON_THROW_ON_ERROR);
    if ($status !== 0) {
        throw new Refused($answer);
    }
    return $answer;
}

/** The token of a new session. $address is the client's IP address, for the limits on failures. */
function log_in(string $username, string $password, string $address): string
{
    // With = a username that starts with a hyphen is still a value.
    $arguments = ['login', '--print-token', '--password-stdin', "--username=$username", "--source=$address"];
    return latchkey($arguments, $password)['token'];
}

/** The token of a session for a user whom the application has verified itself, for example with OpenID. */
function create_session(string $accountID): string
{
    return latchkey(['sessions', 'create', '--', $accountID])['token'];
}

/** The account (id, username, email, attributes, …) of a session. */
function account_of(string $token): array
{
    return latchkey(['sessions', 'verify'], $token)['account'];
}

/** Ends the session. */
function log_out(string $token): void
{
    $found = latchkey(['sessions', 'verify'], $token);
    latchkey(['sessions', 'revoke', $found['session']['id'], '--account', $found['account']['id']]);
}

// A demonstration: a username and a password, one a line, on standard input.
if (realpath($_SERVER['SCRIPT_FILENAME']) === __FILE__) {
    [$username, $password] = explode("\n", stream_get_contents(STDIN));
    try {
        $token = log_in($username, $password, '192.0.2.7');
        $account = account_of($token);
        echo 'logged in: ', $account['username'], "\n";
        echo 'created: ', account_of(create_session($account['id']))['username'], "\n";
        log_out($token);
        account_of($token);
    } catch (Refused $refusal) {
        echo 'refused: ', $refusal->reason, "\n";
    }
}
