/** Terminal output of `octavo demo agent`, in columns, with color where the stream supports it. */
import { styleText } from 'node:util'
import { structuredPatch } from 'diff'
import type { ReviewedFile } from '../features/agent/operations/agent-review.ts'
import { oneLine } from './one-line.ts'

type TextStyle = Parameters<typeof styleText>[0]

export type DemoOutput = ReturnType<typeof createDemoOutput>

const MAX_WIDTH = 100
const LABEL_WIDTH = 13
const MAX_FILE_LINES = 14

const CHANGES: Record<ReviewedFile['change'], readonly [string, TextStyle]> = {
  added: ['new', 'green'],
  modified: ['changed', 'yellow'],
  deleted: ['gone', 'red'],
}

/** Creates the output, without color if the stream is not a terminal or NO_COLOR is set. */
export function createDemoOutput(stream: NodeJS.WriteStream) {
  const paint = (style: TextStyle, text: string) => styleText(style, text, { stream })
  const width = Math.max(40, Math.min(stream.columns || MAX_WIDTH, MAX_WIDTH)) - 4
  let isBlank = false
  const line = (text = '') => {
    if (text !== '' || !isBlank) stream.write(text === '' ? '\n' : `  ${text}\n`)
    isBlank = text === ''
  }
  const hanging = (head: string, headWidth: number, text: string, style?: TextStyle) => {
    for (const [index, part] of wrapText(text, width - headWidth).entries())
      line((index === 0 ? head : ' '.repeat(headWidth)) + (style === undefined ? part : paint(style, part)))
  }
  const indent = ' '.repeat(LABEL_WIDTH)
  return {
    line,
    title(text: string) {
      line()
      line(paint('bold', text))
      line()
    },
    labelled: (word: string, text: string) =>
      hanging(paint('dim', word.padEnd(LABEL_WIDTH)), LABEL_WIDTH, text),
    paragraph: (text: string, style?: TextStyle) => hanging('', 0, text, style),
    file(file: ReviewedFile) {
      const [word, style] = CHANGES[file.change]
      line(`${paint(style, word.padEnd(LABEL_WIDTH))}${paint('bold', oneLine(file.path, 120))}`)
      if (file.reason !== null) hanging(indent, LABEL_WIDTH, oneLine(file.reason, 400), 'dim')
      const lines = changedLines(file)
      for (const text of lines.slice(0, MAX_FILE_LINES)) {
        const [sign, style] = text.startsWith('-') ? (['−', 'red'] as const) : (['+', 'green'] as const)
        hanging(`${indent}${sign} `, LABEL_WIDTH + 2, text.slice(1) || ' ', style)
      }
      const left = lines.length - MAX_FILE_LINES
      if (left > 0) line(paint('dim', `${indent}  … ${left} more ${left === 1 ? 'line' : 'lines'}`))
      line()
    },
  }
}

/** Returns the lines that differ, without control characters that a terminal would interpret. */
function changedLines({ path, before, after }: ReviewedFile): string[] {
  const { hunks } = structuredPatch(path, path, before ?? '', after ?? '', '', '', { context: 0 })
  return hunks
    .flatMap(({ lines }) => lines.filter((text) => /^[+-]/.test(text)))
    .map((text) => text.replace(/\t/g, '  ').replace(/[\p{Cc}\p{Cf}]/gu, ''))
}

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
