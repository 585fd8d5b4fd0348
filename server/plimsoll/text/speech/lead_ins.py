"""Phrases with which people introduce rules of their own or a pasted text, and small talk.

And what they say beside, as "Thanks."
"""

import re

from plimsoll.text.instruction_words import HEADING

_FLAGS = re.IGNORECASE | re.VERBOSE

_BESIDE = r"""(?:
    (?:many[ ])?thank(?:s|[ ]you)?(?:[ ](?:so|very)[ ]much|[ ]a[ ]lot|[ ]for[ ]\w+(?:[ ]\w+)?)?
      | thx | cheers
  | ok(?:ay)? | great(?:[ ](?:work|job))? | good(?:[ ](?:work|job|morning|evening|day|point))?
    | nice(?:[ ](?:work|one))?
  | perfect | fine | cool | super | awesome | excellent | well[ ]done | got[ ]it | (?:sounds
    |looks)[ ](?:good|great|right)
  | lgtm | hi(?:[ ]there)? | hello(?:[ ]there)? | hey(?:[ ]there)? | yes | yep | yeah | no
    | nope | right | sure
  | alright | all[ ]right | please | sorry | oh | hm+ | and | also | so | well | but | now
    | by[ ]the[ ]way | btw
  | (?:just[ ])?one[ ](?:more|other|last)[ ](?:thing|rule|request|note) | another[ ]thing
    | p\.?[ ]?s\.?
  | (?:that|this|it)(?:'s|[ ]is|[ ]was|[ ]looks|[ ]works)?[ ](?:all[ ]|much[ ]|very[ ]|really[ ])?
    (?:great|good|fine|nice|perfect|better|right|well|works?|enough)(?:[ ]now|[ ]so[ ]far)?
  | danke(?:[ ](?:dir|schön|sehr))? | vielen[ ]dank | gut(?:en[ ](?:morgen|tag|abend))? | prima
    | ja | nein | hallo | moin
  | bitte | alles[ ]klar | genau | passt | noch[ ](?:et)?was | und | merci | bonjour | d'accord
    | gracias | hola | vale
  | grazie | ciao | obrigad[oa] | olá | спасибо | привет | хорошо
  | ありがとう(?:ございます|ございました)? | こんにちは | はい | いいえ | 了解(?:です|しました)?
    | わかりました
  | いいですね | よろしく(?:お願いし(?:ます|たします))? | お願いします | お疲れ様です | あと
    | それと
  | 谢谢(?:你)? | 你好 | 好的? | 감사합니다 | 안녕하세요 | 네
)"""
_SMALL_TALK = re.compile(
    rf"^\W*(?:{_BESIDE}[\s,.!;\u2013\u2014\u3001\u3002\uff01:)\U0001f300-\U0001faff-]*){{1,5}}$",
    _FLAGS,
)

_MANY = r"""(?:two|three|four|five|six|\d+|a[ ]few|a[ ]couple(?:[ ]of)?|some|several|my|our|the
  |these|more|other|following|general|basic|simple|short|quick|small|important|ground|house|zwei
  |drei|vier|fünf|ein[ ]paar|einige|meine|unsere|folgende|noch|deux|trois|quelques|mes|nos|dos
  |tres|unas?|algunas|mis|nuestras)"""
_THINGS = r"""(?:things|rules|points|requests|notes|wishes|conventions|requirements|constraints
  |preferences|reminders|guidelines|principles|remarks|items|habits|dos[ ]and[ ]don'?ts|dinge
  |sachen|regeln|punkte|hinweise|bitten|wünsche|vorgaben|choses|règles|points|consignes|cosas
  |reglas|puntos|normas)"""
_COUNTED = re.compile(
    rf"""^\W*(?:(?:ok(?:ay)?|please|also|and|so|just|hi|hello|hey|bitte|also
      |here[ ]are)[\s,!]+){{0,2}}
    (?:{_MANY}[ ]+){{1,3}}(?:\w+[ ]){{0,2}}?{_THINGS}(?:[ ](?:for|in|about|on|of|to|für|zu|in|im
      |pour|para)[ ][\w ]{{1,40}})?
      (?:[ ](?:please|bitte|first|vorab))?$
  | ^\W*{_THINGS}(?:[ ](?:for|in|für|pour|para)[ ][\w ]{{1,40}})?$
  | ^(?:お願い|ルール|規則|決まり|約束|注意点|方針)(?:が|は|を|です|[一二三四五\d]つ|いくつか
    |あります|\s)*$
  | ^(?:[一二三四五\d]つ|いくつか)(?:の|ほど)?(?:お願い|ルール|規則|決まり|注意点|こと)(?:が|は
    |です|あります)*$
  | ^(?:两|三|几|\d)(?:点|条|件)(?:事|规则|要求|注意)?$|^(?:规则|要求|注意事项)$""",
    _FLAGS,
)
"""Announces that rules follow, or how many."""
_ANNOUNCED = re.compile(
    r"""^\W*(?:(?:ok(?:ay)?|please|also|and|so|but|hi|hello|hey|bitte|und)[\s,!]+){0,2}(?:
    (?:just[ ])?one[ ](?:more|other|last)?[ ]?(?:thing|rule|request|note|wish)|another[ ](?:thing
      |rule|one)
  | from[ ]now[ ]on|going[ ]forward|in[ ](?:the[ ])?future|always|never|in[ ]general|generally
    |as[ ]a[ ]rule|by[ ]default
  | (?:please[ ])?(?:remember|note|keep[ ]in[ ]mind|don'?t[ ]forget
    |bear[ ]in[ ]mind)(?:[ ](?:this|that))?
  | important|note|reminder|rule|(?:new|house|style|team)[ ]rule|request|preference
    |my[ ]preference|decision|decided|agreed|p\.?s\.?
  | for[ ](?:the[ ]record|future[ ]reference|next[ ]time|now)
  | (?:for|in|on|with|about)[ ](?:this|the|all|every|each|any|our|my|new
    |both)?[ ]?(?:[\w./-]+[ ]?){1,4}
  | when(?:ever)?[ ](?:you|we|i|writ|nam|chang|add|commit|test|edit|in[ ]doubt)[\w ./-]{0,60}
    |(?:before|after)[ ](?:you|we|each|every|any)[\w ./-]{0,50}
  | ab[ ](?:jetzt|sofort)|von[ ](?:jetzt|nun)[ ]an|künftig|in[ ]zukunft|grundsätzlich|immer
    |nie(?:mals)?|bitte|wichtig|merke?[ ]dir|denk[ ]daran
  | (?:noch[ ])?eine[ ](?:bitte|regel|sache)|noch[ ](?:et)?was|(?:für|in|bei)[ ](?:diese[nmrs]?
    |die|das|dem|den|alle|unsere[nmrs]?)[ ][\w -]{1,40}
  | dorénavant|désormais|à[ ]partir[ ]de[ ]maintenant|important|toujours|une[ ]règle
    |a[ ]partir[ ]de[ ]ahora|importante|siempre|recuerda|una[ ]regla
  | 今後(?:は)?|これから(?:は)?|以後|重要|注意|お願い|覚えておいて(?:ください)?|もう一つ|あと一つ
    |从现在起|以后|今后|重要|记住|请记住
  )$""",
    _FLAGS,
)
_OF_OTHERS = re.compile(
    r"""\b(?:from|by|of|says?|said|wrote|writes|according|mails?|e-?mails?|messages?[ ]from
      |letter|texts?|page|readme
    |article|customers?|clients?|vendor|colleague|boss|transcript|log|paste|quote|von|laut
      |kunden?|schreibt|sagt|mail|brief
    |courriel|correo|cliente?)\b|メール|顧客|邮件|客户""",
    _FLAGS,
)

_NOUN = r"""(?:e-?mails?|mails?|messages?|letters?|texts?|articles?|pages?|posts?|doc(?:ument
  |s)?s?|notes?|comments?|tickets?|issues?
    |logs?|outputs?|transcripts?|threads?|chats?|repl(?:y|ies)|answers?|paragraphs?|sections?
      |snippets?|read-?me|specs?|reports?
    |reviews?|proposals?|drafts?|conversations?|paste|clipboard|errors?|traces?|summary|feedback
      |newsletters?|contracts?
    |polic(?:y|ies)|guidelines?|instructions?|minutes|quotes?|statements?|prompts?|sentences?
      |bullets?|points
    |nachricht(?:en)?|brief|artikel|seite|beitrag|dokument|protokoll|ausgabe|absatz|abschnitt
      |notiz|anfrage|text
    |courriel|lettre|texte|document|correo|carta|texto|mensaje|testo|messaggio)"""
_DEAL = r"""(?:summar(?:i[sz]e|y)|sum[ ]up|translate|proof-?read|rephrase|paraphrase|rewrite
  |reword|shorten|condense|tl;?dr|explain|analy[sz]e
    |review|read|check|look(?:[ ]at)?|have[ ]a[ ]look|take[ ]a[ ]look|see|comment|answer|reply
      |respond|classify|extract|format|correct|improve
    |polish|parse|convert|evaluate|rate|consider|process|digest|discuss|tell[ ]me[ ]what
      |find[ ]the|spot|list[ ]the|what(?:'s|[ ]is|[ ]does|[ ]do|[ ]are)
    |fasse?|übersetz\w*|lies|lese|schau\w*|sieh|prüfe?\w*|erklär\w*|korrigier\w*|kürz\w*
      |beantworte?\w*|analysier\w*|kommentier\w*|bewerte?\w*
    |résume\w*|tradui\w*|lis|regarde\w*|explique\w*|corrige\w*|resum\w*|traduc\w*|traduz\w*|lee
      |leia|mira|explica\w*|riassum\w*|leggi|guarda)"""
_GIVEN = r"""(?:this|that|these|those|it|following|below|attached|above|diese[nmrs]?|das
  |folgende[nmrs]?|ce(?:tte|t|s|ci)?|est[ea]s?|esto|quest[oaie]|isto)"""
_HANDS_OVER = re.compile(
    rf"""^\W*(?:(?:please|can|could|would|will|you|pls|kindly|bitte|kannst|könntest|du|mal
      |quickly|now|just|ok(?:ay)?|hi|hello|hey)[\s,]+){{0,4}}
      {_DEAL}\b.{{0,60}}?\b(?:{_GIVEN}|{_NOUN})\b
  | ^\W*{_DEAL}\W*$
  | \bhere(?:'s|[ ]is|[ ]are|[ ]comes?)\b|\b(?:i|we)(?:'ve|[ ]have)?[ ](?:just[ ])?(?:got
    |received|found|copied)\b
  | \b(?:wrote|writes|sent[ ](?:me|us|this)|forwarded|pasted?|quoting|as[ ]follows)\b
  | \bwhat[ ](?:do|does|did|would|about|is|'s)\b.{{0,30}}\b(?:think|make|mean|say|opinion|this
    |that|it|these)\b
  | ^\W*(?:thoughts|any[ ](?:thoughts|ideas|comments)|opinions?|comments?|ideas)\b
  | \b(?:is|are|does|do)[ ](?:this|that|it|these|those)\b.{{0,20}}\b(?:right|correct|true
    |ok(?:ay)?|good|fine|safe|sense|legit|real)\b
  | \b(?:text|mail|message|page|log|file|note|quote|paste)[ ](?:below|above|follows)\b
    |\bfollowing\b|\bbelow\b|\babove\b
  | ^\W*(?:the[ ]|an?[ ]|my[ ]|our[ ]|this[ ]|their[ ]|his[ ]|her[ ]|from[ ]
    |re[ ])?(?:\w+[ ']){{0,3}}{_NOUN}\W*$
  | \b(?:customer|client|boss|colleague|vendor|manager|supplier|kunde|chef|kolleg\w+)\b
  | \bhier[ ](?:ist|sind|kommt|die|der|das|ein)\b|\bwas[ ](?:hältst|meinst|denkst|sagst|bedeutet
    |steht)\b|\bzusammen(?:fassen)?\W*$
  | \bfolgende\w*\b|\b(?:unten|oben)(?:stehend\w*)?\b|\bschr(?:ieb|eibt)\b
  | \bvoici\b|\bvoilà\b|\bqu(?:e|'en)[ ](?:en[ ])?penses?\b|\bci-dess(?:ous|us)\b|\baquí\b
    |\b(?:qué|que)[ ](?:te[ ]parece|piensas|opinas)\b
  | \becco\b|\bcosa[ ]ne[ ]pensi\b|\bo[ ]que[ ](?:você[ ])?acha\b|\baqui[ ]está\b|\b(?:abajo
    |siguiente|seguente|seguinte|suivante?)\b
  | 要約|翻訳|訳して|読んで|見て|確認して|添削|校正|どう思|次の|以下|これ(?:を|は|について)
    |この(?:メール|文|テキスト|記事)|メール|届き
  | 总结|總結|概括|翻译|翻譯|以下|下面|这封|这段|怎么看|请看|阅读|邮件|客户|认为
  | перескаж|перевед|прочита|\bв\u043eт\b|дума(?:ешь|ете)|ниже|выше|письм|посмотри|요약|번역|다음
    |아래
    |읽어|생각""",
    _FLAGS,
)
_BACK = re.compile(
    r"""\b(?:above|preceding|previous[ ](?:text|mail|message|paragraph)|obe?n|obige\w*
      |vorstehend\w*|ci-dessus|arriba|anterior
    |sopra|acima|выше|this[ ](?:mail|e-?mail|text|message|page|article))\b|上記|上の|以上の|上面
      |위""",
    _FLAGS,
)


def is_small_talk(text: str) -> bool:
    """Tell whether a text is only small talk ("Thanks.") or an announcement of the next text."""
    return _SMALL_TALK.match(text) is not None


def announces_rules(head: str) -> bool:
    """Tell whether a phrase announces several rules: "Two things", "Our rules for commits"."""
    said = head.strip().rstrip(":\uff1a")
    if _OF_OTHERS.search(said):
        return bool(HEADING.match(f"{said}:"))
    return bool(HEADING.match(f"{said}:")) or _COUNTED.match(said) is not None


def leads_in(head: str) -> bool:
    """Tell whether a phrase introduces a person's own words: "From now on", "For commits"."""
    said = head.strip().rstrip(":\uff1a")
    if announces_rules(said):
        return True
    return _ANNOUNCED.match(said) is not None and not _OF_OTHERS.search(said)


def hands_over(head: str) -> bool:
    """Tell whether a phrase introduces a pasted text, or asks for an opinion of one."""
    return _HANDS_OVER.search(head) is not None


def refers_back(text: str) -> bool:
    """Tell whether a text asks for something with the text before it."""
    return _BACK.search(text) is not None
