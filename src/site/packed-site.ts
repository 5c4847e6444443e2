/**
 * What a build has read of its files, as plain data for the next one. It comes back from where anybody may have put it:
 * what has not the form is as good as missing.
 */
import type { Problem } from '../contract/problem.ts'
import { frontmatterOf } from './frontmatter.ts'
import type { EarlierSite } from './load-site.ts'
import type { FileFacts } from './read-pages.ts'

/** Characters of all files; nothing is kept of a site with more. */
const MOST_CHARACTERS = 100_000_000

type PackedFile = Omit<FileFacts, 'frontmatter'> & {
  frontmatter: { fields: Record<string, unknown>; block: string; bodyOffset: number; bodyLine: number } | null
  linkProblems: readonly Problem[]
}

/** Null for what is too much. */
export function packSite({ facts, places, linkProblems }: EarlierSite): string | null {
  const files: string[] = []
  let characters = 0
  for (const one of facts.values()) {
    if (one.frontmatter && !isPlain(one.frontmatter.fields)) continue
    const packed = JSON.stringify({ ...one, linkProblems: linkProblems.get(one.file) ?? [] })
    characters += packed.length
    if (characters > MOST_CHARACTERS) return null
    files.push(packed)
  }
  return `{"places":${JSON.stringify(places)},"files":[${files.join(',\n')}]}`
}

/** Whether JSON gives back the same: dates and numbers without end are not. */
function isPlain(value: unknown): boolean {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object') return false
  if (Array.isArray(value)) return value.every(isPlain)
  return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain)
}

/** Null for what `packSite` has not made. */
export function unpackSite(value: unknown): EarlierSite | null {
  if (!hasFields(value) || typeof value.places !== 'string' || !Array.isArray(value.files)) return null
  if (!value.files.every(isPackedFile)) return null
  const files = value.files as PackedFile[]
  return {
    places: value.places,
    facts: new Map(files.map((one) => [one.file, factsOf(one)])),
    linkProblems: new Map(files.map(({ file, linkProblems }) => [file, linkProblems])),
  }
}

function factsOf({ linkProblems: _, frontmatter, ...facts }: PackedFile): FileFacts {
  return { ...facts, frontmatter: frontmatter && frontmatterOf(frontmatter) }
}

function isPackedFile(value: unknown): boolean {
  if (!hasFields(value)) return false
  const { file, digest, head, frontmatter, readers, imports, links, script, problems, linkProblems } = value
  return (
    [file, digest, head].every(isText) &&
    (frontmatter === null || isFrontmatter(frontmatter)) &&
    (readers === null || areAll(readers, isText)) &&
    areAll(imports, isImport) &&
    areAll(links, isLink) &&
    (script === null || isScript(script)) &&
    areAll(problems, isProblem) &&
    areAll(linkProblems, isProblem)
  )
}

function isFrontmatter(value: unknown): boolean {
  if (!hasFields(value)) return false
  const { fields, block, bodyOffset, bodyLine } = value
  return (
    hasFields(fields) && !Array.isArray(fields) && isText(block) && isCount(bodyOffset) && isCount(bodyLine)
  )
}

function isImport(value: unknown): boolean {
  if (!hasFields(value)) return false
  return isText(value.specifier) && typeof value.isLegacy === 'boolean' && isCount(value.line)
}

function isLink(value: unknown): boolean {
  if (!hasFields(value) || !isText(value.href) || !isCount(value.line)) return false
  return /^(?:link|image)$/.test(`${value.use}`) && [undefined, true].includes(value.isSpaced as true)
}

function isScript(value: unknown): boolean {
  if (!hasFields(value) || !/^(?:null|module|node)$/.test(`${value.program}`)) return false
  return areAll(
    value.names,
    (one) => hasFields(one) && isText(one.name) && isCount(one.line) && typeof one.isOnce === 'boolean',
  )
}

export function isProblem(value: unknown): boolean {
  if (!hasFields(value)) return false
  const { file, code, level, message, remedy, line } = value
  return [file, code, level, message, remedy].every(isText) && (line === null || typeof line === 'number')
}

function areAll(value: unknown, isOne: (one: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne)
}

function hasFields(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0
}
