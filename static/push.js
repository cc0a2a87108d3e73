// Turns pushes on in this browser by a press on what has data-push: on the page where people choose how
// they are told, or on a board. One element has data-push-key, and where to send what the browser gives.
(() => {
  "use strict";
  const site = document.querySelector("[data-push-key]");
  if (!site) return;
  const FORBIDDEN = "The browser does not let this site tell you anything. Allow it in the browser’s settings for this site, then try again.";
  const isPossible = window.isSecureContext && "serviceWorker" in navigator && "PushManager" in window;
  const hidden = site.querySelector("[hidden]:has([data-push])");
  let isBusy = false;

  function say(text) {
    const place = document.querySelector(":is(#push-here, #offer) [role=status]");
    if (place) place.textContent = text; // On a board it may have become my turn meanwhile.
  }

  if (hidden) {
    hidden.hidden = !isPossible;
    if (isPossible) say("");
    else say(window.isSecureContext ? "This browser takes no pushes here." : "Pushes need an address that begins with https://");
  }

  // A board may be swapped at any time, so nothing is bound to its elements.
  document.addEventListener("click", async (event) => {
    const control = event.target.closest("[data-push]");
    if (!control || !isPossible) return; // A link leads to the other ways to be told.
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    const isAllowed = (await Notification.requestPermission()) === "granted";
    const problem = isAllowed ? await turnOn().catch((error) => `That did not work: ${error.message}`) : FORBIDDEN;
    isBusy = false;
    if (!isAllowed && control.href) return location.assign(control.href);
    if (problem) return say(problem);
    if (site.dataset.done) {
      site.remove();
      return say(site.dataset.done);
    }
    location.hash = "push";
    location.reload();
  });

  // Returns what is wrong, if anything is.
  async function turnOn() {
    await navigator.serviceWorker.register(site.dataset.worker);
    const { pushManager } = await navigator.serviceWorker.ready;
    // One that was made for an older key of the site would be refused.
    await (await pushManager.getSubscription())?.unsubscribe();
    const key = site.dataset.pushKey.replaceAll("-", "+").replaceAll("_", "/");
    const applicationServerKey = Uint8Array.from(atob(key), (letter) => letter.charCodeAt(0));
    const { endpoint, keys } = (await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey })).toJSON();
    const body = new URLSearchParams({ endpoint, public_key: keys.p256dh, auth: keys.auth });
    const headers = JSON.parse(document.body.getAttribute("hx-headers"));
    const answer = await fetch(site.dataset.add, { method: "POST", headers, body });
    return answer.ok ? "" : answer.text();
  }
})();
