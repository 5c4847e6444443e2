/** What a link in a mail opens: it says what it does, does it at a press, and says what it did. */
import type { PlainPage } from '../../../routing/plain-page.ts'

interface Found {
  organizationName: string
  email: string
}

export function askPage({ organizationName, email }: Found): PlainPage {
  return page(
    'Stop these mails?',
    `${email} would get no more mails about notifications of ${organizationName}. They stay in the dashboard.`,
    '<form method="post"><button>Stop these mails</button></form>',
  )
}

export function donePage({ organizationName, email }: Found): PlainPage {
  return page(
    'No more mails',
    `${email} gets no more mails about notifications of ${organizationName}. Invitations and links for new passwords still come.`,
    '<form method="post" action="?again"><button>Undo: send them again</button></form>',
  )
}

export function againPage({ organizationName, email }: Found): PlainPage {
  return page(
    'Mails are on again',
    `${email} gets mails about notifications of ${organizationName} again.`,
    '<p><a href="/account#notifications">Choose what is mailed</a></p>',
  )
}

export function overPage(): PlainPage {
  return page(
    'This link no longer works',
    'No mails were stopped: the link is incomplete or was altered, or the person has left the organization.',
    '',
  )
}

function page(title: string, about: string, more: string): PlainPage {
  return { title, about, more }
}
