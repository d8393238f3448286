"""Figures of home, gadgets and workshop: knives, mugs, lamps, devices, tools, books, and a parcel for the rest."""

from __future__ import annotations

from .pen import BARK, INK, IRON, METAL, PAPER, RUBBER, STEEL, WHITE, WOOD, Pen, mix

GLOW = (255, 233, 170)


def knife(p: Pen) -> None:
    """A chef's knife, point to the upper right."""
    c = p.c
    p.shape([(38, 54), (86, 10), (90, 14), (84, 34), (60, 66), (48, 66)], METAL)
    p.shape([(38, 54), (86, 10), (88, 12), (42, 58)], STEEL)
    p.line([(56, 62), (80, 36)], WHITE, 1)
    p.shape([(36, 52), (50, 66), (24, 92), (14, 88), (10, 80)], c.base)
    for x, y in ((36, 66), (28, 74), (20, 82)):
        p.oval(x - 1.8, y - 1.8, x + 1.8, y + 1.8, c.accent)
    p.shape([(36, 52), (50, 66), (46, 70), (32, 56)], IRON)


def paring(p: Pen) -> None:
    """A small knife beside its sheath."""
    c = p.c
    p.shape([(44, 44), (72, 20), (76, 22), (70, 36), (54, 52)], METAL)
    p.shape([(44, 44), (72, 20), (74, 21), (47, 47)], STEEL)
    p.shape([(42, 42), (56, 54), (32, 78), (22, 76), (20, 66)], c.base)
    for x, y in ((40, 58), (32, 66)):
        p.oval(x - 1.6, y - 1.6, x + 1.6, y + 1.6, c.accent)
    p.shape([(62, 74), (86, 50), (92, 54), (90, 62), (70, 84), (62, 82)], mix(c.base, BARK, 0.6))
    p.line([(66, 76), (86, 56)], PAPER, 0.8)


def mug(p: Pen) -> None:
    """An enamel mug with a dark rim and a handle."""
    c = p.c
    p.line([(72, 36), (90, 38), (90, 60), (72, 66)], c.shade, 5, smooth=True)
    p.shape([(20, 26), (74, 26), (72, 82), (68, 86), (26, 86), (22, 82)], c.base)
    p.shape([(58, 26), (74, 26), (72, 82), (68, 86), (60, 86)], c.shade)
    p.oval(20, 19, 74, 33, INK if sum(c.base) > 300 else c.pale)
    p.oval(22.5, 20.5, 71.5, 31.5, mix(c.base, WHITE, 0.75))
    if p.pick(0, 3) == 1:
        for x, y in ((30, 46), (42, 60), (34, 74), (52, 42), (56, 72)):
            p.oval(x - 1.5, y - 1.5, x + 1.5, y + 1.5, c.pale)
    elif p.pick(0, 3) == 2:
        p.box(21, 70, 73, 75, c.accent)


def tumbler(p: Pen) -> None:
    """A tall cup with a lid and a straw hole."""
    c = p.c
    p.shape([(29, 24), (71, 24), (64, 90), (36, 90)], c.base)
    p.shape([(57, 24), (71, 24), (64, 90), (56, 90)], c.shade)
    p.box(26, 15, 74, 25, RUBBER, r=4)
    p.box(40, 10, 60, 16, RUBBER, r=2)
    y = (38, 66, 78)[p.pick(0, 3)]
    p.shape([(29.5 + (y - 24) * 0.1, y), (70.5 - (y - 24) * 0.1, y), (70 - (y - 20) * 0.1, y + 4),
             (30 + (y - 20) * 0.1, y + 4)], c.accent)  # fmt: skip
    p.line([(35, 32), (39, 82)], c.light, 2)


def lamp(p: Pen) -> None:
    """A table lamp, lit."""
    c = p.c
    p.shape([(28, 50), (72, 50), (90, 84), (10, 84)], mix(GLOW, p.c.soft, 0.55))
    p.box(48, 46, 52, 82, STEEL)
    p.oval(32, 80, 68, 90, c.seam)
    p.oval(34, 78, 66, 87, c.base)
    if p.pick(0, 2):
        p.shape([(36, 14), (64, 14), (80, 50), (20, 50)], c.base)
        p.shape([(56, 14), (64, 14), (80, 50), (62, 50)], c.shade)
        p.oval(20, 47, 80, 54, GLOW)
    else:
        p.shape([(20, 50), (24, 28), (40, 16), (60, 16), (76, 28), (80, 50)], c.base, smooth=True)
        p.oval(19, 46, 81, 55, GLOW)
    p.line([(60, 54), (60, 66)], c.accent, 0.9)
    p.oval(58.4, 65, 61.6, 69, c.accent)


def powerbank(p: Pen) -> None:
    """A flat battery with ports and lights."""
    c = p.c
    p.box(28, 12, 72, 88, c.base, r=7)
    p.box(58, 12, 72, 88, c.shade, r=7)
    p.box(28, 12, 64, 88, c.base, r=7)
    for k in range(4):
        p.oval(36 + k * 6, 74, 39 + k * 6, 77, (130, 220, 150) if k <= p.pick(0, 4) else c.seam)
    p.box(36, 9, 44, 13, IRON, r=1)
    p.box(50, 9, 58, 13, IRON, r=1)
    p.line([(40, 10), (40, 4), (84, 6), (86, 40)], c.accent, 1.6, smooth=True)
    p.box(82, 38, 90, 52, INK, r=2)


def solar(p: Pen) -> None:
    """Folding solar panels."""
    c = p.c
    panels = 2 + p.pick(0, 2)
    w = 84 / panels
    for k in range(panels):
        x, tilt = 8 + k * w, 4 if k % 2 else 0
        p.box(x, 22 + tilt, x + w - 1.5, 76 + tilt, c.base, r=3)
        p.box(x + 3, 26 + tilt, x + w - 4.5, 72 + tilt, (36, 52, 86))
        for y in range(32, 72, 8):
            p.line([(x + 3, y + tilt), (x + w - 4.5, y + tilt)], (86, 108, 152), 0.6)
        for n in (1, 2):
            p.line(
                [(x + 3 + n * (w - 7.5) / 3, 26 + tilt), (x + 3 + n * (w - 7.5) / 3, 72 + tilt)], (86, 108, 152), 0.6
            )
    p.line([(14, 76), (14, 88), (40, 92), (50, 86)], RUBBER, 1.4, smooth=True)
    p.box(46, 82, 56, 90, c.accent, r=2)


def headlamp(p: Pen) -> None:
    """A lamp on a head band."""
    c = p.c
    p.oval(10, 18, 90, 62, c.base)
    p.oval(17, 25, 83, 57, p.c.soft)
    p.line([(14, 34), (50, 22), (86, 34)], c.accent, 1.6, smooth=True)
    p.box(28, 44, 72, 80, RUBBER, r=7)
    lights = 1 + p.pick(0, 3)
    if lights == 1:
        p.oval(38, 49, 62, 73, METAL)
        p.oval(42, 53, 58, 69, GLOW)
    else:
        for k in range(2):
            p.oval(33 + k * 18, 54, 48 + k * 18, 69, METAL)
            p.oval(36 + k * 18, 57, 45 + k * 18, 66, GLOW if k < lights - 1 else (255, 170, 150))
    p.box(42, 40, 58, 46, c.accent, r=2)


def lantern(p: Pen) -> None:
    """A camp lantern with a wire handle."""
    c = p.c
    p.line([(30, 34), (34, 10), (50, 5), (66, 10), (70, 34)], IRON, 1.8, smooth=True)
    p.shape([(34, 30), (42, 20), (58, 20), (66, 30)], c.base)
    p.box(32, 29, 68, 35, c.seam, r=2)
    p.box(35, 35, 65, 70, mix(GLOW, WHITE, 0.35), r=3)
    p.oval(41, 40, 59, 66, GLOW)
    for x in (36, 50, 64):
        p.line([(x, 35), (x, 70)], IRON, 1)
    p.box(32, 69, 68, 76, c.seam, r=2)
    p.shape([(30, 76), (70, 76), (74, 92), (26, 92)], c.base)
    if p.pick(0, 2):
        p.oval(46, 80, 54, 88, c.accent)


def speaker(p: Pen) -> None:
    """A loudspeaker with a loop to hang it by."""
    c = p.c
    p.line([(78, 30), (92, 34), (90, 56), (80, 58)], c.accent, 2.4, smooth=True)
    if p.pick(0, 2):
        p.box(16, 26, 82, 80, c.base, r=18)
        p.box(22, 32, 76, 74, c.shade, r=14)
        for y in range(37, 72, 6):
            for x in range(28, 74, 6):
                p.oval(x - 1.2, y - 1.2, x + 1.2, y + 1.2, c.seam)
    else:
        p.box(24, 10, 78, 90, c.base, r=12)
        p.oval(31, 38, 71, 78, c.seam)
        p.oval(37, 44, 65, 72, RUBBER)
        p.oval(46, 53, 56, 63, STEEL)
        p.oval(42, 18, 60, 34, c.shade)


def earbuds(p: Pen) -> None:
    """Two buds in their open case."""
    c = p.c
    p.shape([(22, 34), (26, 16), (50, 10), (74, 16), (78, 34)], c.light, smooth=True)
    p.box(18, 44, 82, 84, c.base, r=16)
    p.shape([(18, 52), (82, 52), (80, 42), (20, 42)], c.seam)
    for x in (36, 64):
        p.box(x - 3, 38, x + 3, 58, WHITE if sum(c.base) < 500 else c.shade, r=3)
        p.oval(x - 7, 28, x + 7, 43, c.pale if sum(c.base) < 560 else c.seam)
        p.oval(x - 3, 32, x + 3, 39, RUBBER)
    p.oval(47.5, 76, 52.5, 80, (130, 220, 150) if p.pick(0, 2) else c.accent)


def tool(p: Pen) -> None:
    """A multi-tool with blades fanned out."""
    c = p.c
    p.shape([(46, 46), (60, 8), (66, 12), (58, 50)], METAL)
    p.shape([(52, 48), (86, 22), (90, 28), (58, 56)], STEEL)
    if p.pick(0, 2):
        p.shape([(42, 48), (32, 12), (40, 10), (50, 44)], STEEL)
    p.shape([(54, 54), (88, 52), (88, 58), (56, 60)], METAL)
    p.shape([(40, 44), (60, 56), (34, 94), (16, 84)], c.base)
    p.shape([(50, 50), (60, 56), (34, 94), (26, 89)], c.shade)
    for x, y in ((50, 52), (26, 86)):
        p.oval(x - 3, y - 3, x + 3, y + 3, METAL)
    p.line([(34, 68), (44, 74)], c.accent, 2)


def axe(p: Pen) -> None:
    """A hatchet."""
    c = p.c
    p.line([(30, 92), (38, 60), (58, 16)], WOOD, 6, smooth=True)
    p.line([(29, 92), (33, 80)], c.base, 7)
    p.shape([(46, 16), (70, 14), (92, 10), (90, 44), (70, 34), (46, 34)], STEEL)
    p.shape([(84, 12), (92, 10), (90, 44), (83, 40)], METAL)
    p.box(44, 14, 60, 35, IRON, r=2)
    p.box(49, 20, 55, 29, c.accent, r=1)


def bars(p: Pen) -> None:
    """Wrapped bars in a fan."""
    c = p.c
    for k, tone in enumerate((c.shade, c.light, c.base)):
        dx, dy = (k - 1) * 9, (k - 1) * 14
        p.shape([(14 + dx, 42 + dy), (82 + dx, 30 + dy), (86 + dx, 50 + dy), (18 + dx, 62 + dy)], tone)
        p.shape([(14 + dx, 42 + dy), (20 + dx, 41 + dy), (24 + dx, 61 + dy), (18 + dx, 62 + dy)], c.pale)
        p.shape([(76 + dx, 31 + dy), (82 + dx, 30 + dy), (86 + dx, 50 + dy), (80 + dx, 51 + dy)], c.pale)
        p.line([(30 + dx, 52 + dy), (44 + dx, 49.5 + dy)], c.accent, 3)


def book(p: Pen) -> None:
    """A paperback with a picture on its cover."""
    c = p.c
    p.shape([(26, 12), (76, 12), (80, 16), (80, 90), (30, 90)], PAPER)
    p.box(24, 10, 76, 86, c.base, r=1.5)
    p.box(24, 10, 30, 86, c.shade, r=1.5)
    p.box(36, 18, 70, 24, c.pale)
    p.box(36, 27, 60, 30, c.pale)
    p.box(36, 38, 70, 72, c.soft)
    p.shape([(36, 72), (48, 50), (56, 62), (62, 54), (70, 72)], c.accent)
    p.oval(58, 41, 66, 49, GLOW)


def kit(p: Pen) -> None:
    """A tin with patches and a tube."""
    c = p.c
    p.box(16, 46, 70, 84, c.shade, r=6)
    p.box(14, 40, 68, 56, c.base, r=6)
    p.shape([(56, 22), (88, 34), (82, 50), (50, 38)], c.accent)
    p.shape([(88, 34), (94, 38), (90, 48), (82, 50)], METAL)
    for k, (x, y) in enumerate(((28, 16), (40, 24), (24, 28))):
        p.box(x, y, x + 16, y + 14, (RUBBER, c.light, IRON)[k], r=4)


def parcel(p: Pen) -> None:
    """A plain box, for things that no figure fits."""
    c = p.c
    p.shape([(14, 36), (50, 22), (86, 36), (50, 50)], mix(WOOD, WHITE, 0.35))
    p.shape([(14, 36), (50, 50), (50, 90), (14, 74)], WOOD)
    p.shape([(86, 36), (50, 50), (50, 90), (86, 74)], mix(WOOD, INK, 0.18))
    p.shape([(30, 30), (38, 27), (74, 40.5), (66, 44)], c.base)
    p.shape([(66, 44), (74, 40.5), (74, 56), (66, 59)], c.shade)


FIGURES = {
    "knife": knife, "paring": paring, "mug": mug, "tumbler": tumbler, "lamp": lamp, "powerbank": powerbank,
    "solar": solar, "headlamp": headlamp, "lantern": lantern, "speaker": speaker, "earbuds": earbuds, "tool": tool,
    "axe": axe, "bars": bars, "book": book, "kit": kit, "parcel": parcel,
}  # fmt: skip
MARKS = {
    "knife": (62, 48, 6), "paring": (76, 68, 6), "mug": (44, 56, 12), "tumbler": (49, 55, 9), "lamp": (50, 83, 5),
    "powerbank": (46, 40, 10), "solar": (50, 86, 5), "headlamp": (50, 76, 5), "lantern": (38, 84, 6),
    "speaker": (50, 84, 5), "earbuds": (50, 66, 9), "tool": (36, 70, 6), "axe": (31, 84, 4), "bars": (58, 57, 6),
    "book": (53, 79, 6), "kit": (40, 70, 10), "parcel": (32, 66, 9),
}  # fmt: skip
"""Where the brand's mark stands on each figure: x, y, size."""
