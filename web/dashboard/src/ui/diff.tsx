/** Line diff of a file with changed words highlighted. File contents are untrusted and rendered as plain text. */

import { useEffect, useMemo, useState } from 'preact/hooks'
import { type DiffLine, diffFile } from '../../../../src/base/files/diff-file.ts'
import { plural, t } from '../words/words.ts'
import { classes } from './classes.ts'
import { highlight } from './highlight.ts'
import type { LineTokens } from './highlight-worker.ts'
import { PlainText } from './plain-text.tsx'

/** Maximum lines shown per file, because rendering more is slow. */
const MAX_LINES = 1500
const MAX_LINE_CHARACTERS = 4000

const SIGNS: Record<DiffLine['kind'], string> = { same: '', added: '+', removed: '−' }
const GROUNDS: Record<DiffLine['kind'], string> = {
  same: '',
  added: 'bg-success-ground',
  removed: 'bg-danger-ground',
}

type FileTokens = Record<Side, readonly LineTokens[] | null>

/** Returns null until the colors are known; the diff is shown without them meanwhile. */
function useFileTokens(path: string, before: string | null, after: string | null): FileTokens | null {
  const [tokens, setTokens] = useState<FileTokens | null>(null)
  useEffect(() => {
    const stop = new AbortController()
    const ask = (text: string | null) => (text === null ? null : highlight({ path, text }, stop.signal))
    void Promise.all([ask(before), ask(after)]).then(([old, now]) => {
      if (!stop.signal.aborted) setTokens({ before: old, after: now })
    })
    return () => stop.abort()
  }, [path, before, after])
  return tokens
}

function tokensOf(tokens: FileTokens | null, { kind, before, after }: DiffLine): LineTokens {
  const [side, number] = kind === 'removed' ? (['before', before] as const) : (['after', after] as const)
  return tokens?.[side]?.[(number ?? 0) - 1] ?? []
}

interface DiffProps {
  path: string
  before: string | null
  after: string | null
  isSplit?: boolean
  onLine?: (line: DiffLine) => void
}

/** Null represents a nonexistent file. With `onLine`, the numbers of changed lines are buttons. */
export function Diff({ path, before, after, isSplit = false, onLine }: DiffProps) {
  const { hunks, hidden } = useMemo(() => diffFile(before, after), [before, after])
  const tokens = useFileTokens(path, before, after)
  if (hunks.length === 0) return <p class="px-4 py-3 text-13 text-soft">{t('The file has no text.')}</p>
  const rows: preact.JSX.Element[] = []
  let remaining = MAX_LINES
  let end = 0
  for (const [index, hunk] of hunks.entries()) {
    if (remaining <= 0) break
    const first = hunk[0]?.before ?? hunk[0]?.after ?? 1
    if (first > end + 1)
      rows.push(
        <tr key={`gap-${index}`} class="bg-sunken text-faint">
          <td colSpan={4} class="px-4 py-1 font-sans">
            {plural(first - end - 1, '{count} unchanged line', '{count} unchanged lines')}
          </td>
        </tr>,
      )
    const shown = hunk.slice(0, remaining)
    if (isSplit) rows.push(...splitRows(`${index}`, shown, { tokens, onLine }))
    else rows.push(...shown.map((line, at) => <Row key={`${index}-${at}`} {...{ line, tokens, onLine }} />))
    remaining -= hunk.length
    end = hunk.findLast((line) => line.before !== null)?.before ?? end
  }
  const all = hunks.reduce((sum, hunk) => sum + hunk.length, hidden)
  return (
    <div class="overflow-x-auto">
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
            {(isSplit ? SPLIT_COLUMN_HEADERS : UNIFIED_COLUMN_HEADERS).map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{rows}</tbody>
      </table>
      {all > MAX_LINES && (
        <p class="px-4 py-2 text-13 text-soft">
          {plural(
            all - MAX_LINES,
            '{count} more line is not shown here. See the branch.',
            '{count} more lines are not shown here. See the branch.',
          )}
        </p>
      )}
    </div>
  )
}

const UNIFIED_COLUMN_HEADERS = [
  t('Line before'),
  t('Line after'),
  t('Change', { context: 'noun' }),
  t('Text'),
]
const SPLIT_COLUMN_HEADERS = [t('Line before'), t('Text before'), t('Line after'), t('Text after')]

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

const NUMBER = 'w-px px-2 text-right align-top whitespace-nowrap text-faint select-none'

type Side = 'before' | 'after'
type LineHandler = ((line: DiffLine) => void) | undefined

interface LineNumberProps {
  number: number | null
  line: DiffLine
  side: Side
  onLine: LineHandler
}

function LineNumber({ number, line, side, onLine }: LineNumberProps) {
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

interface RowProps {
  tokens: FileTokens | null
  onLine: LineHandler
}

function Row({ line, tokens, onLine }: RowProps & { line: DiffLine }) {
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
        <Parts line={line} tokens={tokensOf(tokens, line)} />
      </td>
    </tr>
  )
}

const TEXT = 'pr-4 whitespace-pre-wrap [overflow-wrap:anywhere]'

/** Pairs removed lines with the added lines that follow, in order. */
function splitRows(hunk: string, lines: readonly DiffLine[], more: RowProps): preact.JSX.Element[] {
  const rows: preact.JSX.Element[] = []
  for (let at = 0; at < lines.length; ) {
    const removed = collectRun(lines, at, 'removed')
    const added = collectRun(lines, at + removed.length, 'added')
    const [line] = lines.slice(at)
    if (removed.length + added.length === 0 && line !== undefined) {
      rows.push(<Beside key={`${hunk}-${at}`} before={line} after={line} {...more} onLine={undefined} />)
      at++
      continue
    }
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      rows.push(
        <Beside key={`${hunk}-${at}-${index}`} before={removed[index]} after={added[index]} {...more} />,
      )
    at += removed.length + added.length
  }
  return rows
}

function collectRun(lines: readonly DiffLine[], from: number, kind: DiffLine['kind']): DiffLine[] {
  const end = lines.findIndex((line, index) => index >= from && line.kind !== kind)
  return lines.slice(from, end === -1 ? undefined : end)
}

interface BesideProps extends RowProps {
  before: DiffLine | undefined
  after: DiffLine | undefined
}

function Beside({ before, after, tokens, onLine }: BesideProps) {
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
            {line !== undefined && <Parts line={line} tokens={tokensOf(tokens, line)} />}
          </td>,
        ]
      })}
    </tr>
  )
}

function Parts({ line, tokens }: { line: DiffLine; tokens: LineTokens }) {
  let remaining = MAX_LINE_CHARACTERS
  let at = 0
  const pieces = line.parts.map(({ text, isMarked }, index) => {
    const shown = text.slice(0, Math.max(0, remaining))
    remaining -= text.length
    at += text.length
    if (shown === '') return null
    const coloured = <ColouredText text={shown} from={at - text.length} tokens={tokens} />
    if (!isMarked) return <span key={index}>{coloured}</span>
    const looks = line.kind === 'removed' ? 'bg-danger/20' : 'bg-success/20'
    const Mark = line.kind === 'removed' ? 'del' : 'ins'
    return (
      <Mark key={index} class={classes(looks, 'rounded-[2px] no-underline')}>
        {coloured}
      </Mark>
    )
  })
  return (
    <>
      {pieces}
      {remaining < 0 && (
        <span class="text-faint">
          {' … '}
          {plural(-remaining, '{count} more character', '{count} more characters')}
        </span>
      )}
    </>
  )
}

function ColouredText({ text, from, tokens }: { text: string; from: number; tokens: LineTokens }) {
  const pieces: preact.JSX.Element[] = []
  let start = 0
  let shown = 0
  for (const { length, color } of tokens) {
    const piece = text.slice(Math.max(0, start - from), Math.max(0, start + length - from))
    start += length
    if (piece === '') continue
    shown += piece.length
    pieces.push(
      <span key={start} style={{ color }}>
        <PlainText text={piece} />
      </span>,
    )
  }
  return (
    <>
      {pieces}
      <PlainText text={text.slice(shown)} />
    </>
  )
}
