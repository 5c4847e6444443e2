/** Reports changes in docs.json other than navigation: settings affect every page of the site. */
import type { FileTree } from '../../../base/files/file-tree.ts'
import { decodeFileText } from '../edit/change-files.ts'
import type { RiskNote } from '../operations/agent-review.ts'

export const SETTINGS_FILES: readonly string[] = ['docs.json', 'mint.json']
/** Keys whose changes are not reported here, because the notes about pages cover them. */
const IGNORED_KEYS = new Set(['navigation', '$schema'])
const ANALYTICS = /^(?:integrations|analytics|telemetry)$/

type Fields = Readonly<Record<string, unknown>>

export async function findChangedSettings(before: FileTree, after: FileTree): Promise<RiskNote[]> {
  const notes: RiskNote[] = []
  for (const path of SETTINGS_FILES) {
    const [was, is] = [await readFields(before, path), await readFields(after, path)]
    if (was === null && is === null) continue
    if (was === 'unread' || is === 'unread' || was === null || is === null) {
      if (before.files.get(path)?.digest === after.files.get(path)?.digest) continue
      notes.push({
        kind: 'settings',
        path,
        line: null,
        what: 'settings that are not plain JSON changed: review them',
      })
      continue
    }
    for (const key of new Set([...Object.keys(was), ...Object.keys(is)])) {
      if (IGNORED_KEYS.has(key) || JSON.stringify(was[key]) === JSON.stringify(is[key])) continue
      notes.push(
        ...(key === 'redirects'
          ? redirectNotes(path, was[key], is[key])
          : [settingNote(path, key, was[key], is[key])]),
      )
    }
  }
  return notes
}

function settingNote(path: string, key: string, was: unknown, is: unknown): RiskNote {
  const what = is === undefined ? 'was removed' : was === undefined ? 'was added' : 'changed'
  const name = key.slice(0, 60)
  if (ANALYTICS.test(key)) {
    const services = changedKeys(was, is).join(', ')
    return {
      kind: 'analytics',
      path,
      line: null,
      what: `analytics changed: ${services || name} (${name} ${what})`,
    }
  }
  return { kind: 'settings', path, line: null, what: `the setting ${name} ${what}` }
}

function changedKeys(was: unknown, is: unknown): string[] {
  const [a, b] = [asFields(was), asFields(is)]
  return [...new Set([...Object.keys(a), ...Object.keys(b)])]
    .filter((key) => JSON.stringify(a[key]) !== JSON.stringify(b[key]))
    .map((key) => key.slice(0, 40))
    .slice(0, 10)
}

/** Reports a redirect only if it leads to another site or was changed or removed. */
function redirectNotes(path: string, was: unknown, is: unknown): RiskNote[] {
  const [old, now] = [parseRedirects(was), parseRedirects(is)]
  const note = (kind: RiskNote['kind'], what: string): RiskNote => ({ kind, path, line: null, what })
  const notes: RiskNote[] = []
  for (const [source, destination] of now) {
    if (old.get(source) === destination) continue
    const isElsewhere = !/^\/(?!\/)/.test(destination) && /[:/]/.test(destination)
    const words = `${source.slice(0, 80)} to ${destination.slice(0, 120)}`
    if (isElsewhere) notes.push(note('settings', `a redirect to another site: ${words}`))
    else
      notes.push(
        note('address', old.has(source) ? `a redirect changed: ${words}` : `a new redirect: ${words}`),
      )
  }
  for (const source of old.keys())
    if (!now.has(source)) notes.push(note('address', `a redirect was removed: ${source.slice(0, 80)}`))
  return notes
}

function parseRedirects(value: unknown): Map<string, string> {
  const list = Array.isArray(value) ? value : []
  return new Map(
    list.map((entry) => {
      const { source, destination } = asFields(entry)
      return [String(source), String(destination)]
    }),
  )
}

async function readFields(tree: FileTree, path: string): Promise<Fields | null | 'unread'> {
  if (!tree.files.has(path)) return null
  try {
    return asFields(JSON.parse(decodeFileText(await tree.read(path)) ?? ''))
  } catch (error) {
    if (error instanceof SyntaxError) return 'unread'
    throw error
  }
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}
