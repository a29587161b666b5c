"""Dovecot and Postfix of Debian, each with a configuration, ports and a certificate of its own, on 127.0.0.1."""

from __future__ import annotations

import os
import pwd
import shutil
import signal
import socket
import ssl
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import parse_qs, urlparse

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

PROGRAMS = ("dovecot", "postfix", "postconf")
PASSWORD = "pa55 wörd"
TOKEN = "token-of-the-tests"
HOLDER = "mail"
"""The user of this computer to whom the mailboxes belong."""

PATIENCE = 20

AT_ONCE = 0.02
"""Seconds between two looks of a server at whether it shall end; half a second is usual."""


def need_servers() -> None:
    """Skip where the servers are not installed, but fail where everything is checked."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin"
    missing = [name for name in PROGRAMS if not shutil.which(name, path=path)]
    missing += [] if os.geteuid() == 0 else ["root"]
    if missing and os.environ.get("CI") == "true":
        pytest.fail(f"not here, and needed: {', '.join(missing)}")
    if missing:
        pytest.skip(f"the real servers need {', '.join(missing)}")


@contextmanager
def served(people: tuple[str, ...]) -> Iterator[Servers]:
    """Servers with a mailbox for each of these people, for a while."""
    found = Servers(people)
    try:
        yield found
    finally:
        found.stop()


def free_ports(count: int) -> list[int]:
    """Ports that nobody listens at."""
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def certificate(folder: Path) -> Path:
    """A certificate for this computer, by which alone its servers are believed; the key lies beside it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "pbem tests")])
    now = datetime.now(UTC)
    built = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "cert.pem"
    path.write_bytes(built.public_bytes(serialization.Encoding.PEM))
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (folder / "key.pem").write_bytes(private)
    (folder / "key.pem").chmod(0o600)
    return path


class TokenOffice(BaseHTTPRequestHandler):
    """Says whose an access token is, as providers of mail do it for their servers."""

    def do_GET(self) -> None:
        given = parse_qs(urlparse(self.path).query).get("token", [""])[0]
        is_good = given.startswith(TOKEN)
        self.send_response(200 if is_good else 401)
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        user = given.partition(".")[2] or "moderator"
        self.wfile.write(f'{{"email": "{user}@example.org"}}'.encode() if is_good else b"{}")

    def log_message(self, format: str, *args: object) -> None:
        """Silence."""


class Servers:
    """Both servers, with a mailbox for everybody at example.org."""

    def __init__(self, people: tuple[str, ...]) -> None:
        """Start them, in a folder into which the user can come to whom the mailboxes belong."""
        self.root = root = Path(tempfile.mkdtemp(prefix="pbem-servers-"))
        root.chmod(0o711)
        self.people = people
        self.imaps, self.imap, self.smtps, self.smtp = free_ports(4)
        self.authority = certificate(root)
        self.tokens = ThreadingHTTPServer(("127.0.0.1", 0), TokenOffice)
        threading.Thread(target=self.tokens.serve_forever, args=(AT_ONCE,), daemon=True).start()
        holder = pwd.getpwnam(HOLDER)
        self.boxes = root / "boxes"
        self.boxes.mkdir()
        os.chown(self.boxes, holder.pw_uid, holder.pw_gid)
        self.start_dovecot(holder)
        self.start_postfix(holder)
        for port in (self.imaps, self.imap, self.smtps, self.smtp):
            listening(port)

    def start_dovecot(self, holder: pwd.struct_passwd) -> None:
        """IMAP, and who may come in."""
        folder = self.root / "dovecot"
        folder.mkdir()
        users = "".join(f"{who}@example.org:{{PLAIN}}{PASSWORD}::::::\n" for who in self.people)
        (folder / "users").write_text(users)
        (folder / "oauth").write_text(
            f"tokeninfo_url = http://127.0.0.1:{self.tokens.server_port}/?token=\n"
            "username_attribute = email\nusername_format = %u\n"
        )
        (folder / "dovecot.conf").write_text(f"""\
base_dir = {folder}/run
state_dir = {folder}/state
instance_name = pbem-tests-{os.getpid()}
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = required
ssl_cert = <{self.authority}
ssl_key = <{self.root}/key.pem
auth_mechanisms = plain login xoauth2
auth_verbose = yes
auth_failure_delay = 0
mail_location = maildir:{self.boxes}/%n
mail_uid = {holder.pw_uid}
mail_gid = {holder.pw_gid}
first_valid_uid = 1
mailbox_list_index = no
passdb {{
  driver = passwd-file
  mechanisms = plain login
  args = scheme=PLAIN username_format=%u {folder}/users
}}
passdb {{
  driver = oauth2
  mechanisms = xoauth2
  args = {folder}/oauth
}}
userdb {{
  driver = static
  args = uid={holder.pw_uid} gid={holder.pw_gid} home={self.boxes}/%n
}}
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
service imap-login {{
  inet_listener imap {{
    port = {self.imap}
  }}
  inet_listener imaps {{
    port = {self.imaps}
    ssl = yes
  }}
}}
service auth {{
  unix_listener {self.root}/postfix/queue/auth {{
    mode = 0666
  }}
}}
""")
        (self.root / "postfix" / "queue").mkdir(parents=True)
        self.dovecot = folder / "dovecot.conf"
        called(["dovecot", "-c", str(self.dovecot)])

    def start_postfix(self, holder: pwd.struct_passwd) -> None:
        """SMTP, and the way into the mailboxes."""
        folder = self.root / "postfix"
        (folder / "conf").mkdir()
        (folder / "data").mkdir()
        shutil.chown(folder / "data", "postfix")
        boxes = "".join(f"{who}@example.org {who}/\n" for who in self.people)
        (folder / "conf" / "boxes").write_text(boxes)
        (folder / "conf" / "main.cf").write_text(f"""\
compatibility_level = 3.6
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mail.example.org
mydestination =
mynetworks =
alias_maps =
local_recipient_maps =
virtual_mailbox_domains = example.org
virtual_mailbox_base = {self.boxes}
virtual_mailbox_maps = texthash:{folder}/conf/boxes
virtual_minimum_uid = 1
virtual_uid_maps = static:{holder.pw_uid}
virtual_gid_maps = static:{holder.pw_gid}
smtpd_tls_cert_file = {self.authority}
smtpd_tls_key_file = {self.root}/key.pem
smtpd_tls_auth_only = yes
smtpd_sasl_auth_enable = yes
smtpd_sasl_type = dovecot
smtpd_sasl_path = auth
smtpd_recipient_restrictions = permit_sasl_authenticated, reject
smtpd_relay_restrictions = permit_sasl_authenticated, reject
smtpd_reject_unlisted_recipient = no
message_size_limit = 20000000
""")
        # Settings of this moment Postfix reads anew until they are two seconds old: somebody may be writing them.
        os.utime(folder / "conf" / "main.cf", (0, 0))
        services = [
            f"127.0.0.1:{self.smtp} inet n - n - - smtpd -o smtpd_tls_security_level=encrypt",
            f"127.0.0.1:{self.smtps} inet n - n - - smtpd -o smtpd_tls_wrappermode=yes",
            "pickup unix n - n 60 1 pickup",
            "cleanup unix n - n - 0 cleanup",
            "qmgr unix n - n 300 1 qmgr",
            "tlsmgr unix - - n 1000? 1 tlsmgr",
            "rewrite unix - - n - - trivial-rewrite",
            "bounce unix - - n - 0 bounce",
            "defer unix - - n - 0 bounce",
            "trace unix - - n - 0 bounce",
            "flush unix n - n 1000? 0 flush",
            "proxymap unix - - n - - proxymap",
            "error unix - - n - - error",
            "retry unix - - n - - error",
            "virtual unix - n n - - virtual",
            "anvil unix - - n - 1 anvil",
            "scache unix - - n - 1 scache",
            "postlog unix-dgram n - n - 1 postlogd",
        ]
        (folder / "conf" / "master.cf").write_text("\n".join(services) + "\n")
        self.postfix = folder / "conf"
        called(["postfix", "-c", str(self.postfix), "start"])

    def stop(self) -> None:
        """End them."""
        called(["postfix", "-c", str(self.postfix), "abort"], check=False)
        # Asked to end, Dovecot takes more than two seconds.
        os.killpg(int((self.root / "dovecot" / "run" / "master.pid").read_text()), signal.SIGKILL)
        self.tokens.shutdown()
        self.tokens.server_close()
        shutil.rmtree(self.root, ignore_errors=True)

    def settings(self, who: str, tls: str = "tls", login: str = "password") -> str:
        """Settings by which somebody's office finds both servers."""
        secret = PASSWORD if login == "password" else f"{TOKEN}.{who}"
        (self.root / f"{who}.secret").write_text(f"{secret}\n")
        ports = (self.imaps, self.smtps) if tls == "tls" else (self.imap, self.smtp)
        imap, smtp = (
            f"{{host: 127.0.0.1, port: {port}, user: {who}@example.org, tls: {tls}, authority: {self.authority}, "
            f"{login}-command: cat {self.root}/{who}.secret, timeout: 10}}"
            for port in ports
        )
        return f"in:\n  imap: {imap}\nout:\n  smtp: {smtp}\n"

    def waiting(self) -> int:
        """Number of mails in the queue of the server."""
        queue = self.root / "postfix" / "queue"
        return sum(
            1
            for name in ("maildrop", "incoming", "active", "deferred")
            for _ in (queue / name).glob("**/[0-9A-F]*[0-9A-F]")
        )

    def delivered(self) -> None:
        """Wait until the server has delivered everything."""
        until = time.monotonic() + PATIENCE
        while self.waiting():
            assert time.monotonic() < until, "the server does not deliver"
            time.sleep(0.05)


def called(words: list[str], check: bool = True) -> str:
    """Output of a program of the servers, through a file, because those that stay keep their output open."""
    path = f"{os.environ.get('PATH', '')}:/usr/sbin:/sbin"
    with tempfile.TemporaryFile() as said:
        done = subprocess.run(
            words, stdout=said, stderr=said, env={**os.environ, "PATH": path}, check=False, timeout=60
        )
        said.seek(0)
        text = said.read().decode()
    assert not check or done.returncode == 0, (words, text)
    return text


def listening(port: int) -> None:
    """Wait until somebody listens at a port."""
    until = time.monotonic() + PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            assert time.monotonic() < until, f"nobody listens at {port}"
            time.sleep(0.05)


def safe(authority: Path) -> ssl.SSLContext:
    """Certificates that clients of the tests trust."""
    return ssl.create_default_context(cafile=str(authority))
