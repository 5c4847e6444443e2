/** Makes the first owner, with the one-time link. */
import { setUp as setUpInstallation } from '../../../accounts/setup.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'

export async function setUp({ tx, body }: DashboardCallOf<'setUp'>): DashboardAnswerOf<'setUp'> {
  const { user, organizationId } = await setUpInstallation(tx, body)
  return { body: { userId: user.id, email: user.email, organizationId } }
}
