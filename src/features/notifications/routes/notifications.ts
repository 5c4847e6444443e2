/** Routes of a user's notifications and preferences. */

import { AppError } from '../../../base/errors/errors.ts'
import type { CursorCodec } from '../../../base/signed-cursor.ts'
import type { Queries } from '../../../database/database.ts'
import type { Caller } from '../../../routing/caller.ts'
import type { Handlers } from '../../../routing/handler.ts'
import { chooseNotifications, readNotificationSettings } from '../choices.ts'
import { changeNotificationMail, readNotificationMail } from '../mail/mail-choices.ts'
import { isMailEnabled, type MailSource } from '../mail/mail-setup.ts'
import type { NOTIFICATION_OPERATIONS } from '../operations/notifications.ts'
import {
  countUnread,
  listNotifications,
  markNotifications,
  type Recipient,
  readAllNotifications,
} from '../read-notifications.ts'

interface NotificationDeps {
  cursors: CursorCodec
  mailSource: MailSource
}

export function notificationHandlers(deps: NotificationDeps): Handlers<typeof NOTIFICATION_OPERATIONS> {
  return {
    listNotifications: async ({ db, caller, query }) => ({
      body: await listNotifications(deps, db, recipientOf(caller), query),
    }),
    countUnread: async ({ db, caller }) => ({ body: { unread: await countUnread(db, recipientOf(caller)) } }),
    async markNotifications({ tx, caller, body }) {
      const recipient = recipientOf(caller)
      await markNotifications(tx, recipient, body)
      return { body: { unread: await countUnread(tx, recipient) } }
    },
    async readAllNotifications({ tx, caller, body }) {
      const recipient = recipientOf(caller)
      await readAllNotifications(tx, recipient, body.until)
      return { body: { unread: await countUnread(tx, recipient) } }
    },
    getNotificationSettings: async ({ db, caller }) => ({
      body: await settingsOf(deps, db, recipientOf(caller)),
    }),
    async chooseNotifications({ tx, caller, body }) {
      const recipient = recipientOf(caller)
      await chooseNotifications(tx, recipient, body)
      return { body: await settingsOf(deps, tx, recipient) }
    },
    async changeNotificationMail({ tx, caller, body }) {
      const recipient = recipientOf(caller)
      await changeNotificationMail(tx, recipient, body)
      return { body: await settingsOf(deps, tx, recipient) }
    },
  }
}

async function settingsOf({ mailSource }: NotificationDeps, db: Queries, recipient: Recipient) {
  const mail = (await isMailEnabled(mailSource, db)) ? await readNotificationMail(db, recipient) : null
  return { ...(await readNotificationSettings(db, recipient)), mail }
}

/** Expects a member, because the internal API accepts no keys. */
function recipientOf({ kind, id: userId, organizationId, role }: Caller): Recipient {
  if (kind !== 'member' || role === null) throw new AppError('signed_out')
  return { organizationId, userId, role }
}
