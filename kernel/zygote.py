"""Starts the kernel's zygote; see glovebox_kernel/zygote.py."""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from glovebox_kernel.zygote import zygote  # noqa: E402

zygote.main()
