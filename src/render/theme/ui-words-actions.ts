/** Words of the menu beside the title. */
import type { ENGLISH } from './ui-text.ts'

export const ACTIONS: Record<string, Partial<Record<keyof typeof ENGLISH, string>>> = {
  de: {
    viewMarkdown: 'Als Markdown ansehen',
    savePdf: 'Als PDF sichern',
    downloadSpec: 'API-Beschreibung herunterladen',
    subscribe: 'Feed abonnieren',
  },
  fr: {
    viewMarkdown: 'Voir en Markdown',
    savePdf: 'Enregistrer en PDF',
    downloadSpec: 'Télécharger la description de l’API',
    subscribe: 'S’abonner au flux',
  },
  es: {
    viewMarkdown: 'Ver como Markdown',
    savePdf: 'Guardar como PDF',
    downloadSpec: 'Descargar la descripción de la API',
    subscribe: 'Suscribirse al feed',
  },
  pt: {
    viewMarkdown: 'Ver como Markdown',
    savePdf: 'Salvar como PDF',
    downloadSpec: 'Baixar a descrição da API',
    subscribe: 'Assinar o feed',
  },
  it: {
    viewMarkdown: 'Vedi come Markdown',
    savePdf: 'Salva come PDF',
    downloadSpec: 'Scarica la descrizione dell’API',
    subscribe: 'Abbonati al feed',
  },
  nl: {
    viewMarkdown: 'Bekijken als Markdown',
    savePdf: 'Opslaan als pdf',
    downloadSpec: 'API-beschrijving downloaden',
    subscribe: 'Abonneren op feed',
  },
  pl: {
    viewMarkdown: 'Pokaż jako Markdown',
    savePdf: 'Zapisz jako PDF',
    downloadSpec: 'Pobierz opis API',
    subscribe: 'Subskrybuj kanał',
  },
  tr: {
    viewMarkdown: 'Markdown olarak göster',
    savePdf: 'PDF olarak kaydet',
    downloadSpec: 'API tanımını indir',
    subscribe: 'Akışa abone ol',
  },
  vi: {
    viewMarkdown: 'Xem dưới dạng Markdown',
    savePdf: 'Lưu thành PDF',
    downloadSpec: 'Tải mô tả API',
    subscribe: 'Theo dõi nguồn tin',
  },
  id: {
    viewMarkdown: 'Lihat sebagai Markdown',
    savePdf: 'Simpan sebagai PDF',
    downloadSpec: 'Unduh deskripsi API',
    subscribe: 'Berlangganan feed',
  },
  ru: {
    viewMarkdown: 'Показать как Markdown',
    savePdf: 'Сохранить как PDF',
    downloadSpec: 'Скачать описание API',
    subscribe: 'Подписаться на ленту',
  },
  uk: {
    viewMarkdown: 'Показати як Markdown',
    savePdf: 'Зберегти як PDF',
    downloadSpec: 'Завантажити опис API',
    subscribe: 'Підписатися на стрічку',
  },
  zh: {
    viewMarkdown: '以 Markdown 查看',
    savePdf: '另存为 PDF',
    downloadSpec: '下载 API 描述',
    subscribe: '订阅更新',
  },
  'zh-hant': {
    viewMarkdown: '以 Markdown 檢視',
    savePdf: '另存為 PDF',
    downloadSpec: '下載 API 描述',
    subscribe: '訂閱更新',
  },
  ja: {
    viewMarkdown: 'Markdown で表示',
    savePdf: 'PDF として保存',
    downloadSpec: 'API 定義をダウンロード',
    subscribe: 'フィードを購読',
  },
  ko: {
    viewMarkdown: 'Markdown으로 보기',
    savePdf: 'PDF로 저장',
    downloadSpec: 'API 설명 내려받기',
    subscribe: '피드 구독',
  },
  ar: {
    viewMarkdown: 'عرض بصيغة Markdown',
    savePdf: 'حفظ بصيغة PDF',
    downloadSpec: 'تنزيل وصف واجهة API',
    subscribe: 'الاشتراك في الموجز',
  },
  he: {
    viewMarkdown: 'הצגה כ־Markdown',
    savePdf: 'שמירה כ־PDF',
    downloadSpec: 'הורדת תיאור ה־API',
    subscribe: 'הרשמה לעדכונים',
  },
  hi: {
    viewMarkdown: 'Markdown के रूप में देखें',
    savePdf: 'PDF के रूप में सहेजें',
    downloadSpec: 'API विवरण डाउनलोड करें',
    subscribe: 'फ़ीड की सदस्यता लें',
  },
}
