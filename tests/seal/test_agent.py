"""ssh-agent: the real one signs as we do, and what answers otherwise is not believed."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest
from click.testing import CliRunner

from pbem.cli import main
from pbem.paper.letters import check_signature, read_letter
from pbem.seal.agent import AgentKey, agent_key
from pbem.seal.faults import KeyFault
from pbem.seal.keys import new_key, pack, save_private
from pbem.seal.signature import sign
from tests.seal.tools import program, run, write_private

KEY = new_key("louis")
LETTER = "pbem: 1\nkind: message\ncampaign: vienna-1741\nfrom: louis\nseq: 1\nbody: {to: all, text: hello}\n"


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """An agent that has our key."""
    place = str(tmp_path / "agent")
    monkeypatch.setenv("SSH_AUTH_SOCK", place)
    held = write_private(tmp_path / "held", save_private(KEY, None))
    with subprocess.Popen([program("ssh-agent"), "-D", "-a", place], stdout=subprocess.DEVNULL) as started:
        try:
            while not Path(place).exists() and started.poll() is None:
                time.sleep(0.01)
            run(program("ssh-add"), "-q", held)
            yield place
        finally:
            started.terminate()


def test_the_agent_signs_as_the_key_does(agent: str) -> None:
    held = agent_key(KEY.public)
    assert held
    assert sign(held, b"hello") == sign(KEY, b"hello")
    assert agent_key(new_key("other").public) is None


def test_no_passphrase_is_asked_for_what_the_agent_has(agent: str, tmp_path: Path) -> None:
    (tmp_path / "key").write_bytes(save_private(KEY, "a long passphrase"))
    (tmp_path / "letter.yaml").write_text(LETTER)
    words = ["sign", str(tmp_path / "letter.yaml"), "--key", str(tmp_path / "key")]
    done = CliRunner().invoke(main, words, catch_exceptions=False)
    assert (done.exit_code, "Passphrase" in done.output) == (0, False)
    check_signature(read_letter((tmp_path / "letter.yaml").read_bytes(), "letter"), KEY.public)
    (tmp_path / "key").unlink()
    (tmp_path / "key.pub").write_text(KEY.public.text)
    assert CliRunner().invoke(main, words).exit_code == 0
    subprocess.run([program("ssh-add"), "-q", "-D"], check=True, capture_output=True)
    assert "E-KEY-MISSING" in CliRunner().invoke(main, words).output


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\0\0\0\1\5",
        pack(b"\x0e" + pack(pack(b"ssh-ed25519", bytes(64)))),
        pack(b"\x0e" + pack(b"short")),
        b"\xff\xff\xff\xff",
    ],
)
def test_an_agent_that_answers_otherwise_is_told(answer: bytes, tmp_path: Path) -> None:
    place = str(tmp_path / "agent")
    with socket.socket(socket.AF_UNIX) as waiting:
        waiting.bind(place)
        waiting.listen()

        def answering() -> None:
            with waiting.accept()[0] as asked:
                asked.recv(4096)
                asked.sendall(answer)

        thread = Thread(target=answering)
        thread.start()
        with pytest.raises(KeyFault) as refused:
            AgentKey(KEY.public, place).sign(b"hello")
        thread.join()
    assert refused.value.code == "E-KEY-AGENT"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SSH_AUTH_SOCK", str(tmp_path / "none"))
        assert agent_key(KEY.public) is None
