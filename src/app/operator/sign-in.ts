/** The sign-in link that the operator hands out. */

import type { Database } from '../../database/database.ts'
import { createSetupToken } from '../../features/accounts/people/setup.ts'

export async function createSetupLink(context: {
  database: Database
  publicUrl(): string
}): Promise<string | null> {
  const token = await createSetupToken(context.database)
  return token === null ? null : `${context.publicUrl()}/setup#token=${token}`
}
