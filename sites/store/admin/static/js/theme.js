// The theme: chosen in the account menu, kept for the person, and followed where it is the system's.
import { toast } from "./toasts.js";

const root = document.documentElement;
const dark = window.matchMedia("(prefers-color-scheme: dark)");

/** Show a theme at once; "system" is what the device says. */
function show(theme) {
  root.dataset.theme = theme;
  root.dataset.bsTheme = theme === "dark" || (theme === "system" && dark.matches) ? "dark" : "light";
  for (const button of document.querySelectorAll("[data-theme-choice]")) {
    button.setAttribute("aria-checked", String(button.dataset.themeChoice === theme));
  }
}

dark.addEventListener("change", () => show(root.dataset.theme));

for (const button of document.querySelectorAll("[data-theme-choice]")) {
  button.addEventListener("click", async () => {
    const theme = button.dataset.themeChoice;
    show(theme);
    const { csrf } = button.closest("[data-csrf]").dataset;
    const answer = await fetch("/profile/theme", {
      method: "POST",
      headers: { "X-CSRF-Token": csrf, Accept: "application/json" },
      body: new URLSearchParams({ theme }),
    });
    if (answer.status === 401) window.location.assign("/login");
    else if (!answer.ok) toast("The theme could not be kept.", "bad");
  });
}
