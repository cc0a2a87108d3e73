// A guess for people who sign up; they can change it.
(() => {
  const zone = document.querySelector("select[name=time_zone][data-guess]");
  if (zone) {
    const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
    if ([...zone.options].some((option) => option.value === here)) zone.value = here;
  }
})();
