// Shows what others did where it happened, move by move, before the table as it stands: when one comes
// back, after a move that others have answered, and when several moves arrive at once. Any press or key
// skips it; with reduced motion it waits to be asked for. The list "since your last turn" says the same.
// The boards come from the server as they were then. The real one is kept aside, but for the guide.
(() => {
  const place = document.getElementById("replay");
  if (!place) return;
  const board = () => document.getElementById("board");
  const newest = () => Number(board().dataset.version.split(".")[0]) - 1;
  const isCalm = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
  const words = place.querySelector(".words");
  const back = place.querySelector("button");
  const key = `shown ${place.dataset.replay}`;
  let steps = [];
  let at = 0;
  let kept; // The real board's content and what had the focus in it.
  let timer;
  let asked = 0; // Only the newest request counts.

  // Pieces that move are seen to move: those of one name in what was and what comes are one piece.
  function glide(change) {
    if (isCalm() || !document.startViewTransition || document.hidden) return change();
    const name = () => {
      for (const one of board().querySelectorAll("[data-glides]")) {
        if (one.checkVisibility()) one.style.viewTransitionName = one.id;
      }
    };
    name();
    const transition = document.startViewTransition(() => {
      change();
      name();
    });
    transition.ready.catch(() => {}); // One that is cut short by the next has done its work.
  }

  // From `old` on, the board that was shown until now; without it, from the newest.
  async function play(after, byItself, old) {
    const mine = ++asked;
    steps = [];
    if (old) {
      hold();
      words.replaceChildren();
      board().replaceChildren(old);
    }
    const text = await fetch(`${place.dataset.replay}?after=${after}`)
      .then((answer) => (answer.ok ? answer.text() : ""))
      .catch(() => "");
    if (mine !== asked) return;
    steps = [...new DOMParser().parseFromString(text, "text/html").querySelectorAll("article")];
    if (steps.length) show(0, byItself);
    else giveBack();
  }

  function show(number, byItself) {
    clearTimeout(timer);
    at = number;
    const step = steps[at];
    const mine = asked;
    glide(() => {
      if (mine !== asked) return; // Skipped before the glide could begin.
      hold();
      words.replaceChildren(...step.querySelector(".words").cloneNode(true).childNodes);
      board().replaceChildren(...document.importNode(step.querySelector(".board"), true).childNodes);
      board().querySelector("#ask").after(kept.content.getElementById("guide")?.cloneNode(true) ?? "");
      // Not disabled: with the focus on it keys would go nowhere.
      back.setAttribute("aria-disabled", String(at === 0));
    });
    // Faster where there is much to tell, longer where much happened at once.
    const pace = Math.min(1400, Math.max(500, 6000 / steps.length)) + 250 * (words.childElementCount - 1);
    if (byItself) timer = setTimeout(() => mine === asked && go(1, true), pace);
  }

  function go(way, byItself) {
    const to = at + way;
    if (to >= steps.length) giveBack(); // Nothing moves any more, and a glide would swallow presses.
    else show(Math.max(0, to), byItself);
  }

  function hold() {
    if (kept) return;
    kept = { focus: document.activeElement, content: document.createDocumentFragment() };
    kept.content.append(...board().childNodes);
    place.hidden = false;
    place.classList.add("bar"); // Not before: the page is laid out by whether there is one.
  }

  function giveBack() {
    clearTimeout(timer);
    asked++;
    if (!kept) return;
    const { focus, content } = kept;
    kept = undefined;
    board().replaceChildren(content);
    place.hidden = true;
    place.classList.remove("bar");
    if (focus !== document.body && board().contains(focus)) focus.focus({ preventScroll: true });
    document.dispatchEvent(new Event("replayed"));
  }

  // What was shown once is not shown again by itself, in no tab.
  function remember() {
    if (document.hidden) return;
    const before = Number(localStorage.getItem(key) ?? -1);
    localStorage.setItem(key, String(Math.max(before, newest())));
  }

  function offer() {
    for (const one of board().querySelectorAll("[data-replay]")) one.hidden = false;
  }

  document.addEventListener("click", (event) => {
    const again = event.target.closest("button[data-replay]");
    if (again) return play(Number(again.dataset.replay), !isCalm());
    const button = event.target.closest("#replay button");
    if (button?.value) go(Number(button.value));
    else if (kept && (button || event.target.closest("#board"))) giveBack();
  });
  document.addEventListener("keydown", (event) => {
    if (!kept || event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    const way = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (way) go(way);
    else if (event.key === "Escape") giveBack();
    else return;
    event.preventDefault();
  });

  // Whoever has begun to do something is not interrupted by what comes late.
  for (const kind of ["pointerdown", "keydown"]) document.addEventListener(kind, () => kept || asked++, true);

  // A newer board goes into the real one. Whoever has a question before them is not taken from it.
  let before;
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target.id !== "board") return;
    const shown = kept && at < steps.length - 1 ? Number(steps[at].dataset.number) : newest();
    const old = document.createDocumentFragment();
    old.append(...[...board().childNodes].map((one) => one.cloneNode(true)));
    old.querySelector("#bar")?.remove();
    giveBack();
    const isMove = detail.requestConfig.path.endsWith("/move");
    const mayPlay = (isMove || !document.getElementById("bar")) && !isCalm() && !document.hidden;
    // Of my own move I need not be told.
    before = mayPlay ? { old, shown, least: isMove ? 2 : 1 } : undefined;
  }, true); // Before all who ask what the real board was like.
  document.addEventListener("htmx:afterSettle", () => {
    offer();
    remember();
    if (!before) return;
    const { old, shown, least } = before;
    before = undefined;
    if (newest() - shown >= least) play(shown, true, old);
  });
  function comeBack() {
    const first = board().querySelector("[data-replay]");
    const shown = Number(localStorage.getItem(key) ?? -1);
    // Whoever has not moved yet has a first question before them: what led to it they can ask for.
    if (!kept && first?.dataset.replay >= 0 && shown < newest() && !isCalm() && !document.hidden) {
      play(Math.max(shown, Number(first.dataset.replay)), true);
    }
    remember();
  }
  document.addEventListener("visibilitychange", comeBack);
  offer();
  comeBack();
})();
