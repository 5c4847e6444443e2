/** `/unsubscribe/{token}`: looked at by people and by programs that follow links, pressed by people and by mail programs (RFC 8058). */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../../database/database.ts'
import { sendPlainPage } from '../../../routing/plain-page.ts'
import type { MailSource } from '../mail/mail-setup.ts'
import { findSubscription, type Subscription, switchMails, UNSUBSCRIBE_PATH } from '../mail/unsubscribe.ts'
import { againPage, askPage, donePage, overPage } from './unsubscribe-page.ts'

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
    // What is pressed says all; what a mail program sends along says nothing more.
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
          ? sendPlainPage(reply.code(404), overPage())
          : sendPlainPage(reply, askPage(found))
      },
    })
    routes.route({
      method: 'POST',
      bodyLimit: BODY_LIMIT_BYTES,
      url: `${UNSUBSCRIBE_PATH}:token`,
      async handler(request, reply) {
        const subscription = subscriptionOf(request)
        if (subscription === null) return sendPlainPage(reply.code(404), overPage())
        const isOff = !Object.hasOwn(request.query as object, 'again')
        const found = await database.transaction(async (tx) => {
          const member = await findSubscription(tx, subscription)
          if (member !== null) await switchMails(tx, subscription, isOff)
          return member
        })
        if (found === null) return sendPlainPage(reply.code(404), overPage())
        return sendPlainPage(reply, isOff ? donePage(found) : againPage(found))
      },
    })
  })
}
