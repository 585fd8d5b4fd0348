// A model server on loopback that answers at once, by a function from what was asked to events of chat completions.
import { once } from "node:events";
import { createServer } from "node:http";

const event = (delta, finish_reason = null) => {
  const chunk = { object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason }] };
  return `data: ${JSON.stringify(chunk)}\n\n`;
};

/** An answer of words. */
export const words = (content) => [event({ role: "assistant", content }), event({}, "stop")];

/** An answer that calls a tool. */
export function calls(id, name, given) {
  const tool_calls = [
    { index: 0, id, type: "function", function: { name, arguments: JSON.stringify(given) } },
  ];
  return [event({ role: "assistant", tool_calls }), event({}, "tool_calls")];
}

/**
 * Starts it on `port`, 0 for a free one. `answer` gets the messages of a request and its whole body, and gives
 * events; `models` are the names that it lists. `stop` ends it.
 */
export async function startModel({ answer, models = ["instant"], port = 0 }) {
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    if (request.method === "GET") {
      const data = models.map((id) => ({ id, object: "model" }));
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ object: "list", data }));
      return;
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    const events = answer(JSON.parse(body).messages ?? [], body);
    response.end([...events, "data: [DONE]\n\n"].join(""));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const stop = () => {
    server.closeAllConnections();
    server.close();
  };
  const taken = server.address().port;
  return { port: taken, address: `http://127.0.0.1:${taken}/v1`, stop };
}
