/** Handlers of statements: list, confirm, count. */
import type { Handlers } from '../../routing/handler.ts'
import {
  confirmStatement,
  getStatementSummary,
  listStatements,
  type StatementsDeps,
  updateStatementSettings,
} from './list-statements.ts'
import type { STATEMENT_OPERATIONS, STATEMENT_SUMMARY_OPERATIONS } from './operations/statements.ts'

export function statementHandlers(deps: StatementsDeps): Handlers<typeof STATEMENT_OPERATIONS> {
  return {
    listStatements: async ({ db, caller: { organizationId }, params, query }) => ({
      body: await listStatements(deps, db, { organizationId, ...params }, query),
    }),
    async confirmStatement({ tx, caller: { organizationId, id }, params, body }) {
      const confirmed = await confirmStatement(tx, { organizationId, ...params, by: id }, body)
      const { page, text } = confirmed
      return { body: confirmed, audit: { subject: params.projectId, details: { page, text, for: body.for } } }
    },
  }
}

export function statementSummaryHandlers(): Handlers<typeof STATEMENT_SUMMARY_OPERATIONS> {
  return {
    getStatementSummary: async ({ db, caller: { organizationId }, params }) => ({
      body: await getStatementSummary(db, { organizationId, ...params }),
    }),
    async updateStatementSettings({ tx, caller: { organizationId }, params, body }) {
      return {
        body: await updateStatementSettings(tx, { organizationId, ...params }, body),
        audit: { details: body },
      }
    },
  }
}
