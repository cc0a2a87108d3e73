// A player's part of the seed: 32 random bytes of their own browser, put into a form as it is sent.
// Without a script the server draws them, and says so.
(() => {
  const offer = () => document.querySelectorAll("[data-contribute]").forEach((one) => (one.hidden = false));
  document.addEventListener("htmx:afterSettle", offer);
  document.addEventListener("submit", ({ target }) => {
    const field = target.querySelector("[name=contribution]");
    if (!field) return;
    const bytes = crypto.getRandomValues(new Uint8Array(32));
    field.value = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  });
  offer();
})();
