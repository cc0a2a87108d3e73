// The turns of a match by arrow keys, by the slider, and one after the other by themselves.
// Without it links and the button "Go" do. What is shown is swapped by htmx.
(() => {
  const PAUSE = 1600;
  let timer = 0;
  let playing = false;
  const find = (id) => document.getElementById(id);
  const next = () => document.querySelector("#turn-next[href]");

  const show = () => {
    const play = find("turn-play");
    if (!play) return;
    play.hidden = false;
    play.disabled = !playing && !next();
    play.textContent = playing ? "Pause" : "Play";
    find("turn-go").hidden = true;
  };
  const stop = () => {
    clearTimeout(timer);
    playing = false;
    show();
  };
  const goOn = () => next()?.click();
  const shown = () => {
    clearTimeout(timer);
    if (playing && next()) {
      next().setAttribute("hx-replace-url", "true"); // Back leads to where it began to play.
      timer = setTimeout(goOn, PAUSE);
    } else playing = false;
    show();
  };

  document.addEventListener("htmx:afterSettle", shown);
  document.addEventListener("htmx:historyRestore", stop);
  document.addEventListener("htmx:responseError", stop);
  document.addEventListener("htmx:sendError", stop);
  document.addEventListener("click", ({ target, isTrusted }) => {
    if (target.closest("#turn-play")) {
      if (playing) return stop();
      playing = true;
      goOn();
    } else if (isTrusted && playing && target.closest("#turn a")) stop();
  });
  document.addEventListener("input", ({ target }) => {
    if (target.id === "turn-move") find("turn-at").textContent = `${target.value} / ${target.max}`;
  });
  document.addEventListener("change", ({ target }) => {
    if (target.id !== "turn-move") return;
    stop();
    target.form.requestSubmit();
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest("input, textarea, select, .scroll, .wide")) return;
    const slider = find("turn-move");
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (!slider || !by) return;
    event.preventDefault();
    stop();
    const to = Math.max(0, Math.min(+slider.max, +slider.defaultValue + by));
    if (to === +slider.defaultValue) return;
    slider.value = to;
    slider.form.requestSubmit();
  });
  show();
})();
