/** Loads third-party services, after the reader's consent if the site requires it. */
import type { OutsideService, OutsideServices } from '../../src/base/api/outside-services.ts'
import { whenStorageIsReady } from './storage-ready.ts'

type Globals = Record<string, unknown>

const globals = globalThis as unknown as Globals & { __octavoServices?: OutsideServices }

function start({ consent, services }: OutsideServices): void {
  if (consent === null || readStoredValue(consent.key) === consent.value) {
    for (const service of services) loadService(service)
    return
  }
  // Consent may be given in another tab.
  const onAnswer = () => {
    if (readStoredValue(consent.key) !== consent.value) return
    removeEventListener('storage', onAnswer)
    for (const service of services) loadService(service)
  }
  addEventListener('storage', onAnswer)
}

/** Reads a value; storage may be forbidden. */
function readStoredValue(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function loadService({ src, attributes, globals: own, queue, tag }: OutsideService): void {
  for (const [name, value] of Object.entries(own)) globals[name] ??= value
  if (queue !== null && globals[queue] === undefined) globals[queue] = createCallQueue()
  if (tag !== null) initGoogleTag(tag)
  const script = document.createElement('script')
  for (const [name, value] of Object.entries(attributes)) script.setAttribute(name, value)
  script.async = true
  script.src = src
  document.head.append(script)
}

/** Stub that records calls in `q`, from which scripts that load later replay them. */
function createCallQueue(): unknown {
  const enqueue = (...call: unknown[]) => {
    enqueue.q.push(call)
  }
  enqueue.q = [] as unknown[]
  return enqueue
}

/** Google's tag only recognizes commands that are `arguments` objects. */
function initGoogleTag(id: string): void {
  globals.dataLayer ??= []
  const layer = globals.dataLayer as unknown[]
  function pushCommand(..._command: unknown[]) {
    // biome-ignore lint/complexity/noArguments: a list would be taken for data.
    layer.push(arguments)
  }
  pushCommand('js', new Date())
  pushCommand('config', id)
}

const requestedServices = globals.__octavoServices
if (requestedServices) whenStorageIsReady(() => start(requestedServices))
