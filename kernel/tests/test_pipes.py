import os
import select
import unittest

from glovebox_kernel.container.pipes import PipeChannel
from glovebox_kernel.wire import frames


class PipeChannelTest(unittest.TestCase):
    def setUp(self) -> None:
        theirs_in, self.to_kernel = os.pipe()
        self.from_kernel, theirs_out = os.pipe()
        self.channel = PipeChannel(theirs_in, theirs_out)
        self.addCleanup(os.close, self.from_kernel)
        self.addCleanup(self.channel.close)

    def wakes(self) -> bool:
        return bool(select.select([self.channel], [], [], 0)[0])

    def test_frames_come_whole_and_the_end_is_heard(self) -> None:
        self.assertFalse(self.wakes())
        os.write(self.to_kernel, frames.encode({"type": "list", "request": 1}, b"payload"))
        self.assertTrue(self.wakes())
        self.assertEqual(self.channel.receive(), [({"type": "list", "request": 1}, b"payload")])
        os.close(self.to_kernel)
        self.assertTrue(self.wakes())
        self.assertEqual((self.channel.receive(), self.channel.closed), ([], True))

    def test_what_a_slow_reader_has_no_room_for_follows_as_it_reads(self) -> None:
        payload = os.urandom(1 << 20)
        self.channel.send({"type": "reply", "request": 1, "value": {}}, payload)
        self.assertGreater(self.channel.queued_bytes, 0)
        self.assertFalse(self.wakes())
        decoder, received = frames.Decoder(), []
        while not received:
            received.extend(decoder.feed(os.read(self.from_kernel, 1 << 16)))
            if self.wakes():
                self.assertEqual(self.channel.receive(), [])
        self.assertEqual(received[0].payload, payload)
        self.assertEqual((self.channel.queued_bytes, self.wakes()), (0, False))
        os.close(self.to_kernel)

    def test_a_reader_that_is_gone_closes_it(self) -> None:
        gone_in, gone_out = os.pipe()
        os.close(gone_in)
        channel = PipeChannel(os.dup(self.to_kernel), gone_out)
        os.close(self.to_kernel)
        channel.send({"type": "ready"})
        self.assertTrue(channel.closed)
        channel.close()
