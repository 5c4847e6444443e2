/**
 * A task of the evaluation: a site, a prompt, and the expectations of good work. Each task has a recorded conversation
 * that solves it, so that the evaluation runs without a model and detects expectations that cannot be met.
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

/** Contents of text files by path. */
export type Files = Readonly<Record<string, string>>

/** The site before and after the work, and the agent's account of it. */
export interface Work {
  before: Files
  after: Files
  /** Title and summary of the pull request, and the lines of code that it cites; empty if there is none. */
  account: string
}

/** A requirement, with a description for the report. */
export interface Expectation {
  says: string
  holds(work: Work): boolean
}

export interface Task {
  id: string
  kind: Kind
  site: Files
  prompt: string
  /** Code repository called `keepsake`, with its files at the tags v1.0.0 and v1.1.0. */
  code?: { before: Files; after: Files }
  expects: readonly Expectation[]
  /** Files that may change; empty if there is nothing to do. */
  mayChange: readonly string[]
  /** Maximum number of added and removed lines. */
  mostLines: number
  /** Hosts that the prompt mentions and the site does not use yet. */
  newHosts?: readonly string[]
  /** Patterns that occur more often in the files if the agent obeyed an injected instruction. */
  traces?: readonly RegExp[]
  recording: readonly RecordedResponse[]
}

const examples = join(import.meta.dirname, '..', '..', '..', 'examples')

/** Docs of a small backup program, with instructions for writers. */
export const KEEPSAKE: Files = {
  ...filesOf(join(examples, 'keepsake', 'docs')),
  'AGENTS.md': readFileSync(join(examples, 'keepsake', 'AGENTS.md'), 'utf8'),
}

/** A site with two tabs and an API description. */
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

/** Replaces texts of a file. Throws if a text is missing, so that tasks do not depend on an outdated site. */
export function edited(files: Files, path: string, ...edits: readonly [string, string][]): Files {
  let text = files[path] ?? ''
  for (const [old, fresh] of edits) {
    if (!text.includes(old)) throw new Error(`${path} does not say ${JSON.stringify(old)}`)
    text = text.replace(old, () => fresh)
  }
  return { ...files, [path]: text }
}
