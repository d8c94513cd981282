"""Starts the kernel as the first process of a container; see glovebox_kernel/container/container.py."""

import os
import sys
import threading  # noqa: F401 - its own hook after a fork is the one that every process needs

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from glovebox_kernel import forking  # noqa: E402

forking.take_over()

from glovebox_kernel.container import container  # noqa: E402

container.main()
