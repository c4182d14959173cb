import { mkdirSync } from "node:fs";
import { createConnection, createServer, type Socket } from "node:net";
import { join } from "node:path";
import type { TestServer } from "./_postgres.mjs";

const NOTIFICATION = 0x41;

/** What goes wrong between a client and its server. */
export interface Trouble {
  /**
   * The next request that contains this text gets no answer: "before" it reaches the server, or "after" the server has
   * answered, the connection goes.
   */
  cut?: { readonly text: string; readonly when: "before" | "after" } | undefined;
  /** Words of LISTEN are swallowed, as some poolers do. */
  deaf?: boolean;
}

/** A way to the server that can be troubled. Its `url` is like the server's. */
export async function startProxy(server: TestServer) {
  const trouble: Trouble = {};
  let cuts = 0;
  const home = join(server.home, `proxy-${Math.random().toString(36).slice(2)}`);
  mkdirSync(home, { mode: 0o777 });
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const backend = createConnection(join(server.home, ".s.PGSQL.5432"));
    let isCutting = false;
    const end = () => {
      client.destroy();
      backend.destroy();
    };
    for (const socket of [client, backend]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    client.on("data", (data) => {
      if (trouble.cut && data.includes(trouble.cut.text)) {
        cuts++;
        const { when } = trouble.cut;
        trouble.cut = undefined;
        if (when === "before") return end();
        isCutting = true;
      }
      backend.write(data);
    });
    const deliver = frames((frame) => {
      // ReadyForQuery: the server has done all it was asked for.
      if (isCutting) {
        if (frame[0] === 0x5a) end();
      } else if (!(trouble.deaf && frame[0] === NOTIFICATION)) client.write(frame);
    });
    backend.on("data", deliver);
  });
  await new Promise<void>((resolve) => proxy.listen(join(home, ".s.PGSQL.5432"), resolve));
  return {
    trouble,
    get cuts() {
      return cuts;
    },
    url: (store: string) => server.url(store, { host: home }),
    /** Ends all connections now. */
    drop() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

/**
 * A way to the server on which every transaction may get another connection, as with a pooler: what is said to last for
 * the session (LISTEN, prepared statements, settings) does not.
 */
export async function startPooler(server: TestServer) {
  const home = join(server.home, `pooler-${Math.random().toString(36).slice(2)}`);
  mkdirSync(home, { mode: 0o777 });
  const sockets = new Set<Socket>();
  let turns = 0;
  const pooler = createServer((client) => {
    const backends = [0, 1].map(() => createConnection(join(server.home, ".s.PGSQL.5432")));
    const end = () => {
      for (const socket of [client, ...backends]) socket.destroy();
    };
    for (const socket of [client, ...backends]) {
      sockets.add(socket);
      socket.on("error", end);
      socket.on("close", () => {
        sockets.delete(socket);
        end();
      });
    }
    let current = 0;
    let isStarted = false;
    let ready = 0;
    client.on("data", (data) => {
      // The greeting goes to both, what follows to whoever's turn it is.
      for (const [at, backend] of backends.entries()) if (!isStarted || at === current) backend.write(data);
      isStarted = true;
    });
    for (const [at, backend] of backends.entries())
      backend.on(
        "data",
        frames((frame) => {
          const isIdle = frame[0] === READY && frame[5] === 0x49;
          if (ready < backends.length) {
            // The client is let in when both are ready, and hears the greeting of the last.
            if (isIdle) ready++;
            if (at === 0 && !isIdle) client.write(frame);
            if (isIdle && ready === backends.length) client.write(frame);
            return;
          }
          if (at !== current || frame[0] === NOTIFICATION) return;
          if (isIdle) {
            current = 1 - current;
            turns++;
          }
          client.write(frame);
        }),
      );
  });
  await new Promise<void>((resolve) => pooler.listen(join(home, ".s.PGSQL.5432"), resolve));
  return {
    /** How often a client was given another connection. */
    get turns() {
      return turns;
    },
    url: (store: string, options: Record<string, string> = {}) =>
      server.url(store, { ...options, host: home }),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => pooler.close(resolve));
    },
  };
}

/** ReadyForQuery. */
const READY = 0x5a;

/** Cuts what the server sends into its messages: one byte of type, four of length. */
function frames(deliver: (frame: Buffer) => void): (data: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (data) => {
    rest = Buffer.concat([rest, data]);
    while (rest.length >= 5 && rest.length > rest.readUInt32BE(1)) {
      const end = 1 + rest.readUInt32BE(1);
      deliver(rest.subarray(0, end));
      rest = rest.subarray(end);
    }
  };
}
