/** Formats the map and the alarms as lines of text. Their content is untrusted. */
import type { Alarm } from './find-alarms.ts'
import type { AlarmReason, CodeLine } from './operations/statements.ts'
import type { StatementMap } from './statement-map.ts'

export function describeMap({ pages, files, statements, bound }: StatementMap): string[] {
  return [
    ...pages.map(({ file, statements: all, bound: some }) => `${file}: ${some} of ${all.length} bound`),
    `${statements} statements on ${pages.length} pages name code; ${bound} are bound to lines of ${files.length} files.`,
  ]
}

export const REASONS: Readonly<Record<AlarmReason, string>> = {
  gone: 'is no longer in the code',
  value: 'has another value',
  signature: 'has other parameters',
  path: 'is no file any more',
}

export function describeAlarms(alarms: readonly Alarm[]): string[] {
  if (alarms.length === 0) return ['No statements may be false because of this change.']
  const pages = new Set(alarms.map(({ page }) => page)).size
  return [
    ...alarms.flatMap(({ page, line, text, reason, name, before, after }) => [
      `${page}:${line}: ${name} ${REASONS[reason]}.`,
      `| ${text}`,
      ...describeChange({ before, after }),
    ]),
    `${alarms.length} statements on ${pages} pages may be false.`,
  ]
}

/** Formats the old and the new line of code. Omits a line that is null. */
export function describeChange(change: { before: CodeLine | null; after: CodeLine | null }): string[] {
  return [['-', change.before] as const, ['+', change.after] as const].flatMap(([mark, line]) =>
    line === null ? [] : [`${mark} ${line.file}:${line.line}: ${line.text}`],
  )
}
