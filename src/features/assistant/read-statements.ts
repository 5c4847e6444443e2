/** Parses a model's output into statements: JSON objects, on one line or several, with any text around them. */

export interface Statement {
  text: string
  /** 1-based number of the passage. */
  passage: number
  quote: string
}

const LONGEST_STATEMENT = 2000
const LONGEST_OBJECT = 8000

export interface StatementReader {
  /** Returns null when no statement ends with this line. */
  add(line: string): Statement | null
  /** Returns the number of lines with invalid content. */
  unread(): number
  /** Whether the model reported that the question is unrelated to this documentation. */
  isOffTopic(): boolean
}

export function createStatementReader(): StatementReader {
  let open = ''
  let unread = 0
  let isOffTopic = false
  return {
    add(line) {
      const text = line
        .trim()
        .replace(/^```\w*$/, '')
        .replace(/^\[(?=\{)/, '')
      const begins = text.startsWith('{')
      if (open === '' && !begins) {
        if (/[\p{L}\p{N}]/u.test(text)) unread++
        return null
      }
      // An object that never ends must not consume the following ones.
      const isLost = open !== '' && text.startsWith('{"')
      if (isLost) unread++
      open = open === '' || isLost ? text : `${open}\n${text}`
      const value = parse(open.replace(/(?<![,\]\s])[,\]\s]+$/, ''))
      if (value === undefined) {
        if (open.length > LONGEST_OBJECT) {
          unread++
          open = ''
        }
        return null
      }
      open = ''
      const { covered, about } = (value ?? {}) as { covered?: unknown; about?: unknown }
      if (about === 'something else') isOffTopic = true
      if (covered !== undefined) return null
      const statement = statementOf(value)
      if (statement === null) unread++
      return statement
    },
    unread: () => unread + (open === '' ? 0 : 1),
    isOffTopic: () => isOffTopic,
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function statementOf(value: unknown): Statement | null {
  const { say, passage, quote } = (value ?? {}) as Record<string, unknown>
  const number = typeof passage === 'string' ? Number(passage) : passage
  if (typeof say !== 'string' || typeof quote !== 'string' || !Number.isInteger(number)) return null
  const text = say.trim()
  if (text === '' || text.length > LONGEST_STATEMENT) return null
  return { text, passage: number as number, quote }
}
