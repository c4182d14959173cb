import type { McpServer, Server } from "@modelcontextprotocol/server";

/** Which resources are followed, and where news of them goes. */
export interface Following {
  follow(uri: string): Promise<void>;
  unfollow(uri: string): void;
  end(): void;
  updated: (uri: string) => void;
  listed: () => void;
}

/** What a transport needs to serve: the server of one client, made when there is one. */
export interface Serving {
  make(): McpServer | Server;
  readonly watching: Following;
  /** For people; never on stdout. */
  log(line: string): void;
}
