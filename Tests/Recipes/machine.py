"""A temporary Debian in its own namespaces, and the browsers of people in its network."""

import contextlib
import ctypes
import pathlib
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time

from page import SOURCES, TRUST, Failure, expect

sys.path.insert(0, str(SOURCES / "Tests/Clients"))

from person import Person  # noqa: E402

PASSWORD = "correct horse battery"
# As the first process of new namespaces: lays a root in memory over the one in $0, and starts systemd in it.
BOOT = r"""
mount --make-rprivate /
mount -t tmpfs tmpfs "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay overlay -o "lowerdir=$0,upperdir=$1/upper,workdir=$1/work" "$1/root"
cd "$1/root"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
for device in null zero full random urandom tty; do touch dev/$device; mount --bind /dev/$device dev/$device; done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666,gid=5 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
mount -t tmpfs -o mode=1777 tmpfs dev/shm
hostname debian
ip link set lo up
# Clients at other addresses.
ip address add 203.0.113.7/32 dev lo
# Not `chroot`, below which units cannot have a user namespace.
mkdir .old
pivot_root . .old
cd /
umount -l .old
rmdir .old
exec env -i container=lxc PATH=/usr/sbin:/usr/bin:/sbin:/bin /sbin/init
"""


class Machine:
    """A running Debian. Its changes are in memory, and gone when it ends."""

    def __init__(self, root):
        self.root = root
        self.folder = tempfile.mkdtemp(prefix="recipe-")
        self.process = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup", "--fork", "--kill-child", "sh", "-euc",
             BOOT, root, self.folder], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def __enter__(self):
        def first():
            expect(self.process.poll() is None, "the machine did not start")
            children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
            return children and pathlib.Path(f"/proc/{children[0]}/comm").read_text() == "systemd\n" and int(children[0])

        try:
            self.first = self.wait(first)
            self.wait(lambda: "running" in self.run(["systemctl", "is-system-running"], check=False))
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def wait(self, condition, seconds=60):
        end = time.monotonic() + seconds
        while not (result := condition()):
            expect(time.monotonic() < end, f"nothing happened within {seconds} s")
            time.sleep(0.1)
        return result

    def run(self, command, user=None, text="", check=True):
        """Runs a program in the machine. Returns its output, with standard error."""
        if user:
            command = ["runuser", "-u", user, "--", "env", "-C", f"/home/{user}", f"HOME=/home/{user}", *command]
        ending = subprocess.run(
            ["nsenter", "-t", str(self.first), "-m", "-u", "-i", "-n", "-p", "-C", "-r", "-w", "env", "-i",
             "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", "HOME=/root",
             *command],
            input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=180)
        if check and ending.returncode:
            raise Failure(f"{shlex.join(command)}: {ending.stdout.strip()[-3000:]}")
        return ending.stdout

    def latchkey(self, *arguments, text=""):
        """Runs a command of an operator."""
        return self.run(["sudo", "-u", "latchkey", "latchkey", *arguments], text=text)

    @contextlib.contextmanager
    def network(self):
        """Opens the connections of this thread in the machine, where every name is the machine."""
        clone_newnet = 0x40000000
        libc = ctypes.CDLL(None, use_errno=True)
        resolve = socket.getaddrinfo
        with open("/proc/thread-self/ns/net") as home, open(f"/proc/{self.first}/ns/net") as there:
            expect(libc.setns(there.fileno(), clone_newnet) == 0, "cannot enter the network of the machine")
            socket.getaddrinfo = lambda host, *rest, **options: resolve("127.0.0.1", *rest, **options)
            try:
                yield
            finally:
                socket.getaddrinfo = resolve
                libc.setns(home.fileno(), clone_newnet)

    def person(self, user):
        """A person with a browser. The addresses that it opens are those of this machine."""
        return Person(user, PASSWORD, trust=self.root / TRUST)
