// Says in the bar what the chosen move will do, keeps choices when htmx swaps the board, and lets
// no older board in.
// The page works without it. Nothing is bound to an element, so any swap may replace them all.
(() => {
  const money = (amount) => (amount < 0 ? "-" : "") + "$" + (amount ? Math.abs(amount) + "K" : "0");
  const checked = () => [...document.querySelectorAll("#board input:checked")];
  const turn = () => document.querySelector("#board [name=moves_made]")?.value;
  let kept = [];
  let keptTurn;

  function say() {
    const bar = document.getElementById("effect");
    if (!bar) return;
    const chosen = checked().filter((input) => input.dataset.effect);
    const words = chosen.map((input) => input.dataset.effect);
    const cash = bar.dataset.sell;
    let text = words.join(" · ") || bar.dataset.none;
    if (cash && words.length) {
      const sum = chosen.reduce((total, input) => total + Number(input.dataset.money), 0);
      text = `Sell ${words.join(", ")} for ${money(sum)}; you then have ${money(Number(cash) + sum)}.`;
    }
    if (bar.textContent !== text) bar.textContent = text;
  }

  document.addEventListener("change", say);
  // An answer that was overtaken by a newer one comes too late to be shown.
  function isOlder(answer) {
    const there = answer.match(/data-version="(\d+)\.(\d+)"/);
    const here = document.getElementById("board")?.dataset.version?.split(".");
    return there && here && (+there[1] < +here[0] || +there[2] < +here[1]);
  }

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (isOlder(event.detail.serverResponse)) event.detail.shouldSwap = false;
    kept = checked().map((input) => [input.id, input.value]);
    keptTurn = turn();
  });
  document.addEventListener("htmx:afterSettle", () => {
    // After a move of my own the next choice is a new one, even where its controls look the same.
    for (const [id, value] of turn() === keptTurn ? kept : []) {
      const input = id && document.getElementById(id);
      if (input && input.value === value) input.checked = true;
    }
    kept = [];
    say();
  });
  // What has been said leaves the field; what was typed meanwhile stays.
  document.addEventListener("htmx:afterRequest", ({ target, detail }) => {
    if (target.id !== "say-form" || !detail.successful) return;
    const field = target.elements.text;
    if (field.value === detail.requestConfig.formData.get("text")) field.value = "";
  });
  say();

  // A guess for people who sign up; they can change it.
  const zone = document.querySelector("select[name=time_zone][data-guess]");
  if (zone) {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if ([...zone.options].some((option) => option.value === here)) zone.value = here;
  }
})();
