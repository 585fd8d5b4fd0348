"""A session in a workspace that others write in too, with prose in no Latin script and long lines.

Guides in Japanese, Russian and Chinese, minified code and JSON of one line, searches into those,
and files that somebody else changes between turns and between steps. What a search must bring of
a long line stands in its mark: the text around the match. A session for the context gauntlet, a
tool that stands outside this repository; README.md tells how it is played.
"""

import json
import random
from collections.abc import Mapping

from gauntlet.session import Action, Change, Rule, Session, Step, Turn

RULE, RULE_JA, RULE_RU = "tide-2D8F", "規則-七四", "правило-Ж9"
SENTENCES: Mapping[str, str] = {
    "ja": "{place}の{thing}は{number}番の{part}で点検し、{hour}時までに{name}へ報告してください。",
    "ru": "{thing} у места {place} проверяют по пункту {number}, часть {part}, до {hour} часов; "
    "отвечает {name}.",
    "zh": "{place}的{thing}应按第{number}条检查{part}，并在{hour}点之前通知{name}。",
}
WORDS: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "ja": {
        "place": ("北埠頭", "南桟橋", "第三岸壁", "検疫錨地", "東防波堤", "倉庫前", "曳船泊地"),
        "thing": ("係船索", "冷凍コンテナ", "荷役クレーン", "危険物", "給油ホース", "積荷目録"),
        "part": ("留め金", "温度計", "安全弁", "封印", "照明", "巻上機", "標識"),
        "name": ("港長", "当直士官", "税関", "荷主", "水先人", "保安係"),
    },
    "ru": {
        "place": ("Северный причал", "Южный мол", "Третий пирс", "Карантин", "Склад", "Рейд"),
        "thing": ("Швартовы", "Рефрижератор", "Кран", "Опасный груз", "Шланг", "Манифест"),
        "part": ("замок", "термометр", "клапан", "пломба", "лебёдка", "маркировка"),
        "name": ("капитан порта", "вахтенный", "таможня", "лоцман", "охрана", "агент"),
    },
    "zh": {
        "place": ("北码头", "南栈桥", "三号泊位", "检疫锚地", "东防波堤", "仓库"),
        "thing": ("缆绳", "冷藏箱", "起重机", "危险品", "输油软管", "载货清单"),
        "part": ("锁扣", "温度计", "安全阀", "铅封", "绞车", "标志"),
        "name": ("港务长", "值班员", "海关", "引航员", "保安"),
    },
}
HEADINGS: Mapping[str, str] = {
    "ja": "第{n}章 {place}",
    "ru": "Глава {n}. {place}",
    "zh": "第{n}章 {place}",
}
GUIDES = (
    *("ja/mooring", "ja/reefer", "ja/hazard"),
    *("ru/mooring", "ru/customs", "ru/crane"),
    "zh/reefer",
)
MODULES = ("intake", "pricing", "routing")
REPORT = """import random
import sys

run, lines = sys.argv[1], int(sys.argv[2])
rng = random.Random("report-" + run)
print(f"REPORT-{run}-HEAD начало отчёта 開始")
for i in range(lines):
    if i == lines // 2:
        print(f"REPORT-{run}-MIDDLE половина 半分")
    who = rng.choice(["кран", "причал", "буксир", "冷凍機", "係船索", "給油"])
    print(f"{i:04d} {who} {rng.choice(['норма', '正常', 'проверено', '点検済'])}"
          f" t={rng.randint(-25, 40)} код={rng.getrandbits(28):07x}")
print(f"REPORT-{run}-TAIL ошибка: 温度 K-{rng.randint(100, 499)} вне предела")
"""


def guide(name: str) -> str:
    """Write a guide of eight chapters; no two sentences are the same."""
    language, rng = name.partition("/")[0], random.Random("guide-" + name)
    words, lines = WORDS[language], [f"# {name.upper()}-GUIDE", ""]
    for chapter in range(1, 9):
        place = rng.choice(words["place"])
        lines += [f"## {HEADINGS[language].format(n=chapter, place=place)}", ""]
        for number in range(12):
            chosen = {kind: rng.choice(some) for kind, some in words.items()}
            paragraph = chapter * 100 + number + rng.randint(0, 8) * 1000
            hour = rng.randint(1, 23)
            lines.append(SENTENCES[language].format(**chosen, number=paragraph, hour=hour))
        lines.append("")
    return "\n".join(lines)


def catalog() -> str:
    """Write a catalogue as JSON on one line, of about 14,000 tokens."""
    rng = random.Random("catalog")
    goods = ("rope", "fender", "buoy", "shackle", "lamp", "冷凍庫", "пломба", "winch", "anchor")
    rows = [
        {
            "sku": f"K-{number:04d}",
            "name": f"{rng.choice(goods)} {rng.randint(10, 99)}",
            "stock": rng.randint(0, 4000),
            "price": round(rng.random() * 900, 2),
            "bin": f"{rng.choice('ABCDEF')}{rng.randint(1, 80)}",
        }
        for number in range(420)
    ]
    return json.dumps({"goods": rows}, ensure_ascii=False, separators=(",", ":"))


def routes() -> str:
    """Write routes as JSON on one line."""
    rng = random.Random("routes")
    rows = {
        f"R{number:03d}": [rng.randint(1, 60), rng.randint(1, 60), rng.choice(("ebb", "flood"))]
        for number in range(330)
    }
    return json.dumps(rows, separators=(",", ":"))


SIZES = ("tide", "berth", "load")


def minified() -> str:
    """Write a script as a bundler leaves it: one line."""
    rng = random.Random("minified")
    parts = [
        f"function {rng.choice('abcdefgh')}{n}(e,t){{var r=e.{rng.choice(SIZES)}"
        f'||{rng.randint(1, 999)};return t?r*{rng.randint(2, 99)}:h("{rng.getrandbits(20):x}",r)}}'
        for n in range(260)
    ]
    return "(()=>{" + ";".join(parts) + "})();"


def module(name: str) -> str:
    rng = random.Random("others-" + name)
    lines = [f'"""{name.title()} of the stock."""', "", f'MARK = "{name.upper()}-STOCK"', ""]
    for n in range(40):
        noun = rng.choice(("tide", "berth", "load", "seal", "crew"))
        lines += [
            f"def {name}_{noun}_{n:02d}(rows, ceiling={rng.randint(9, 900)}):",
            f'    """Add up the {noun} of {rng.randint(2, 90)} rows."""',
            f"    least = ceiling - {rng.randint(1, 8)}",
            f"    found = [row.{noun} for row in rows if row.{noun} < least]",
            f"    return sum(found) + {n}",
            "",
        ]
    return "\n".join(lines)


FILES = {
    **{f"guides/{name}.md": guide(name) for name in GUIDES},
    **{f"src/{name}.py": module(name) for name in MODULES},
    "data/catalog.json": catalog(),
    "data/routes.json": routes(),
    "web/app.min.js": minified(),
    "tools/report.py": REPORT,
    "README.md": "# Stock\n\nGuides, a catalogue, routes, a bundle, tools/report.py.\n",
}


def read(path: str, **marks: str) -> Action:
    return Action("read", path=path, marks=marks)


def grep(pattern: str, path: str, around: str = "") -> Action:
    """Search; ``around`` is what of a long line must stand in the result."""
    return Action("grep", path=path, pattern=pattern, marks={"middle": around} if around else {})


def near(path: str, needle: str, before: int = 20, after: int = 40) -> str:
    """The text around the only place of a needle."""
    at = FILES[path].index(needle)
    return FILES[path][at - before : at + len(needle) + after]


def find(needle: str, path: str) -> Action:
    return grep(needle, path, near(path, needle))


def report(run: str) -> Action:
    marks = {place: f"REPORT-{run}-{place.upper()}" for place in ("head", "middle", "tail")}
    command = f"python3 tools/report.py {run} 170"
    return Action("shell", command=command, log=True, marks=marks)


def edit(path: str, old: str, new: str) -> Action:
    return Action("edit", path=path, old=old, new=new)


def restock(sku: str) -> Action:
    """Rename one thing of the catalogue, which is one line."""
    name = json.loads(FILES["data/catalog.json"])["goods"][int(sku[2:])]["name"]
    old = f'"sku":"{sku}","name":"{name}"'
    return edit("data/catalog.json", old, old.replace(name, f"{name} #{RULE}"))


def total(name: str, number: int) -> Action:
    old = f"    return sum(found) + {number}\n"
    return edit(f"src/{name}.py", old, f"{old[:-1]}  # {RULE}\n")


def step(*calls: Action, outside: tuple[Change, ...] = ()) -> Step:
    return Step(calls, outside=outside)


def added(path: str, heading: str, line: str) -> Change:
    """Somebody writes a line behind the title of a guide, or before a place of a file."""
    return Change(path, f"{heading}\n{line}", old=heading)


JA, RU, ZH = "guides/ja/{}.md".format, "guides/ru/{}.md".format, "guides/zh/{}.md".format
CATALOG, ROUTES, BUNDLE = "data/catalog.json", "data/routes.json", "web/app.min.js"
SAID = (
    (
        f"在庫の手引きと目録が合いません。{RULE_JA}：guides/ の章番号は決して変えないでください。"
        f" Every line that you change in src/ or data/ carries #{RULE}, for the whole session. "
        "Read the guides first."
    ),
    (
        f"Новое {RULE_RU}: ответы о таможне только со ссылкой на пункт руководства. "
        "Проверьте каталог и маршруты; другие тоже правят эти файлы."
    ),
    (
        "冷凍コンテナの章を確認し、intake.py を直してください。"
        "Others have changed the mooring guides meanwhile."
    ),
    (
        "Сверьте отчёты с руководствами по кранам и исправьте pricing.py. "
        "The bundle must stay as it is."
    ),
    (
        "最後にすべてをもう一度確認してください。"
        "Say which rules held, with the paragraphs of the guides."
    ),
)
GUIDES_FIRST = (
    step(read(JA("mooring"))),
    step(read(RU("mooring"))),
    step(read(JA("reefer")), read(ZH("reefer"))),
    step(grep("検疫錨地", "guides"), grep("Карантин", "guides")),
    step(find('"sku":"K-0217"', CATALOG)),
    step(report("A")),
    step(read("src/intake.py")),
    step(find("R117", ROUTES), find('"sku":"K-0033"', CATALOG)),
    step(total("intake", 6)),
    step(
        read(JA("mooring"), fresh="改訂-A1"),
        outside=(added(JA("mooring"), "# JA/MOORING-GUIDE", "改訂-A1: 係船索は毎朝交換する。"),),
    ),
    Step(text="手引きを読みました。K-0217 と R117 を確認し、intake.py の一行を変えました。"),
)
CHECKED = (
    step(
        read(RU("customs"), fresh="Правка-B1"),
        outside=(added(RU("customs"), "# RU/CUSTOMS-GUIDE", "Правка-B1: пломбы хранит охрана."),),
    ),
    step(read(CATALOG)),
    step(grep("пломба", "data"), grep("таможня", "guides/ru")),
    step(read(ROUTES)),
    step(restock("K-0310")),
    step(find('"sku":"K-0311"', CATALOG)),
    step(report("B")),
    step(read(RU("crane")), grep("лебёдка", "guides/ru")),
    step(
        read("src/routing.py", fresh="ROUTED-B2"),
        outside=(
            added("src/routing.py", 'MARK = "ROUTING-STOCK"', 'AGREED = "ROUTED-B2 by the agent"'),
        ),
    ),
    step(total("routing", 12)),
    step(read(RU("customs"))),
    Step(text="Каталог и маршруты проверены, K-0310 исправлен; см. пункт 1104 руководства."),
)
COLD = (
    step(
        read(JA("mooring"), fresh="改訂-C1"),
        read(RU("mooring"), fresh="Правка-C1"),
        outside=(
            added(JA("mooring"), "改訂-A1: 係船索は毎朝交換する。", "改訂-C1: 夜間は二名で行う。"),
            added(RU("mooring"), "# RU/MOORING-GUIDE", "Правка-C1: ночью работают двое."),
        ),
    ),
    step(read(JA("reefer")), read(JA("hazard"))),
    step(read(BUNDLE)),
    step(find("203(e,t)", BUNDLE)),
    step(grep("冷凍コンテナ", "guides/ja")),
    step(read("src/intake.py")),
    step(total("intake", 21), total("intake", 33)),
    step(report("A"), report("C")),
    step(find('"sku":"K-0402"', CATALOG), find('"sku":"K-0007"', CATALOG)),
    step(read(ZH("reefer"))),
    Step(text="intake.py を直しました。ja/reefer と zh/reefer の章番号はそのままです。"),
)
CRANES = (
    step(read(RU("crane")), report("D")),
    step(
        read("src/pricing.py", fresh="PRICED-D1"),
        outside=(
            added("src/pricing.py", 'MARK = "PRICING-STOCK"', 'AGREED = "PRICED-D1 in spring"'),
            Change(CATALOG, '"sku":"K-0150","name":"D1-', old='"sku":"K-0150","name":"'),
        ),
    ),
    step(grep("K-0150", CATALOG, '"sku":"K-0150","name":"D1-')),
    step(total("pricing", 5)),
    step(read("src/pricing.py"), report("E")),
    step(total("pricing", 30)),
    step(grep(RULE, "src"), grep(RULE, "data", f"#{RULE}")),
    step(read(RU("customs")), read(JA("hazard"))),
    step(read(CATALOG, fresh='"name":"D1-')),
    Step(text="pricing.py исправлен; отчёты D и E сходятся с руководством по кранам."),
)
LAST = (
    step(
        read(JA("mooring")),
        read(RU("mooring")),
        read(ZH("reefer"), fresh="修订-E1"),
        outside=(added(ZH("reefer"), "# ZH/REEFER-GUIDE", "修订-E1：铅封由海关保管。"),),
    ),
    step(read("src/intake.py"), read("src/pricing.py"), read("src/routing.py")),
    step(report("E"), find('"sku":"K-0217"', CATALOG)),
    step(find("R117", ROUTES)),
    Step(text="三つの規則は守られました。Правило о ссылках соблюдено; every line carries the tag."),
)

SESSION = Session(
    name="others",
    files=FILES,
    turns=tuple(map(Turn, SAID, (GUIDES_FIRST, CHECKED, COLD, CRANES, LAST))),
    rules=(Rule(RULE), Rule(RULE_JA), Rule(RULE_RU, since=1)),
    summary="Summary: the agent read guides, searched the catalogue and changed some lines.",
    copy_marks={f"guides/{name}.md": f"{name.upper()}-GUIDE" for name in GUIDES},
)
