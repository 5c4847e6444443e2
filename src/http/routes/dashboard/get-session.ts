/** Who is signed in, and how one signs in here. */
import { hasOwner, membershipsOf } from '../../../accounts/members.ts'
import type { Person, SignIn } from '../../../accounts/sign-in.ts'
import { hasPassword } from '../../../accounts/users.ts'
import type { Queries } from '../../../database/database.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'

export interface GetSessionDeps {
  signIn: SignIn
  version: string
  publicUrl: () => string
}

export async function getSession(
  { signIn, version, publicUrl }: GetSessionDeps,
  { db, caller: { person } }: DashboardCallOf<'getSession'>,
): DashboardAnswerOf<'getSession'> {
  const memberships = person === null ? [] : await membershipsOf(db, person.id)
  const organizations = memberships.map(({ organizationId: id, organizationName: name, plan, role }) => ({
    id,
    name,
    plan,
    role,
  }))
  const user = person === null ? null : await describe(db, person)
  const isSetUp = organizations.length > 0 || (await hasOwner(db))
  return { body: { user, organizations, isSetUp, signIn: signIn.ways, version, publicUrl: publicUrl() } }
}

async function describe(db: Queries, { id, name, email, twoFactorEnabled }: Person) {
  return { id, name, email, twoFactorEnabled, hasPassword: await hasPassword(db, id) }
}
