/** Texts of API descriptions: files of the docs folder, and URLs if fetching is possible. */
import type { FileTree } from '../../base/files/file-tree.ts'
import { decodeText, readTextFile } from '../text.ts'

export type SpecFault =
  | { kind: 'missing' | 'unreadable' | 'not_a_spec' | 'too_large' | 'not_fetched' }
  | { kind: 'fetch_failed'; reason: string }

/** Fetches a description from another server; `fault` is a sentence with the reason for a failure. Never rejects. */
export type SpecFetch = (url: string) => Promise<{ bytes: Uint8Array } | { fault: string }>

export interface SpecSources {
  /** `name` is a path below the docs folder or a URL. Each is read once. */
  read(name: string): Promise<string | SpecFault>
  requestedNames(): ReadonlySet<string>
}

/** Maximum size of an API description in bytes; larger files are not meant for readers. */
export const MAX_SPEC_BYTES = 30 << 20
const MAX_FETCHES = 50

export function isSpecUrl(name: string): boolean {
  return /^https?:\/\//i.test(name)
}

/**
 * `files` are the files of the site, without ignored files; `fetchSpec` is null if fetching is not possible.
 */
export function createSpecSources(
  tree: FileTree,
  files: ReadonlySet<string>,
  fetchSpec: SpecFetch | null,
): SpecSources {
  const fetched = new Map<string, Promise<string | SpecFault>>()
  const requestedNames = new Set<string>()

  const readFile = async (path: string): Promise<string | SpecFault> => {
    const entry = files.has(path) ? tree.files.get(path) : undefined
    if (!entry) return { kind: 'missing' }
    if (entry.sizeBytes > MAX_SPEC_BYTES) return { kind: 'too_large' }
    return readTextFile(tree, path)
  }

  const readUrl = async (url: string): Promise<string | SpecFault> => {
    if (fetchSpec === null) return { kind: 'not_fetched' }
    if (fetched.size > MAX_FETCHES) {
      return { kind: 'fetch_failed', reason: `A site can fetch at most ${MAX_FETCHES} descriptions.` }
    }
    const answer = await fetchSpec(url)
    if ('fault' in answer) return { kind: 'fetch_failed', reason: answer.fault }
    return decodeText(answer.bytes).text
  }

  return {
    read(name) {
      requestedNames.add(name)
      if (!isSpecUrl(name)) return readFile(name)
      const pending = fetched.get(name) ?? readUrl(name)
      fetched.set(name, pending)
      return pending
    },
    requestedNames: () => requestedNames,
  }
}
