"""The root of all machines: a minimal Debian with the packages that the pages install, ready to be installed offline."""

import hashlib
import os
import pathlib
import shutil
import subprocess
import tempfile

from page import AUTHORITY, SOURCES, TRUST, Failure

CACHE = SOURCES / ".build/recipes"
# In the root of every machine.
SYSTEM = "adduser,ca-certificates,curl,dbus,iproute2,openssl,procps,sudo,systemd,systemd-sysv"
# Downloaded for the `apt install` of the pages.
PACKAGES = """apache2 caddy dovecot-imapd fail2ban libapache2-mod-auth-openidc nginx-light node-configurable-http-proxy
    openssh-client openssh-server prometheus python3-venv radicale sshpass""".split()
NAMES = "accounts wiki desk sales lab dav hub mail chat".split()


def call(*command, **options):
    """Runs a program of this machine, and returns its output."""
    ending = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if ending.returncode:
        raise Failure(f"{command[0]}: {ending.stdout.strip()[-2000:]}")
    return ending.stdout


def mirrors():
    """The Debian mirrors of this machine, as lines of sources.list."""
    lines = call(
        "apt-get", "indextargets", "--format", "deb $(REPO_URI) $(RELEASE) main", "Created-By: Packages",
        "Origin: Debian", "Component: main")
    return sorted(set(lines.splitlines()))


def in_root(root, *command):
    """Runs a program in a root that is not a machine yet, with the network."""
    program = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"'
    return call(
        "unshare", "--mount", "sh", "-c", program, root, "env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "HOME=/root",
        "LC_ALL=C.UTF-8", "DEBIAN_FRONTEND=noninteractive", *command)


def certify(folder):
    """Creates an authority that the root trusts, and the certificate of all names, where certbot would store it."""
    place = folder / "etc/letsencrypt/live/example.org"
    place.mkdir(parents=True)
    key = "-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes".split()
    with tempfile.TemporaryDirectory() as work:
        extension = pathlib.Path(work, "extension")
        extension.write_text("subjectAltName=DNS:example.org,DNS:*.example.org\nextendedKeyUsage=serverAuth\n")
        call("openssl", "req", "-x509", *key, "-days", "30", "-subj", "/CN=Recipes", "-addext",
             "keyUsage=critical,keyCertSign", "-keyout", folder / AUTHORITY, "-out", folder / TRUST)
        call("openssl", "req", *key, "-subj", "/CN=example.org", "-keyout", place / "privkey.pem", "-out", f"{work}/csr")
        call("openssl", "x509", "-req", "-in", f"{work}/csr", "-CA", folder / TRUST, "-CAkey", folder / AUTHORITY, "-days",
             "30", "-CAcreateserial", "-CAserial", f"{work}/serial", "-extfile", extension, "-out",
             place / "fullchain.pem")
    (folder / AUTHORITY).chmod(0o644)
    in_root(folder, "update-ca-certificates")


def build_root(package):
    """The root of all machines. It is built once for each package and each list of packages."""
    requirements = SOURCES / "Tests/Clients/requirements.txt"
    sources = [repr((SYSTEM, PACKAGES, NAMES)).encode(), requirements.read_bytes(), package.read_bytes()]
    key = hashlib.sha256(b"".join(sources)).hexdigest()
    root, stamp = CACHE / "root", CACHE / "root.key"
    if stamp.exists() and stamp.read_text() == key:
        return root
    stamp.unlink(missing_ok=True)
    shutil.rmtree(root, ignore_errors=True)
    CACHE.mkdir(parents=True, exist_ok=True)
    print("try-recipes: building the root", flush=True)

    # mmdebstrap derives the format from the end of the name.
    base, new = CACHE / "base.tar", CACHE / "new.tar"
    if not base.exists():
        call("mmdebstrap", "--variant=minbase", "--mode=root", f"--include={SYSTEM}", "bookworm", new, *mirrors())
        os.rename(new, base)
    root.mkdir()
    call("tar", "--extract", "--numeric-owner", "--file", base, "--directory", root)
    wheels = CACHE / "wheels"
    call("/usr/bin/python3", "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:",
         "--no-deps", "--require-hashes", "--requirement", requirements, "--dest", wheels)

    (root / "etc/apt/sources.list").write_text("\n".join(mirrors()) + "\n")
    (root / "etc/apt/apt.conf.d/90recipes").write_text('APT::Get::Assume-Yes "true";\nAPT::Keep-Downloaded-Packages "true";\n')
    shutil.copy("/etc/resolv.conf", root / "etc/resolv.conf")
    (root / "etc/hosts").write_text(
        "127.0.0.1 localhost debian " + " ".join(f"{name}.example.org" for name in NAMES) + "\n")
    (root / "etc/hostname").write_text("debian\n")
    in_root(root, "useradd", "--create-home", "--shell", "/bin/bash", "olga")
    # The users and folders of the programs that are not in Debian.
    for user, folder in (("grafana", "etc/grafana"), ("git", "etc/gitea")):
        in_root(root, "useradd", "--system", user)
        (root / folder).mkdir()
    (root / "etc/sudoers.d/olga").write_text("olga ALL=(ALL) NOPASSWD: ALL\n")
    shutil.copy(package, root / "home/olga/latchkey_new.deb")
    in_root(root, "apt-get", "update", "-qq")
    archives = CACHE / "archives"
    if archives.exists():
        shutil.copytree(archives, root / "var/cache/apt/archives", dirs_exist_ok=True)
    for packages in (["/home/olga/latchkey_new.deb"], PACKAGES):
        in_root(root, "apt-get", "install", "-y", "-qq", "--download-only", *packages)
    shutil.copytree(root / "var/cache/apt/archives", archives, dirs_exist_ok=True)
    shutil.copytree(wheels, root / "opt/wheels")
    (root / "etc/pip.conf").write_text("[global]\nno-index = true\nfind-links = /opt/wheels\n")
    certify(root)
    stamp.write_text(key)
    return root
