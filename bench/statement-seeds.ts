/**
 * Code changes that falsify lines of docs, and these lines. Found by separate plain searches, so that the measured code
 * does not decide what is correct.
 */

import { STATUS_CODES } from 'node:http'

export interface Line {
  page: string
  line: number
}

export interface Seed {
  kind: string
  what: string
  /** New text by path; null for a removed file. */
  changed: Map<string, string | null>
  falsified: Line[]
  /** Text that the falsified lines write as code. */
  token: string
  /** Name whose value has changed; `token` is then the value. */
  name?: string
}

interface Input {
  code: ReadonlyMap<string, string>
  live: ReadonlyMap<string, string>
  docs: ReadonlyMap<string, string>
  paths: ReadonlySet<string>
  random: () => number
  count: number
}

/** Removes comments, docstrings and unit tests, because text that occurs only there does not define the product. */
function live(code: ReadonlyMap<string, string>): Map<string, string> {
  return new Map(
    [...code].map(([path, text]) => [
      path,
      text
        .replace(/^#\[cfg\(test\)\][\s\S]*/m, '')
        .replace(/"{3}[\s\S]*?"{3}/g, '')
        .replace(/\/\*[\s\S]*?\*\//g, '')
        .replace(/^\s*(?:\/\/|#(?!\[)|\*|>>>).*$/gm, ''),
    ]),
  )
}

type Kind = (input: Input) => Iterable<Seed>

/** Takes one change of each kind in turn until there are enough. Each kind yields changes in random order. */
export function makeSeeds(given: Omit<Input, 'live'>): Seed[] {
  const input = { ...given, live: live(given.code) }
  const sources = [flags, defaults, fields, limits, paths, statuses, environments, signatures].map(
    (kind: Kind) => kind(input)[Symbol.iterator](),
  )
  const seeds: Seed[] = []
  while (seeds.length < input.count && sources.length > 0) {
    for (const source of [...sources]) {
      if (seeds.length >= input.count) break
      const next = source.next()
      if (next.done) sources.splice(sources.indexOf(source), 1)
      else seeds.push(next.value)
    }
  }
  return seeds
}

const HISTORY =
  /deprecat|removed|renamed|formerly|previously|no longer|legacy|used to|replaced by|superseded|before v?\d|prior to|since v?\d|obsolete/i

function shuffle<Item>(items: Iterable<Item>, random: () => number): Item[] {
  const list = [...items]
  for (let at = list.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[list[at], list[other]] = [list[other] as Item, list[at] as Item]
  }
  return list
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Returns all lines except fence markers, each with the heading above it. */
function linesOfDocs(docs: ReadonlyMap<string, string>) {
  const found = []
  for (const [page, text] of docs) {
    let fence = ''
    let heading = ''
    for (const [index, line] of text.split('\n').entries()) {
      const mark = /^\s*(?:>\s*)?(`{3,}|~{3,})/.exec(line)?.[1]
      if (mark !== undefined && (fence === '' || mark.startsWith(fence))) {
        fence = fence === '' ? mark : ''
        continue
      }
      if (fence === '' && /^#{1,6} /.test(line)) heading = line
      found.push({ page, line: index + 1, text: line, isFence: fence !== '', heading })
    }
  }
  return found
}

function codeOfDocs(
  docs: ReadonlyMap<string, string>,
): { page: string; line: number; code: string; text: string; isFence: boolean; heading: string }[] {
  return linesOfDocs(docs).flatMap((one) => {
    const code = one.isFence
      ? one.text
      : [...one.text.matchAll(/`([^`\n]+)`|<code>([^<]+)<\/code>|(?:path|query|body|header|name)="([^"]+)"/g)]
          .map(([, a, b, c]) => a ?? b ?? c)
          .join('\u0001')
    return code === '' ? [] : [{ ...one, code }]
  })
}

function linesWith(docs: ReadonlyMap<string, string>, pattern: RegExp): Line[] {
  return codeOfDocs(docs)
    .filter(({ code, text }) => pattern.test(code) && !HISTORY.test(text))
    .map(({ page, line }) => ({ page, line }))
}

function replaceAll(code: ReadonlyMap<string, string>, pattern: RegExp, by: string): Map<string, string> {
  const changed = new Map<string, string>()
  for (const [path, text] of code) {
    pattern.lastIndex = 0
    if (!pattern.test(text)) continue
    changed.set(path, text.replace(pattern, by))
  }
  return changed
}

const tokensOf = (docs: ReadonlyMap<string, string>, pattern: RegExp) =>
  new Set(codeOfDocs(docs).flatMap(({ code }) => [...code.matchAll(pattern)].map(([token]) => token)))

const all = (code: ReadonlyMap<string, string>) => [...code.values()].join('\n')

function* flags({ code, live, docs, random }: Input): Iterable<Seed> {
  const whole = all(live)
  for (const flag of shuffle(tokensOf(docs, /(?<![\w-])--[a-z][a-z0-9]*(?:-[a-z0-9]+)+(?![\w-])/g), random)) {
    const literal = new RegExp(`(?<![\\w-])${flag}(?![\\w-])`, 'g')
    const field = flag.slice(2).replaceAll('-', '_')
    const isQuoted = new RegExp(`["'\`](?:-\\w, ?)?${flag}\\b`).test(whole)
    const isField = new RegExp(`\\b${field}\\b`).test(whole)
    if (!isQuoted && !isField) continue
    const changed = replaceAll(code, literal, `${flag}-renamed`)
    // A flag derived from a field name changes with the field, and so do messages that mention the flag.
    if (!isQuoted)
      for (const [path, text] of replaceAll(
        new Map([...code, ...changed]),
        new RegExp(`\\b${field}\\b`, 'g'),
        `${field}_renamed`,
      ))
        changed.set(path, text)
    if (changed.size === 0 || changed.size > 60) continue
    const falsified = linesWith(docs, new RegExp(`(?<![\\w-])${flag}(?![\\w-])`))
    if (falsified.length > 0 && falsified.length < 60)
      yield { kind: 'renamed flag', what: flag, changed, falsified, token: flag }
  }
}

function* environments({ code, live, docs, random }: Input): Iterable<Seed> {
  for (const name of shuffle(tokensOf(docs, /\b[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+\b/g), random)) {
    const quoted = [...live.values()].some((text) =>
      new RegExp(`["'\`]${name}["'\`=]|\\benv\\.${name}\\b`).test(text),
    )
    if (!quoted) continue
    const changed = replaceAll(code, new RegExp(`\\b${name}\\b`, 'g'), `${name}_RENAMED`)
    const falsified = linesWith(docs, new RegExp(`\\b${name}\\b`))
    if (changed.size <= 40 && falsified.length > 0 && falsified.length < 60)
      yield { kind: 'renamed environment variable', what: name, changed, falsified, token: name }
  }
}

function* fields({ code, live, docs, random }: Input): Iterable<Seed> {
  for (const name of shuffle(tokensOf(docs, /\b[a-z]+(?:[A-Z][a-z]+|_[a-z]+)+\b/g), random)) {
    const definition = new RegExp(
      `^\\s*(?:pub |readonly |public )?["']?${name}["']?\\??\\s*[:=](?![=:>])|(?:json|yaml|toml):"${name}[",]`,
      'm',
    )
    if (![...live.values()].some((text) => definition.test(text))) continue
    const word = new RegExp(`\\b${name}\\b`)
    // Removing a line also removes any other code on it.
    const isAlone = (line: string) =>
      line.length < 200 && !/\b(?:def|function|func|fn|class|struct|interface|export)\b/.test(line)
    if ([...code.values()].some((text) => text.split('\n').some((line) => word.test(line) && !isAlone(line))))
      continue
    const changed = new Map<string, string>()
    for (const [path, text] of code)
      if (word.test(text))
        changed.set(
          path,
          text
            .split('\n')
            .filter((line) => !word.test(line))
            .join('\n'),
        )
    const falsified = linesWith(docs, word)
    if (changed.size <= 20 && falsified.length > 0 && falsified.length < 60)
      yield { kind: 'removed field', what: name, changed, falsified, token: name }
  }
}

interface Value {
  page: string
  line: number
  name: string
  value: string
}

/** Finds lines that state the value of a name: after the name, in a table column or in an attribute. */
function statedValues(docs: ReadonlyMap<string, string>, wanted: RegExp): Value[] {
  const found: Value[] = []
  let column = -1
  let before = { page: '', line: 0 }
  for (const { page, line, text, isFence, heading } of linesOfDocs(docs)) {
    if (isFence) continue
    const cells = text.trimStart().startsWith('|') ? text.split('|').map((cell) => cell.trim()) : []
    if (cells.length > 0 && (before.page !== page || before.line !== line - 1))
      column = cells.findIndex((cell) => wanted.test(cell))
    if (cells.length > 0) before = { page, line }
    if (HISTORY.test(text)) continue
    const above = /^#+ .*?`?([A-Za-z][\w.-]*)`?\s*(?:\{.*\})?$/.exec(heading)?.[1]
    const cell = /^(?:<a[^>]*>)?\s*`([^`]+)`/.exec(cells[1] ?? '')?.[1]
    const item =
      /^\s*(?:[-*+] )?(?:\*\*)?`([\w.-]+)`/.exec(text)?.[1] ??
      /(?:path|query|body|name)="([\w.-]+)"/.exec(text)?.[1]
    const name = cells.length > 0 ? cell : (item ?? above)
    const value =
      cells.length > 0
        ? column > 1
          ? cells[column]?.replace(/^[`"\s]+|[`"\s]+$/g, '')
          : undefined
        : (new RegExp(`(?:${wanted.source})[^\`\\n]{0,40}\`["']?([^\`"']+)`, 'i').exec(text)?.[1] ??
          /default="?\{?([^"}]+)/.exec(text)?.[1])
    const last =
      name
        ?.replace(/^--|\?$/g, '')
        .split(/[.,]/)
        .at(-1)
        ?.trim() ?? ''
    if (
      last.length > 3 &&
      value !== undefined &&
      /^(?:\d[\d_]*|true|false|[a-z][\w.:/-]{2,30})$/.test(value) &&
      value !== last &&
      !/^(?:null|none|nil|undefined)$/i.test(value)
    )
      found.push({ page, line, name: last, value })
  }
  return found
}

const isNamed = (word: string, name: string) => key(word).replace(/^default/, '') === key(name)
const key = (name: string) => name.replace(/[^A-Za-z0-9]/g, '').toLowerCase()

function* changedValues(
  kind: string,
  isWanted: (name: string) => boolean,
  accepts: RegExp,
  { code, live, docs, random }: Input,
): Iterable<Seed> {
  const stated = statedValues(docs, /default/i).filter(({ name }) => isWanted(name))
  const used = new Set<string>()
  for (const { name, value } of shuffle(stated, random)) {
    if (!accepts.test(value) || used.has(`${name} ${value}`)) continue
    used.add(`${name} ${value}`)
    const assigned = new RegExp(
      `([\\w-]+)(["'\`]?\\??(?:: ?[\\w<>| \\[\\].]{1,40})?\\s*(?:=(?![=>])|:|:=)\\s*["'\`]?)${value}(?=["'\`]|\\b)`,
      'gi',
    )
    const other = /^\d/.test(value)
      ? String(Number(value.replaceAll('_', '')) * 2 + 7)
      : value === 'true'
        ? 'false'
        : value === 'false'
          ? 'true'
          : `${value}-other`
    const changed = new Map<string, string>()
    let hits = 0
    // Change all definitions of the name with this value, like a commit that changes a default.
    for (const [path, text] of live) {
      if (![...text.matchAll(assigned)].some(([, word = '']) => isNamed(word, name))) continue
      const lines = (code.get(path) as string).split('\n').map((line) => {
        if (/^\s*(?:\/\/|#|\*)|assert/.test(line)) return line
        return line.replace(assigned, (whole, word: string, between: string) => {
          if (!isNamed(word, name)) return whole
          hits++
          return (
            word +
            between +
            (/^[A-Z]/.test(whole.slice(word.length + between.length))
              ? (other[0]?.toUpperCase() ?? '') + other.slice(1)
              : other)
          )
        })
      })
      if (lines.join('\n') !== code.get(path)) changed.set(path, lines.join('\n'))
    }
    if (hits === 0 || hits > 3) continue
    const falsified = stated
      .filter((one) => one.name === name && one.value === value)
      .map(({ page, line }) => ({ page, line }))
    yield {
      kind,
      what: `${name} ${value} in ${[...changed.keys()].join(', ')}`,
      changed,
      falsified,
      token: value,
      name,
    }
  }
}

const LIMIT = /max|min|limit|timeout|size|interval|length|ttl|retries|duration|period|capacity|count/i
const defaults: Kind = (input) => changedValues('changed default', (name) => !LIMIT.test(name), /./, input)
const limits: Kind = (input) => changedValues('new limit', (name) => LIMIT.test(name), /^\d[\d_]*$/, input)

function* statuses({ code, live, docs, random }: Input): Iterable<Seed> {
  for (const { page, line, code: written, text, heading } of shuffle(codeOfDocs(docs), random)) {
    const status = /(?<![\w.:-])([1-5]\d\d)(?![\w.-])/.exec(text)?.[1]
    if (
      status === undefined ||
      STATUS_CODES[status] === undefined ||
      HISTORY.test(text) ||
      !/status|code|respon|return|HTTP|error/i.test(text + heading)
    )
      continue
    const names = [...written.matchAll(/[A-Za-z_][\w]{3,}/g)]
      .map(([name]) => name)
      .filter((name) => /[a-z][A-Z]|_/.test(name))
    for (const name of new Set(names)) {
      const hits: { path: string; at: number; text: string }[] = []
      for (const [path, source] of live)
        for (const found of source.matchAll(
          new RegExp(
            `\\b${name}\\b[^\\n]{0,80}(?<!\\w)${status}(?!\\w)|\\b${name}\\b[^\\n]{0,60}\\n[^\\n]{0,60}(?<!\\w)${status}(?!\\w)`,
            'g',
          ),
        ))
          hits.push({ path, at: found.index + found[0].length - status.length, text: source })
      const [hit] = hits
      if (hit === undefined || hits.length > 1) continue
      const other = status === '418' ? '419' : '418'
      const part = hit.text.slice(hit.text.lastIndexOf('\n', hit.at) + 1, hit.at + status.length)
      const source = code.get(hit.path) as string
      const at = source.indexOf(part) + part.length - status.length
      const after = source.slice(0, at) + other + source.slice(at + status.length)
      yield {
        kind: 'other status code',
        what: `${name} ${status}`,
        changed: new Map([[hit.path, after]]),
        falsified: [{ page, line }],
        token: status,
        name,
      }
      break
    }
  }
}

/** Matches absolute paths of the operating system. */
const SYSTEM = /^\/(?:bin|boot|dev|etc|home|lib|mnt|opt|proc|root|run|sbin|sys|tmp|usr|var)\//

function* paths({ code, live, docs, paths: files, random }: Input): Iterable<Seed> {
  const whole = all(live)
  const routes = shuffle(
    tokensOf(docs, /(?<![\w.:/@-])\/[a-z][\w-]*(?:\/[\w{}:-]+)+(?![\w/])/g),
    random,
  ).filter((route) => !SYSTEM.test(route) && new RegExp(`["'\`]${escaped(route)}["'\`]`).test(whole))
  const moved = shuffle(
    tokensOf(docs, /(?<![\w./@-])(?:\.\/)?[\w-]+(?:\/[\w.-]+)+\.\w{1,4}\b/g),
    random,
  ).filter((path) => files.has(path.replace(/^\.\//, '')) && code.has(path.replace(/^\.\//, '')))
  for (let at = 0; at < Math.max(routes.length, moved.length); at++) {
    const route = routes[at]
    if (route !== undefined) {
      const falsified = linesWith(docs, new RegExp(`(?<![\\w.:/@-])${escaped(route)}(?![\\w/-])`))
      const changed = replaceAll(
        code,
        new RegExp(`(["'\`])${escaped(route)}(?=["'\`])`, 'g'),
        `$1${route}-moved`,
      )
      if (falsified.length > 0 && falsified.length < 60)
        yield { kind: 'moved path', what: route, changed, falsified, token: route }
    }
    const file = moved[at]
    if (file !== undefined) {
      const path = file.replace(/^\.\//, '')
      const falsified = linesWith(docs, new RegExp(`(?<![\\w/@-])${escaped(file)}(?![\\w/-])`))
      const changed = new Map<string, string | null>([
        [path, null],
        [`moved/${path}`, code.get(path) as string],
      ])
      if (falsified.length > 0 && falsified.length < 60)
        yield { kind: 'moved path', what: file, changed, falsified, token: file }
    }
  }
}

function* signatures({ code, docs, random }: Input): Iterable<Seed> {
  const calls = new Map<string, { name: string; list: string[] }>()
  for (const { code: written } of codeOfDocs(docs))
    for (const [text, name = '', list = ''] of written.matchAll(
      /\b([A-Za-z_]\w{3,})\(([a-z]\w*(?:, ?[a-z]\w*)*)\)/g,
    ))
      calls.set(text, { name, list: list.split(/, ?/) })
  for (const [text, { name, list }] of shuffle(calls, random)) {
    if (!/[a-z][A-Z]|_/.test(name) || list.includes('self')) continue
    const definition = new RegExp(
      `(?:function|def|fn|func(?: \\([^)]*\\))?|^\\s*(?:async |public |export )*)\\s*\\b${name}\\s*\\((?=\\s*(?:&?(?:mut )?self,\\s*)?${list.map((one) => `${one}\\b[^,()]*`).join(',\\s*')}[,)])[^()]*\\)\\s*(?:[{:]|->|\\w)`,
      'm',
    )
    const hits = [...code].filter(([, source]) => definition.test(source))
    const [hit] = hits
    if (hit === undefined || hits.length > 1) continue
    const renamed = list[Math.floor(random() * list.length)] as string
    const [path, source] = hit
    const after = source.replace(definition, (head) =>
      head.replace(new RegExp(`\\b${renamed}\\b`), `${renamed}Renamed`),
    )
    const stated = new RegExp(`\\b${name}\\([^)]*\\b${renamed}\\b`)
    // Exclude code samples, because a call in a sample may pass a variable of any name.
    const falsified = codeOfDocs(docs)
      .filter(
        ({ code: written, text: line, isFence }) => !isFence && stated.test(written) && !HISTORY.test(line),
      )
      .map(({ page, line }) => ({ page, line }))
    if (falsified.length > 0)
      yield {
        kind: 'changed signature',
        what: `${text} in ${path}: ${renamed}`,
        changed: new Map([[path, after]]),
        falsified,
        token: name,
      }
  }
}
