import { useEffect, useState } from 'preact/hooks'
import { AUDIT_ACTIONS, type AuditAction } from '../../../../../src/contract/audit-actions.ts'
import type { AuditRow } from '../../../../../src/contract/dashboard-organization.ts'
import { classes } from '../../ui/classes.ts'
import { CodeBlock } from '../../ui/code-block.tsx'
import { CopyId } from '../../ui/copy.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { PlainText } from '../../ui/plain-text.tsx'
import { exactTime, RelativeTime } from '../../ui/time.tsx'
import { VirtualList } from '../../ui/virtual-list.tsx'

const COLUMNS =
  'grid grid-cols-[104px_minmax(96px,160px)_minmax(120px,200px)_minmax(0,260px)_minmax(0,1fr)] items-center gap-4 px-6 max-md:grid-cols-[80px_minmax(0,1fr)_minmax(0,1.5fr)] max-md:gap-3 max-md:px-4'

/** Who changed what, newest first; older ones come as one goes down. */
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
  const rowHeight = useRowHeight()
  const [opened, setOpened] = useState<AuditRow | null>(null)
  return (
    <>
      <div
        class={classes(COLUMNS, 'h-8 shrink-0 border-b border-line text-12 font-medium text-faint')}
        aria-hidden="true"
      >
        <span>When</span>
        <span>Who</span>
        <span>What</span>
        <span class="max-md:hidden">Subject</span>
        <span class="max-md:hidden">Details</span>
      </div>
      <VirtualList
        label="Audit log"
        count={rows.length}
        rowHeight={rowHeight}
        rowKey={(index) => rows[index]?.id ?? String(index)}
        onNearEnd={onMore}
        row={(index) => {
          const row = rows[index]
          return row === undefined ? null : <Row row={row} onActor={onActor} onOpen={() => setOpened(row)} />
        }}
        footer={
          <p class="px-6 py-4 text-13 text-faint max-md:px-4">
            {isMore ? 'Older ones are on their way.' : 'This is where the log begins.'}
          </p>
        }
      />
      {opened !== null && <Whole row={opened} onClose={() => setOpened(null)} />}
    </>
  )
}

function nameOf({ actor, actorName }: AuditRow): string {
  return actorName ?? { cli: 'Command line', system: 'The server' }[actor] ?? actor
}

/** An action of another version of the program has no words here. */
function wordsOf(action: string): string {
  return Object.hasOwn(AUDIT_ACTIONS, action) ? AUDIT_ACTIONS[action as AuditAction] : action
}

function Row({
  row,
  onActor,
  onOpen,
}: {
  row: AuditRow
  onActor: (actor: string) => void
  onOpen: () => void
}) {
  const { at, actor, action, subject, details } = row
  return (
    <div class={classes(COLUMNS, 'h-full border-b border-line text-13 hover:bg-neutral-2')}>
      <RelativeTime at={at} class="truncate text-soft" />
      <button
        type="button"
        class="truncate rounded-sm text-left hover:underline"
        title={`Only what ${nameOf(row)} did`}
        onClick={() => onActor(actor)}
      >
        <PlainText text={nameOf(row)} />
      </button>
      <button
        type="button"
        class="truncate rounded-sm text-left hover:underline coarse:h-full"
        aria-haspopup="dialog"
        title={`${action}: all of it`}
        onClick={onOpen}
      >
        {wordsOf(action)}
      </button>
      <span class="truncate font-mono text-12 text-soft select-all max-md:hidden" title={subject}>
        <PlainText text={subject} />
      </span>
      <span class="truncate text-12 text-soft max-md:hidden" title={JSON.stringify(details, null, 2)}>
        <PlainText text={detailsOf(details)} />
      </span>
    </div>
  )
}

/** What the row has no room for, and the whole of it on a phone. */
function Whole({ row, onClose }: { row: AuditRow; onClose: () => void }) {
  const { at, actor, action, subject, details } = row
  return (
    <Dialog
      title={`${nameOf(row)} ${wordsOf(action)}`}
      about={<time dateTime={at}>{exactTime(at)}</time>}
      onClose={onClose}
    >
      <dl class="mb-4 grid grid-cols-[auto_1fr] items-center gap-x-6 gap-y-2 text-13">
        <dt class="text-soft">Who</dt>
        <dd class="min-w-0">
          <span class="block break-words">
            <PlainText text={nameOf(row)} />
          </span>
          {nameOf(row) !== actor && <CopyId id={actor} label="Copy who it was" />}
        </dd>
        <dt class="text-soft">Action</dt>
        <dd class="min-w-0 font-mono text-12">{action}</dd>
        <dt class="text-soft">Subject</dt>
        <dd class="min-w-0">
          <CopyId id={subject} label="Copy the subject" />
        </dd>
      </dl>
      <CodeBlock title="Details" text={JSON.stringify(details, null, 2)} />
    </Dialog>
  )
}

/** `role: viewer → editor · name: …`, on one line. */
function detailsOf(details: object): string {
  return Object.entries(details)
    .map(
      ([name, value]) =>
        `${name}: ${typeof value === 'object' && value !== null ? JSON.stringify(value) : value}`,
    )
    .join(' · ')
}

/** In pixels, as the tokens have it: higher where fingers point. */
function useRowHeight(): number {
  const [height, setHeight] = useState(() => (matchMedia('(pointer: coarse)').matches ? 48 : 36))
  useEffect(() => {
    const coarse = matchMedia('(pointer: coarse)')
    const act = () => setHeight(coarse.matches ? 48 : 36)
    coarse.addEventListener('change', act)
    return () => coarse.removeEventListener('change', act)
  }, [])
  return height
}
