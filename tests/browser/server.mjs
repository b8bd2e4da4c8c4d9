// Starts an arena of its own, that keeps nothing, and a browser.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
// A binary that is built already, or cargo builds it.
const COMMAND = process.env.ARENA_LOCAL?.split(" ") ?? ["cargo", "run", "--quiet", "--package", "arena-local", "--"];
const BROWSERS = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

// Answers with the arena's address and how to stop it. `ARENA_BASE` names one that runs already.
export async function startArena(...more) {
  if (process.env.ARENA_BASE) return { base: process.env.ARENA_BASE, async stop() {} };
  const [command, ...rest] = COMMAND;
  const options = [...rest, "--ephemeral", "--no-exhibition", "--listen", "127.0.0.1:0", ...more];
  const child = spawn(command, options, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"] });
  for await (const line of createInterface({ input: child.stdout })) {
    const base = line.match(/http:\/\/[\d.]+:\d+/)?.[0];
    if (base) {
      child.stdout.resume();
      return {
        base,
        async stop() {
          child.kill("SIGTERM");
          await once(child, "exit");
        },
      };
    }
  }
  throw new Error("the arena did not start");
}

// A browser with nothing remembered, that talks to nobody but the arena.
export function startBrowser() {
  const executablePath = process.env.CHROMIUM ?? BROWSERS.find((path) => existsSync(path));
  if (!executablePath) throw new Error("no Chromium: install it, or name one in CHROMIUM");
  const args = [
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
  ];
  return chromium.launch({ executablePath, headless: true, args });
}
