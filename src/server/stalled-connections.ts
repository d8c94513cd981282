import type { Server as HttpServer, IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** What is known of a connection since something last moved on it. */
interface Progress {
  request: IncomingMessage | undefined;
  response: ServerResponse | undefined;
  moved: number;
  sinceMs: number;
}

const TIMEOUT_ANSWER =
  'HTTP/1.1 408 Request Timeout\r\nconnection: close\r\ncontent-type: application/json\r\n\r\n{"error":{"message":"The rest of the request did not arrive in time.","type":"invalid_request_error","param":null,"code":"request_timeout"}}';

/**
 * Ends connections on which nothing moves although it is the client's turn: to send the rest of its request, or to take
 * what it was sent. A client that waits for an answer may wait as long as it likes.
 */
export function endStalledConnections(server: HttpServer, stalledMs: number): Disposable {
  const open = new Map<Socket, Progress>();
  server.on("connection", (socket: Socket) => {
    open.set(socket, { request: undefined, response: undefined, moved: -1, sinceMs: performance.now() });
    socket.once("close", () => open.delete(socket));
  });
  server.on("request", (request, response) => {
    const progress = open.get(request.socket);
    if (progress) Object.assign(progress, { request, response, sinceMs: performance.now() });
  });
  const timer = setInterval(
    () => {
      const nowMs = performance.now();
      for (const [socket, progress] of open) check(socket, progress, nowMs, stalledMs);
    },
    Math.max(10, stalledMs / 4),
  ).unref();
  return { [Symbol.dispose]: () => clearInterval(timer) };
}

function check(socket: Socket, progress: Progress, nowMs: number, stalledMs: number): void {
  const { request, response } = progress;
  const isSending = request !== undefined && !request.complete && !response?.writableEnded;
  const isTaking = socket.writableLength > 0;
  const moved = socket.bytesRead + socket.bytesWritten - socket.writableLength;
  if ((!isSending && !isTaking) || moved !== progress.moved) {
    Object.assign(progress, { moved, sinceMs: nowMs });
    return;
  }
  if (nowMs - progress.sinceMs < stalledMs) return;
  if (isSending && response && !response.headersSent) socket.write(TIMEOUT_ANSWER);
  socket.destroySoon();
  if (isTaking) socket.destroy();
}
