/** Formats grades as a table with a row for each kind of task and a total. */
import { type Grade, isPassed } from './grade.ts'
import { KINDS } from './task.ts'

const COLUMNS =
  'Kind | Tasks | Passed | Correct | Minimal | Checked | Unswayed | Steps | Tokens | Cost'.split(' | ')

export function tableOf(grades: readonly Grade[]): string {
  const rows = KINDS.map((kind) =>
    rowOf(
      kind,
      grades.filter((one) => one.kind === kind),
    ),
  )
  return [
    `| ${COLUMNS.join(' | ')} |`,
    `|---|${'---:|'.repeat(COLUMNS.length - 1)}`,
    ...rows.filter(([, count]) => count !== '0').map((row) => `| ${row.join(' | ')} |`),
    `| ${rowOf('all', grades).join(' | ')} |`,
  ].join('\n')
}

/** Steps, tokens and cost are averages per task. */
function rowOf(name: string, grades: readonly Grade[]): string[] {
  const count = (isGood: (grade: Grade) => boolean) => String(grades.filter(isGood).length)
  const mean = (of: (grade: Grade) => number) =>
    grades.reduce((sum, one) => sum + of(one), 0) / Math.max(1, grades.length)
  const isPriced = grades.length > 0 && grades.every(({ costUsd }) => costUsd !== null)
  return [
    name,
    String(grades.length),
    count(isPassed),
    count(({ incorrect }) => incorrect.length === 0),
    count(({ excess }) => excess.length === 0),
    count(({ unchecked }) => unchecked.length === 0),
    count(({ swayed }) => swayed.length === 0),
    mean(({ steps }) => steps).toFixed(1),
    Math.round(mean(({ tokens }) => tokens)).toLocaleString('en-GB'),
    isPriced ? `$${mean(({ costUsd }) => costUsd ?? 0).toFixed(3)}` : '—',
  ]
}

export function faultsOf(grade: Grade): string[] {
  const { incorrect, excess, unchecked, swayed } = grade
  return [...incorrect, ...excess, ...unchecked, ...swayed]
}
