"use strict";

// Red on black, remembered by this browser. A classic script in the head: see index.html.
{
  const KEY = "night";
  const root = document.documentElement;
  const themeColours = [...document.querySelectorAll('meta[name="theme-color"]')].map((meta) => ({
    meta,
    day: meta.content,
  }));

  function remembered() {
    try {
      return localStorage.getItem(KEY) === "on";
    } catch {
      return false; // a browser may refuse storage; the button then works until the page is left
    }
  }

  function remember(on) {
    try {
      localStorage.setItem(KEY, on ? "on" : "off");
    } catch {
      // as above
    }
  }

  function apply(on) {
    root.classList.toggle("night", on);
    for (const { meta, day } of themeColours) {
      meta.content = on ? "#000000" : day;
    }
  }

  function wire() {
    const button = document.getElementById("night");
    const press = (on) => button.setAttribute("aria-pressed", String(on));
    press(root.classList.contains("night"));
    button.addEventListener("click", () => {
      const on = !root.classList.contains("night");
      apply(on);
      press(on);
      remember(on);
    });
  }

  apply(remembered());
  document.addEventListener("DOMContentLoaded", wire);
}
