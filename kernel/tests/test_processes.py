import os
import signal
import unittest

from glovebox_kernel.supervisor import processes

_MIB = 1 << 20


class Child:
    """A fork that does one thing, says so, and waits."""

    def __init__(self, act=lambda: None) -> None:
        told, tell = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            held = act()
            os.write(tell, b"x")
            while held is not self:
                signal.pause()
        os.close(tell)
        os.read(told, 1)
        os.close(told)

    def __enter__(self) -> int:
        return self.pid

    def __exit__(self, *_) -> None:
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)


class Memory(unittest.TestCase):
    def test_what_children_share_with_us_is_ours_and_what_they_wrote_is_theirs(self) -> None:
        shared = bytearray(b"x") * (80 * _MIB)
        with Child() as same, Child(lambda: bytearray(b"y") * (40 * _MIB)) as other:
            self.assertLess(processes.bytes_beyond_our_own({same}), 20 * _MIB)
            held = processes.bytes_beyond_our_own({same, other})
            self.assertGreater(held, 38 * _MIB)
            self.assertLess(held, 60 * _MIB)
        self.assertEqual(len(shared), 80 * _MIB)

    def test_a_process_that_is_gone_holds_nothing(self) -> None:
        with Child() as pid:
            pass
        self.assertEqual(processes.bytes_beyond_our_own({pid}), 0)


class Ends(unittest.TestCase):
    def test_a_killed_process_is_over_before_anybody_waits_for_it(self) -> None:
        with Child() as pid:
            self.assertFalse(processes.await_end(pid))
            os.kill(pid, signal.SIGKILL)
            self.assertTrue(processes.await_end(pid))


if __name__ == "__main__":
    unittest.main()
