"""Recovery sentences in many languages and what their wording shows.

One row per sentence: language, text, remedy, stop. ``pass`` where the text shows it,
``fail`` where a known language does not, ``abstain`` where no table reads the text,
``-`` where the row is about the other question. At least half are near misses.
"""

# ruff: noqa: E501 - one row, one sentence

from __future__ import annotations

_TABLE = """
en | Retry once; if it fails again, stop and tell the user. | pass | pass
en | After two attempts report it. | pass | pass
en | Correct the date, then retry. Do not retry unchanged. | pass | pass
en | Stop and report it rather than retrying. | pass | pass
en | Once only, then hand over to a person. | - | pass
en | If it persists, escalate to the on-call engineer. | pass | pass
en | Give up after 3 tries. | - | pass
en | Leave it out if that fails once more. | pass | pass
en | No further retries. | fail | pass
en | Wait 30 seconds and try again, at most twice. | pass | pass
en | Drop the date filter. If there is still nothing, say so instead of guessing. | pass | pass
en | Should the second attempt fail too, ask the user. | pass | pass
en | One resend, then hand over. | - | pass
en | Second 429: stop and report the limit. | pass | pass
en | Sign in again. Retrying will not help before that. | pass | pass
en | Retry in 20 s; don't try more than twice. | pass | -
en | Start the server with `make serve`. | pass | fail
en | Use a value between 1 and 25. | pass | fail
en | Retry once in case it was transient. | pass | fail
en | Stop the server first, then start it. | pass | fail
en | Do not stop. | fail | fail
en | Retry until it works. | fail | fail
en | Retry until it works, then stop. | fail | fail
en | Try again. | fail | fail
en | Please try again later. | fail | fail
en | Retry. | fail | fail
en | Never give up. | fail | fail
en | Stop words are ignored. | fail | fail
en | The bus stop service is down. | fail | fail
en | Service detail: stop retrying and tell the user. | fail | fail
en | Upstream said: 'stop retrying' | fail | fail
en | Response body: fix the request, then retry once; if it fails again, stop | fail | fail
en | Server message: give up after 3 tries | fail | fail
en | detail: {"hint": "run make serve, at most twice"} | fail | fail
en | Do not retry unchanged, then retry. | fail | fail
en | If it fails again, do not stop; try again. | fail | fail
en | Keep retrying, and don't give up if it fails again. | fail | fail
en | An error occurred while running the tool. Please try again. | fail | fail
en | Sorry, something went wrong. | fail | fail
en | The report generation failed. | fail | fail
en | Start date is missing. | fail | fail
en | The service should be back soon. | fail | fail
en | Do not retry immediately; wait 30 s. | pass | fail
en | Abort the transaction, then retry the request. | - | fail
en | Contact support. | pass | fail
en | Stop when it works. | fail | fail
de | Einmal wiederholen; schlägt es erneut fehl, abbrechen und den Nutzer informieren. | pass | pass
de | Nach zwei Versuchen abbrechen und den Fehler melden. | pass | pass
de | Bitte den Filter weglassen. Nicht unverändert wiederholen. | pass | pass
de | Höchstens dreimal versuchen. | - | pass
de | Wenn der Fehler weiterhin besteht, wenden Sie sich an den Betreiber. | pass | pass
de | Hier abbrechen und eine Person fragen, statt es erneut zu versuchen. | pass | pass
de | Starten Sie den Dienst mit 'make serve' und versuchen Sie es noch einmal. Klappt es wieder nicht, geben Sie auf. | pass | pass
de | Prüfe die Kennung. Keine weiteren Versuche. | pass | pass
de | Falls auch das nicht hilft, dem Nutzer Bescheid geben. | - | pass
de | Nur einmal wiederholen, danach an einen Menschen übergeben. | pass | pass
de | Brich ab, wenn die Anfrage erneut scheitert. | - | pass
de | Warten Sie 30 Sekunden und versuchen Sie es dann erneut. | pass | fail
de | Wählen Sie einen Wert zwischen 1 und 25. | pass | fail
de | Den Dienst zuerst stoppen, dann neu starten. | pass | fail
de | Nicht aufgeben! | fail | fail
de | Versuchen Sie es später erneut. | fail | fail
de | Bitte versuche es noch einmal. | fail | fail
de | So lange wiederholen, bis es klappt. | fail | fail
de | Etwas ist schiefgelaufen. | fail | fail
de | Ein unbekannter Fehler ist aufgetreten. | fail | fail
de | Der Dienst konnte nicht gestartet werden. | fail | fail
de | Stoppwörter werden ignoriert. | fail | fail
de | Antwort des Dienstes: abbrechen und den Nutzer informieren | fail | fail
de | Servermeldung: nach zwei Versuchen abbrechen | fail | fail
de | Wenn es erneut fehlschlägt, nicht abbrechen, sondern weiter versuchen. | - | fail
de | Nicht unverändert wiederholen, dann wiederholen. | fail | fail
de | Niemals aufgeben, auch wenn es wieder fehlschlägt. | fail | fail
es | Reintente una vez; si vuelve a fallar, deténgase y avise al usuario. | pass | pass
es | Después de dos intentos, informe del error. | - | pass
es | Quite el filtro de fecha. No repita la consulta sin cambios. | pass | pass
es | Si el problema persiste, escale el caso a una persona. | - | pass
es | Como máximo tres intentos. | - | pass
es | Volver a enviar solo F-3; si vuelven a fallar, dejarlo y avisar a la persona responsable. | - | pass
es | Deténgase y avise al usuario en lugar de reintentar. | pass | pass
es | Inicie el servicio y repita una sola vez; luego pare. | pass | pass
es | Abandone tras 3 fallos. | - | pass
es | Una vez, luego pásalo a una persona. | - | pass
es | Corrija la fecha. No vuelva a intentarlo sin cambiarla. | pass | pass
es | Espere 30 segundos y vuelva a intentarlo. | pass | fail
es | Use un valor entre 1 y 25. | pass | fail
es | Pare primero el servicio y luego reinícielo. | - | fail
es | No se rinda. | fail | fail
es | Inténtelo de nuevo más tarde. | fail | fail
es | Por favor, intente otra vez. | fail | fail
es | Repita la petición hasta que funcione. | fail | fail
es | Algo salió mal. | fail | fail
es | Lo siento, ocurrió un error desconocido. | fail | fail
es | No se pudo iniciar el servicio. | fail | fail
es | Respuesta del servidor: deténgase y avise al usuario | fail | fail
es | Mensaje del servicio: abandone tras 3 fallos | fail | fail
es | Si vuelve a fallar, no se detenga y siga intentando. | - | fail
es | La parada de autobús no se encontró. | fail | fail
es | No abandone nunca, aunque vuelva a fallar. | fail | fail
es | No repita sin cambios, luego repita. | - | fail
fr | Réessayez une fois ; en cas de nouvel échec, arrêtez et prévenez l'utilisateur. | pass | pass
fr | Après deux tentatives, signalez l'erreur. | pass | pass
fr | Retirez le filtre de date. Ne relancez pas la requête sans la modifier. | pass | pass
fr | Si le problème persiste, contactez la personne responsable. | pass | pass
fr | Trois essais au maximum. | - | pass
fr | Arrêtez et prévenez l'utilisateur au lieu de réessayer. | pass | pass
fr | Abandonnez après trois échecs. | - | pass
fr | Une seule fois, puis passez la main à une personne. | - | pass
fr | Démarrez le service, puis réessayez une fois ; sinon, prévenez l'utilisateur. | pass | pass
fr | Corrigez la date. Inutile de réessayer sans cela. | pass | pass
fr | S'il échoue encore, dites-le à l'utilisateur. | - | pass
fr | Attendez 30 secondes, puis réessayez. | pass | fail
fr | Utilisez une valeur entre 1 et 25. | pass | fail
fr | Arrêtez d'abord le service, puis redémarrez-le. | - | fail
fr | N'abandonnez jamais. | fail | fail
fr | Veuillez réessayer plus tard. | fail | fail
fr | Réessayez. | fail | fail
fr | Réessayez jusqu'à ce que cela fonctionne. | fail | fail
fr | Une erreur inconnue est survenue. | fail | fail
fr | Désolé, quelque chose s'est mal passé. | fail | fail
fr | Impossible de démarrer le service. | fail | fail
fr | Réponse du service : arrêtez et prévenez l'utilisateur | fail | fail
fr | Message du serveur : abandonnez après trois échecs | fail | fail
fr | Si cela échoue encore, n'arrêtez pas et réessayez. | - | fail
fr | L'arrêt de bus n'a pas été trouvé. | fail | fail
fr | Ne relancez pas sans changement, puis relancez. | - | fail
fr | Continuez sans vous arrêter, même si cela échoue encore. | - | fail
ja | 一度だけ再試行し、再び失敗した場合は中止してユーザーに報告してください。 | pass | pass
ja | ２回失敗したら、担当者に引き継いでください。 | pass | pass
ja | 日付を修正してください。同じ内容で再試行しないでください。 | pass | pass
ja | それでも解決しない場合は、管理者に連絡してください。 | pass | pass
ja | 再試行は最大３回までにしてください。 | - | pass
ja | 処理を中止し、ユーザーに知らせてください。 | pass | pass
ja | サービスを起動してから１回だけ再試行する。だめなら報告する。 | pass | pass
ja | フィルターを外してください。なお見つからない場合は、その旨をユーザーに伝えてください。 | pass | pass
ja | これ以上再試行しないこと。 | fail | pass
ja | もう一度失敗したら諦めて、利用者に伝える。 | pass | pass
ja | 項目名を確認して直す。 | pass | fail
ja | 1から25までの値を指定してください。 | pass | fail
ja | 30秒待ってから再試行してください。 | pass | fail
ja | サーバーを停止してから、起動してください。 | pass | fail
ja | 諦めないでください。 | fail | fail
ja | もう一度お試しください。 | fail | fail
ja | しばらくしてから再度お試しください。 | fail | fail
ja | 成功するまで再試行してください。 | fail | fail
ja | エラーが発生しました。 | fail | fail
ja | 申し訳ありません、処理に失敗しました。 | fail | fail
ja | サービスを起動できませんでした。 | fail | fail
ja | サービスの応答：中止してユーザーに報告してください。 | fail | fail
ja | サーバーからのメッセージ：「再試行しないでください」 | fail | fail
ja | 再度失敗しても、中止しないで続けて再試行してください。 | - | fail
ja | サービスは停止しました。 | fail | fail
ja | ストップワードは無視されます。 | fail | fail
zh | 重试一次；如果再次失败，请停止并告知用户。 | pass | pass
zh | 两次尝试失败后，上报错误。 | - | pass
zh | 请修改日期。不要原样重试。 | pass | pass
zh | 如果问题仍然存在，请联系管理员。 | pass | pass
zh | 最多重试三次。 | pass | pass
zh | 停止操作并通知用户，而不是继续重试。 | pass | pass
zh | 请先启动服务，再重试一次；若仍无法连接，请转交人工处理。 | pass | pass
zh | 去掉过滤条件；若仍没有结果，请如实告诉用户。 | pass | pass
zh | 不再重试。 | fail | pass
zh | 只试一次，然后交给用户决定。 | - | pass
zh | 请检查参数名称。 | pass | fail
zh | 请使用1到25之间的值。 | pass | fail
zh | 等待30秒后重试。 | pass | fail
zh | 先停止服务，再重新启动。 | - | fail
zh | 不要放弃。 | fail | fail
zh | 请稍后再试。 | fail | fail
zh | 请重试。 | fail | fail
zh | 一直重试，直到成功为止。 | fail | fail
zh | 发生未知错误。 | fail | fail
zh | 抱歉，操作失败。 | fail | fail
zh | 无法启动服务。 | fail | fail
zh | 服务器返回：停止并告知用户。 | fail | fail
zh | 服务返回的消息：“不要再重试” | fail | fail
zh | 如果再次失败，不要停止，继续重试。 | - | fail
zh | 服务已停止。 | fail | fail
zh | 停用词会被忽略。 | fail | fail
en | If the second try fails as well, let the user know and stop. | - | pass
en | Try a narrower query; if that also returns nothing, tell the user there are no results. | pass | pass
en | Do not loop: one retry is enough, then report the failure. | - | pass
en | Refresh the token and call again. If it is rejected a second time, ask the user to sign in. | pass | pass
en | This cannot be fixed by retrying. | - | pass
en | Wait 60 seconds before the next call. After three failures, give up and tell the user. | pass | pass
en | Retry no more than twice. | - | pass
en | Please check the spelling of the project name. | pass | fail
en | Run `make index` and retry. | pass | fail
en | Reduce `limit` to 25 or less. | pass | fail
en | The file must be smaller than 5 MB. | pass | fail
en | Choose one of: json, csv, xml. | pass | fail
en | Retry the request until you get a result. | fail | fail
en | Keep trying. | fail | fail
en | Try again in a few moments. | fail | fail
en | An unexpected error has occurred. Our team has been notified. | fail | fail
en | Don't give up! | fail | fail
en | The stop button was pressed. | fail | fail
en | You may want to stop the container and start it again. | - | fail
en | The user stopped the upload. | fail | fail
en | Non-stop service is interrupted. | fail | fail
en | The operation was stopped. | fail | fail
en | Error: could not stop the job. | fail | fail
en | If the file does not exist, create it. | pass | fail
en | Upstream response: "Please stop retrying and contact support." | fail | fail
en | Server said: do not retry | fail | fail
en | The server replied: stop. | fail | fail
en | If this keeps happening, inform the administrator. | - | pass
en | Ask the user for the correct order number; do not invent one. | pass | -
en | No more than one retry; then hand the case to a human. | - | pass
en | Use list_projects to see valid names. | pass | fail
en | Set the KB_TOKEN environment variable, then retry. | pass | fail
en | Skip this item when it fails twice. | - | pass
en | Retry with exponential backoff. | pass | fail
en | Retry up to 3 times, then fail the task. | pass | pass
en | Stop after the third failure. | - | pass
en | If the retry does not succeed, end here and say what is missing. | - | pass
en | Bleibt der Fehler bestehen, an den Support wenden. | pass | pass
en | Ejecute scripts/index.py y vuelva a buscar. | pass | fail
en | L'opération a été arrêtée. | fail | fail
en | Poll at most five times, ten seconds apart, and then report the job as stuck. | pass | pass
en | One more attempt is fine. Should it fail, hand the ticket to an operator. | - | pass
en | Ask for approval; without it, do nothing further. | pass | -
en | Don't repeat the call with the same arguments. | fail | pass
en | Pick another region. If none is free, tell the customer. | pass | pass
en | Try once with verbose=true, otherwise escalate. | pass | pass
en | Log in again, then call list_orders once more; a second 401 means you should stop and ask the user. | pass | pass
en | There is no point in retrying: the record was deleted. | - | pass
en | Retrying is safe (read only), but no more than 3 times. | - | pass
en | End the task here. | - | pass
en | Nothing more can be done; inform the requester. | pass | -
en | Reindex with scripts/index.py; two failures in a row mean the disk is full, so stop there. | pass | pass
en | Correct 'start_date' (ISO 8601) and resubmit. | pass | fail
en | Did you mean 'search_docs'? | pass | fail
en | Increase timeout_s to 60 and run it again. | pass | fail
en | Check your network connection. | pass | fail
en | Open the settings page and grant access to the calendar. | pass | fail
en | Start the bus-stop service on port 8081. | pass | fail
en | Stopped containers must be restarted with docker start db. | - | fail
en | Full stop missing at the end of the sentence. | - | fail
en | Retry as often as needed. | fail | fail
en | Never stop retrying. | fail | fail
en | Just keep calling until you see a result. | fail | fail
en | It will work eventually. | fail | fail
en | Something went wrong, please retry later. | fail | fail
en | We apologise for the inconvenience. | fail | fail
en | Request could not be processed. | fail | fail
en | The client stopped waiting and gave up. | fail | fail
en | upstream error text: "give up after two attempts" | fail | fail
en | Body: {"message": "stop and report"} | fail | fail
en | Peer answered: abort and tell the user | fail | fail
en | The service's message was: try at most twice | fail | fail
en | Stop it and restart it. | - | fail
en | Do not stop the retry loop. | fail | fail
en | If it fails, try again. | fail | fail
en | If it fails again, wait and retry. | - | fail
de | Falls der zweite Versuch scheitert, hören Sie auf und informieren Sie den Benutzer. | pass | pass
de | Verwenden Sie ein Datum im Format JJJJ-MM-TT. | pass | fail
de | Versuchen Sie es in 30 Sekunden noch einmal, höchstens zweimal. | pass | pass
de | Nicht erneut versuchen, sondern den Fehler melden. | pass | pass
de | Das hat leider nicht geklappt. | fail | fail
de | Die Anfrage wurde abgebrochen. | fail | fail
de | Bitte versuchen Sie es in Kürze erneut. | fail | fail
de | Führe scripts/index.py aus und suche dann erneut. | pass | fail
de | Weiter versuchen und nie aufhören. | fail | fail
de | Nach dem dritten Fehlschlag gib auf und sag dem Nutzer Bescheid. | - | pass
de | Bitte beachten: nach zweimaligem Scheitern aufhören und den Anwender fragen. | - | pass
de | Melden Sie den Fehler dem Betreiber und versuchen Sie es nicht weiter. | pass | pass
de | Token erneuern, dann einmal wiederholen; sonst eskalieren. | pass | pass
de | Den Parameter 'kind' weglassen. | pass | fail
de | Der Server wurde gestoppt. | fail | fail
de | Immer wieder versuchen. | fail | fail
de | Nicht aufgeben, einfach noch einmal versuchen. | fail | fail
de | Der Vorgang ist fehlgeschlagen, bitte versuchen Sie es erneut. | fail | fail
de | Nur einmal erneut senden, mit demselben Schlüssel; danach den Menschen fragen. | pass | pass
es | Si falla otra vez, pare y comuníqueselo al usuario. | - | pass
es | No lo intente más de dos veces. | - | pass
es | Elija una fecha posterior a hoy. | pass | fail
es | Vuelva a intentarlo en unos instantes. | fail | fail
es | La operación se detuvo. | fail | fail
es | Siga intentando hasta que responda. | fail | fail
es | Compruebe el nombre; si sigue sin aparecer, dígaselo al usuario. | pass | pass
es | No reintente; avise al responsable. | pass | pass
es | Tras el segundo error, abandone la tarea. | - | pass
es | Renueve el token y repita una vez; si no funciona, pregunte al usuario. | pass | pass
es | No siga intentando; informe al administrador. | pass | pass
es | Omita el parámetro 'kind'. | pass | fail
es | El servidor se ha detenido. | fail | fail
es | Hubo un problema, vuelva a intentarlo. | fail | fail
es | Siga intentándolo, no pare. | fail | fail
es | Dos fallos seguidos: pare y avise. | - | pass
fr | Si le deuxième essai échoue aussi, arrêtez-vous et informez l'utilisateur. | pass | pass
fr | Ne réessayez pas plus de deux fois. | - | pass
fr | Choisissez une date ultérieure. | pass | fail
fr | Exécutez scripts/index.py puis relancez la recherche. | pass | fail
fr | Merci de réessayer dans quelques instants. | fail | fail
fr | Insistez jusqu'à ce que le service réponde. | fail | fail
fr | Vérifiez le nom ; s'il reste introuvable, dites-le à l'utilisateur. | pass | pass
fr | N'essayez plus ; prévenez le responsable. | pass | pass
fr | Après le deuxième échec, abandonnez la tâche. | - | pass
fr | Renouvelez le jeton et réessayez une fois ; si cela ne marche pas, demandez à l'utilisateur. | pass | pass
fr | N'insistez pas ; informez l'administrateur. | pass | pass
fr | Omettez le paramètre 'kind'. | pass | fail
fr | Le serveur s'est arrêté. | fail | fail
fr | Un problème est survenu, veuillez réessayer. | fail | fail
fr | Continuez d'essayer, n'abandonnez pas. | fail | fail
fr | Deux échecs de suite : arrêtez et signalez-le. | - | pass
ja | ２回目も失敗したら、処理を打ち切ってユーザーに伝えてください。 | pass | pass
ja | 再試行は２回までです。 | - | pass
ja | YYYY-MM-DD 形式の日付を使ってください。 | pass | fail
ja | scripts/index.py を実行してから、もう一度検索してください。 | pass | fail
ja | 時間をおいて再度お試しください。 | fail | fail
ja | 処理は中断されました。 | fail | fail
ja | 応答があるまで繰り返してください。 | fail | fail
ja | 名前を確認し、それでも見つからなければユーザーに知らせてください。 | pass | pass
ja | 再試行せず、担当者に報告してください。 | pass | pass
ja | 三回失敗した後は諦めてください。 | - | pass
ja | トークンを更新して一度だけ再実行し、駄目なら利用者に確認してください。 | pass | pass
ja | これ以上繰り返さず、管理者に連絡してください。 | pass | pass
ja | kind パラメーターを省略してください。 | pass | fail
ja | 問題が発生しました。もう一度やり直してください。 | fail | fail
ja | 諦めずに何度も試してください。 | fail | fail
ja | ２回続けて失敗した場合は、作業を止めて報告すること。 | - | pass
zh | 如果第二次仍然失败，请停止并通知用户。 | pass | pass
zh | 重试不要超过两次。 | - | pass
zh | 请选择今天之后的日期。 | pass | fail
zh | 运行 scripts/index.py 后再搜索。 | pass | fail
zh | 请过一会儿再试。 | fail | fail
zh | 操作已中止。 | fail | fail
zh | 反复重试直到服务响应。 | fail | fail
zh | 请核对名称；如果还是找不到，就告诉用户。 | pass | pass
zh | 不要重试，请报告给负责人。 | pass | pass
zh | 失败三次后放弃。 | - | pass
zh | 刷新令牌后重试一次，若仍不成功请询问用户。 | pass | pass
zh | 请勿继续重试，请联系管理员。 | pass | pass
zh | 省略 kind 参数。 | pass | fail
zh | 服务器已经停止运行。 | fail | fail
zh | 出现问题，请重新尝试。 | fail | fail
zh | 不断重试，别放弃。 | fail | fail
zh | 连续失败两次就停止并上报。 | - | pass
pl | Spróbuj ponownie później. | abstain | abstain
pl | Uruchom usługę, a jeśli znów się nie uda, zatrzymaj się i powiadom użytkownika. | abstain | abstain
ko | 한 번만 다시 시도하고, 또 실패하면 중단하고 사용자에게 알리세요. | abstain | abstain
ar | أعد المحاولة مرة واحدة، وإذا فشلت مرة أخرى فتوقف وأبلغ المستخدم. | abstain | abstain
ru | Повторите один раз; если снова не получится, остановитесь и сообщите пользователю. | abstain | abstain
it | Riprova una volta; se fallisce ancora, fermati e avvisa l'utente. | abstain | abstain
pt | Tente novamente uma vez; se falhar de novo, pare e avise o usuário. | abstain | abstain
nl | Probeer het één keer opnieuw en meld het daarna. | abstain | abstain
sv | Försök igen en gång och meddela sedan användaren. | abstain | abstain
tr | Bir kez tekrar deneyin ve sonra kullanıcıya bildirin. | abstain | abstain
cs | Zkus to znovu a pak dej uzivateli vedet. | abstain | abstain
mixed | Retry once. Schlägt es erneut fehl, den Nutzer informieren. | pass | pass
mixed | サービスを起動してください。 If it fails again, stop. | pass | -
"""

SENTENCES: tuple[tuple[str, ...], ...] = tuple(
    tuple(cell.strip() for cell in line.split(" | "))
    for line in _TABLE.strip().splitlines()
)

_CAUSES = """
en | Something went wrong. | fail
en | Something went wrong inside. | fail
en | Error | fail
en | failed | fail
en | Tool crashed. | fail
en | An error occurred while running the tool. Please try again. | fail
en | Sorry, the request could not be completed. | fail
en | Internal server error | fail
en | Unknown error. | fail
en | POST failed with HTTP 429: | pass
en | The knowledge base has not been indexed yet. | pass
en | Permission denied. | pass
en | No notes matched the given filters. | pass
en | Unknown tool 'serch'. | pass
en | name not registered | pass
en | timeout after send | pass
de | Ein unbekannter Fehler ist aufgetreten. | fail
de | Etwas ist schiefgelaufen. | fail
de | Der Dienst ist nicht erreichbar. | pass
de | Die Datei notes.txt wurde nicht gefunden. | pass
es | Algo salió mal. | fail
es | Ocurrió un error desconocido. | fail
es | No se encontró la tabla de clientes. | pass
es | Tiempo de espera agotado al llamar al servicio. | pass
fr | Une erreur inconnue est survenue. | fail
fr | Désolé, quelque chose s'est mal passé. | fail
fr | Le fichier des clients est introuvable. | pass
fr | Le délai de réponse du service est dépassé. | pass
ja | エラーが発生しました。 | fail
ja | 申し訳ありません、処理に失敗しました。 | fail
ja | ファイルが見つかりません。 | pass
ja | 索引サービスに接続できません。 | pass
zh | 发生未知错误。 | fail
zh | 抱歉，操作失败。 | fail
zh | 请求超时。 | pass
zh | 找不到文件。 | pass
pl | Nie znaleziono pliku z danymi klienta. | abstain
ko | 파일을 찾을 수 없습니다. | abstain
"""

CAUSES: tuple[tuple[str, ...], ...] = tuple(
    tuple(cell.strip() for cell in line.split(" | "))
    for line in _CAUSES.strip().splitlines()
)
