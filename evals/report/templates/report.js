"use strict";
for (const form of document.querySelectorAll("form.filters")) {
  const cases = [...document.querySelectorAll("section.case")];
  const shown = form.querySelector("output");
  const apply = () => {
    const family = form.elements.family.value;
    const status = form.elements.status.value;
    let count = 0;
    for (const section of cases) {
      const fits = (!family || section.dataset.family === family)
        && (!status || section.dataset.status.split(" ").includes(status));
      section.hidden = !fits;
      count += fits;
    }
    shown.textContent = `${count} of ${cases.length} cases on this page`;
  };
  form.addEventListener("change", apply);
  form.addEventListener("submit", (event) => event.preventDefault());
  apply();
}
