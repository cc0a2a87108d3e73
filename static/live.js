// Takes in the board that the stream brings. If it brings a version alone, or builds on what this page does
// not show, fires "live" on <body>: hx-trigger="live from:body" then fetches what is new.
// One element has data-live (address of the stream) and data-version (what is shown).
// Browsers allow six connections per host. So every visible page keeps a stream, but of those behind
// others only one, under a lock that all pages of the site share; the rest look once a minute.
(() => {
  "use strict";
  const body = document.body;
  const SILENCE = 50000; // The server speaks every 20 s: by then the connection is dead.
  const A_MINUTE = 60000;
  const SOON = 1500; // A restart is over soon: at this pace at first, then ever more slowly.
  const TRIES_SOON = 6;
  let stream, address, news, timer, unlock, refusals = 0;

  const shown = () => document.querySelector("[data-live]")?.dataset || {};
  const fetchNow = () => body.dispatchEvent(new Event("live"));
  const isHidden = () => document.visibilityState === "hidden";

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
    if (!isHidden()) giveBack();
    if (!address) return;
    if (!isHidden() || unlock) listen();
    else if (navigator.locks) navigator.locks.request("live", { ifAvailable: true }, listenUnder);
    else lookAfter(A_MINUTE);
  }

  function listenUnder(lock) {
    if (!isHidden() || unlock) return;
    if (!lock) return lookAfter(A_MINUTE);
    const held = new Promise((resolve) => (unlock = resolve));
    listen();
    return held;
  }

  function giveBack() {
    unlock?.();
    unlock = undefined;
  }

  function listen() {
    stream = new EventSource(address);
    stream.onopen = () => {
      body.dataset.liveState = "on";
    };
    stream.addEventListener("state", (event) => {
      refusals = 0;
      news = event.data.split(".");
      compare();
    });
    stream.addEventListener("board", (event) => {
      refusals = 0;
      const [base, ...lines] = event.data.split("\n");
      bring(base, lines.join("\n"));
    });
    stream.addEventListener("full", () => {
      refusals = Math.max(refusals, TRIES_SOON + 3); // There will be no room soon, either.
      poll();
    });
    stream.onerror = () => {
      body.dataset.liveState = "retry";
      if (stream.readyState === EventSource.CLOSED) poll();
    };
    after(SILENCE, poll);
  }

  // What a page that shows `base` does not have yet, as if it had asked for it.
  function bring(base, html) {
    const [, ...version] = html.match(/data-version="(\d+)\.(\d+)"/);
    news = version;
    const board = document.getElementById("board");
    const isBusy = document.querySelector(".htmx-request, #steps [name=step]");
    if (board?.dataset.table !== base || isBusy) return compare();
    after(SILENCE, start);
    const elt = document.getElementById("ask-for-news");
    const requestConfig = { elt, verb: "get", path: address, formData: new FormData() };
    const detail = { target: board, serverResponse: html, shouldSwap: true, requestConfig };
    if (htmx.trigger(board, "htmx:beforeSwap", detail) && detail.shouldSwap) {
      htmx.swap(board, html, { swapStyle: "morph:outerHTML", swapDelay: 0, settleDelay: 0 }, { contextElement: elt, eventInfo: detail });
    }
  }

  function compare() {
    const old = (shown().version || "").split(".");
    const isAhead = news.some((count, i) => +count > (old[i] || -1));
    // My own move is news, too: its answer may be under way.
    if (isAhead && document.querySelector(".htmx-request")) return after(100, compare);
    after(SILENCE, start);
    if (isAhead) fetchNow();
  }

  // No stream to be had: fetch now and then, and try again for one.
  function poll() {
    stop();
    body.dataset.liveState = "retry";
    const pause = Math.min(30000, SOON * 1.5 ** Math.max(0, refusals++ - TRIES_SOON));
    lookAfter(pause * (0.5 + 0.5 * Math.random())); // Not a thousand pages at once after a restart.
  }

  function lookAfter(milliseconds) {
    after(milliseconds * (0.8 + 0.4 * Math.random()), () => {
      fetchNow();
      start();
    });
  }

  document.addEventListener("visibilitychange", start);
  document.addEventListener("htmx:afterSettle", () => shown().live === address || start());
  addEventListener("pagehide", () => {
    stop();
    giveBack();
  });
  addEventListener("pageshow", (event) => event.persisted && start());
  start();
})();
