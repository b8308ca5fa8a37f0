"use strict";
const cards = [...document.querySelectorAll("section")];
const top_rating = Number(document.body.dataset.top);
const key = "ratings:" + cards.map((card) => card.dataset.item).join("").slice(0, 200);
let ratings = {};
try { ratings = JSON.parse(localStorage.getItem(key) || "{}"); } catch { /* a browser that keeps nothing */ }
let current = 0;

function show() {
  cards.forEach((card, at) => {
    card.classList.toggle("current", at === current);
    card.querySelectorAll("[data-rating]").forEach((button) => {
      button.setAttribute("aria-pressed", String(ratings[card.dataset.item] === Number(button.dataset.rating)));
    });
  });
  const rated = cards.filter((card) => card.dataset.item in ratings).length;
  document.getElementById("progress").textContent = `${rated} of ${cards.length} rated`;
}

function keep() {
  try { localStorage.setItem(key, JSON.stringify(ratings)); } catch { /* the page still works */ }
  show();
}

function go(to) {
  current = Math.max(0, Math.min(cards.length - 1, to));
  cards[current].scrollIntoView({ block: "start" });
  cards[current].focus({ preventScroll: true });
  show();
}

function rate(at, value) {
  ratings[cards[at].dataset.item] = value;
  keep();
  go(at + 1);
}

cards.forEach((card, at) => card.querySelectorAll("[data-rating]").forEach((button) => {
  button.addEventListener("click", () => rate(at, Number(button.dataset.rating)));
}));

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !cards.length) return;
  const value = Number(event.key);
  if (event.key.length === 1 && Number.isInteger(value) && value <= top_rating && event.key.trim()) rate(current, value);
  else if (["ArrowDown", "ArrowRight"].includes(event.key)) go(current + 1);
  else if (["ArrowUp", "ArrowLeft"].includes(event.key)) go(current - 1);
  else if (event.key === "Backspace") { delete ratings[cards[current].dataset.item]; keep(); }
  else return;
  event.preventDefault();
});

document.getElementById("save").addEventListener("click", () => {
  const lines = cards.map((card) => `${card.dataset.item},${ratings[card.dataset.item] ?? ""}`);
  const file = new Blob(["item,rating\n" + lines.join("\n") + "\n"], { type: "text/csv" });
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = "ratings.csv";
  link.click();
  URL.revokeObjectURL(link.href);
});

show();
