"""The words of reviews: 24 aspects, each with sentences that praise or criticise it and nothing else."""

from __future__ import annotations

from random import Random

PHRASES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "durability": (
        ("Two seasons in and not a stitch out of place.", "Still looks new after a hard year.",
         "Built like something my grandfather would have owned.",
         "It has been dropped more than once and shrugged it off."),
        ("It fell apart after a month.", "A seam gave way on the third outing.", "Mine cracked within weeks.",
         "The material is already fraying."),
    ),
    "comfort": (
        ("So comfortable that I forgot about it.", "Comfortable from the first hour to the last.",
         "No sore spots after a whole day.", "Soft in all the right places."),
        ("It became uncomfortable after an hour.", "It rubs and leaves sore spots.",
         "I could not get comfortable with it at all.", "Hard edges press exactly where they should not."),
    ),
    "fit": (
        ("The fit is spot on.", "True to size for me.", "It fits as if it were made for me.",
         "The sizing chart was right."),
        ("It runs at least one size small.", "The fit is odd, tight here and baggy there.",
         "Sizing is way off.", "Too narrow, even one size up."),
    ),
    "weight": (
        ("Wonderfully light.", "I was surprised how little it weighs.", "You hardly notice the weight.",
         "Lighter than the one it replaced."),
        ("Much heavier than I expected.", "Too heavy to carry far.", "The weight is a problem on longer days.",
         "It is a brick."),
    ),
    "waterproofing": (
        ("Bone dry after four hours of rain.", "Water just beads off.", "It kept everything dry in a storm.",
         "Not a drop came through."),
        ("It leaked in the first shower.", "Water comes straight through.", "Everything inside was soaked.",
         "Calling this waterproof is a stretch."),
    ),
    "warmth": (
        ("Keeps the warmth in beautifully.", "Toasty even below freezing.", "I stayed warm all night.",
         "Surprisingly warm for how thin it is."),
        ("Not warm at all.", "I was freezing by midnight.", "It lets the cold in everywhere.",
         "It goes cold far too quickly."),
    ),
    "breathability": (
        ("Breathes well on the climbs.", "I never felt clammy in it.", "Plenty of air gets through.",
         "It never feels stuffy."),
        ("I was drenched in sweat.", "It does not breathe.", "Clammy within minutes.",
         "Like wearing a plastic bag."),
    ),
    "zippers": (
        ("The zippers run smoothly, even with gloves on.", "Big, solid zippers.", "Every zip glides.",
         "The zips have never snagged."),
        ("The zipper jammed on day two.", "The zip catches on the lining every time.",
         "A zip pull came off in my hand.", "Cheap zippers spoil it."),
    ),
    "storage": (
        ("There is a pocket for everything.", "It holds far more than it looks.", "Clever pockets.",
         "Loads of room inside."),
        ("Far too few pockets.", "There is less room inside than promised.",
         "The pockets are too small for a phone.", "I had to leave half my things at home, there is no space."),
    ),
    "battery": (
        ("The battery lasts for days.", "A full weekend on one charge.", "Battery life is as promised.",
         "After a week the battery was still half full."),
        ("The battery is empty after an hour.", "Battery life is a joke.", "The battery no longer holds a charge.",
         "The battery died on the first evening."),
    ),
    "brightness": (
        ("Brilliantly bright.", "It lights up the whole clearing.", "Plenty of light to read by.",
         "The light is even and strong."),
        ("Far too dim.", "You can hardly see the path with it.", "The light flickers and is weak.",
         "A candle is brighter."),
    ),
    "sound": (
        ("The sound is full and clear.", "Great sound for the size.", "Voices come across crisp.",
         "Deep bass without any boom."),
        ("The sound is tinny.", "It crackles at half volume.", "Muddy sound.", "There is no bass to speak of."),
    ),
    "charging": (
        ("It charges quickly.", "Charged my phone twice in an afternoon.", "Charging just works.",
         "Full again within two hours of charging."),
        ("Charging takes forever.", "The charging port is loose.", "It stopped charging after a week.",
         "It gets hot while charging."),
    ),
    "ease_of_use": (
        ("One button, no manual needed.", "So easy to use.", "My kids worked it out at once.",
         "Everything is where you expect it."),
        ("Far too fiddly to use.", "I still press the wrong button.", "The controls make no sense.",
         "Impossible to work with cold fingers."),
    ),
    "pack_size": (
        ("Packs down to nothing.", "Folds up tiny.", "Fits in a corner of my bag.",
            "Rolled up it is no bigger than a bottle."),
        ("Far too bulky when packed.", "It never goes back into its sack.", "Takes up half my bag.",
         "Packed it is twice the stated size."),
    ),
    "setup": (
        ("Ready in two minutes.", "Putting it up is child's play.", "I had it set up before the kettle boiled.",
         "Setting it up alone is no trouble."),
        ("It took two of us an hour to set up.", "Setting it up in wind is hopeless.",
         "Parts did not fit together when I set it up.", "Assembly was a nightmare."),
    ),
    "instructions": (
        ("The instructions are clear, with good drawings.", "A manual that actually helps.",
         "Well explained, step by step.", "The leaflet answers everything."),
        ("The instructions are useless.", "No instructions in the box.", "The manual skips the important step.",
         "Half of the manual is about another model."),
    ),
    "color": (
        ("The color is even nicer in real life.", "Lovely shade.", "The color has not faded.",
         "Exactly the color in the pictures."),
        ("The color is nothing like the picture.", "The color faded after a few washes.",
         "A sickly shade in daylight.", "They sent a different shade from the one shown."),
    ),
    "smell": (
        ("No smell at all, even after days.", "Smells of nothing, which is how it should be.",
         "It aired out overnight and stays fresh.", "No chemical smell, unlike my old one."),
        ("It smells of glue.", "The smell would not go away.", "A chemical stink out of the box.",
         "It began to smell after one day."),
    ),
    "value": (
        ("Excellent value.", "Worth every cent.", "You would pay twice as much elsewhere.",
         "For this price there is nothing better."),
        ("Overpriced for what it is.", "Not worth the money.", "You can find the same for half the price.",
         "I paid far too much for this."),
    ),
    "packaging": (
        ("Beautifully packed, not a scratch.", "Sensible packaging without plastic.", "Arrived well protected.",
         "The box alone makes it a nice gift."),
        ("The box arrived crushed.", "Hardly any padding in the parcel.", "Wrapped in layers of plastic.",
         "It came in a torn bag with no box."),
    ),
    "cleaning": (
        ("Wipes clean in seconds.", "Easy to clean.", "Comes out of the wash like new.", "Nothing sticks to it."),
        ("A pain to clean.", "Stains do not come out.", "Food gets stuck in every corner.",
         "It shrank in the first wash."),
    ),
    "grip": (
        ("Great grip.", "Sits securely in the hand.", "Sticks to wet rock.", "It never slips, even when wet."),
        ("Slippery when wet.", "No grip whatsoever.", "It slides out of my hand.",
            "I nearly fell, the grip is so poor."),
    ),
    "sharpness": (
        ("Razor sharp out of the box.", "Holds its edge.", "Goes through tomatoes like air.",
         "Months later it is still sharp."),
        ("Blunt on arrival.", "It loses its edge after a day.", "It tears instead of cutting.",
         "I cannot get it sharp again."),
    ),
}  # fmt: skip
"""Aspect to (praise, criticism)."""

OPENERS = (
    "Bought this for a trip to the lakes.", "Ordered it as a present for my sister.", "I use it nearly every day.",
    "Took it along for ten days in the hills.", "My second order from this shop.",
    "I had read the other reviews first.",
    "Needed something before the holidays.", "My old one had to go.", "We ordered two of these.",
    "I had it with me all winter.", "A friend recommended it.", "Picked it up on a whim.",
)  # fmt: skip
GOOD_ENDS = ("Would buy again.", "Very happy with it.", "Recommended.", "I will order another one.",
    "Five stars from us.",
             "No regrets.")  # fmt: skip
BAD_ENDS = ("It goes back.", "Very disappointed.", "Would not buy again.", "Save yourself the trouble.",
    "I expected more.",
            "Not recommended.")  # fmt: skip
MIXED_ENDS = ("Fine, but not great.", "It does the job.", "A mixed bag.", "I am in two minds.", "Okay for now.")

TITLES = {
    5: ("Love it", "Exactly what I needed", "Better than expected", "Best {noun} I have owned", "Superb", "So good",
        "A keeper", "Faultless so far", "My new favorite", "Could not be happier"),
    4: ("Very good", "Nearly perfect", "Good {noun}", "Happy with it", "Solid", "Good buy", "One small thing",
        "Does what it should"),
    3: ("Okay", "Mixed feelings", "Average", "Not bad, not great", "Good and bad", "It is all right"),
    2: ("Disappointing", "Expected more", "Not for me", "Below par", "Hmm", "Has its problems"),
    1: ("Avoid", "Waste of money", "Went straight back", "Terrible", "Very poor", "Never again", "Broken promises"),
}  # fmt: skip

SPAM = (
    "Earn 400 a day from home, see www.easy-payday.example for details.",
    "Cheap watches and more at http://deals-4-you.example/start today only!",
    "Call me on 555-0137 if you want the same for less.",
    "Visit my channel https://vid.example/c/gearbargain for a discount code.",
    "Text 555-0188 for a free voucher, no questions asked.",
)

ASPECTS = tuple(PHRASES)


def review(rng: Random, rating: int, aspects: list[str], noun: str, *, contrary: bool = False) -> tuple[str, str]:
    """A title and a body for a rating; `contrary` gives a text that says the opposite of the stars."""
    mood = 6 - rating if contrary else rating
    chosen = rng.sample(aspects, min(len(aspects), rng.choice((2, 2, 3, 3, 4) if mood != 3 else (2, 3, 4))))
    praised = {5: len(chosen), 4: max(1, len(chosen) - (rng.random() < 0.6)), 3: len(chosen) // 2,
               2: int(rng.random() < 0.5), 1: 0}[mood]  # fmt: skip
    said = [rng.choice(PHRASES[aspect][0 if place < praised else 1]) for place, aspect in enumerate(chosen)]
    if mood == 3 and rng.random() < 0.5:
        said.reverse()
    opener = [rng.choice(OPENERS)] if rng.random() < 0.55 else []
    ends = GOOD_ENDS if mood >= 4 else BAD_ENDS if mood <= 2 else MIXED_ENDS
    end = [rng.choice(ends)] if rng.random() < 0.5 and not contrary else []
    title = rng.choice(TITLES[mood if not contrary else rating]).format(noun=noun.lower())
    return title, " ".join(opener + said + end)


def mentioned(body: str) -> dict[str, bool]:
    """The aspects that a review speaks of: True where it praises them."""
    return {
        aspect: any(phrase in body for phrase in praise)
        for aspect, (praise, blame) in PHRASES.items()
        if any(phrase in body for phrase in (*praise, *blame))
    }
