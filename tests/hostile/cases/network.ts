import type { HostileCase } from "../case.ts";
import { failsWith, gotNothing, prints } from "../oracles.ts";
import { ATTEMPT, py } from "../python.ts";

export const networkCases: readonly HostileCase[] = [
  {
    title: "No listener of the host is reached by TCP, UDP, path or abstract name",
    cells: (host) => [
      ATTEMPT +
        py`
          import fcntl, struct
          def connect(family, address):
              with socket.socket(family, socket.SOCK_STREAM) as near:
                  near.settimeout(0.5)
                  near.connect(address)
          for address in ("127.0.0.1", "0.0.0.0", "localhost", "127.1.2.3"):
              attempt(address, lambda: connect(socket.AF_INET, (address, ${host.tcpPort})))
          for address in ("::1", "::ffff:127.0.0.1"):
              attempt(address, lambda: connect(socket.AF_INET6, (address, ${host.tcpPort})))
          attempt("path", lambda: connect(socket.AF_UNIX, "${host.socketPath}"))
          attempt("root path", lambda: connect(socket.AF_UNIX, "/proc/1/root${host.socketPath}"))
          attempt("abstract", lambda: connect(socket.AF_UNIX, "\0${host.abstractName}"))
          with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as near:
              near.sendto(b"x", ("127.0.0.1", ${host.udpPort}))
          got
        `,
    ],
    expect: gotNothing,
  },
  {
    title: "There is no way out and no name to look up",
    cells: [
      ATTEMPT +
        py`
          def connect(address):
              with socket.socket() as near:
                  near.settimeout(0.5)
                  near.connect(address)
          for address in ("169.254.169.254", "192.0.2.1", "10.0.0.1", "172.17.0.1", "192.168.0.1"):
              attempt(address, lambda: connect((address, 80)))
          attempt("name", lambda: socket.getaddrinfo("example.invalid", 80))
          with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as near:
              attempt("udp", lambda: near.sendto(b"x", ("192.0.2.1", 53)))
              attempt("broadcast", lambda: near.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1) or near.sendto(b"x", ("255.255.255.255", 9)))
              attempt("multicast", lambda: near.sendto(b"x", ("224.0.0.1", 9)))
          got + [line for line in open("/proc/net/dev").read().split("\n")[2:] if line and "lo:" not in line]
        `,
    ],
    expect: gotNothing,
  },
  {
    title: "Sockets of other families and raw sockets are refused",
    cells: [
      ATTEMPT +
        py`
          families = {"netlink": 16, "packet": 17, "vsock": 40, "alg": 38, "bluetooth": 31, "can": 29, "tipc": 30, "xdp": 44, "rds": 21, "kcm": 41, "nfc": 39, "key": 15, "qipcrtr": 42, "smc": 43, "x25": 9, "ax25": 3}
          for name, family in families.items():
              for kind in (1, 2, 3, 5):
                  attempt(name, lambda: call(41, family, kind, 0))
                  attempt(name + " pair", lambda: call(53, family, kind, 0, (ctypes.c_int * 2)()))
          for kind in (socket.SOCK_RAW, socket.SOCK_RAW | socket.SOCK_CLOEXEC, 10):
              attempt("raw", lambda: call(41, 2, kind, 1))
              attempt("raw6", lambda: call(41, 10, kind, 58))
          got
        `,
    ],
    skip: process.arch !== "x64" && "numbers of system calls are those of x86_64",
    expect: gotNothing,
  },
  {
    title: "pandas cannot read from the network",
    cells: (host) => [`import pandas as pd; pd.read_csv('http://127.0.0.1:${host.tcpPort}/x.csv')`],
    expect: failsWith("URLError", "ConnectionRefusedError"),
  },
  {
    title: "pip is told why it cannot install",
    cells: ["%pip install requests"],
    timeoutMs: 8000,
  },
  {
    title: "A port that two sessions listen on is two ports",
    async act({ box, run }) {
      await using other = await box.session();
      const listen =
        "import socket\nlistener = socket.socket(); listener.bind(('127.0.0.1', 8000)); listener.listen(1); print('listening')";
      prints("listening\n")([await other.run(listen)]);
      prints("listening\n")([await run(listen)]);
    },
  },
];
