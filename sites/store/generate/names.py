"""Names of people, streets and companies, by country, and how e-mail addresses are made of them."""

from __future__ import annotations

from random import Random

from ...kit.text import slug


def _words(text: str) -> list[str]:
    """The words of a text, for lists that read better as prose."""
    return text.split()


FIRST = {
    "US": _words(
        "Aaron Abigail Adrian Alana Alex Alicia Amara Andre Angela Anthony April Austin Beatrice Ben Bianca "
        "Blake Brandon Brenda Brian Brooke Caleb Camila Carl Carmen Caroline Cedric Chloe Claire Clara Cole "
        "Connor Dana Daniel Daphne Darius David Deborah Derek Diana Dominic Dylan Eddie Elaine Eleanor Eli "
        "Elijah Ella Emily Eric Esther Ethan Eva Faith Felix Fiona Frank Gabriel Gavin Gina Gloria Grace "
        "Graham Greta Hannah Harold Harvey Hazel Heather Hector Henry Holly Howard Ian Imani Irene Isaac "
        "Isabel Jack Jada James Janet Jared Jasmine Jason Joel Jordan Josh Joyce Julia Julian Karen Kayla "
        "Keith Kendra Kevin Kira Laura Leah Leo Leon Lily Linda Logan Lucas Lucy Luis Luke Lydia Marcus Maria "
        "Mark Martha Mason Maya Megan Micah Miguel Miles Miriam Molly Monica Nadia Naomi Nathan Nicole Nina "
        "Noah Nora Oliver Omar Owen Paige Patrick Paula Perry Peter Phoebe Priya Quentin Rachel Rafael Ravi "
        "Rebecca Reggie Rita Robert Rosa Ross Ruby Ruth Ryan Sadie Sam Sandra Sara Scott Sean Selena Simon "
        "Sofia Spencer Stella Steven Tara Terrence Tessa Theo Thomas Tina Trevor Tyler Valerie Vanessa Vera "
        "Victor Violet Wade Walter Wendy Wesley Willa Xavier Yolanda Zachary Zoe"
    ),
    "GB": _words(
        "Alfie Alistair Amelia Anwen Archie Bethan Bronwyn Callum Charlotte Daisy Duncan Ewan Florence Freya "
        "George Georgina Harriet Harry Imogen Isla Jemima Jonathan Lewis Lorna Malcolm Matilda Morag Nigel "
        "Oscar Philippa Poppy Rhys Rory Rosalind Rupert Stuart Tamsin Toby Verity Winifred"
    ),
    "DE": _words(
        "Anja Anke Annika Björn Carsten Dieter Elke Felix Franziska Friederike Fritz Gesa Hannes Heike "
        "Henning Ingrid Jana Jens Jonas Jörg Jürgen Karin Katrin Lars Lena Lukas Maike Marlene Matthias "
        "Moritz Nele Niklas Ole Petra Ralf Sabine Silke Stefan Svenja Tilman Ulrike Uwe Wiebke"
    ),
}
FIRST["CA"] = [*FIRST["US"][::4], *_words("Amélie Antoine Chantal Émile Étienne Geneviève Luc Maude Mireille Yves")]

LAST = {
    "US": _words(
        "Abbott Acosta Adler Albright Alvarez Amos Arnold Atkins Avery Bailey Baldwin Banks Barlow Barrera "
        "Beck Bell Bennett Blair Bloom Bowen Boyd Brady Brandt Briggs Brooks Burke Burton Byrd Caldwell "
        "Calhoun Campos Carr Carver Castillo Chambers Chang Chavez Church Clayton Cohen Coleman Conley Cooper "
        "Cortez Craig Cruz Curtis Dalton Daniels Davenport Dawson Delgado Dixon Donovan Dorsey Drake Dudley "
        "Duran Eaton Ellis Emerson Escobar Farley Ferris Figueroa Finch Flores Forbes Foster Frost Fuentes "
        "Gaines Garner Gibbs Gilmore Glover Goodwin Grant Greer Griffin Guerrero Hahn Hale Hancock Hardin "
        "Harmon Hayes Hendricks Herrera Hicks Hobbs Holloway Hooper Horton Huang Hubbard Hull Ingram Irwin "
        "Jacobs Jarvis Jennings Jimenez Kaplan Keller Kemp Kim Kirby Knox Kramer Lambert Landry Lane Larson "
        "Lawson Leblanc Lloyd Lopez Lowe Lucero Lynch Mack Maddox Malone Marsh Massey Mathis Mccall Mcgee "
        "Medina Mendez Mercer Meyers Monroe Moody Morales Morton Moss Nash Navarro Neal Newton Nguyen Nixon "
        "Norris Ochoa Oneal Ortega Osborne Padilla Park Parrish Patel Patton Payne Peck Pena Perkins Pierce "
        "Porter Potter Pratt Quinn Ramsey Randall Reese Reid Rhodes Riggs Rivers Robbins Rojas Rosales Rowe "
        "Rubio Salazar Sampson Sanders Sawyer Schultz Sellers Serrano Shaffer Shelton Sherman Shields Singh "
        "Sloan Snyder Solis Sparks Stanton Stark Stokes Sutton Tanner Tate Terry Thornton Tran Trevino Tucker "
        "Underwood Valdez Vance Vaughn Velez Wade Walsh Warner Weaver Webb Weiss Whitaker Wiggins Wilkins "
        "Winters Wolfe Wong Yates York Zamora Zimmerman"
    ),
    "GB": _words(
        "Ainsworth Ashdown Barraclough Blackwood Booth Braithwaite Cartwright Clegg Colquhoun Crowther Davies "
        "Entwistle Fairclough Fenwick Gallagher Gower Greenhalgh Hargreaves Hollis Ingham Jenkins Kerr "
        "Lightfoot Llewellyn Macleod Mactavish Nuttall Ogilvie Pemberton Pritchard Ramsbottom Rees Sidebottom "
        "Tweedie Urquhart Wetherby Whitehead Wolstenholme"
    ),
    "DE": _words(
        "Albrecht Bachmann Behrens Böhm Brandl Claasen Dietrich Eberhardt Engelhardt Fröhlich Gärtner Groß "
        "Hagemann Hartwig Heinemann Janssen Jäger Kaiser Köhler Krüger Lehmann Lindner Löffler Meißner Möller "
        "Naumann Oltmanns Petersen Pohl Reinhardt Ritter Schäfer Schröder Seidel Steinbach Thiele Vogt "
        "Weidner Wächter Ziegler"
    ),
}
LAST["CA"] = [*LAST["US"][1::5], *_words("Beaulieu Bouchard Desjardins Gagnon Lachance Pelletier Thibault Tremblay")]

UNICODE_PEOPLE = (
    ("Łukasz", "Żak"),
    ("Søren", "Ång"),
    ("娜", "李"),
    ("Siobhán", "O'Dell"),
    ("Ægir", "Æbelø"),
    ("Zoe\u0308", "Marin\u0303o"),
    ("Rene\u0301e", "Duche\u0302ne"),
    ("Jürgen", "Groß"),
    ("Nguyễn", "Thị Hoa"),
    ("İpek", "Işık"),
    ("Anne-Sophie", "d'Aubigné"),
    ("Šárka", "Dvořáková"),
)
"""Names whose letters sort, match and search in surprising ways; two are written with combining accents."""

STREETS = {
    "US": _words(
        "Alder Ashland Bayberry Birch Briarwood Canyon Cedar Chestnut Clearwater Cottonwood Crescent Dogwood "
        "Elm Fairview Fern Foothill Garfield Glenwood Grant Harrison Hawthorne Hickory Highland Hillcrest "
        "Jackson Juniper Lakeview Laurel Lincoln Linden Magnolia Maple Meadow Mill Mulberry Oak Orchard Park "
        "Pine Prospect Quail Ridgeway River Sage Spruce Summit Sycamore Valley Walnut Willow"
    ),
    "GB": _words(
        "Abbey Albert Ash Barrack Bridge Castle Chapel Church Clarence Cross Elm Falcon Garden Grange Green "
        "Grove High King's Manor Mill Nelson Orchard Park Priory Queen's Rectory Rose Station Union Victoria "
        "Wellington"
    ),
    "DE": _words(
        "Ahorn Amsel Bahnhof Berg Birken Blumen Brunnen Buchen Eichen Erlen Feld Garten Goethe Hafen "
        "Kastanien Kirch Linden Markt Mozart Mühlen Park Rosen Schiller Schloss Schul Tannen Ufer Wald Wiesen"
    ),
}
STREETS["CA"] = [*STREETS["US"][::2], "King", "Queen", "Dundas", "Sherbrooke", "Saint-Denis", "Portage"]
_ENDINGS = {
    "US": ("St", "Ave", "Rd", "Ln", "Dr", "Ct", "Blvd"),
    "CA": ("St", "Ave", "Rd", "Cres", "Dr"),
    "GB": ("Street", "Road", "Lane", "Close", "Avenue"),
}

COMPANIES = (
    "Bluebird Cafe", "Cedar & Stone Architects", "Cobalt Print Works", "Elm Street Dental", "Fieldnote Studio",
    "Grain Bakery", "Harbor Light Hotel", "Ironwood Joinery", "Juniper Physio", "Kiln & Co.", "Lakeside School",
    "Larkspur Events", "Mapleleaf Outfitters", "Northgate Cycles", "Oakline Rentals", "Pebble Beach Hostel",
    "Quarry Climbing Gym", "Redwood Guides", "Saltmarsh Kayaks", "Trailhead Rentals", "Upland Surveyors",
    "Vantage Film", "Wayfarer Tours", "Windmill Nursery",
)  # fmt: skip

_PROVIDERS = ("brightmail", "inkpost", "parcelbox", "northmail", "quickpost", "homenet", "fernmail", "letterbox")


def person(rng: Random, country: str) -> tuple[str, str]:
    """A first and a last name."""
    return rng.choice(FIRST[country]), rng.choice(LAST[country])


def email(rng: Random, first: str, last: str, taken: set[str]) -> str:
    """An address made of a name, under a domain that no one can own."""
    given, family = (slug(name) if slug(name).isascii() else spoken for name, spoken in ((first, "na"), (last, "li")))
    year = rng.randrange(61, 100)
    shapes: tuple[str, ...] = (
        f"{given}.{family}", f"{given}{family}", f"{given[0]}.{family}", f"{given}_{family}", f"{family}.{given}",
        f"{given}.{family}{year}", f"{given}{year}",
    )  # fmt: skip
    while True:
        made = f"{rng.choice(shapes)}@{rng.choice(_PROVIDERS)}.example"
        if made not in taken:
            taken.add(made)
            return made
        year += 1
        shapes = (f"{given}.{family}{year}", f"{given}{family}{year}")


def street(rng: Random, country: str) -> str:
    """Line 1 of an address."""
    number, name = rng.randrange(2, 400), rng.choice(STREETS[country])
    if country == "DE":
        return f"{name}{'allee' if rng.random() < 0.12 else 'straße'} {number % 120 + 1}"
    if country == "GB":
        return f"{number % 160 + 1} {name} {rng.choice(_ENDINGS['GB'])}"
    number = number * rng.choice((1, 1, 7, 31)) + rng.randrange(9)
    return f"{number} {rng.choice(('', '', '', 'N ', 'SE '))}{name} {rng.choice(_ENDINGS[country])}"


def second_line(rng: Random, country: str) -> str | None:
    """Line 2 of an address, where there is one."""
    if rng.random() > 0.22:
        return None
    number = rng.randrange(1, 40)
    if country == "DE":
        return rng.choice(("Hinterhaus", "Seitenflügel", f"{number % 5 + 1}. Stock"))
    if country == "GB":
        return f"Flat {number}"
    return rng.choice((f"Apt {number}", f"Unit {number}", f"Apt {number}{rng.choice('ABC')}", f"Suite {number * 10}"))
