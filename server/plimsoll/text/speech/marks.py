"""Signs of pasted text: of a mail, a file, a log, a block, another agent's turn.

Any of them is enough: asking about a rule costs one key, a rule that a page smuggled in costs more.
"""

import re
from collections.abc import Iterator

_LINE_BEGINS = r"""
    ^[ \t]*(?:>|\|)                                     # a quotation, a table
  | ^[ \t]*(?:```|~~~)                                  # a block of code
  | ^(?:[ ]{4,}|\t+)(?![-*\u2022]|\d+[.)])\S            # a block that is set in
  | ^[ \t]*\#{1,6}[ \t]*\w                              # the heading of a page
  | ^[ \t]*(?:={3,}|-{3,}|\*{3,}|_{3,})                 # a rule of a page
  | ^[ \t]*(?:diff[ ]--git|@@|[+-]{3}[ ]|\+(?!\d))      # a diff
  | ^[ \t]*(?://|/\*|<!--|--[ ]\w|;;|\#!)               # a comment in a file
  | ^[ \t]*[\[{]\s*["'\[{]|^[ \t]*"[\w .-]+"[ \t]*:      # JSON
  | ^[ \t]*[*_]{0,2}(?:from|to|cc|bcc|subject|date|sent|reply-to|von|an|betreff|gesendet|datum
      |de|para|asunto|objet|à|oggetto|da|件名|差出人|宛先|发件人|收件人|主题|тема|от|кому)
      [ \t]*[:\uff1a][*_]{0,2}[ \t]*\S                  # the header of a mail
  | ^[ \t]*-{2,}[ ]*(?:original|forwarded|ursprüngliche|weitergeleitete|message)\b
  | ^[ \t]*(?:on|am|le|el|il)[ ].{6,80}[ ](?:wrote|schrieb[^:\n]{0,60}|écrit|escribió|scritto)[ ]?:
  | ^[ \t]*\[?(?:\d{4}-\d\d-\d\d[ T]*)?\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?Z?(?:[ ]?[ap]m)?\]?
      [ \t,-]+\S
  | ^[ \t]*\[?\d{4}-\d\d-\d\d\]?[ \t]+(?:[A-Z]{4,7}\b|\[)  # a log
  | ^[ \t]*[\[(]?(?:INFO|WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL|NOTICE|CRITICAL)[\])]?[ \t]*[:\]|\t-]
  | ^[ \t]*<[\w.@ -]{1,40}>[ \t]+\S                     # a chat
  | ^[ \t]*[\w.@-]{1,40}[ \t]+[\[(]?\d{1,2}:\d\d(?:[ ]?[ap]m)?[\])]?[ \t]*(?::|$)
  | ^[ \t]*[\[(<*_"'`\#]{0,3}(?:user|human|assistant|system|developer|ai|bot|agent|model|tool
    |function
      |claude|chatgpt|gpt|copilot|customer|client|support|operator|admin|boss|speaker|moderator
      |memor(?:y|ies)|pinned|reminder[ ]from|system[- ]reminder
      |benutzer|nutzer|assistent|kunde|utilisateur|client|usuario|asistente|utente|usuário
      |пользователь|ассистент|用户|助手|系统|ユーザー?|アシスタント|システム|사용자)
      (?:[ ]?\#?\d+|[ ]\([^)\n]{1,30}\))?[\])>*_"'`]{0,3}[ \t]*(?:[:\uff1a]|[\])>])
  | ^[ \t]*\[(?:/?[A-Z]{3,}|attached|end[ ]of|pinned|system|summary|earlier)\b[^\]\n]{0,60}\]
  | ^[ \t]*(?:q|a|r|f)[ \t]*[:\uff1a][ \t]+\S                # questions and answers
"""
_DOCUMENT = r"""
    \bsession[ ]is[ ](?:being[ ])?continued\b|\bprevious[ ]conversation\b
  | \bthe[ ]user[ ](?:has[ ])?(?:approved|allowed|agreed|said|asked|wants?|prefers?|confirmed)\b
  | \(?\b(?:pinned|approved|saved|remembered)[ ]by[ ]the[ ]user\b
  | ^[ \t]*(?:conversation[ ])?(?:summary|zusammenfassung|résumé|resumen|要約|摘要)[ \t]*[:\uff1a]
  | ^[ \t]*(?:dear|sehr[ ]geehrte\w*|liebe[rs]?|guten[ ]tag|cher|chère|estimad[oa]s?|querid[oa]s?
      |gentile|caro|cara|prezad[oa]|уважаем\w+|尊敬的|拝啓)\b[^.!?\n]{0,40}(?:[,!:]|$)
  | ^[ \t]*(?:hi|hello|hey|hallo|moin|bonjour|hola|ciao|привет|good[ ](?:morning|day|evening))
      (?:[ ](?:all|team|everyone|everybody|folks|there|zusammen|(?-i:[A-Z])\w+)){0,3}[ \t]*,[ \t]*$
  | お世話になっております|您好[,:\uff0c\uff1a]
  | ^[ \t]*(?:(?:best|kind|warm|many)[ \t]*)?(?:regards|wishes)\b[^\n]{0,40}$
  | ^[ \t]*(?:yours[ ]|sincerely|respectfully|mit[ ](?:freundlichen|besten)[ ]grüßen
      |(?:viele|beste|liebe|schöne)[ ]grüße|mfg\b|lg\b|vg\b|cordialement|bien[ ]à[ ]vous
        |atentamente
      |(?:un[ ])?(?:cordial[ ])?saludos?|cordiali[ ]saluti|\u0441[ ]уважением|敬具|此致)[^\n]{0,40}$
  | ^[ \t]*(?:cheers|thanks|thank[ ]you|best|danke|grüße|merci|gracias)[,!]?[ \t]*\n+[ \t]*
      (?-i:[A-Z])\w+(?:[ ](?-i:[A-Z])\w+)?[.]?\s*\Z
  | ^--[ \t]*$|^[ \t]*[\u2013\u2014][ ]?(?-i:[A-Z])\w+(?:[ ](?-i:[A-Z])\w+)?\s*\Z
  | \bsent[ ]from[ ]my\b|\bvon[ ]meinem[ ]\w+[ ]gesendet\b
"""
_FLAGS = re.IGNORECASE | re.MULTILINE | re.VERBOSE
_BEGINS = re.compile(_LINE_BEGINS, _FLAGS)
_WHOLE = re.compile(_DOCUMENT, _FLAGS)
_TAG = re.compile(r"(?<![\w`'\"])</?[A-Za-z_][\w:.-]{0,60}(?:\s[^<>\n]{0,200})?/?>")
"""A tag, but not one directly after a word (`List<int>`) or a mark of code."""
_PAIR = re.compile(r"<([A-Za-z_][\w:.-]{0,60})(?:\s[^<>\n]{0,200})?>[^<>]*\s[^<>]*\s[^<>]*</\1\s*>")
"""Tags around three words or more."""
_FLAG_SIGN = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
_HIDDEN = re.compile(
    "[\U000e0000-\U000e007f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufff9-\ufffb]"
)
"""Invisible characters: tags, marks of direction, blanks without width."""


def is_document(message: str) -> bool:
    """Tell whether a whole text has the form of a mail, a summary or a hidden text."""
    hidden = _HIDDEN.search(_FLAG_SIGN.sub("", message))
    return hidden is not None or _WHOLE.search(message) is not None


def pasted_from(message: str) -> int | None:
    """Return the offset from which a message looks pasted; None if no part does."""
    found = [*_tags(message)]
    line = _BEGINS.search(message)
    if line is not None:
        found.append(line.start())
    return min(found, default=None)


def _tags(message: str) -> Iterator[int]:
    pair = _PAIR.search(message)
    if pair is not None:
        yield pair.start()
    for tag in _TAG.finditer(message):
        before = message[message.rfind("\n", 0, tag.start()) + 1 : tag.start()]
        behind = message[tag.end() :].partition("\n")[0]
        if not before.strip() or not behind.strip():
            yield tag.start()
            return
