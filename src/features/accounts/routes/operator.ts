/** Routes of the operator: organizations, operators, links for users who cannot sign in, the audit log. */

import { AppError } from '../../../base/errors/errors.ts'
import type { Tx } from '../../../database/database.ts'
import type { Handlers } from '../../../routing/handler.ts'
import { type AuditAnchor, pruneAudit, verifyAudit } from '../audit/audit-chain.ts'
import type { OPERATOR_OPERATIONS, Organization } from '../operations/operator.ts'
import * as organizations from '../organizations/organizations.ts'
import { dropOperator, listOperators, makeOperator } from '../people/operators.ts'
import { createPasswordToken, recordForPerson } from '../people/setup.ts'
import { findUserByEmail, removeSecondFactor, type User } from '../people/users.ts'
import { setPasswordSignIn } from '../sign-in/sign-in-settings.ts'

interface OperatorDeps {
  publicUrl: () => string
}

export function operatorHandlers({ publicUrl }: OperatorDeps): Handlers<typeof OPERATOR_OPERATIONS> {
  return {
    listOrganizations: async ({ db }) => ({
      body: { organizations: (await organizations.listOrganizations(db)).map(toOrganization) },
    }),
    createOrganization: async ({ tx, caller: { id: actor }, body }) => ({
      body: toOrganization(await organizations.createOrganization(tx, { ...body, actor })),
    }),
    async listOperators({ db }) {
      const operators = await listOperators(db)
      return {
        body: {
          operators: operators.map(({ email, name, since }) => ({ email, name, since: since.toISOString() })),
        },
      }
    },
    addOperator: async ({ tx, caller: { id: actor }, body: { email } }) => ({
      body: { email, changed: await makeOperator(tx, await requireUser(tx, email), actor) },
    }),
    removeOperator: async ({ tx, caller: { id: actor }, body: { email } }) => ({
      body: { email, changed: await dropOperator(tx, await requireUser(tx, email), actor) },
    }),
    async createPasswordLink({ tx, caller: { id: actor }, body: { email, dropsSecondFactor = false } }) {
      const user = await requireUser(tx, email)
      if (dropsSecondFactor) await removeSecondFactor(tx, user.id)
      const details = { email: user.email, dropsSecondFactor }
      await recordForPerson(tx, user.id, { action: 'member.password_link_made', details, actor })
      const link = `${publicUrl()}/reset-password#token=${await createPasswordToken(tx, user.id)}`
      return { body: { email, link } }
    },
    /** Restores sign-in on a server where nobody can sign in any more. */
    async resetSignIn({ tx, caller: { id: actor } }) {
      await setPasswordSignIn(tx, actor, true)
      const details = { passwords: true }
      for (const { id } of await listOperators(tx))
        await recordForPerson(tx, id, { action: 'instance.sign_in_changed', details, actor })
      return { body: details }
    },
    verifyAudit: async ({ db, caller: { organizationId }, query: { anchor } }) => ({
      body: { organizationId, ...(await verifyAudit(db, organizationId, parseAnchor(anchor))) },
    }),
    async pruneAudit({ tx, caller: { organizationId, id: actor }, body }) {
      const rows = await pruneAudit(tx, { organizationId, before: new Date(body.before), actor })
      return { body: { organizationId, rows } }
    },
  }
}

function toOrganization({ id, name, plan, createdAt }: organizations.Organization): Organization {
  return { organizationId: id, name, plan, createdAt: createdAt.toISOString() }
}

async function requireUser(tx: Tx, email: string): Promise<User> {
  const user = await findUserByEmail(tx, email)
  if (user === null) throw new AppError('not_found')
  return user
}

/** `number:hash`, as the schema requires. */
function parseAnchor(text: string | undefined): AuditAnchor | null {
  if (text === undefined) return null
  const [number, hash = ''] = text.split(':')
  return { number: Number(number), hash }
}
