"""Drives one peer: a line of JSON in, a line of JSON out.

start, run, die, stop   one session
first                   a session from nothing to its first answer, ended afterwards
crowd                   many sessions at once, kept
processes               the peer's root processes
"""

from __future__ import annotations

import json
import signal
import sys
import traceback


def main() -> None:
    kind, *arguments = sys.argv[1:]
    if kind == "ipykernel":
        from ipykernel_peer import IpykernelPeer as Peer
    else:
        from cold_peer import ColdPeer as Peer
    peer = Peer(arguments)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    answers = sys.stdout
    sys.stdout = sys.stderr
    try:
        for line in sys.stdin:
            request = json.loads(line)
            answers.write(json.dumps(answer(peer, request)) + "\n")
            answers.flush()
    except KeyboardInterrupt:
        pass
    finally:
        peer.close()


def answer(peer: object, request: dict) -> dict:
    operation = request.pop("operation")
    try:
        return {"value": getattr(peer, operation)(**request)}
    except Exception as error:
        traceback.print_exc()
        return {"error": f"{type(error).__name__}: {error}"}


main()
