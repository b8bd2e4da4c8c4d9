// A click for each stone, off until somebody turns it on. It is made here, so that no file is loaded.

const SOUND = "renju-arena-sound";
const toggle = document.getElementById("sound");
let audio = null;

const isOn = () => toggle.getAttribute("aria-pressed") === "true";

toggle.addEventListener("click", () => {
  toggle.setAttribute("aria-pressed", String(!isOn()));
  try {
    localStorage.setItem(SOUND, isOn() ? "on" : "off");
  } catch { /* it is off again next time */ }
  click();
});

export function click() {
  if (!isOn()) return;
  audio ??= new AudioContext();
  const [tone, volume] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.setValueAtTime(900, audio.currentTime);
  tone.frequency.exponentialRampToValueAtTime(250, audio.currentTime + 0.04);
  volume.gain.setValueAtTime(0.25, audio.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.06);
  tone.connect(volume).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.07);
}

try {
  toggle.setAttribute("aria-pressed", String(localStorage.getItem(SOUND) === "on"));
} catch { /* it stays off */ }
