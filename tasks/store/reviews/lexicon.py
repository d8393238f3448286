"""What reviews praise and criticise: the aspects in their texts, and where a reader might see another aspect.

The texts are made of sentences that each speak of one aspect. Some could be taken for another one as well; a task must
not turn on these, so they are written down here.
"""

from __future__ import annotations

from collections.abc import Iterable

from ....sites.store.generate.phrases import ASPECTS, PHRASES

NAMES = {aspect: aspect.replace("_", " ") for aspect in ASPECTS}
"""What each aspect is called in a task."""

OPEN_TO: dict[str, tuple[str, ...]] = {
    "No sore spots after a whole day.": ("fit",),
    "It rubs and leaves sore spots.": ("fit",),
    "Hard edges press exactly where they should not.": ("fit",),
    "Too narrow, even one size up.": ("comfort",),
    "The fit is odd, tight here and baggy there.": ("comfort",),
    "Wonderfully light.": ("brightness",),
    "Lighter than the one it replaced.": ("brightness",),
    "The weight is a problem on longer days.": ("comfort",),
    "It is a brick.": ("pack_size",),
    "I never felt clammy in it.": ("comfort",),
    "It never feels stuffy.": ("comfort",),
    "Plenty of air gets through.": ("comfort", "warmth"),
    "I was drenched in sweat.": ("comfort", "warmth"),
    "Clammy within minutes.": ("comfort",),
    "Like wearing a plastic bag.": ("comfort",),
    "Big, solid zippers.": ("durability",),
    "The zips have never snagged.": ("durability",),
    "The zipper jammed on day two.": ("durability",),
    "A zip pull came off in my hand.": ("durability",),
    "Cheap zippers spoil it.": ("durability", "value"),
    "It holds far more than it looks.": ("pack_size",),
    "There is less room inside than promised.": ("pack_size",),
    "I had to leave half my things at home, there is no space.": ("pack_size",),
    "A full weekend on one charge.": ("charging",),
    "The battery no longer holds a charge.": ("charging", "durability"),
    "The battery died on the first evening.": ("durability",),
    "The light flickers and is weak.": ("durability",),
    "Charged my phone twice in an afternoon.": ("battery",),
    "Full again within two hours of charging.": ("battery",),
    "Charging takes forever.": ("battery",),
    "The charging port is loose.": ("durability",),
    "It stopped charging after a week.": ("battery", "durability"),
    "One button, no manual needed.": ("instructions", "setup"),
    "My kids worked it out at once.": ("setup",),
    "Everything is where you expect it.": ("storage",),
    "Impossible to work with cold fingers.": ("grip", "warmth"),
    "It never goes back into its sack.": ("ease_of_use", "packaging"),
    "Rolled up it is no bigger than a bottle.": ("storage",),
    "Ready in two minutes.": ("ease_of_use",),
    "Putting it up is child's play.": ("ease_of_use",),
    "I had it set up before the kettle boiled.": ("ease_of_use",),
    "Setting it up alone is no trouble.": ("ease_of_use",),
    "It took two of us an hour to set up.": ("ease_of_use",),
    "Setting it up in wind is hopeless.": ("ease_of_use",),
    "Parts did not fit together when I set it up.": ("durability", "ease_of_use", "fit"),
    "Assembly was a nightmare.": ("ease_of_use", "instructions"),
    "Well explained, step by step.": ("ease_of_use", "setup"),
    "No instructions in the box.": ("packaging",),
    "The color has not faded.": ("durability",),
    "The color faded after a few washes.": ("cleaning", "durability"),
    "A sickly shade in daylight.": ("brightness",),
    "It began to smell after one day.": ("cleaning", "durability"),
    "Beautifully packed, not a scratch.": ("pack_size",),
    "The box alone makes it a nice gift.": ("value",),
    "Comes out of the wash like new.": ("durability",),
    "It shrank in the first wash.": ("durability", "fit"),
    "Sits securely in the hand.": ("comfort", "fit"),
    "I nearly fell, the grip is so poor.": ("durability",),
    "Nothing sticks to it.": ("grip",),
    "Easy to clean.": ("ease_of_use",),
    "A pain to clean.": ("ease_of_use",),
    "Fits in a corner of my bag.": ("storage", "fit"),
    "I stayed warm all night.": ("comfort",),
    "Too heavy to carry far.": ("comfort",),
    "Still looks new after a hard year.": ("cleaning", "color"),
    "Charging just works.": ("battery",),
    "Holds its edge.": ("durability",),
    "It tears instead of cutting.": ("durability",),
    "Months later it is still sharp.": ("durability",),
    "It loses its edge after a day.": ("durability",),
    "I cannot get it sharp again.": ("durability",),
}
"""Sentence to the aspects that a reader might see in it besides its own."""


def aspects(texts: Iterable[str], *, praise: bool) -> set[str]:
    """The aspects that these texts praise, or criticise."""
    return {aspect for text in texts for aspect, _ in sentences(text, praise=praise)}


def sentences(text: str, *, praise: bool) -> list[tuple[str, str]]:
    """The sentences of a text that praise (or criticise), each after its aspect."""
    side = 0 if praise else 1
    return [(aspect, said) for aspect, sides in PHRASES.items() for said in sides[side] if said in text]


def clear(texts: Iterable[str], *, praise: bool) -> bool:
    """Whether every reader finds the same aspects, as long as those of `doubtful` are not offered."""
    said = [pair for text in texts for pair in sentences(text, praise=praise)]
    found = {aspect for aspect, _ in said}
    sure = {aspect for aspect, sentence in said if sentence not in OPEN_TO}
    return all(aspect in sure for aspect, sentence in said if found & set(OPEN_TO.get(sentence, ())))


def doubtful(texts: Iterable[str], *, praise: bool) -> set[str]:
    """Aspects that somebody might see in these texts though they don't speak of them."""
    said = {sentence for text in texts for _, sentence in sentences(text, praise=praise)}
    return {aspect for sentence in said for aspect in OPEN_TO.get(sentence, ())}
