/**
 * Asks the model of the project's agent which lines of code bear the statements that no name links. An answer counts
 * only if its quotation is in the line and contains a name or value of the statement. Only changed pages are read.
 */
import type { Log } from '../../base/log.ts'
import type { Queries } from '../../database/database.ts'
import type { Model } from '../../model/model.ts'
import { quoteUntrusted } from '../../model/quote-untrusted.ts'
import { type AgentSetup, modelNameFor } from '../agent/setup.ts'
import type { Binding } from './operations/statements.ts'
import type { CheckResult, PageQuestion, Readings } from './statement-work.ts'
import type { CheckRow } from './store-check.ts'
import { valuesInCode } from './values.ts'

export interface ReadByModelDeps {
  agent: AgentSetup
  openModel(name: string, effort: null): Model
  log: Log
}

const MAX_PAGES_PER_CHECK = 50
const MAX_OUTPUT_TOKENS = 2000
const TOTAL_MS = 300_000

const SYSTEM = `You link statements of documentation with lines of code. Each statement comes with lines that may define it.
A line defines a statement if the statement becomes false as soon as the line has another name or value.
For each statement that a line defines, write one line of JSON: {"statement": 1, "line": 2, "quote": "MAX_ITEMS = 20"}
\`statement\` and \`line\` are the numbers in the list. \`quote\` is the part of the line with its name and value, copied exactly.
Write nothing for a statement that no line defines, or if you are not sure.`

/** Returns null without a model. */
export async function findModelName(
  { agent }: ReadByModelDeps,
  queries: Queries,
  projectId: string,
): Promise<string | null> {
  const choice = queries.selectFrom('projects').select('agent').where('id', '=', projectId)
  return modelNameFor(agent, (await choice.executeTakeFirst())?.agent ?? {})
}

/** Adds what was read to the result. Returns whether nothing is left to read. */
export async function readByModel(
  { openModel, log }: ReadByModelDeps,
  given: { row: CheckRow; model: string; readings: Readings; result: CheckResult },
  signal: AbortSignal,
): Promise<boolean> {
  const { row, model, result } = given
  const ending = AbortSignal.any([signal, AbortSignal.timeout(TOTAL_MS)])
  const digests = new Map(row.pages.map(({ page, read }) => [page, read]))
  const counted = new Map(result.pages.map((one) => [one.page, one]))
  const statements = new Map(result.statements.map((statement) => [statement.id, statement]))
  const unread = result.questions.filter(({ page, digest }) => digests.get(page) !== digest)
  const chosen = new Set(unread.slice(0, MAX_PAGES_PER_CHECK))
  let failure: Error | null = null
  for (const question of result.questions) {
    const { page, digest } = question
    let read = given.readings
    if (chosen.has(question) && failure === null)
      try {
        read = await ask(openModel(model, null), question, ending)
        digests.set(page, digest)
      } catch (error) {
        signal.throwIfAborted()
        failure = error as Error
        log.warn({ projectId: row.project_id, error: failure.message }, 'statements.reading_failed')
      }
    const stored = counted.get(page)
    if (stored !== undefined && digests.get(page) === digest) stored.read = digest
    for (const { candidates, terms: _, ...statement } of question.statements) {
      // Lines that have moved since are found again by their text.
      const bindings = (read[statement.id] ?? []).flatMap(({ quote, text, file, repository }) =>
        candidates
          .filter((one) => one.text === text && one.file === file && one.repository === repository)
          .slice(0, 1)
          .map((one) => ({ ...one, quote: quote ?? '' })),
      )
      if (bindings.length > 0) statements.set(statement.id, { ...statement, bindings })
    }
  }
  result.statements = [...statements.values()]
  return failure === null && unread.length <= MAX_PAGES_PER_CHECK
}

async function ask(model: Model, { statements }: PageQuestion, signal: AbortSignal): Promise<Readings> {
  const messages = [{ role: 'user', text: formatQuestions(statements) }] as const
  const request = { system: SYSTEM, messages, tools: [], maxOutputTokens: MAX_OUTPUT_TOKENS }
  const { text } = await model.answer(request, signal)
  const found: Record<string, Binding[]> = {}
  for (const line of text.split('\n')) {
    const { statement: number, line: which, quote } = parseAnswer(line)
    const statement = statements[Number(number) - 1]
    const candidate = statement?.candidates[Number(which) - 1]
    if (statement === undefined || candidate === undefined || typeof quote !== 'string') continue
    if (!candidate.text.includes(quote) || !bears(quote, statement.terms)) continue
    found[statement.id] = [{ ...candidate, quote }]
  }
  return found
}

/** Quotes the statements and their lines, which pages and code repositories contain. Exported for tests. */
export function formatQuestions(statements: PageQuestion['statements']): string {
  const list = statements.map(({ text, candidates }, index) =>
    [
      `Statement ${index + 1}: ${text}`,
      ...candidates.map(({ file, text: line }, number) => `  ${number + 1}. ${file}: ${line}`),
    ].join('\n'),
  )
  return quoteUntrusted('statements', list.join('\n\n'))
}

function parseAnswer(line: string): { statement?: unknown; line?: unknown; quote?: unknown } {
  try {
    return Object(JSON.parse(line.trim().replace(/,$/, '')))
  } catch {
    return {}
  }
}

function bears(quote: string, terms: readonly string[]): boolean {
  const values = new Set(valuesInCode(quote))
  return terms.some((term) => values.has(term) || (term.length > 2 && quote.includes(term)))
}
