package import LatchkeyForms

extension ModuleSentences {
    /// The sentences of the service.
    package static let service = ModuleSentences("service", english: english, portuguese: portuguese)

    private static let english = [
        "api.bad_request": "The body must be a JSON object with the member values",
        "api.cross_origin": "A request with a cookie must come from a page of this service",
        "api.duplicate_field": "The field {name} is given twice",
        "api.method_not_allowed": "This address does not take that method",
        "api.not_bearer": "Send the token as Authorization: Bearer TOKEN",
        "api.not_found": "There is nothing at this address",
        "api.not_json": "Send the body as application/json",
        "api.sign_up_closed": "Sign-up is closed: ask the operator for an account",
        "api.unknown_field": "The form has no field {name}",
        "api.unknown_flow": "There is no flow of that name",
        "api.unknown_form": "There is no form of that name",
        "api.unknown_session": "There is no session with that id",
        "api.wrong_host": "This service has another host name",
        "api.wrong_type": "The field {name} takes another type of value",
        "note.change": "Choose a new password first",
        "note.changed": "Your password is changed, and all other sessions have ended",
        "note.deleted": "Your account is deleted",
        "note.ended": "The session has ended",
        "note.out": "You are logged out",
        "note.saved": "Saved",
        "note.sent": "If the address is right, a code is on its way. It is valid for 10 minutes",
        "note.set": "Your password is set. Log in with it",
        "note.welcome": "Your account is ready",
        "page.bad_request": "Something went wrong",
        "page.bad_request_what": "This page could not read what your browser sent. Go back and try again",
        "page.busy": "Too many requests",
        "page.busy_what": "Wait a minute, then try again",
        "page.cross_origin": "Request refused",
        "page.cross_origin_what":
            "It did not come from a page of this service. Open the page again and repeat it there",
        "page.method_not_allowed": "Nothing to do here",
        "page.method_not_allowed_what": "This address does not take that kind of request",
        "page.no": "no",
        "page.not_found": "Page not found",
        "page.not_found_what": "There is nothing at this address",
        "page.sign_up_closed": "Sign-up is closed",
        "page.sign_up_closed_what": "Ask the operator of this service for an account",
        "page.start": "Go to the start page",
        "page.unknown_device": "Unknown device",
        "page.wrong_host": "Wrong address",
        "page.wrong_host_what": "This service has another host name",
        "page.yes": "yes",
    ]
}
