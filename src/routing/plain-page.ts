/** A plain HTML page with a heading and one or two sentences, for URLs outside the dashboard. */
import { createHash } from 'node:crypto'
import type { FastifyReply } from 'fastify'
import { setOrigin } from './set-origin.ts'

const STYLE = `
:root { color-scheme: light dark; --text: #1c1f26; --soft: #5b6270; --page: #fbfbfd; --link: #2f5bd0; --on: #fff }
@media (prefers-color-scheme: dark) {
  :root { --text: #e8eaf0; --soft: #9aa1b0; --page: #111318; --link: #8fb0ff; --on: #111318 }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.6 system-ui, sans-serif }
main { max-width: 34rem; margin: 0 auto; padding: 15vh 1.5rem 4rem; overflow-wrap: anywhere }
h1 { margin: 0 0 0.5rem; font-size: 1.6rem; line-height: 1.25; letter-spacing: -0.01em }
p { margin: 0 0 1.5rem; color: var(--soft) }
button { font: inherit; font-weight: 600; padding: 0.55rem 1.1rem; border: 0; border-radius: 6px;
  background: var(--link); color: var(--on); cursor: pointer }
a { color: var(--link); text-underline-offset: 0.2em }
:focus-visible { outline: 2px solid var(--link); outline-offset: 3px }
small { color: var(--soft) }
`

const STYLE_HASH = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

export interface PlainPage {
  title: string
  about: string
  more: string
}

export function sendPlainPage(reply: FastifyReply, page: PlainPage): FastifyReply {
  setOrigin(reply, 'formPage', { style: STYLE_HASH })
  return reply
    .header('Content-Type', 'text/html; charset=utf-8')
    .header('Cache-Control', 'no-store')
    .send(htmlOf(page))
}

function htmlOf({ title, about, more }: PlainPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeText(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeText(title)}</h1>
<p dir="auto">${escapeText(about)}</p>
${more}
</main>
</body>
</html>
`
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
}
