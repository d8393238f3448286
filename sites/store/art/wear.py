"""Figures of clothing: jackets, layers, footwear, and what is worn on head, hands and feet."""

from __future__ import annotations

from .pen import INK, PAPER, RUBBER, Pen


def _torso(p: Pen, *, hem: float = 84) -> None:
    """Body and sleeves, seen from the front."""
    c = p.c
    p.shape([(30, 24), (14, 34), (8, 66), (19, 70), (26, 44)], c.shade, smooth=False)
    p.shape([(70, 24), (86, 34), (92, 66), (81, 70), (74, 44)], c.shade, smooth=False)
    p.shape([(36, 17), (27, 24), (25, 48), (26, hem), (74, hem), (75, 48), (73, 24), (64, 17)], c.base)
    p.box(8.5, 63, 19, 69, c.seam, r=2)
    p.box(81, 63, 91.5, 69, c.seam, r=2)


def rain(p: Pen) -> None:
    """A shell with a hood, a zip and pockets."""
    c = p.c
    _torso(p)
    p.shape([(34, 20), (36, 9), (50, 5), (64, 9), (66, 20), (50, 27)], c.shade, smooth=True)
    p.shape([(41, 18), (43, 11), (50, 9), (57, 11), (59, 18), (50, 23)], c.seam, smooth=True)
    p.line([(50, 22), (50, 84)], c.accent, 1.6)
    for side in (-1, 1):
        p.line([(50 + side * 11, 58), (50 + side * 17, 72)], c.seam, 1.4)
    if p.pick(0, 2):
        p.shape([(27, 24), (73, 24), (75, 40), (25, 40)], c.light)
        p.line([(50, 24), (50, 40)], c.accent, 1.6)
    p.line([(26, 81), (74, 81)], c.seam, 1.2)


def down(p: Pen) -> None:
    """A quilted jacket with baffles and a collar."""
    c = p.c
    _torso(p, hem=80)
    p.box(37, 11, 63, 22, c.shade, r=4)
    step = (7, 9, 11)[p.pick(0, 3)]
    for y in range(28, 80, step):
        p.line([(26, y), (50, y + 2), (74, y)], c.seam, 1, smooth=True)
    for y in range(38, 64, step):
        p.line([(11, y + 4), (25, y)], c.seam, 1)
        p.line([(89, y + 4), (75, y)], c.seam, 1)
    p.line([(50, 13), (50, 80)], c.accent, 1.8)
    p.box(26, 77, 74, 82, c.shade, r=2)


def fleece(p: Pen) -> None:
    """A soft half-zip with a chest pocket."""
    c = p.c
    _torso(p, hem=80)
    p.shape([(27, 24), (73, 24), (74, 38), (26, 38)], c.light)
    p.box(38, 10, 62, 21, c.light, r=4)
    p.line([(50, 12), (50, 40)], c.seam, 1.6)
    p.oval(48.6, 39, 51.4, 42, c.accent)
    p.box(57, 44, 69, 57, c.seam, r=2)
    p.box(58, 45, 68, 56, c.accent if p.pick(0, 2) else c.light, r=1.5)
    p.box(26, 76, 74, 81, c.seam, r=2)


def shirt(p: Pen) -> None:
    """A close-fitting long-sleeved top with flat seams."""
    c = p.c
    p.shape([(33, 20), (18, 30), (10, 70), (19, 72), (29, 44)], c.shade)
    p.shape([(67, 20), (82, 30), (90, 70), (81, 72), (71, 44)], c.shade)
    p.shape([(38, 17), (30, 21), (29, 46), (31, 83), (69, 83), (71, 46), (70, 21), (62, 17), (50, 23)], c.base)
    p.line([(38, 17), (44, 22), (50, 23.5), (56, 22), (62, 17)], c.seam, 2, smooth=True)
    p.line([(33, 22), (30, 44)], c.light, 1)
    p.line([(67, 22), (70, 44)], c.light, 1)
    for y in (58, 63, 68)[: 1 + p.pick(0, 3)]:
        p.line([(30.5, y), (69.5, y)], c.accent, 1.4)


def boot(p: Pen) -> None:
    """A laced boot from the side."""
    c = p.c
    p.shape([(30, 18), (54, 16), (56, 48), (84, 58), (88, 74), (26, 76), (28, 50)], c.base, smooth=False)
    p.shape([(55, 46), (84, 58), (88, 74), (66, 75), (60, 60)], c.shade, smooth=False)
    p.box(28, 14, 56, 22, c.seam, r=3)
    p.box(23, 75, 91, 82, RUBBER, r=2)
    for x in range(25, 90, 9):
        p.box(x, 81, x + 5, 86, RUBBER, r=1)
    for y in (26, 33, 40, 47):
        p.line([(46, y), (58, y + 2)], c.accent, 1.8)
    p.line([(30, 52), (46, 58), (60, 60)], c.seam, 1.2, smooth=True)
    p.box(22, 44, 30, 70, c.shade, r=2)


def shoe(p: Pen) -> None:
    """A low running shoe from the side."""
    c = p.c
    p.shape([(14, 42), (22, 38), (40, 44), (52, 40), (62, 52), (84, 60), (91, 70), (14, 72)], c.base, smooth=False)
    p.shape([(60, 51), (84, 60), (91, 70), (70, 71)], c.shade)
    p.shape([(14, 44), (22, 39), (30, 60), (16, 70)], c.shade)
    p.shape([(10, 70), (91, 68), (92, 76), (86, 80), (14, 80)], c.pale)
    p.box(12, 78, 90, 82, RUBBER, r=2)
    for k in range(4):
        p.line([(47 + k * 5, 46 + k * 2.5), (42 + k * 5, 53 + k * 2)], c.accent, 1.6)
    curl = [[(28, 66), (42, 58), (58, 66)], [(26, 60), (52, 68)], [(34, 54), (40, 68), (50, 60)]][p.pick(0, 3)]
    p.line(curl, c.accent, 2.4, smooth=True)


def beanie(p: Pen) -> None:
    """A knitted hat with a turned-up rim."""
    c = p.c
    p.shape([(20, 66), (22, 40), (36, 22), (50, 18), (64, 22), (78, 40), (80, 66)], c.base, smooth=True)
    for x in range(28, 76, 8):
        p.line([(50 + (x - 50) * 0.35, 24), (x, 62)], c.shade, 1.2)
    p.box(16, 60, 84, 80, c.shade, r=5)
    for x in range(21, 82, 6):
        p.line([(x, 62), (x, 78)], c.seam, 1)
    if p.pick(0, 2):
        p.oval(42, 8, 58, 24, c.accent)


def hat(p: Pen) -> None:
    """A hat with a wide brim and a cord."""
    c = p.c
    p.oval(6, 52, 94, 78, c.shade)
    p.oval(10, 50, 90, 72, c.base)
    p.shape([(28, 60), (31, 34), (42, 26), (58, 26), (69, 34), (72, 60), (50, 66)], c.light, smooth=True)
    p.shape([(28, 54), (50, 60), (72, 54), (72, 61), (50, 68), (28, 61)], c.accent)
    p.line([(20, 66), (34, 86), (50, 91), (66, 86), (80, 66)], c.seam, 1, smooth=True)


def gloves(p: Pen) -> None:
    """A pair of gloves, one over the other."""
    c = p.c
    for dx, tone in ((0, c.shade), (26, c.base)):
        for k, top in enumerate((30, 24, 22, 27)):
            p.box(22 + dx + k * 7, top, 28 + dx + k * 7, 56, tone, r=3)
        p.box(22 + dx, 44, 49 + dx, 74, tone, r=5)
        p.shape([(24 + dx, 62), (12 + dx, 46), (16 + dx, 41), (28 + dx, 52)], tone)
        p.box(21 + dx, 70, 50 + dx, 84, c.seam, r=3)
        p.line([(22 + dx, 75), (49 + dx, 75)], c.accent, 1.8)


def socks(p: Pen) -> None:
    """A pair of socks with rings, heels and toes."""
    c = p.c
    for dx, dy, tone in ((12, -4, c.shade), (-8, 2, c.base)):
        body = [(38, 10), (58, 10), (58, 52), (76, 70), (70, 86), (52, 80), (38, 62)]
        p.shape([(x + dx, y + dy) for x, y in body], tone)
        p.shape([(76 + dx, 70 + dy), (70 + dx, 86 + dy), (61 + dx, 83 + dy), (67 + dx, 61 + dy)], c.accent)
        p.shape([(38 + dx, 52 + dy), (38 + dx, 62 + dy), (50 + dx, 77 + dy), (50 + dx, 60 + dy)], c.accent)
        p.box(37 + dx, 8 + dy, 59 + dx, 18 + dy, c.seam, r=2)
        for y in (24, 30, 36)[: 1 + p.pick(0, 3)]:
            p.box(38 + dx, y + dy, 58 + dx, y + 2.4 + dy, c.accent)


def pillow(p: Pen) -> None:
    """A plump pillow with piping."""
    c = p.c
    p.shape([(12, 30), (50, 25), (88, 30), (91, 50), (88, 74), (50, 80), (12, 74), (9, 50)], c.shade, smooth=True)
    p.shape([(16, 32), (50, 28), (84, 32), (86, 50), (84, 69), (50, 74), (16, 69), (14, 50)], c.soft, smooth=True)
    p.line([(20, 36), (36, 40)], c.shade, 1, smooth=True)
    p.line([(80, 66), (64, 62)], c.shade, 1)
    p.line([(40, 58), (52, 62), (64, 56)], c.pale, 1.4, smooth=True)


def blanket(p: Pen) -> None:
    """A folded blanket with stripes and a fringe."""
    c = p.c
    for k in range(12):
        p.line([(15 + k * 6.3, 78), (14.5 + k * 6.3, 86)], PAPER if sum(c.base) > 660 else c.pale, 1.4)
    for k, tone in enumerate((c.shade, c.base, c.light)):
        p.box(12, 60 - k * 17, 88, 79 - k * 17, tone, r=6)
        p.line([(16, 70 - k * 17), (84, 70 - k * 17)], c.seam, 0.8)
    stripes = 1 + p.pick(0, 3)
    for k in range(stripes):
        p.box(60 + k * 7, 26, 63 + k * 7, 79, c.accent)
    p.line([(14, 79), (86, 79)], INK if sum(c.base) < 200 else c.seam, 1)


FIGURES = {
    "rain": rain, "down": down, "fleece": fleece, "shirt": shirt, "boot": boot, "shoe": shoe, "beanie": beanie,
    "hat": hat, "gloves": gloves, "socks": socks, "pillow": pillow, "blanket": blanket,
}  # fmt: skip
MARKS = {
    "rain": (62, 33, 6), "down": (63, 33, 6), "fleece": (63, 50, 6), "shirt": (61, 32, 5), "boot": (41, 66, 7),
    "shoe": (80, 74, 5), "beanie": (50, 70, 9), "hat": (50, 46, 7), "gloves": (61, 62, 6), "socks": (40, 25, 6),
    "pillow": (76, 64, 6), "blanket": (24, 70, 8),
}  # fmt: skip
"""Where the brand's mark stands on each figure: x, y, size."""
