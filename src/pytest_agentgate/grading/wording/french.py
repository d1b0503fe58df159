"""French recovery wording."""

from __future__ import annotations

from .table import CLAUSE, Language, any_of, each, ends, words

NUMBER = r"(?:\d+|une?|deux|trois|quatre|cinq|plusieurs|quelques)"
LEAD = (
    rf"(?:{CLAUSE}|\b(?:puis|ensuite|alors|et|ou|veuillez|d'abord|sinon|il faut|faut"
    r"|vous (?:pouvez|devez)|merci de|merci d'|de)\s*)"
)
TRIES = r"(?:fois|essais?|tentatives?|échecs?|reprises?|erreurs?)"
END = (
    r"arrêt(?:ez|er|e|ons)(?!\w)|abandonn\w+|cess(?:ez|er|e)\b|stopp?(?:ez|er|e)?\b"
    r"|laiss(?:ez|er|e)\b|renonc\w+|prév(?:enez|iens|enir)|inform(?:ez|er|e)\b|avert\w+"
    r"|signal(?:ez|er|e)\b|rapport(?:ez|er)\b|contact(?:ez|er|e)\b|escalad\w+|escalez"
    r"|transm\w+|transfér\w+|remont(?:ez|er|e)\b|demand(?:ez|er|e)\b(?! de nouveau)"
    r"|remett(?:ez|re)\b|confi(?:ez|er)\b|pass(?:ez|er|e) la main|dites|dire\b"
    r"|interromp\w+"
    r"|n'insist\w+|ne (?:pas )?(?:re|insist|réessay|recommenc|continu|persist)\w*"
    r"|mettez fin"
    r"|alert(?:ez|er)\b|terminez|ignor(?:ez|er)\b"
)
REPEAT = (
    r"(?:réessay\w+|rééssay\w+|recommenc\w+|répét\w+|répèt\w+|relanc\w+|renvoy\w+"
    r"|insist\w+"
    r"|retent\w+|rappel\w+|continu\w+|persist\w+|essay\w+ (?:encore|à nouveau"
    r"|de nouveau))"
)
WORKS = r"(?:fonctionne|marche|réussisse|réponde|soit (?:prêt|disponible)\w*|passe)"
SOON = (
    r"(?! (?:immédiatement|tout de suite|aussitôt|trop"
    r"|avant (?:\d|quelques|une? minute)))"
)

FRENCH = Language(
    name="fr",
    words=words(
        "le les une des du au aux et ou mais est sont était été dans sur avec sans "
        "pour par "
        "que qui ce cette ces il elle vous votre si quand puis ensuite alors sinon "
        "après avant "
        "ne pas plus jamais encore nouveau fois deux trois seule seulement maximum au "
        "erreur "
        "erreurs échec échecs échoue échoué échouer échouent service serveur "
        "utilisateur "
        "utilisatrice personne réessayez réessayer réessaie recommencez recommencer "
        "relancez "
        "relancer répétez arrêtez arrêter arrête abandonnez abandonner prévenez "
        "prévenir "
        "signalez signaler informez veuillez merci tard vérifiez vérifier lancez "
        "lancer "
        "démarrez démarrer utilisez utiliser requête filtre fichier valeur clé outil "
        "attendez "
        "attendre secondes minutes survenue inconnue quelque chose mal passé désolé "
        "problème "
        "persiste transmettez contactez retirez retirer ajoutez ajouter choisissez "
        "tentative "
        "tentatives essai essais toujours jusqu'à inutile n'a l'outil l'erreur "
        "d'erreur "
        "l'utilisateur n'abandonnez aucun aucune corrigez précisez faites insistez "
        "élargissez "
        "redémarrez jusqu contenue trouvé résultat"
    ),
    not_stop=any_of(
        r"\b(?:ne|n')\s?(?:vous |t')?(?:arrêt\w+|abandonn\w+|cess\w+|stopp?\w*"
        r"|renonc\w+"
        r"|interromp\w+)(?: (?:pas|jamais|surtout pas))(?: de \w+)?",
        r"\bne (?:pas|jamais) (?:s')?(?:arrêter|abandonner|cesser|renoncer|interrompre"
        r"|stopper)"
        r"\b|\bsans (?:s'|vous |t')?(?:arrêter|abandonner|cesser)\b",
        r"\barrêt\w+ (?:d'abord )?(?:le|la|les) (?:serv|process|conteneur|base)\w*",
        r"\barrêt\w+\b[^.;!?\n]{0,40}?\b(?:puis|et"
        r"|ensuite)\b[^.;!?\n]{0,15}?\b(?:re)?(?:démarr"
        r"|lanc)\w+",
        rf"\bjusqu'à ce que [^.;!?\n]{{0,25}}?{WORKS}\b[^.;!?\n]{{0,20}}",
        rf"\bne {REPEAT} pas\b[^.;!?\n]{{0,25}}?\b(?:puis|et"
        rf"|mais) (?:ensuite )?{REPEAT}",
        r"\bmots? vides?\b|\barrêts? de bus\b|\bl'arrêt\b",
    ),
    stop=ends(
        rf"\b(?:au plus|au maximum|pas plus d[e'] ?|maximum|seulement|uniquement"
        rf"|jusqu'à)"
        rf" ?(?:une fois|{NUMBER} {TRIES})\b(?! que)",
        rf"\b(?:une (?:seule )?fois|{NUMBER} {TRIES}),? (?:au plus|au maximum|maximum"
        rf"|seulement"
        r"|tout au plus|pas plus)\b|\bune seule fois\b(?! que)",
        rf"\bne (?:le |la |l')?{REPEAT} (?:pas|plus|jamais)\b{SOON}",
        rf"\bne (?:pas|plus|jamais) {REPEAT}\b{SOON}",
        r"\bn'(?:insist|essay)\w+ (?:pas|plus)\b|\b(?:au lieu de|plutôt que(?: de)?"
        r"|sans)"
        rf" (?:continuer à )?{REPEAT}",
        r"\b(?:aucune?|plus (?:de|d'aucune)|pas de|pas d'autre) (?:nouvelle |nouvel "
        r"|autre )?"
        r"(?:tentative|essai)s?\b(?! n)|\binutile (?:de |d')(?:réessayer|insister"
        r"|recommencer|relancer)",
        rf"{LEAD}(?:arrêt(?:ez|er|e)(?=\s*(?:$|[.,;:!])| (?:et|ici|là|tout"
        rf"|les (?:essais|tent"
        r")|de (?:ré|re|rap)))(?:-vous)?|arrêtez-vous|abandonn(?:ez|er|e)(?=\s*(?:$"
        r"|[.,;:!])"
        r"| (?:et|la (?:tâche|demande)|l'opération))|renoncez|stop(?=\s*(?:$|[.,;:!]))"
        r"|cessez (?:de|les)|escaladez|passez la main|transm\w+ (?:la demande "
        r"|le cas )?à"
        r" (?:une personne|un humain|un responsable))",
        r"\b(?:confi\w+|remett\w+|pass\w+)\b[^.;\n]{0,25} à (?:une personne|un humain"
        r"|un responsable)\b",
        when=r"si|s'il|s'ils|s'elle|quand|lorsque|en cas d(?:e|')|en cas",
        again=r"encore|à nouveau|de nouveau|\bpersist|toujours|échou|échec|second"
        r"|deuxième"
        r"|troisième|même|continu|répèt|ne (?:marche|fonctionne|suffit|change)|rien"
        r"|aucun"
        r"|reproduit|revient|reste|une fois de plus",
        end=END,
        after=rf"(?:après|au bout de|à|dès) (?:la |le |l'|les )?(?:{NUMBER}|second"
        rf"|seconde"
        rf"|deuxième|troisième) ?(?:nouv\w+ |autres? )?{TRIES}",
        once=rf"une (?:seule )?fois|{NUMBER} {TRIES}",
        then=r"puis|ensuite|sinon|après quoi|avant d[e']|et après|alors",
    ),
    not_remedy=any_of(
        rf"\bne (?:le |la |l')?{REPEAT} (?:pas|plus|jamais)\b[^.;!?\n]{{0,60}}",
        rf"\bne (?:pas|plus|jamais) {REPEAT}\b[^.;!?\n]{{0,60}}",
        r"\b(?:impossible d|échec d|erreur lors d|n'a pas pu|n'ont pas pu|ne peut pas"
        r"|n'a pas"
        r" réussi à|incapable d)[^.;!?\n]{0,200}",
    ),
    remedy=each(
        rf"{LEAD}(?:démarr|lanc|exécut|vérifi|utilis|ajout|cré|configur|défini|rempla"
        rf"|retir"
        r"|supprim|enlev|modifi|chang|corrig|choisi|sélectionn|indiqu|précis|fourni"
        r"|saisi"
        r"|appel|install|augment|rédui|diminu|élargi|raccourci|restrei|reformul|ouvr"
        r"|ferm"
        r"|préven|inform|averti|signal|contact|consult|demand|transm|remont|escalad"
        r"|redémarr"
        r"|actualis|renouvel|divis|cherch|li[rst]|sais|omett|activ|autoris|connect"
        r"|reconnect"
        r"|authentifi|mett|pass|envoy|suiv|limit|essayez (?:avec|un|une|plutôt)|patient"
        r"|confi|voyez|raméne|ramene|dites|rend|tap|construi|reconstrui|charg|dépos"
        r"|accord"
        r"|découp|allég|nettoy|libér|remett)(?:\w*ez|\w*er|\w*ir|\w*re|es)?\b(?:-\w+)?"
        r"(?! (?:a |est |n'|échou|impossible|introuvable))\s+\S",
        rf"\b(?:{REPEAT}|essay\w+)[^.;!?\n]{{0,40}}?(?:\bune (?:seule )?fois"
        rf"|\bdeux fois"
        r"|\btrois fois|\bavec \w|\bsans \w|\baprès (?!quelque|un (?:moment|instant))\w"
        r"|\bdans (?:\d|une (?:minute|heure))|\bà \d)",
        r"\b(?:attend(?:ez|re)|patientez) (?:au moins )?(?:\d|jusqu|une (?:minute"
        r"|heure)"
        r"|quelques (?:secondes|minutes)|deux|dix|trente|que)",
        r"\bdoi(?:t|vent) être\b|\bvaleurs (?:valides|permises|autorisées|acceptées"
        r"|possibles)"
        r"|\bvouliez-vous\b|\b(?:est|sont) (?:obligatoire|requis)|(?:^|\s)--[a-z]",
    ),
    vague=words(
        "le la les l un une des de du d au aux en et ou à a est sont été s c il elle "
        "ce cette "
        "que qui n ne pas lors pendant dans sur avec pour par votre vous nous erreur "
        "erreurs "
        "survenue produite inconnue inattendue interne générale échec échoué quelque "
        "chose mal "
        "passé passée problème rencontré outil opération requête demande action "
        "exécution "
        "traitement impossible terminer effectuer veuillez réessayer réessayez plus "
        "tard "
        "nouveau désolé désolés oups support contactez merci encore fois pu être"
    ),
    cause=any_of(
        r"\d{3}",
        r"dépassé|refusé|introuvable|inexistant|indisponible|injoignable|non autorisé"
        r"|interdit"
        r"|invalide|expiré|manquant|interrompue?|surcharg|vide\b|limite|aucune? \w+"
        r"|délai",
    ),
)
