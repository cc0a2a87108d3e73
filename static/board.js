// Says in the bar what the chosen move will do, keeps choices when htmx swaps the board, lets no
// older board in, tells the server what was seen, and opens a rule beside the table.
// The page works without it. Nothing is bound to an element, so any swap may replace them all.
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const controls = () => all("#board :is(input:is([type=radio], [type=checkbox]), select)");
  const turn = () => document.querySelector("#board [name=moves_made]")?.value;
  // What belongs to a card that is not chosen is not shown, and does not count.
  // What is folded away counts: whoever chose it there knows of it.
  const shown = (element) => element.getClientRects().length > 0 || !!element.closest("details:not([open])");
  // What a control says: itself if it is checked, or the entry of a list.
  const choice = (control) => (control.options ? control.options[control.selectedIndex] : control.checked && control);
  let kept = [];
  let keptTurn;

  function say() {
    const bar = document.getElementById("effect");
    if (!bar) return;
    check();
    const chosen = controls().filter(shown).map(choice).filter((one) => one && one.dataset.effect);
    const words = [];
    // "A face-up, B face-down" and "face-up on the left" are told as one.
    for (const { effect, into } of chosen.map((one) => one.dataset)) {
      const whole = into ? words.findIndex((word) => word.includes(into)) : -1;
      if (whole < 0) words.push(effect);
      else words[whole] = words[whole].replace(into, () => effect);
    }
    let text = words.join(" · ").replaceAll(": · ", ": ") || bar.dataset.none;
    if (bar.dataset.sum) {
      const fill = inSum(bar.dataset, chosen, words);
      if (words.length) text = fill(bar.dataset.sum);
      // The button says what it will do: to choose nothing is a choice like any other.
      const button = bar.parentElement.querySelector("button");
      const label = words.length ? fill(bar.dataset.button) : bar.dataset.buttonNone;
      if (button.textContent !== label) button.textContent = label;
    }
    if (bar.textContent !== text) bar.textContent = text;
  }

  // Where what is chosen is added up, the board gives the sentences with {words}, {sum} and {total} to
  // fill in, what there is before (`from`), and how an amount is written: with # for the number, and none.
  function inSum({ from, amount, amountNone }, chosen, words) {
    const sum = chosen.reduce((total, one) => total + Number(one.dataset.money ?? 0), 0);
    const write = (number) => (number < 0 ? "-" : "") + (number ? amount.replace("#", Math.abs(number)) : amountNone);
    const said = { words: words.join(", "), sum: write(sum), total: write(Number(from) + sum) };
    return (sentence) => sentence.replace(/\{(\w+)\}/g, (_, name) => said[name]);
  }

  // Tells before anything is sent what the server would refuse: too few or too many, or one thing twice.
  function check() {
    for (const one of all("#board [data-needed]")) one.required = shown(one);
    for (const group of all("#board [data-choose]")) {
      const [least, most] = group.dataset.choose.split(" ").map(Number);
      const own = [...group.querySelectorAll("input:not([type=hidden]), select")];
      const count = own.map(choice).reduce((sum, one) => sum + (one && one.value ? Number(one.dataset.count ?? 1) : 0), 0);
      const wrong = shown(group) && (count < least || count > most);
      const words = `Please choose ${least === most ? most : least ? `${least} to ${most}` : `at most ${most}`}.`;
      own[0].setCustomValidity(wrong ? words : "");
    }
    const apart = all("#board [data-apart]:checked");
    const twice = new Set(apart.map((one) => one.dataset.apart)).size < apart.length;
    for (const one of all("#board [data-apart]")) one.setCustomValidity("");
    if (twice) apart[0].setCustomValidity("Please choose two different ones.");
  }

  document.addEventListener("change", say);
  // An answer that was overtaken by a newer one comes too late to be shown.
  function isOlder(answer) {
    const there = answer.match(/data-version="(\d+)\.(\d+)"/);
    const here = document.getElementById("board")?.dataset.version?.split(".");
    return there && here && (+there[1] < +here[0] || +there[2] < +here[1]);
  }

  // So does news that was asked for before the last step of a turn that is being built.
  function isOvertaken({ elt, formData }) {
    const steps = all("#steps [name=step]").map((step) => step.value);
    return elt.id === "ask-for-news" && String(formData.getAll("step")) !== String(steps);
  }

  // The server sends what this page does not have yet (web/parts.py). What it has stays as it is, and new
  // lines of the log go on top of those that are there.
  document.addEventListener("htmx:configRequest", ({ detail }) => {
    const has = all("[data-fp]").map((part) => part.dataset.fp);
    if (detail.target.id === "board") detail.headers["Board-Has"] = has.join(" ");
  });
  Idiomorph.defaults.callbacks.beforeNodeMorphed = (here, there) => {
    const { same, adds, fp } = there.dataset || {};
    if (adds !== undefined) {
      here.prepend(...[...there.children].filter((line) => !document.getElementById(line.id)));
      here.dataset.fp = fp;
    }
    return same === undefined && adds === undefined;
  };

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { serverResponse, requestConfig } = event.detail;
    if (isOlder(serverResponse) || isOvertaken(requestConfig)) event.detail.shouldSwap = false;
    kept = controls().map((control) => [control.id, control.value, control.checked]);
    keptTurn = turn();
  });
  document.addEventListener("htmx:afterSettle", () => {
    // It is not there after all: somebody else has changed this page.
    if (document.querySelector("[data-same]")) location.reload();
    // After a move of my own the next choice is a new one, even where its controls look the same.
    if (turn() !== keptTurn) document.getElementById("board")?.reset();
    for (const [id, value, checked] of turn() === keptTurn ? kept : []) {
      const control = id && document.getElementById(id);
      if (control?.options) control.value = value;
      else if (control?.value === value) control.checked = checked;
    }
    kept = [];
    say();
  });
  // A new phase lays the page out anew, and a browser that holds on to some piece would jump. So the
  // page stays, or goes to what is asked: after my own move, with the focus, or if the phase begins
  // with me and I am at nothing else.
  const phase = () => document.querySelector("#ask .dateline")?.textContent;
  const asks = () => !!document.getElementById("bar");
  // The icon in the browser's tab says whether it is my turn; the page has both.
  function setIcon() {
    const icon = document.querySelector("#icon[data-other]");
    const asks = document.getElementById("board")?.dataset.asks === "turn";
    if (!icon || asks === "asks" in icon.dataset) return;
    [icon.href, icon.dataset.other] = [icon.dataset.other, icon.href];
    icon.toggleAttribute("data-asks", asks);
  }
  document.addEventListener("htmx:afterSettle", setIcon);
  // News that asks me nothing moves nothing that I read: what shrinks above it keeps its room until then.
  const above = () => all("#ask, #time");
  const room = document.adoptedStyleSheets && new CSSStyleSheet(); // A style of its own would not outlive a swap.
  if (room) document.adoptedStyleSheets = [room];
  let before;
  let onTheWay = 0; // Until then the page may be gliding there: news must not stop it.
  function showAsk(say) {
    const { top, bottom } = say.getBoundingClientRect();
    if (top >= 0 && bottom <= innerHeight) return;
    const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    onTheWay = calm ? 0 : performance.now() + 800;
    (document.getElementById("refusal") || say.parentElement).scrollIntoView({ behavior: calm ? "auto" : "smooth" });
  }
  // A press that was meant for the last question is no answer to the next: for a moment the bar takes
  // none, and where one answer leads straight to another question, its button lies elsewhere.
  let resting;
  let isMirrored = false;
  function rest() {
    clearTimeout(resting);
    resting = setTimeout(wake, 700);
    setBar();
  }
  function wake() {
    resting = undefined;
    setBar();
  }
  function setBar() {
    const bar = document.getElementById("bar");
    bar?.classList.toggle("mirrored", isMirrored);
    const button = bar?.querySelector("button");
    if (button) button.disabled = resting !== undefined;
  }
  document.addEventListener("replayed", () => asks() && rest());

  document.addEventListener("scrollend", () => (onTheWay = 0));
  document.addEventListener("htmx:beforeSwap", () => {
    const heights = above().map((one) => one.offsetHeight);
    before = { phase: phase(), asks: asks(), turn: turn(), top: scrollY, heights };
  });
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    const say = document.getElementById("say");
    const isMove = !!detail.requestConfig?.path.endsWith("/move");
    if (!say || !before) return;
    const then = before;
    before = undefined;
    const rules = above().map((one, i) => `#${one.id} { min-height: ${then.heights[i]}px }`);
    room?.replaceSync(asks() === then.asks && !isMove ? rules.join("") : "");
    const focused = document.activeElement;
    const isNew = !then.asks || turn() !== then.turn;
    if (isNew) isMirrored = isMove && then.asks && !isMirrored;
    if (isNew && asks()) rest();
    else setBar();
    const isFree = focused === document.body || focused === say || !!focused.closest("#bar");
    if (isMove) {
      showAsk(say);
      if (isFree) say.focus({ preventScroll: true });
    } else if (detail.requestConfig?.elt?.dataset.step !== undefined) {
      // A step that was taken is no control any more: what is asked now has the focus instead.
      if (isFree) say.focus({ preventScroll: true });
    } else if (phase() !== then.phase) {
      scrollTo({ top: then.top, behavior: "instant" });
      if (performance.now() < onTheWay || (asks() && !then.asks && isFree)) showAsk(say);
    }
  });
  // What has been said leaves the field; what was typed meanwhile stays.
  document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
    if (target.id !== "say-form" || !detail.successful) return;
    const field = target.elements.text;
    if (field.value === detail.requestConfig.formData.get("text")) field.value = "";
  });
  const tell = (id, words) => {
    const place = document.getElementById(id);
    if (place) place.textContent = words;
  };
  document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
    if (target.id === "notes" && detail.successful) tell("notes-kept", "Kept.");
  });
  document.addEventListener("input", ({ target }) => target.closest("#notes") && tell("notes-kept", ""));
  say();

  // What was sent and not taken is said until something arrives.
  const trouble = (words) => tell("trouble", words);
  const isMine = ({ detail }) => detail.requestConfig.verb === "post";
  document.addEventListener("htmx:sendError", (event) => {
    if (isMine(event)) trouble("This did not arrive. Are you offline? Please try again.");
  });
  document.addEventListener("htmx:responseError", (event) => {
    const { xhr, elt, requestConfig } = event.detail;
    const { type, submitter } = requestConfig.triggeringEvent || {};
    if (xhr.status === 503 && (isMine(event) || type === "click")) {
      trouble(`${xhr.responseText} `);
      offerAgain(elt, submitter, isMine(event));
    } else if (isMine(event)) trouble("The server could not take this. Please reload the page and try again.");
  });
  // The board is as it was: the same control, pressed again, sends the same form with what is chosen there.
  function offerAgain(elt, submitter, isForm) {
    const button = document.createElement("button");
    button.textContent = isForm ? "Send it again" : "Try again";
    button.addEventListener("click", () => {
      const form = elt.closest("form");
      trouble("");
      if (isForm && form) form.requestSubmit(submitter?.isConnected ? submitter : null);
      else elt.click();
    });
    document.getElementById("trouble")?.append(button);
  }
  document.addEventListener("htmx:afterRequest", ({ detail }) => detail.successful && trouble(""));

  // A link to a rule opens it beside the table. When that closes, the browser gives the focus back; but the
  // board may have been swapped meanwhile.
  const beside = () => document.getElementById("beside");
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[data-rule]");
    if (!link || !beside() || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    htmx.ajax("GET", link.dataset.rule, { source: "#rule", target: "#rule" });
  });
  document.addEventListener("htmx:afterSwap", ({ target }) => {
    if (target.id !== "rule") return;
    beside().show();
    beside().scrollTop = 0;
    document.getElementById("rule-title").focus({ preventScroll: true });
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") beside()?.close();
  });
  document.addEventListener("close", ({ target }) => {
    const { activeElement: at, body } = document;
    if (target === beside() && (at === body || target.contains(at))) document.querySelector("#say a, #say:not(:has(a))")?.focus();
  }, true);

  // Tells the server what a visible page has shown, when it opens, when something is said, and when
  // something waits for me (data-asks): whoever has seen it here is not sent a message.
  let told;
  function tellSeen() {
    const { seen, version, asks } = document.getElementById("board")?.dataset || {};
    if (!seen || document.visibilityState === "hidden") return;
    const [moves, said] = version.split(".");
    const isNew = asks !== undefined && (told?.asks === undefined || moves !== told.moves);
    if (seen === told?.seen && said === told.said && !isNew) return;
    told = { seen, moves, said, asks };
    const headers = JSON.parse(document.body.getAttribute("hx-headers"));
    const body = new URLSearchParams({ version: moves });
    fetch(seen, { method: "POST", headers, body }).catch(() => (told = undefined));
  }
  document.addEventListener("visibilitychange", tellSeen);
  document.addEventListener("htmx:afterSettle", tellSeen);
  tellSeen();
})();
