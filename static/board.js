// Says in the bar what the chosen move will do, and keeps choices when htmx swaps the board.
// The page works without it. Nothing is bound to an element, so any swap may replace them all.
(() => {
  const money = (amount) => (amount < 0 ? "-" : "") + "$" + (amount ? Math.abs(amount) + "K" : "0");
  const checked = () => [...document.querySelectorAll("#board input:checked")];
  let kept = [];

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
  document.addEventListener("htmx:beforeSwap", () => {
    kept = checked().map((input) => [input.id, input.value]);
  });
  document.addEventListener("htmx:afterSettle", () => {
    for (const [id, value] of kept) {
      const input = id && document.getElementById(id);
      if (input && input.value === value) input.checked = true;
    }
    kept = [];
    say();
  });
  say();

  // A guess for people who sign up; they can change it.
  const zone = document.querySelector("select[name=time_zone][data-guess]");
  if (zone) {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if ([...zone.options].some((option) => option.value === here)) zone.value = here;
  }
})();
