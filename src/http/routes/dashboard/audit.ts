/** The audit log: a page of it, or all of it as a stream. */
import {
  type AuditDeps,
  auditQueryFaults,
  exportAudit as openExport,
  readAudit,
} from '../../../accounts/read-audit.ts'
import type { CursorCodec } from '../../../base/signed-cursor.ts'
import { readMoment } from '../../../feedback/dates.ts'
import type { DashboardAnswerOf, DashboardCallOf } from '../../handler.ts'
import type { ShapeRule } from '../../operation-route.ts'

export interface AuditRouteDeps {
  cursors: CursorCodec
}

export async function listAudit(
  deps: AuditRouteDeps,
  { db, caller, query }: DashboardCallOf<'listAudit'>,
): DashboardAnswerOf<'listAudit'> {
  return { body: await readAudit(auditDeps(deps), db, caller.organizationId, query) }
}

export async function exportAudit(
  deps: AuditRouteDeps,
  { db, caller, query }: DashboardCallOf<'exportAudit'>,
): DashboardAnswerOf<'exportAudit'> {
  const { contentType, filename, lines } = openExport(auditDeps(deps), db, caller.organizationId, query)
  return {
    contentType,
    body: lines,
    headers: { 'Content-Disposition': `attachment; filename="${filename}"` },
  }
}

/** Cursors are looked at when it is known whose log is read. */
export function auditRules(deps: AuditRouteDeps) {
  const rule: ShapeRule = ({ query }) => auditQueryFaults(auditDeps(deps), null, query)
  return { listAudit: rule, exportAudit: rule }
}

function auditDeps({ cursors }: AuditRouteDeps): AuditDeps {
  return { cursors, readMoment }
}
