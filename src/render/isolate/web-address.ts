/**
 * `URL` and `URLSearchParams` for components that only compose URLs. Rejects non-ASCII hosts, user names and other rare
 * features as invalid. Components that use them are then rendered by the browser.
 */

const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  'http:': '80',
  'https:': '443',
  'ws:': '80',
  'wss:': '443',
  'ftp:': '21',
}
const ADDRESS = /^([a-z][a-z0-9+.-]*:)\/\/([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::(\d{1,5}))?([/?#][\s\S]*)?$/i
const OPAQUE_URL = /^([a-z][a-z0-9+.-]*:)(?!\/\/)([^?#]*)(\?[^#]*)?(#[\s\S]*)?$/i
const PARTS = /^([^?#]*)(\?[^#]*)?(#[\s\S]*)?$/

interface Parts {
  protocol: string
  /** Includes the port. Empty for URLs such as `mailto:a@b.c`. */
  host: string
  pathname: string
  search: string
  hash: string
}

export class SearchParams {
  readonly #pairs: [string, string][]
  readonly #changed: () => void

  constructor(init: unknown = '', changed: () => void = () => {}) {
    this.#pairs = readPairs(init)
    this.#changed = changed
  }

  get size(): number {
    return this.#pairs.length
  }
  append(name: string, value: string): void {
    this.#pairs.push([String(name), String(value)])
    this.#changed()
  }
  delete(name: string): void {
    this.#keep(([key]) => key !== String(name))
  }
  get(name: string): string | null {
    return this.#pairs.find(([key]) => key === String(name))?.[1] ?? null
  }
  getAll(name: string): string[] {
    return this.#pairs.filter(([key]) => key === String(name)).map(([, value]) => value)
  }
  has(name: string): boolean {
    return this.#pairs.some(([key]) => key === String(name))
  }
  set(name: string, value: string): void {
    const first = this.#pairs.find(([key]) => key === String(name))
    if (!first) {
      this.append(name, value)
      return
    }
    first[1] = String(value)
    this.#keep((pair) => pair === first || pair[0] !== String(name))
  }
  sort(): void {
    this.#pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    this.#changed()
  }
  forEach(act: (value: string, name: string, params: SearchParams) => void): void {
    for (const [name, value] of this.#pairs) act(value, name, this)
  }
  entries(): IterableIterator<[string, string]> {
    return this.#pairs.map(([name, value]): [string, string] => [name, value])[Symbol.iterator]()
  }
  keys(): IterableIterator<string> {
    return this.#pairs.map(([name]) => name)[Symbol.iterator]()
  }
  values(): IterableIterator<string> {
    return this.#pairs.map(([, value]) => value)[Symbol.iterator]()
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.entries()
  }
  toString(): string {
    return this.#pairs.map(([name, value]) => `${encodeFormValue(name)}=${encodeFormValue(value)}`).join('&')
  }

  #keep(isIncluded: (pair: [string, string]) => boolean): void {
    const remainingPairs = this.#pairs.filter(isIncluded)
    this.#pairs.splice(0, this.#pairs.length, ...remainingPairs)
    this.#changed()
  }
}

export class Address {
  readonly #parts: Parts
  readonly searchParams: SearchParams

  constructor(text: unknown, base?: unknown) {
    this.#parts = parseParts(String(text).trim(), base === undefined ? null : new Address(base).#parts)
    this.searchParams = new SearchParams(this.#parts.search, () => {
      const query = this.searchParams.toString()
      this.#parts.search = query === '' ? '' : `?${query}`
    })
  }

  static canParse(text: unknown, base?: unknown): boolean {
    return Address.parse(text, base) !== null
  }
  static parse(text: unknown, base?: unknown): Address | null {
    try {
      return new Address(text, base)
    } catch {
      return null
    }
  }

  get protocol(): string {
    return this.#parts.protocol
  }
  get host(): string {
    return this.#parts.host
  }
  get hostname(): string {
    return this.#parts.host.replace(/:\d+$/, '')
  }
  get port(): string {
    return /:(\d+)$/.exec(this.#parts.host)?.[1] ?? ''
  }
  get origin(): string {
    return this.#parts.host === '' ? 'null' : `${this.#parts.protocol}//${this.#parts.host}`
  }
  get pathname(): string {
    return this.#parts.pathname
  }
  set pathname(value: string) {
    if (this.#parts.host !== '') this.#parts.pathname = normalizePath(String(value))
  }
  get search(): string {
    return this.#parts.search
  }
  set search(value: string) {
    for (const name of [...this.searchParams.keys()]) this.searchParams.delete(name)
    for (const [name, one] of readPairs(String(value))) this.searchParams.append(name, one)
  }
  get hash(): string {
    return this.#parts.hash
  }
  set hash(value: string) {
    const text = String(value).replace(/^#/, '')
    this.#parts.hash = text === '' ? '' : `#${encodeNonUrlCharacters(text)}`
  }
  get href(): string {
    const { protocol, host, pathname, search, hash } = this.#parts
    return `${protocol}${host === '' ? '' : `//${host}`}${pathname}${search}${hash}`
  }
  toString(): string {
    return this.href
  }
  toJSON(): string {
    return this.href
  }
}

function parseParts(text: string, base: Parts | null): Parts {
  const [, scheme, host = '', port, rest = '/'] = ADDRESS.exec(text) ?? []
  if (scheme !== undefined) {
    const protocol = scheme.toLowerCase()
    const shown = port === undefined || port === DEFAULT_PORTS[protocol] ? '' : `:${Number(port)}`
    return { protocol, host: host.toLowerCase() + shown, ...resolvePathQueryAndHash(rest, '/') }
  }
  const opaque = OPAQUE_URL.exec(text)
  if (opaque) {
    const [, protocol = '', pathname = '', search = '', hash = ''] = opaque
    if (protocol.toLowerCase() in DEFAULT_PORTS) throw invalid(text)
    return { protocol: protocol.toLowerCase(), host: '', pathname, search, hash }
  }
  if (base === null || base.host === '') throw invalid(text)
  if (text.startsWith('//')) return parseParts(base.protocol + text, null)
  const { protocol, host: home } = base
  if (text === '' || text.startsWith('#')) return { ...base, hash: resolvePathQueryAndHash(text, '').hash }
  const tail = resolvePathQueryAndHash(text, base.pathname)
  return { protocol, host: home, ...tail }
}

function resolvePathQueryAndHash(text: string, below: string): Pick<Parts, 'pathname' | 'search' | 'hash'> {
  const [, path = '', query = '', fragment = ''] = PARTS.exec(text) ?? []
  const whole = path === '' ? below : path.startsWith('/') ? path : below.replace(/[^/]*$/, '') + path
  return {
    pathname: normalizePath(whole),
    search: query.length > 1 ? encodeNonUrlCharacters(query) : '',
    hash: fragment.length > 1 ? encodeNonUrlCharacters(fragment) : '',
  }
}

function normalizePath(text: string): string {
  const segments: string[] = []
  const parts = text.replace(/\\/g, '/').replace(/^\//, '').split('/')
  for (const [index, part] of parts.entries()) {
    const isLast = index === parts.length - 1
    if (part === '..') segments.pop()
    else if (part !== '.') segments.push(part)
    if (isLast && (part === '.' || part === '..')) segments.push('')
  }
  return `/${encodeNonUrlCharacters(segments.join('/')).replace(/[?#]/g, encodeURIComponent)}`
}

function encodeNonUrlCharacters(text: string): string {
  return text.toWellFormed().replace(/[\s"<>`{}^|]|[^\u0000-\u007f]+/g, encodeURIComponent)
}

function encodeFormValue(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replace(/[!'()~]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`)
    .replace(/%20/g, '+')
}

function readPairs(init: unknown): [string, string][] {
  if (init instanceof SearchParams) return [...init]
  if (typeof init === 'object' && init !== null) {
    const entries =
      Symbol.iterator in init ? [...(init as Iterable<[unknown, unknown]>)] : Object.entries(init)
    return entries.map(([name, value]): [string, string] => [String(name), String(value)])
  }
  const text = String(init ?? '').replace(/^\?/, '')
  return text
    .split('&')
    .filter((part) => part !== '')
    .map((part): [string, string] => {
      const at = part.indexOf('=')
      return at === -1 ? [decode(part), ''] : [decode(part.slice(0, at)), decode(part.slice(at + 1))]
    })
}

function decode(text: string): string {
  const spaced = text.replace(/\+/g, ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

function invalid(text: string): TypeError {
  return new TypeError(`Invalid URL: ${text.slice(0, 100)}`)
}
