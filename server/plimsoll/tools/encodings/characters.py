"""The frequent characters of each script, by which a right encoding is told from a wrong one.

The sets of the East Asian standards order their characters by use: what stands in their first
level is common, and what a wrong encoding makes of a text stands mostly outside of it.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Syllabary:
    """A script of many characters."""

    standard: str
    """The codec of the national standard, in which frequent characters come first."""
    first: int
    last: int
    """The first and the last lead byte of its first level."""
    frequent: frozenset[str] = frozenset()
    """The characters that most texts and programs are full of."""


SIMPLIFIED = frozenset(
    "的一是在不了有和人这中大为上个国我以要他时来用们生到作地于出就分对成会可主发年动同工也能下过子说产种面而方后"
    "多定行学法所民得经三之进着等部度家电力里如水化高自二理起小物现实加量都两体制机当使点从业本去把性好应开它合还"
    "因由其些然前外天政四日那社义事平形相全表间样与关各重新线内数正心反你明看原又么利比或但质气第向道命此变条只没"
    "结解问意建月公无系很情者最立代想已通并提直题程展五果料象员位入常文总次品式活设及管特件长求基资边流路级少图山"
    "统接知较将组见计别她手角期根论运指几九区强放决西被干做必先回则任取据处理世界名称置错误测试密码返件败打失连户"
    "值参输函"
)
TRADITIONAL = frozenset(
    "的一是在不了有和人這中大為上個國我以要他時來用們生到作地於出就分對成會可主發年動同工也能下過子說產種面而方後"
    "多定行學法所民得經三之進等部度家電力裡如水化高自二理起小物現實加量都兩體制機當使點從業本去把性好應開它合還因"
    "由其些然前外天政四日那社義事平形相全表間樣與關各重新線內數正心反你明看原又麼利比或但質氣第向道命此變條只沒結"
    "解問意建月公無系名稱設測試檔案啟失敗者密碼程式錯誤世界"
)
HANGUL = frozenset(
    "이다는을를의에가로한하고지사자정기스시일은서도리아라어인그대수나있제해전부보장주상공안으여과들성구문만동원교조신"
    "비오소마생각명무위국우간선모물세연화트파설름류호열실패용밀번녕계테력데터값변환반"
)
SYLLABARIES = {
    "japanese": Syllabary("euc_jp", 0xB0, 0xCF),
    "simplified": Syllabary("gb2312", 0xB0, 0xD7, SIMPLIFIED),
    "traditional": Syllabary("big5", 0xA4, 0xC6, TRADITIONAL),
    "korean": Syllabary("euc_kr", 0xB0, 0xC8, HANGUL),
}


@dataclass(frozen=True, slots=True)
class Alphabet:
    """A script of few letters, other than Latin ones."""

    name: str
    """The first word of the names of its letters in Unicode."""
    frequent: frozenset[str]


ALPHABETS = {
    "cyrillic": Alphabet("CYRILLIC", frozenset("оеаинтрсвлкмдпя")),
    "greek": Alphabet("GREEK", frozenset("αοιετσνηυρπκμλςάίόέή")),
    "hebrew": Alphabet("HEBREW", frozenset("יוהלאתמרבשן")),
    "arabic": Alphabet("ARABIC", frozenset("اليمونتربةعدسفهكحق")),
}
LATIN_LETTERS = {
    "western": frozenset("àáâãäåæçèéêëìíîïñòóôõöøùúûüßœÿÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜŒŠšŽž"),
    "central": frozenset("ąćęłńóśźżĄĆĘŁŃÓŚŹŻáčďéěíňřšťúůýžÁČĎÉĚÍŇÓŘŠŤÚŮÝŽőűöüŐŰÖÜäôß"),
    "turkish": frozenset("ğşıİŞĞçöüÇÖÜâîû"),
}
