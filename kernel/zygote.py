"""Starts the kernel's zygote; see glovebox_kernel/zygote/zygote.py."""

import os
import sys
import threading  # noqa: F401 - its own hook after a fork is the one that every process needs

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from glovebox_kernel import forking  # noqa: E402

forking.take_over()

from glovebox_kernel.zygote import zygote  # noqa: E402

zygote.main()
