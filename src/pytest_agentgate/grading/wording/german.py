"""German recovery wording."""

from __future__ import annotations

from .table import CLAUSE, Language, any_of, each, ends, words

NUMBER = r"(?:\d+|ein(?:em|er|en|e)?|zwei|drei|vier|fünf|mehreren|wenigen)"
LEAD = rf"(?:{CLAUSE}|\b(?:dann|und|oder|bitte|zuerst|danach|sonst|andernfalls)\s+)"
TRIES = r"(?:versuch\w*|wiederholung\w*|fehlversuch\w*|fehlschl\w+|mal|anlauf|anläufen)"
END = (
    r"abbrechen|abzubrechen|brich|brechen sie|aufhören|hör(?:e|en sie)? auf|aufgeben"
    r"|gib\b[^.;,\n]{0,25}\b(?:auf|bescheid|weiter|zurück)|geben sie|stoppen|stopp\b"
    r"|anhalten|halte? an|beenden|beende\b|meld(?:en|e)\b|informier\w+|benachrichtig\w+"
    r"|bescheid|weitergeben|übergeben|übergib|eskalier\w+|nachfragen|frag(?:e|en)?\b"
    r"|wende(?:n|t)?\b|kontaktier\w+|mitteilen|teile\b|nicht (?:erneut|wieder|noch"
    r"|weiter)"
    r"|nicht mehr|keine? weiter\w+|weglassen|überspringen|lass(?:e|en)?\b|ablassen"
    r"|schluss\b|hinweisen|sag(?:e|en)?\b"
)
REPEAT = (
    r"(?:wiederholen|versuchen|aufrufen|senden|probieren|abschicken|ausführen|abfragen"
    r"|aufzurufen|probiert|versucht|wiederholt)"
)
REPEATED = (
    r"(?:unverändert|nochmals?|noch einmal|erneut|weiter|wieder|endlos|blind|mehr)"
)

GERMAN = Language(
    name="de",
    words=words(
        "der die das den dem des ein eine einen einem einer und oder nicht kein keine "
        "keinen "
        "ist sind war wurde wird werden wenn falls sofern dann danach sonst erneut "
        "wieder "
        "nochmals noch einmal zweimal nur höchstens maximal nach vor bei mit ohne auf "
        "für von "
        "zu zum zur bitte sie es im ins am um statt anstatt immer bis später versuchen "
        "versuche versuch versuchs versuchen wiederholen wiederhole abbrechen brich "
        "melden "
        "melde dienst fehler fehlgeschlagen aufgetreten unbekannter etwas schief "
        "gelaufen "
        "nutzer benutzer anwender person prüfen prüfe starten starte anfrage filter "
        "weglassen "
        "verwenden verwende aufgeben niemals schlägt fehlschlägt konnte kann können "
        "sollte "
        "muss müssen unverändert weitere weiteren warten warte angeben wählen "
        "übergeben "
        "stoppen stopp anhalten eskalieren informieren hilfe entschuldigung ungültig"
    ),
    not_stop=any_of(
        r"\b(?:nicht|niemals|nie|keinesfalls|ohne) (?:aufgeben|aufzugeben|aufhören"
        r"|aufzuhören"
        r"|abbrechen|abzubrechen|stoppen|zu stoppen|anhalten|beenden|eskalieren)\b",
        r"\b(?:gib|geben sie|hör|höre|hören sie|brich|brechen sie|stoppe|stoppen sie"
        r"|halte)"
        r" (?:es |das |den vorgang )?(?:nicht|nie|niemals)(?: (?:auf|ab|an))?\b",
        r"\bbis (?:es|er|sie|das|der \w+) (?:klappt|funktioniert|geht|gelingt|antwortet"
        r"|läuft)\b[^.;!?\n]{0,12}(?:abbrechen|aufhören|stoppen)?",
        r"\b(?:dienst|server|prozess|container|datenbank)\b[^.;!?\n]{0,20}?(?:stoppen"
        r"|anhalten|beenden)\b",
        r"\b(?:stoppen|anhalten|beenden|stopp\w*)\b[^.;!?\n]{0,40}?(?:neu )?starten\b",
        r"\bstopp(?:wörter|wort|uhr)\w*",
        rf"\bnicht {REPEATED} {REPEAT},? (?:dann|und|aber) (?:dann )?(?:erneut "
        rf"|noch einmal )?"
        rf"{REPEAT}",
        r"\btransaktion abbrechen\b",
    ),
    stop=ends(
        rf"\b(?:höchstens|maximal|max\.?|nicht (?:mehr|öfter) als|nur|bis zu|genau)"
        rf" (?:noch )?(?:einmal|zweimal|dreimal|{NUMBER}[ -]?(?:weiteren? )?{TRIES})\b"
        r"(?! (?:der|die|das|sie|es|wenn))",
        rf"\bnicht (?:{REPEATED} ){{0,3}}{REPEAT}\b(?<!nicht versuchen)",
        r"\b(?:wiederhole?n?|versuche?n?|sende?n?|rufe?n?"
        r"|probiere?n?)\b[^.;!?\n]{0,40}?"
        r"\bnicht (?:unverändert|nochmals?|noch einmal|erneut|weiter|wieder|mehr"
        r"|endlos)\b",
        r"\bkeine?n? (?:weiteren?|erneuten?|neuen?|zusätzlichen?) (?:versuche?"
        r"|wiederholung"
        r"|aufrufe?|anläufe)|\bkeine wiederholung|\bwiederholen (?:hilft|bringt) nicht",
        r"\b(?:an)?statt\b[^.;!?\n]{0,25}?(?:zu wiederholen|zu versuchen|zu probieren"
        r"|aufzurufen)",
        rf"{LEAD}(?:abbrechen|aufgeben|aufhören|brich (?:hier |den vorgang "
        rf"|die aufgabe )?ab"
        r"|brechen sie (?:hier |den vorgang |die aufgabe |bitte )?ab|gib auf"
        r"|geben sie auf"
        r"|hör(?:en sie)? auf|stopp(?=[.,;:!]|$| und| hier)|hier (?:stoppen|aufhören)"
        r"|anhalten und|stoppen und|eskalier\w+)",
        r"\b(?:vorgang|aufgabe|lauf|versuche?|bearbeitung) (?:hier "
        r"|sofort )?(?:abbrechen"
        r"|beenden|einstellen)\b",
        r"\ban (?:einen menschen|eine person|einen mitarbeiter|das team|den support)"
        r"[^.;\n]{0,15}(?:übergeben|weitergeben|abgeben)",
        when=r"wenn|falls|sofern|sollte|sollten|bei|schlägt|bleibt|tritt|scheitert|klappt"
        r"|hilft",
        again=r"erneut|\bwieder\b|nochmal|noch einmal|weiterhin|immer noch|bestehen"
        r"|bleib"
        r"|fehlschlägt|fehlschlagen|\bfehl\b|scheiter|misslingt|zweiten|dritten|zweites"
        r"|\bnicht (?:klappt|hilft|funktioniert|geht)|auch das|\bdas nicht|fortbesteh"
        r"|anhält|\bweiter\b|wiederhol|nichts",
        end=END,
        after=rf"nach (?:dem |der |den )?(?:{NUMBER}|zweiten|dritten|weiteren|ersten)"
        rf"[ -](?:weiteren |erfolglosen |vergeblichen |gescheiterten )?{TRIES}"
        r"|nach (?:ein|zwei|drei|\d+)mal\b|nach (?:ein|zwei|drei|mehr)maligem \w+",
        once=rf"(?:noch )?(?:einmal|zweimal|dreimal|{NUMBER} (?:weiteren? )?{TRIES})",
        then=r"dann|danach|anschließend|sonst|ansonsten|andernfalls|bevor|ehe",
    ),
    not_remedy=any_of(
        r"\bnicht (?:mit|ohne) [^.;!?\n]{0,60}\b(?:wiederholen|versuchen|senden)\b",
        r"(?<!sie )(?<!du )\b(?:konnten?|kann|können|ließ|wurden?|wird|werden)\b"
        r"(?! (?:sie|man|du)\b)[^.;!?\n]{0,200}",
    ),
    remedy=each(
        r"\b(?:starten|ausführen|prüfen|überprüfen|verwenden|benutzen|nutzen|setzen"
        r"|angeben"
        r"|eingeben|hinzufügen|ergänzen|anlegen|erstellen|entfernen|weglassen|löschen"
        r"|ändern"
        r"|anpassen|korrigieren|beheben|wählen|auswählen|aufrufen|anmelden|installieren"
        r"|konfigurieren|erhöhen|verringern|verkürzen|kürzen|eingrenzen|einschränken"
        r"|erweitern|umformulieren|öffnen|schließen|melden|informieren|fragen"
        r"|nachfragen"
        r"|kontaktieren|wenden|übergeben|weitergeben|laden|aktivieren|deaktivieren"
        r"|freigeben"
        r"|erneuern|ersetzen|aufteilen|suchen|lesen|nachsehen|eintragen|indizieren"
        r"|aktualisieren|eskalieren|benachrichtigen|eskalieren|umstellen|einrichten"
        r"|weiten"
        r"|fassen|beantragen|mitteilen|bescheid (?:geben|sagen))(?= sie\b|\s*(?:$"
        r"|[.,;:!)]"
        r"|und\b|oder\b|,))",
        rf"{LEAD}(?:starte|prüfe|überprüfe|verwende|nutze|benutze|setze|gib|füge|lege"
        r"|erstelle|entferne|lasse?|lösche|ändere|korrigiere|behebe|wähle|rufe?|melde"
        r"|installiere|erhöhe|verringere|kürze|grenze|erweitere|formuliere|öffne"
        r"|schließe"
        r"|informiere|frage?|kontaktiere|wende|übergib|lade|aktiviere|ersetze|teile"
        r"|suche"
        r"|lies|trage|führe|benachrichtige|eskaliere|passe|richte|sage?|schränke) \S",
        r"\b(?:wiederhol\w*|versuch\w*|senden|sende"
        r"|erneut)\b[^.;!?\n]{0,40}?(?:(?<!noch )"
        r"\beinmal|\bzweimal|\bdreimal|\bmit \w|\bohne \w|\bnach (?:\d|der |dem )|\bin "
        r"(?:\d|einer? (?:minute|stunde))|\bab \d)",
        r"(?<!noch )\b(?:einmal|zweimal|dreimal) (?:wiederhol|versuch|erneut|neu)",
        r"\bwarten? (?:sie )?(?:bitte )?(?:\d|bis|mindestens|eine? (?:minute|stunde)"
        r"|zwei)"
        r"|\b\d+ (?:sekunden|minuten|s|min) warten",
        r"\bmuss\b[^.;!?\n]{0,40}\bsein\b|\b(?:erlaubt|zulässig|gültig) (?:sind|ist)\b"
        r"|\b(?:erlaubte|zulässige|gültige) werte\b|\bmeinten sie\b|\b(?:ist|sind)"
        r" erforderlich\b|(?:^|\s)--[a-z]",
    ),
    vague=words(
        "ein eine einen der die das den dem es ist war hat wurde wird beim bei "
        "während ist "
        "fehler fehlers fehlgeschlagen aufgetreten unbekannter unbekannt unerwarteter "
        "interner "
        "intern allgemeiner etwas irgendetwas schief gelaufen schiefgelaufen gegangen "
        "leider "
        "entschuldigung bitte versuchen versuche sie erneut später noch einmal "
        "nochmal wieder "
        "vorgang aktion werkzeug tool anfrage aufruf operation konnte nicht werden "
        "ausgeführt "
        "ausführen ausführung abgeschlossen problem und oder zu in im auf mit dieser "
        "diese"
    ),
    cause=any_of(
        r"\d{3}",
        r"zeitüberschreitung|abgelaufen|verweigert|nicht (?:gefunden|erreichbar"
        r"|verfügbar"
        r"|vorhanden|erlaubt|berechtigt)|ungültig|fehlt|fehlende|gesperrt|unterbrochen"
        r"|überlastet|überschritten|leer\b|\bkeine? \w+",
    ),
)
