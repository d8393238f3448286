"""What is left of the HTML that staff write: the allowed tags, harmless addresses, and no way around either."""

from __future__ import annotations

import re

import pytest
from goods_shop import TEXT
from sitegym.sites.store.services.richtext import TAGS, clean, plain

KEPT = (
    TEXT,
    "<h3>Care</h3><ul><li>Wash <u>cold</u></li><li>Air</li></ul><ol><li>One</li></ol><blockquote>Dry.</blockquote>",
    '<p><a href="https://birch.example/a?b=1&amp;c=2#d">out</a> <a href="/c/tents">in</a></p>',
    '<p><a href="mailto:a@b.example">mail</a></p>',
    "<p>2 &lt; 3 &amp; 4<br>next</p>",
)

ATTACKS = (
    '<img src=x onerror="alert(1)">',
    "<svg/onload=alert(1)><p>x</p>",
    "<svg><style><img src=x onerror=alert(1)></style></svg>",
    "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
    '<p style="background:url(javascript:alert(1))" onclick="alert(1)" class="x" id="main">x</p>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href=" java\nscript:alert(1)">x</a>',
    '<a href="&#106;avascript&#58;alert(1)">x</a>',
    '<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>',
    '<a href="vbscript:x">x</a><a href="//evil.example">y</a><a href="/\\evil.example">z</a><a href="https:evil">w</a>',
    '<a href="https://a.example" target="_blank" onmouseover="x()">x</a>',
    "<iframe src='https://evil.example'></iframe><object data=x></object><embed src=x>",
    "<form action=/x><input name=q><button>go</button></form>",
    "<base href='https://evil.example/'><link rel=stylesheet href=x><meta http-equiv=refresh content=0>",
    "<scr<script>ipt>alert(1)</scr</script>ipt>",
    "<p>x</p><!-- <script>alert(1)</script> --><script>alert(2)</script>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'></noscript>",
    "<template><script>alert(1)</script></template><p>y</p>",
    "<style>@import 'https://evil.example/x.css';</style>z",
)

TAG = re.compile(r"<(/?)([a-z0-9]+)((?:\s+[a-z-]+=\"[^\"]*\")*)\s*>")
ADDRESS = re.compile(r' href="(?:https?://[^"\s]|mailto:[^"\s]|/[^/\\"])[^"]*"|')


@pytest.mark.parametrize("html", KEPT)
def test_what_may_stand_in_a_description_stays_to_the_byte(html):
    assert clean(html) == html
    assert clean(clean(html)) == clean(html)


@pytest.mark.parametrize("html", ATTACKS)
def test_nothing_that_runs_loads_or_leads_away_gets_through(html):
    left = clean(html)
    bare = TAG.sub(lambda tag: "" if tag[2] in TAGS and ADDRESS.fullmatch(tag[3]) else tag[0], left)
    assert "<" not in bare, left
    for word in ("script", "onerror", "onclick", "style", "evil"):
        assert word not in "".join(tag[0] for tag in TAG.finditer(left)).lower()
    assert clean(left) == left


@pytest.mark.parametrize(
    ("html", "left"),
    [
        ("<b>bold</b> and <i>italic</i>", "<strong>bold</strong> and <em>italic</em>"),
        ('<p><a href="ftp://x.example">only text</a></p>', "<p>only text</p>"),
        ("<div><span>inside</span></div>", "inside"),
        ("<p> </p><p><br></p>", ""),
        ("   ", ""),
        ("a\r\nb", "a\nb"),
        ('<a href="/a<b>c">x</a>', '<a href="/a%3Cb%3Ec">x</a>'),
    ],
)
def test_what_is_not_allowed_goes_and_its_text_stays(html, left):
    assert clean(html) == left


def test_rich_text_reads_as_plain_lines():
    assert plain("<h3>Care</h3><ul><li>Wash  cold</li><li>Air &amp; sun</li></ul>") == "Care\nWash cold\nAir & sun"
