// A button that copies a field; without a script there is none.
(() => {
  const offerCopies = () => document.querySelectorAll("[data-copy]").forEach((one) => (one.hidden = false));
  document.addEventListener("htmx:afterSettle", offerCopies);
  document.addEventListener("click", async ({ target }) => {
    const button = target.closest("[data-copy]");
    if (!button) return;
    const field = document.getElementById(button.dataset.copy);
    field.select();
    // Without HTTPS there is no clipboard; then the old way has to do.
    const copied = navigator.clipboard?.writeText(field.value).then(() => true, () => false);
    button.textContent = (await copied) || document.execCommand("copy") ? "Copied" : "Copy it by hand, please";
  });
  offerCopies();
})();
