import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { shortHash, shortId } from "../show.js";
import type { Stage } from "./stage.js";

/** The story of the tour. Every command is real; it grows with the product. */
export async function play(stage: Stage): Promise<void> {
  await stage.note("Long-term memory for AI agents that works like git. Every $ below is a real");
  await stage.note("command, run now, on a store that is thrown away afterwards.");

  await stage.title("Remember what matters");
  await stage.pal(["remember", "Ann prefers Python for backend work", "--topic", "backend-language"]);
  await stage.pal(["remember", "The staging server is called wombat", "--tag", "ops"]);
  const [, first] = await stage.ask<{ commit: string }[]>("log");
  const [belief] = await stage.ask<{ id: string }[]>("list", "--topic", "backend-language");
  const [then, id] = [shortHash(first?.commit ?? ""), shortId(belief?.id ?? "")];

  await stage.title("A new belief about a topic takes the place of the old one, and nothing is lost");
  await stage.pal([
    "remember",
    "Ann prefers Rust for backend work",
    "--topic",
    "backend-language",
    "--message",
    "said at lunch",
  ]);
  await stage.pal(["history", "backend-language"]);
  await stage.pal(["list", "--at", then]);

  await stage.title("The gate keeps out what should not be kept, and says why");
  await stage.pal(["remember", "The router password is tr4vel-0ften-2026"], { exit: 1 });
  await stage.pal(["remember", "Wombat is what the staging server is called"]);

  await stage.title("Ask: the answer is a quotation with its source, or honestly nothing");
  await stage.pal(["recall", "Which language does Ann like on the backend?"]);
  await stage.pal(["recall", "What is Ann's shoe size?"], { exit: 1 });
  await stage.pal(["why", "Ann writes Rust"], { lines: 5 });

  await branches(stage, id);
  await wayBack(stage, id);

  await stage.title("A proof that can be checked without the store");
  const { root } = await stage.ask<{ root: string }>("prove", id);
  await stage.pal(["prove", id, "-o", "proof.json"], { lines: 2 });
  await stage.pal(["verify-proof", "proof.json", "--root", root], {
    shown: ["verify-proof", "proof.json", "--root", `${shortHash(root)}…`],
  });

  await stage.title("Is everything whole?");
  await copyWithOneByteChanged(stage.directory, join(stage.directory, "copy"));
  await stage.note(
    "Now a copy of the store in which one byte of the file was changed: wombat became combat.",
  );
  await stage.pal(["verify", "--store", "copy"], { exit: 1 });
  await rm(join(stage.directory, "copy"), { recursive: true });

  await stage.title("And what must go, goes: every version, on every branch, and the bytes are searched for");
  await stage.pal(["erase", "--containing", "wombat server is slow", "--yes"], { lines: 3 });
  await stage.pal(["recall", "Which server is slow on Mondays?"], { exit: 1, lines: 1 });
  await stage.pal(["verify"]);
}

const believe = (text: string) => ["remember", text, "--topic", "backend-language"];

async function branches(stage: Stage, id: string): Promise<void> {
  await stage.title("A persona is a branch: it may believe something else without disturbing anybody");
  await stage.pal(["create-branch", "skeptic", "--persona", "skeptic", "--purpose", "Doubt what we hear"]);
  await stage.pal(["checkout", "skeptic"]);
  await stage.pal(believe("Ann says Rust and writes Python for backend work"));
  await stage.pal(["remember", "The wombat server is slow on Mondays"]);
  await stage.pal(["checkout", "main"]);
  await stage.pal(believe("Ann prefers Zig for backend work"));

  await stage.title("A merge never loses a side: what collides is kept until somebody decides");
  await stage.pal(["merge", "skeptic"], { exit: 1 });
  await stage.pal(["log", "--graph", "--oneline"]);
  await stage.pal(["resolve", id, "text", "--take", "2", "--message", "asked her"]);
}

async function wayBack(stage: Stage, id: string): Promise<void> {
  await stage.title("Every state is a place to come back to");
  await stage.pal(["snapshot", "tidy"]);
  await stage.pal(["update", id, "Ann says Go and writes Python for backend work"]);
  await stage.pal(["diff", "tidy"]);
  await stage.pal(["rollback", "tidy"]);
}

const FILE = "palimpsest.db";

/** What a disk, a cosmic ray or somebody with an editor could do. */
async function copyWithOneByteChanged(from: string, to: string): Promise<void> {
  await cp(join(from, FILE), join(to, FILE));
  const bytes = await readFile(join(to, FILE));
  const at = bytes.lastIndexOf("wombat");
  bytes.write("c", at);
  await writeFile(join(to, FILE), bytes);
}
