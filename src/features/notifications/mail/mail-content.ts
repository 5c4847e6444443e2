/**
 * Builds the content of a mail as text and HTML, without images, scripts or external resources. Text from
 * other users is passed through `oneLine` and escaped.
 */
import type { Mail } from './smtp.ts'

/** Content of a mail. All fields are escaped when rendered. */
export interface MailContent {
  subject: string
  heading: string
  paragraphs: readonly string[]
  entries?: readonly { title: string; about: string; href: string }[]
  action?: { label: string; href: string }
  foot: readonly string[]
  footLinks?: readonly { label: string; href: string }[]
}

export function renderMail(mailContent: MailContent): Pick<Mail, 'subject' | 'text' | 'html'> {
  return { subject: mailContent.subject, text: renderText(mailContent), html: renderHtml(mailContent) }
}

function renderText({
  heading,
  paragraphs,
  entries = [],
  action,
  foot,
  footLinks = [],
}: MailContent): string {
  const blocks = [
    heading,
    ...paragraphs,
    ...entries.map(({ title, about, href }) => `- ${title}\n  ${about}\n  ${href}`),
    ...(action === undefined ? [] : [`${action.label}:\n${action.href}`]),
    ['-- ', ...foot, ...footLinks.map(({ label, href }) => `${label}: ${href}`)].join('\n'),
  ]
  return `${blocks.join('\n\n')}\n`
}

/** Sets only the colours of dark mode. Light colours are set on each element, because some clients ignore styles. */
const STYLE = `
:root { color-scheme: light dark; supported-color-schemes: light dark }
@media (prefers-color-scheme: dark) {
  .page { background: #111318 !important }
  .card { background: #1a1d24 !important; border-color: #2e333d !important }
  .text { color: #e8eaf0 !important }
  .soft { color: #a3aab8 !important }
  .line { border-color: #2e333d !important }
  .link { color: #9db8ff !important }
}`

const FONT_STYLE = `font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif`
const WORD_BREAK_STYLE = 'overflow-wrap:anywhere;word-break:break-word'

function renderHtml(mailContent: MailContent): string {
  const { subject, heading, paragraphs, entries = [], action } = mailContent
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>${STYLE}</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f4f5f7">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"><tr><td align="center" style="padding:24px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="max-width:560px;table-layout:fixed">
<tr><td class="card" style="background:#ffffff;border:1px solid #e3e6ec;border-radius:8px;padding:28px 24px;${FONT_STYLE}">
<h1 dir="auto" class="text" style="margin:0 0 16px;font-size:20px;line-height:1.3;font-weight:600;color:#1c1f26;${WORD_BREAK_STYLE}">${escapeHtml(heading)}</h1>
${paragraphs.map(paragraph).join('\n')}
${entries.map(entry).join('\n')}
${action === undefined ? '' : button(action)}
</td></tr>
<tr><td style="padding:16px 24px;${FONT_STYLE}">${foot(mailContent)}</td></tr>
</table>
</td></tr></table>
</body>
</html>
`
}

function paragraph(text: string): string {
  return `<p dir="auto" class="text" style="margin:0 0 16px;font-size:15px;line-height:1.55;color:#1c1f26;${WORD_BREAK_STYLE}">${escapeHtml(text)}</p>`
}

function entry({ title, about, href }: { title: string; about: string; href: string }): string {
  return `<div class="line" style="border-top:1px solid #e3e6ec;padding:12px 0">
<a dir="auto" class="link" href="${escapeHtml(href)}" style="display:block;font-size:15px;line-height:1.45;color:#2f5bd0;${WORD_BREAK_STYLE}">${escapeHtml(title)}</a>
<div dir="auto" class="soft" style="margin-top:2px;font-size:13px;line-height:1.45;color:#5b6270;${WORD_BREAK_STYLE}">${escapeHtml(about)}</div>
</div>`
}

/** Also shows the URL as text, because some clients show no buttons and users check where a link leads. */
function button({ label, href }: { label: string; href: string }): string {
  return `<p style="margin:8px 0 20px"><a href="${escapeHtml(href)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#2f5bd0;color:#ffffff;font-size:15px;line-height:1.3;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>
<p class="soft" style="margin:0;font-size:13px;line-height:1.5;color:#5b6270;${WORD_BREAK_STYLE}">Or open this address: <span dir="ltr">${escapeHtml(href)}</span></p>`
}

function foot({ foot: lines, footLinks = [] }: MailContent): string {
  const links = footLinks.map(
    ({ label, href }) =>
      ` <a class="link" href="${escapeHtml(href)}" style="color:#2f5bd0;white-space:nowrap">${escapeHtml(label)}</a>`,
  )
  return `<p dir="auto" class="soft" style="margin:0;font-size:12px;line-height:1.7;color:#5b6270;${WORD_BREAK_STYLE}">${lines.map(escapeHtml).join(' ')}${links.join(' ·')}</p>`
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}
