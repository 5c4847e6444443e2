/** Describes a row of the audit log as a sentence with links to the actor and the subject. */

import type { ComponentChildren } from 'preact'
import type { AuditRow } from '../../../../../src/features/accounts/operations/organization.ts'
import { AUDIT_ACTIONS, type AuditAction, auditMessage } from '../../../../../src/features/audit-actions.ts'
import { Link } from '../../ui/link.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { rich, t, translateMessage, translateRichMessage } from '../../words/words.ts'

export const PROGRAM_NAMES = { cli: t('Command line'), system: 'Octavo' }

function actionMessage(action: string): string {
  // A newer server may send actions that are unknown here.
  return Object.hasOwn(AUDIT_ACTIONS, action)
    ? auditMessage(action as AuditAction)
    : `{person} ${action.replaceAll(/[._]/g, ' ')} {thing}`
}

export function actorDisplayName({ actor, actorName }: AuditRow): string {
  return actorName ?? (PROGRAM_NAMES as Record<string, string>)[actor] ?? actor
}

/** Returns the current name of the subject, or else the name stored with the row. */
export function subjectDisplayName({ subject, subjectName, details }: AuditRow): string {
  if (subjectName !== null && subjectName !== '') return subjectName
  const savedDetails = details as Record<string, unknown>
  const name = [
    savedDetails.name,
    savedDetails.email,
    savedDetails.url,
    savedDetails.prefix,
    savedDetails.domain,
  ].find((one) => typeof one === 'string')
  return typeof name === 'string' ? name : subject
}

function subjectHref({ subject, subjectName, projectId }: AuditRow, organizationId: string): string | null {
  const kind = subject.split('_', 1)[0] ?? ''
  const organization = `/o/${organizationId}`
  if (kind === 'key') return `${organization}/keys`
  if (kind === 'gitc') return `${organization}/git`
  if (kind === 'usr' || kind === 'inv') return subjectName === null ? null : `${organization}/members`
  if (projectId === null) return null
  const project = `/p/${projectId}`
  const hrefByKind: Record<string, string> = {
    prj: project,
    aj: `${project}/agent/${subject}`,
    se: `${project}/exports/${subject}`,
    dep: `${project}/deployments/${subject}`,
    pv: `${project}/deployments/previews`,
    aut: `${project}/agent/automations`,
    crp: `${project}/settings/code`,
    lbl: `${project}/feedback`,
    whk: `${project}/settings/webhooks`,
    fb: `${project}/feedback?status=any&entry=${subject}`,
    view: `${project}/feedback`,
  }
  return hrefByKind[kind] ?? null
}

export function AuditMessage({
  row,
  organizationId,
  actor,
}: {
  row: AuditRow
  organizationId: string
  actor: ComponentChildren
}) {
  const isProject = row.subject === row.projectId
  const thing = <Thing row={row} organizationId={organizationId} />
  const sentence = translateRichMessage(actionMessage(row.action), { person: actor, thing })
  return (
    <>
      {row.projectName === null || isProject
        ? sentence
        : rich('{sentence} in {project}', {
            sentence,
            project: (
              <Link look="quiet" href={`/p/${row.projectId}`} class="text-soft underline">
                <PlainText text={row.projectName} />
              </Link>
            ),
          })}
      <Change details={row.details} />
    </>
  )
}

function Thing({ row, organizationId }: { row: AuditRow; organizationId: string }) {
  const href = subjectHref(row, organizationId)
  const name = <PlainText text={subjectDisplayName(row)} />
  return href === null ? (
    <span class="font-medium" title={row.subject}>
      {name}
    </span>
  ) : (
    <Link look="quiet" href={href} class="font-medium text-text" title={row.subject}>
      {name}
    </Link>
  )
}

export function describeAuditRow(row: AuditRow): string {
  return translateMessage(actionMessage(row.action), {
    person: actorDisplayName(row),
    thing: subjectDisplayName(row),
  })
}

/** Shows `viewer → editor` for a change of a single value. */
function Change({ details }: { details: object }) {
  const { from, to } = details as { from?: unknown; to?: unknown }
  if (!isShort(from) || !isShort(to)) return null
  return (
    <span class="text-soft">
      {' · '}
      <PlainText text={`${from}`} /> → <PlainText text={`${to}`} />
    </span>
  )
}

function isShort(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value) && `${value}`.length <= 60
}
