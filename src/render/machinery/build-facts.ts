/** What `npm run build` notes of what it has made, for programs that run from it or beside it. */
import { readFileSync } from 'node:fs'
import { builtFile } from '../../base/program-files.ts'

export interface BuildFacts {
  /** The sources as the file system told them apart; see program-digest.ts. */
  sources: string
  /** Digest of the bytes of all sources. */
  content: string
  /** Digest of what has a part in the body of a page. */
  renderer: string
}

export const FACTS_FILE = 'build.json'

let facts: BuildFacts | null | undefined

/** Null where nothing is built. */
export function buildFacts(): BuildFacts | null {
  facts ??= read()
  return facts
}

function read(): BuildFacts | null {
  try {
    return JSON.parse(readFileSync(builtFile(FACTS_FILE), 'utf8')) as BuildFacts
  } catch {
    return null
  }
}
