// A guess for people who sign up, who can change it, and for guests.
(() => {
  const zone = document.querySelector("[name=time_zone][data-guess]");
  if (zone) {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if (!zone.options || [...zone.options].some((option) => option.value === here)) zone.value = here;
  }
})();
