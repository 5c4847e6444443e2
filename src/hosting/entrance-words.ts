/** What the way into a private site says, in the languages that pages can speak; `{host}` is the name of the site. */
import { preferredLanguage } from './preferred-language.ts'

export interface EntranceWords {
  title: string
  isPrivate: string
  withPassword: string
  forMembers: string
  withLink: string
  password: string
  go: string
  signIn: string
  mayRead: string
  remembered: string
  goOn: string
  signOut: string
  wrongPassword: string
  tooMany: string
  linkEnded: string
  signInAgain: string
}

type Row = readonly [tag: string, ...words: string[]]

const NAMES = [
  ...(['title', 'isPrivate', 'withPassword', 'forMembers', 'withLink', 'password', 'go', 'signIn'] as const),
  ...([
    'mayRead',
    'remembered',
    'goOn',
    'signOut',
    'wrongPassword',
    'tooMany',
    'linkEnded',
    'signInAgain',
  ] as const),
]

const ROWS: readonly Row[] = [
  [
    'en',
    ...['Private site', '{host} is private', 'Enter the password that you were given.'],
    ...['Members of the organization sign in to read.', 'Open the link that you were given.'],
    ...['Password', 'Continue', 'Sign in as a member', 'You can read {host}', 'This browser remembers it.'],
    ...[
      'Go on reading',
      'Sign out',
      'That password is not right.',
      'Too many tries. Wait a while, then try again.',
    ],
    ...['This link no longer works. Ask for another one.', 'Sign in once more.'],
  ],
  [
    'de',
    ...['Private Website', '{host} ist privat', 'Geben Sie das Passwort ein, das Sie erhalten haben.'],
    ...[
      'Mitglieder der Organisation melden sich zum Lesen an.',
      'Öffnen Sie den Link, den Sie erhalten haben.',
    ],
    ...['Passwort', 'Weiter', 'Als Mitglied anmelden', 'Sie können {host} lesen'],
    ...['Dieser Browser merkt es sich.', 'Weiterlesen', 'Abmelden', 'Dieses Passwort ist nicht richtig.'],
    ...['Zu viele Versuche. Warten Sie eine Weile und versuchen Sie es dann erneut.'],
    ...['Dieser Link gilt nicht mehr. Bitten Sie um einen neuen.', 'Melden Sie sich noch einmal an.'],
  ],
  [
    'fr',
    ...['Site privé', '{host} est privé', 'Saisissez le mot de passe qui vous a été communiqué.'],
    ...['Les membres de l’organisation se connectent pour lire.', 'Ouvrez le lien qui vous a été envoyé.'],
    ...['Mot de passe', 'Continuer', 'Se connecter en tant que membre', 'Vous pouvez lire {host}'],
    ...[
      'Ce navigateur s’en souvient.',
      'Reprendre la lecture',
      'Se déconnecter',
      'Ce mot de passe est incorrect.',
    ],
    ...['Trop de tentatives. Patientez un moment, puis réessayez.'],
    ...['Ce lien n’est plus valable. Demandez-en un autre.', 'Connectez-vous à nouveau.'],
  ],
  [
    'es',
    ...['Sitio privado', '{host} es privado', 'Introduce la contraseña que te dieron.'],
    ...['Los miembros de la organización inician sesión para leer.', 'Abre el enlace que te dieron.'],
    ...['Contraseña', 'Continuar', 'Iniciar sesión como miembro', 'Puedes leer {host}'],
    ...['Este navegador lo recuerda.', 'Seguir leyendo', 'Cerrar sesión', 'Esa contraseña no es correcta.'],
    ...['Demasiados intentos. Espera un poco y vuelve a intentarlo.'],
    ...['Este enlace ya no sirve. Pide otro.', 'Inicia sesión otra vez.'],
  ],
  [
    'it',
    ...['Sito privato', '{host} è privato', 'Inserisci la password che hai ricevuto.'],
    ...['I membri dell’organizzazione accedono per leggere.', 'Apri il link che hai ricevuto.'],
    ...['Password', 'Continua', 'Accedi come membro', 'Puoi leggere {host}', 'Questo browser se ne ricorda.'],
    ...[
      'Continua a leggere',
      'Esci',
      'La password non è corretta.',
      'Troppi tentativi. Aspetta un po’ e riprova.',
    ],
    ...['Questo link non è più valido. Chiedine un altro.', 'Accedi di nuovo.'],
  ],
  [
    'pt',
    ...['Site privado', '{host} é privado', 'Digite a senha que você recebeu.'],
    ...['Os membros da organização entram para ler.', 'Abra o link que você recebeu.'],
    ...[
      'Senha',
      'Continuar',
      'Entrar como membro',
      'Você pode ler {host}',
      'Este navegador se lembra disso.',
    ],
    ...['Continuar lendo', 'Sair', 'Essa senha não está correta.'],
    ...['Tentativas demais. Espere um pouco e tente de novo.'],
    ...['Este link não vale mais. Peça outro.', 'Entre novamente.'],
  ],
  [
    'nl',
    ...['Besloten site', '{host} is besloten', 'Voer het wachtwoord in dat je hebt gekregen.'],
    ...['Leden van de organisatie loggen in om te lezen.', 'Open de link die je hebt gekregen.'],
    ...['Wachtwoord', 'Doorgaan', 'Inloggen als lid', 'Je kunt {host} lezen', 'Deze browser onthoudt het.'],
    ...['Verder lezen', 'Uitloggen', 'Dat wachtwoord is niet juist.'],
    ...['Te veel pogingen. Wacht even en probeer het dan opnieuw.'],
    ...['Deze link werkt niet meer. Vraag om een nieuwe.', 'Log nog een keer in.'],
  ],
  [
    'pl',
    ...['Witryna prywatna', '{host} to witryna prywatna', 'Wpisz otrzymane hasło.'],
    ...['Członkowie organizacji logują się, aby czytać.', 'Otwórz otrzymany link.'],
    ...[
      'Hasło',
      'Dalej',
      'Zaloguj się jako członek',
      'Możesz czytać {host}',
      'Ta przeglądarka to zapamięta.',
    ],
    ...['Czytaj dalej', 'Wyloguj się', 'To hasło jest nieprawidłowe.'],
    ...['Zbyt wiele prób. Odczekaj chwilę i spróbuj ponownie.'],
    ...['Ten link już nie działa. Poproś o nowy.', 'Zaloguj się ponownie.'],
  ],
  [
    'ru',
    ...['Закрытый сайт', '{host} — закрытый сайт', 'Введите пароль, который вам передали.'],
    ...['Участники организации входят, чтобы читать.', 'Откройте ссылку, которую вам передали.'],
    ...['Пароль', 'Продолжить', 'Войти как участник', 'Вам доступен {host}', 'Этот браузер это запомнит.'],
    ...['Продолжить чтение', 'Выйти', 'Неверный пароль.'],
    ...['Слишком много попыток. Подождите немного и попробуйте снова.'],
    ...['Эта ссылка больше не действует. Попросите другую.', 'Войдите ещё раз.'],
  ],
  [
    'uk',
    ...['Закритий сайт', '{host} — закритий сайт', 'Введіть пароль, який вам передали.'],
    ...['Учасники організації входять, щоб читати.', 'Відкрийте посилання, яке вам передали.'],
    ...['Пароль', 'Продовжити', 'Увійти як учасник', 'Вам доступний {host}', 'Цей браузер це запам’ятає.'],
    ...['Продовжити читання', 'Вийти', 'Неправильний пароль.'],
    ...['Забагато спроб. Зачекайте трохи й спробуйте знову.'],
    ...['Це посилання більше не діє. Попросіть інше.', 'Увійдіть ще раз.'],
  ],
  [
    'tr',
    ...['Özel site', '{host} özel bir sitedir', 'Size verilen parolayı girin.'],
    ...['Kuruluş üyeleri okumak için oturum açar.', 'Size verilen bağlantıyı açın.'],
    ...[
      'Parola',
      'Devam et',
      'Üye olarak oturum aç',
      '{host} sitesini okuyabilirsiniz',
      'Bu tarayıcı bunu hatırlar.',
    ],
    ...['Okumaya devam et', 'Oturumu kapat', 'Bu parola doğru değil.'],
    ...['Çok fazla deneme. Biraz bekleyip yeniden deneyin.'],
    ...['Bu bağlantı artık geçerli değil. Yenisini isteyin.', 'Yeniden oturum açın.'],
  ],
  [
    'id',
    ...['Situs privat', '{host} bersifat privat', 'Masukkan kata sandi yang diberikan kepada Anda.'],
    ...['Anggota organisasi masuk untuk membaca.', 'Buka tautan yang diberikan kepada Anda.'],
    ...[
      'Kata sandi',
      'Lanjutkan',
      'Masuk sebagai anggota',
      'Anda dapat membaca {host}',
      'Peramban ini mengingatnya.',
    ],
    ...['Lanjut membaca', 'Keluar', 'Kata sandi itu salah.'],
    ...['Terlalu banyak percobaan. Tunggu sebentar, lalu coba lagi.'],
    ...['Tautan ini tidak berlaku lagi. Mintalah yang baru.', 'Masuk sekali lagi.'],
  ],
  [
    'vi',
    ...['Trang riêng tư', '{host} là trang riêng tư', 'Nhập mật khẩu mà bạn được cấp.'],
    ...['Thành viên của tổ chức đăng nhập để đọc.', 'Mở liên kết mà bạn được gửi.'],
    ...['Mật khẩu', 'Tiếp tục', 'Đăng nhập với tư cách thành viên', 'Bạn có thể đọc {host}'],
    ...['Trình duyệt này sẽ ghi nhớ.', 'Đọc tiếp', 'Đăng xuất', 'Mật khẩu không đúng.'],
    ...['Quá nhiều lần thử. Hãy chờ một lát rồi thử lại.'],
    ...['Liên kết này không còn hiệu lực. Hãy xin liên kết khác.', 'Hãy đăng nhập lại.'],
  ],
  [
    'hi',
    ...['निजी साइट', '{host} निजी है', 'आपको दिया गया पासवर्ड डालें।'],
    ...['संगठन के सदस्य पढ़ने के लिए साइन इन करते हैं।', 'आपको दिया गया लिंक खोलें।'],
    ...['पासवर्ड', 'जारी रखें', 'सदस्य के रूप में साइन इन करें', 'आप {host} पढ़ सकते हैं', 'यह ब्राउज़र इसे याद रखता है।'],
    ...['पढ़ना जारी रखें', 'साइन आउट करें', 'यह पासवर्ड सही नहीं है।'],
    ...['बहुत सारे प्रयास हुए। थोड़ी देर रुककर फिर कोशिश करें।'],
    ...['यह लिंक अब मान्य नहीं है। नया लिंक माँगें।', 'फिर से साइन इन करें।'],
  ],
  [
    'ar',
    ...['موقع خاص', '{host} موقع خاص', 'أدخل كلمة المرور التي حصلت عليها.'],
    ...['يسجّل أعضاء المؤسسة الدخول للقراءة.', 'افتح الرابط الذي حصلت عليه.'],
    ...['كلمة المرور', 'متابعة', 'تسجيل الدخول كعضو', 'يمكنك قراءة {host}', 'يتذكر هذا المتصفح ذلك.'],
    ...['متابعة القراءة', 'تسجيل الخروج', 'كلمة المرور غير صحيحة.'],
    ...['محاولات كثيرة جدًا. انتظر قليلًا ثم حاول مرة أخرى.'],
    ...['لم يعد هذا الرابط صالحًا. اطلب رابطًا آخر.', 'سجّل الدخول مرة أخرى.'],
  ],
  [
    'he',
    ...['אתר פרטי', '{host} הוא אתר פרטי', 'יש להזין את הסיסמה שקיבלת.'],
    ...['חברי הארגון מתחברים כדי לקרוא.', 'יש לפתוח את הקישור שקיבלת.'],
    ...['סיסמה', 'המשך', 'התחברות כחבר ארגון', 'אפשר לקרוא את {host}', 'הדפדפן הזה יזכור זאת.'],
    ...['המשך קריאה', 'התנתקות', 'הסיסמה אינה נכונה.'],
    ...['יותר מדי ניסיונות. יש להמתין מעט ולנסות שוב.'],
    ...['הקישור הזה אינו תקף עוד. יש לבקש קישור אחר.', 'יש להתחבר שוב.'],
  ],
  [
    'ja',
    ...['非公開サイト', '{host} は非公開です', '受け取ったパスワードを入力してください。'],
    ...['組織のメンバーはサインインして閲覧します。', '受け取ったリンクを開いてください。'],
    ...[
      'パスワード',
      '続ける',
      'メンバーとしてサインイン',
      '{host} を閲覧できます',
      'このブラウザーに記憶されています。',
    ],
    ...['続きを読む', 'サインアウト', 'パスワードが正しくありません。'],
    ...['試行回数が多すぎます。しばらく待ってからもう一度お試しください。'],
    ...['このリンクはもう使えません。新しいリンクを依頼してください。', 'もう一度サインインしてください。'],
  ],
  [
    'ko',
    ...['비공개 사이트', '{host}은(는) 비공개입니다', '전달받은 비밀번호를 입력하세요.'],
    ...['조직 구성원은 로그인하여 읽습니다.', '전달받은 링크를 여세요.'],
    ...[
      '비밀번호',
      '계속',
      '구성원으로 로그인',
      '{host}을(를) 읽을 수 있습니다',
      '이 브라우저에 기억됩니다.',
    ],
    ...['계속 읽기', '로그아웃', '비밀번호가 올바르지 않습니다.'],
    ...['시도가 너무 많습니다. 잠시 기다렸다가 다시 시도하세요.'],
    ...['이 링크는 더 이상 사용할 수 없습니다. 새 링크를 요청하세요.', '다시 로그인하세요.'],
  ],
  [
    'zh',
    ...['私有网站', '{host} 是私有网站', '请输入您收到的密码。'],
    ...['组织成员登录后即可阅读。', '请打开您收到的链接。'],
    ...['密码', '继续', '以成员身份登录', '您可以阅读 {host}', '此浏览器会记住。'],
    ...['继续阅读', '退出登录', '密码不正确。', '尝试次数过多。请稍候再试。'],
    ...['此链接已失效。请索取新的链接。', '请重新登录。'],
  ],
  [
    'zh-Hant',
    ...['私人網站', '{host} 是私人網站', '請輸入您收到的密碼。'],
    ...['組織成員登入後即可閱讀。', '請開啟您收到的連結。'],
    ...['密碼', '繼續', '以成員身分登入', '您可以閱讀 {host}', '此瀏覽器會記住。'],
    ...['繼續閱讀', '登出', '密碼不正確。', '嘗試次數過多。請稍候再試。'],
    ...['此連結已失效。請索取新的連結。', '請重新登入。'],
  ],
]

const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(['ar', 'he'])

export interface Spoken {
  tag: string
  direction: 'ltr' | 'rtl'
  words: EntranceWords
}

const SPOKEN = ROWS.map(([tag, ...words]): Spoken => {
  const named = NAMES.map((name, index) => [name, words[index]])
  return {
    tag,
    direction: RIGHT_TO_LEFT.has(tag) ? 'rtl' : 'ltr',
    words: Object.fromEntries(named) as EntranceWords,
  }
})

/** By the header with which a browser asks; English where none of its languages is here. */
export function entranceWords(acceptLanguage: string): Spoken {
  return preferredLanguage(acceptLanguage, SPOKEN) ?? (SPOKEN[0] as Spoken)
}
