/** Loads third-party services, after the reader's consent if the site requires it. */
import type { OutsideService, OutsideServices } from '../../src/base/api/outside-services.ts'
import { onceTakenIn } from './taken-in.ts'

type Globals = Record<string, unknown>

const globals = globalThis as unknown as Globals & { __octavoServices?: OutsideServices }

function start({ consent, services }: OutsideServices): void {
  if (consent === null || stored(consent.key) === consent.value) {
    for (const service of services) load(service)
    return
  }
  // Consent may be given in another tab.
  const onAnswer = () => {
    if (stored(consent.key) !== consent.value) return
    removeEventListener('storage', onAnswer)
    for (const service of services) load(service)
  }
  addEventListener('storage', onAnswer)
}

/** Reads a value; storage may be forbidden. */
function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function load({ src, attributes, globals: own, queue, tag }: OutsideService): void {
  for (const [name, value] of Object.entries(own)) globals[name] ??= value
  if (queue !== null && globals[queue] === undefined) globals[queue] = keeper()
  if (tag !== null) tellTag(tag)
  const script = document.createElement('script')
  for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value)
  script.async = true
  script.src = src
  document.head.append(script)
}

/** Stub that records calls in `q`, from which scripts that load later replay them. */
function keeper(): unknown {
  const keep = (...call: unknown[]) => {
    keep.q.push(call)
  }
  keep.q = [] as unknown[]
  return keep
}

/** Google's tag recognizes commands by their being `arguments` objects. */
function tellTag(id: string): void {
  globals.dataLayer ??= []
  const layer = globals.dataLayer as unknown[]
  function tell(..._command: unknown[]) {
    // biome-ignore lint/complexity/noArguments: a list would be taken for data.
    layer.push(arguments)
  }
  tell('js', new Date())
  tell('config', id)
}

const asked = globals.__octavoServices
if (asked) onceTakenIn(() => start(asked))
