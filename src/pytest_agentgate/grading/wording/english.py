"""English recovery wording."""

from __future__ import annotations

from .table import CLAUSE, GAP, Language, any_of, each, ends, words

NUMBER = r"(?:\d+|one|two|three|four|five|a couple of|a few)"
LEAD = (
    rf"(?:{CLAUSE}|\b(?:then|and|or|please|first|either|instead|just|simply|next|always|so"
    r"|otherwise|you (?:can|could|may|should|must)|(?:you|they) need to|try to)\s+)"
)
TRIES = r"(?:times?|attempts?|tries|try|retries|retry|failures?|resends?|timeouts?)"
NOT = (
    r"(?:do not|don't|never|must not|mustn't|should not|shouldn't|cannot|can't|without"
    r"|not to|no need to|refuse to|avoid)"
)
AGAIN = (
    r"\bagain\b|\bpersist|\bstill\b|\bcontinu|\bkeeps?\b|\brepeat|\bsecond\b|\bthird\b"
    r"|\btwice\b|\banother\b|\bfail|\bremain|\brecur|\bonce more\b|\brefused\b"
    r"|\bsame (?:error|result|answer|failure|message|problem)\b"
    r"|\b(?:does not|doesn't|did not|didn't|do not|don't) (?:help|work|fix|change|fit"
    r"|succeed|resolve|go away)"
    r"|\bno (?:luck|success|change|match|better)\b|\bnone\b|\bnothing\b"
    r"|\b(?:isn't|is not|aren't|are not) (?:fixed|resolved|back|solved)\b"
)
END = (
    r"stop\b(?! the (?:serv|proc|cont|data))|giv(?:e|ing) up|escalat(?:e|ing)\b|report"
    r"(?:ing)?\b|tell(?:ing)?\b|inform(?:ing)?\b|notify(?:ing)?\b|alert\b|ask(?:ing)?\b"
    r"(?! again)|hand(?:ing)?\b[^.;,\n]{0,20}?\b(?:over|off|back)\b|abort\b|abandon\b"
    r"|quit\b|halt\b|cease\b|leave (?:it|them|that|this)\b|skip (?:it|them|that|this)\b"
    r"|contact\b|hand (?:it|this|the \w+) to\b|move on\b"
    r"|(?:open|file|raise) an? (?:ticket|issue|bug|case)|say so\b"
    r"|(?:do not|don't|never) (?:retry|try|repeat|keep|loop|call|send|guess|go on"
    r"|resend"
    r"|attempt)|answer (?:without|that)|end (?:here|the|it)\b|stopping\b|treat (?:it"
    r"|th)"
)
REPEAT = (
    r"(?:re-?try(?:ing)?|repeat(?:ing)?|re-?send(?:ing)?|re-?run(?:ning)?|re-?submit"
    r"(?:ting)?|loop(?:ing)?|try(?:ing)? (?:again|it again|this again|further|any more"
    r"|other|another)|call(?:ing)? (?:it|this|the tool|\w+) again|poll(?:ing)?"
    r"|keep (?:re-?trying|trying|calling|polling|going))"
)
SOON = (
    r"(?! (?:immediately|right away|straight away|at once|too |so |yet|faster"
    r"|more often"
    r"|more than|within|in parallel|(?:before|until|for|in) (?:\w+ ){0,3}?(?:\d"
    r"|seconds?"
    r"|minutes?|a while)))"
)
WORKS = r"(?:works?|succeeds?|passes|responds|is (?:done|ready|up|back)|comes back)"

NOT_STOP = any_of(
    rf"\b{NOT} (?:ever )?(?:stop(?:ping)?|giv(?:e|ing) up|abort(?:ing)?|escalate|quit"
    rf"|hand(?:ing)? (?:it )?over|abandon)\b(?: (?:re-?)?trying)?",
    r"\bstop\b[^.;!?\n]{0,40}?\b(?:and|then)\b[^.;!?\n]{0,12}?\b(?:re-?)?"
    r"(?:start|launch|boot|run)\b",
    rf"\b(?:do not|don't|never) (?:{REPEAT})\b[^.;!?\n]{{0,25}}?\b(?:then|and|but) "
    r"(?:then )?(?:just |simply )?(?:retry|try again|repeat|resend)\b",
    rf"\b(?:until|till) (?:it|that|this|they|the \w+|you) {WORKS}\b[^.;!?\n]{{0,12}}"
    r"(?:\bstop\b)?",
    rf"\bstop (?:only )?(?:when|once|as soon as|after) (?:it|the \w+|that) {WORKS}\b",
)

STOP = ends(
    rf"(?:{LEAD}|\bto )stop(?=\s*(?:$|[.,;:!)\u2013\u2014\n]|(?:and|here|now|there"
    r"|immediately|retrying|trying|calling|looping|polling|repeating|sending|guessing"
    r"|searching|asking|after|if|when|rather|instead|further|any further|all (?:re|att)"
    r"|the (?:retr|loop|run|task|attempt|work))\b))",
    rf"\b(?:at most|no more than|not more than|a maximum of|max\.?|maximum|up to"
    rf"|limited"
    rf" to|only|no more often than)\s+(?:(?:re-?try|try|repeat|resend)\s+)?(?:once"
    rf"|twice"
    rf"|{NUMBER} (?:more |further )?{TRIES})\b(?! (?:the|it|you|that|this|an?|your|all"
    r"|every|\w+ (?:is|are|has|have))\b)",
    rf"\b(?:once|twice|{NUMBER} times) (?:only|at most|and no more|at the most|maximum)"
    r"\b",
    rf"\b(?:do not|don't|never|must not|should not|shouldn't|avoid|no point in"
    rf"|please do"
    rf" not) (?:simply |just |blindly |automatically |ever |attempt to |continue to "
    rf"|keep on )?{REPEAT}\b{SOON}",
    r"\b(?:rather than|instead of|without|not) (?:\w+ )?(?:re-?trying|looping|repeating"
    r"|resending|trying (?:again|further)|polling|guessing|calling it again)\b",
    r"\bno (?:further|more|additional|automatic)? ?(?:retries|retry|attempts?|tries)\b"
    r"(?! (?:were|was|have|had|made|limit|left))|\bno (?:further|more) calls\b",
    r"\b(?:retrying|repeating|trying again|another (?:try|attempt)|further \w+|a retry)"
    r" (?:(?:will not|won't|cannot|can't|does not|doesn't|would not) (?:help|work"
    r"|succeed"
    r"|change|fix)|is (?:pointless|useless|futile|no use))|\b(?:not"
    r"|non-?) ?retr[yi]able\b"
    r"|\b(?:cannot|can't|will not|won't) be \w+ by (?:re-?trying|repeating"
    r"|trying again)\b",
    rf"{LEAD}end (?:here\b|(?:the|this) (?:task|run|job|attempt|session)\b)",
    rf"{LEAD}(?:give up\b|escalate\b(?! (?:your )?priv)|hand (?:it|this"
    rf"|the \w+) (?:over"
    r"|off)\b|hand (?:over|off)(?= (?:to\b|the (?:task|case|job|work|req))|\s*[.,;]|$)"
    r"|abandon (?:it|the|this)|abort(?=\s*(?:$|[.,;]| and (?:tell|report|ask|inform)"
    r"| the (?:task|run|job|attempt))))",
    when=r"if|when|should|in case|whenever|unless|where",
    again=AGAIN,
    end=END,
    after=rf"after (?:the |an? |your )?(?:{NUMBER}|second|third|first|another|last)"
    rf" (?:more |further |failed |unsuccessful |consecutive )?{TRIES}\b"
    rf"|on (?:the |a )?(?:second|third|next) (?:{TRIES}|error|4\d\d|5\d\d)"
    rf"|(?:second|third|next) (?:{TRIES}|error|4\d\d|5\d\d)",
    once=rf"once|twice|one (?:more )?(?:retry|attempt|try|resend|time)|{NUMBER} {TRIES}"
    r"|a second time",
    then=r"then|otherwise|or else|afterwards|after that|before|and if not|if not",
)

VERBS = (
    "add|adjust|allow|append|apply|approve|ask|assign|attach|authenticate|authori[sz]e|"
    "avoid|broaden|browse|build|call|change|check|choose|clear|close|combine|configure|"
    "confirm|connect|consult|contact|convert|copy|correct|create|decrease|define"
    "|delete|"
    "deploy|disable|double-check|download|drop|edit|enable|encode|ensure|enter"
    "|escalate|"
    "examine|exclude|execute|expand|export|fall back|fetch|fill in|filter|find|fix"
    "|follow|"
    "free|get|give|go to|grant|grep|hand|include|increase|inform|inspect|install"
    "|invoke|"
    r"keep(?! (?:re-?try|try|going|call|poll))|leave|limit|list|load|log in|look|lower"
    r"|make|merge|move|name|narrow|notify|"
    "obtain|omit|open|page|pass|paste|pick|place|point|poll|prefer|prefix|provide|pull|"
    "push|put|query|quote|raise|re-?authenticate|re-?build|re-?connect|re-?create"
    "|redraw|"
    "re-?enter|refresh|re-?index|re-?install|re-?issue|reload|rename|renew|reorder|"
    "rephrase|replace|report|request|reset|restart|restore|re-?upload|rewrite|read|"
    "reduce|refer|remove|repair|resolve|restrict|resume|review|revoke|rotate|round|run|"
    "save|scan|search|see|select|send|set|shorten|shrink|sign in|simplify|skip|specify|"
    "spell|split|start|stop the|store|substitute|supply|switch|tell|test|trim|turn|"
    "type|unlock|unset|update|upgrade|upload|use|validate|verify|view|visit|widen|wrap|"
    "write|alert|cap|paginate|let|lengthen|reword|mount|export|sort|group|unblock|"
    "say so|do the|carry on|proceed|register|declare|describe|explain"
)
NOUN_LIKE = (
    r"(?!(?: (?!that|if|whether|the|an?|it|this|these|those|what|which|how|you|your"
    r"|one|all"
    r"|to|for|with|from|on|in|only|and|or|no)[\w-]+){0,2} (?:failed|fails|failure|is"
    r"|was"
    r"|are|were|has|had|cannot|could|did|does|returned|found|timed|timeout|rejected"
    r"|error"
    r"|aborted|occurred|crashed|(?:missing|unavailable|expired|denied)\s*(?:$|[.,;])"
    r"|not (?:found|allowed|supported|permitted|possible|available|set))\b)"
)

REMEDY = each(
    rf"\b{TRIES} (?:report|tell|inform|notify|ask|contact|escalate|alert)\b",
    rf"{LEAD}(?:{VERBS})\b{NOUN_LIKE}(?:\s+[^\s.,;]|\(|:\s*\S)",
    rf"{LEAD}try (?!again|later|it again|that again|this again|once more|harder)\S",
    rf"\b(?:re-?try|try|repeat|re-?send|re-?submit|re-?run|again"
    rf"|request) {GAP}\b(?:once"
    r"|twice|\d+ times|(?:two|three|five) times|only|at most|with(?:out)? (?!out)\w"
    r"|using"
    r" \w|after (?!some |a (?:while|moment|bit)|waiting\b(?! \d))\w|in (?:\d"
    r"|an? (?:minute"
    r"|hour)|one |two |five |ten )|at \d|tomorrow|more slowly)",
    rf"{LEAD}wait (?:for )?(?:at least |about )?(?:\d|until|one |two |five |ten "
    rf"|thirty "
    r"|an? (?:few )?(?:seconds?|minutes?|hour)|a few)",
    r"(?:^|\s)--[a-z]|^\s*\$ \S|^\s*[a-z][\w.-]*\([^)\n]*\)\s*\.?$"
    r"|^\s*[a-z]+(?:_[a-z0-9]+)+\s*$",
    r"\b(?:must|should|has to|have to|needs? to) be\b(?! (?:back|up|working|fine|ok"
    r"|resolved|available|fixed|temporary))",
    r"\b(?:valid|allowed|accepted|permitted|available|possible|supported"
    r"|known) (?:values?"
    r"|options?|choices?|tools?|names?|kinds?|formats?|keys?)\b|\bdid you mean\b"
    r"|\bone of:"
    r"|\bexpected (?:format|one of)\b|\b(?:\w+) (?:is|are) required\b",
)

ENGLISH = Language(
    name="en",
    words=words(
        "a an the is was are were be been it its this that these those and or not no "
        "of to "
        "in on at by for from with without if then else when while until after before "
        "again "
        "once twice retry retrying retries try tries stop stopping give up report "
        "tell user "
        "please error errors failed fails fail failure wrong something went could "
        "cannot "
        "can't don't do does did has have had you your we our they there here check "
        "use run "
        "start call wait add set drop create fix read write open close list search "
        "get send "
        "request response service server tool tools file files query filter value "
        "values "
        "missing invalid unknown found available allowed timeout timed out connection "
        "rate "
        "limit later soon only more further than rather instead one two three first "
        "second "
        "any all each other another same new ask contact support hand over escalate "
        "abort "
        "abandon increase reduce broaden rephrase narrow select pick choose provide "
        "specify "
        "restart install update upgrade sign login access denied permission network "
        "internal "
        "unexpected problem message result results empty operation id key name number "
        "docs "
        "crashed sorry oops attempts attempt times never always still persists "
        "fallback "
        "page data index config seconds minutes skip leave resend repeat verify "
        "confirm "
        "supply keep trying looping loop forever going raised exception exceptions "
        "configure enable remove replace change correct move save load login let us"
    ),
    not_stop=NOT_STOP,
    stop=STOP,
    not_remedy=any_of(
        r"\bwait (?:a )?(?:moment|while|bit)\b",
        rf"\b(?:do not|don't|never) {REPEAT}\b[^.;!?\n]{{0,60}}",
    ),
    remedy=REMEDY,
    vague=words(
        "a an the and or of to in on at by for from with is was were are be been it "
        "its this "
        "that there has have had did do does not no could couldn't cannot can't can't "
        "be "
        "didn't doesn't i we you your our my me us some kind something anything "
        "somewhere "
        "somehow went goes wrong inside here error errors erroneous occurred occurs "
        "happened "
        "encountered raised while during when running run executing execute execution "
        "processing process processed complete completed finish perform performing "
        "tool tools "
        "function operation action task request call command job step method failed "
        "fails "
        "fail failure failing failures crashed crash broke broken unsuccessful "
        "unsuccessfully "
        "successfully success unexpected unexpectedly unknown unspecified undefined "
        "general "
        "generic internal fatal critical system exception problem issue trouble sorry "
        "oops "
        "apologies apologize inconvenience please try trying again later soon retry "
        "contact "
        "support team see check logs log details detail more information message "
        "status code "
        "reason result warning returned unable able so too just as but if what e err "
        "null none "
        "nothing server service http response get post"
    ),
    cause=any_of(
        r"\d{3}",
        r"\btime(?:d )?-?out|\bdenied\b|unauthori[sz]ed|\bforbidden\b|\bmissing\b"
        r"|\bexpired\b"
        r"|unreachable|\bunavailable\b|\brefused\b|\binvalid\b|\bnot found\b|disconnect"
        r"|\boffline\b|\bempty\b|\bblank\b|\bquota\b|\blimit|\bexists?\b|duplicate"
        r"|unsupported|\bnetwork\b|overload|\bdown\b|\bclosed\b|\bno (?!reason|idea)\w+"
        r"|\b(?:unknown|no such|unrecogni[sz]ed|unexpected) (?:tool|argument|param|key"
        r"|name"
        r"|field|value|option|command|id\b|type|column|host|user)",
    ),
)
