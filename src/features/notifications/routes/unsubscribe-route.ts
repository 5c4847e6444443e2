/**
 * `/unsubscribe/{token}`: opened by people and by link scanners, submitted by people and by mail clients (RFC 8058).
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../../database/database.ts'
import type { PlainPage } from '../../../routing/plain-page.ts'
import { sendPlainPage } from '../../../routing/plain-page.ts'
import type { MailSource } from '../mail/mail-setup.ts'
import { findSubscription, type Subscription, setMailsOff, UNSUBSCRIBE_PATH } from '../mail/unsubscribe.ts'

export interface UnsubscribeRouteDeps {
  database: Database
  mailSource: MailSource
}

const BODY_LIMIT_BYTES = 1024

export function addUnsubscribeRoutes(
  app: FastifyInstance,
  { database, mailSource }: UnsubscribeRouteDeps,
): void {
  const subscriptionOf = (request: FastifyRequest): Subscription | null =>
    mailSource.unsubscribe.read((request.params as { token: string }).token)
  app.register(async (routes) => {
    // The URL contains everything, so the body that a mail client sends is ignored.
    routes.removeAllContentTypeParsers()
    routes.addContentTypeParser(
      '*',
      { parseAs: 'string' },
      async (_request: FastifyRequest, _body: string) => null,
    )
    routes.route({
      method: ['GET', 'HEAD'],
      url: `${UNSUBSCRIBE_PATH}:token`,
      async handler(request, reply) {
        const subscription = subscriptionOf(request)
        const found =
          subscription === null
            ? null
            : await database.transaction((tx) => findSubscription(tx, subscription))
        return found === null
          ? sendPlainPage(reply.code(404), expiredPage())
          : sendPlainPage(reply, confirmPage(found))
      },
    })
    routes.route({
      method: 'POST',
      bodyLimit: BODY_LIMIT_BYTES,
      url: `${UNSUBSCRIBE_PATH}:token`,
      async handler(request, reply) {
        const subscription = subscriptionOf(request)
        if (subscription === null) return sendPlainPage(reply.code(404), expiredPage())
        const isOff = !Object.hasOwn(request.query as object, 'again')
        const found = await database.transaction(async (tx) => {
          const member = await findSubscription(tx, subscription)
          if (member !== null) await setMailsOff(tx, subscription, isOff)
          return member
        })
        if (found === null) return sendPlainPage(reply.code(404), expiredPage())
        return sendPlainPage(reply, isOff ? donePage(found) : resubscribedPage(found))
      },
    })
  })
}

interface Found {
  organizationName: string
  email: string
}

/** The page that a link in a mail opens. Opening it changes nothing; the button does. */
function confirmPage({ organizationName, email }: Found): PlainPage {
  return page(
    'Stop these mails?',
    `${email} would get no more mails about notifications of ${organizationName}. They stay in the dashboard.`,
    '<form method="post"><button>Stop these mails</button></form>',
  )
}

function donePage({ organizationName, email }: Found): PlainPage {
  return page(
    'No more mails',
    `${email} gets no more mails about notifications of ${organizationName}. Invitations and links for new passwords still come.`,
    '<form method="post" action="?again"><button>Undo: send them again</button></form>',
  )
}

function resubscribedPage({ organizationName, email }: Found): PlainPage {
  return page(
    'Mails are on again',
    `${email} gets mails about notifications of ${organizationName} again.`,
    '<p><a href="/account#notifications">Choose what is mailed</a></p>',
  )
}

function expiredPage(): PlainPage {
  return page(
    'This link no longer works',
    'No mails were stopped: the link is incomplete or was altered, or the person has left the organization.',
    '',
  )
}

function page(title: string, about: string, more: string): PlainPage {
  return { title, about, more }
}
