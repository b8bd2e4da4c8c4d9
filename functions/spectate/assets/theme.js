// Light, dark or as the system: the choice is kept in this browser. Runs in the head, after the style
// sheets and before the page is drawn, so that nothing flashes.

const THEME = "renju-arena-theme";
const DARK = "(prefers-color-scheme: dark)";

function readTheme() {
  try {
    return localStorage.getItem(THEME) ?? "system";
  } catch {
    return "system";
  }
}

// The rules of dark mode hold always or never, if the reader chose so.
function useTheme(theme) {
  document.documentElement.style.colorScheme = theme === "system" ? "" : theme;
  const media = { light: "not all", dark: "all" }[theme] ?? DARK;
  for (const sheet of document.styleSheets) {
    for (const rule of sheet.cssRules) {
      if (!(rule instanceof CSSMediaRule)) continue;
      rule.isDark ??= rule.conditionText === DARK;
      if (rule.isDark) rule.media.mediaText = media;
    }
  }
}

useTheme(readTheme());

document.addEventListener("DOMContentLoaded", () => {
  const select = document.getElementById("theme");
  select.value = readTheme();
  select.closest("label").hidden = false;
  select.addEventListener("change", () => {
    useTheme(select.value);
    try {
      localStorage.setItem(THEME, select.value);
    } catch {
      // Without storage it holds for this page.
    }
  });
});
