"""A PDF as it is laid down in the standard, written by hand: objects, their places, and where to begin."""

from __future__ import annotations

from collections.abc import Sequence


def make_pdf(pages: Sequence[Sequence[str]], trailer: str = "") -> bytes:
    """A file with these lines on each page, in the standard's Helvetica."""
    kids = " ".join(f"{4 + 2 * n} 0 R" for n in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for n, lines in enumerate(pages):
        drawn = "".join(f"({line}) Tj 0 -20 Td " for line in lines)
        text = f"BT /F1 12 Tf 72 720 Td {drawn}ET" if lines else ""
        objects.append(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> "
            f"/Contents {5 + 2 * n} 0 R >>"
        )
        objects.append(f"<< /Length {len(text)} >>\nstream\n{text}\nendstream")
    out, places = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n", []
    for number, each in enumerate(objects, 1):
        places.append(len(out))
        out += f"{number} 0 obj\n{each}\nendobj\n".encode("cp1252")
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{rows}trailer\n<< /Size {size} /Root 1 0 R {trailer}>>\n"
    return out + f"{end}startxref\n{len(out)}\n%%EOF\n".encode()
