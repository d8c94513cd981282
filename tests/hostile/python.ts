/** A cell's code, written at the indentation of its surroundings. */
export function py(strings: TemplateStringsArray, ...values: unknown[]): string {
  const lines = String.raw(strings, ...values).split("\n");
  const indents = lines.filter((line) => line.trim()).map((line) => line.search(/\S/));
  const least = Math.min(...indents);
  return `${lines
    .map((line) => line.slice(least))
    .join("\n")
    .trim()}\n`;
}

/** `tell` writes bytes to whatever the worker may talk to its supervisor through; `secret` is what a cell can find by looking. */
export const CHANNEL: string = py`
  import os, sys, json, struct, stat, socket, time, signal
  def talks(number):
      try:
          mode = os.fstat(number).st_mode
      except OSError:
          return False
      return stat.S_ISSOCK(mode) or stat.S_ISFIFO(mode)
  channels = [number for number in range(3, 256) if talks(number)]
  sockets = [number for number in channels if stat.S_ISSOCK(os.fstat(number).st_mode)]
  def tell(data):
      for number in channels:
          os.set_blocking(number, True)
          rest = memoryview(data)
          try:
              while rest:
                  rest = rest[os.write(number, rest):]
          except OSError:
              pass
  def raw_frame(head, payload=b"", claimed=None):
      lengths = claimed or (len(head), len(payload))
      return struct.pack(">II", *lengths) + head + payload
  def frame(header, payload=b""):
      return raw_frame(json.dumps(header).encode(), payload)
  def secret():
      frame = sys._getframe()
      while frame:
          found = frame.f_locals.get("secret") or (frame.f_locals.get("header") or {}).get("secret") if isinstance(frame.f_locals.get("header") or {}, dict) else None
          if isinstance(found, str):
              return found
          frame = frame.f_back
      return ""
  def result(**fields):
      value = {"kind": "object", "repr": "forged", "json": "forged"}
      return {"type": "result", "secret": secret(), "result": value, "images": [], "notices": [], "threads": 0, **fields}
`;

/** `attempt` notes in `got` what should have been refused and was not. */
export const ATTEMPT: string = py`
  import ctypes, errno, os, socket, sys
  got = []
  libc = ctypes.CDLL(None, use_errno=True)
  libc.syscall.restype = ctypes.c_long
  def call(number, *arguments):
      ctypes.set_errno(0)
      value = libc.syscall(ctypes.c_long(number), *arguments)
      if value < 0:
          raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
      return value
  def attempt(name, action):
      try:
          got.append([name, repr(action())[:200]])
      except (OSError, MemoryError, ValueError, PermissionError):
          pass
`;

/** `others` are this session's processes beside PID 1 and the worker: among them its frozen copies. */
export const OTHERS: string = py`
  import os, signal, time
  def others():
      return [int(name) for name in os.listdir("/proc") if name.isdigit() and int(name) not in (1, os.getpid())]
`;

/** Passes the supervisor a socket whose close would wait; follows CHANNEL. */
export const LINGERING_SOCKET: string = py`
  listener = socket.socket()
  listener.bind(("127.0.0.1", 0))
  listener.listen(1)
  near = socket.create_connection(listener.getsockname())
  far, _ = listener.accept()
  near.setblocking(False)
  try:
      while True:
          near.send(bytes(65536))
  except BlockingIOError:
      pass
  if os.fork() == 0:
      near.close()
      time.sleep(600)
      os._exit(0)
  near.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 30_000))
  for number in sockets:
      peer = socket.socket(fileno=os.dup(number))
      peer.setblocking(True)
      peer.sendall(frame({"type": "unbranched"}) * 8000)
      socket.send_fds(peer, [frame({"type": "unbranched"})], [near.fileno()])
  near.close()
`;
