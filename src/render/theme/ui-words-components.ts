/** Words of components by language, in one order for all: what stands in the text of a page, and on its buttons. */

export const COMPONENT_ENGLISH = {
  permalink: 'Link to this place',
  copyCode: 'Copy code',
  showAllLines: 'Show all {count} lines',
  showLess: 'Show less',
  showTitle: 'Show {title}',
  hideTitle: 'Hide {title}',
  childAttributes: 'child attributes',
  fieldRequired: 'required',
  fieldDefault: 'default',
  fieldDeprecated: 'deprecated',
  calloutNote: 'Note',
  calloutInfo: 'Info',
  calloutTip: 'Tip',
  calloutCheck: 'Check',
  calloutWarning: 'Warning',
  calloutDanger: 'Danger',
  copyPrompt: 'Copy prompt',
  openInCursor: 'Open in Cursor',
  showPrompt: 'Show prompt',
  tabNumber: 'Tab {count}',
  embedded: 'Embedded content',
  image: 'Image',
  diagram: 'Diagram',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  resetView: 'Reset view',
  fullScreen: 'Full screen',
  download: 'Download',
  copyImage: 'Copy image',
} as const

export type ComponentWord = keyof typeof COMPONENT_ENGLISH
export type ComponentWords = Readonly<Record<ComponentWord, string>>

/** Columns divided by `|`, in the order above. */
const TEXTS: Readonly<Record<string, string>> = {
  de: 'Link zu dieser Stelle|Code kopieren|Alle {count} Zeilen anzeigen|Weniger anzeigen|{title} anzeigen|{title} ausblenden|untergeordnete Felder|erforderlich|Standard|veraltet|Hinweis|Info|Tipp|Erledigt|Warnung|Gefahr|Prompt kopieren|In Cursor öffnen|Prompt anzeigen|Tab {count}|Eingebetteter Inhalt|Bild|Diagramm|Vergrößern|Verkleinern|Ansicht zurücksetzen|Vollbild|Herunterladen|Bild kopieren',
  fr: 'Lien vers cet endroit|Copier le code|Afficher les {count} lignes|Afficher moins|Afficher {title}|Masquer {title}|les attributs enfants|obligatoire|par défaut|obsolète|Note|Info|Astuce|Validé|Attention|Danger|Copier le prompt|Ouvrir dans Cursor|Afficher le prompt|Onglet {count}|Contenu intégré|Image|Diagramme|Agrandir|Réduire|Réinitialiser la vue|Plein écran|Télécharger|Copier l’image',
  es: 'Enlace a este lugar|Copiar código|Mostrar las {count} líneas|Mostrar menos|Mostrar {title}|Ocultar {title}|atributos secundarios|obligatorio|predeterminado|obsoleto|Nota|Información|Consejo|Correcto|Advertencia|Peligro|Copiar prompt|Abrir en Cursor|Mostrar prompt|Pestaña {count}|Contenido incrustado|Imagen|Diagrama|Acercar|Alejar|Restablecer vista|Pantalla completa|Descargar|Copiar imagen',
  pt: 'Link para este ponto|Copiar código|Mostrar todas as {count} linhas|Mostrar menos|Mostrar {title}|Ocultar {title}|atributos filhos|obrigatório|padrão|obsoleto|Nota|Informação|Dica|Correto|Aviso|Perigo|Copiar prompt|Abrir no Cursor|Mostrar prompt|Aba {count}|Conteúdo incorporado|Imagem|Diagrama|Ampliar|Reduzir|Redefinir visualização|Tela cheia|Baixar|Copiar imagem',
  it: 'Link a questo punto|Copia codice|Mostra tutte le {count} righe|Mostra meno|Mostra {title}|Nascondi {title}|attributi figli|obbligatorio|predefinito|deprecato|Nota|Informazione|Suggerimento|Corretto|Avviso|Pericolo|Copia prompt|Apri in Cursor|Mostra prompt|Scheda {count}|Contenuto incorporato|Immagine|Diagramma|Ingrandisci|Riduci|Reimposta vista|Schermo intero|Scarica|Copia immagine',
  nl: 'Link naar deze plek|Code kopiëren|Alle {count} regels tonen|Minder tonen|{title} tonen|{title} verbergen|onderliggende velden|verplicht|standaard|verouderd|Opmerking|Info|Tip|In orde|Waarschuwing|Gevaar|Prompt kopiëren|Openen in Cursor|Prompt tonen|Tab {count}|Ingesloten inhoud|Afbeelding|Diagram|Inzoomen|Uitzoomen|Weergave herstellen|Volledig scherm|Downloaden|Afbeelding kopiëren',
  pl: 'Link do tego miejsca|Kopiuj kod|Pokaż wszystkie wiersze: {count}|Pokaż mniej|Pokaż: {title}|Ukryj: {title}|atrybuty podrzędne|wymagane|domyślnie|przestarzałe|Uwaga|Informacja|Wskazówka|Gotowe|Ostrzeżenie|Niebezpieczeństwo|Kopiuj prompt|Otwórz w Cursor|Pokaż prompt|Karta {count}|Osadzona treść|Obraz|Diagram|Powiększ|Pomniejsz|Przywróć widok|Pełny ekran|Pobierz|Kopiuj obraz',
  tr: 'Bu yere bağlantı|Kodu kopyala|{count} satırın tümünü göster|Daha az göster|Göster: {title}|Gizle: {title}|alt alanlar|zorunlu|varsayılan|kullanımdan kalktı|Not|Bilgi|İpucu|Tamam|Uyarı|Tehlike|İstemi kopyala|Cursor’da aç|İstemi göster|Sekme {count}|Gömülü içerik|Görsel|Diyagram|Yakınlaştır|Uzaklaştır|Görünümü sıfırla|Tam ekran|İndir|Görseli kopyala',
  vi: 'Liên kết đến vị trí này|Sao chép mã|Hiện tất cả {count} dòng|Thu gọn|Hiện {title}|Ẩn {title}|thuộc tính con|bắt buộc|mặc định|không còn dùng|Ghi chú|Thông tin|Mẹo|Đã xong|Cảnh báo|Nguy hiểm|Sao chép prompt|Mở trong Cursor|Hiện prompt|Thẻ {count}|Nội dung nhúng|Hình ảnh|Sơ đồ|Phóng to|Thu nhỏ|Đặt lại khung nhìn|Toàn màn hình|Tải xuống|Sao chép hình ảnh',
  ru: 'Ссылка на это место|Скопировать код|Показать все строки: {count}|Свернуть|Показать: {title}|Скрыть: {title}|вложенные поля|обязательно|по умолчанию|устарело|Примечание|Информация|Совет|Готово|Предупреждение|Опасность|Скопировать промпт|Открыть в Cursor|Показать промпт|Вкладка {count}|Встроенное содержимое|Изображение|Диаграмма|Увеличить|Уменьшить|Сбросить вид|Во весь экран|Скачать|Скопировать изображение',
  uk: 'Посилання на це місце|Скопіювати код|Показати всі рядки: {count}|Згорнути|Показати: {title}|Сховати: {title}|вкладені поля|обов’язково|типово|застаріло|Примітка|Інформація|Порада|Готово|Попередження|Небезпека|Скопіювати промпт|Відкрити в Cursor|Показати промпт|Вкладка {count}|Вбудований вміст|Зображення|Діаграма|Збільшити|Зменшити|Скинути вигляд|На весь екран|Завантажити|Скопіювати зображення',
  zh: '本节链接|复制代码|显示全部 {count} 行|收起|显示{title}|隐藏{title}|子属性|必填|默认值|已弃用|注意|信息|提示|完成|警告|危险|复制提示词|在 Cursor 中打开|显示提示词|标签页 {count}|嵌入内容|图片|图表|放大|缩小|重置视图|全屏|下载|复制图片',
  'zh-hant':
    '本節連結|複製程式碼|顯示全部 {count} 行|收合|顯示{title}|隱藏{title}|子屬性|必填|預設值|已棄用|注意|資訊|提示|完成|警告|危險|複製提示詞|在 Cursor 中開啟|顯示提示詞|分頁 {count}|嵌入內容|圖片|圖表|放大|縮小|重設檢視|全螢幕|下載|複製圖片',
  ja: 'この箇所へのリンク|コードをコピー|全 {count} 行を表示|折りたたむ|{title}を表示|{title}を隠す|子属性|必須|デフォルト|非推奨|注記|情報|ヒント|完了|警告|危険|プロンプトをコピー|Cursor で開く|プロンプトを表示|タブ {count}|埋め込みコンテンツ|画像|図|拡大|縮小|表示をリセット|全画面表示|ダウンロード|画像をコピー',
  ko: '이 위치로 연결되는 링크|코드 복사|전체 {count}줄 표시|접기|{title} 표시|{title} 숨기기|하위 속성|필수|기본값|지원 중단|참고|정보|팁|완료|경고|위험|프롬프트 복사|Cursor에서 열기|프롬프트 표시|탭 {count}|포함된 콘텐츠|이미지|다이어그램|확대|축소|보기 초기화|전체 화면|다운로드|이미지 복사',
  ar: 'رابط إلى هذا الموضع|نسخ الشيفرة|إظهار كل الأسطر ({count})|عرض أقل|إظهار {title}|إخفاء {title}|الحقول الفرعية|مطلوب|الافتراضي|مهمل|ملاحظة|معلومة|نصيحة|تم|تحذير|خطر|نسخ الموجّه|فتح في Cursor|إظهار الموجّه|تبويب {count}|محتوى مضمّن|صورة|مخطط|تكبير|تصغير|إعادة ضبط العرض|ملء الشاشة|تنزيل|نسخ الصورة',
  he: 'קישור למקום זה|העתקת הקוד|הצגת כל {count} השורות|הצגת פחות|הצגת {title}|הסתרת {title}|שדות משנה|חובה|ברירת מחדל|יצא משימוש|הערה|מידע|עצה|בוצע|אזהרה|סכנה|העתקת הפרומפט|פתיחה ב-Cursor|הצגת הפרומפט|לשונית {count}|תוכן מוטמע|תמונה|תרשים|הגדלה|הקטנה|איפוס התצוגה|מסך מלא|הורדה|העתקת התמונה',
  id: 'Tautan ke bagian ini|Salin kode|Tampilkan semua {count} baris|Tampilkan lebih sedikit|Tampilkan {title}|Sembunyikan {title}|atribut turunan|wajib|bawaan|usang|Catatan|Info|Kiat|Selesai|Peringatan|Bahaya|Salin prompt|Buka di Cursor|Tampilkan prompt|Tab {count}|Konten tersemat|Gambar|Diagram|Perbesar|Perkecil|Atur ulang tampilan|Layar penuh|Unduh|Salin gambar',
}

const KEYS = /* @__PURE__ */ Object.keys(COMPONENT_ENGLISH) as ComponentWord[]

export const COMPONENT_WORDS: Readonly<Record<string, Partial<ComponentWords>>> =
  /* @__PURE__ */ Object.fromEntries(
    Object.entries(TEXTS).map(([language, texts]) => {
      const words = texts.split('|')
      return [language, Object.fromEntries(KEYS.map((key, index) => [key, words[index]]))]
    }),
  )

/** Puts numbers and names in their places: `Tab {count}` and 2 to `Tab 2`. */
export function filled(text: string, value: string | number): string {
  return text.replace(/\{\w+\}/, () => String(value))
}

/** The component's part of the words of a language. */
export function componentWords(words: ComponentWords): ComponentWords {
  return Object.fromEntries(KEYS.map((key) => [key, words[key]])) as ComponentWords
}

/** Buttons that a script adds need these. */
const SCRIPT_KEYS: readonly ComponentWord[] = [
  'image',
  'diagram',
  'zoomIn',
  'zoomOut',
  'resetView',
  'fullScreen',
  'download',
  'copyImage',
]

/** JSON of the words that scripts of a page cannot know by themselves; null for a page in English. */
export function wordsForScripts(words: ComponentWords, hasIslands: boolean): string | null {
  const wanted = hasIslands ? KEYS : SCRIPT_KEYS
  const other = wanted.filter((key) => words[key] !== COMPONENT_ENGLISH[key])
  return other.length === 0 ? null : JSON.stringify(Object.fromEntries(other.map((key) => [key, words[key]])))
}
