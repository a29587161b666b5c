"""Keys in ssh-agent. The agent signs with them, so that no passphrase has to be typed again
(draft-ietf-sshm-ssh-agent)."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass

from pbem.faults.wrong import wrong
from pbem.seal.faults import KeyFault
from pbem.seal.keys import Malformed, PublicKey, first, pack, unpack

_ASK, _KEYS, _SIGN, _SIGNED = 11, 12, 13, 14
"""Numbers of the protocol's messages: the request for the keys, the answer with the keys, the request for a signature,
and the answer with the signature."""
_LARGEST = 256 * 1024
_SECONDS = 60
"""Longest time to wait for the agent. It is long because the agent may ask its owner before it signs."""


@dataclass(frozen=True)
class AgentKey:
    """Key pair whose private half is in ssh-agent. The agent signs with it."""

    public: PublicKey
    place: str
    """Path of the agent's socket."""

    def sign(self, content: bytes) -> bytes:
        """Return the Ed25519 signature of the given bytes, in 64 bytes. The agent makes it. Raises `KeyFault` if the
        agent gives no valid signature."""
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

        try:
            answer = _ask_agent(self.place, _SIGN, pack(self.public.blob, content) + bytes(4), _SIGNED)
            _, made = unpack(first(answer)[0], 2)
            Ed25519PublicKey.from_public_bytes(self.public.raw).verify(made, content)
        except (OSError, Malformed, InvalidSignature):
            raise KeyFault(wrong("E-KEY-AGENT", key=self.public.fingerprint)) from None
        return made


def agent_key(public: PublicKey) -> AgentKey | None:
    """Return the key pair for a public key, if the agent of this terminal has it. Return None if there is no agent, or
    if the agent does not have the key."""
    place = os.environ.get("SSH_AUTH_SOCK", "")
    if not place or not hasattr(socket, "AF_UNIX"):
        return None
    try:
        return AgentKey(public, place) if public.blob in _blobs(_ask_agent(place, _ASK, b"", _KEYS)) else None
    except (OSError, Malformed):
        return None


def _blobs(answer: bytes) -> list[bytes]:
    """Return the public keys in an agent's answer, in the binary form of SSH."""
    found, rest = [], answer[4:]
    for _ in range(int.from_bytes(answer[:4], "big")):
        blob, rest = first(rest)
        _, rest = first(rest)
        found.append(blob)
    return found


def _ask_agent(place: str, number: int, content: bytes, wanted: int) -> bytes:
    """Send a message to an agent, and return the content of the answer. `number` is the message's number, and `wanted`
    the number that the answer must have. Raises `Malformed` if the answer has another number or is too large."""
    with socket.socket(socket.AF_UNIX) as agent:
        agent.settimeout(_SECONDS)
        agent.connect(place)
        agent.sendall(pack(bytes([number]) + content))
        size = int.from_bytes(_receive(agent, 4), "big")
        answer = _receive(agent, size) if size <= _LARGEST else b""
    if answer[:1] != bytes([wanted]):
        raise Malformed
    return answer[1:]


def _receive(agent: socket.socket, size: int) -> bytes:
    """Read exactly `size` bytes, and return them. Raises `Malformed` if the connection ends before that."""
    data = b""
    while len(data) < size:
        more = agent.recv(size - len(data))
        if not more:
            raise Malformed
        data += more
    return data
