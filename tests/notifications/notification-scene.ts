/** An organization with a project and a user of each role, and the notifications they receive. */

import { ROLES, type Role } from '../../src/base/api/roles.ts'
import { createCursorCodec } from '../../src/base/signed-cursor.ts'
import { distributeAll } from '../../src/features/notifications/notification-loop.ts'
import type { Notification } from '../../src/features/notifications/operations/notifications.ts'
import { listNotifications, type Recipient } from '../../src/features/notifications/read-notifications.ts'
import {
  type NewNotification,
  recordNotification,
} from '../../src/features/notifications/record-notification.ts'
import { addOrganization, addProject } from '../kit/accounts.ts'
import { openTestDatabase, type TestDatabase } from '../kit/database.ts'
import { addPerson } from '../kit/people.ts'

export interface NotificationScene extends AsyncDisposable {
  database: TestDatabase
  organizationId: string
  projectId: string
  people: Record<Role, Recipient>
  /** Adds another organization with its own users. */
  addTenant(name: string): Promise<Pick<NotificationScene, 'organizationId' | 'projectId' | 'people'>>
  tell(news: Partial<NewNotification> & Pick<NewNotification, 'kind'>): Promise<void>
  spread(): Promise<void>
  list(recipient: Recipient): Promise<Notification[]>
}

const { signal } = new AbortController()
const cursors = createCursorCodec('the tests')

export async function openNotificationScene(): Promise<NotificationScene> {
  const database = await openTestDatabase()
  const addTenant = async (name: string) => {
    const organizationId = await addOrganization(database, 'enterprise', name)
    const { id: projectId } = await addProject(database, organizationId, `${name.toLowerCase()}.example.com`)
    const people = {} as Record<Role, Recipient>
    for (const role of ROLES) {
      const email = `${role}@${name.toLowerCase()}.example.com`
      const { id: userId } = await addPerson(database, { email, organizationId, role })
      people[role] = { organizationId, userId, role }
    }
    return { organizationId, projectId, people }
  }
  const acme = await addTenant('Acme')
  return {
    database,
    ...acme,
    addTenant,
    tell: (news) =>
      database.transaction((tx) =>
        recordNotification(tx, { projectId: acme.projectId, subject: 'x', ...news }),
      ),
    spread: () => distributeAll(database, signal),
    list: async (recipient) =>
      (await listNotifications({ cursors }, database.queries, recipient, { limit: 100 })).notifications,
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  }
}
