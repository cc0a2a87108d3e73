// Tells whoever has a table open: says what others do, counts down where seconds matter, and chimes
// when it becomes my turn.
(() => {
  "use strict";

  // What is left of a turn, in each <time role="timer">. Of my own a screen reader is told at five
  // minutes and at one; every second would be a torrent.
  const TOLD_AT = [60, 300]; // Seconds.
  let ahead = 0; // Milliseconds by which the server's clock is ahead of this one.
  let mine = {};

  // By the clock and not by counting: a machine that has slept shows what is left when it wakes.
  function countDown() {
    for (const clock of document.querySelectorAll("#time [role=timer]")) {
      const left = Math.max(0, Math.ceil((Date.parse(clock.dateTime) - Date.now() - ahead) / 1000));
      const digits = inDigits(left);
      if (clock.textContent !== digits) clock.textContent = digits;
      if (clock.closest("#my-time")) tell(clock.dateTime, left);
    }
  }

  function inDigits(seconds) {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
    const two = (part) => String(part).padStart(2, "0");
    return parts[0] ? parts.map(two).join(":") : `${parts[1]}:${two(parts[2])}`;
  }

  function tell(moment, left) {
    const passed = moment === mine.moment && TOLD_AT.find((least) => left <= least && mine.left > least);
    const words = passed === 60 ? "one minute" : `${passed / 60} minutes`;
    if (passed) document.getElementById("time-left").textContent = `Your time runs out in ${words}.`;
    mine = { moment, left };
  }

  // Many a machine's clock is wrong by minutes. The server's comes with any answer, to the second.
  async function compareClocks() {
    const answer = await fetch(location.pathname, { method: "HEAD", cache: "no-store" });
    ahead = Date.parse(answer.headers.get("Date")) + 500 - Date.now() || 0;
    countDown();
  }

  if (document.querySelector("#table[data-counts-down]")) {
    document.addEventListener("htmx:afterSettle", countDown);
    document.addEventListener("visibilitychange", countDown);
    setInterval(countDown, 500);
    countDown();
    compareClocks().catch(() => {}); // Then this machine's has to do.
  }

  // What others have done, for a screen reader, as soon as it is on the page. Who plays hears what the
  // list "since your last turn" has, which is nothing of their own; whoever watches, the log.
  const MOST_LINES = 5;
  const news = document.getElementById("news");
  const version = () => parseInt(document.getElementById("board")?.dataset.version);
  let known = version();

  function lines() {
    const isSeated = document.getElementById("board").dataset.seen;
    const all = [...document.querySelectorAll(isSeated ? "#since li" : "#log li")];
    return isSeated ? all : all.reverse();
  }

  // The element of a line begins with the number of its move, which leads to it and need not be heard.
  function inWords(line) {
    const said = document.createElement("p");
    said.append(...[...line.cloneNode(true).childNodes].slice(1));
    return said;
  }

  document.addEventListener("htmx:afterSettle", () => {
    if (!(version() > known)) return;
    const fresh = lines().filter((line) => parseInt(line.id.split("-")[1]) >= known);
    known = version();
    const told = fresh.slice(-MOST_LINES).map(inWords);
    if (fresh.length > told.length) told.push(`And ${fresh.length - told.length} more before.`);
    news.replaceChildren(...told);
  });

  // The chime: off until somebody turns it on in this browser.
  const NOTES = [587, 880]; // Hertz: a fifth, upwards.
  const LATE = 2000;
  const box = document.getElementById("chime");
  if (!box || !("AudioContext" in window)) return;
  const isOn = () => localStorage.getItem("chime") === "on";
  const isMyTurn = () => document.getElementById("board")?.dataset.asks === "turn";
  let wasMyTurn = isMyTurn();
  let sound;

  // A page may make a sound only once somebody has pressed something on it; until then this waits.
  const wake = () => (sound ??= new AudioContext()).resume();
  const rest = () => sound.suspend();

  async function ring() {
    const asked = Date.now();
    await wake();
    if (Date.now() - asked > LATE) return rest(); // It was allowed only now, and is no news any more.
    NOTES.forEach((frequency, i) => {
      const from = sound.currentTime + 0.02 + 0.18 * i;
      const tone = new OscillatorNode(sound, { frequency });
      const volume = new GainNode(sound, { gain: 0 });
      volume.gain.setValueAtTime(0, from).linearRampToValueAtTime(0.25, from + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.001, from + 0.7);
      tone.connect(volume).connect(sound.destination);
      tone.start(from);
      tone.stop(from + 0.7);
      if (i === NOTES.length - 1) tone.onended = rest;
    });
  }

  box.checked = isOn();
  box.closest("[hidden]").hidden = false;
  box.addEventListener("change", () => {
    localStorage.setItem("chime", box.checked ? "on" : "off");
    if (box.checked) ring(); // So one knows how it sounds.
  });
  // Some browsers give leave only while something is pressed, and then for later as well.
  const askLeave = () => isOn() && wake().then(rest);
  for (const press of ["pointerup", "keydown"]) addEventListener(press, askLeave, { once: true });
  document.addEventListener("htmx:afterSettle", () => {
    const came = isMyTurn() && !wasMyTurn;
    wasMyTurn = isMyTurn();
    if (came && isOn()) ring();
  });
})();
