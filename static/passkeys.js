// Forms that are sent with a passkey: the site says what is to be signed (data-passkey), the browser asks
// its owner, and what it answers goes with the form. Where that cannot be, there are no such forms.
(() => {
  "use strict";
  const isPossible = window.isSecureContext && window.PublicKeyCredential?.parseRequestOptionsFromJSON;
  const forms = document.querySelectorAll("form[data-passkey]");
  if (!isPossible || !forms.length) return;
  const KNOWN = "This device has a passkey for your account already.";
  const NONE = "No passkey was used. Try again, or go on without one.";
  let isBusy = false;

  forms.forEach((form) => (form.hidden = false));
  document.querySelectorAll("[data-no-passkey]").forEach((words) => (words.hidden = true));

  // Returns what is wrong, if anything is.
  async function fillIn(form) {
    const asked = await fetch(form.dataset.passkey, { method: "POST", body: new URLSearchParams(new FormData(form)) });
    if (!asked.ok) return asked.headers.get("Content-Type").startsWith("text/plain") ? asked.text() : "That did not work. Reload the page and try again.";
    const options = await asked.json();
    const { credentials } = navigator;
    const answer = await (options.rp
      ? credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }));
    form.elements.passkey.value = JSON.stringify(answer);
    return "";
  }

  document.addEventListener("submit", async (event) => {
    const form = event.target;
    if (!form.dataset.passkey) return;
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    const place = form.querySelector("[role=alert]");
    place.textContent = "";
    const problem = await fillIn(form).catch((error) => (error.name === "InvalidStateError" ? KNOWN : NONE));
    isBusy = false;
    if (problem) place.textContent = problem;
    else form.submit();
  });
})();
