"""Figures for outdoors: packs and bags, shelter, sleeping, and the camp kitchen."""

from __future__ import annotations

from .pen import INK, IRON, METAL, PAPER, RUBBER, STEEL, Pen, mix


def pack(p: Pen) -> None:
    """A small backpack from the front."""
    c = p.c
    p.line([(42, 16), (44, 8), (56, 8), (58, 16)], c.seam, 2.4, smooth=True)
    p.shape(
        [(26, 34), (32, 17), (50, 13), (68, 17), (74, 34), (77, 70), (72, 88), (28, 88), (23, 70)], c.base, smooth=True
    )
    p.line([(30, 34), (36, 22), (50, 18), (64, 22), (70, 34)], c.seam, 1.4, smooth=True)
    p.box(31, 50, 69, 83, c.shade, r=7)
    p.line([(34, 57), (66, 57)], c.accent, 1.8)
    p.box(17, 52, 25, 82, c.seam, r=4)
    p.box(75, 52, 83, 82, c.seam, r=4)
    if p.pick(0, 2):
        p.line([(35, 30), (65, 44)], c.accent, 1)
        p.line([(65, 30), (35, 44)], c.accent, 1)
    else:
        p.line([(35, 40), (65, 40)], c.seam, 1.6)


def rolltop(p: Pen) -> None:
    """A backpack that is closed by rolling its top."""
    c = p.c
    p.shape([(27, 28), (73, 28), (76, 86), (24, 86)], c.base)
    p.box(24, 82, 76, 90, c.shade, r=4)
    p.box(23, 12, 77, 22, c.light, r=5)
    p.box(25, 20, 75, 30, c.shade, r=4)
    p.line([(27, 17), (73, 17)], c.seam, 1)
    for x in (34, 66):
        p.box(x - 2, 18, x + 2, 62, c.seam)
        p.box(x - 3.5, 42, x + 3.5, 49, RUBBER, r=1)
    p.box(40, 60, 60, 76, c.shade, r=3)
    p.line([(42, 64), (58, 64)], c.accent, 1.6)


def trekpack(p: Pen) -> None:
    """A tall pack with a lid, side straps and a mat below."""
    c = p.c
    p.box(22, 82, 78, 94, c.accent, r=6)
    p.oval(73, 82, 81, 94, mix(c.accent, INK, 0.3))
    p.shape([(27, 26), (73, 26), (76, 80), (70, 86), (30, 86), (24, 80)], c.base)
    p.shape([(24, 28), (28, 12), (50, 7), (72, 12), (76, 28), (50, 32)], c.shade, smooth=True)
    p.box(34, 46, 66, 80, c.light, r=5)
    p.box(15, 44, 25, 78, c.shade, r=4)
    p.box(75, 44, 85, 78, c.shade, r=4)
    for x in (38, 62):
        p.box(x - 1.2, 26, x + 1.2, 56, c.seam)
        p.box(x - 3, 34, x + 3, 39, RUBBER, r=1)
    for y in (54, 66):
        p.line([(15, y), (27, y + 3)], c.seam, 1.2)
        p.line([(85, y), (73, y + 3)], c.seam, 1.2)
    if p.pick(0, 2):
        p.line([(80, 20), (84, 60)], STEEL, 1.6)


def duffel(p: Pen) -> None:
    """A travel bag with two handles."""
    c = p.c
    p.line([(34, 44), (38, 24), (62, 24), (66, 44)], c.seam, 3, smooth=True)
    p.shape([(10, 48), (18, 40), (82, 40), (90, 48), (92, 70), (84, 80), (16, 80), (8, 70)], c.base, smooth=False)
    p.oval(6, 42, 20, 79, c.shade)
    p.oval(80, 42, 94, 79, c.shade)
    p.line([(18, 44), (82, 44)], c.seam, 1.8)
    for x in (34, 66):
        p.box(x - 2.2, 40, x + 2.2, 80, c.accent)
    if p.pick(0, 2):
        p.box(40, 54, 60, 72, c.shade, r=3)


def trolley(p: Pen) -> None:
    """A cabin case with wheels and a pull-out handle."""
    c = p.c
    for x in (40, 60):
        p.box(x - 1, 8, x + 1, 24, STEEL)
    p.box(37, 5, 63, 10, RUBBER, r=2)
    p.box(26, 20, 74, 88, c.base, r=7)
    ribs = (5, 4, 3)[p.pick(0, 3)]
    for k in range(ribs):
        rib = 32 + k * 36 / max(1, ribs - 1)
        p.line([(rib, 26), (rib, 82)], c.shade, 2)
    p.line([(26, 54), (74, 54)], c.seam, 1.2)
    p.box(70, 44, 77, 62, c.seam, r=2)
    for wheel in (33, 67):
        p.oval(wheel - 4, 86, wheel + 4, 94, RUBBER)


def cubes(p: Pen) -> None:
    """Three zipped cubes in a stack."""
    c = p.c
    for k, (x0, x1, tone) in enumerate(((16, 84, c.shade), (22, 80, c.base), (28, 72, c.light))):
        y = 66 - k * 22
        p.box(x0, y, x1, y + 20, tone, r=4)
        p.box(x0 + 6, y + 4, x1 - 6, y + 12, c.pale if sum(c.base) < 560 else c.seam, r=2)
        p.line([(x0 + 3, y + 16), (x1 - 3, y + 16)], c.accent, 1.3)
        p.oval(x1 - 9, y + 14.5, x1 - 6, y + 17.5, IRON)


def dome(p: Pen) -> None:
    """A big round tent with an open door."""
    c = p.c
    p.shape([(4, 82), (14, 46), (34, 24), (50, 20), (66, 24), (86, 46), (96, 82)], c.base, smooth=False)
    p.shape([(50, 20), (66, 24), (86, 46), (96, 82), (72, 82), (64, 44)], c.shade)
    for line in ([(50, 20), (30, 44), (26, 82)], [(50, 20), (64, 44), (72, 82)], [(14, 48), (50, 40), (86, 48)]):
        p.line(line, c.seam, 1.2, smooth=True)
    p.shape([(36, 82), (40, 54), (50, 48), (60, 54), (64, 82)], INK, smooth=False)
    p.shape([(36, 82), (40, 54), (46, 50), (44, 82)], c.accent)
    p.shape([(20, 62), (24, 54), (31, 54), (30, 63)], c.pale)


def tent(p: Pen) -> None:
    """A ridge tent from the front, with its guy lines."""
    c = p.c
    p.line([(50, 22), (6, 84)], PAPER, 0.8)
    p.line([(50, 22), (94, 84)], PAPER, 0.8)
    p.shape([(50, 18), (90, 82), (66, 82)], c.shade)
    p.shape([(50, 18), (10, 82), (66, 82)], c.base)
    p.shape([(46, 28), (30, 82), (58, 82)], INK)
    p.shape([(46, 28), (30, 82), (42, 82)], c.accent if p.pick(0, 2) else c.light)
    p.shape([(46, 28), (58, 82), (66, 82), (50, 20)], c.light)
    p.line([(50, 12), (50, 20)], STEEL, 1.6)
    p.line([(16, 78), (64, 78)], c.seam, 1)


def tarp(p: Pen) -> None:
    """A sheet stretched between two trees."""
    c = p.c
    for x in (12, 88):
        p.box(x - 3, 8, x + 3, 90, mix((142, 102, 62), p.c.soft, 0.25))
    p.line([(12, 26), (88, 30)], INK, 0.8)
    p.shape([(20, 27), (80, 30), (94, 72), (50, 58), (6, 70)], c.base)
    p.shape([(50, 28.5), (80, 30), (94, 72), (50, 58)], c.shade)
    p.line([(50, 28.5), (50, 58)], c.seam, 1)
    p.line([(6, 70), (2, 86)], INK, 0.8)
    p.line([(94, 72), (98, 88)], INK, 0.8)
    for x, y in ((8, 68.5), (92, 70), (50, 57)):
        p.oval(x - 1.4, y - 1.4, x + 1.4, y + 1.4, c.accent)


def bag(p: Pen) -> None:
    """A mummy sleeping bag, laid out."""
    c = p.c
    p.shape(
        [(50, 6), (66, 12), (72, 28), (68, 60), (60, 90), (50, 94), (40, 90), (32, 60), (28, 28), (34, 12)],
        c.base,
        smooth=True,
    )
    p.shape([(50, 12), (61, 17), (64, 28), (57, 34), (43, 34), (36, 28), (39, 17)], c.pale, smooth=True)
    for y in range(42, 90, (8, 10, 12)[p.pick(0, 3)]):
        half = 20 - (y - 40) * 0.22
        p.line([(50 - half, y), (50, y + 2), (50 + half, y)], c.seam, 1, smooth=True)
    p.line([(64, 34), (63, 60), (57, 88)], c.accent, 1.8, smooth=True)


def mat(p: Pen) -> None:
    """A mat, half rolled up."""
    c = p.c
    p.shape([(30, 30), (88, 30), (92, 46), (34, 46)], c.light)
    p.shape([(20, 44), (84, 44), (94, 78), (26, 78)], c.base)
    for k in range(1, 7):
        x = 22 + k * 9.2
        p.line([(x, 45), (x + 3 + k * 0.6, 77)], c.shade, 1.4)
    p.oval(8, 30, 40, 80, c.shade)
    p.oval(13, 38, 35, 72, c.base)
    p.oval(18, 46, 30, 64, c.shade)
    p.oval(21.5, 51, 26.5, 59, c.seam)
    p.box(30, 36, 34, 74, c.accent, r=1)


def stove(p: Pen) -> None:
    """A gas burner on its cartridge, with a flame."""
    c = p.c
    p.shape([(44, 34), (50, 14), (56, 34)], (120, 170, 230), smooth=True)
    p.shape([(47, 34), (50, 24), (53, 34)], (190, 215, 245), smooth=True)
    for x0, x1 in ((50, 26), (50, 74), (50, 50)):
        p.line([(x0, 46), (x1, 36)], IRON, 2.2)
        p.line([(x1, 36), (x1, 32)], IRON, 2.2)
    p.box(40, 34, 60, 42, METAL, r=2)
    p.box(46, 40, 54, 58, STEEL)
    p.line([(54, 50), (70, 50)], IRON, 2)
    p.box(69, 46, 74, 54, c.accent, r=1)
    p.shape([(28, 64), (38, 57), (62, 57), (72, 64), (74, 88), (26, 88)], c.base)
    p.box(24, 84, 76, 90, c.seam, r=3)
    p.box(27, 66, 73, 70, c.light)


def pots(p: Pen) -> None:
    """A nest of pots with folding handles."""
    c = p.c
    count = 2 + p.pick(0, 2)
    for k in range(count):
        w, y = 34 - k * 7, 58 - k * 22
        p.line([(50 + w, y + 8), (50 + w + 12, y + 14)], c.accent, 3)
        p.shape([(50 - w, y), (50 + w, y), (50 + w - 4, y + 27), (50 - w + 4, y + 27)], (METAL, STEEL, METAL)[k])
        p.oval(50 - w, y - 5, 50 + w, y + 5, (STEEL, IRON, STEEL)[k])
        p.line([(50 - w + 5, y + 10), (50 - w + 7, y + 22)], (230, 233, 236), 2)
    y = 58 - (count - 1) * 22
    w = 34 - (count - 1) * 7
    p.oval(50 - w, y - 6, 50 + w, y + 4, c.base)
    p.oval(47, y - 9, 53, y - 3, c.seam)


def skillet(p: Pen) -> None:
    """A pan from above."""
    c = p.c
    p.shape([(58, 52), (64, 46), (94, 84), (88, 90)], c.accent if p.pick(0, 2) else (142, 102, 62), smooth=False)
    p.oval(84, 80, 95, 91, PAPER)
    p.oval(86.5, 82.5, 92.5, 88.5, p.c.soft)
    p.oval(8, 10, 72, 74, RUBBER)
    p.oval(13, 15, 67, 69, IRON)
    p.oval(16, 18, 64, 66, (70, 75, 82))
    p.line([(24, 34), (32, 25), (42, 22)], STEEL, 1.6, smooth=True)


FIGURES = {
    "pack": pack, "rolltop": rolltop, "trekpack": trekpack, "duffel": duffel, "trolley": trolley, "cubes": cubes,
    "dome": dome, "tent": tent, "tarp": tarp, "bag": bag, "mat": mat, "stove": stove, "pots": pots, "skillet": skillet,
}  # fmt: skip
MARKS = {
    "pack": (50, 70, 8), "rolltop": (50, 44, 8), "trekpack": (50, 20, 7), "duffel": (50, 62, 8), "trolley": (50, 36, 8),
    "cubes": (50, 36, 5), "dome": (78, 66, 7), "tent": (24, 72, 5), "tarp": (34, 46, 6), "bag": (50, 26, 6),
    "mat": (74, 66, 7), "stove": (50, 78, 7), "pots": (50, 74, 7), "skillet": (40, 42, 7),
}  # fmt: skip
"""Where the brand's mark stands on each figure: x, y, size."""
