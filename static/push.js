// Turns pushes on in this browser, on the page where people choose how they are told.
(() => {
  "use strict";
  const here = document.getElementById("push-here");
  const button = here?.querySelector("button");
  if (!button) return;
  const words = here.querySelector("[role=status]");
  const say = (text) => (words.textContent = text);

  if (!window.isSecureContext) return say("Pushes need an address that begins with https://");
  if (!("serviceWorker" in navigator && "PushManager" in window)) {
    return say("This browser takes no pushes here.");
  }
  say("");
  button.closest("[hidden]").hidden = false;
  button.addEventListener("click", () => {
    button.disabled = true;
    turnOn()
      .catch((error) => say(`That did not work: ${error.message}`))
      .finally(() => (button.disabled = false));
  });

  async function turnOn() {
    if ((await Notification.requestPermission()) !== "granted") {
      return say("The browser does not let this site tell you anything. Allow it in the browser’s settings for this site, then try again.");
    }
    await navigator.serviceWorker.register(here.dataset.worker);
    const { pushManager } = await navigator.serviceWorker.ready;
    // One that was made for an older key of the site would be refused.
    await (await pushManager.getSubscription())?.unsubscribe();
    const key = here.dataset.key.replaceAll("-", "+").replaceAll("_", "/");
    const applicationServerKey = Uint8Array.from(atob(key), (letter) => letter.charCodeAt(0));
    const { endpoint, keys } = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })).toJSON();
    const body = new URLSearchParams({ endpoint, public_key: keys.p256dh, auth: keys.auth });
    const headers = JSON.parse(document.body.getAttribute("hx-headers"));
    const answer = await fetch(here.dataset.add, { method: "POST", headers, body });
    if (!answer.ok) return say(await answer.text());
    location.hash = "push";
    location.reload();
  }
})();
