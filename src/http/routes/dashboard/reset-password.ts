/** Sets a new password, with a one-time link of the operator. */
import { resetPassword as reset } from '../../../accounts/setup.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'

export async function resetPassword({
  tx,
  body,
}: DashboardCallOf<'resetPassword'>): DashboardAnswerOf<'resetPassword'> {
  const { email } = await reset(tx, body)
  return { body: { email } }
}
