/** `/unsubscribe/{token}`: opened by users and link scanners, submitted by users and mail clients (RFC 8058). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../../database/database.ts'
import type { PlainPage } from '../../../routing/plain-page.ts'
import { sendPlainPage } from '../../../routing/plain-page.ts'
import type { MailSource } from '../mail/mail-setup.ts'
import { findSubscription, type Subscription, turnOffMails, UNSUBSCRIBE_PATH } from '../mail/unsubscribe.ts'

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
    // Ignores the body that mail clients send, because the URL contains all data.
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
          if (member !== null) await turnOffMails(tx, subscription, isOff)
          return member
        })
        if (found === null) return sendPlainPage(reply.code(404), expiredPage())
        return sendPlainPage(reply, isOff ? unsubscribedPage(found) : resubscribedPage(found))
      },
    })
  })
}

interface Found {
  organizationName: string
  email: string
}

/** Page opened by a link in a mail. Only its button unsubscribes, because link scanners open links too. */
function confirmPage({ organizationName, email }: Found): PlainPage {
  return page(
    'Unsubscribe from these emails?',
    `${email} will no longer get emails about notifications of ${organizationName}. They stay in the dashboard.`,
    '<form method="post"><button>Unsubscribe from these emails</button></form>',
  )
}

function unsubscribedPage({ organizationName, email }: Found): PlainPage {
  return page(
    'Unsubscribed',
    `${email} no longer gets emails about notifications of ${organizationName}. Invitations and password reset links are still sent.`,
    '<form method="post" action="?again"><button>Undo</button></form>',
  )
}

function resubscribedPage({ organizationName, email }: Found): PlainPage {
  return page(
    'Emails turned back on',
    `${email} gets emails about notifications of ${organizationName} again.`,
    '<p><a href="/account#notifications">Choose which emails you get</a></p>',
  )
}

function expiredPage(): PlainPage {
  return page(
    'This link no longer works',
    'Nothing was changed: the link is invalid, or the person has left the organization.',
    '',
  )
}

function page(title: string, about: string, more: string): PlainPage {
  return { title, about, more }
}
