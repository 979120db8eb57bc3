// Passkeys: a form takes the response to the service. The script converts bytes itself, because Safari before 18.4 lacks
// parse…FromJSON and the toJSON of some password managers throws.
(() => {
  "use strict";
  if (!window.PublicKeyCredential || !navigator.credentials) return;
  const bytes = (text) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const text = (buffer) =>
    btoa(Array.from(new Uint8Array(buffer), (byte) => String.fromCharCode(byte)).join(""))
      .replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  const parsed = (options) => {
    const descriptors = (list) => list?.map((key) => ({ ...key, id: bytes(key.id) }));
    return {
      ...options,
      challenge: bytes(options.challenge),
      ...(options.user && { user: { ...options.user, id: bytes(options.user.id) } }),
      allowCredentials: descriptors(options.allowCredentials),
      excludeCredentials: descriptors(options.excludeCredentials),
    };
  };
  const written = (made) => {
    const response = {};
    for (const name of ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"]) {
      if (made.response[name]) response[name] = text(made.response[name]);
    }
    try {
      response.transports = made.response.getTransports?.() ?? [];
    } catch {
      // A hint that nothing depends on.
    }
    return JSON.stringify({ rawId: text(made.rawId), response });
  };

  // A page has one request at a time.
  let current;
  let renewal;
  const request = async (form, mediation) => {
    clearTimeout(renewal);
    current?.abort();
    const { signal } = (current = new AbortController());
    const options = await (await fetch(form.dataset.options, { method: "POST", signal })).json();
    if (options.location) return location.assign(options.location);
    if (!options.challenge) throw new Error(options.code);
    // Suggestions wait as long as the page is open, so they get a new challenge before theirs expires.
    if (mediation) renewal = setTimeout(suggest, options.timeout * 0.9, form);
    const made = await navigator.credentials[form.dataset.passkey]({
      publicKey: parsed(options), signal, ...(mediation && { mediation }),
    });
    clearTimeout(renewal);
    form.elements.credential.value = written(made);
    form.submit();
  };
  // Offers passkeys in the suggestions of the field for the name.
  const suggest = async (form) => {
    try {
      if (await PublicKeyCredential.isConditionalMediationAvailable?.()) await request(form, "conditional");
    } catch {
      // The button is still there.
    }
  };
  for (const form of document.querySelectorAll("form[data-passkey]")) {
    form.hidden = false;
    document.getElementById("summary-passkey")?.removeAttribute("hidden");
    form.onsubmit = async (event) => {
      event.preventDefault();
      try {
        await request(form);
      } catch (error) {
        const message = form.querySelector(".error");
        // The device has a passkey for the account.
        if (error.name === "InvalidStateError") message.textContent = form.dataset.known;
        message.hidden = false;
        if ("suggest" in form.dataset) suggest(form);
      }
    };
    if ("suggest" in form.dataset) suggest(form);
  }
})();
