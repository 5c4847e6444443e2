/** Terminal output of `octavo demo agent`, in columns, with color where the stream supports it. */
import { styleText } from 'node:util'
import { structuredPatch } from 'diff'
import type { AgentEvent, PlanItem } from '../features/agent/operations/agent.ts'
import type { ReviewedFile } from '../features/agent/operations/agent-review.ts'
import { oneLine } from './one-line.ts'

type Look = Parameters<typeof styleText>[0]

export interface Sheet {
  line(text?: string): void
  /** Prints a title surrounded by empty lines. */
  title(text: string): void
  /** Prints a label and its value. */
  fact(word: string, text: string): void
  paragraph(text: string, look?: Look): void
  /** Prints a step of the agent; nothing for events that only count. */
  event(event: AgentEvent): void
  /** Prints a changed file: the reason and the diff. */
  file(file: ReviewedFile): void
}

const WIDEST = 100
/** Width of labels. */
const FACT = 13
/** Width of tool names. */
const TOOL = 18
/** Maximum number of lines shown per file. */
const FILE_LINES = 14

const PLAN: Record<PlanItem['state'], readonly [string, Look]> = {
  open: ['○', 'dim'],
  at_work: ['◐', 'bold'],
  done: ['●', 'green'],
}
const CHANGES: Record<ReviewedFile['change'], readonly [string, Look]> = {
  added: ['new', 'green'],
  modified: ['changed', 'yellow'],
  deleted: ['gone', 'red'],
}

/** Writes lines of limited width, with color where the stream supports it. */
interface Pen {
  paint(look: Look, text: string): string
  width(): number
  /** Prints a line, collapsing consecutive empty lines. */
  line(text?: string): void
  /** Prints text with a hanging indent of `headWidth` columns. */
  hanging(head: string, headWidth: number, text: string, look?: Look): void
}

function createPen(stream: NodeJS.WriteStream): Pen {
  const paint = (look: Look, text: string) => styleText(look, text, { stream })
  const width = () => Math.max(40, Math.min(stream.columns || WIDEST, WIDEST))
  let isBlank = false
  const line = (text = '') => {
    if (text !== '' || !isBlank) stream.write(text === '' ? '\n' : `  ${text}\n`)
    isBlank = text === ''
  }
  return {
    paint,
    width,
    line,
    hanging(head, headWidth, text, look) {
      for (const [index, part] of wrapped(text, width() - 4 - headWidth).entries())
        line((index === 0 ? head : ' '.repeat(headWidth)) + (look === undefined ? part : paint(look, part)))
    },
  }
}

/** Creates a sheet, without color if the stream is not a terminal or NO_COLOR is set. */
export function createSheet(stream: NodeJS.WriteStream): Sheet {
  const pen = createPen(stream)
  const { paint, line, hanging } = pen
  return {
    line,
    title(text) {
      line()
      line(paint('bold', text))
      line()
    },
    fact: (word, text) => hanging(paint('dim', word.padEnd(FACT)), FACT, text),
    paragraph: (text, look) => hanging('', 0, text, look),
    event(event) {
      switch (event.type) {
        case 'text':
          return hanging(`${paint('cyan', '›')} `, 2, oneLine(event.data.text, 600))
        case 'tool':
          return writeTool(pen, event.data)
        case 'plan':
          return writePlan(pen, event.data.items)
        case 'check':
          return writeCheck(pen, event.data)
        case 'usage':
          return writeUsage(pen, event.data)
        case 'notice':
          return hanging('  ', 2, oneLine(event.data.text, 400), 'dim')
        case 'waiting':
          return line(paint('dim', `  waiting for ${oneLine(event.data.for)}`))
        case 'prompt':
        case 'changes':
        case 'job':
          return
      }
    },
    file: (file) => writeFile(pen, file),
  }
}

function writeFile({ paint, line, hanging }: Pen, file: ReviewedFile): void {
  const [word, look] = CHANGES[file.change]
  line(`${paint(look, word.padEnd(FACT))}${paint('bold', oneLine(file.path, 120))}`)
  if (file.reason !== null) hanging(' '.repeat(FACT), FACT, oneLine(file.reason, 400), 'dim')
  const lines = changedLines(file)
  for (const { sign, text } of lines.slice(0, FILE_LINES))
    hanging(`${' '.repeat(FACT)}${diffSign(sign)} `, FACT + 2, text === '' ? ' ' : text, diffLook(sign))
  const left = lines.length - FILE_LINES
  if (left > 0) line(paint('dim', `${' '.repeat(FACT)}  … ${plural(left, 'more line')}`))
  line()
}

function writeTool({ paint, line, width }: Pen, { name, input, result, isError }: DataOf<'tool'>): void {
  // The plan and the result have separate lines.
  if (name === 'plan' || (name === 'finish' && !isError)) return
  const subject = subjectOf(input)
  const [first = ''] = result.split('\n', 1)
  const told = `${isError ? 'refused: ' : ''}${first.replace(/:$/, '')}`
  const room = width() - 4 - TOOL - (subject === '' ? 0 : subject.length + 2)
  const shown = paint(isError ? 'red' : 'dim', oneLine(told, Math.max(10, room)))
  const head = paint('blue', oneLine(name, TOOL - 1).padEnd(TOOL))
  line(`  ${head}${subject === '' ? '' : `${subject}  `}${shown}`)
}

function writePlan({ paint, line }: Pen, items: readonly PlanItem[]): void {
  line()
  for (const { text, state } of items) {
    const [mark, look] = PLAN[state]
    line(`    ${paint(look, `${mark} ${oneLine(text, 80)}`)}`)
  }
  line()
}

function writeUsage({ paint, line }: Pen, { steps, inputTokens, outputTokens }: DataOf<'usage'>): void {
  const tokens = (inputTokens + outputTokens).toLocaleString('en-GB')
  line(paint('dim', `  step ${steps}, ${tokens} tokens so far`))
  line()
}

function writeCheck({ paint, line, hanging }: Pen, { passed, round, problems }: DataOf<'check'>): void {
  const check = `Octavo checks the whole site, round ${round}`
  if (passed) line(paint('green', `✓ ${check}: no new problem`))
  else line(paint('yellow', `✗ ${check}: ${plural(problems.length, 'problem')}, back to the agent`))
  for (const { path, line: number, message } of problems) {
    const place = `${oneLine(path, 120)}${number === null ? '' : `:${number}`}`
    hanging('  ', 2, `${place}  ${oneLine(message, 300)}`)
  }
  line()
}

type DataOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>['data']

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Returns the first string in a tool's input: its page, search words or operation. */
function subjectOf(input: string): string {
  const [, text = ''] = /:"((?:[^"\\]|\\.)*)/.exec(input) ?? []
  return oneLine(text.replace(/\\(.)/g, '$1'), 40)
}

interface ChangedLine {
  sign: '+' | '-' | ' '
  text: string
}

function changedLines({ path, before, after }: ReviewedFile): ChangedLine[] {
  const { hunks } = structuredPatch(path, path, before ?? '', after ?? '', '', '', { context: 0 })
  return hunks.flatMap(({ lines }) =>
    lines
      .filter((text) => text.startsWith('+') || text.startsWith('-'))
      .map((text) => ({ sign: text[0] as '+' | '-', text: plainly(text.slice(1)) })),
  )
}

/** Removes control characters that a terminal would interpret. */
function plainly(text: string): string {
  return text.replace(/\t/g, '  ').replace(/[\p{Cc}\p{Cf}]/gu, '')
}

function diffSign(sign: ChangedLine['sign']): string {
  return sign === '-' ? '−' : sign
}

function diffLook(sign: ChangedLine['sign']): Look {
  return sign === '+' ? 'green' : 'red'
}

/** Wraps text, keeping leading spaces. Words longer than a line are not split. */
function wrapped(text: string, width: number): string[] {
  const indent = /^ */.exec(text)?.[0] ?? ''
  const lines: string[] = []
  let line = indent
  for (const word of text.trimStart().split(' ')) {
    if (line.trim() !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = indent + word
    } else line = line.trim() === '' ? line + word : `${line} ${word}`
  }
  return [...lines, line]
}
