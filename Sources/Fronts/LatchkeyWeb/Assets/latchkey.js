// Optional enhancements of the pages. Every page works without it.

(() => {
  "use strict";
  // A response for an application, which posts itself.
  document.querySelector("form[data-submit]")?.submit();

  // Buttons that need the script.
  for (const button of document.querySelectorAll("[data-copy],[data-print]")) {
    button.hidden = false;
    button.onclick = async () => {
      if (!button.dataset.copy) return print();
      const source = document.getElementById(button.dataset.copy);
      await navigator.clipboard?.writeText(source.value ?? source.innerText);
      button.textContent = button.dataset.done;
    };
  }

  // A button that waits before it can be pressed again.
  for (const button of document.querySelectorAll("[data-after]")) {
    const text = button.textContent;
    let seconds = Number(button.dataset.after);
    button.disabled = true;
    const count = () => {
      button.textContent = seconds > 0 ? button.dataset.wait.replace("{seconds}", seconds) : text;
      button.disabled = seconds > 0;
      if (seconds-- > 0) setTimeout(count, 1000);
    };
    count();
  }

  const form = document.querySelector("form[data-validate]");
  if (!form) return;
  const button = document.getElementById("submit");
  const inputs = [...form.querySelectorAll("[name]")].filter((input) => input.type !== "hidden" && !input.hidden);
  const touched = new Set();
  let waiting = 0;

  // After a submission, the button shows that it is busy, and a second press is ignored.
  const label = button?.textContent;
  form.addEventListener("submit", (event) => {
    if (!button) return;
    if (button.ariaBusy === "true") event.preventDefault();
    button.ariaBusy = "true";
    button.textContent = form.dataset.busy;
  });
  // The page may come back from the browser's memory.
  addEventListener("pageshow", () => {
    if (button?.ariaBusy !== "true") return;
    button.ariaBusy = null;
    button.textContent = label;
  });

  // A link in a mail has the code behind the #, which browsers do not send. A login on the way passes it on.
  const takeCode = () => {
    const link = new URLSearchParams(location.hash.slice(1));
    const code = link.get("code");
    const account = form.querySelector("[data-account]");
    const owner = document.getElementById("owner");
    if (account && link.get("name")) {
      account.value = link.get("name");
      if (owner) {
        owner.querySelector("bdi").textContent = account.value;
        owner.hidden = false;
      }
    }
    const field = inputs.find((input) => input.name === "code");
    if (!code) return;
    if (field) {
      field.value = code;
      // A person who has opened the link need not compare the code.
      if (owner && !owner.hidden) field.closest(".field").hidden = true;
      history.replaceState(null, "", location.pathname + location.search);
      const box = document.getElementById("waiting");
      if (box) {
        box.querySelector("strong").textContent = box.dataset.opened;
        for (const part of box.querySelectorAll("p + p, form")) part.hidden = true;
      }
      // After the browser has handled autofocus, which would report a focus that came first.
      requestAnimationFrame(() => (box ? button : inputs.find((input) => input !== field && !input.value))?.focus());
    } else if (document.getElementById("link-over")) document.getElementById("link-over").hidden = false;
    else form.action = form.getAttribute("action") + location.hash;
  };
  addEventListener("hashchange", takeCode);
  takeCode();

  // Conditions: a field is shown once the answer that it depends on is given.
  const dependents = [...form.querySelectorAll("[data-when]")];
  const answers = (name) =>
    inputs.filter((input) => input.name === name).flatMap((input) => {
      if (input.type === "checkbox" && input.value === "true") return [String(input.checked)];
      return /checkbox|radio/.test(input.type) && !input.checked ? [] : [input.value];
    });
  const arrange = () => {
    for (const field of dependents) {
      const source = inputs.find((input) => input.name === field.dataset.when);
      const wanted = field.dataset.is.split("\n");
      const above = source?.closest("[data-when]");
      field.hidden = Boolean(above?.hidden) || !answers(field.dataset.when).some((answer) => wanted.includes(answer));
      // Disabled fields are not sent.
      for (const input of field.querySelectorAll("input, select, textarea")) input.disabled = field.hidden;
    }
  };

  // Verdicts come from the service, so that they are those of every other front.
  const values = () => {
    const found = {};
    for (const input of inputs) {
      if (input.disabled) continue;
      const many = form.querySelector(`input[type=hidden][name="${input.name}"][value=""]`);
      if (many) found[input.name] = answers(input.name);
      else if (input.type === "checkbox") found[input.name] = input.checked;
      else if (input.type === "radio") found[input.name] = answers(input.name)[0] ?? "";
      else found[input.name] = input.value;
    }
    return found;
  };
  const ask = async () => {
    const number = ++waiting;
    const response = await fetch(form.dataset.validate, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ values: values() }),
    }).catch(() => null);
    return response?.ok && number === waiting ? response.json() : null;
  };
  const report = (name, message) => {
    const error = document.getElementById(`field-${name}-error`);
    if (!error) return;
    error.hidden = !message;
    error.textContent = message ?? "";
    const control = document.getElementById(`field-${name}`);
    if (message) control.setAttribute("aria-invalid", "true");
    else control.removeAttribute("aria-invalid");
  };
  // An error that appears while the pointer is down would move the pressed button away from it, and the click would be lost.
  let released;
  addEventListener("pointerdown", () => {
    released = new Promise((done) => {
      for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(done), { once: true });
    });
  }, true);
  const check = async () => {
    const verdict = await ask();
    await released;
    if (!verdict) return;
    for (const name of touched) {
      // Nobody wants to be corrected in the middle of a word.
      if (name !== document.activeElement.name) report(name, verdict.errors.find((error) => error.field === name)?.message);
    }
    for (const [name, strength] of Object.entries(verdict.strengths ?? {})) show(name, strength);
    for (const name of meters.keys()) {
      meet(name, Boolean(values()[name]) && !verdict.errors.some((error) => error.field === name));
    }
  };

  // The strength of a new password.
  const meters = new Map();
  const show = (name, strength) => {
    const meter = meters.get(name);
    if (!meter) return;
    // An empty field has no strength, and so no bar.
    if (strength) meter.control.after(meter.bar);
    else meter.bar.remove();
    [...meter.bar.children].forEach((part, place) => {
      part.className = strength && place < Math.max(1, strength.score) ? (["bad", "bad", "wait"][strength.score] ?? "good") : "";
    });
    meter.words.textContent = strength?.sentence ?? "";
  };
  // Marks what a new password needs as met.
  const meet = (name, isMet) => meters.get(name).need?.classList.toggle("met", isMet);
  for (const input of form.querySelectorAll("[data-meter]")) {
    const bar = document.createElement("div");
    bar.className = "meter";
    bar.setAttribute("aria-hidden", "true");
    for (let part = 0; part < 4; part += 1) bar.append(document.createElement("i"));
    const words = document.createElement("p");
    words.className = "help";
    words.setAttribute("aria-live", "polite");
    const control = input.closest(".control");
    control.after(words);
    meters.set(input.name, { bar, words, control, need: form.querySelector(`#${input.id}-help.need`) });
    let pause;
    input.addEventListener("input", () => {
      clearTimeout(pause);
      if (!input.value) {
        show(input.name, null);
        meet(input.name, false);
      } else pause = setTimeout(check, 300);
    });
  }

  // A button that shows a password.
  for (const input of form.querySelectorAll("input[type=password]")) {
    const toggle = document.createElement("button");
    toggle.type = "button";
    toggle.className = "toggle";
    toggle.textContent = form.dataset.show;
    toggle.setAttribute("aria-pressed", "false");
    toggle.setAttribute("aria-controls", input.id);
    toggle.addEventListener("click", () => {
      const shows = input.type === "password";
      input.type = shows ? "text" : "password";
      toggle.textContent = shows ? form.dataset.hide : form.dataset.show;
      toggle.setAttribute("aria-pressed", String(shows));
    });
    input.after(toggle);
    form.addEventListener("submit", () => { input.type = "password"; });
  }

  for (const input of inputs) {
    input.addEventListener("change", arrange);
    // Correcting a value removes its error, including one from the service.
    input.addEventListener("input", () => report(input.name, null));
    input.addEventListener("blur", () => {
      if (!input.value && !touched.has(input.name)) return;
      touched.add(input.name);
      check();
    });
  }
  arrange();

  // Counts down while attempts are refused.
  let rest = Number(form.dataset.retry ?? 0);
  if (rest > 0) {
    const summary = document.getElementById("summary");
    const line = document.getElementById("summary-wait");
    // Screen readers read the sentence once, and not each second.
    summary.setAttribute("aria-live", "off");
    const end = Date.now() + rest * 1000;
    const tick = () => {
      rest = Math.ceil((end - Date.now()) / 1000);
      button.disabled = rest > 0;
      if (rest > 0) {
        const { wait, second, seconds } = form.dataset;
        line.textContent = wait.replace("{time}", rest === 1 ? second : seconds.replace("{count}", rest));
        setTimeout(tick, 250);
      } else {
        delete form.dataset.retry;
        summary.setAttribute("aria-live", "polite");
        line.textContent = form.dataset.ready;
      }
    };
    tick();
  }
})();
