"""An authority and certificates of its, made for one test."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Certificates:
    """Paths of files."""

    authority: Path
    cert: Path
    key: Path


def made(folder: Path, *, days: tuple[int, int] = (-1, 1)) -> Certificates:
    """A certificate for 127.0.0.1 that is valid from so many days from now to so many."""
    folder.mkdir(parents=True, exist_ok=True)
    root, own = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
    now = datetime.now(UTC)
    issuer = _name("test authority")
    authority = (
        _builder(issuer, issuer, root.public_key(), now - 30 * DAY, now + 30 * DAY)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(root, hashes.SHA256())
    )
    certificate = (
        _builder(_name("worlds"), issuer, own.public_key(), now + days[0] * DAY, now + days[1] * DAY)
        .add_extension(x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False)
        .sign(root, hashes.SHA256())
    )
    found = Certificates(folder / "authority.pem", folder / "cert.pem", folder / "key.pem")
    found.authority.write_bytes(authority.public_bytes(serialization.Encoding.PEM))
    found.cert.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    plain = serialization.NoEncryption()
    pkcs8 = serialization.PrivateFormat.PKCS8
    found.key.write_bytes(own.private_bytes(serialization.Encoding.PEM, pkcs8, plain))
    return found


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(
    subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey, begin: datetime, end: datetime
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(begin)
        .not_valid_after(end)
    )
