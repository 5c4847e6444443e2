/** Redirects with parameters in their source: `/docs/:page`, `/:version/guides/:page/:rest*`. */
import type { Redirect } from '../model.ts'

export interface RedirectPattern {
  /** Literal segments; null for the parameter at the same index of `names`. */
  segments: readonly (string | null)[]
  names: readonly (string | null)[]
  /** Name of the parameter for the rest of the path; `*` if it is unnamed, null if there is none. */
  rest: string | null
  redirect: Redirect
}

const NAMED = /^:([A-Za-z_][\w-]*)$/
const REST = /^(?::([A-Za-z_][\w-]*))?\*$/

/** Returns null for a source without parameters; a lone wildcard is not a parameter. */
export function parsePattern(redirect: Redirect): RedirectPattern | null {
  const parts = redirect.source.split('/').slice(1)
  const rest = REST.exec(parts.at(-1) ?? '')
  const own = rest ? parts.slice(0, -1) : parts
  const names = own.map((part) => NAMED.exec(part)?.[1] ?? null)
  if (names.every((name) => name === null)) return null
  const segments = own.map((part, index) => (names[index] === null ? part : null))
  return { segments, names, rest: rest ? (rest[1] ?? '*') : null, redirect }
}

export function fillPattern(
  { segments, names, rest, redirect }: RedirectPattern,
  path: string,
): string | null {
  const parts = path.split('/').slice(1)
  if (rest === null ? parts.length !== segments.length : parts.length < segments.length) return null
  const isFit = segments.every((segment, index) =>
    segment === null ? parts[index] !== '' : segment === parts[index],
  )
  if (!isFit) return null
  const values = new Map(
    names.flatMap((name, index) => (name === null ? [] : [[name, parts[index] ?? '']])) as [string, string][],
  )
  if (rest !== null) values.set(rest, parts.slice(segments.length).join('/'))
  const filled = redirect.destination.replace(
    /:([A-Za-z_][\w-]*)\*?/g,
    (whole, name: string) => values.get(name) ?? whole,
  )
  const whole = rest === '*' ? filled.replace('*', () => values.get('*') ?? '') : filled
  return values.get(rest ?? '') === '' ? whole.replace(/([^/])\/(?=$|[?#])/, '$1') : whole
}

/**
 * Returns a function that maps a page to the old path that redirects to it: the reverse of `fillPattern`.
 * Null if the destination lacks a parameter of the source, or contains one within a segment.
 */
export function reversePattern({
  segments,
  names,
  rest,
  redirect,
}: RedirectPattern): ((route: string) => string | null) | null {
  const { destination } = redirect
  if (!destination.startsWith('/')) return null
  const parts = (/^[^?#]*/.exec(destination)?.[0] ?? '').split('/').slice(1)
  const ends = rest !== null && isRest(parts.at(-1) ?? '', rest)
  const own = ends ? parts.slice(0, -1) : parts
  const placeholderNames = own.map((part) => NAMED.exec(part)?.[1] ?? null)
  const isWhole = own.every((part, index) => placeholderNames[index] !== null || !/[:*]/.test(part))
  const isComplete =
    names.every((name) => name === null || placeholderNames.includes(name)) && (rest === null || ends)
  if (!isWhole || !isComplete) return null
  return (route) => {
    const found = route.split('/').slice(1)
    if (ends ? found.length <= own.length : found.length !== own.length) return null
    if (!own.every((part, index) => placeholderNames[index] !== null || part === found[index])) return null
    const values = segments.map(
      (segment, index) => segment ?? found[placeholderNames.indexOf(names[index] ?? null)] ?? '',
    )
    return `/${[...values, ...(ends ? found.slice(own.length) : [])].join('/')}`
  }
}

function isRest(part: string, rest: string): boolean {
  return rest === '*' ? part === '*' : part === `:${rest}*` || part === `:${rest}`
}
