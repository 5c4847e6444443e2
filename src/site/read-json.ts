/** Lenient parsing of settings: an invalid value is reported with its position, and the caller's default is used. */
import type { Problem } from '../base/errors/problem.ts'
import { getNodeLine, isFields, isList, type JsonFields, type JsonNode } from './json.ts'
import { quote } from './problems.ts'

/** `path` is the setting's full name: `colors.primary`. */
export function reportSetting(
  problems: Problem[],
  node: JsonNode,
  code: string,
  level: Problem['level'],
  message: string,
  remedy: string,
): void {
  problems.push({ file: node.source.file, line: getNodeLine(node), code, level, message, remedy })
}

export function reportType(problems: Problem[], node: JsonNode, path: string, expected: string): void {
  reportSetting(
    problems,
    node,
    'config.type',
    'warning',
    `${path} must be ${expected}, not ${describeNodeType(node)}. The value is ignored.`,
    `Write ${expected} for ${path}, or remove it.`,
  )
}

function describeNodeType(node: JsonNode): string {
  if (isList(node.value)) return 'a list'
  if (isFields(node.value)) return 'an object'
  if (node.value === null) return 'null'
  return typeof node.value === 'string' ? quote(node.value) : `${node.value}`
}

function isAbsent(node: JsonNode | undefined): node is undefined {
  return node === undefined || node.value === null
}

/** Returns the trimmed text; null if absent, empty or not text. Numbers count as text. */
export function readText(problems: Problem[], node: JsonNode | undefined, path: string): string | null {
  if (isAbsent(node)) return null
  if (typeof node.value === 'number') return String(node.value)
  if (typeof node.value !== 'string') {
    reportType(problems, node, path, 'a string')
    return null
  }
  return node.value.trim() || null
}

/** Returns null if absent or not a boolean; the strings "true" and "false" count. */
export function readFlag(problems: Problem[], node: JsonNode | undefined, path: string): boolean | null {
  if (isAbsent(node)) return null
  if (typeof node.value === 'boolean') return node.value
  if (node.value === 'true' || node.value === 'false') return node.value === 'true'
  reportType(problems, node, path, 'true or false')
  return null
}

export function readNumber(problems: Problem[], node: JsonNode | undefined, path: string): number | null {
  if (isAbsent(node)) return null
  const value = typeof node.value === 'string' ? Number(node.value) : node.value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  reportType(problems, node, path, 'a number')
  return null
}

export function readChoice<Choice extends string>(
  problems: Problem[],
  node: JsonNode | undefined,
  path: string,
  choices: readonly Choice[],
): Choice | null {
  const text = readText(problems, node, path)
  if (text === null || node === undefined) return null
  const found =
    choices.find((choice) => choice === text) ?? choices.find((choice) => choice === text.toLowerCase())
  if (found) return found
  const expected = choices.map((choice) => `"${choice}"`).join(', ')
  reportSetting(
    problems,
    node,
    'config.value',
    'warning',
    `${path} cannot be ${quote(text)}. The value is ignored.`,
    `Use one of ${expected}.`,
  )
  return null
}

/** Returns `#rgb` or `#rrggbb` in lower case. */
export function readColor(problems: Problem[], node: JsonNode | undefined, path: string): string | null {
  const text = readText(problems, node, path)
  if (text === null || node === undefined) return null
  if (/^#(?:[\da-f]{6}|[\da-f]{3})$/i.test(text)) return text.toLowerCase()
  reportSetting(
    problems,
    node,
    'config.value',
    'warning',
    `${path} must be a colour, not ${quote(text)}. The value is ignored.`,
    'Write the colour as # followed by three or six hexadecimal digits.',
  )
  return null
}

export function readItems(
  problems: Problem[],
  node: JsonNode | undefined,
  path: string,
): readonly JsonNode[] {
  if (isAbsent(node)) return []
  if (isList(node.value)) return node.value
  reportType(problems, node, path, 'a list')
  return []
}

export function readFields(problems: Problem[], node: JsonNode | undefined, path: string): JsonFields | null {
  if (isAbsent(node)) return null
  if (isFields(node.value)) return node.value
  reportType(problems, node, path, 'an object')
  return null
}
