/** What a link in a mail opens: it says what it does, does it at a press, and says what it did. */
import { createHash } from 'node:crypto'

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
`

/** The one style, by its hash. */
export const UNSUBSCRIBE_STYLE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`

interface Found {
  organizationName: string
  email: string
}

export function askPage({ organizationName, email }: Found): string {
  return page(
    'Stop these mails?',
    `${email} would get no more mails about notifications of ${organizationName}. They stay in the dashboard.`,
    '<form method="post"><button>Stop these mails</button></form>',
  )
}

export function donePage({ organizationName, email }: Found): string {
  return page(
    'No more mails',
    `${email} gets no more mails about notifications of ${organizationName}. Invitations and links for new passwords still come.`,
    '<form method="post" action="?again"><button>Undo: send them again</button></form>',
  )
}

export function againPage({ organizationName, email }: Found): string {
  return page(
    'Mails are on again',
    `${email} gets mails about notifications of ${organizationName} again.`,
    '<p><a href="/account#notifications">Choose what is mailed</a></p>',
  )
}

export function overPage(): string {
  return page(
    'This link no longer works',
    'No mails were stopped: the link is incomplete or was altered, or the person has left the organization.',
    '',
  )
}

function page(title: string, text: string, more: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p dir="auto">${escapeText(text)}</p>
${more}
</main>
</body>
</html>
`
}

function escapeText(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;')
}
