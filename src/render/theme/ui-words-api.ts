/** Words of API pages by language, in one order for all. */
import type { ComponentWords } from './ui-words-components.ts'

export const API_ENGLISH = {
  apiAuthorization: 'Authorization',
  apiPath: 'Path parameters',
  apiQuery: 'Query parameters',
  apiHeader: 'Header parameters',
  apiCookie: 'Cookie parameters',
  apiBody: 'Body',
  apiResponse: 'Response',
  apiResponses: 'Responses',
  apiHeaders: 'Headers',
  apiCallbacks: 'Callbacks',
  apiLinks: 'Links',
  apiServer: 'Server',
  apiMedia: 'Media type',
  apiLanguage: 'Language',
  apiReadOnly: 'read-only',
  apiWriteOnly: 'write-only',
  apiShow: 'Show fields',
  apiHide: 'Hide fields',
  apiOneOf: 'One of',
  apiAnyOf: 'Any of',
  apiSame: 'Described above:',
  apiKey: 'key',
  apiOptions: 'Options',
  apiAlways: 'Always',
  apiRange: 'Range',
  apiLength: 'Length',
  apiItems: 'Items',
  apiUnique: 'all different',
  apiPattern: 'Pattern',
  apiMultiple: 'Multiple of',
  apiNot: 'Not',
  apiExample: 'Example',
  apiExamples: 'Examples',
  apiFormat: 'Format',
  apiScopes: 'Scopes',
  apiNone: 'None',
  apiMore: 'The description holds more fields than are shown here.',
  apiBearerText: 'A token, sent as `Bearer <token>`.',
  apiBasicText: 'User name and password with a colon between, in Base64, sent as `Basic <credentials>`.',
  apiKeyText: 'Your API key.',
  apiSend: 'Send',
  apiReceive: 'Receive',
  apiMessages: 'Messages',
  apiReply: 'Reply',
  apiBindings: 'Bindings',
  apiAddress: 'Address',
  apiModel: 'Fields',
} as const

type ApiWord = keyof typeof API_ENGLISH
type SharedWord = 'fieldRequired' | 'fieldDefault' | 'fieldDeprecated'

export type ApiWords = Readonly<Record<ApiWord, string>> & Pick<ComponentWords, SharedWord>

/** Columns divided by `|`, in the order above. */
const TEXTS: Readonly<Record<string, string>> = {
  de: 'Autorisierung|Pfadparameter|Query-Parameter|Header-Parameter|Cookie-Parameter|Body|Antwort|Antworten|Header|Callbacks|Links|Server|Medientyp|Sprache|nur lesbar|nur schreibbar|Felder anzeigen|Felder ausblenden|Eines von|Beliebige von|Oben beschrieben:|Schlüssel|Optionen|Immer|Bereich|Länge|Elemente|alle verschieden|Muster|Vielfaches von|Nicht|Beispiel|Beispiele|Format|Scopes|Keine|Die Beschreibung enthält mehr Felder, als hier gezeigt werden.|Ein Token, gesendet als `Bearer <token>`.|Benutzername und Passwort mit einem Doppelpunkt dazwischen, in Base64, gesendet als `Basic <credentials>`.|Ihr API-Schlüssel.|Senden|Empfangen|Nachrichten|Antwort|Bindings|Adresse|Felder',
  fr: 'Autorisation|Paramètres de chemin|Paramètres de requête|Paramètres d’en-tête|Paramètres de cookie|Corps|Réponse|Réponses|En-têtes|Rappels|Liens|Serveur|Type de média|Langage|lecture seule|écriture seule|Afficher les champs|Masquer les champs|L’un de|Au moins un de|Décrit plus haut :|clé|Options|Toujours|Plage|Longueur|Éléments|tous différents|Motif|Multiple de|Pas|Exemple|Exemples|Format|Portées|Aucune|La description contient plus de champs que ceux affichés ici.|Un jeton, envoyé sous la forme `Bearer <token>`.|Nom d’utilisateur et mot de passe séparés par deux-points, en Base64, envoyés sous la forme `Basic <credentials>`.|Votre clé d’API.|Envoyer|Recevoir|Messages|Réponse|Liaisons|Adresse|Champs',
  es: 'Autorización|Parámetros de ruta|Parámetros de consulta|Parámetros de cabecera|Parámetros de cookie|Cuerpo|Respuesta|Respuestas|Cabeceras|Callbacks|Enlaces|Servidor|Tipo de medio|Lenguaje|solo lectura|solo escritura|Mostrar campos|Ocultar campos|Uno de|Cualquiera de|Descrito arriba:|clave|Opciones|Siempre|Rango|Longitud|Elementos|todos distintos|Patrón|Múltiplo de|No|Ejemplo|Ejemplos|Formato|Ámbitos|Ninguna|La descripción contiene más campos de los que se muestran aquí.|Un token, enviado como `Bearer <token>`.|Nombre de usuario y contraseña separados por dos puntos, en Base64, enviados como `Basic <credentials>`.|Su clave de API.|Enviar|Recibir|Mensajes|Respuesta|Bindings|Dirección|Campos',
  pt: 'Autorização|Parâmetros de caminho|Parâmetros de consulta|Parâmetros de cabeçalho|Parâmetros de cookie|Corpo|Resposta|Respostas|Cabeçalhos|Callbacks|Links|Servidor|Tipo de mídia|Linguagem|somente leitura|somente escrita|Mostrar campos|Ocultar campos|Um de|Qualquer um de|Descrito acima:|chave|Opções|Sempre|Intervalo|Comprimento|Itens|todos diferentes|Padrão|Múltiplo de|Não|Exemplo|Exemplos|Formato|Escopos|Nenhuma|A descrição contém mais campos do que os mostrados aqui.|Um token, enviado como `Bearer <token>`.|Nome de usuário e senha separados por dois-pontos, em Base64, enviados como `Basic <credentials>`.|Sua chave de API.|Enviar|Receber|Mensagens|Resposta|Bindings|Endereço|Campos',
  it: 'Autorizzazione|Parametri di percorso|Parametri di query|Parametri di intestazione|Parametri di cookie|Corpo|Risposta|Risposte|Intestazioni|Callback|Link|Server|Tipo di contenuto|Linguaggio|sola lettura|sola scrittura|Mostra campi|Nascondi campi|Uno tra|Uno o più tra|Descritto sopra:|chiave|Opzioni|Sempre|Intervallo|Lunghezza|Elementi|tutti diversi|Modello|Multiplo di|Non|Esempio|Esempi|Formato|Ambiti|Nessuna|La descrizione contiene più campi di quelli mostrati qui.|Un token, inviato come `Bearer <token>`.|Nome utente e password separati da due punti, in Base64, inviati come `Basic <credentials>`.|La tua chiave API.|Invia|Ricevi|Messaggi|Risposta|Binding|Indirizzo|Campi',
  nl: 'Autorisatie|Padparameters|Queryparameters|Headerparameters|Cookieparameters|Body|Antwoord|Antwoorden|Headers|Callbacks|Links|Server|Mediatype|Taal|alleen lezen|alleen schrijven|Velden tonen|Velden verbergen|Eén van|Een of meer van|Hierboven beschreven:|sleutel|Opties|Altijd|Bereik|Lengte|Elementen|allemaal verschillend|Patroon|Veelvoud van|Niet|Voorbeeld|Voorbeelden|Formaat|Scopes|Geen|De beschrijving bevat meer velden dan hier worden getoond.|Een token, verzonden als `Bearer <token>`.|Gebruikersnaam en wachtwoord met een dubbele punt ertussen, in Base64, verzonden als `Basic <credentials>`.|Uw API-sleutel.|Verzenden|Ontvangen|Berichten|Antwoord|Bindings|Adres|Velden',
  pl: 'Autoryzacja|Parametry ścieżki|Parametry zapytania|Parametry nagłówka|Parametry ciasteczek|Treść|Odpowiedź|Odpowiedzi|Nagłówki|Wywołania zwrotne|Odnośniki|Serwer|Typ treści|Język|tylko do odczytu|tylko do zapisu|Pokaż pola|Ukryj pola|Jedno z|Dowolne z|Opisane wyżej:|klucz|Opcje|Zawsze|Zakres|Długość|Elementy|wszystkie różne|Wzorzec|Wielokrotność|Nie|Przykład|Przykłady|Format|Zakresy|Brak|Opis zawiera więcej pól, niż tu pokazano.|Token wysyłany jako `Bearer <token>`.|Nazwa użytkownika i hasło rozdzielone dwukropkiem, w Base64, wysyłane jako `Basic <credentials>`.|Twój klucz API.|Wyślij|Odbierz|Wiadomości|Odpowiedź|Powiązania|Adres|Pola',
  tr: 'Yetkilendirme|Yol parametreleri|Sorgu parametreleri|Başlık parametreleri|Çerez parametreleri|Gövde|Yanıt|Yanıtlar|Başlıklar|Geri çağrılar|Bağlantılar|Sunucu|Ortam türü|Dil|salt okunur|salt yazılır|Alanları göster|Alanları gizle|Şunlardan biri|Şunlardan herhangi biri|Yukarıda açıklandı:|anahtar|Seçenekler|Her zaman|Aralık|Uzunluk|Öğeler|hepsi farklı|Desen|Katı|Değil|Örnek|Örnekler|Biçim|Kapsamlar|Yok|Açıklama, burada gösterilenden daha fazla alan içeriyor.|`Bearer <token>` olarak gönderilen bir belirteç.|Aralarında iki nokta olan kullanıcı adı ve parola, Base64 ile, `Basic <credentials>` olarak gönderilir.|API anahtarınız.|Gönder|Al|İletiler|Yanıt|Bağlamalar|Adres|Alanlar',
  vi: 'Xác thực|Tham số đường dẫn|Tham số truy vấn|Tham số header|Tham số cookie|Nội dung|Phản hồi|Các phản hồi|Header|Callback|Liên kết|Máy chủ|Kiểu nội dung|Ngôn ngữ|chỉ đọc|chỉ ghi|Hiện các trường|Ẩn các trường|Một trong|Bất kỳ trong|Đã mô tả ở trên:|khóa|Tùy chọn|Luôn là|Khoảng|Độ dài|Phần tử|đều khác nhau|Mẫu|Bội số của|Không|Ví dụ|Các ví dụ|Định dạng|Phạm vi|Không có|Bản mô tả có nhiều trường hơn số được hiển thị ở đây.|Một token, gửi dưới dạng `Bearer <token>`.|Tên người dùng và mật khẩu cách nhau bằng dấu hai chấm, mã hóa Base64, gửi dưới dạng `Basic <credentials>`.|Khóa API của bạn.|Gửi|Nhận|Tin nhắn|Trả lời|Liên kết giao thức|Địa chỉ|Các trường',
  ru: 'Авторизация|Параметры пути|Параметры запроса|Параметры заголовков|Параметры cookie|Тело|Ответ|Ответы|Заголовки|Обратные вызовы|Ссылки|Сервер|Тип содержимого|Язык|только чтение|только запись|Показать поля|Скрыть поля|Одно из|Любое из|Описано выше:|ключ|Варианты|Всегда|Диапазон|Длина|Элементы|все разные|Шаблон|Кратно|Не|Пример|Примеры|Формат|Области доступа|Нет|В описании больше полей, чем показано здесь.|Токен, передаётся как `Bearer <token>`.|Имя пользователя и пароль через двоеточие, в Base64, передаются как `Basic <credentials>`.|Ваш ключ API.|Отправить|Получить|Сообщения|Ответ|Привязки|Адрес|Поля',
  uk: 'Авторизація|Параметри шляху|Параметри запиту|Параметри заголовків|Параметри cookie|Тіло|Відповідь|Відповіді|Заголовки|Зворотні виклики|Посилання|Сервер|Тип вмісту|Мова|лише читання|лише запис|Показати поля|Сховати поля|Одне з|Будь-яке з|Описано вище:|ключ|Варіанти|Завжди|Діапазон|Довжина|Елементи|усі різні|Шаблон|Кратне|Не|Приклад|Приклади|Формат|Області доступу|Немає|Опис містить більше полів, ніж показано тут.|Токен, надсилається як `Bearer <token>`.|Ім’я користувача та пароль через двокрапку, у Base64, надсилаються як `Basic <credentials>`.|Ваш ключ API.|Надіслати|Отримати|Повідомлення|Відповідь|Прив’язки|Адреса|Поля',
  zh: '授权|路径参数|查询参数|请求头参数|Cookie 参数|请求体|响应|响应|响应头|回调|链接|服务器|媒体类型|语言|只读|只写|显示字段|隐藏字段|以下之一|以下任一|上文已说明：|键|可选值|固定为|范围|长度|元素|互不相同|模式|倍数|不可为|示例|示例|格式|权限范围|无|描述中还有未在此显示的字段。|令牌，以 `Bearer <token>` 形式发送。|用户名和密码以冒号连接并经 Base64 编码，以 `Basic <credentials>` 形式发送。|您的 API 密钥。|发送|接收|消息|回复|绑定|地址|字段',
  'zh-hant':
    '授權|路徑參數|查詢參數|標頭參數|Cookie 參數|請求本文|回應|回應|標頭|回呼|連結|伺服器|媒體類型|語言|唯讀|唯寫|顯示欄位|隱藏欄位|以下之一|以下任一|上文已說明：|鍵|可選值|固定為|範圍|長度|元素|互不相同|模式|倍數|不可為|範例|範例|格式|權限範圍|無|描述中還有未在此顯示的欄位。|權杖，以 `Bearer <token>` 形式傳送。|使用者名稱與密碼以冒號連接並經 Base64 編碼，以 `Basic <credentials>` 形式傳送。|您的 API 金鑰。|傳送|接收|訊息|回覆|繫結|位址|欄位',
  ja: '認証|パスパラメータ|クエリパラメータ|ヘッダーパラメータ|Cookie パラメータ|ボディ|レスポンス|レスポンス|ヘッダー|コールバック|リンク|サーバー|メディアタイプ|言語|読み取り専用|書き込み専用|フィールドを表示|フィールドを隠す|いずれか 1 つ|いずれか|上で説明済み：|キー|選択肢|常に|範囲|長さ|要素|重複なし|パターン|倍数|不可|例|例|形式|スコープ|なし|ここに表示されていないフィールドがあります。|`Bearer <token>` として送信するトークン。|ユーザー名とパスワードをコロンでつなぎ Base64 で符号化し、`Basic <credentials>` として送信します。|API キー。|送信|受信|メッセージ|返信|バインディング|アドレス|フィールド',
  ko: '인증|경로 매개변수|쿼리 매개변수|헤더 매개변수|쿠키 매개변수|본문|응답|응답|헤더|콜백|링크|서버|미디어 유형|언어|읽기 전용|쓰기 전용|필드 표시|필드 숨기기|다음 중 하나|다음 중 하나 이상|위에서 설명함:|키|선택지|항상|범위|길이|항목|모두 다름|패턴|배수|제외|예시|예시|형식|권한 범위|없음|여기에 표시되지 않은 필드가 더 있습니다.|`Bearer <token>` 형식으로 보내는 토큰입니다.|사용자 이름과 비밀번호를 콜론으로 이어 Base64로 인코딩하고 `Basic <credentials>` 형식으로 보냅니다.|API 키입니다.|보내기|받기|메시지|회신|바인딩|주소|필드',
  ar: 'التفويض|معاملات المسار|معاملات الاستعلام|معاملات الترويسة|معاملات ملفات الارتباط|المتن|الاستجابة|الاستجابات|الترويسات|الاستدعاءات الراجعة|الروابط|الخادم|نوع الوسائط|اللغة|للقراءة فقط|للكتابة فقط|إظهار الحقول|إخفاء الحقول|واحد من|أي من|موصوف أعلاه:|مفتاح|الخيارات|دائمًا|النطاق|الطول|العناصر|كلها مختلفة|النمط|مضاعف|ليس|مثال|أمثلة|الصيغة|الصلاحيات|لا شيء|يحتوي الوصف على حقول أكثر مما يظهر هنا.|رمز يُرسل على شكل `Bearer <token>`.|اسم المستخدم وكلمة المرور بينهما نقطتان، بترميز Base64، يُرسلان على شكل `Basic <credentials>`.|مفتاح API الخاص بك.|إرسال|استقبال|الرسائل|الرد|الارتباطات|العنوان|الحقول',
  he: 'הרשאה|פרמטרים בנתיב|פרמטרים בשאילתה|פרמטרים בכותרת|פרמטרים בעוגייה|גוף|תשובה|תשובות|כותרות|קריאות חוזרות|קישורים|שרת|סוג מדיה|שפה|לקריאה בלבד|לכתיבה בלבד|הצגת השדות|הסתרת השדות|אחד מתוך|כל אחד מתוך|מתואר למעלה:|מפתח|אפשרויות|תמיד|טווח|אורך|פריטים|כולם שונים|תבנית|כפולה של|לא|דוגמה|דוגמאות|תבנית ערך|היקפי הרשאה|ללא|בתיאור יש שדות נוספים שאינם מוצגים כאן.|אסימון, נשלח בתור `Bearer <token>`.|שם משתמש וסיסמה עם נקודתיים ביניהם, ב-Base64, נשלחים בתור `Basic <credentials>`.|מפתח ה-API שלך.|שליחה|קבלה|הודעות|מענה|קשירות|כתובת|שדות',
  id: 'Otorisasi|Parameter path|Parameter query|Parameter header|Parameter cookie|Body|Respons|Respons|Header|Callback|Tautan|Server|Jenis media|Bahasa|hanya baca|hanya tulis|Tampilkan kolom|Sembunyikan kolom|Salah satu dari|Sebagian dari|Dijelaskan di atas:|kunci|Pilihan|Selalu|Rentang|Panjang|Butir|semua berbeda|Pola|Kelipatan|Bukan|Contoh|Contoh|Format|Cakupan|Tidak ada|Deskripsi memuat lebih banyak kolom daripada yang ditampilkan di sini.|Token, dikirim sebagai `Bearer <token>`.|Nama pengguna dan kata sandi dengan titik dua di antaranya, dalam Base64, dikirim sebagai `Basic <credentials>`.|Kunci API Anda.|Kirim|Terima|Pesan|Balasan|Binding|Alamat|Kolom',
}

const KEYS = Object.keys(API_ENGLISH) as ApiWord[]
const SHARED: readonly SharedWord[] = ['fieldRequired', 'fieldDefault', 'fieldDeprecated']

export const API_WORDS: Readonly<Record<string, Partial<ApiWords>>> = Object.fromEntries(
  Object.entries(TEXTS).map(([language, texts]) => {
    const words = texts.split('|')
    return [language, Object.fromEntries(KEYS.map((key, index) => [key, words[index]]))]
  }),
)

/** The words of API pages alone, out of all words of a language. */
export function apiWords(text: ApiWords): ApiWords {
  return Object.fromEntries([...KEYS, ...SHARED].map((key) => [key, text[key]])) as ApiWords
}
