"""What a PDF says, page by page, as text."""

from __future__ import annotations

import io
import logging

START = b"%PDF-"
"""How such a file begins."""


def read(data: bytes) -> tuple[str, str]:
    """What is to be said of a PDF ("PDF of 2 pages"), and its text, each page under a line with its number.

    The text is empty where there is none to be had, and then the first part says why.
    """
    import pypdf  # lazily: most episodes read no PDF
    from pypdf.errors import DependencyError, PyPdfError

    logging.getLogger("pypdf").setLevel(logging.ERROR)  # it warns of every small fault of a file
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            return "PDF, locked with a password", ""
        pages = [page.extract_text().strip() for page in reader.pages]
    except DependencyError:
        return "PDF, encrypted", ""
    except (PyPdfError, ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        return f"PDF that cannot be read ({str(error).splitlines()[0] if str(error) else type(error).__name__})", ""
    what = f"PDF of {len(pages)} page{'' if len(pages) == 1 else 's'}"
    if not any(pages):
        return f"{what} without text (pictures of it, perhaps)", ""
    return what, "\n\n".join(f"[page {n} of {len(pages)}]\n{text}" for n, text in enumerate(pages, 1))
