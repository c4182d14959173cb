import { createServer, request } from "node:http";

/**
 * A suite that knows no tokens meets the server through this: it adds the token and speaks of the server's port, and
 * leaves every other header as it came, so that foreign hosts and origins stay foreign.
 */
export async function tokenProxy(target: URL, token: string) {
  const here = createServer((from, to) => {
    const { port } = here.address() as { port: number };
    const headers = Object.fromEntries(
      Object.entries(from.headers).map(([name, value]) => [
        name,
        (name === "host" || name === "origin") && typeof value === "string"
          ? value.replace(`:${port}`, `:${target.port}`)
          : value,
      ]),
    );
    const onward = request(
      {
        ...{ host: target.hostname, port: target.port, path: from.url, method: from.method },
        headers: { ...headers, authorization: `Bearer ${token}` },
      },
      (answer) => {
        to.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(to);
      },
    );
    onward.on("error", () => to.destroy());
    to.on("close", () => onward.destroy());
    from.pipe(onward);
  });
  await new Promise<void>((listening) => here.listen(0, "127.0.0.1", listening));
  const { port } = here.address() as { port: number };
  return {
    url: `http://localhost:${port}${target.pathname}`,
    close: () => {
      here.closeAllConnections();
      return new Promise((closed) => here.close(closed));
    },
  };
}
