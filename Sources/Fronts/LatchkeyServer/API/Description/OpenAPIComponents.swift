import LatchkeyForms

/// The parts of the description of the API that are always the same. A test compares the schemas with the responses of
/// the service, and with those of `--json`.
enum OpenAPIComponents {
    static let schemas = parsed(
        #"""
        {
          "Document": {"type": "object", "required": ["openapi", "info", "paths"]},
          "Account": {
            "description": "An account.",
            "type": "object",
            "properties": {
              "id": {"type": "string", "description": "Never changes, and is never given to another account."},
              "username": {"type": ["string", "null"], "description": "As its owner typed it; null for an account by e-mail address alone."},
              "email": {"type": "string"},
              "attributes": {
                "type": "object",
                "additionalProperties": {
                  "anyOf": [{"type": "string"}, {"type": "boolean"}, {"type": "array", "items": {"type": "string"}}]
                },
                "description": "Custom fields of the sign-up form, by apiKey: a text, yes or no, or chosen values."
              },
              "state": {
                "enum": ["active", "disabled", "unverified"],
                "description": "unverified: the e-mail address is not verified yet."
              },
              "created_at": {"type": "string", "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$"}
            },
            "required": ["id", "username", "email", "attributes", "state", "created_at"],
            "additionalProperties": true
          },
          "FailedLogins": {
            "description": "Failed logins since the last successful one.",
            "type": "object",
            "properties": {
              "count": {"type": "integer", "minimum": 1},
              "last_at": {"type": "string", "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$"}
            },
            "required": ["count", "last_at"],
            "additionalProperties": true
          },
          "Session": {
            "type": "object",
            "properties": {
              "id": {"type": "string", "pattern": "^[0-9a-f]{8}$"},
              "created_at": {"type": "string", "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$"},
              "last_used_at": {"type": "string", "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$"},
              "source": {"type": "string", "description": "The client's address or terminal, or operator."},
              "current": {"type": "boolean", "description": "In a list: whether it is the session of this request."},
              "recent_password": {"type": "boolean", "description": "Whether the password was given in the last five minutes."}
            },
            "required": ["id", "created_at", "last_used_at", "source"],
            "additionalProperties": true
          },
          "Success": {
            "type": "object",
            "properties": {"ok": {"const": true}, "status": {"const": 200}, "code": {"const": "success"}},
            "required": ["ok", "status", "code"],
            "additionalProperties": true
          },
          "FlowAnswer": {
            "type": "object",
            "properties": {
              "ok": {"const": true},
              "status": {"enum": [200, 202]},
              "code": {
                "enum": ["success", "code_sent", "enrolment_started", "password_reset"],
                "description": "code_sent: complete the request with the code that was sent to the address. enrolment_started: with a code of the authenticator app."
              },
              "account": {"$ref": "#/components/schemas/Account"},
              "failed_logins": {"$ref": "#/components/schemas/FailedLogins"},
              "token": {"type": "string", "description": "Of a session that began with this request. It is shown only here."},
              "device": {"type": "string", "description": "For the header Latchkey-Device of later logins. It is shown only here."},
              "uri": {"type": "string", "description": "For an authenticator app, as a QR code. It is shown only here."},
              "secret": {"type": "string", "description": "The same secret in base 32, to type into the app."},
              "saved_codes": {"type": "array", "items": {"type": "string"}, "description": "For a lost authenticator app. They are shown only here."}
            },
            "required": ["ok", "status", "code"],
            "additionalProperties": true
          },
          "SessionAnswer": {
            "type": "object",
            "properties": {
              "ok": {"const": true},
              "status": {"const": 200},
              "code": {"const": "success"},
              "account": {"$ref": "#/components/schemas/Account"},
              "session": {"$ref": "#/components/schemas/Session"}
            },
            "required": ["ok", "status", "code", "account", "session"],
            "additionalProperties": true
          },
          "Sessions": {
            "type": "object",
            "properties": {
              "ok": {"const": true},
              "status": {"const": 200},
              "code": {"const": "success"},
              "sessions": {"type": "array", "items": {"$ref": "#/components/schemas/Session"}}
            },
            "required": ["ok", "status", "code", "sessions"],
            "additionalProperties": true
          },
          "Ended": {
            "type": "object",
            "properties": {
              "ok": {"const": true},
              "status": {"const": 200},
              "code": {"const": "success"},
              "ended": {"type": "integer", "minimum": 0, "description": "The number of ended sessions."}
            },
            "required": ["ok", "status", "code", "ended"],
            "additionalProperties": true
          },
          "Factors": {
            "type": "object",
            "properties": {
              "ok": {"const": true},
              "status": {"const": 200},
              "code": {"const": "success"},
              "authenticator": {
                "description": "null: there is none.",
                "anyOf": [
                  {"type": "null"},
                  {
                    "type": "object",
                    "properties": {
                      "added_at": {"type": "string", "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$"},
                      "last_used_at": {"type": ["string", "null"]}
                    },
                    "required": ["added_at", "last_used_at"],
                    "additionalProperties": true
                  }
                ]
              },
              "passkeys": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "id": {"type": "string", "pattern": "^[0-9a-f]{8}$"},
                    "name": {"type": "string"},
                    "added_at": {"type": "string", "pattern": "^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{3})?Z$"},
                    "last_used_at": {"type": ["string", "null"]}
                  },
                  "required": ["id", "name", "added_at", "last_used_at"],
                  "additionalProperties": true
                }
              },
              "saved_codes_left": {"type": "integer", "minimum": 0}
            },
            "required": ["ok", "status", "code", "authenticator", "passkeys", "saved_codes_left"],
            "additionalProperties": true
          },
          "AccountAnswer": {
            "type": "object",
            "properties": {
              "ok": {"const": true},
              "status": {"const": 200},
              "code": {"const": "success"},
              "account": {"$ref": "#/components/schemas/Account"},
              "must_change_password": {"type": "boolean"},
              "changed": {"type": "array", "items": {"type": "string"}, "description": "The fields that a change has changed."},
              "recovery_code": {"type": "string", "description": "Sets a new password. It is shown only here."}
            },
            "required": ["ok", "status", "code", "account", "must_change_password"],
            "additionalProperties": true
          },
          "Accounts": {
            "type": "object",
            "properties": {
              "ok": {"const": true},
              "status": {"const": 200},
              "code": {"const": "success"},
              "accounts": {"type": "array", "items": {"$ref": "#/components/schemas/Account"}},
              "next": {"type": ["string", "null"], "description": "The parameter after of the next page; null after the last."}
            },
            "required": ["ok", "status", "code", "accounts", "next"],
            "additionalProperties": true
          },
          "Form": {
            "type": "object",
            "properties": {
              "form": {"type": "string"},
              "title": {"type": "string"},
              "submit": {"type": "string"},
              "links": {"type": "array", "items": {"type": "string"}},
              "fields": {
                "type": "array",
                "items": {
                  "type": "object",
                  "properties": {
                    "api_key": {"type": "string"},
                    "kind": {"enum": ["text", "multiline", "choice", "choices", "boolean", "date"]},
                    "flag": {"type": "string"},
                    "label": {"type": "string"},
                    "secret": {"type": "boolean"},
                    "masked": {"type": "boolean", "description": "Of a secret: whether a screen hides it."},
                    "optional": {"type": "boolean"},
                    "rules": {"type": "array", "items": {"type": "string"}, "description": "The codes of their failures."},
                    "options": {
                      "type": "array",
                      "items": {
                        "type": "object",
                        "properties": {"value": {"type": "string"}, "label": {"type": "string"}},
                        "required": ["value", "label"],
                        "additionalProperties": true
                      }
                    },
                    "minimum": {"type": "integer", "description": "How many of the options must be chosen."},
                    "maximum": {"type": "integer", "description": "How many of the options may be chosen."},
                    "default": {
                      "anyOf": [{"type": "string"}, {"type": "boolean"}, {"type": "array", "items": {"type": "string"}}]
                    },
                    "when": {
                      "type": "object",
                      "properties": {
                        "field": {"type": "string"},
                        "is": {"type": "array", "items": {"type": ["string", "boolean"]}, "description": "One of these is enough."}
                      },
                      "required": ["field", "is"],
                      "additionalProperties": true
                    },
                    "page": {"type": "string", "description": "The title of the page, if the description gives the field one."}
                  },
                  "required": ["api_key", "kind", "flag", "label", "secret", "optional", "rules"],
                  "additionalProperties": true
                }
              },
              "schema": {"type": "object", "description": "A JSON Schema of the values. The form refuses more."}
            },
            "required": ["form", "title", "submit", "links", "fields", "schema"],
            "additionalProperties": true
          },
          "Forms": {
            "type": "object",
            "properties": {
              "forms": {"type": "array", "items": {"$ref": "#/components/schemas/Form"}},
              "descriptions": {"type": "array", "items": {"type": "object"}, "description": "The operator's own descriptions of forms."}
            },
            "required": ["forms", "descriptions"],
            "additionalProperties": true
          },
          "Values": {
            "description": "By the api_key of a field.",
            "type": "object",
            "additionalProperties": {
              "anyOf": [{"type": "string"}, {"type": "boolean"}, {"type": "array", "items": {"type": "string"}}]
            }
          },
          "FieldError": {
            "type": "object",
            "properties": {
              "field": {"type": "string"},
              "code": {"type": "string"},
              "values": {"type": "object", "additionalProperties": {"type": ["string", "integer"]}},
              "message": {"type": "string"}
            },
            "required": ["field", "code", "message"],
            "additionalProperties": true
          },
          "Verdict": {
            "type": "object",
            "properties": {
              "valid": {"type": "boolean"},
              "errors": {"type": "array", "items": {"$ref": "#/components/schemas/FieldError"}},
              "strengths": {
                "description": "Of each new password, by field.",
                "type": "object",
                "additionalProperties": {
                  "type": "object",
                  "properties": {"score": {"type": "integer", "minimum": 0, "maximum": 4}, "sentence": {"type": "string"}},
                  "required": ["score", "sentence"],
                  "additionalProperties": true
                }
              }
            },
            "required": ["valid", "errors"],
            "additionalProperties": true
          },
          "Problem": {
            "description": "Why a request was refused (RFC 9457). A request that is not valid HTTP gets only the required members.",
            "type": "object",
            "properties": {
              "type": {"const": "about:blank"},
              "title": {"type": "string"},
              "status": {"type": "integer", "minimum": 400, "maximum": 599},
              "ok": {"const": false},
              "code": {"type": "string", "description": "Stable: decide by this."},
              "message": {"type": "string", "description": "For people, in the language of Accept-Language."},
              "account": {"$ref": "#/components/schemas/Account"},
              "failed_logins": {"$ref": "#/components/schemas/FailedLogins"},
              "retry_after": {"type": "integer", "minimum": 1, "description": "In seconds."},
              "errors": {"type": "array", "items": {"$ref": "#/components/schemas/FieldError"}},
              "token": {"type": "string", "description": "With change_required: of a session that may only change the password."},
              "pending": {"type": "string", "description": "With second_factor_required or enrolment_required: the token for the flow secondFactor or addFactor. It is shown only here."}
            },
            "required": ["type", "title", "status"],
            "additionalProperties": true
          }
        }
        """#)

    static let parameters = parsed(
        #"""
        {
          "Language": {
            "name": "Accept-Language", "in": "header", "description": "Of messages: en or pt.",
            "schema": {"type": "string", "maxLength": 256, "pattern": "^[A-Za-z0-9*;=., -]*$"}
          },
          "Device": {
            "name": "Latchkey-Device", "in": "header",
            "description": "new, or the device of an earlier login: failures with it count for themselves.",
            "schema": {"type": "string", "maxLength": 256, "pattern": "^[A-Za-z0-9_-]*$"}
          },
          "Session": {
            "name": "id", "in": "path", "required": true, "description": "The id of a session, as the list of sessions has it.",
            "schema": {"type": "string", "minLength": 1}
          },
          "Passkey": {
            "name": "id", "in": "path", "required": true, "description": "The id of a passkey, as the second factors have it.",
            "schema": {"type": "string", "minLength": 1}
          },
          "Account": {
            "name": "id", "in": "path", "required": true, "description": "An id, a username or an e-mail address.",
            "schema": {"type": "string", "minLength": 1}
          },
          "Limit": {
            "name": "limit", "in": "query", "description": "How many accounts are looked at.",
            "schema": {"type": "integer", "minimum": 1, "maximum": 500, "default": 100}
          },
          "After": {
            "name": "after", "in": "query", "description": "The member next of the page before.",
            "schema": {"type": "string"}
          },
          "Match": {
            "name": "match", "in": "query", "description": "Only accounts with a name or an address that contains this.",
            "schema": {"type": "string"}
          }
        }
        """#)

    static let securitySchemes = parsed(
        #"""
        {
          "session": {"type": "http", "scheme": "bearer", "description": "The token of a session, from a login."},
          "pending": {
            "type": "http", "scheme": "bearer",
            "description": "The member pending of a refusal with the code second_factor_required or enrolment_required."
          },
          "operator": {
            "type": "http", "scheme": "bearer",
            "description": "A token of the operator with the named scope: latchkey tokens create."
          },
          "invitation": {
            "type": "http", "scheme": "bearer",
            "description": "The token of an invitation, which works once: latchkey tokens create --scope sign-up."
          }
        }
        """#)

    private static func parsed(_ text: String) -> JSONValue { JSONValue(line: text.utf8) ?? .null }
}
