/** Terminal output of `octavo demo agent`, in columns, with color where the stream supports it. */
import { styleText } from 'node:util'
import { structuredPatch } from 'diff'
import type { AgentEvent, PlanItem } from '../features/agent/operations/agent.ts'
import type { ReviewedFile } from '../features/agent/operations/agent-review.ts'
import { oneLine } from './one-line.ts'

type TextStyle = Parameters<typeof styleText>[0]

export interface DemoOutput {
  line(text?: string): void
  /** Prints a title surrounded by empty lines. */
  title(text: string): void
  /** Prints a label and its value. */
  labelled(word: string, text: string): void
  paragraph(text: string, style?: TextStyle): void
  /** Prints a step of the agent; nothing for events that only count. */
  event(event: AgentEvent): void
  /** Prints a changed file: the reason and the diff. */
  file(file: ReviewedFile): void
}

const MAX_WIDTH = 100
/** Width of labels. */
const LABEL_WIDTH = 13
/** Width of tool names. */
const TOOL_WIDTH = 18
/** Maximum number of lines shown per file. */
const MAX_FILE_LINES = 14

const PLAN: Record<PlanItem['state'], readonly [string, TextStyle]> = {
  open: ['○', 'dim'],
  at_work: ['◐', 'bold'],
  done: ['●', 'green'],
}
const CHANGES: Record<ReviewedFile['change'], readonly [string, TextStyle]> = {
  added: ['new', 'green'],
  modified: ['changed', 'yellow'],
  deleted: ['gone', 'red'],
}

/** Writes lines of limited width, with color where the stream supports it. */
interface LineWriter {
  paint(style: TextStyle, text: string): string
  width(): number
  /** Prints a line, collapsing consecutive empty lines. */
  line(text?: string): void
  /** Prints text with a hanging indent of `headWidth` columns. */
  hanging(head: string, headWidth: number, text: string, style?: TextStyle): void
}

function createLineWriter(stream: NodeJS.WriteStream): LineWriter {
  const paint = (style: TextStyle, text: string) => styleText(style, text, { stream })
  const width = () => Math.max(40, Math.min(stream.columns || MAX_WIDTH, MAX_WIDTH))
  let isBlank = false
  const line = (text = '') => {
    if (text !== '' || !isBlank) stream.write(text === '' ? '\n' : `  ${text}\n`)
    isBlank = text === ''
  }
  return {
    paint,
    width,
    line,
    hanging(head, headWidth, text, style) {
      for (const [index, part] of wrapText(text, width() - 4 - headWidth).entries())
        line((index === 0 ? head : ' '.repeat(headWidth)) + (style === undefined ? part : paint(style, part)))
    },
  }
}

/** Creates a sheet, without color if the stream is not a terminal or NO_COLOR is set. */
export function createDemoOutput(stream: NodeJS.WriteStream): DemoOutput {
  const writer = createLineWriter(stream)
  const { paint, line, hanging } = writer
  return {
    line,
    title(text) {
      line()
      line(paint('bold', text))
      line()
    },
    labelled: (word, text) => hanging(paint('dim', word.padEnd(LABEL_WIDTH)), LABEL_WIDTH, text),
    paragraph: (text, style) => hanging('', 0, text, style),
    event(event) {
      switch (event.type) {
        case 'text':
          return hanging(`${paint('cyan', '›')} `, 2, oneLine(event.data.text, 600))
        case 'tool':
          return writeTool(writer, event.data)
        case 'plan':
          return writePlan(writer, event.data.items)
        case 'check':
          return writeCheck(writer, event.data)
        case 'usage':
          return writeUsage(writer, event.data)
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
    file: (file) => writeFile(writer, file),
  }
}

function writeFile({ paint, line, hanging }: LineWriter, file: ReviewedFile): void {
  const [word, style] = CHANGES[file.change]
  line(`${paint(style, word.padEnd(LABEL_WIDTH))}${paint('bold', oneLine(file.path, 120))}`)
  if (file.reason !== null) hanging(' '.repeat(LABEL_WIDTH), LABEL_WIDTH, oneLine(file.reason, 400), 'dim')
  const lines = changedLines(file)
  for (const { sign, text } of lines.slice(0, MAX_FILE_LINES))
    hanging(
      `${' '.repeat(LABEL_WIDTH)}${diffSign(sign)} `,
      LABEL_WIDTH + 2,
      text === '' ? ' ' : text,
      diffStyle(sign),
    )
  const left = lines.length - MAX_FILE_LINES
  if (left > 0) line(paint('dim', `${' '.repeat(LABEL_WIDTH)}  … ${plural(left, 'more line')}`))
  line()
}

function writeTool(
  { paint, line, width }: LineWriter,
  { name, input, result, isError }: DataOf<'tool'>,
): void {
  // The plan and the result have separate lines.
  if (name === 'plan' || (name === 'finish' && !isError)) return
  const subject = firstTextArgument(input)
  const [first = ''] = result.split('\n', 1)
  const resultText = `${isError ? 'refused: ' : ''}${first.replace(/:$/, '')}`
  const remainingWidth = width() - 4 - TOOL_WIDTH - (subject === '' ? 0 : subject.length + 2)
  const shown = paint(isError ? 'red' : 'dim', oneLine(resultText, Math.max(10, remainingWidth)))
  const head = paint('blue', oneLine(name, TOOL_WIDTH - 1).padEnd(TOOL_WIDTH))
  line(`  ${head}${subject === '' ? '' : `${subject}  `}${shown}`)
}

function writePlan({ paint, line }: LineWriter, items: readonly PlanItem[]): void {
  line()
  for (const { text, state } of items) {
    const [mark, style] = PLAN[state]
    line(`    ${paint(style, `${mark} ${oneLine(text, 80)}`)}`)
  }
  line()
}

function writeUsage(
  { paint, line }: LineWriter,
  { steps, inputTokens, outputTokens }: DataOf<'usage'>,
): void {
  const tokens = (inputTokens + outputTokens).toLocaleString('en-GB')
  line(paint('dim', `  step ${steps}, ${tokens} tokens so far`))
  line()
}

function writeCheck(
  { paint, line, hanging }: LineWriter,
  { passed, round, problems }: DataOf<'check'>,
): void {
  const check = `Octavo checks the whole site, round ${round}`
  if (passed) line(paint('green', `✓ ${check}: no new problem`))
  else line(paint('yellow', `✗ ${check}: ${plural(problems.length, 'problem')}, back to the agent`))
  for (const { path, line: number, message } of problems) {
    const location = `${oneLine(path, 120)}${number === null ? '' : `:${number}`}`
    hanging('  ', 2, `${location}  ${oneLine(message, 300)}`)
  }
  line()
}

type DataOf<Type extends AgentEvent['type']> = Extract<AgentEvent, { type: Type }>['data']

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** Returns the first string in a tool's input: its page, search words or operation. */
function firstTextArgument(input: string): string {
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
      .map((text) => ({ sign: text[0] as '+' | '-', text: stripControlCharacters(text.slice(1)) })),
  )
}

/** Removes control characters that a terminal would interpret. */
function stripControlCharacters(text: string): string {
  return text.replace(/\t/g, '  ').replace(/[\p{Cc}\p{Cf}]/gu, '')
}

function diffSign(sign: ChangedLine['sign']): string {
  return sign === '-' ? '−' : sign
}

function diffStyle(sign: ChangedLine['sign']): TextStyle {
  return sign === '+' ? 'green' : 'red'
}

/** Wraps text, keeping leading spaces. Words longer than a line are not split. */
function wrapText(text: string, width: number): string[] {
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
