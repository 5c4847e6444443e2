import { useMemo, useState } from 'preact/hooks'
import type { AuditRow } from '../../../../../src/features/accounts/operations/organization.ts'
import { useMembership } from '../../app/session.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { formatExactTime, RelativeTime } from '../../ui/time.tsx'
import { useIsCoarse, useIsPhone } from '../../ui/use-width.ts'
import { VirtualList } from '../../ui/virtual-list.tsx'
import { plural, t } from '../../words/words.ts'
import { AuditMessage, actorDisplayName, describeAuditRow } from './audit-labels.tsx'
import { type AuditLine, groupAuditRows } from './audit-lines.ts'

export function AuditRows({
  rows,
  isMore,
  onMore,
  onActor,
}: {
  rows: readonly AuditRow[]
  isMore: boolean
  onMore: () => void
  onActor: (actor: string) => void
}) {
  // The row height must equal the one in the design tokens, which is larger on touch devices.
  const isPhone = useIsPhone()
  const isCoarse = useIsCoarse()
  const rowHeight = isPhone ? 64 : isCoarse ? 48 : 36
  const [opened, setOpened] = useState<AuditRow | null>(null)
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set())
  const lines = useMemo(() => groupAuditRows(rows, unfolded), [rows, unfolded])
  return (
    <>
      <VirtualList
        label={t('Audit log')}
        count={lines.length}
        rowHeight={rowHeight}
        rowKey={(index) => lines[index]?.row.id ?? String(index)}
        onNearEnd={onMore}
        row={(index) => {
          const line = lines[index]
          return line === undefined ? null : (
            <Row
              line={line}
              onActor={onActor}
              onOpen={() => setOpened(line.row)}
              isUnfolded={unfolded.has(line.row.id)}
              onFold={() => setUnfolded(toggled(unfolded, line.row.id))}
            />
          )
        }}
        footer={
          <p class="px-6 py-4 text-13 text-faint max-md:px-4">
            {isMore ? t('Loading older rows …') : t('This is the start of the log.')}
          </p>
        }
      />
      {opened !== null && <AuditRowDialog row={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function toggled(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

function Row({
  line: { row, count },
  onActor,
  onOpen,
  isUnfolded,
  onFold,
}: {
  line: AuditLine
  onActor: (actor: string) => void
  onOpen: () => void
  isUnfolded: boolean
  onFold: () => void
}) {
  const { id } = useMembership()
  const name = actorDisplayName(row)
  const actor = (
    <button
      type="button"
      class="rounded-sm font-medium hover:underline"
      title={t('Only actions by {name}', { name })}
      onClick={() => onActor(row.actor)}
    >
      <PlainText text={name} />
    </button>
  )
  return (
    <div class="group flex h-full items-center gap-4 border-b border-line px-6 text-13 hover:bg-hover max-md:gap-3 max-md:px-4">
      <span
        class="min-w-0 flex-1 truncate max-md:line-clamp-2 max-md:whitespace-normal"
        title={describeAuditRow(row)}
      >
        <AuditMessage row={row} organizationId={id} actor={actor} />
      </span>
      {count > 1 && (
        <Button
          size="small"
          look="quiet"
          icon={isUnfolded ? 'chevron-up' : 'chevron-down'}
          aria-expanded={isUnfolded}
          onClick={onFold}
        >
          {plural(count, '{count} time', '{count} times')}
        </Button>
      )}
      <RelativeTime at={row.at} class="shrink-0 text-12 text-faint" />
      <IconButton
        icon="ellipsis"
        size="small"
        label={t('Details: {sentence}', { sentence: describeAuditRow(row) })}
        aria-haspopup="dialog"
        onClick={onOpen}
      />
    </div>
  )
}

function AuditRowDialog({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  const { id } = useMembership()
  const { at, actor, action, subject, details } = row
  const name = actorDisplayName(row)
  return (
    <Dialog title={t('Audit row')} about={<time dateTime={at}>{formatExactTime(at)}</time>} onClose={onClose}>
      <p class="mb-4 break-words">
        <AuditMessage
          row={row}
          organizationId={id}
          actor={
            <span class="font-medium">
              <PlainText text={name} />
            </span>
          }
        />
      </p>
      <dl class="mb-4 grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 text-13">
        <dt class="text-soft">{t('Action')}</dt>
        <dd class="min-w-0 font-mono text-12">{action}</dd>
        <dt class="text-soft">{t('Actor')}</dt>
        <dd class="min-w-0">
          <CopyId id={actor} label={t('Copy the actor')} />
        </dd>
        <dt class="text-soft">{t('Subject')}</dt>
        <dd class="min-w-0">
          <CopyId id={subject} label={t('Copy the subject')} />
        </dd>
      </dl>
      <CodeBlock title={t('Details')} text={JSON.stringify(details, null, 2)} />
    </Dialog>
  )
}
