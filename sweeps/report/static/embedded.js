// Where the report is one file, pictures and episodes are in it.
window.embeddedPicture = (name) => name && (document.getElementById(`picture-${name}`)?.textContent ?? null);
window.embeddedAddress = (id) => `#episode=${encodeURIComponent(id)}`;
