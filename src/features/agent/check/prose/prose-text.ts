/**
 * The prose of a page: paragraphs and headings without code, tags, URLs and text for tools. Every character keeps its
 * position, so that matches can be reported with their line.
 */

import { maskCode } from '../../../../site/pages/scan-page.ts'

export interface ProseBlock {
  kind: 'heading' | 'text'
  /** Level of a heading, 1 to 6; the title of the page is 1. */
  level: number
  /** One line; everything except prose is blank. */
  text: string
  /** 1-based line of each part of the text, by its start offset. */
  lines: readonly { from: number; line: number }[]
}

/** Maximum number of characters of a block. */
const MAX_PROSE_BLOCK_CHARACTERS = 20_000
const MAX_BLOCKS = 20_000
const HEADING = /^\s{0,3}(#{1,6})\s{1,20}([^\n]*)$/
const ITEM = /^\s{0,40}(?:[-*+]|\d{1,9}[.)])\s+|^\s{0,3}>\s?/
const MODULE = /^(?:import|export)\s/
const FRONTMATTER_FIELD = /^(title|description|sidebarTitle):([^\n]*)$/
const OFF = /\bvale off\b/
const ON = /\bvale on\b/

export function proseBlocks(source: string): ProseBlock[] {
  const lines = source.replace(/^\ufeff/, '').split(/\r?\n/)
  const bodyAt = findFrontmatterEnd(lines)
  const blocks: ProseBlock[] = extractFrontmatterBlocks(lines.slice(0, bodyAt))
  const reader = createReader(blocks)
  const body = lines.slice(bodyAt)
  const masked = maskCode(body.join('\n'), 0).split('\n')
  for (const [index, line] of body.entries())
    if (blocks.length < MAX_BLOCKS) reader.read(line, masked[index] ?? '', bodyAt + index + 1)
  reader.end()
  return blocks
}

function findFrontmatterEnd(lines: readonly string[]): number {
  if (lines[0]?.trimEnd() !== '---') return 0
  const end = lines.findIndex((line, index) => index > 0 && line.trimEnd() === '---')
  return end === -1 ? 0 : end + 1
}

function extractFrontmatterBlocks(lines: readonly string[]): ProseBlock[] {
  return lines.flatMap((line, index): ProseBlock[] => {
    const [, field = '', value = ''] = FRONTMATTER_FIELD.exec(line) ?? []
    const text = value.trim().replace(/^(["'])(.*)\1$/, '$2')
    if (text === '') return []
    const kind = field === 'description' ? 'text' : 'heading'
    return [{ kind, level: kind === 'heading' ? 1 : 0, text, lines: [{ from: 0, line: index + 1 }] }]
  })
}

/** Reads lines in order and tracks constructs that earlier lines have opened. */
function createReader(blocks: ProseBlock[]) {
  let isOff = false
  /** Whether the next line begins inside a tag. */
  let isInTag = false
  let parts: string[] = []
  let segments: { from: number; line: number }[] = []
  let length = 0

  const end = () => {
    if (parts.some((part) => part.trim() !== ''))
      blocks.push({ kind: 'text', level: 0, text: parts.join(' '), lines: segments })
    parts = []
    segments = []
    length = 0
  }
  const add = (text: string, line: number) => {
    if (length + text.length > MAX_PROSE_BLOCK_CHARACTERS) end()
    segments.push({ from: length, line })
    parts.push(text.slice(0, MAX_PROSE_BLOCK_CHARACTERS))
    length += Math.min(text.length, MAX_PROSE_BLOCK_CHARACTERS) + 1
  }

  return {
    end,
    /** `withoutCode` is the line with code and comments blanked. */
    read(raw: string, withoutCode: string, line: number) {
      if (OFF.test(raw)) isOff = true
      else if (ON.test(raw)) isOff = false
      const masked = maskLine(withoutCode, isInTag)
      isInTag = masked.isInTag
      if (isOff || masked.text.trim() === '' || MODULE.test(raw)) return end()
      const [, marks, words] = HEADING.exec(masked.text) ?? []
      if (marks !== undefined && words !== undefined) {
        end()
        const text = words.replace(/\s#+\s*$/, '')
        blocks.push({ kind: 'heading', level: marks.length, text, lines: [{ from: 0, line }] })
        return
      }
      if (ITEM.test(masked.text)) end()
      add(
        masked.text.replace(ITEM, (item) => ' '.repeat(item.length)),
        line,
      )
    },
  }
}

const blank = (found: string) => ' '.repeat(found.length)

/** Replaces URLs, tags with their attributes, and expressions by blanks. Keeps the text of links. */
function maskLine(raw: string, wasInTag: boolean): { text: string; isInTag: boolean } {
  const end = wasInTag ? raw.indexOf('>') : 0
  if (end === -1) return { text: blank(raw), isInTag: true }
  const line = (wasInTag ? ' '.repeat(end + 1) + raw.slice(end + 1) : raw)
    .replace(/\]\([^()]*\)/g, (found) => `]${blank(found.slice(1))}`)
    .replace(/https?:\/\/[^\s<>)"']*/g, blank)
    .replace(/<\/?[A-Za-z][^<>]*>/g, blank)
    .replace(/\{[^{}]*\}/g, blank)
  const begun = /<\/?[A-Za-z][^<>]*$/.exec(line)
  return { text: line.slice(0, begun?.index).replace(/[*_~[\]|}]/g, ' '), isInTag: begun !== null }
}

export function lineAt({ lines }: ProseBlock, offset: number): number {
  return (lines.findLast(({ from }) => from <= offset) ?? lines[0])?.line ?? 1
}
