import type { HostileCase } from "../case.ts";
import { failsWith, gives, gotNothing } from "../oracles.ts";
import { ATTEMPT, py } from "../python.ts";

const skip = process.arch !== "x64" && "numbers of system calls are those of x86_64";

export const privilegeCases: readonly HostileCase[] = [
  {
    title: "Namespaces, mounts and other roots are refused",
    cells: [
      ATTEMPT +
        py`
          os.makedirs("/tmp/root/old", exist_ok=True)
          for flag in (0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000, 0x80):
              attempt(f"unshare {flag:x}", lambda: call(272, flag))
              if flag != 0x80:
                  attempt(f"clone {flag:x}", lambda: call(56, flag | 17, 0, 0, 0, 0))
          attempt("clone3", lambda: call(435, (ctypes.c_uint64 * 11)(0x10000000), 88))
          for name in ("mnt", "pid", "net", "user", "ipc", "uts", "cgroup"):
              for pid in ("self", "1"):
                  attempt("setns " + name, lambda: call(308, os.open(f"/proc/{pid}/ns/{name}", os.O_RDONLY), 0))
          attempt("mount", lambda: call(165, b"none", b"/tmp/root", b"tmpfs", 0, None))
          attempt("bind", lambda: call(165, b"/", b"/tmp/root", None, 4096, None))
          attempt("remount", lambda: call(165, b"none", b"/", None, 32 | 4096, None))
          attempt("umount", lambda: call(166, b"/proc", 2))
          attempt("pivot_root", lambda: call(155, b"/tmp/root", b"/tmp/root/old"))
          attempt("chroot", lambda: os.chroot("/tmp/root"))
          for number in (428, 429, 430, 431, 432, 433, 442, 467):
              attempt(f"mount call {number}", lambda: call(number, 0, b"tmpfs", 0, 0, 0))
          got
        `,
    ],
    skip,
    expect: gotNothing,
  },
  {
    title: "Calls that open the kernel wide are refused",
    cells: [
      ATTEMPT +
        py`
          page = ctypes.create_string_buffer(4096)
          calls = {"keyctl": (250, 0, -3, 1), "add_key": (248, b"user", b"x", b"y", 1, -3), "request_key": (249, b"user", b"x", None, 0),
                   "io_uring_setup": (425, 4, page), "userfaultfd": (323, 0), "userfaultfd user": (323, 1), "bpf": (321, 0, page, 64),
                   "perf_event_open": (298, page, 0, -1, -1, 0), "init_module": (175, page, 0, b""), "finit_module": (313, 0, b"", 0),
                   "kexec_load": (246, 0, 0, 0, 0), "open_by_handle_at": (304, -100, page, 0), "name_to_handle_at": (303, -100, b"/", page, page, 0),
                   "personality": (135, 0x0040000), "ptrace": (101, 0, 0, 0, 0), "modify_ldt": (154, 0, page, 16), "iopl": (172, 3), "ioperm": (173, 0, 1, 1),
                   "reboot": (169, 0xfee1dead, 672274793, 0, 0), "swapon": (167, b"/tmp/x", 0), "acct": (163, b"/tmp/x"), "syslog": (103, 3, page, 100),
                   "settimeofday": (164, page, None), "clock_settime": (227, 0, page), "sethostname": (170, b"x", 1), "quotactl": (179, 0, b"", 0, page),
                   "fanotify_init": (300, 0, 0), "memfd_create": (319, b"x", 0), "memfd_secret": (447, 0), "shmget": (29, 0, 4096, 0o1600),
                   "mq_open": (240, b"x", 0o102, 0o600, None), "vhangup": (153,), "lookup_dcookie": (212, 0, page, 10), "kcmp": (312, 1, 1, 0, 0, 0),
                   "pidfd_getfd": (438, os.pidfd_open(os.getpid()), 0, 0), "process_vm_readv": (310, 1, page, 1, page, 1, 0), "process_vm_writev": (311, 1, page, 1, page, 1, 0),
                   "process_madvise": (440, 0, page, 1, 4, 0), "move_pages": (279, 0, 0, None, None, None, 0), "landlock beyond": (470, 0), "setrlimit": (160, 7, page)}
          for name, (number, *arguments) in calls.items():
              attempt(name, lambda: call(number, *arguments))
          got
        `,
    ],
    skip,
    expect: gotNothing,
  },
  {
    title: "Calls of the 32-bit and x32 tables slip past no filter",
    cells: [
      ATTEMPT +
        py`
          import mmap
          for number in (56, 165, 272, 512, 520):
              attempt(f"x32 {number}", lambda: call(0x40000000 | number, 0x10000000))
          code = mmap.mmap(-1, 4096, prot=7)
          # push rbx; mov eax, edi; mov ebx, esi; int 0x80; pop rbx; ret
          code.write(b"\x53\x89\xf8\x89\xf3\xcd\x80\x5b\xc3")
          gate = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
          def old(number, argument):
              value = gate(number, argument)
              if value < 0:
                  raise OSError(-value, "")
              return value
          for name, number, argument in (("getpid", 20, 0), ("unshare", 310, 0x10000000), ("personality", 136, 0x40000), ("keyctl", 288, 0)):
              attempt("int 0x80 " + name, lambda: old(number, argument))
          got
        `,
    ],
    skip,
    expect: gotNothing,
  },
  {
    title: "No capability, no new privilege and no other account can be had",
    cells: [
      ATTEMPT +
        py`
          import subprocess
          status = dict(line.split(":", 1) for line in open("/proc/self/status"))
          held = [name for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb") if int(status[name], 16)]
          attempt("setuid", lambda: os.setuid(0))
          attempt("setresgid", lambda: os.setresgid(0, 0, 0))
          attempt("setgroups", lambda: os.setgroups([0]))
          attempt("mknod", lambda: os.mknod("/tmp/device", 0o60666, os.makedev(8, 0)))
          attempt("mknod character", lambda: os.mknod("/tmp/device", 0o20666, os.makedev(1, 1)))
          attempt("chown", lambda: os.chown("/mnt/data/kept.txt", 0, 0))
          for command in ("su -c id", "sudo -n id", "newgrp root", "pkexec id", "mount -t tmpfs none /mnt", "unshare -r id", "chroot / id", "nsenter -t 1 -a id"):
              ran = subprocess.run(command.split(), capture_output=True, stdin=subprocess.DEVNULL, timeout=10) if os.path.exists("/usr/bin/" + command.split()[0]) else None
              if ran and ran.returncode == 0 and b"uid=0" in ran.stdout:
                  got.append(command)
          [got, held, status["NoNewPrivs"].strip(), status["Seccomp"].strip(), os.getuid() != 0]
        `,
    ],
    expect: gives([[], [], "1", "2", true]),
  },
  {
    title: "A copy of a program with the set-user-id bit gains nothing",
    cells: [
      py`
        import os, shutil, subprocess
        shutil.copy("/usr/bin/id", "/mnt/data/id")
        os.chmod("/mnt/data/id", 0o6755)
        subprocess.run(["/mnt/data/id", "-u"], capture_output=True, text=True).stdout.strip() == str(os.getuid())
      `,
    ],
    expect: gives(true),
  },
  {
    title: "A program that was written and run is confined as its cell",
    cells: [
      py`
        import subprocess, sys, shutil
        shutil.copy(shutil.which("sh"), "/mnt/data/own")
        subprocess.run(["/mnt/data/own", "-c", "grep -E 'Seccomp:|NoNewPrivs|CapEff' /proc/self/status | tr -d '[:space:]'"], capture_output=True, text=True).stdout
      `,
    ],
    expect: gives("CapEff:0000000000000000NoNewPrivs:1Seccomp:2"),
  },
  {
    title: "Nothing of the system can be written, nor left for a later session",
    cells: [
      ATTEMPT +
        py`
          import glob, site, sysconfig
          folders = {"/", "/usr", "/usr/lib", "/etc", "/bin", "/lib", "/dev", "/proc", "/proc/sys/kernel", "/sys", "/mnt", "/root", sys.prefix, sys.base_prefix, *site.getsitepackages(), sysconfig.get_paths()["stdlib"]}
          for folder in folders:
              for name in ("planted", "sitecustomize.py", "usercustomize.py", "planted.pth", "ld.so.preload"):
                  attempt(f"{folder}/{name}", lambda: open(os.path.join(folder, name), "w"))
          for path in (sys.executable, os.__file__, "/etc/passwd", "/etc/ld.so.cache", *glob.glob("/usr/bin/env")):
              attempt(path, lambda: open(path, "r+b"))
              attempt("chmod " + path, lambda: os.chmod(path, 0o777))
              attempt("rename " + path, lambda: os.rename(path, path + "x"))
              attempt("link " + path, lambda: os.link(path, "/mnt/data/linked"))
              attempt("utime " + path, lambda: os.utime(path))
          got
        `,
    ],
    expect: gotNothing,
  },
  {
    title: "Settings of the kernel cannot be written",
    cells: [
      ATTEMPT +
        py`
          for path in ("/proc/sys/kernel/core_pattern", "/proc/sys/kernel/modprobe", "/proc/sys/vm/overcommit_memory", "/proc/sys/kernel/hostname", "/proc/sys/net/ipv4/ip_forward",
                       "/proc/sysrq-trigger", "/proc/1/oom_score_adj", "/proc/irq/0/smp_affinity", "/proc/mtrr", "/sys/fs/cgroup/release_agent", "/sys/kernel/uevent_helper", "/dev/mem", "/dev/kmsg", "/proc/self/uid_map",
                       "/proc/self/attr/current", "/proc/bus/pci/00/00.0", "/proc/acpi/wakeup"):
              attempt(path, lambda: os.write(os.open(path, os.O_WRONLY), b"1"))
          got
        `,
    ],
    expect: gotNothing,
  },
  {
    title: "Terminals take no input from a cell, and there is none of the host",
    cells: [
      ATTEMPT +
        py`
          import fcntl, pty, termios
          near, far = pty.openpty()
          for request in (0x5412, 0x541C, 0x5423, 0x5412 | 1 << 32):
              for terminal in (near, far):
                  attempt(f"ioctl {request:x}", lambda: call(16, terminal, ctypes.c_ulong(request), ctypes.c_char_p(b"x")))
          attempt("terminal", lambda: os.open("/dev/tty", os.O_RDWR))
          got
        `,
    ],
    skip,
    expect: gotNothing,
  },
  {
    title: "Oddities of /dev are the harmless ones",
    cells: [
      py`
        import os
        sorted(set(os.listdir("/dev")) - {"null", "zero", "full", "random", "urandom", "tty", "pts", "ptmx", "shm", "fd", "stdin", "stdout", "stderr"})
      `,
    ],
    expect: gives([]),
  },
  {
    title: "A worker cannot make the kernel spare it when memory runs out",
    cells: ["import os; os.write(os.open('/proc/self/oom_score_adj', os.O_WRONLY), b'-1000')"],
    expect: failsWith("PermissionError"),
  },
];
