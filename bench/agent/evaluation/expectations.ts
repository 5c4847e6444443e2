/** Expectations that a task can have of the agent's work. */
import type { Expectation, Files, Work } from './task.ts'

/** Passes if the file exists and contains each text or pattern. */
export function has(path: string, ...wanted: readonly (string | RegExp)[]): Expectation {
  return {
    says: `${path} has ${wanted.map(quoted).join(' and ')}`,
    holds: ({ after }) => wanted.every((one) => isIn(after[path] ?? '', one)),
  }
}

export function lacks(path: string, ...unwanted: readonly (string | RegExp)[]): Expectation {
  return {
    says: `${path} is there without ${unwanted.map(quoted).join(' and ')}`,
    holds: ({ after }) => after[path] !== undefined && !unwanted.some((one) => isIn(after[path] ?? '', one)),
  }
}

/** Passes if neither pages nor settings contain it. */
export function nowhere(unwanted: string | RegExp): Expectation {
  return {
    says: `nothing has ${quoted(unwanted)}`,
    holds: ({ after }) => !pagesOf(after).some((text) => isIn(text, unwanted)),
  }
}

export function isGone(path: string): Expectation {
  return { says: `${path} is gone`, holds: ({ after }) => after[path] === undefined }
}

/** Passes if the navigation group contains exactly these pages, in this order. */
export function group(name: string, ...pages: readonly string[]): Expectation {
  return {
    says: `the group ${name} has ${pages.join(', ')}`,
    holds: ({ after }) => JSON.stringify(groupsOf(after).get(name)) === JSON.stringify(pages),
  }
}

/** Passes if the navigation contains exactly these groups, in this order. */
export function groups(...names: readonly string[]): Expectation {
  return {
    says: `the groups are ${names.join(', ')}`,
    holds: ({ after }) => [...groupsOf(after).keys()].join() === names.join(),
  }
}

export function redirects(source: string, destination: string): Expectation {
  return {
    says: `${source} leads on to ${destination}`,
    holds: ({ after }) => {
      const { redirects: rules = [] } = settingsOf(after) as { redirects?: Record<string, string>[] }
      return rules.some((rule) => rule.source === source && rule.destination === destination)
    },
  }
}

/** Passes if both files contain the same code blocks, in the same order. */
export function sameCode(from: string, to: string): Expectation {
  return {
    says: `the code of ${from} stands unchanged in ${to}`,
    holds: ({ before, after }) => codeOf(before[from] ?? '') === codeOf(after[to] ?? ''),
  }
}

export function unchanged(): Expectation {
  return {
    says: 'no file is changed',
    holds: ({ before, after }) => JSON.stringify(sorted(before)) === JSON.stringify(sorted(after)),
  }
}

/** Passes if the account of the work matches. */
export function tells(wanted: RegExp): Expectation {
  return { says: `the account names ${quoted(wanted)}`, holds: ({ account }: Work) => wanted.test(account) }
}

function isIn(text: string, one: string | RegExp): boolean {
  return typeof one === 'string' ? text.includes(one) : one.test(text)
}

function quoted(one: string | RegExp): string {
  return typeof one === 'string' ? JSON.stringify(one) : String(one)
}

function pagesOf(files: Files): string[] {
  return Object.entries(files).flatMap(([path, text]) => (path.endsWith('.md') ? [] : [text]))
}

function codeOf(text: string): string {
  return [...text.matchAll(/```[^`]*```/g)].map(([fence]) => fence.replace(/^[ \t]+/gm, '')).join('\n')
}

function settingsOf(files: Files): unknown {
  try {
    return JSON.parse(files['docs.json'] ?? '{}')
  } catch {
    return {}
  }
}

function groupsOf(files: Files): Map<string, unknown> {
  const found = new Map<string, unknown>()
  const visit = (value: unknown) => {
    if (Array.isArray(value)) for (const one of value) visit(one)
    else if (typeof value === 'object' && value !== null) {
      const { group: name, pages } = value as { group?: unknown; pages?: unknown }
      if (typeof name === 'string') found.set(name, pages)
      for (const one of Object.values(value)) visit(one)
    }
  }
  visit((settingsOf(files) as { navigation?: unknown }).navigation)
  return found
}

function sorted(files: Files): [string, string][] {
  return Object.entries(files).sort(([a], [b]) => (a < b ? -1 : 1))
}
