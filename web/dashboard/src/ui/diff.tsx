/** Line diff of a file with changed words highlighted. File contents are untrusted and rendered as plain text. */

import { useMemo } from 'preact/hooks'
import { type DiffLine, diffFile } from '../../../../src/base/files/diff-file.ts'
import { plural, t } from '../words/words.ts'
import { classes } from './classes.ts'
import { PlainText } from './plain-text.tsx'

/** Maximum lines shown per file, because rendering more is slow. */
const MAX_LINES = 1500
/** Maximum characters shown per line. */
const MAX_LINE_CHARACTERS = 4000

const SIGNS: Record<DiffLine['kind'], string> = { same: '', added: '+', removed: '−' }
const GROUNDS: Record<DiffLine['kind'], string> = {
  same: '',
  added: 'bg-success-ground',
  removed: 'bg-danger-ground',
}

/** Null stands for a nonexistent file. With `onLine`, the numbers of changed lines are buttons. */
export function Diff({
  path,
  before,
  after,
  isSplit = false,
  onLine,
}: {
  path: string
  before: string | null
  after: string | null
  /** Shows both versions side by side. */
  isSplit?: boolean
  onLine?: (line: DiffLine) => void
}) {
  const { hunks, hidden } = useMemo(() => diffFile(before, after), [before, after])
  if (hunks.length === 0) return <p class="px-4 py-3 text-13 text-soft">{t('The file has no text.')}</p>
  const rows: preact.JSX.Element[] = []
  let remaining = MAX_LINES
  let end = 0
  for (const [index, hunk] of hunks.entries()) {
    if (remaining <= 0) break
    const first = hunk[0]?.before ?? hunk[0]?.after ?? 1
    if (first > end + 1) rows.push(<Gap key={`gap-${index}`} lines={first - end - 1} />)
    const shown = hunk.slice(0, remaining)
    if (isSplit) rows.push(...splitRows(`${index}`, shown, onLine))
    else rows.push(...shown.map((line, at) => <Row key={`${index}-${at}`} line={line} onLine={onLine} />))
    remaining -= hunk.length
    end = hunk.findLast((line) => line.before !== null)?.before ?? end
  }
  const all = hunks.reduce((sum, hunk) => sum + hunk.length, hidden)
  return (
    <div class="overflow-x-auto">
      <Lines path={path} isSplit={isSplit} rows={rows} />
      {all > MAX_LINES && (
        <p class="px-4 py-2 text-13 text-soft">
          {plural(
            all - MAX_LINES,
            '{count} further line is not shown here; the branch has it.',
            '{count} further lines are not shown here; the branch has them.',
          )}
        </p>
      )}
    </div>
  )
}

function Lines({ path, isSplit, rows }: { path: string; isSplit: boolean; rows: preact.JSX.Element[] }) {
  return (
    <table class={classes('w-full border-collapse font-mono text-12 leading-5', isSplit && 'table-fixed')}>
      <caption class="sr-only">{t('Lines of {path} that changed', { path })}</caption>
      {isSplit && (
        <colgroup>
          <col class="w-14" />
          <col />
          <col class="w-14" />
          <col />
        </colgroup>
      )}
      <thead class="sr-only">
        <tr>
          {(isSplit ? SPLIT_HEADS : HEADS).map((head) => (
            <th key={head} scope="col">
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{rows}</tbody>
    </table>
  )
}

const HEADS = [t('Line before'), t('Line after'), t('Change', { context: 'noun' }), t('Text')]
const SPLIT_HEADS = [t('Line before'), t('Text before'), t('Line after'), t('Text after')]

/** Shows `+12 −3`, in words for screen readers. */
export function DiffCounts({ before, after }: { before: string | null; after: string | null }) {
  const { added, removed } = useMemo(() => diffFile(before, after), [before, after])
  return (
    <span class="inline-flex gap-1.5 font-mono text-12">
      <span class={added === 0 ? 'text-faint' : 'text-success'}>
        <span aria-hidden="true">+{added}</span>
        <span class="sr-only">{plural(added, '{count} line added', '{count} lines added')}</span>
      </span>
      <span class={removed === 0 ? 'text-faint' : 'text-danger'}>
        <span aria-hidden="true">−{removed}</span>
        <span class="sr-only">{plural(removed, '{count} line removed', '{count} lines removed')}</span>
      </span>
    </span>
  )
}

function Gap({ lines }: { lines: number }) {
  return (
    <tr class="bg-sunken text-faint">
      <td colSpan={4} class="px-4 py-1 font-sans">
        {plural(lines, '{count} unchanged line', '{count} unchanged lines')}
      </td>
    </tr>
  )
}

const NUMBER = 'w-px px-2 text-right align-top whitespace-nowrap text-faint select-none'

/** One of the two versions. */
type Side = 'before' | 'after'
type LineHandler = ((line: DiffLine) => void) | undefined

function LineNumber({
  number,
  line,
  side,
  onLine,
}: {
  number: number | null
  line: DiffLine
  side: Side
  onLine: LineHandler
}) {
  if (onLine === undefined || number === null) return <>{number}</>
  return (
    <button
      type="button"
      aria-label={
        side === 'before'
          ? t('Comment on line {number} before the change', { number: String(number) })
          : t('Comment on line {number} after the change', { number: String(number) })
      }
      title={t('Comment on this line')}
      class="rounded-sm px-1 hover:bg-accent-3 hover:text-accent-11"
      onClick={() => onLine(line)}
    >
      {number}
    </button>
  )
}

function Row({ line, onLine }: { line: DiffLine; onLine: LineHandler }) {
  const { kind, before, after } = line
  return (
    <tr class={GROUNDS[kind]} data-line={kind}>
      <td class={classes(NUMBER, kind !== 'removed' && 'max-md:hidden')}>
        <LineNumber
          number={before}
          line={line}
          side="before"
          onLine={kind === 'removed' ? onLine : undefined}
        />
      </td>
      <td class={classes(NUMBER, kind === 'removed' && 'max-md:hidden')}>
        <LineNumber number={after} line={line} side="after" onLine={kind === 'added' ? onLine : undefined} />
      </td>
      <td class="w-px px-1 align-top text-soft select-none">{SIGNS[line.kind]}</td>
      <td class={TEXT} dir="auto">
        <Parts line={line} />
      </td>
    </tr>
  )
}

const TEXT = 'pr-4 whitespace-pre-wrap [overflow-wrap:anywhere]'

/** Pairs removed lines with the added lines that follow, in order. */
function splitRows(hunk: string, lines: readonly DiffLine[], onLine: LineHandler): preact.JSX.Element[] {
  const rows: preact.JSX.Element[] = []
  for (let at = 0; at < lines.length; ) {
    const removed = collectRun(lines, at, 'removed')
    const added = collectRun(lines, at + removed.length, 'added')
    const [line] = lines.slice(at)
    if (removed.length + added.length === 0 && line !== undefined) {
      rows.push(<Beside key={`${hunk}-${at}`} before={line} after={line} onLine={undefined} />)
      at++
      continue
    }
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      rows.push(
        <Beside
          key={`${hunk}-${at}-${index}`}
          before={removed[index]}
          after={added[index]}
          onLine={onLine}
        />,
      )
    at += removed.length + added.length
  }
  return rows
}

function collectRun(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): DiffLine[] {
  const end = lines.findIndex((line, index) => index >= from && line.kind !== kind)
  return lines.slice(from, end === -1 ? undefined : end)
}

function Beside({
  before,
  after,
  onLine,
}: {
  before: DiffLine | undefined
  after: DiffLine | undefined
  onLine: LineHandler
}) {
  const sides = [
    { line: before, number: before?.before ?? null, side: 'before' },
    { line: after, number: after?.after ?? null, side: 'after' },
  ] as const
  return (
    <tr>
      {sides.flatMap(({ line, number, side }) => {
        const ground = line === undefined ? 'bg-sunken' : GROUNDS[line.kind]
        return [
          <td key={`${side}-number`} class={classes(NUMBER, ground, 'border-l border-line first:border-l-0')}>
            {line !== undefined && <LineNumber number={number} line={line} side={side} onLine={onLine} />}
          </td>,
          <td key={side} class={classes(TEXT, 'align-top', ground)} dir="auto" data-line={line?.kind}>
            {line !== undefined && <Parts line={line} />}
          </td>,
        ]
      })}
    </tr>
  )
}

function Parts({ line }: { line: DiffLine }) {
  let remaining = MAX_LINE_CHARACTERS
  const pieces = line.parts.map(({ text, isMarked }, index) => {
    const shown = text.slice(0, Math.max(0, remaining))
    remaining -= text.length
    if (shown === '') return null
    if (!isMarked) return <PlainText key={index} text={shown} />
    const looks = line.kind === 'removed' ? 'bg-danger/20' : 'bg-success/20'
    const Mark = line.kind === 'removed' ? 'del' : 'ins'
    return (
      <Mark key={index} class={classes(looks, 'rounded-[2px] no-underline')}>
        <PlainText text={shown} />
      </Mark>
    )
  })
  return (
    <>
      {pieces}
      {remaining < 0 && (
        <span class="text-faint">
          {' … '}
          {plural(-remaining, '{count} further character', '{count} further characters')}
        </span>
      )}
    </>
  )
}
