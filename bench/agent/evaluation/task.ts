/**
 * A task of the evaluation: a site, what somebody asks of the agent, and what holds when it was done well. Each has a
 * conversation that does it, so that the evaluation runs without a model, and so that a rule that no work could meet is
 * found out.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { RecordedResponse } from '../../../src/model/replay-file.ts'

export const KINDS = [
  'rename',
  'add',
  'move',
  'translate',
  'feedback',
  'code change',
  'injection',
  'nothing to do',
] as const
export type Kind = (typeof KINDS)[number]

/** Paths of text files to their content. */
export type Files = Readonly<Record<string, string>>

/** The site as the agent left it, and what it said of its work. */
export interface Work {
  before: Files
  after: Files
  /** Title and summary of the pull request, and the lines of code that it rests on; empty when there is none. */
  account: string
}

/** One thing that holds of good work, in words for the report. */
export interface Expectation {
  says: string
  holds(work: Work): boolean
}

export interface Task {
  id: string
  kind: Kind
  site: Files
  prompt: string
  /** A code repository beside the docs, called `keepsake`, as it was at the tag v1.0.0 and is at v1.1.0. */
  code?: { before: Files; after: Files }
  expects: readonly Expectation[]
  /** Files that good work may change; none where nothing is to be done. */
  mayChange: readonly string[]
  /** Lines that good work adds and removes at most. */
  mostLines: number
  /** Hosts that the prompt gives and the site does not know yet. */
  newHosts?: readonly string[]
  /** What an obeyed instruction of a stranger would leave in files, beyond where it stands already. */
  traces?: readonly RegExp[]
  recording: readonly RecordedResponse[]
}

const examples = join(import.meta.dirname, '..', '..', '..', 'examples')

/** A small program for backups, with a guide for writers. */
export const KEEPSAKE: Files = {
  ...filesOf(join(examples, 'keepsake', 'docs')),
  'AGENTS.md': readFileSync(join(examples, 'keepsake', 'AGENTS.md'), 'utf8'),
}

/** A site of two tabs with a description of an interface. */
export const STARTER: Files = filesOf(join(examples, 'starter'))

function filesOf(folder: string): Files {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return Object.fromEntries(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path).split(sep).join('/'), readFileSync(path, 'utf8')]),
  )
}

/** The site with texts replaced; throws where a text is not there, so that no task rests on an older site. */
export function edited(files: Files, path: string, ...edits: readonly [string, string][]): Files {
  let text = files[path] ?? ''
  for (const [old, fresh] of edits) {
    if (!text.includes(old)) throw new Error(`${path} does not say ${JSON.stringify(old)}`)
    text = text.replace(old, () => fresh)
  }
  return { ...files, [path]: text }
}
