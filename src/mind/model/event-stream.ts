/** The data of server-sent events, one piece each, to `[DONE]`; an answer that is no stream is one piece. */
export async function* sseData(response: Response): AsyncGenerator<string> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.includes("event-stream") || !response.body) {
    yield await response.text();
    return;
  }
  const decoder = new TextDecoder();
  let rest = "";
  for await (const bytes of response.body as unknown as AsyncIterable<Uint8Array>) {
    rest += decoder.decode(bytes, { stream: true });
    const lines = rest.split(/\r?\n/);
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const data = /^data:\s?(.*)$/.exec(line)?.[1];
      if (data === "[DONE]") return;
      if (data) yield data;
    }
  }
}
