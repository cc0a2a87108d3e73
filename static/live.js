/* Fires "live" on <body> when the table has moved on: hx-trigger="live from:body" then fetches it.
   One element has data-live (address of the stream) and data-version (what is shown).
   Only a visible page keeps a stream: browsers allow six connections per host.
   With data-seen it tells that address what it has shown, when it opens and when data-asks says
   that something waits: who has seen it here is not sent a message. */
(() => {
  "use strict";
  const body = document.body;
  const SILENCE = 50000; // The server speaks every 20 s: by then the connection is dead.
  let stream, address, news, timer, told, refusals = 0;

  const shown = () => document.querySelector("[data-live]")?.dataset || {};
  const fetchNow = () => body.dispatchEvent(new Event("live"));

  function after(milliseconds, act) {
    clearTimeout(timer);
    timer = setTimeout(act, milliseconds);
  }

  function stop() {
    clearTimeout(timer);
    stream?.close();
    body.dataset.liveState = "off";
  }

  function start() {
    stop();
    address = shown().live;
    if (!address || document.visibilityState === "hidden") return;
    stream = new EventSource(address);
    stream.onopen = () => {
      body.dataset.liveState = "on";
    };
    stream.addEventListener("state", (event) => {
      refusals = 0;
      news = event.data.split(".");
      compare();
    });
    stream.addEventListener("full", poll);
    stream.onerror = () => {
      body.dataset.liveState = "retry";
      if (stream.readyState === EventSource.CLOSED) poll();
    };
    after(SILENCE, poll);
  }

  function compare() {
    const old = (shown().version || "").split(".");
    const isAhead = news.some((count, i) => +count > (old[i] || -1));
    // My own move is news, too: its answer may be under way.
    if (isAhead && document.querySelector(".htmx-request")) return after(100, compare);
    after(SILENCE, start);
    if (isAhead) fetchNow();
  }

  /* No stream to be had: fetch now and then, and try again for one. */
  function poll() {
    stop();
    body.dataset.liveState = "retry";
    after(Math.min(30000, 5000 * 1.5 ** refusals++) * (0.8 + 0.4 * Math.random()), () => {
      fetchNow();
      start();
    });
  }

  function tellSeen() {
    const { seen, version, asks } = shown();
    if (!seen || document.visibilityState === "hidden") return;
    const shows = asks === undefined ? seen : `${seen} ${parseInt(version)}`;
    if (shows === told || (shows === seen && told?.startsWith(seen))) return;
    told = shows;
    const headers = JSON.parse(body.getAttribute("hx-headers") || "{}");
    const said = new URLSearchParams({ version: parseInt(version) });
    fetch(seen, { method: "POST", headers, body: said }).catch(() => (told = undefined));
  }

  document.addEventListener("visibilitychange", () => {
    start();
    tellSeen();
  });
  document.addEventListener("htmx:afterSettle", () => {
    if (shown().live !== address) start();
    tellSeen();
  });
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => event.persisted && start());
  start();
  tellSeen();
})();
