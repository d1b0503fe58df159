"""Spanish recovery wording."""

from __future__ import annotations

from .table import CLAUSE, Language, any_of, each, ends, words

NUMBER = r"(?:\d+|un[ao]?|dos|tres|cuatro|cinco|varios|pocos)"
LEAD = (
    rf"(?:{CLAUSE}|\b(?:luego|después|entonces|y|o|por favor|primero|debe|puede|hay que"
    r"|si no)\s+)"
)
TRIES = r"(?:intentos?|veces|vez|reintentos?|fallos?|errores)"
END = (
    r"det(?:é|e)n(?:te|erse|ga|gase|er|emos)?\b|deténgase|detente|par[ae](?:r|n)?\b"
    r"|abandon\w+|ríndete|ríndase|rendirse|dej[aeá]\w*|desist\w+|cancel\w+|termin\w+"
    r"|finali\w+|avis\w+|inform\w+|notifi\w+|report\w+|comuni\w+|escal\w+|deriv\w+"
    r"|pregunt\w+|consult\w+|contact\w+|pás\w+|pase\b|entreg\w+|abort\w+|omit\w+"
    r"|no (?:lo |la |se )?(?:reintent|repit|vuelv|insist|sig|continú|intent)\w*"
    r"|traspas\w+"
    r"|díga\w*|dígase\w*|pedir ayuda|pide ayuda|pida ayuda"
)
REPEAT = (
    r"(?:reintent\w+|repet\w+|repit\w+|insist\w+|vuelv\w+ a \w+|volver a \w+"
    r"|intent\w+ de"
    r" nuevo|intentarlo (?:de nuevo|otra vez|más)|reenv\w+|sig\w+ intentando)"
)
WORKS = r"(?:funcione|salga bien|tenga éxito|responda|lo consiga\w*)"

SPANISH = Language(
    name="es",
    words=words(
        "el los las una unos unas y pero del al es está están fue ha han hay si "
        "cuando luego "
        "después entonces por para sin sobre según más menos vez veces nuevo "
        "nuevamente otra "
        "otro error errores fallo fallos falla fallan fallar falló servicio servidor "
        "usuario "
        "usuaria persona responsable intente intenta intentar inténtelo inténtalo "
        "intentarlo "
        "reintente reintenta reintentar repita repite repetir vuelva vuelve volver "
        "vuelven "
        "avise avisa avisar avísale deténgase detente detener pare para solo sólo "
        "máximo como "
        "favor hasta antes que no se lo la herramienta archivo consulta filtro valor "
        "clave "
        "compruebe comprueba comprobar revise revisa revisar use usa usar quite quita "
        "quitar "
        "inicie inicia iniciar arranque espere espera esperar segundos minutos tarde "
        "ocurrió producido desconocido algo salió mal lo siento soporte contacte "
        "dejarlo nunca "
        "petición solicitud operación encontró pudo informe informa cambios jamás siga "
        "indique indica añada agregue elija elige abandone escale persiste sigue "
        "cambiar rinda "
        "encontraron encontrado resultados"
    ),
    not_stop=any_of(
        r"\b(?:no|nunca|jamás|sin) (?:te |se |lo )?(?:det\w+|pare[sn]?\b|parar"
        r"|abandon\w+"
        r"|rind\w+|rendir\w*|dej\w+ de|desist\w+|cancel\w+|escal\w+|abort\w+)\b"
        r"(?: (?:de )?\w+)?",
        r"\b(?:deten\w*|detén\w*|par[ae]r?)\b (?:primero )?(?:el|la|los"
        r"|las) (?:servicio"
        r"|servidor|proceso|contenedor|base)\w*",
        r"\b(?:det\w+|pare|parar)\b[^.;!?\n]{0,40}?\b(?:y|luego"
        r"|después)\b[^.;!?\n]{0,12}?"
        r"\b(?:arran|inici|reinici)\w+",
        rf"\bhasta que (?:\w+ )?{WORKS}\b[^.;!?\n]{{0,20}}",
        rf"\bno {REPEAT}\b[^.;!?\n]{{0,25}}?\b(?:luego|y|pero) (?:luego )?(?:{REPEAT})",
        r"\bpalabras? de parada\b|\bparada de \w+",
    ),
    stop=ends(
        r"\b(?:como máximo|a lo sumo|no (?:\w+ ){0,3}más de|máximo(?: de)?|hasta|solo"
        r"|sólo|solamente"
        rf"|únicamente) (?:una vez|dos veces|tres veces|{NUMBER} (?:\w+ )?{TRIES})\b"
        r"(?! que)",
        r"\b(?:una (?:sola )?vez|dos veces|tres veces|\d+ veces)(?:,)? (?:como máximo"
        r"|a lo sumo|nada más|solamente|máximo)\b|\buna sola vez\b",
        rf"\b(?:no|nunca|evite|evita) (?:lo |la |se )?{REPEAT}\b(?! (?:inmediatamente"
        r"|enseguida|todavía|tan|antes de \d|hasta pasad))",
        r"\b(?:en vez de|en lugar de|sin) (?:seguir )?(?:reintent\w+|repetir\w*"
        r"|insistir"
        r"|volver a \w+|intentando)",
        r"\bno (?:haga|hagas|hacer|habrá|más|realice\w*) (?:más "
        r"|otros? )?(?:reintentos?"
        r"|intentos?)\b|\bsin más (?:re)?intentos\b|\breintentar no (?:sirve|ayuda"
        r"|servirá)",
        rf"{LEAD}(?:deténgase|detente|detenerse|parar?(?= (?:y|aquí|ya)\b|\s*(?:$"
        rf"|[.,;:]))"
        r"|pare(?= (?:y|aquí|ya)\b|\s*(?:$|[.,;:]))|abandon(?:e|a|ar) (?:el intento"
        r"|la tarea"
        r"|y)|abandon(?:e|a|ar)(?=\s*(?:$|[.,;]))|ríndase|desist(?:a|e|ir)|escal(?:e|a"
        r"|ar)"
        r"(?: (?:el|la|lo|a)\b|\s*(?:$|[.,;]))|dej(?:e|a|ar)lo|déj[ae]lo|déjelo"
        r"|deje de \w+"
        r"|deja de \w+|dejar de \w+)",
        r"\b(?:pás\w+|pase|pasar|derive|derivar|entreg\w+"
        r"|traspas\w+)\b[^.;\n]{0,25} a una"
        r" persona\b",
        when=r"si|cuando|en caso de que|de lo contrario si|en cuanto",
        again=r"de nuevo|nuevamente|otra vez|\bvuelv|persist|\bsigu?e|continú|fall"
        r"|segund"
        r"|tercer|repit|\btodavía|\baún\b|no (?:funciona|se resuelve|sirve|cambia"
        r"|se arregla)"
        r"|mismo|ningun|tampoco|nada",
        end=END,
        after=rf"(?:después de|tras|luego de|a) (?:el |la |los |las )?(?:{NUMBER}"
        rf"|segundo"
        rf"|tercer)(?: \w+)? ?{TRIES}\b|(?:al|a la) (?:segund|tercer)\w* {TRIES}\b",
        once=rf"una (?:sola )?vez|dos veces|tres veces|un (?:solo )?reintento"
        rf"|{NUMBER} {TRIES}",
        then=r"luego|después|entonces|si no|de lo contrario|y después|antes de",
    ),
    not_remedy=any_of(
        rf"\b(?:no|nunca) (?:lo |la |se )?{REPEAT}\b[^.;!?\n]{{0,60}}",
        r"\b(?:no (?:se )?(?:pudo|puede|pudieron|pueden)|imposible|error al|fallo al|al"
        r" intentar|no fue posible|falló al)\b[^.;!?\n]{0,200}",
    ),
    remedy=each(
        rf"{LEAD}(?:inici[ea]r?|arran(?:ca|que|car)|ejecut[ea]r?|comprueb[ea]|comprobar"
        r"|revis[ea]r?|verifi(?:ca|que|car)|us[ea]r?|utili(?:za|ce|zar)|añad(?:e|a|ir)"
        r"|agreg(?:a|ue|ar)|cre[ea]r?|configur[ea]r?|establec(?:e|er)|establezca"
        r"|pon(?:ga|er)?"
        r"|quit[ea]r?|elimin[ea]r?|borr[ea]r?|cambi[ea]r?|modifi(?:ca|que|car)"
        r"|corr(?:ige|ija"
        r"|egir)|arregl[ea]r?|elij[ae]|elige|elegir|seleccion[ea]r?|indi(?:ca|que|car)"
        r"|proporcion[ea]r?|envi[ea]r?|envíe|envía|llam[ea]r?|instal[ea]r?|aument[ea]r?"
        r"|redu(?:ce|zca|cir)|amplí?[ea]r?|ampli[ea]r?|acort[ea]r?|acot[ea]r?"
        r"|reformul[ea]r?"
        r"|abr(?:e|a|ir)|cierr[ea]|cerrar|avis[ea]r?|avís\w+|inform[ea]r?|infórm\w+"
        r"|notifi\w+"
        r"|report[ea]r?|consult[ea]r?|contact[ea]r?|pregunt[ea]r?|pregúnt\w+"
        r"|escal[ea]r?"
        r"|deriv[ea]r?|actuali(?:za|ce|zar)|reinici[ea]r?|renuev[ea]|renovar|reempla\w+"
        r"|sustitu\w+|divid[aei]r?|busc[aá]r?|busque|le[ae]r?|omit[aei]r?|activ[ea]r?"
        r"|permit[aei]r?|autoric\w+|pas[ea]r?|pás\w+|pid[ae]|pedir|solicit[ea]r?"
        r"|limit[ea]r?"
        r"|redact[ea]r?|dej[ea]r?lo y|pruebe con|prueba con|probar con|inicie sesión"
        r"|quit[ea]|introdu\w+|escrib[aei]r?|correg\w+)\b(?! (?:falló|fallida?|no |ha "
        r"|es |fue"
        r"|está|errónea?))\s+\S",
        r"\b(?:reintent\w+|repit\w+|repet\w+|inténtel\w+|inténtal\w+|intent[ea]\b"
        r"|intentarlo"
        r"|vuelv[ae] a \w+|volver a \w+"
        r"|reenv\w+)[^.;!?\n]{0,40}?(?:\buna (?:sola )?vez"
        r"(?<!otra vez)|\bdos veces|\btres veces|\bsolo \w|\bcon \w|\bsin \w|\btras \d"
        r"|\b(?:dentro de|en|después de) (?:\d|un minuto|una hora|iniciar|cambiar"
        r"|corregir"
        r"|quitar|añadir)|\ba las \d)",
        r"\besper[ea]r? (?:al menos )?(?:\d|hasta|un minuto|unos (?:segundos|minutos)"
        r"|una hora"
        r"|dos|diez|treinta)",
        r"\b(?:debe|deben|tiene que|ha de) ser\b|\bvalores (?:válidos|permitidos"
        r"|admitidos)\b"
        r"|\bquiso decir\b|\b(?:es obligatori|son obligatori)|(?:^|\s)--[a-z]",
    ),
    vague=words(
        "el la los las un una unos de del al en y o que se ha han lo le con por para "
        "su este "
        "esta es fue no ocurrió ocurrido producido produjo error errores fallo falló "
        "fallado "
        "desconocido inesperado interno general algo salió mal durante mientras "
        "ejecutar "
        "ejecución herramienta operación solicitud petición acción pudo completar "
        "completarse "
        "procesar realizar por favor inténtelo inténtalo intente intenta de nuevo "
        "otra vez más "
        "tarde lo siento perdón disculpe sentimos problema hubo hay soporte contacte "
        "nuevamente"
    ),
    cause=any_of(
        r"\d{3}",
        r"agotado|denegad|no (?:encontrad|existe|autorizad|disponible|válid|permitid)"
        r"|inválid"
        r"|caducad|expirad|falta\b|faltan\b|rechazad|desconect|vací|sin conexión"
        r"|límite|ningún",
    ),
)
