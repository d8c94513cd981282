import json
import os
import unittest

from glovebox_kernel.wire import frames, messages

_VECTORS = os.path.join(os.path.dirname(__file__), "..", "..", "tests", "vectors", "protocol.json")

with open(_VECTORS, encoding="utf-8") as file:
    VECTORS = json.load(file)


class Frames(unittest.TestCase):
    def test_frames_are_written_and_read_as_the_vectors_say(self) -> None:
        for vector in VECTORS["frames"]:
            with self.subTest(vector["name"]):
                payload = bytes.fromhex(vector["payload"])
                self.assertEqual(frames.encode(vector["header"], payload).hex(), vector["bytes"])
                read = list(frames.Decoder().feed(bytes.fromhex(vector["bytes"])))
                self.assertEqual(read, [frames.Frame(vector["header"], payload)])

    def test_frames_come_whole_from_any_cut_of_the_stream(self) -> None:
        stream = b"".join(bytes.fromhex(vector["bytes"]) for vector in VECTORS["frames"])
        for size in (1, 3, 7, 8, 50):
            decoder = frames.Decoder()
            headers = [
                frame.header
                for start in range(0, len(stream), size)
                for frame in decoder.feed(stream[start : start + size])
            ]
            self.assertEqual(headers, [vector["header"] for vector in VECTORS["frames"]])

    def test_bytes_that_are_no_frame_end_the_stream(self) -> None:
        for vector in VECTORS["broken"]:
            with self.subTest(vector["name"]), self.assertRaises(frames.FrameError):
                list(frames.Decoder().feed(bytes.fromhex(vector["bytes"])))

    def test_what_could_not_be_written_again_is_refused_by_a_strict_reader(self) -> None:
        for number, taken in (("NaN", False), ("-Infinity", False), ("1e999", False), ("-1.5e300", True)):
            header = b'{"type":"result","value":%s}' % number.encode()
            stream = frames.LENGTHS.pack(len(header), 0) + header
            with self.subTest(number):
                if taken:
                    self.assertEqual(len(list(frames.Decoder(strict=True).feed(stream))), 1)
                else:
                    self.assertRaises(frames.FrameError, list, frames.Decoder(strict=True).feed(stream))


class Messages(unittest.TestCase):
    def test_what_either_side_may_say_is_taken(self) -> None:
        for header in VECTORS["fromHost"]["valid"] + VECTORS["fromKernel"]["valid"]:
            with self.subTest(header["type"]):
                parsed = messages.parse(header["type"], header)
                self.assertEqual(parsed, {name: header[name] for name in parsed})

    def test_nothing_else_is(self) -> None:
        for header in VECTORS["fromHost"]["invalid"] + VECTORS["fromKernel"]["invalid"]:
            with self.subTest(json.dumps(header)), self.assertRaises(messages.MessageError):
                messages.parse(header["type"], header)

    def test_every_message_has_a_vector(self) -> None:
        seen = {header["type"] for side in ("fromHost", "fromKernel") for header in VECTORS[side]["valid"]}
        self.assertEqual(seen, set(messages.TABLE) - {"settings"})


if __name__ == "__main__":
    unittest.main()
